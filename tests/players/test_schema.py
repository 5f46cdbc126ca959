"""Schemas: what fits is left alone, and what does not is told in one line that names the field."""

import json

import pytest

from engine import limits
from players.formats import HISTORY, METRICS, RESULT, TIMING
from players.schema import (
    FLAT,
    PLAIN,
    Flag,
    Integer,
    List,
    Maybe,
    NotJson,
    Number,
    Row,
    SchemaError,
    Table,
    Text,
    check,
    parse_json,
)

BOOK = Table({"title": Text(), "pages": Integer(1, 900)}, optional={"price": Maybe(Number(0, 50))}, others=Flag())


@pytest.mark.parametrize(
    "schema, value",
    [
        (Integer(-1, 5), 5),
        (Number(), 3),
        (Number(0, 1), 0.5),
        (Flag(), False),
        (Text(), "é"),
        (Text(("a", "b")), "b"),
        (Maybe(Text()), None),
        (List(Integer(0, 1), 3), []),
        (List(Integer(0, 1), 3), [0, 1, 1]),
        (Row((Integer(0, 1), Text())), [1, "x"]),
        (BOOK, {"title": "x", "pages": 3}),
        (BOOK, {"title": "x", "pages": 3, "price": None, "lent": True}),
        (FLAT, None),
        (PLAIN, [1, "x", None, True]),
        (METRICS, {"generation": 1, "best": None, "other": 3.5, "champion": {"win_rate": 0.5, "fitness": None}}),
    ],
)
def test_what_fits(schema, value):
    assert check(schema, value) is value


@pytest.mark.parametrize(
    "schema, value, words",
    [
        (Integer(-1, 5), 6, "it must be a whole number from -1 to 5, not 6"),
        (Integer(-1, 5), 1.0, "not 1.0"),
        (Integer(-1, 5), True, "not true"),
        (Integer(-1, 5), [1], "not a list"),
        (Number(0, 1), 1.5, "a number from 0 to 1"),
        (Number(), float("nan"), "a number"),
        (Number(), float("inf"), "a number"),
        (Number(), 10**400, "a number"),
        (Flag(), 1, "true or false"),
        (Text(), None, "a text"),
        (Text(most=3), "abcd", "at most 3 characters"),
        (Text(("a", "b")), "c", "one of a, b"),
        (Text(("a", "b")), ["a"], "one of a, b"),
        (Maybe(Text()), 3, "a text"),
        (List(Integer(0, 1), 3), [0] * 4, "0 to 3 entries, not 4"),
        (List(Integer(0, 1), 3), [0, 2], "[1] must be a whole number"),
        (List(List(Integer(0, 1), 3), 3), [[], [0, "x"]], "[1][1] must be"),
        (List(Integer(0, 1), 3), "010", "a list"),
        (Row((Integer(0, 1), Text())), [1], "a list of 2"),
        (Row((Integer(0, 1), Text())), [1, 2], "[1] must be a text"),
        (BOOK, [], "an object"),
        (BOOK, {"title": "x"}, "pages is missing"),
        (BOOK, {"title": "x", "pages": 3, "price": 51}, "price must be a number from 0 to 50"),
        (BOOK, {"title": "x", "pages": 3, "\x1b": 1}, "\\x1b must be true or false"),
        (Table({"a": BOOK}), {"a": {"title": 3, "pages": 3}}, "a.title must be"),
        (Table({}), {"z" * 500: 1}, "… is not known here"),
        (PLAIN, [[1]], "a list of these"),
        (RESULT, {"opponent": "x"}, "size is missing"),
        (HISTORY, [{"generation": 1, "win_rate": 1.01}], "[0].win_rate"),
        (TIMING, {"generation": 1, "seconds": -1, "games": 1}, "seconds"),
    ],
)
def test_what_does_not_fit(schema, value, words):
    with pytest.raises(SchemaError) as caught:
        check(schema, value)
    text = str(caught.value)
    assert words in text and text.isprintable() and len(text) < 200


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "no complete JSON"),
        (b"{", "no complete JSON"),
        (b"\xff", "no complete JSON"),
        (b"1 2", "no complete JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b"[" * (limits.JSON_DEPTH + 1) + b"]" * (limits.JSON_DEPTH + 1), "nested too deep"),
        (b"[" + b"0," * limits.JSON_VALUES + b"0]", "values"),
        (b"9" * 21, "21 digits"),
        (b"9" * 100_000, "100000 digits"),
        (b"NaN", "not finite"),
        (b"-Infinity", "not finite"),
        (b"1e400", "not finite"),
        (b'"\\u001b"', "control characters"),
        (b'{"\\n": 1}', "control characters"),
        (b'"\\ud800"', "control characters"),
        (json.dumps("x" * (limits.JSON_TEXT + 1)).encode(), "characters"),
    ],
)
def test_json_within_limits(content, words):
    with pytest.raises(SchemaError, match=words):
        parse_json(content)


def test_json():
    assert parse_json(b'{"a": [1, -2.5, "\xc3\xa9", null, true]}') == {"a": [1, -2.5, "é", None, True]}
    assert parse_json('[[["x"]]]') == [[["x"]]]
    depth = limits.JSON_DEPTH
    assert parse_json(b"[" * depth + b"]" * depth)
    assert parse_json(b"1" * 60, digits=80) == int("1" * 60) and str(parse_json(b"NaN", finite=False)) == "nan"
    with pytest.raises(NotJson):
        parse_json(b"nonsense")


