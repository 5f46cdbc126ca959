"""The network as the paper writes it, in numpy: slow, plain, and sharing nothing with the kernels but the weights."""

import numpy as np

from engine.go.board import WHITE, board_points, cells, coordinates, new_position, place
from players.isn.anatomy import EDGE_KIND, LINES, PAPER, STEPS, expand, expand_again, kinds_of, plane_names, unpack, wiring


def outputs_of(parameters, kinds, anatomy=PAPER):
    """The outputs [row, col, output] for a square board of kinds [row, col]."""
    size = len(kinds)
    seen, direct, read = expand(parameters, anatomy)
    parts = unpack(parameters, anatomy)
    padded = np.full((size + 2, size + 2), EDGE_KIND)
    padded[1:-1, 1:-1] = kinds
    inputs = wiring(anatomy)[padded]
    if LINES in anatomy.inputs:
        for row, col in np.ndindex(size, size):
            line = 1 + min(row, col, size - 1 - row, size - 1 - col)
            if line <= 3:
                inputs[row + 1, col + 1, plane_names(anatomy).index(f"line {line}")] = 1

    def around(cells, weights):
        total = np.zeros((size, size, len(weights)))
        for number, (east, north) in enumerate(STEPS):
            part = cells[1 - north : 1 - north + size, 1 + east : 1 + east + size]
            total += part @ weights[:, :, number].T
        return total

    hidden = np.zeros((size + 2, size + 2, len(seen)))
    sums = around(inputs, seen)
    sums[..., : anatomy.trivial] += parts["hidden_bias"]
    hidden[1:-1, 1:-1] = np.tanh(sums)
    for _ in range(1, anatomy.passes):
        again = np.zeros((anatomy.hidden, anatomy.hidden, 9))
        again[:, :, :5] = expand_again(parameters, anatomy).transpose(2, 1, 0)
        hidden[1:-1, 1:-1] = np.tanh(sums + around(hidden, again))
    return 1 / (1 + np.exp(-(around(inputs, direct) + around(hidden, read) + parts["output_bias"])))


def random_network(seed, spread=0.5, anatomy=PAPER):
    return np.random.default_rng(seed).normal(0, spread, anatomy.parameters)


def grid(values, size):
    """What is kept by cell, as [row, col, …]."""
    values = np.asarray(values)[board_points(size)]
    return values.reshape(size, size, *values.shape[1:])


def random_kinds(generator, size, anatomy=PAPER):
    return generator.choice(kinds_of(anatomy), (size, size))


def random_position(generator, size, stones):
    """A position after so many random moves that are legal as far as stones go."""
    position = new_position(size)
    for number in range(stones):
        empty = np.sort(position.empties[: position.empty_count])
        if len(empty) > 1:
            place(position, int(generator.choice(empty)), 1 + number % 2)
    return position


def class_of(position, p, outputs):
    """The class (0 … 5) of the stone at ``p`` by the paper's words; ``outputs`` by cell."""
    size = int(position.board_size)
    stride = size + 1
    chain, liberties, open_ = {p}, set(), [p]
    while open_:
        stone = open_.pop()
        for q in (stone - stride, stone - 1, stone + 1, stone + stride):
            if position.colour[q] == position.colour[p] and q not in chain:
                chain.add(q)
                open_.append(q)
            elif position.colour[q] == 0:
                liberties.add(q)
    white = position.colour[p] == WHITE
    z = sum(float(outputs[q, 0]) if white else 1 - float(outputs[q, 0]) for q in liberties)
    a = sum(float(outputs[q, 3 if white else 4]) for q in liberties)
    if a < 0.75:
        return 0 if z < 0.75 else 1 if z < 1.5 else 2
    if a < 1.5:
        return 3 if z < 1.5 else 4
    return 5


def symmetries(board):
    """The eight images of an array [row, col, …]."""
    for turns in range(4):
        turned = np.rot90(board, turns)
        yield turned
        yield turned[:, ::-1]


def as_cells(board, size, fill):
    values = np.full(cells(25), fill, np.uint8)
    for p in board_points(size):
        col, row = coordinates(size, int(p))
        values[p] = board[row, col]
    return values
