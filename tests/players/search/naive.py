"""The features of the playout policy once more, slowly and from the board's colours alone, to compare the kernels with."""

import math
from collections import Counter

from engine.go.board import EDGE, EMPTY, board_points
from players.search import shapes

_DRAWN = set(shapes.DRAWN)


class Naive:
    """A position as a dict of colours by (column, row)."""

    def __init__(self, position):
        self.size = int(position.board_size)
        self.stride = self.size + 1
        self.colour = {int(p): int(position.colour[p]) for p in board_points(self.size)}
        self.ko = int(position.ko)

    def at(self, p):
        return self.colour.get(p, EDGE)

    def around(self, p):
        return [q for q in (p - self.stride, p - 1, p + 1, p + self.stride) if q in self.colour]

    def corners(self, p):
        steps = (-self.stride - 1, -self.stride + 1, self.stride - 1, self.stride + 1)
        return [p + step for step in steps]

    def chain(self, p):
        stones, todo = {p}, [p]
        while todo:
            for q in self.around(todo.pop()):
                if self.at(q) == self.at(p) and q not in stones:
                    stones.add(q)
                    todo.append(q)
        return frozenset(stones)

    def liberties(self, chain):
        return {q for p in chain for q in self.around(p) if self.at(q) == EMPTY}

    def joined(self, p, colour):
        """The chain of a stone of ``colour`` at ``p``."""
        return frozenset({p}).union(*(self.chain(q) for q in self.around(p) if self.at(q) == colour))

    def room(self, p, colour):
        """The liberties of that chain if nothing is captured."""
        return self.liberties(self.joined(p, colour)) - {p}

    def taken(self, p, colour):
        """The enemy stones that a move captures."""
        chains = {self.chain(q) for q in self.around(p) if self.at(q) == 3 - colour}
        return frozenset().union(*(chain for chain in chains if self.liberties(chain) == {p}))

    def self_atari(self, p, colour):
        if self.taken(p, colour) or len(self.room(p, colour)) > 1:
            return 0
        return len(self.joined(p, colour))

    def is_eye(self, p, colour):
        if any(self.at(q) != colour for q in self.around(p)):
            return False
        corners = [self.at(q) for q in self.corners(p)]
        return corners.count(3 - colour) + (EDGE in corners) < 2

    def is_playable(self, p, colour):
        if self.at(p) != EMPTY or self.is_eye(p, colour):
            return False
        if p == self.ko and all(self.at(q) == 3 - colour for q in self.around(p)):
            return False
        return bool(self.taken(p, colour) or self.room(p, colour))

    def seen(self, p, colour):
        """The eight signs around a point."""
        ring = self.corners(p)[:1] + [p - self.stride] + self.corners(p)[1:2] + [p - 1, p + 1]
        ring += self.corners(p)[2:3] + [p + self.stride] + self.corners(p)[3:]
        signs = {EMPTY: ".", colour: "X", 3 - colour: "O", EDGE: "#"}
        return "".join(signs[self.at(q)] for q in ring)

    def drawing(self, p, colour):
        """The name of the shape that it is when it is turned and mirrored in the right way."""
        seen = self.seen(p, colour)
        (name,) = {f"{text[:3]}/{text[3]}*{text[4]}/{text[5:]}" for text in _turns(seen[:4] + "*" + seen[4:])} & _DRAWN
        return name

    def family(self, p, colour):
        """The first family that fits, or None."""
        seen = self.seen(p, colour)
        for name, diagram in shapes.DIAGRAMS:
            if any(_fits(wanted, seen) for wanted in _pictures(diagram)):
                return name
        return None

    def kills_when_taken(self, chain):
        degrees = [sum(q in chain for q in self.around(p)) for p in chain]
        most, links = max(degrees), sum(degrees)
        return {4: most == 3 or links == 8, 5: most == 4 or links == 10}.get(len(chain), len(chain) < 4)

    def vital(self, start, owner):
        region, todo = {start}, [start]
        while todo:
            for q in self.around(todo.pop()):
                if self.at(q) == EMPTY and q not in region:
                    region.add(q)
                    todo.append(q)
        walls = {self.at(q) for p in region for q in self.around(p)} - {EMPTY}
        if len(region) > 6 or walls - {owner}:
            return None
        degrees = {p: sum(q in region for q in self.around(p)) for p in region}
        most, links = max(degrees.values()), sum(degrees.values())
        kills = {
            3: True,
            4: most == 3,
            5: most == 4 or links == 10,
            6: most == 4 and links == 14,
        }
        return max(degrees, key=degrees.get) if kills.get(len(region)) else None


def _fits(wanted, seen):
    allowed = {"x": ".O", "o": ".X", "?": ".XO#"}
    return all(sign in allowed.get(want, want) for want, sign in zip(wanted, seen))


def _pictures(diagram):
    """The eight signs around the middle, for all turns, mirror images and both colourings."""
    found = _turns("".join(diagram.split()))
    exchange = str.maketrans("XOxo", "OXox")
    return found + [text.translate(exchange) for text in found]


def _turns(signs):
    """The eight signs around the middle of nine, for all turns and mirror images."""
    rows, found = [signs[:3], signs[3:6], signs[6:]], set()
    for _ in range(2):
        for _ in range(4):
            found.add("".join(rows))
            rows = ["".join(column) for column in zip(*rows[::-1])]
        rows = [row[::-1] for row in rows]
    return [text[:4] + text[5:] for text in sorted(found)]


def features(position, colour, last, before):
    """By point, a Counter of the features it has, self-atari excepted, and what the last move took is not known."""
    board, found = Naive(position), {}

    def give(p, name):
        found.setdefault(p, Counter())[name] += 1

    def give_escape(chain, name):
        (p,) = board.liberties(chain)
        if len(board.room(p, colour)) > 1:
            give(p, name)
            if len(chain) > 1:
                give(p, "escape_many")
            friends = {board.chain(q) for q in board.around(p) if board.at(q) == colour}
            if len(friends) > 1 or sum(board.at(q) == EMPTY for q in board.around(p)) > 2:
                give(p, "escape_room")

    last = last if board.at(last) != EMPTY else 0
    beside = {board.chain(q) for q in board.around(last) if board.at(q) == colour} if last else set()
    last_chain = board.chain(last) if last else None
    for chain in {board.chain(p) for p in board.colour if board.at(p) != EMPTY}:
        if len(board.liberties(chain)) != 1:
            continue
        (p,) = board.liberties(chain)
        if board.at(next(iter(chain))) == colour:
            give_escape(chain, "escape" if chain in beside else "escape_far")
        else:
            give(p, "take_last" if chain == last_chain else "take_far")
            if len(chain) > 1:
                give(p, "take_many")
    if last:
        liberties = board.liberties(last_chain)
        if len(liberties) == 2:
            for p, other in (sorted(liberties), sorted(liberties)[::-1]):
                give(p, "press_last")
                if len(board.room(other, 3 - colour) - {p}) < 2:
                    give(p, "press_catch")
        for friend in beside:
            liberties = board.liberties(friend)
            if len(liberties) == 1:
                attackers = {board.chain(q) for s in friend for q in board.around(s) if board.at(q) == 3 - colour}
                for attacker in attackers - {last_chain}:
                    if len(board.liberties(attacker)) == 1:
                        give(*board.liberties(attacker), "take_attacker")
            elif len(liberties) == 2:
                for p in liberties:
                    if len(board.room(p, colour)) > 2:
                        give(p, "extend")
        for name, points in (("beside_last", board.around(last)), ("diagonal_last", board.corners(last))):
            for q in points:
                if board.at(q) == EMPTY:
                    give(q, name)
                    give(q, board.drawing(q, colour))
                    if board.family(q, colour):
                        give(q, board.family(q, colour))
    if before:
        for q in board.around(before) + board.corners(before):
            if board.at(q) == EMPTY:
                give(q, "near_before")
    return found


def shares(position, colour, last, before, weights):
    """By point, how likely the policy with these weights draws it."""
    board, found = Naive(position), features(position, colour, last, before)
    worth = {}
    for p in board.colour:
        if board.is_playable(p, colour):
            stones = board.self_atari(p, colour)
            names = Counter(found.get(p, Counter()))
            if stones:
                shape = 1 < stones < 6 and board.kills_when_taken(board.joined(p, colour))
                names["throw_in" if stones == 1 else "self_atari_shape" if shape else "self_atari"] += 1
            worth[p] = math.exp(sum(times * weights.get(name, 0.0) for name, times in names.items()))
    total = sum(worth.values())
    return {p: value / total for p, value in worth.items()}


