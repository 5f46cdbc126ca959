"""Eight numbers at a time: a value of kernels that is a vector of float32 and stays in a register.

A compiler that is given loops over rows of eight numbers keeps them in memory and asks at run time whether one row overlaps
another. ``Lanes`` say what is meant: rows are loaded, worked on and stored. Operations on two of them go lane by lane; sums
may be taken in any order. (See ``players/expert/tiles.py`` for whole matrices.)
"""

import operator

from llvmlite import ir  # numba is built on it
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

LANES = 8
_FLOAT, _INDEX = ir.FloatType(), ir.IntType(32)
_VECTOR = ir.VectorType(_FLOAT, LANES)
_FLOAT_BYTES = 4


class _LanesType(types.Type):
    def __init__(self):
        super().__init__(name="Lanes")


_LANES = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _VECTOR)


def _give(operation, write):
    """Make ``operation`` of two Lanes what ``write(builder, one, other)`` writes."""

    @type_callable(operation)
    def typed(context):
        return lambda one, other: _LANES if one == other == _LANES else None

    @lower_builtin(operation, _LANES, _LANES)
    def lowered(context, builder, signature, arguments):
        return write(builder, *arguments)


_FAST = ("fast",)
_give(operator.add, lambda builder, one, other: builder.fadd(one, other, flags=_FAST))
_give(operator.sub, lambda builder, one, other: builder.fsub(one, other, flags=_FAST))
_give(operator.mul, lambda builder, one, other: builder.fmul(one, other, flags=_FAST))
_give(operator.truediv, lambda builder, one, other: builder.fdiv(one, other, flags=_FAST))


def _place(context, builder, signature, arguments):
    """Where the row begins that an array and a tuple of indices name."""
    kind, where = signature.args[:2]
    array = context.make_array(kind)(context, builder, arguments[0])
    indices = [
        context.cast(builder, index, type_, types.intp)
        for index, type_ in zip(cgutils.unpack_tuple(builder, arguments[1]), where.types, strict=True)
    ]
    place = cgutils.get_item_pointer(context, builder, kind, array, indices, wraparound=False)
    return builder.bitcast(place, _VECTOR.as_pointer())


@intrinsic
def load(typing, array, where):
    """The eight numbers of an array of float32 from the index ``where``, a tuple, on."""

    def write(context, builder, signature, arguments):
        return builder.load(_place(context, builder, signature, arguments), align=_FLOAT_BYTES)

    return _LANES(array, where), write


@intrinsic
def store(typing, array, where, value):
    """Write them."""

    def write(context, builder, signature, arguments):
        builder.store(arguments[2], _place(context, builder, signature, arguments), align=_FLOAT_BYTES)
        return context.get_dummy_value()

    return types.void(array, where, _LANES), write


@intrinsic
def fill(typing, number):
    """Eight times one number, a float32."""

    def write(context, builder, signature, arguments):
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        first = builder.insert_element(nothing, arguments[0], ir.Constant(_INDEX, 0))
        return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(_INDEX, LANES), [0] * LANES))

    return _LANES(types.float32), write


def _picked(relation):
    def typed(typing, one, other):
        def write(context, builder, signature, arguments):
            return builder.select(builder.fcmp_ordered(relation, *arguments, flags=_FAST), *arguments)

        return _LANES(_LANES, _LANES), write

    return typed


lower = intrinsic(_picked("<"))
higher = intrinsic(_picked(">"))


@intrinsic
def total(typing, value):
    """The sum of the eight numbers."""

    def write(context, builder, signature, arguments):
        (value,) = arguments
        for half in (4, 2, 1):
            order = [(lane + half) % LANES for lane in range(LANES)]
            turned = builder.shuffle_vector(value, value, ir.Constant(ir.VectorType(_INDEX, LANES), order))
            value = builder.fadd(value, turned, flags=_FAST)
        return builder.extract_element(value, ir.Constant(_INDEX, 0))

    return types.float32(_LANES), write
