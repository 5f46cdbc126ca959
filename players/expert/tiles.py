"""The product of two matrices, which is what a network spends its time on.

A compiler that is given three loops keeps the sums in memory, and so waits for memory. Here a *tile* of the sums, some rows and
three vectors of columns, stays in registers until it is done; that takes a sixth of the time. It is written as the
instructions of the compiler that numba itself uses, for vectors as long as this machine's registers."""

from llvmlite import binding, ir  # numba is built on it
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

# Registers are 32 of 16 numbers, or 16 of 8: sums of a tile, a row of the matrix and one number must find room there.
LANES, TILE_ROWS = (16, 9) if binding.get_host_cpu_features().get("avx512f") else (8, 4)
_VECTORS = 3
TILE_WIDTH = _VECTORS * LANES  # columns of a tile; widths must be multiples of it

_FLOAT, _INDEX = ir.FloatType(), ir.IntType(64)
_VECTOR = ir.VectorType(_FLOAT, LANES)
_FLOAT_BYTES = 4


def _at(context, builder, kind, array, row, column):
    """The address of an entry of a matrix of floats."""
    view = context.make_array(kind)(context, builder, array)
    strides = cgutils.unpack_tuple(builder, view.strides)
    offset = builder.add(builder.mul(row, strides[0]), builder.mul(column, strides[1]))
    return builder.add(builder.ptrtoint(view.data, _INDEX), offset)


def _vector_at(builder, address, number):
    """Where vector ``number`` of those stands that begin at an address."""
    place = builder.add(address, ir.Constant(_INDEX, number * LANES * _FLOAT_BYTES))
    return builder.inttoptr(place, _VECTOR.as_pointer())


def _everywhere(builder, number):
    """A vector of one number."""
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    lane = ir.IntType(32)
    first = builder.insert_element(nothing, number, ir.Constant(lane, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(lane, LANES), [0] * LANES))


@intrinsic
def _add_tile(typing, rows, matrix, sums, row, column, length):
    """Add to a tile of ``sums`` the product of its rows, of so many numbers, with its columns of ``matrix``."""

    def write(context, builder, signature, arguments):
        kinds = signature.args
        row, column, length = arguments[3:]
        zero, one = ir.Constant(_INDEX, 0), ir.Constant(_INDEX, 1)
        numbers, totals = [], []
        for r in range(TILE_ROWS):
            here = builder.add(row, ir.Constant(_INDEX, r))
            numbers.append(_at(context, builder, kinds[0], arguments[0], here, zero))
            total = _at(context, builder, kinds[2], arguments[2], here, column)
            totals += [_vector_at(builder, total, v) for v in range(_VECTORS)]
        weights = _at(context, builder, kinds[1], arguments[1], zero, column)
        step = builder.sub(_at(context, builder, kinds[1], arguments[1], one, column), weights)
        stride = builder.sub(_at(context, builder, kinds[0], arguments[0], row, one), numbers[0])
        begun = [builder.load(place, align=_FLOAT_BYTES) for place in totals]

        before, loop, after = builder.block, builder.append_basic_block("tile"), builder.append_basic_block("tile.done")
        builder.branch(loop)
        builder.position_at_end(loop)
        index = builder.phi(_INDEX)
        index.add_incoming(zero, before)
        tile = [builder.phi(_VECTOR) for _ in totals]
        line = builder.add(weights, builder.mul(index, step))
        weight = [builder.load(_vector_at(builder, line, v), align=_FLOAT_BYTES) for v in range(_VECTORS)]
        grown = []
        for number in numbers:
            place = builder.add(number, builder.mul(index, stride))
            factor = _everywhere(builder, builder.load(builder.inttoptr(place, _FLOAT.as_pointer()), align=_FLOAT_BYTES))
            for v in range(_VECTORS):
                product = builder.fmul(factor, weight[v], flags=("fast",))
                grown.append(builder.fadd(tile[len(grown)], product, flags=("fast",)))
        following = builder.add(index, one)
        index.add_incoming(following, loop)
        for phi, first, later in zip(tile, begun, grown, strict=True):
            phi.add_incoming(first, before)
            phi.add_incoming(later, loop)
        builder.cbranch(builder.icmp_signed("<", following, length), loop, after)
        builder.position_at_end(after)
        for place, total in zip(totals, grown, strict=True):
            builder.store(total, place, align=_FLOAT_BYTES)
        return context.get_dummy_value()

    return types.void(rows, matrix, sums, types.intp, types.intp, types.intp), write


@njit(cache=True, nogil=True)
def add_product(rows, matrix, sums, count, length, width):
    """Add the first ``count`` ``rows`` of ``length`` numbers times ``matrix`` [length, width] to ``sums`` [count, width].

    All are float32, and of the last two each row is in one piece. Rows up to the next multiple of TILE_ROWS beyond ``count``
    are worked on as well.
    """
    for row in range(0, count, TILE_ROWS):
        for column in range(0, width, TILE_WIDTH):
            _add_tile(rows, matrix, sums, row, column, length)
