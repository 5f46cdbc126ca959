"""A side of a game in compiled code.

A side is an instance of a NamedTuple class whose fields are what its kernels need: weights, options, working space. Three
generic functions say what it does; which kernel that is, numba decides by the class when a game is compiled, so that a
move costs no more than a direct call:

``begin(side, position, own)``                  a game starts at ``position``, in which the side has the colour ``own``
``choose(side, position, history, own, rng)``   its move: a point that it may play, or PASS
``observe(side, position, own, mover)``         ``mover`` (either side) has moved, which led to ``position``

``register`` gives a class its kernels; a side that needs no ``begin`` or ``observe`` has none. The class must be defined in
a module that can be imported, because the cache of compiled kernels knows it by name.
"""

from numba import types
from numba.extending import overload


def begin(side, position, own):
    """A game starts; for kernels only."""
    raise NotImplementedError


def choose(side, position, history, own, rng):
    """The side's move; for kernels only."""
    raise NotImplementedError


def observe(side, position, own, mover):
    """A move was made; for kernels only."""
    raise NotImplementedError


_forgetful = set()  # classes of sides that need neither ``begin`` nor ``observe``


def is_forgetful(side):
    """Whether a side keeps nothing in mind from one move to the next: it may play both colours, from any position."""
    return type(side) in _forgetful


def register(side_class, *, choose_kernel, begin_kernel=None, observe_kernel=None):
    """Give the NamedTuple ``side_class`` its kernels, functions with the arguments of the generic ones."""

    if begin_kernel is observe_kernel is None:
        _forgetful.add(side_class)

    def is_ours(side):
        return isinstance(side, types.NamedTuple) and side.instance_class is side_class

    @overload(choose, inline="always")
    def _choose(side, position, history, own, rng):
        if is_ours(side):
            return lambda side, position, history, own, rng: choose_kernel(side, position, history, own, rng)

    @overload(begin, inline="always")
    def _begin(side, position, own):
        if is_ours(side):
            if begin_kernel is None:
                return lambda side, position, own: None
            return lambda side, position, own: begin_kernel(side, position, own)

    @overload(observe, inline="always")
    def _observe(side, position, own, mover):
        if is_ours(side):
            if observe_kernel is None:
                return lambda side, position, own, mover: None
            return lambda side, position, own, mover: observe_kernel(side, position, own, mover)
