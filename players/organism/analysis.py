"""Which rules of a cell program can do something at all.

A rule is *dead* if it can never change what the organism plays, on any board: its condition can never hold, or its action
never has an effect. What is called dead is dead for certain; some rules that are not called so may still never fire.
Evolution collects many of them. Kernels run programs without them, which plays the same and is faster, and ``show``
says why each of them is dead.
"""

from typing import NamedTuple

from players.organism.program import (
    CHANGE_SIZE,
    CHANGE_STATE,
    DIE,
    EMPTY_CELL,
    IS_LARGER,
    IS_RICHER,
    IS_STATE,
    MOVE,
    MOVE_CELL,
    OPPONENT_STONE,
    OWN_STONE,
    RELEASE,
    REPLICATE,
    REPLICATE_TO,
)

_STONES = (OWN_STONE, OPPONENT_STONE)


def dead_rules(program):
    """Why rules are dead: a dict from their numbers (from 0) to a few words."""
    dead, before = {}, None
    while True:
        # A rule that is dead can neither feed others nor need them, so that others may die with it.
        numbers = [i for i in range(len(program)) if i not in dead]
        live = [program[i] for i in numbers]
        known = _facts(live)
        # What the facts say of a rule is known from the last time, if they are as they were: then only sizes are in question.
        asked = [place for place, rule in enumerate(live) if known != before or rule.action == CHANGE_SIZE]
        found = {numbers[place]: reason for place in asked if (reason := _reason(live, place, known))}
        if not found:
            return dead
        dead |= found
        before = known


def without_dead(program):
    """The program without its dead rules; it may be empty."""
    dead = dead_rules(program)
    return tuple(rule for i, rule in enumerate(program) if i not in dead)


def playing(program):
    """The rules that matter to what is played: those that are not dead, and none if no cell ever becomes move."""
    live = without_dead(program)
    return live if _facts(live).moves else ()


class _Facts(NamedTuple):
    """What rules do together; gathered once, because every one of them is then asked about it."""

    moves: bool  # whether a cell ever becomes move
    released: set  # mediators
    read: set  # mediators
    largest: float  # size of a cell


def _facts(live):
    moves, released, read, largest = False, set(), set(), 0.0
    for rule in live:
        if rule.condition == IS_RICHER:
            read.add(rule.subject)
        if rule.action == CHANGE_STATE:
            moves = moves or rule.object == MOVE_CELL
        elif rule.action == CHANGE_SIZE:
            largest = rule.amount if rule.amount > largest else largest
        elif rule.action == RELEASE and rule.amount > 0:
            released.add(rule.object)
    return _Facts(moves, released, read, largest)


def _reason(live, place, known):
    """Why the rule at a place can do nothing among the rules ``live``, of which these _Facts are known, or None."""
    condition, subject, threshold, action, object_, _, amount, _ = live[place]  # once, because names cost time
    if condition == IS_STATE:
        if subject == MOVE_CELL and not known.moves:
            return "no cell ever becomes move"
    elif condition == IS_LARGER:
        if known.largest <= threshold:
            return "no cell is ever so large"
    elif threshold >= 0 and subject not in known.released:
        return "nothing releases this mediator"
    if action == CHANGE_SIZE:
        return _is_overruled(live, place)
    if action == RELEASE:
        if object_ not in known.read:
            return "nothing reads this mediator"
        if amount == 0 or (amount < 0 and object_ not in known.released):
            return "there is nothing to take away"
    elif action == CHANGE_STATE:
        if object_ in _STONES:
            return "only the rules of the game place stones"
        if condition == IS_STATE and subject in _STONES:
            return "stones stay what they are"
        if condition == IS_STATE and subject == object_:
            return "the cell is that already"
        if object_ == EMPTY_CELL and not known.moves:
            return "no cell ever becomes move"
    elif condition == IS_STATE and subject in _STONES and action in (MOVE, DIE):
        return "stones stay where they are"
    return None


def _is_overruled(live, place):
    """Whether a rule sets a size that nothing sees before another rule, which fires whenever it does, sets it again."""
    rule = live[place]
    kept = True  # whether what it asked for still holds
    for other in live[place + 1 :]:
        if other.condition == IS_LARGER:
            return None
        if other.action == CHANGE_SIZE and other.part in (0, rule.part) and (_always_holds(other) or kept and _follows(rule, other)):
            return "another rule sets the size again"
        if other.action in (MOVE, REPLICATE_TO, REPLICATE):
            return None  # a clone has the size of its cell
        if other.action == CHANGE_STATE and not (rule.condition == IS_STATE and rule.subject in _STONES):
            kept = kept and rule.condition != IS_STATE
        if other.action == RELEASE and other.amount < 0 and rule.condition == IS_RICHER and rule.subject == other.object:
            kept = False
    return None


def _always_holds(rule):
    return rule.condition == IS_RICHER and rule.threshold < 0


def _follows(rule, other):
    """Whether the condition of ``other`` holds wherever that of ``rule`` does."""
    if rule.condition != other.condition or rule.condition == IS_LARGER or rule.subject != other.subject:
        return False
    return rule.condition == IS_STATE or other.threshold <= rule.threshold
