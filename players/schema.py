"""What data from outside must look like, declared, and checked before anything is built from it.

A schema is a value: ``Integer(2, 25)``, ``List(Number(), most=9)``, ``Table({"size": Integer(2, 25)})``. ``check`` raises
SchemaError, in one line that names the field, for whatever does not fit. The limits are those of ``engine.limits``.

``parse_json`` is the one way from bytes to such data; ``players.formats`` declares what all our files hold, and ``body.py``
in the package of a kind what a genome of that kind holds.
"""

import json
import math
from dataclasses import dataclass, field

from engine import limits
from engine.texts import shortened, with_article


class SchemaError(ValueError):
    """Data that are not as declared; the message is one line that says where and why."""


class NotJson(SchemaError):
    """Bytes that are no JSON at all."""


def check(schema, value, where=""):
    """The value itself; SchemaError, which calls it ``where``, if it is not as the schema says."""
    schema.check(value, where)
    return value


def _refuse(where, wanted, value):
    shown = shortened(json.dumps(value)) if isinstance(value, (bool, int, float, str, type(None))) else _shape(value)
    raise SchemaError(f"{where or 'it'} must be {wanted}, not {shown}")


def _shape(value):
    return {dict: "an object", list: "a list"}.get(type(value), with_article(type(value).__name__))


@dataclass(frozen=True)
class Integer:
    """A whole number from ``low`` to ``high``."""

    low: int
    high: int

    def check(self, value, where):
        if type(value) is not int or not self.low <= value <= self.high:
            _refuse(where, f"a whole number from {self.low} to {self.high}", value)


@dataclass(frozen=True)
class Number:
    """A finite number from ``low`` to ``high``, whole or not."""

    low: float = -limits.LARGEST_NUMBER
    high: float = limits.LARGEST_NUMBER

    def check(self, value, where):
        if type(value) not in (int, float) or not self.low <= value <= self.high:  # also refuses nan
            _refuse(where, f"a number from {self.low:g} to {self.high:g}", value)


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def check(self, value, where):
        if type(value) is not bool:
            _refuse(where, "true or false", value)


@dataclass(frozen=True)
class Text:
    """A text of at most ``most`` characters, or one of the ``choices``."""

    choices: tuple = ()
    most: int = limits.JSON_TEXT

    def check(self, value, where):
        if self.choices and (type(value) is not str or value not in self.choices):
            _refuse(where, f"one of {', '.join(self.choices)}", value)
        if type(value) is not str or len(value) > self.most:
            _refuse(where, f"a text of at most {self.most} characters", value)


@dataclass(frozen=True)
class Maybe:
    """What ``item`` says, or nothing (``null``)."""

    item: object

    def check(self, value, where):
        if value is not None:
            self.item.check(value, where)


@dataclass(frozen=True)
class OneOf:
    """What any of the ``items`` says; errors call it ``name``."""

    name: str
    items: tuple

    def check(self, value, where):
        for item in self.items:
            try:
                item.check(value, where)
                return
            except SchemaError:
                continue
        _refuse(where, self.name, value)


@dataclass(frozen=True)
class List:
    """A list of ``least`` to ``most`` times ``item``."""

    item: object
    most: int
    least: int = 0

    def check(self, value, where):
        if type(value) is not list:
            _refuse(where, "a list", value)
        if not self.least <= len(value) <= self.most:
            raise SchemaError(f"{where or 'it'} must have {self.least} to {self.most} entries, not {len(value)}")
        check_item = self.item.check
        for number, entry in enumerate(value):
            try:
                check_item(entry, "")
            except SchemaError:
                check_item(entry, f"{where}[{number}]")


@dataclass(frozen=True)
class Row:
    """A list of exactly these ``items``."""

    items: tuple

    def check(self, value, where):
        if type(value) is not list or len(value) != len(self.items):
            raise SchemaError(f"{where or 'it'} must be a list of {len(self.items)}")
        for number, (item, entry) in enumerate(zip(self.items, value)):
            item.check(entry, f"{where}[{number}]")


@dataclass(frozen=True)
class Table:
    """An object with the ``fields``, perhaps the ``optional`` ones, and, if ``others`` is a schema, further ones of that."""

    fields: dict
    optional: dict = field(default_factory=dict)
    others: object = None

    def check(self, value, where):
        if type(value) is not dict:
            _refuse(where, "an object", value)
        inside = f"{where}." if where else ""
        for name, schema in self.fields.items():
            if name not in value:
                raise SchemaError(f"{inside}{name} is missing")
            schema.check(value[name], inside + name)
        for name in value.keys() - self.fields.keys():
            schema = self.optional.get(name, self.others)
            if schema is None:
                raise SchemaError(f"{inside}{shortened(name)} is not known here")
            schema.check(value[name], inside + shortened(name))


@dataclass(frozen=True)
class Anything:
    """Whatever JSON may hold within the limits: for data of kinds that are not ours."""

    def check(self, value, where):
        pass  # parse_json has done it


FLAT = OneOf("a number, a text, true, false or null", (Maybe(Number()), Flag(), Text()))
PLAIN = OneOf("a number, a text, true, false, null or a list of these", (FLAT, List(FLAT, limits.HISTORY)))


# From bytes to data


def parse_json(content, digits=limits.JSON_DIGITS, finite=True):
    """The data in some JSON (bytes or text); SchemaError if it is no JSON, or breaks the limits that hold for all of it.

    The limits: how many values, how deep in each other, how long texts and whole numbers are; no text with characters that a
    terminal would act upon, no number that is not finite (unless ``finite`` is False).
    """

    def parse_int(text):
        if len(text) > digits:
            raise SchemaError(f"it holds a whole number of {len(text)} digits")
        return int(text)

    def parse_float(text):
        value = float(text)
        if finite and not math.isfinite(value):
            raise SchemaError("it holds a number that is not finite")
        return value

    marks = (b"[", b"{", b",", b":") if isinstance(content, (bytes, bytearray)) else "[{,:"
    if sum(map(content.count, marks)) > limits.JSON_VALUES:
        raise SchemaError(f"it has more than {limits.JSON_VALUES} values")
    try:
        data = json.loads(content, parse_int=parse_int, parse_float=parse_float, parse_constant=parse_float)
    except SchemaError:
        raise
    except ValueError:
        raise NotJson("it is no complete JSON") from None
    except RecursionError:
        raise SchemaError("it is nested too deep") from None
    _check_tree(data, limits.JSON_DEPTH)
    return data


def _check_tree(tree, depth):
    if isinstance(tree, str):
        _check_text(tree)
    elif isinstance(tree, (dict, list)):
        if depth == 0:
            raise SchemaError("it is nested too deep")
        if isinstance(tree, dict):
            for name in tree:
                _check_text(name)
            tree = tree.values()
        for value in tree:
            if isinstance(value, (dict, list, str)):
                _check_tree(value, depth - 1)


def _check_text(text):
    if len(text) > limits.JSON_TEXT:
        raise SchemaError(f"it holds a text of {len(text)} characters")
    if not text.isprintable():
        raise SchemaError(f"it holds a text with control characters: {shortened(text)}")
