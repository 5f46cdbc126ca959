"""Vertices and colours as text."""

import pytest

from engine.go.board import BLACK, MAX_SIZE, MIN_SIZE, PASS, RESIGN, WHITE, board_points, point
from engine.records.vertex import COLOUR_NAMES, COLUMNS, format_vertex, parse_colour, parse_vertex


@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
def test_round_trip(size):
    points = board_points(size).tolist()
    texts = [format_vertex(p, size) for p in points]
    assert len(set(texts)) == size * size
    for p, text in zip(points, texts):
        assert parse_vertex(text, size) == parse_vertex(text.lower(), size) == p


@pytest.mark.parametrize(
    "text, size, col, row",
    [
        ("A1", 19, 0, 18),
        ("a19", 19, 0, 0),
        ("T19", 19, 18, 0),
        ("H8", 9, 7, 1),
        ("J9", 9, 8, 0),
        ("q16", 19, 15, 3),
        ("Z25", 25, 24, 0),
        ("b2", 2, 1, 0),
    ],
)
def test_vertices(text, size, col, row):
    assert parse_vertex(text, size) == point(size, col, row)
    assert format_vertex(point(size, col, row), size) == text.upper()


def test_there_is_no_column_i():
    assert "I" not in COLUMNS and len(COLUMNS) == MAX_SIZE


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass"])
def test_pass(text):
    assert parse_vertex(text, 9) == PASS
    assert format_vertex(PASS, 9) == "pass"
    assert format_vertex(RESIGN, 9) == "resign"


BAD_VERTICES = ["", "I5", "i1", "A0", "A10", "K1", "J10", "A", "5", "5A", "AA1", "A-1", "A+1", "A 1", " A1", "A1 "]
BAD_VERTICES += ["A1.0", "A1e0", "resign", "passe", "A\u0661", "A\u00b2", "\u00e41"]
BAD_VERTICES += ["A1" * 5000, "A" + "9" * 5000, "A00001"]


@pytest.mark.parametrize("text", BAD_VERTICES, ids=lambda text: ascii(text[:12]))
def test_not_a_vertex(text):
    with pytest.raises(ValueError) as error:
        parse_vertex(text, 9)
    assert len(str(error.value)) < 100 and "\n" not in str(error.value)


@pytest.mark.parametrize("text, colour", [("b", BLACK), ("B", BLACK), ("Black", BLACK), ("w", WHITE), ("WHITE", WHITE)])
def test_colours(text, colour):
    assert parse_colour(text) == colour


BAD_COLOURS = ["", "blac", "x", "1", "b w", "white\n", "w" * 10_000]


@pytest.mark.parametrize("text", BAD_COLOURS, ids=lambda text: ascii(text[:12]))
def test_not_a_colour(text):
    with pytest.raises(ValueError) as error:
        parse_colour(text)
    assert len(str(error.value)) < 100 and "\n" not in str(error.value)


def test_colour_names():
    assert {parse_colour(name): name for name in COLOUR_NAMES.values()} == COLOUR_NAMES
