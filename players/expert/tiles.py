"""Sums and products over rows of numbers, which is what a network spends its time on.

A compiler that is given plain loops keeps sums in memory, and does not know that what is written is not what is read, so that it
works on one number at a time. Here sums stay in registers until they are done, whole vectors of them: a *tile* of a product
of matrices is some rows and three vectors of columns. It is written as the instructions of the compiler that numba itself uses,
for vectors as long as this machine's registers. Rows are as many numbers as whole tiles or groups of vectors have."""

from llvmlite import binding, ir  # numba is built on it
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from engine.kernels import kernel

# Registers are 32 of 16 numbers, or 16 of 8: sums of a tile, a row of the matrix and one number must find room there.
LANES, TILE_ROWS = (16, 9) if binding.get_host_cpu_features().get("avx512f") else (8, 4)
_VECTORS = 3
TILE_WIDTH = _VECTORS * LANES  # columns of a tile; widths must be multiples of it
_GROUP = 7  # vectors that are summed up at a time in a sum of rows
GROUP_WIDTH = _GROUP * 16  # whose rows are multiples of this, on any machine

_FLOAT, _INDEX = ir.FloatType(), ir.IntType(64)
_VECTOR = ir.VectorType(_FLOAT, LANES)
_FLOAT_BYTES, _INDEX_BYTES = 4, 8


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


def _load(builder, address, number):
    return builder.load(_vector_at(builder, address, number), align=_FLOAT_BYTES)


def _store(builder, vector, address, number):
    builder.store(vector, _vector_at(builder, address, number), align=_FLOAT_BYTES)


def _entry(context, builder, kind, array, index):
    """An entry of a list of int64 that is in one piece."""
    start = builder.ptrtoint(context.make_array(kind)(context, builder, array).data, _INDEX)
    place = builder.add(start, builder.mul(index, ir.Constant(_INDEX, _INDEX_BYTES)))
    return builder.load(builder.inttoptr(place, _INDEX.as_pointer()))


def _positive(builder, vector):
    zero = ir.Constant(_VECTOR, [0.0] * LANES)
    return builder.select(builder.fcmp_ordered(">", vector, zero), vector, zero)


def _sum(builder, vectors):
    total = vectors[0]
    for vector in vectors[1:]:
        total = builder.fadd(total, vector, flags=("fast",))
    return total


def _everywhere(builder, number):
    """A vector of one number."""
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    lane = ir.IntType(32)
    first = builder.insert_element(nothing, number, ir.Constant(lane, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(lane, LANES), [0] * LANES))


def _repeat(builder, times, begun, step):
    """The values that ``begun`` becomes when ``step(index, values)`` gives the next ones so many times, at least once."""
    zero, one = ir.Constant(_INDEX, 0), ir.Constant(_INDEX, 1)
    before, loop, after = builder.block, builder.append_basic_block("loop"), builder.append_basic_block("done")
    builder.branch(loop)
    builder.position_at_end(loop)
    index = builder.phi(_INDEX)
    index.add_incoming(zero, before)
    values = [builder.phi(value.type) for value in begun]
    grown = step(index, values)
    following = builder.add(index, one)
    index.add_incoming(following, loop)
    for phi, first, later in zip(values, begun, grown, strict=True):
        phi.add_incoming(first, before)
        phi.add_incoming(later, loop)
    builder.cbranch(builder.icmp_signed("<", following, times), loop, after)
    builder.position_at_end(after)
    return grown


def _tile(context, builder, rows, matrix, row, column, length, begun):
    """What the vectors ``begun``, a tile row by row, become with the product of its rows and its columns of a matrix added.

    ``rows`` and ``matrix`` are (type, array)."""
    zero, one = ir.Constant(_INDEX, 0), ir.Constant(_INDEX, 1)
    numbers = [
        _at(context, builder, *rows, builder.add(row, ir.Constant(_INDEX, r)), zero) for r in range(TILE_ROWS)
    ]
    weights = _at(context, builder, *matrix, zero, column)
    step = builder.sub(_at(context, builder, *matrix, one, column), weights)
    stride = builder.sub(_at(context, builder, *rows, row, one), numbers[0])

    def add(index, tile):
        line = builder.add(weights, builder.mul(index, step))
        weight = [_load(builder, line, v) for v in range(_VECTORS)]
        grown = []
        for number in numbers:
            place = builder.add(number, builder.mul(index, stride))
            entry = builder.load(builder.inttoptr(place, _FLOAT.as_pointer()), align=_FLOAT_BYTES)
            factor = _everywhere(builder, entry)
            for v in range(_VECTORS):
                product = builder.fmul(factor, weight[v], flags=("fast",))
                grown.append(_sum(builder, [tile[len(grown)], product]))
        return grown

    return _repeat(builder, length, begun, add)


@intrinsic
def _add_tile(typing, rows, matrix, sums, row, column, length):
    """Add to a tile of ``sums`` the product of its rows, of so many numbers, with its columns of ``matrix``."""

    def write(context, builder, signature, arguments):
        kinds = signature.args
        rows, matrix, sums, row, column, length = arguments
        totals = [
            _at(context, builder, kinds[2], sums, builder.add(row, ir.Constant(_INDEX, r)), column)
            for r in range(TILE_ROWS)
        ]
        begun = [_load(builder, total, v) for total in totals for v in range(_VECTORS)]
        grown = iter(_tile(context, builder, (kinds[0], rows), (kinds[1], matrix), row, column, length, begun))
        for total in totals:
            for v in range(_VECTORS):
                _store(builder, next(grown), total, v)
        return context.get_dummy_value()

    return types.void(rows, matrix, sums, types.intp, types.intp, types.intp), write


@kernel
def add_product(rows, matrix, sums, count, length, width):
    """Add the first ``count`` ``rows`` of ``length`` numbers times ``matrix`` [length, width] to ``sums`` [count, width].

    All are float32, and of the last two each row is in one piece. Rows up to the next multiple of TILE_ROWS beyond ``count``
    are worked on as well.
    """
    for row in range(0, count, TILE_ROWS):
        for column in range(0, width, TILE_WIDTH):
            _add_tile(rows, matrix, sums, row, column, length)


@intrinsic
def _fire_tile(typing, rows, matrix, common, units, above, points, row, column, length):
    """A tile of ``fire``."""

    def write(context, builder, signature, arguments):
        kinds = signature.args
        rows, matrix, common, units, above, points, row, column, length = arguments
        zero = ir.Constant(_INDEX, 0)
        cells = [_entry(context, builder, kinds[5], points, builder.add(row, ir.Constant(_INDEX, r))) for r in range(TILE_ROWS)]
        shared = _at(context, builder, kinds[2], common, zero, column)
        begun = []
        for cell in cells:
            own = _at(context, builder, kinds[3], units, cell, column)
            begun += [_sum(builder, [_load(builder, shared, v), _load(builder, own, v)]) for v in range(_VECTORS)]
        grown = iter(_tile(context, builder, (kinds[0], rows), (kinds[1], matrix), row, column, length, begun))
        for cell in cells:
            target = _at(context, builder, kinds[4], above, cell, column)
            for v in range(_VECTORS):
                _store(builder, _positive(builder, next(grown)), target, v)
        return context.get_dummy_value()

    return types.void(rows, matrix, common, units, above, points, types.intp, types.intp, types.intp), write


@kernel
def fire(rows, matrix, common, units, above, points, count, length, width):
    """Write to ``above`` [cell] what is positive of ``common`` [0], ``units`` [cell] and a row times ``matrix`` together.

    The cell of row number k is ``points`` [k] (int64), up to the next multiple of TILE_ROWS beyond ``count``.
    """
    for row in range(0, count, TILE_ROWS):
        for column in range(0, width, TILE_WIDTH):
            _fire_tile(rows, matrix, common, units, above, points, row, column, length)


def _summing(vectors):
    """A function that sums up so many vectors of columns at a time."""

    @intrinsic
    def sum_group(typing, table, chosen, count, begun, sums, row, column):
        """Write to some columns of ``sums`` [``row``] those of ``begun`` [0] and of the ``chosen`` rows of a table."""

        def write(context, builder, signature, arguments):
            kinds = signature.args
            table, chosen, count, begun, sums, row, column = arguments
            zero, one = ir.Constant(_INDEX, 0), ir.Constant(_INDEX, 1)
            first = _at(context, builder, kinds[0], table, zero, column)
            step = builder.sub(_at(context, builder, kinds[0], table, one, column), first)

            def add(index, totals):
                line = _entry(context, builder, kinds[1], chosen, index)
                address = builder.add(first, builder.mul(line, step))
                return [_sum(builder, [total, _load(builder, address, v)]) for v, total in enumerate(totals)]

            start = _at(context, builder, kinds[3], begun, zero, column)
            grown = _repeat(builder, count, [_load(builder, start, v) for v in range(vectors)], add)
            target = _at(context, builder, kinds[4], sums, row, column)
            for v, total in enumerate(grown):
                _store(builder, total, target, v)
            return context.get_dummy_value()

        return types.void(table, chosen, types.intp, begun, sums, types.intp, types.intp), write

    return sum_group


_sum_group, _sum_tile = _summing(_GROUP), _summing(_VECTORS)


@kernel
def sum_rows(table, chosen, count, begun, sums, row, width):
    """Write to ``sums`` [row] the sum of ``begun`` [0] and the rows of ``table`` that ``chosen`` [:count] (int64) names.

    All others are float32 and their rows in one piece; ``count`` is at least 1, ``width`` a multiple of GROUP_WIDTH or, which is
    slower for wide rows, of TILE_WIDTH.
    """
    if width % GROUP_WIDTH == 0:
        for column in range(0, width, _GROUP * LANES):
            _sum_group(table, chosen, count, begun, sums, row, column)
    else:
        for column in range(0, width, TILE_WIDTH):
            _sum_tile(table, chosen, count, begun, sums, row, column)


@intrinsic
def _hear_tile(typing, units, p, stride, heard, row, column, width):
    """For a tile's width of columns: write what the point ``p`` hears to three parts of ``heard`` [``row``]."""

    def write(context, builder, signature, arguments):
        kinds = signature.args
        units, p, stride, heard, row, column, width = arguments
        one = ir.Constant(_INDEX, 1)

        def around(*steps):
            return [_at(context, builder, kinds[0], units, cell, column) for cell in steps]

        n, s = builder.sub(p, stride), builder.add(p, stride)
        own = around(p)
        sides = around(n, s, builder.sub(p, one), builder.add(p, one))
        corners = around(builder.sub(n, one), builder.add(n, one), builder.sub(s, one), builder.add(s, one))
        target = column
        for places in (own, sides, corners):
            address = _at(context, builder, kinds[3], heard, row, target)
            for v in range(_VECTORS):
                _store(builder, _sum(builder, [_load(builder, place, v) for place in places]), address, v)
            target = builder.add(target, width)
        return context.get_dummy_value()

    return types.void(units, types.intp, types.intp, heard, types.intp, types.intp, types.intp), write


@kernel
def hear_point(units, p, stride, heard, row, width):
    """Write to ``heard`` [row] the units of a point, then the sums over its four sides, then those over its four corners.

    ``units`` [cell, width] and ``heard`` [row, 3 width] are float32, their rows in one piece.
    """
    for column in range(0, width, TILE_WIDTH):
        _hear_tile(units, p, stride, heard, row, column, width)


@intrinsic
def _add_up_tile(typing, source, row, parts, target, other_row, column, width):
    """For a tile's width of columns: the sum of what is positive in so many parts of a row, one behind the other."""

    def write(context, builder, signature, arguments):
        kinds = signature.args
        source, row, parts, target, other_row, column, width = arguments
        zero = ir.Constant(_VECTOR, [0.0] * LANES)
        first = _at(context, builder, kinds[0], source, row, column)
        step = builder.mul(width, ir.Constant(_INDEX, _FLOAT_BYTES))

        def add(index, totals):
            address, grown = builder.add(first, builder.mul(index, step)), []
            for v, total in enumerate(totals):
                grown.append(_sum(builder, [total, _positive(builder, _load(builder, address, v))]))
            return grown

        address = _at(context, builder, kinds[3], target, other_row, column)
        for v, total in enumerate(_repeat(builder, parts, [zero] * _VECTORS, add)):
            _store(builder, total, address, v)
        return context.get_dummy_value()

    return types.void(source, types.intp, types.intp, target, types.intp, types.intp, types.intp), write


@kernel
def add_up_parts(source, row, parts, target, other_row, width):
    """Write to ``target`` [other_row] the sum of what is positive in so many parts, at least one, of ``source`` [row].

    Each part is ``width`` numbers; all are float32, and a row is in one piece.
    """
    for column in range(0, width, TILE_WIDTH):
        _add_up_tile(source, row, parts, target, other_row, column, width)
