"""Working space for kernels on the machine's stack, which costs nothing to get and nothing to give back.

An array from ``np.empty`` costs a kernel an allocation, and at every call that it is passed to the counting of references:
together more than many a scripted opponent's question about a chain.

What is got here holds anything at first. It lasts until the kernel that asked for it returns, so that it may be passed on to
other kernels but never returned. A kernel that asks for it in a loop gets the same space every time.
"""

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

_ALIGNMENT = 16  # bytes; enough for every field


def _room(builder, kind):
    with builder.goto_entry_block():
        room = builder.alloca(kind)
        room.align = _ALIGNMENT
    return room


@intrinsic
def on_stack(_, dtype):
    """A record of a numpy dtype, in kernels alone."""

    def generate(context, builder, signature, _):
        record = signature.return_type
        return builder.bitcast(_room(builder, ir.ArrayType(ir.IntType(8), record.size)), context.get_value_type(record))

    return dtype.dtype(dtype), generate


@intrinsic(prefer_literal=True)
def array_on_stack(_, length, dtype):
    """An array of a constant length, in kernels alone: of the same type as one from ``np.empty``."""
    if not isinstance(length, types.IntegerLiteral):
        return None  # the length must be known when the kernel is compiled

    def generate(context, builder, signature, _):
        kind = context.get_data_type(signature.return_type.dtype)
        array = context.make_array(signature.return_type)(context, builder)
        size, step = (context.get_constant(types.intp, n) for n in (length.literal_value, context.get_abi_sizeof(kind)))
        data = builder.bitcast(_room(builder, ir.ArrayType(kind, length.literal_value)), kind.as_pointer())
        populate_array(array, data=data, shape=[size], strides=[step], itemsize=step, meminfo=None)
        return array._getvalue()

    return types.Array(dtype.dtype, 1, "C")(length, dtype), generate
