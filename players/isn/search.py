"""Looking further ahead with the evaluator, the outlook of §VI: a Monte Carlo tree search that the network guides.

A simulation goes down the tree to a position whose moves are not in it yet, plays on at random to the end of the game, and
tells every move on its way who won. A move is worth the mean of its games, mixed with the mean of all games in which the
same side played that point at any later time (AMAF, all moves as first: sooner known, and less to be trusted). When a
position has been met often enough, its moves join the tree: the network judges them as it does without a search, and each
gets a share of what is tried there by its value. So the network says where to look, and the games what is found there.

S. Gelly, D. Silver, "Combining online and offline knowledge in UCT" (ICML 2007): AMAF in the tree, with an evaluator
learned by TD as what is known beforehand. C. D. Rosin, "Multi-armed bandits with episode context" (2011): the shares.
"""

import time
from collections import Counter
from typing import NamedTuple

import numpy as np
from numba import njit

from engine.contest.player import Variation
from engine.go.board import BLACK, PASS, POSITION, WHITE, cells, copy_into, play
from engine.go.history import remember, take_back
from engine.go.playout import MOVES_PER_POINT, count_area, random_move
from engine.go.rng import new_stream
from engine.go.scoring import area_score
from players.isn.candidates import judge_moves, new_turn
from players.isn.network import SIGHT, new_sight, see

# All our choice. Sharpness and exploration were tried in 60 to 100 games each on 9×9, which tell only large differences
# apart (models/README.md); the others are what worked at once.
RIPE = 16  # visits of a position before its moves join the tree: to judge them takes the time of some fifty simulations
SHARPNESS = 1.0  # a move gets a share in proportion to exp(SHARPNESS · value)
EXPLORATION = 1.0  # how much the shares count against the results
AMAF_HALF = 1000.0  # visits of a move after which its own games and AMAF count alike
POINTS_SHARE = 0.05  # of a result is for the points it is won or lost by, so that a decided game is still played well
MOST_STEPS = 200  # longest line in the tree
MOST_NODES = 1 << 21  # 64 MB at most; when they are used up the tree grows no more, and the search goes on in it
_ROOT = 0
_CHUNK_POINTS = 20000  # a look at the clock, and whether more is needed, after so many simulations times points of the board
_FIRST_RATE = 2000.0  # simulations in a second until it is known better: less than on any board here
_NO_LIMIT = 1 << 40

NODE = np.dtype(
    [
        ("point", np.int32),  # the move that leads here
        ("first", np.int32),  # the moves from here stand in a row of nodes: where it begins, 0 as long as there are none …
        ("count", np.int32),  # … and how many they are
        ("visits", np.int32),  # games that came by …
        ("wins", np.float32),  # … and what they gave the side that made the move: 1 at most, 0 at least for each
        ("amaf_visits", np.int32),  # the same for all games in which that side played there later
        ("amaf_wins", np.float32),
        ("share", np.float32),  # by the network, of what is tried in the position before
    ],
    align=True,
)


class Findings(NamedTuple):
    """What a search has found."""

    variations: dict  # by move, most visited first: a Variation
    simulations: int


# Kernels


@njit(cache=True, nogil=True)
def _descend(nodes, node):
    """The number of the move to try next at ``node``."""
    first, count = nodes[node].first, nodes[node].count
    push = EXPLORATION * np.sqrt(np.float64(nodes[node].visits))
    best, best_value = first, -1.0
    for child in range(first, first + count):
        it = nodes[child]
        visits, amaf_visits = np.float64(it.visits), np.float64(it.amaf_visits)
        value = 0.5
        if visits + amaf_visits > 0:
            trust = amaf_visits / (visits + amaf_visits + visits * amaf_visits / AMAF_HALF)
            value = trust * it.amaf_wins / max(amaf_visits, 1.0) + (1.0 - trust) * it.wins / max(visits, 1.0)
        value += push * it.share / (1.0 + visits)
        if value > best_value:
            best, best_value = child, value
    return best


@njit(cache=True, nogil=True)
def _grow(nodes, used, node, turn, count, sharpness):
    """Add the candidates in ``turn`` as moves from ``node``; how many nodes are used then."""
    best = turn.value[0]
    for i in range(count):
        best = max(best, turn.value[i])
    total = 0.0
    for i in range(count):
        it = nodes[used + i]
        it.point = turn.point[i]
        it.first = it.count = it.visits = it.amaf_visits = 0
        it.wins = it.amaf_wins = 0.0
        it.share = np.exp(sharpness * (turn.value[i] - best))
        total += it.share
    for i in range(count):
        nodes[used + i].share /= total
    nodes[node].first, nodes[node].count = used, count
    return used + count


@njit(cache=True, nogil=True)
def _play_out(position, colour, rng, mover_at):
    """Play at random to the end of the game; ``mover_at`` [cell] notes who was the first to play at a point."""
    passes = moves = 0
    limit = MOVES_PER_POINT * position.board_size * position.board_size
    while passes < 2 and moves < limit:
        p = random_move(position, colour, rng)
        passes = passes + 1 if p == PASS else 0
        if mover_at[p] == 0:
            mover_at[p] = colour
        play(position, p, colour)
        colour = 3 - colour
        moves += 1


@njit(cache=True, nogil=True)
def _result(score, black_needs, points):
    """What an area score gives Black: 1 at most, 0 at least, and more than half if it wins."""
    margin = score - black_needs
    won = 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
    share = min(max(0.5 + margin / (2 * points), 0.0), 1.0)
    return (1.0 - POINTS_SHARE) * won + POINTS_SHARE * share


@njit(cache=True, nogil=True)
def _tell(nodes, path, depth, mover, black, mover_at):
    """Tell the nodes of ``path`` what a game gave Black. ``mover`` is to move at its last node."""
    for step in range(depth, -1, -1):
        node = nodes[path[step]]
        won = black if mover == BLACK else 1.0 - black
        for child in range(node.first, node.first + node.count):
            if mover_at[nodes[child].point] == mover:
                nodes[child].amaf_visits += 1
                nodes[child].amaf_wins += won
        mover = 3 - mover
        node.visits += 1
        node.wins += 1.0 - won
        mover_at[node.point] = mover


@njit(cache=True, nogil=True)
def _see_line(after_white, after_black, root, position, sights, nodes, path, depth, colour):
    """See the positions along ``path``, each after the one before it; which of ``sights`` holds the last.

    The first of them is that of the root.
    """
    copy_into(root, position)
    now, then = 0, 1
    for step in range(1, depth + 1):
        play(position, np.int64(nodes[path[step]].point), colour)
        see(after_white if colour == WHITE else after_black, position, sights[now], sights[then])
        now, then = then, 3 - then
        colour = 3 - colour
    return now


@njit(cache=True, nogil=True)
def simulate(
    after_white, after_black, positions, history, sights, turn, ground, values, c, colour, passed, spare_eyes,
    sharpness, black_needs, nodes, used, rng, simulations,
):  # fmt: skip
    """Make simulations from ``positions[0]``, seen in ``sights[0]``, with ``colour`` to move; how many nodes are used then.

    ``passed``: the move before was a pass. Black wins by more than ``black_needs`` points of area.
    """
    root, position, other = positions[0], positions[1], positions[2]
    size = root.board_size
    mover_at = np.empty(cells(size), np.uint8)
    path = np.empty(MOST_STEPS + 1, np.int64)
    path[0] = _ROOT
    for _ in range(simulations):
        copy_into(root, position)
        mover_at[:] = 0
        node, mover, depth = _ROOT, colour, 0
        passes = 1 if passed else 0
        while passes < 2 and depth < MOST_STEPS:
            if nodes[node].first == 0:
                if node != _ROOT and nodes[node].visits < RIPE or used + position.empty_count + 1 > len(nodes):
                    break
                seen = _see_line(after_white, after_black, root, other, sights, nodes, path, depth, colour)
                count = judge_moves(
                    after_white if mover == WHITE else after_black, position, history, other, sights[seen], turn, ground,
                    values, c, mover, spare_eyes,
                )  # fmt: skip
                used = _grow(nodes, used, node, turn, count, sharpness)
            node = _descend(nodes, node)
            depth += 1
            path[depth] = node
            p = np.int64(nodes[node].point)
            play(position, p, mover)
            remember(position, history, mover)
            passes = passes + 1 if p == PASS else 0
            mover = 3 - mover
        if passes < 2:
            _play_out(position, mover, rng, mover_at)
            score = count_area(position)
        else:
            score = area_score(position)
        black = _result(score, black_needs, size * size)
        for _ in range(depth):
            take_back(history)
        _tell(nodes, path, depth, mover, black, mover_at)
    return used


# For Python


class Searcher:
    """A tree and all that its search needs. Asked again about the same position, it goes on where it stopped."""

    def __init__(self, networks, spare_eyes, sharpness):
        """``networks`` by the colour that has moved."""
        self._networks = networks[WHITE], networks[BLACK]
        self._spare_eyes, self._sharpness = spare_eyes, sharpness
        self._positions = np.recarray(3, POSITION)
        self._sights = np.zeros(3, SIGHT).view(np.recarray)
        self._turn, self._ground = new_turn(), new_sight()
        self._nodes = np.zeros(MOST_NODES, NODE).view(np.recarray)
        self._rates = {}  # by size of the board: simulations in a second when last it searched
        self.seed(0)

    def seed(self, seed):
        self._seed = seed
        self._about = None  # what the tree is about
        self._trees = Counter()  # how many there have been about a position, by what tells it from others

    def search(self, game, colour, sight, values, c, simulations=None, seconds=None, stop=None):
        """Findings as soon as the tree has had so many simulations, or time is up, or ``stop`` is set.

        ``sight`` is of the present position. A move can always be told: a few simulations are made in any case.
        """
        began = time.monotonic()
        self._turn_to(game, colour, sight)
        root = self._nodes[_ROOT]
        history = game.history.copy()
        passed = bool(game.moves) and game.moves[-1].point == PASS
        black_needs = float(game.komi + game.rules.handicap_compensation(game.handicap))
        rate, often = self._rates.get(game.size, _FIRST_RATE), _CHUNK_POINTS // game.size**2
        made = 0
        while True:
            taken = time.monotonic() - began
            if made:
                rate = self._rates[game.size] = made / max(taken, 1e-6)
            left = _NO_LIMIT if simulations is None else simulations - int(root.visits)
            if seconds is not None:
                left = min(left, int(rate * (seconds - taken)))
            stopped = stop is not None and stop.is_set()
            if root.visits > 0 and (left <= 0 or stopped or simulations is not None and self._lead() > left):
                return Findings(self._variations(), int(root.visits))
            chunk = max(1, min(left, often - int(root.visits) % often))
            self._used = simulate(
                *self._networks, self._positions, history, self._sights, self._turn, self._ground, values, c, colour,
                passed, self._spare_eyes, self._sharpness, black_needs, self._nodes, self._used, self._rng, chunk,
            )  # fmt: skip
            made += chunk

    def _turn_to(self, game, colour, sight):
        """Begin a tree, unless there is one about this position already."""
        about = game.size, game.rules, game.komi, game.handicap, list(game.stones), list(game.moves), colour
        if about == self._about:
            return
        self._about = about
        # Every tree has random games of its own: a game that begins like the last one need not go on like it.
        key = len(game.moves), int(game.position.hash), colour
        before = self._trees[key]
        self._rng = new_stream(self._seed, *key, before) if before else new_stream(self._seed, *key)
        self._trees[key] += 1
        for position in self._positions:
            copy_into(game.position, position)
        n = cells(game.size)
        for name in SIGHT.names:
            self._sights[0][name][:n] = sight[name][:n]
        self._nodes[_ROOT] = np.zeros(1, NODE)[0]
        self._used = 1

    def _moves_of(self, node):
        """The nodes of the moves from a node, as a record array."""
        return self._nodes[node.first : node.first + node.count]

    def _lead(self):
        """By how many visits the best move is ahead of the next."""
        visits = np.sort(self._moves_of(self._nodes[_ROOT]).visits)
        return int(visits[-1] - visits[-2]) if len(visits) > 1 else _NO_LIMIT

    def _variations(self):
        moves = self._moves_of(self._nodes[_ROOT])
        order = [int(i) for i in np.argsort(-moves.visits, kind="stable") if moves[i].visits > 0]
        return {int(moves[i].point): self._variation(moves[i]) for i in order}

    def _variation(self, move):
        """A move with the most visited moves after it, as long as they have been visited enough to mean something."""
        visits, winrate = int(move.visits), float(move.wins / move.visits)
        line = [int(move.point)]
        while move.first:
            following = self._moves_of(move)
            move = following[int(np.argmax(following.visits))]
            if move.visits < RIPE:
                break
            line.append(int(move.point))
        return Variation(line, visits, winrate)
