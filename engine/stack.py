"""Working space for kernels on the machine's stack, which costs nothing to get and nothing to give back.

An array from ``np.empty`` costs a kernel an allocation and the counting of references, together more than many a scripted
opponent's question about a chain.
"""

from llvmlite import ir
from numba.extending import intrinsic

_ALIGNMENT = 16  # bytes; enough for every field


@intrinsic
def on_stack(_, dtype):
    """A record of a numpy dtype, in kernels alone. Its fields hold anything at first.

    It lasts until the kernel that asked for it returns, so that it may be passed on to other kernels but never returned. A
    kernel that asks for it in a loop gets the same record every time.
    """

    def generate(context, builder, signature, _):
        with builder.goto_entry_block():
            room = builder.alloca(ir.ArrayType(ir.IntType(8), signature.return_type.size))
            room.align = _ALIGNMENT
        return builder.bitcast(room, context.get_value_type(signature.return_type))

    return dtype.dtype(dtype), generate
