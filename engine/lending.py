"""Arrays in kernels without counting who refers to them.

numba counts references to an array wherever a kernel takes it out of a tuple or hands it on: an atomic addition each, which
is felt where a move takes half a microsecond. What a kernel got from its caller lives until
it returns, whoever counts. It must not be kept, nor returned.
"""

from llvmlite import ir  # numba is built on it
from numba import types
from numba.extending import intrinsic


@intrinsic
def lent(typing, value):
    """The same value; its arrays, also those in tuples, are not counted. Only for arguments of the kernel that lends them."""

    def write(context, builder, signature, arguments):
        return _uncounted(context, builder, signature.return_type, arguments[0])

    return value(value), write


def _uncounted(context, builder, kind, value):
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = ir.Constant(array.meminfo.type, None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for i, part in enumerate(kind.types):
            there = _uncounted(context, builder, part, builder.extract_value(value, i))
            value = builder.insert_value(value, there, i)
    return value
