"""GOjen: the strongest opponent of the organism paper (Section V.A, "Computer Players").

The paper says that it is based on Fuming Wang's JaGo, uses standard techniques of Go programs, and answers 32 known
patterns in all their symmetric forms. Neither program nor patterns are given there, so this is a stand-in of our own:

    1. capture and save chains of one or two liberties, as far as reading one ladder tells what lives and what is lost;
       chains that a ladder catches are given up, and chains that cannot get away are left for later
    2. the patterns of the table below, the first ones first
    3. in the opening, a point by itself on a good line (``opening``)
    4. take the stones that were left for later
    5. play like Naixt

The third step is our rule: nothing in the paper speaks of an opening. On 5x5 it always plays the centre first, after which
White hardly ever wins, so that it can be left out.

All of it adds up to one score a point, each step far above the next, so that among urgent moves the one that does the
most wins; ties are broken at random.
"""

import numpy as np

from engine.contest.player import Option
from engine.go.board import EMPTY, MOST_CELLS, PASS, POSITION, cells, in_atari, last_liberty
from engine.kernels import kernel
from engine.stack import array_on_stack, on_stack
from players.scripted.naixt import capturing_point, quiet_move, quiet_points, urgent_move
from players.scripted.patterns import compile_patterns, first_match
from players.scripted.player import ScriptedPlayer, policy_of
from players.scripted.reading import SECOND_BOARD, catching_move, saves, two_liberties
from players.scripted.tactics import choose_allowed, choose_best

# The weights of the steps; only their order matters. Our choice.
URGENT = 10_000  # a stone captured or saved
PATTERN = 100  # a place in the table of patterns
LINE = 10  # a line in the opening
LATER = 1  # a stone that cannot get away

# See patterns.py for the signs. The first that matches answers, so urgent ones stand first, and special before general.
PATTERNS = (
    # 1 cut at an angle
    """
    X O ?
    O * x
    ? x ?
    """,
    # 2 connect where the enemy would cut at an angle
    """
    O X ?
    X * o
    ? o ?
    """,
    # 3 push through between two stones
    """
    ? O ?
    X * x
    ? O ?
    """,
    # 4 connect two stones when the enemy peeps
    """
    ? X ?
    O * o
    ? X ?
    """,
    # 5 cut a diagonal whose other side is held
    """
    X O .
    . * O
    ? ? .
    """,
    # 6 connect a diagonal whose other side is lost
    """
    O X .
    . * X
    ? ? .
    """,
    # 7 extend out of a crosscut
    """
    ? ? ? ? ?
    ? . . . ?
    ? . * . ?
    ? . X O ?
    ? ? O X ?
    """,
    # 8 block: the enemy pushes along a wall
    """
    . . ?
    O * .
    X X ?
    """,
    # 9 corner: hold the two-two point
    """
    # ? ? ? ?
    # . X O ?
    # . * . ?
    # . . . ?
    # # # # #
    """,
    # 10 corner: take the two-two point beside an enemy stone
    """
    # ? ? ? ?
    # . . ? ?
    # . * O ?
    # . . . ?
    # # # # #
    """,
    # 11 side: block on the second line
    """
    ? ? ? ? ?
    ? ? X ? ?
    ? . * O ?
    ? . . . ?
    # # # # #
    """,
    # 12 side: stretch along the second line
    """
    ? ? ? ? ?
    ? . . O ?
    ? . * X ?
    ? . . . ?
    # # # # #
    """,
    # 13 side: connect underneath
    """
    X O X
    . * .
    # # #
    """,
    # 14 side: block on the first line
    """
    ? X ?
    . * O
    # # #
    """,
    # 15 side: come down to stop a slide
    """
    . X O
    . * .
    # # #
    """,
    # 16 side: hane on the first line
    """
    X O ?
    . * .
    # # #
    """,
    # 17 side: hold a stone on the second line from below
    """
    . O X
    . * x
    # # #
    """,
    # 18 side: room for an eye
    """
    # . X
    # * .
    # . X
    """,
    # 19 hane at the head of two stones
    """
    ? ? . . ?
    ? . . . ?
    O O * . ?
    X X . ? ?
    ? ? ? ? ?
    """,
    # 20 turn at the head of a stone that runs alongside
    """
    . . .
    . * .
    O X ?
    """,
    # 21 hane around the head of one stone
    """
    . . .
    O * .
    X . ?
    """,
    # 22 stretch from a stone that is attached from behind
    """
    ? ? ? ? ?
    ? . . . ?
    ? . * . ?
    ? . X . ?
    ? ? O ? ?
    """,
    # 23 strengthen a wall that an enemy stone looks at
    """
    . . O
    . * .
    X X .
    """,
    # 24 wedge between two stones, with support
    """
    ? ? ? ? ?
    ? . O . ?
    X . * . ?
    ? . O . ?
    ? ? ? ? ?
    """,
    # 25 protect a one-point jump that an enemy stone looks at
    """
    ? ? ? ? ?
    ? . X . ?
    O . * . ?
    ? . X . ?
    ? ? ? ? ?
    """,
    # 26 press on the shoulder
    """
    ? ? ? ? ?
    ? . . . ?
    ? . * . ?
    ? . . O ?
    ? ? X ? ?
    """,
    # 27 cap a stone on its way out
    """
    ? ? ? ? ?
    ? . . . ?
    ? . * . ?
    ? . . . ?
    X ? O ? ?
    """,
    # 28 jump out beside an enemy stone
    """
    ? ? ? ? ?
    ? . . . ?
    ? . * . ?
    ? . . . ?
    ? O X ? ?
    """,
    # 29 knight's move around an enemy stone
    """
    ? ? ? ? ?
    ? . . . ?
    ? . * . ?
    ? . . . ?
    ? X O ? ?
    """,
    # 30 extend along the side
    """
    ? ? ? ? ?
    ? . . . ?
    ? . * . X
    ? . . . ?
    # # # # #
    """,
    # 31 stand between one's own stone and the enemy's
    """
    ? ? ? ? ?
    ? . . . ?
    X . * . O
    ? . . . ?
    ? ? ? ? ?
    """,
    # 32 cover a diagonal jump
    """
    ? ? ? ? ?
    ? . . . O
    ? . * . ?
    ? . . . ?
    X ? ? ? ?
    """,
)
_TABLES = compile_patterns(PATTERNS)


@kernel
def _score_own(position, history, stone, colour, work, scores):
    """Add what saving a chain is worth."""
    worth = URGENT * np.int64(position.stones[stone])
    if in_atari(position, stone):
        p = last_liberty(position, stone)
        if saves(position, stone, p, work):
            scores[p] += worth
    else:
        count, a, b = two_liberties(position, stone)
        if count > 2 or catching_move(position, stone, a, b, work, SECOND_BOARD) == PASS:
            return
        if saves(position, stone, a, work):
            scores[a] += worth
        if saves(position, stone, b, work):
            scores[b] += worth
    p = capturing_point(position, history, stone, colour)
    if p != PASS and saves(position, stone, p, work):
        scores[p] += worth


@kernel
def _score_enemy(position, stone, work, scores):
    """Add what capturing a chain is worth: little if it cannot get away anyhow."""
    stones = np.int64(position.stones[stone])
    if in_atari(position, stone):
        p = last_liberty(position, stone)
        scores[p] += (URGENT if saves(position, stone, p, work) else LATER) * stones
        return
    count, a, b = two_liberties(position, stone)
    if count == 2:
        p = catching_move(position, stone, a, b, work, SECOND_BOARD)
        if p == PASS:
            return
        escapes = saves(position, stone, a, work) or saves(position, stone, b, work)
        scores[p] += (URGENT if escapes else LATER) * stones


@kernel
def _opening_line(position, p):
    """How good the line of a point is in the opening, 0 if a stone is within two points of it."""
    size, stride = position.board_size, position.stride
    row, col = p // stride, p % stride
    for y in range(max(row - 2, 1), min(row + 2, size) + 1):
        for x in range(max(col - 2, 1), min(col + 2, size) + 1):
            if position.colour[y * stride + x] != EMPTY:
                return 0
    line = min(row, col, size + 1 - row, size + 1 - col)
    if line > 4:
        return 2  # the middle of a large board
    return line


@kernel
def _score_fights(position, history, colour, scores):
    """Add what capturing and saving is worth to the score of every point."""
    work = on_stack(POSITION), on_stack(POSITION)
    chains = array_on_stack(MOST_CELLS, np.int64)
    count = np.int64(0)
    for p in range(np.uint64(position.stride + 1), np.uint64(cells(position.board_size) - position.stride)):
        chains[count] = p  # at once and for all, because which cells name a chain cannot be predicted
        count += position.chain[p] == p
    for i in range(count):
        if position.colour[chains[i]] == colour:
            _score_own(position, history, chains[i], colour, work, scores)
        else:
            _score_enemy(position, chains[i], work, scores)


@kernel
def _score_quiet(position, colour, opening, scores, points):
    """Add what patterns and lines are worth, and write the quiet points; how many there are."""
    count = quiet_points(position, colour, points)
    for i in range(count):
        p = points[i]
        pattern = first_match(position, p, colour, _TABLES)
        if pattern >= 0:
            scores[p] += PATTERN * (len(PATTERNS) - pattern)
        if opening:
            scores[p] += LINE * _opening_line(position, p)
    return count


@kernel
def gojen_scores(position, history, colour, opening, scores):
    """Add the score of every point for ``colour`` to ``scores`` (int64 by cell); ``opening``: lines count."""
    _score_fights(position, history, colour, scores)
    _score_quiet(position, colour, opening, scores, array_on_stack(MOST_CELLS, np.int64))


@kernel
def _only_urgent(position, scores):
    """The point of an urgent move whose score no other can reach, whatever quiet points are worth; PASS if there is none."""
    best = np.int64(PASS)
    rivals = 0
    for i in range(position.empty_count):
        p = np.int64(position.empties[i])
        if scores[p] >= URGENT:
            if best == PASS or scores[p] >= scores[best] + URGENT:
                best, rivals = p, 0
            elif scores[p] > scores[best] - URGENT:
                best, rivals = p if scores[p] > scores[best] else best, rivals + 1
    return best if rivals == 0 else np.int64(PASS)


@kernel
def gojen_move(position, history, colour, opening, rng):
    """GOjen's move."""
    scores, points = array_on_stack(MOST_CELLS, np.int64), array_on_stack(MOST_CELLS, np.int64)
    scores[: cells(position.board_size)] = 0
    _score_fights(position, history, colour, scores)
    only = _only_urgent(position, scores)
    if only != PASS:  # no need to look at the rest
        points[0] = only
        if choose_allowed(position, history, colour, points, np.int64(1), rng) != PASS:
            return only
    count = _score_quiet(position, colour, opening, scores, points)
    scores[only] = 0  # it may not be played; PASS is no point
    p = choose_best(position, history, colour, scores, rng)
    if p != PASS:
        return p
    p = urgent_move(position, history, colour)
    return p if p != PASS else quiet_move(position, history, colour, points, count, rng)


class Gojen(ScriptedPlayer):
    """Reads ladders, knows patterns and lines. Its policy is the score of each point."""

    name = "gojen"
    options = (
        *ScriptedPlayer.options,
        Option("opening", True, "whether it opens on a good line, which is our rule and not the paper's"),
    )

    def __init__(self, randomness=0.0, opening=True, seed=None):
        super().__init__(randomness, seed)
        self.opening = bool(opening)

    @property
    def kind(self):
        return self.name if self.opening else "gojen-no-opening"

    def _move(self, position, history, colour):
        return gojen_move(position, history, colour, self.opening, self.rng)

    def policy(self, game, colour):
        scores = np.zeros(cells(game.size), np.int64)
        gojen_scores(game.position, game.history, colour, self.opening, scores)
        return policy_of(game, colour, scores)
