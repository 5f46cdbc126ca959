"""Questions to a word of cells: 32 numbers are compared at once in the processor's vectors, and the answer is bits.

A compiler that is given such a loop puts the bits together one by one. Loops that change numbers where bits are set it
translates well, and better than a choice between two rows that is said to it like this.
"""

import numpy as np
from llvmlite import ir  # numba is built on it
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

BITS = 32  # of a word: a whole number of the processor's vectors
_BIT, _BYTE, _WORD, _LONG = (ir.IntType(bits) for bits in (1, 8, BITS, 64))
_ORDER = ir.Constant(ir.VectorType(ir.IntType(32), BITS), [0] * BITS)


def _loaded(context, builder, kind, array, first):
    """The row that an array holds from ``first`` on."""
    start = builder.gep(context.make_array(kind)(context, builder, array).data, [first])
    place = builder.bitcast(start, ir.VectorType(context.get_data_type(kind.dtype), BITS).as_pointer())
    return builder.load(place, align=kind.dtype.bitwidth // 8)


def _everywhere(builder, number):
    """A row of one and the same number."""
    row = ir.VectorType(number.type, BITS)
    first = builder.insert_element(ir.Constant(row, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, ir.Constant(row, ir.Undefined), _ORDER)


def _bits_of(builder, chosen):
    """A row of yes and no as a word."""
    return builder.zext(builder.bitcast(chosen, _WORD), _LONG)


@intrinsic
def above(typing, array, first, threshold):
    """The bits of the numbers from ``first`` on, of an array of float64, that are above a threshold."""

    def write(context, builder, signature, arguments):
        array, first, threshold = arguments
        row = _loaded(context, builder, signature.args[0], array, first)
        return _bits_of(builder, builder.fcmp_ordered(">", row, _everywhere(builder, threshold)))

    return types.uint64(array, types.int64, types.float64), write


@intrinsic
def same(typing, array, first, what):
    """The bits of the bytes from ``first`` on that are ``what``."""

    def write(context, builder, signature, arguments):
        array, first, what = arguments
        row = _loaded(context, builder, signature.args[0], array, first)
        return _bits_of(builder, builder.icmp_unsigned("==", row, _everywhere(builder, builder.trunc(what, _BYTE))))

    return types.uint64(array, types.int64, types.int64), write


@intrinsic
def largest(typing, array, first, bits):
    """The largest of the numbers from ``first`` on, of an array of float64 without nan, for which bits are set."""

    def write(context, builder, signature, arguments):
        array, first, bits = arguments
        row = _loaded(context, builder, signature.args[0], array, first)
        chosen = builder.bitcast(builder.trunc(bits, _WORD), ir.VectorType(_BIT, BITS))
        row = builder.select(chosen, row, _everywhere(builder, ir.Constant(row.type.element, -np.inf)))
        kind = ir.FunctionType(row.type.element, [row.type])
        reduce = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.fmax.v{BITS}f64")
        return builder.call(reduce, [row], fastmath=("nnan", "nsz"))

    return types.float64(array, types.int64, types.uint64), write


@intrinsic
def lowest(typing, bits):
    """The number of the lowest bit of a word that is not empty."""

    def write(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(_BIT, 1))

    return types.int64(types.uint64), write
