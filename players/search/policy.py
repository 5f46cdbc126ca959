"""The playout policy: a softmax over all playable points by features that the last moves give them. Its weights are data.

A point is drawn in proportion to the product of the gammas of its features, gamma = exp(weight) (Coulom 2007). Points far
from everything that happened have no features and count 1 each; so only the points that do have some are ever weighed, and
the rest of the board costs one draw. A point that cannot be played, or would fill an own eye, counts 0. Chains give their
features one by one: who saves two of them has the gamma of that twice.

    take_last      takes the chain of the last move
    take_far       takes another chain, wherever it is
    take_attacker  … which touches a chain beside the last move that is in atari
    take_many      (with any of these) takes two stones or more
    escape         gives a chain beside the last move, which is in atari, two liberties or more
    escape_far     the same for a chain elsewhere
    escape_many    … and that chain has two stones or more
    escape_room    … and there are three empty points around, or another chain to join
    press_last     takes one of the last two liberties of the chain of the last move
    press_catch    … and at the other one it would get no more than one back
    extend         gives a chain beside the last move that has two liberties left more of them
    nakade         the vital point of a small eye space, in which the last move has just taken three stones or more
    beside_last    next to the last move;  diagonal_last  diagonally so
    near_before    one of the eight points around the move before the last
    throw_in       leaves a single stone in atari;  self_atari  leaves two stones or more
    self_atari_shape  … which fill an eye with a shape that kills, once taken (these three weights are at most 0)
    shape names    around the last move, where there is such a shape (``shapes``): that of its family, and its own
"""

import numpy as np
from numba import types
from numba.extending import overload

from engine.go.board import (
    EDGE,
    EMPTY,
    MAX_SIZE,
    PASS,
    add_new,
    cells,
    empty_neighbours,
    in_atari,
    is_single,
    last_liberty,
    list_liberties,
    packed_liberty,
    play,
    swap_empties,
)  # fmt: skip
from engine.go.playout import MOVES_PER_POINT, is_playable
from engine.go.rng import STREAM_WORDS, below, uniform
from engine.kernels import kernel
from players.search import shapes
from players.search.shapes import change_codes, seen_by, write_codes
from players.search.tactics import THREE, liberties_joined, self_atari

TACTICS = (
    "take_last", "take_far", "take_attacker", "take_many", "escape", "escape_far", "escape_many", "escape_room",
    "press_last", "press_catch", "extend", "nakade", "beside_last", "diagonal_last", "near_before", "throw_in",
    "self_atari", "self_atari_shape",
)  # fmt: skip
NAMES = (*TACTICS, *shapes.NAMES, *shapes.DRAWN)
(
    _TAKE_LAST, _TAKE_FAR, _TAKE_ATTACKER, _TAKE_MANY, _ESCAPE, _ESCAPE_FAR, _ESCAPE_MANY, _ESCAPE_ROOM,
    _PRESS_LAST, _PRESS_CATCH, _EXTEND, _NAKADE, _BESIDE_LAST, _DIAGONAL_LAST, _NEAR_BEFORE, _THROW_IN,
    _SELF_ATARI, _SELF_ATARI_SHAPE, _SHAPE,
) = np.arange(19)  # fmt: skip (numpy's numbers: for each of Python's a kernel that takes it would be compiled anew)
_NO_FAMILY = _SHAPE - 1  # family numbers begin at 1
_DRAWN = _SHAPE + len(shapes.NAMES)

# Gammas set by hand, where learning starts. A feature whose gamma is 1 costs no time.
HAND_SET = {
    "take_last": 1000.0,
    "take_far": 30.0,
    "take_attacker": 30.0,
    "take_many": 3.0,
    "escape": 500.0,
    "escape_far": 10.0,
    "escape_many": 3.0,
    "escape_room": 2.0,
    "press_last": 1.0,  # these three are worth less than the time they take, which is half as much again
    "press_catch": 1.0,
    "extend": 1.0,
    "nakade": 1000.0,
    "beside_last": 1.0,
    "diagonal_last": 1.0,
    "near_before": 1.0,
    "throw_in": 0.3,
    "self_atari": 0.05,
    "self_atari_shape": 0.5,
    **dict.fromkeys(shapes.NAMES, 60.0),
}
HAND, UNIFORM = "hand", "uniform"  # policies that need no file: the one of HAND_SET, and all weights 0
FAULTS = ("throw_in", "self_atari", "self_atari_shape")  # features that make a move rarer, never likelier
LEAST_ACCEPTED = 0.01  # a self-atari that is drawn is played with at least this chance, so that no draw lasts for ever
LARGEST_WEIGHT = 50.0  # in size: the product of a few gammas must stay a number
_TOUCHED = 64  # points that can have features at once: 16 around two moves, and some liberties
_ATARIS = 24  # chains in atari that are known at once; what is more is seen when it is beside the last move
_TRACED = 16  # features of a point that are written down
_COUNT = (1 << 12) - 1  # the bits of Position.liberties that count
_MOST_OF_TWO = 8  # pseudo-liberties that two points can be to one chain
_ONE = np.uint64(1)  # as in engine.go.board
_SMALLEST_EYE, _LARGEST_EYE = 3, 6  # points of an eye space that has a vital point

# The policy as kernels use it.
POLICY = np.dtype(
    [
        ("gamma", np.float64, len(NAMES)),
        ("drawing", np.uint16, len(shapes.SHAPE)),  # by code: the number of the drawing
        ("family", np.uint8, len(shapes.DRAWN)),  # by drawing …
        ("shape_gamma", np.float64, len(shapes.DRAWN)),  # … and the product of the gammas of the two
    ],
    align=True,
)

# The points that have features in the position at hand.
WEIGHED = np.dtype(
    [
        ("count", np.int64),
        ("point", np.int64, _TOUCHED + 1),  # the last is for what is too much
        ("weight", np.float64, cells(MAX_SIZE)),  # by cell: the product of the gammas, 0 where there are no features
        ("found", np.int64, 8),  # room for lists of a few points
        ("code", np.uint16, cells(MAX_SIZE)),  # by cell: the shape around it as Black sees it
        ("ataris", np.int64),  # how many chains in atari are known …
        ("atari", np.int64, _ATARIS),  # … and a stone of each
        ("taken", np.int64),  # stones that the last move took
        # The random numbers that moves are drawn by, lent by a stream while a game is played out: to hand an array on from
        # function to function costs counting its references each time, a sixth of all time; a field of a record has none.
        ("stream", np.uint64, STREAM_WORDS),
    ],
    align=True,
)


# Which features the points of WEIGHED have. For learning, kernels write that down, and then look at features whose gammas are
# 1 as well; in playouts they have None for a trace, which costs no time.
TRACE = np.dtype(
    [
        ("count", np.int64, cells(MAX_SIZE)),  # by cell; counts only for points that have features
        ("feature", np.int64, (cells(MAX_SIZE), _TRACED)),  # one that a point has twice stands there twice
    ],
    align=True,
)


def vector(weights):
    """Weights by name in the order of the names; a feature that is not named weighs nothing."""
    return np.array([float(weights.get(name, 0.0)) for name in NAMES])


def new_policy(weights):
    """The policy with the given weights, by name; ValueError for names that no feature has."""
    unknown = sorted(set(weights) - set(NAMES))
    if unknown:
        raise ValueError(f"a playout policy has no feature {unknown[0][:40]!r}")
    values = vector(weights)
    if not (np.abs(values) <= LARGEST_WEIGHT).all():
        raise ValueError("a weight of the playout policy is not a number, or too large")
    policy = np.zeros(1, POLICY).view(np.recarray)[0]
    policy.gamma[:] = np.exp(values)
    policy.drawing[:] = shapes.SHAPE
    policy.family[:] = shapes.FAMILY_OF
    policy.shape_gamma[:] = np.exp(shape_weights(weights))
    return policy


def shape_weights(weights):
    """By number of the drawing: the weight of a shape and that of its family together."""
    of_family = np.array([0.0, *(weights.get(name, 0.0) for name in shapes.NAMES)])
    return of_family[shapes.FAMILY_OF] + np.array([weights.get(name, 0.0) for name in shapes.DRAWN])


def hand_set_weights():
    """The weights of HAND_SET."""
    return {name: float(np.log(gamma)) for name, gamma in HAND_SET.items()}


def named_weights(name):
    """The weights that HAND or UNIFORM stands for; None for other names."""
    return {HAND: hand_set_weights(), UNIFORM: {}}.get(name)


def new_weighed():
    """Room for the features of one position."""
    return np.zeros(1, WEIGHED).view(np.recarray)[0]


def new_trace():
    """Room for a trace of them."""
    return np.zeros(1, TRACE).view(np.recarray)[0]


# Features


@kernel
def _multiply(weighed, p, factor, trace):
    """Let the empty point ``p`` count so many times as much."""
    if weighed.weight[p] != 0.0:
        weighed.weight[p] *= factor
    elif weighed.count < _TOUCHED:
        weighed.point[weighed.count] = p
        weighed.count += 1
        weighed.weight[p] = factor
        if trace is not None:
            trace.count[p] = 0


@kernel
def _give(weighed, p, gamma, feature, trace):
    """Let the empty point ``p`` have a feature."""
    _multiply(weighed, p, gamma[feature], trace)
    if trace is not None:
        note(trace, p, feature)


@kernel
def note(trace, p, feature):
    """Write down that the point ``p`` has a feature."""
    if trace.count[p] < _TRACED:
        trace.feature[p, trace.count[p]] = feature
        trace.count[p] += 1


@kernel
def forget(weighed):
    """Make room for another position."""
    for i in range(weighed.count):
        weighed.weight[weighed.point[i]] = 0.0
    weighed.count = 0


@kernel
def begin(position, weighed):
    """Look at the shapes and for chains in atari in a position that no other led to by a move."""
    write_codes(position, weighed.code)
    weighed.ataris = weighed.taken = 0
    size, stride = position.board_size, position.stride
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if position.colour[p] != EMPTY and position.chain[p] == p and in_atari(position, p):
                _note_atari(weighed, p)


@kernel
def go_on(position, p, colour, weighed):
    """Play a move, no suicide, in a position whose shapes are known, and keep them so."""
    if p != PASS:
        change_codes(weighed.code, p, position.stride, colour)
    taken = play(position, p, colour)
    for i in range(position.empty_count - taken, position.empty_count):  # the stones just taken stand last in the list
        change_codes(weighed.code, position.empties[i], position.stride, 3 - colour)
    weighed.taken = taken


@kernel
def _note_atari(weighed, stone):
    if weighed.ataris < _ATARIS:
        weighed.atari[weighed.ataris] = stone
        weighed.ataris += 1


@kernel
def _is_beside(position, stone, p):
    """Whether the chain of ``stone`` touches the stone at ``p`` or is its own."""
    stride = position.stride
    name = position.chain[stone]
    beside = position.chain[p] == name
    for q in (p - stride, p - 1, p + 1, p + stride):
        beside |= position.chain[q] == name
    return beside


@kernel
def _weigh_ataris(position, colour, last, gamma, weighed, trace):
    """Features of the moves that take or save chains in atari not beside the last move; forgets those no longer so.

    A chain gets into atari only beside a move or by a move of its own, so that the list is complete if it was.
    """
    kept = 0
    for i in range(weighed.ataris):
        stone = weighed.atari[i]
        there = position.colour[stone]
        if there == EMPTY or not in_atari(position, stone):
            continue
        if last != PASS and _is_beside(position, stone, last):
            if there == colour or position.chain[stone] == position.chain[last]:
                continue  # is looked at there, and noted again
        weighed.atari[kept] = stone
        kept += 1
        many = position.stones[position.chain[stone]] > 1
        p = last_liberty(position, stone)
        if there != colour:
            _give(weighed, p, gamma, _TAKE_FAR, trace)
            if many:
                _give(weighed, p, gamma, _TAKE_MANY, trace)
        elif trace is not None or gamma[_ESCAPE_FAR] != 1.0:
            _give_escape(position, p, colour, _ESCAPE_FAR, many, gamma, weighed, trace)
    weighed.ataris = kept


@kernel
def _gave_atari(position, last, colour):
    """Whether a chain of ``colour`` beside the last move is in atari."""
    p, stride = np.uint64(last), np.uint64(position.stride)
    found = False  # no early return, as in board.has_room
    for q in (p - stride, p - _ONE, p + _ONE, p + stride):
        found |= (position.colour[q] == colour) & in_atari(position, q)
    return found


@kernel
def weigh(position, colour, last, before, policy, weighed, trace):
    """Write to ``weighed``, which must be empty, the points with features for ``colour`` to move.

    ``last`` is the enemy's last move and ``before`` the own one before it, PASS if there was none. Between two calls
    there is one move; ``begin`` comes before the first. ``trace`` is a TRACE or None.
    """
    stride = position.stride
    gamma = policy.gamma
    if last != PASS and position.colour[last] == EMPTY:  # suicide
        last = PASS
    if weighed.ataris:
        _weigh_ataris(position, colour, last, gamma, weighed, trace)
    if last != PASS:
        last = np.int64(last)
        if in_atari(position, last):
            p = last_liberty(position, last)
            _give(weighed, p, gamma, _TAKE_LAST, trace)
            if position.stones[position.chain[last]] > 1:
                _give(weighed, p, gamma, _TAKE_MANY, trace)
            _note_atari(weighed, last)
        elif trace is not None or gamma[_PRESS_LAST] != 1.0 or gamma[_PRESS_CATCH] != 1.0:
            _press(position, last, colour, gamma, weighed, trace)
        if trace is not None or gamma[_EXTEND] != 1.0 or _gave_atari(position, last, colour):
            one = two = three = np.int64(0)
            for q in (last - stride, last - 1, last + 1, last + stride):
                if position.colour[q] == colour:
                    name = np.int64(position.chain[q])
                    if name != one and name != two and name != three:
                        one, two, three = name, one, two
                        if in_atari(position, q):
                            _note_atari(weighed, q)
                            _rescue(position, q, colour, last, gamma, weighed, trace)
                        elif trace is not None or gamma[_EXTEND] != 1.0:
                            _extend(position, q, colour, gamma, weighed, trace)
        if weighed.taken >= _SMALLEST_EYE and (trace is not None or gamma[_NAKADE] != 1.0):
            p = np.int64(position.empties[position.empty_count - 1])  # one of them: they stand last in the list
            vital = vital_point(position, p, 3 - colour, weighed.found)
            if vital != PASS:
                _give(weighed, vital, gamma, _NAKADE, trace)
        _give_shapes(position, last, colour, policy, weighed, trace)
    if before != PASS and (trace is not None or gamma[_NEAR_BEFORE] != 1.0):
        before = np.int64(before)
        for row in (before - stride, before, before + stride):
            for q in (row - 1, row, row + 1):
                if q != before and position.colour[q] == EMPTY:
                    _give(weighed, q, gamma, _NEAR_BEFORE, trace)


@kernel
def _give_shapes(position, last, colour, policy, weighed, trace):
    """Let the empty points around the last move have the features ``near`` it, their shapes, and the families of those.

    This is as ``_multiply`` does it, but without a branch: nobody could predict them, which costs more than to do it in vain.
    """
    p, stride = np.uint64(last), np.uint64(position.stride)
    count = np.uint64(weighed.count)
    beside = p - stride, p - _ONE, p + _ONE, p + stride
    diagonal = p - stride - _ONE, p - stride + _ONE, p + stride - _ONE, p + stride + _ONE
    for points, near in ((beside, _BESIDE_LAST), (diagonal, _DIAGONAL_LAST)):
        for q in points:
            shape = policy.drawing[seen_by(np.int64(weighed.code[q]), colour)]
            factor = policy.gamma[near] * policy.shape_gamma[shape]
            weight = weighed.weight[q]
            is_empty = position.colour[q] == EMPTY
            counts = is_empty & ((factor != 1.0) | (trace is not None))
            is_new = counts & (weight == 0.0) & (count < np.uint64(_TOUCHED))
            weighed.point[count] = q
            weighed.weight[q] = factor if is_new else weight * factor if counts else weight
            count += np.uint64(is_new)
            if trace is not None and is_empty:
                if is_new:
                    trace.count[q] = 0
                note(trace, q, near)
                note(trace, q, _DRAWN + shape)
                if policy.family[shape]:
                    note(trace, q, _NO_FAMILY + policy.family[shape])
    weighed.count = count


@kernel
def _give_escape(position, p, colour, feature, many, gamma, weighed, trace):
    """Let ``p``, the last liberty of an own chain (of ``many`` stones?), have the features of an escape if it is one."""
    room = liberties_joined(position, p, colour)
    if room != 0 and not is_single(room):
        _give(weighed, p, gamma, feature, trace)
        if many:
            _give(weighed, p, gamma, _ESCAPE_MANY, trace)
        if (trace is not None or gamma[_ESCAPE_ROOM] != 1.0) and _has_room(position, p, colour):
            _give(weighed, p, gamma, _ESCAPE_ROOM, trace)


@kernel
def _has_room(position, p, colour):
    """Whether three points around ``p`` are empty or own stones of two chains are."""
    if empty_neighbours(position, p) >= 3:
        return True
    stride = position.stride
    name = np.int64(0)
    for q in (p - stride, p - 1, p + 1, p + stride):
        if position.colour[q] == colour:
            if name and position.chain[q] != name:
                return True
            name = np.int64(position.chain[q])
    return False


@kernel
def _rescue(position, friend, colour, last, gamma, weighed, trace):
    """Features of the moves that save the chain of ``friend``, which is in atari."""
    many = position.stones[position.chain[friend]] > 1
    _give_escape(position, last_liberty(position, friend), colour, _ESCAPE, many, gamma, weighed, trace)
    stride = position.stride
    weighed.found[0] = position.chain[last]  # taking the chain of the last move has a feature of its own
    done = np.int64(1)
    stone = friend
    while True:
        for q in (stone - stride, stone - 1, stone + 1, stone + stride):
            if position.colour[q] == 3 - colour:
                name = np.int64(position.chain[q])
                if is_single(position.liberties[name]) and done < len(weighed.found):
                    more = add_new(weighed.found, done, name)  # met from several stones it still counts once
                    if more > done:
                        done = more
                        _give(weighed, last_liberty(position, q), gamma, _TAKE_ATTACKER, trace)
        stone = np.int64(position.next_stone[stone])
        if stone == friend:
            return


@kernel
def _has_two_liberties(position, stone, found):
    """Whether a chain has exactly two liberties, which are written to ``found``."""
    name = position.chain[stone]
    if position.stones[name] == 1 and empty_neighbours(position, stone) != 2:
        return False
    if position.liberties[name] & _COUNT > _MOST_OF_TWO:
        return False
    return list_liberties(position, stone, found, THREE) == 2


@kernel
def _press(position, last, colour, gamma, weighed, trace):
    """Moves at the last two liberties of the enemy's chain at ``last``."""
    if _has_two_liberties(position, last, weighed.found):
        a, b = weighed.found[0], weighed.found[1]
        for p, other in ((a, b), (b, a)):
            rest = liberties_joined(position, other, 3 - colour) - _shared_liberty(position, other, 3 - colour, p)
            _give(weighed, p, gamma, _PRESS_LAST, trace)
            if rest == 0 or is_single(rest):
                _give(weighed, p, gamma, _PRESS_CATCH, trace)


@kernel
def _extend(position, friend, colour, gamma, weighed, trace):
    """Moves at the last two liberties of a chain that leave it three or more."""
    if _has_two_liberties(position, friend, weighed.found):
        a, b = weighed.found[0], weighed.found[1]
        for p, other in ((a, b), (b, a)):
            # Without the liberty that it had besides, the chain must have two left.
            rest = liberties_joined(position, p, colour) - _shared_liberty(position, p, colour, other)
            if rest != 0 and not is_single(rest):
                _give(weighed, p, gamma, _EXTEND, trace)


@kernel
def _shared_liberty(position, p, colour, other):
    """The packed pseudo-liberties at ``other`` of the chain that a stone at ``p`` would belong to."""
    stride = position.stride
    packed = packed_liberty(other)
    total = np.int64(0)
    for q in (other - stride, other - 1, other + 1, other + stride):
        joined = q == p
        if position.colour[q] == colour:
            name = position.chain[q]
            for r in (p - stride, p - 1, p + 1, p + stride):
                joined |= position.chain[r] == name
        if joined:
            total += packed
    return total


@kernel
def vital_point(position, start, owner, region):
    """The point that kills a small eye space of ``owner`` around the empty point ``start``, or PASS.

    The space must be empty and walled by nothing but stones of ``owner`` and the edge. ``region`` is room for its points.
    """
    stride = position.stride
    region[0] = start
    count = 1
    done = 0
    links = 0
    most = 0
    vital = np.int64(PASS)
    while done < count:
        p = region[done]
        done += 1
        degree = 0
        for q in (p - stride, p - 1, p + 1, p + stride):
            there = position.colour[q]
            if there == EMPTY:
                degree += 1
                known = False
                for i in range(count):
                    known |= region[i] == q
                if not known:
                    if count == _LARGEST_EYE:
                        return np.int64(PASS)
                    region[count] = q
                    count += 1
            elif there != owner and there != EDGE:
                return np.int64(PASS)
        links += degree
        if degree > most:
            most, vital = degree, p
    if count == 3 or (count == 4 and most == 3):  # three in a row, pyramid
        return vital
    if count == 5 and (most == 4 or links == 10):  # cross, bulky five
        return vital
    if count == 6 and most == 4 and links == 14:  # rabbity six
        return vital
    return np.int64(PASS)


# Drawing


@kernel
def fault(position, p, colour):
    """The feature of a playable point that puts own stones into atari, -1 if it does not."""
    if empty_neighbours(position, p) >= 2:
        return -1
    stones = self_atari(position, p, colour)
    if stones == 0:
        return -1
    if stones == 1:
        return _THROW_IN
    if stones < _LARGEST_EYE and kills_when_taken(position, p, colour):
        return _SELF_ATARI_SHAPE
    return _SELF_ATARI


@kernel
def acceptance(position, p, colour, policy):
    """By how much a playable point counts less for putting own stones into atari: its factor, 1 at most."""
    feature = fault(position, p, colour)
    return 1.0 if feature < 0 else max(policy.gamma[feature], LEAST_ACCEPTED)


@kernel
def kills_when_taken(position, p, colour):
    """Whether the chain of a stone at ``p``, five at most, leaves an eye space of one vital point at most once taken."""
    stride = position.stride
    stones = np.empty(_LARGEST_EYE, np.int64)
    stones[0] = p
    count = np.int64(1)
    done = 0
    links = 0
    most = 0
    while done < count:
        s = stones[done]
        done += 1
        degree = 0
        for q in (s - stride, s - 1, s + 1, s + stride):
            if q == p or position.colour[q] == colour:
                degree += 1
                if add_new(stones, count, q) > count:
                    count += 1
                    if count == _LARGEST_EYE:
                        return False
        links += degree
        most = max(most, degree)
    if count == 4:
        return most == 3 or links == 8  # pyramid or square
    if count == 5:
        return most == 4 or links == 10  # cross or bulky five
    return True


@kernel
def lend(source, target):
    """Let the stream ``target`` go on where ``source`` is."""
    for i in range(STREAM_WORDS):
        target[i] = source[i]


@kernel
def _accepts(position, p, colour, policy, weighed):
    chance = acceptance(position, p, colour, policy)
    return chance >= 1.0 or uniform(weighed.stream) < chance


@kernel
def draw_move(position, colour, last, before, policy, weighed):
    """A point drawn by the policy, or PASS if none is playable. ``weighed`` must be empty and is again (see ``weigh``)."""
    weigh(position, colour, last, before, policy, weighed, None)
    chosen = draw_weighed(position, colour, policy, weighed)
    forget(weighed)
    return chosen


@kernel
def draw_weighed(position, colour, policy, weighed):
    """The same when features are given already, as often as wanted.

    What is drawn is rejected in proportion to its self-atari and drawn anew, which leaves the softmax exact.
    """
    near = 0.0
    for i in range(weighed.count):
        near += weighed.weight[weighed.point[i]]
    alive = weighed.count
    left = position.empty_count  # entries of the list of empty points that may still be drawn …
    far = left - alive  # … and how many of them have no features
    while alive > 0 or far > 0:
        r = uniform(weighed.stream) * (near + far) if alive > 0 else near
        is_near = r < near and alive > 0
        if is_near:
            index = np.int64(0)
            while index < alive - 1 and r >= weighed.weight[weighed.point[index]]:
                r -= weighed.weight[weighed.point[index]]
                index += 1
            p = weighed.point[index]
        elif far > 0:
            index = below(weighed.stream, left)
            p = np.int64(position.empties[index])
            while weighed.weight[p] != 0.0:  # has features: not one of these
                left -= 1
                swap_empties(position, index, left)
                index = below(weighed.stream, left)
                p = np.int64(position.empties[index])
        else:  # a rounding error: nothing is left but points with features
            near = 0.0
            for i in range(alive):
                near += weighed.weight[weighed.point[i]]
            continue
        if is_playable(position, p, colour):
            if _accepts(position, p, colour, policy, weighed):
                return p
        elif is_near:
            alive -= 1
            near -= weighed.weight[p]
            weighed.point[index], weighed.point[alive] = weighed.point[alive], p
        else:
            far -= 1
            left -= 1
            swap_empties(position, index, left)
    return np.int64(PASS)


@kernel
def distribution(position, colour, last, before, policy, weighed, shares):
    """Write to ``shares`` (by cell) how likely each point is drawn; 0 everywhere if it would be a pass."""
    begin(position, weighed)
    weigh(position, colour, last, before, policy, weighed, None)
    n = cells(position.board_size)
    total = 0.0
    for p in range(n):
        shares[p] = 0.0
        if position.colour[p] == EMPTY and is_playable(position, p, colour):
            weight = weighed.weight[p] if weighed.weight[p] != 0.0 else 1.0
            shares[p] = weight * acceptance(position, p, colour, policy)
            total += shares[p]
    if total > 0.0:
        for p in range(n):
            shares[p] /= total
    forget(weighed)


def next_move(position, colour, last, before, policy, weighed, rng):
    """The next move of a game that is played out, by whatever policy there is (``default`` has another); for kernels only.

    ``rng`` has lent its random numbers to ``weighed``.
    """
    raise NotImplementedError


@overload(next_move, inline="always")
def _next_move(position, colour, last, before, policy, weighed, rng):
    if isinstance(policy, types.Record):
        return lambda position, colour, last, before, policy, weighed, rng: draw_move(
            position, colour, last, before, policy, weighed
        )


@kernel
def play_out(position, colour, last, before, policy, weighed, rng, mover_at):
    """Play by the policy to the end of the game, in place; ``mover_at`` [cell] notes who first played at a point.

    The number of moves.
    """
    begin(position, weighed)
    lend(rng, weighed.stream)
    passes = 0
    moves = 0
    limit = MOVES_PER_POINT * position.board_size * position.board_size
    while passes < 2 and moves < limit:
        p = next_move(position, colour, last, before, policy, weighed, rng)
        if p == PASS:
            passes += 1
        else:
            passes = 0
            if mover_at[p] == 0:
                mover_at[p] = colour
        go_on(position, p, colour, weighed)
        before, last = last, p
        colour = 3 - colour
        moves += 1
    lend(weighed.stream, rng)
    return moves
