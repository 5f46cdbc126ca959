"""A Go board with no cleverness at all: what the engine's board is checked against.

Stones are a dictionary from (column, row) to a colour, chains are found by flood fill at every question, a move is
tried by making it on a copy, and superko compares whole positions. Nothing is kept up to date, so nothing can be stale.
"""

from engine.go.board import BLACK, PASS, SUICIDE_ALLOWED, SUICIDE_FORBIDDEN, WHITE
from engine.go.history import KO_POSITIONAL, KO_SIMPLE


class NaiveBoard:
    """A board under some rules. Points are (column, row); ``captures`` counts by the colour that made them."""

    def __init__(self, size, rules, first=BLACK):
        self.size = size
        self.rules = rules
        self.points = [(x, y) for y in range(size) for x in range(size)]
        self.neighbours = {p: self._neighbours(*p) for p in self.points}
        self.stones = {}
        self.captures = {BLACK: 0, WHITE: 0}
        self.seen = {self._situation(self.stones, 3 - first)}
        self.before_capture = None  # (who made it, the stones before it) if the last move was a capture

    def _neighbours(self, x, y):
        around = ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
        return [(a, b) for a, b in around if 0 <= a < self.size and 0 <= b < self.size]

    def chain(self, p, stones=None):
        """The set of stones connected with the one at ``p`` and the set of their liberties."""
        stones = self.stones if stones is None else stones
        colour = stones[p]
        chain, liberties, todo = {p}, set(), [p]
        while todo:
            for q in self.neighbours[todo.pop()]:
                if q not in stones:
                    liberties.add(q)
                elif stones[q] == colour and q not in chain:
                    chain.add(q)
                    todo.append(q)
        return chain, liberties

    def outcome(self, p, colour):
        """The stones after a move on an empty point, how many enemy stones it takes, and how many own ones it loses."""
        stones = dict(self.stones)
        stones[p] = colour
        taken = 0
        for q in self.neighbours[p]:
            if stones.get(q) == 3 - colour:
                chain, liberties = self.chain(q, stones)
                if not liberties:
                    taken += len(chain)
                    for stone in chain:
                        del stones[stone]
        chain, liberties = self.chain(p, stones)
        lost = 0
        if not liberties:
            lost = len(chain)
            for stone in chain:
                del stones[stone]
        return stones, taken, lost

    def refusal(self, p, colour):
        """Why ``colour`` may not play at ``p``: "occupied", "suicide", "ko" or "superko"; None if it may."""
        if p == PASS:
            return None
        if p in self.stones:
            return "occupied"
        stones, taken, lost = self.outcome(p, colour)
        if lost and self.rules.suicide == SUICIDE_FORBIDDEN:
            return "suicide"
        if lost == 1 and self.rules.suicide != SUICIDE_ALLOWED:
            return "suicide"
        if taken and self.before_capture == (3 - colour, stones):
            return "ko"
        if self.rules.ko != KO_SIMPLE and self._situation(stones, colour) in self.seen:
            return "superko"
        return None

    def legal(self, colour):
        """The set of points where ``colour`` may play."""
        return {p for p in self.points if self.refusal(p, colour) is None}

    def play(self, p, colour):
        """Make a move that is legal; how many enemy stones it took and how many own ones it lost."""
        taken = lost = 0
        before = self.stones
        if p != PASS:
            self.stones, taken, lost = self.outcome(p, colour)
        self.captures[colour] += taken
        self.captures[3 - colour] += lost
        self.before_capture = (colour, before) if taken else None
        self.seen.add(self._situation(self.stones, colour))
        return taken, lost

    def _situation(self, stones, mover):
        position = frozenset(stones.items())
        return position if self.rules.ko == KO_POSITIONAL else (position, mover)

    def is_eye(self, p, colour):
        """Whether all neighbours are ``colour``'s and so many diagonal points are not the enemy's that none cuts."""
        if any(self.stones.get(q) != colour for q in self.neighbours[p]):
            return False
        x, y = p
        diagonals = [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)]
        enemies = sum(self.stones.get(q) == 3 - colour for q in diagonals)
        return enemies <= (1 if 0 < x < self.size - 1 and 0 < y < self.size - 1 else 0)

    def area_score(self):
        """Black's stones and surrounded points less White's."""
        score = sum(1 if colour == BLACK else -1 for colour in self.stones.values())
        return score + sum(self.surrounded().values())

    def surrounded(self):
        """The empty points that one colour alone reaches: +1 for Black's, -1 for White's."""
        owned, done = {}, set()
        for p in self.points:
            if p in self.stones or p in done:
                continue
            region, colours, todo = {p}, set(), [p]
            while todo:
                for q in self.neighbours[todo.pop()]:
                    if q in self.stones:
                        colours.add(self.stones[q])
                    elif q not in region:
                        region.add(q)
                        todo.append(q)
            done |= region
            if len(colours) == 1:
                for q in region:
                    owned[q] = 1 if colours == {BLACK} else -1
        return owned
