"""Numbers of a word of cells: 32 of them at once in the processor's vectors, and bits that say which of them are meant.

A compiler that is given a loop over a word asks at run time whether one row of numbers overlaps another, and puts the bits
together one by one. What is here says what is meant: rows of 32 are loaded, compared or changed, and stored.
"""

from llvmlite import ir  # numba is built on it
from numba import types
from numba.extending import intrinsic

BITS = 32  # of a word: a whole number of the processor's vectors
_BIT, _WORD, _LONG, _BYTE, _DOUBLE = (ir.IntType(1), ir.IntType(BITS), ir.IntType(64), ir.IntType(8), ir.DoubleType())
_ORDER = ir.Constant(ir.VectorType(ir.IntType(32), BITS), [0] * BITS)
_LONGS = ir.VectorType(_LONG, BITS)
_EACH = ir.Constant(_LONGS, [1 << i for i in range(BITS)])


def _row(context, builder, kind, array, first):
    """Where the row begins that an array holds from ``first`` on, and how its numbers are aligned."""
    held = context.get_data_type(kind.dtype)
    start = builder.gep(context.make_array(kind)(context, builder, array).data, [first])
    return builder.bitcast(start, ir.VectorType(held, BITS).as_pointer()), kind.dtype.bitwidth // 8


def _loaded(context, builder, kind, array, first):
    place, align = _row(context, builder, kind, array, first)
    return builder.load(place, align=align)


def _everywhere(builder, number):
    """A row of one and the same number."""
    row = ir.VectorType(number.type, BITS)
    first = builder.insert_element(ir.Constant(row, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, ir.Constant(row, ir.Undefined), _ORDER)


def _bits_of(builder, chosen):
    """A row of yes and no as a word."""
    return builder.zext(builder.bitcast(chosen, _WORD), _LONG)


def _changed(builder, bits, row, new):
    """The row with those of another whose bits are set.

    Written as sums of bits, because a choice that is stored at once becomes a store under a mask, which is slow.
    """
    chosen = builder.icmp_unsigned("==", builder.and_(_everywhere(builder, bits), _EACH), _EACH)
    mask = builder.sext(chosen, _LONGS)
    old, new = builder.bitcast(row, _LONGS), builder.bitcast(new, _LONGS)
    return builder.bitcast(builder.xor(old, builder.and_(builder.xor(old, new), mask)), row.type)


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
def put(typing, array, first, bits, number):
    """Make the numbers from ``first`` on whose bits are set this one."""

    def write(context, builder, signature, arguments):
        array, first, bits, number = arguments
        place, align = _row(context, builder, signature.args[0], array, first)
        row = builder.load(place, align=align)
        builder.store(_changed(builder, bits, row, _everywhere(builder, number)), place, align=align)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.uint64, types.float64), write


@intrinsic
def add(typing, array, first, bits, number, most):
    """Add to the numbers from ``first`` on whose bits are set; none is then below 0 or above ``most``."""

    def write(context, builder, signature, arguments):
        array, first, bits, number, most = arguments
        place, align = _row(context, builder, signature.args[0], array, first)
        row = builder.load(place, align=align)
        more = builder.fadd(row, _everywhere(builder, number))
        for relation, bound in ((">", ir.Constant(_DOUBLE, 0.0)), ("<", most)):
            limit = _everywhere(builder, bound)
            more = builder.select(builder.fcmp_ordered(relation, more, limit), more, limit)
        builder.store(_changed(builder, bits, row, more), place, align=align)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.uint64, types.float64, types.float64), write


@intrinsic
def lowest(typing, bits):
    """The number of the lowest bit of a word that is not empty."""

    def write(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(_BIT, 1))

    return types.int64(types.uint64), write
