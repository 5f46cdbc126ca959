"""The cell program (Section IV.C): a list of rules ``if condition then action``.

Types and parameters are the paper's function and terminal set. The tree of the paper has a rule base at its root, rules
below it, a condition and an action in each rule, and parameters at the leaves: it never grows deeper than the four
levels it starts with, only wider, so that a program is stored as a tuple of ``Rule`` and nothing else.

Three forms of one program:
    tuple of Rule   what breeding works on; parameters that a rule does not have are 0
    text            ``if mediator 3 > 0.31 then release mediator 1 by 0.5``: what a genome file holds
    array of RULE   what kernels run
"""

import re
from typing import NamedTuple

import numpy as np

# What a cell is. The numbers are those of ``organism.state``, where 0 means that there is no cell.
NO_CELL, EMPTY_CELL, MOVE_CELL, OWN_STONE, OPPONENT_STONE = range(5)
STATES = {EMPTY_CELL: "empty", MOVE_CELL: "move", OWN_STONE: "own stone", OPPONENT_STONE: "opponent stone"}
NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = ("north", "east", "south", "west")
MEDIATORS = 5  # paper
LONGEST_STEP = 4  # our choice: distances are 1 … 4, that is, across the board of the paper

# Conditions and actions.
IS_STATE, IS_LARGER, IS_RICHER = range(3)
CHANGE_STATE, CHANGE_SIZE, RELEASE, MOVE, REPLICATE_TO, REPLICATE, DIE = range(7)

# Parts of a life that a rule may be for alone, so that there is a program for each of them (Section VII): the game's stages,
# by how much of the board stones cover, a third, two thirds or more; or the board's regions, by thirds of its sides.
PARTS = ("", "opening", "middle", "end", "corner", "side", "centre")
STAGES, REGIONS = (1, 2, 3), (4, 5, 6)

# The types of parameters.
STATE, MEDIATOR, DIRECTION, INTEGER, REAL = "state", "mediator", "direction", "integer", "real"

# By condition or action: (field of Rule, type) for each of its parameters.
CONDITIONS = (
    (("subject", STATE),),
    (("threshold", REAL),),
    (("subject", MEDIATOR), ("threshold", REAL)),
)
ACTIONS = (
    (("object", STATE),),
    (("amount", REAL),),
    (("object", MEDIATOR), ("amount", REAL)),
    (("object", DIRECTION), ("distance", INTEGER)),
    (("object", DIRECTION), ("distance", INTEGER)),
    (),
    (),
)

DECIMALS = 4  # our choice: reals have so many, so that the text is exact; a mutation is some 75 units of the last one
LARGEST_REAL = 10.0  # our choice: far beyond what mutation reaches in a run, and it keeps everything finite


class Rule(NamedTuple):
    """One rule. ``subject`` is the condition's state or mediator, ``object`` the action's state, mediator or direction."""

    condition: int
    subject: int
    threshold: float
    action: int
    object: int
    distance: int
    amount: float
    part: int = 0  # of PARTS


RULE = np.dtype(
    [
        ("condition", np.int64),
        ("subject", np.int64),
        ("threshold", np.float64),
        ("action", np.int64),
        ("object", np.int64),
        ("distance", np.int64),
        ("amount", np.float64),
        ("part", np.int64),
    ]
)


def flat(program):
    """The program as kernels run it."""
    return np.array(list(program), RULE)


def from_flat(rules):
    """The program that an array of RULE stands for."""
    return tuple(Rule(*rule) for rule in rules.tolist())


def is_valid(rule):
    """Whether every parameter is of its type, and every field without a parameter is 0."""
    if not (0 <= rule.condition < len(CONDITIONS) and 0 <= rule.action < len(ACTIONS) and 0 <= rule.part < len(PARTS)):
        return False
    types = dict(CONDITIONS[rule.condition] + ACTIONS[rule.action])
    for field in ("subject", "threshold", "object", "distance", "amount"):
        value = getattr(rule, field)
        if not _fits(types.get(field), value):
            return False
    return True


def _fits(kind, value):
    if kind is None:
        return value == 0
    if kind == REAL:
        return abs(value) <= LARGEST_REAL and round(value, DECIMALS) == value
    low, high = RANGES[kind]
    return low <= value < high


# The values of the types that are not real, as (first, last + 1).
RANGES = {
    STATE: (EMPTY_CELL, OPPONENT_STONE + 1),
    MEDIATOR: (0, MEDIATORS),
    DIRECTION: (NORTH, WEST + 1),
    INTEGER: (1, LONGEST_STEP + 1),
}


# Text


def rule_text(rule):
    """The rule as a sentence."""
    if rule.condition == IS_STATE:
        condition = f"cell is {STATES[rule.subject]}"
    elif rule.condition == IS_LARGER:
        condition = f"size > {rule.threshold:g}"
    else:
        condition = f"mediator {rule.subject + 1} > {rule.threshold:g}"
    part = f"{PARTS[rule.part]}: " if rule.part else ""
    return f"{part}if {condition} then {_action_text(rule)}"


def _action_text(rule):
    if rule.action == CHANGE_STATE:
        return f"become {STATES[rule.object]}"
    if rule.action == CHANGE_SIZE:
        return f"set size to {rule.amount:g}"
    if rule.action == RELEASE:
        return f"release mediator {rule.object + 1} by {rule.amount:g}"
    if rule.action == MOVE:
        return f"move {DIRECTIONS[rule.object]} by {rule.distance}"
    if rule.action == REPLICATE_TO:
        return f"replicate {DIRECTIONS[rule.object]} by {rule.distance}"
    return "replicate" if rule.action == REPLICATE else "die"


_STATE = f"({'|'.join(STATES.values())})"
_REAL = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
_MEDIATOR = r"mediator (\d+)"
_STEP = rf"({'|'.join(DIRECTIONS)}) by (\d+)"
_CONDITION_PATTERNS = (rf"cell is {_STATE}", rf"size > {_REAL}", rf"{_MEDIATOR} > {_REAL}")
_ACTION_PATTERNS = (
    rf"become {_STATE}",
    rf"set size to {_REAL}",
    rf"release {_MEDIATOR} by {_REAL}",
    rf"move {_STEP}",
    rf"replicate {_STEP}",
    "replicate",
    "die",
)
_READERS = {
    STATE: {name: number for number, name in STATES.items()}.__getitem__,
    MEDIATOR: lambda text: int(text) - 1,
    DIRECTION: DIRECTIONS.index,
    INTEGER: int,
    REAL: lambda text: round(float(text), DECIMALS) + 0.0,  # no -0.0
}


def parse_rule(text):
    """The Rule that a sentence stands for; ValueError, in one line, if it is none."""
    words = " ".join(str(text).lower().split())
    parts = re.fullmatch(rf"(?:({'|'.join(PARTS[1:])}): )?if (.+) then (.+)", words)
    fields = None
    if parts:
        fields = (
            _read("condition", _CONDITION_PATTERNS, CONDITIONS, parts[2]),
            _read("action", _ACTION_PATTERNS, ACTIONS, parts[3]),
        )
    if not fields or None in fields:
        raise ValueError(f"not a rule of a cell program: {str(text)[:80]!r}")
    rule = Rule(0, 0, 0.0, 0, 0, 0, 0.0)._replace(**fields[0], **fields[1], part=PARTS.index(parts[1] or ""))
    if not is_valid(rule):
        raise ValueError(f"a number is out of range in the rule {str(text)[:80]!r}")
    return rule


def _read(name, patterns, signatures, text):
    """The fields that a condition or an action sets, or None if the text is none."""
    for number, (pattern, parameters) in enumerate(zip(patterns, signatures)):
        match = re.fullmatch(pattern, text)
        if match:
            return {name: number} | {
                field: _READERS[kind](word) for (field, kind), word in zip(parameters, match.groups())
            }
    return None


def to_text(program):
    """The program as a list of sentences."""
    return [rule_text(rule) for rule in program]


def from_text(lines):
    """The program in a list of sentences; ValueError, in one line, if it is none."""
    if not isinstance(lines, (list, tuple)) or not lines:
        raise ValueError("a cell program must be a list of at least one rule")
    return tuple(parse_rule(line) for line in lines)
