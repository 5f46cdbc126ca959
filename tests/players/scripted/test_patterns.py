from itertools import product

import pytest

from engine.go import board
from engine.go.board import BLACK, EMPTY, WHITE, coordinates, point
from engine.go.playout import playout
from engine.go.rng import new_stream
from players.scripted import gojen, wally
from players.scripted.patterns import compile_patterns, first_match, forms, parse

SIZE = 9


def example(form, colour):
    """A position in which ``form`` matches for ``colour``, and the point where it does."""
    for col, row in sorted(product(range(SIZE), repeat=2), key=lambda at: abs(at[0] - 4) + abs(at[1] - 4)):
        inside = {(x, y): 0 <= col + x < SIZE and 0 <= row + y < SIZE for x, y in form}
        if all((states == {3}) != inside[cell] for cell, states in form.items()):
            position = board.new_position(SIZE)
            for (x, y), states in form.items():
                if states in ({1}, {2}):
                    board.place(position, point(SIZE, col + x, row + y), colour if states == {1} else 3 - colour)
            return position, point(SIZE, col, row)
    raise AssertionError("the drawing fits nowhere on the board")


def naive_match(position, p, colour, drawings):
    """What ``first_match`` should say, by trying one form after the other."""
    size = int(position.board_size)
    col, row = coordinates(size, p)
    for index, drawing in enumerate(drawings):
        for form in forms(drawing):
            for (x, y), states in form.items():
                held = 3
                if 0 <= col + x < size and 0 <= row + y < size:
                    held = int(position.colour[point(size, col + x, row + y)])
                    held = {0: 0, colour: 1, 3 - colour: 2}[held]
                if held not in states:
                    break
            else:
                return index
    return -1


def test_matches_are_what_trying_all_forms_finds():
    tables = compile_patterns(gojen.PATTERNS)
    found = set()
    for seed in range(25):
        position = board.new_position(SIZE)
        playout(position, BLACK, new_stream(seed), 2 * seed)
        colour = BLACK + seed % 2
        for p in map(int, board.board_points(SIZE)):
            if position.colour[p] == EMPTY:
                index = first_match(position, p, colour, tables)
                assert index == naive_match(position, p, colour, gojen.PATTERNS)
                found.add(index)
    assert len(found) > 15


@pytest.mark.parametrize("drawing", [*wally.SHAPES, *gojen.PATTERNS])
def test_every_form_matches_for_both_colours(drawing):
    tables = compile_patterns([drawing])
    for form in forms(drawing):
        for colour in (BLACK, WHITE):
            position, p = example(form, colour)
            assert first_match(position, p, colour, tables) == 0


def test_the_first_pattern_wins():
    one, two = ". . .\n. * X\n. . .", "? ? ?\n? * X\n? ? ?"
    position = board.new_position(5)
    p = point(5, 2, 2)
    board.place(position, p + 1, BLACK)
    assert first_match(position, p, BLACK, compile_patterns([one, two])) == 0
    assert first_match(position, p, BLACK, compile_patterns([two, one])) == 0
    assert first_match(position, p, BLACK, compile_patterns([one.replace("X", "O"), two])) == 1
    assert first_match(position, p, WHITE, compile_patterns([one, two])) == -1


def test_the_outer_ring_does_not_wrap_around_the_edge():
    position = board.new_position(5)
    board.place(position, point(5, 4, 1), BLACK)  # two cells left of the first point of the next row
    p = point(5, 0, 2)
    rows = ["? ? ? ? ?"] * 5
    rows[2] = "X ? * ? ?"
    assert first_match(position, p, BLACK, compile_patterns(["\n".join(rows)])) == -1
    rows[2] = "# # * ? ?"
    assert first_match(position, p, BLACK, compile_patterns(["\n".join(rows)])) == 0


@pytest.mark.parametrize("drawing", ["", "X", "X O\n* .", ". . .\n. . .\n. . *", "? ? ?\n? * ?\n? ?"])
def test_what_is_no_drawing(drawing):
    with pytest.raises(ValueError, match="not a pattern"):
        parse(drawing)
