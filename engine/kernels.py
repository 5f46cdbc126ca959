"""The decorator of all kernels: compiled by numba, kept between runs (``kernel_cache``), and without Python's lock.

Kernels are called by each other and from Python, never by a pointer to a function of C: the wrapper for that, a fourteenth of
all compiling, is left out.
"""

from functools import partial

from numba import njit


def kernel(function=None, **options):
    """``@kernel``, or ``@kernel(option=…)`` with more of numba's options."""
    decorate = njit(cache=True, nogil=True, no_cfunc_wrapper=True, **options)
    return decorate if function is None else decorate(function)


fast_kernel = partial(kernel, fastmath=True, error_model="numpy")  # sums in any order: for networks
