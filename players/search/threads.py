"""Many simulations in one tree, by as many threads as wanted: kernels release Python's lock and share the nodes.

A ``Forest`` owns the nodes and what each thread needs. It turns to a game, keeping what it knows if the game has gone on
from where it was, and then makes simulations until it is told that these are enough.
"""

import threading
from collections import Counter

import numpy as np

from engine.go.board import BLACK, PASS, POSITION, cells, copy_into
from engine.go.rng import new_stream
from engine.go.rules import TERRITORY
from players.expert.network import new_sight
from players.scripted.reading import new_work
from players.search.guide import GUIDE_AT
from players.search.policy import WEIGHED
from players.search.tree import GROUND, MOVE, NODE, ROOT, TASK, new_tuning, simulate, transplant

MEGABYTE = 1 << 20
# Simulations of the calling thread between two looks at the clock and at the tree, times points of the board: 4 ms or so.
CHUNK_POINTS = 8000


class Worker:
    """What one thread needs for itself."""

    def __init__(self, sees=False):
        """``sees``: whether it asks a network."""
        self.positions = np.recarray(2, POSITION)
        self.history = None
        self.pool = np.zeros(2, np.int64)
        self.weighed = np.zeros(1, WEIGHED).view(np.recarray)[0]
        self.work = new_work()
        self.moves = np.zeros(cells(25), MOVE).view(np.recarray)
        self.ground = np.zeros(1, GROUND).view(np.recarray)[0]
        self.rng = None
        self.policy = None  # of its playouts
        self.sight = new_sight() if sees else None


class Forest:
    """One tree after the other, each about one position."""

    def __init__(self, policy, threads, megabytes, guide=None, tuning=None, default=None):
        """``policy`` of the playouts, or a player as a ``default.Default`` in its place."""
        self._policy, self._default = policy, default
        self._network = None if guide is None else guide.network
        self._guide = guide if self._network is None else None  # who is asked in Python
        self._tuning = new_tuning() if tuning is None else tuning
        self.nodes = np.zeros(megabytes * MEGABYTE // NODE.itemsize, NODE).view(np.recarray)
        self._workers = [Worker(self._network is not None) for _ in range(threads)]
        self._task = np.zeros(1, TASK).view(np.recarray)[0]
        self._stop = np.zeros(1, np.uint8)
        self.seed(0)

    def seed(self, seed):
        """Forget everything; all randomness begins anew."""
        self._seed = seed
        self._game = None
        self.forget()
        self._trees = Counter()  # how many there have been about a position, by what tells it from others

    def forget(self):
        """Forget what was found: the next tree begins with its root."""
        self._about = None  # what the tree is about

    # Turning to a position

    def is_about(self, game, colour):
        """Whether the tree is about ``game`` with ``colour`` to move, and something was found about it."""
        return self._about == _signature(game, colour) and self.root.count > 0

    def turn_to(self, game, colour):
        """Make ``game`` with ``colour`` to move the root of the tree: what was found about it before is kept."""
        frame, moves, _ = about = _signature(game, colour)
        if self._about == about:
            return
        kept = self._kept(frame, moves, colour)
        self._about = about
        used = self._plant(game, colour) if kept is None else self._transplant(kept)
        self._share_out(used)
        self._set_task(game, colour)
        for worker in self._workers:
            for position in worker.positions:
                copy_into(game.position, position)
            worker.history = game.history.copy()
            worker.ground.owned[:] = 0
            worker.ground.games = worker.ground.asking = 0
            worker.policy = self._policy if self._default is None else self._default.policy(game.size, game.rules)
        self._game, self._unguided = game.copy(), self._guide is not None and self.root.visits < GUIDE_AT

    def _kept(self, frame, moves, colour):
        """The node of this position in the tree that there is, or None."""
        if self._about is None:
            return None
        old_frame, old_moves, mover = self._about
        if old_frame != frame or len(moves) <= len(old_moves) or moves[: len(old_moves)] != old_moves:
            return None
        node = ROOT
        for player, p in moves[len(old_moves) :]:
            children = self.moves_of(self.nodes[node])
            found = np.flatnonzero(children.point == p)
            if player != mover or not found.size:
                return None
            node = int(self.nodes[node].first) + int(found[0])
            mover = 3 - mover
        return node if mover == colour and self.nodes[node].visits > 0 else None

    def _plant(self, game, colour):
        """Begin a tree with random games of its own: a game that begins like the last one need not go on like it."""
        key = len(game.moves), int(game.position.hash), colour
        for number, worker in enumerate(self._workers):
            worker.rng = new_stream(self._seed, *key, self._trees[key], number)
        self._trees[key] += 1
        self.nodes[ROOT] = np.zeros(1, NODE)[0]
        return 1

    def _transplant(self, node):
        target = np.empty(max(int(worker.pool[0]) for worker in self._workers), NODE).view(np.recarray)
        used = transplant(self.nodes, node, target)
        self.nodes[:used] = target[:used]
        self.nodes[ROOT].point = PASS
        return used

    def _share_out(self, used):
        """Give each thread its part of the nodes that are left."""
        part = (len(self.nodes) - used) // len(self._workers)
        for number, worker in enumerate(self._workers):
            worker.pool[:] = used + number * part, used + (number + 1) * part

    def _set_task(self, game, colour):
        task, moves = self._task, [p for _, p in game.moves[-2:]]
        task.colour = colour
        task.last = moves[-1] if moves else PASS
        task.before = moves[-2] if len(moves) > 1 else PASS
        task.passes = 1 if moves and moves[-1] == PASS else 0
        task.all_alive = game.rules.all_alive
        task.ask_at = 0 if self._guide is None else GUIDE_AT
        task.territory = game.rules.scoring == TERRITORY
        needs = game.komi + game.rules.handicap_compensation(game.handicap)
        if task.territory:  # points of territory and prisoners are points of area less the stones played
            played = [c for c, _ in game.stones] + [mover for mover, p in game.moves if p != PASS]
            needs += sum(1 if mover == BLACK else -1 for mover in played)
        task.needs = needs

    # Searching

    @property
    def root(self):
        return self.nodes[ROOT]

    def moves_of(self, node):
        """The nodes of the moves from a node, as a record array."""
        return self.nodes[node.first : node.first + node.count]

    def grow(self, size, is_enough):
        """Make simulations until ``is_enough(simulations the calling thread may make)`` says 0.

        It is asked every few milliseconds by the calling thread, whose work is a share like that of the others.
        """
        chunk = max(1, CHUNK_POINTS // size**2)
        self._stop[0] = 0
        others = [threading.Thread(target=self._run_on, args=(worker,), daemon=True) for worker in self._workers[1:]]
        started = False
        try:
            while (left := is_enough(chunk)) > 0:
                self._run(self._workers[0], left)
                if self._guide is not None:
                    self._ask_guide()
                if not started:
                    for thread in others:
                        thread.start()
                    started = True
        finally:
            self._stop[0] = 1
            for thread in others:
                if started:
                    thread.join()

    def _run(self, worker, simulations):
        simulate(
            worker.positions[0], worker.positions[1], worker.history, self.nodes, worker.pool, self._task, worker.policy,
            worker.weighed, self._tuning, worker.work, worker.moves, worker.ground, worker.rng, simulations, self._stop,
            self._network, worker.sight,
        )  # fmt: skip

    def _run_on(self, worker):
        """Simulate until told to stop."""
        while not self._stop[0]:
            self._run(worker, 1 << 20)

    # Asking the guide

    def _ask_guide(self):
        """Let the guide give its opinion about the root, once, and about all nodes that wait for it."""
        waiting = [ROOT] if self._unguided else []
        self._unguided = False
        for worker in self._workers:
            count, worker.ground.asking = int(worker.ground.asking), 0
            waiting += worker.ground.asked[:count].tolist()
        for node in waiting:
            if self.nodes[node].count:
                self._advise(node)

    def _advise(self, node):
        line, up = [], node
        while up != ROOT:
            line.insert(0, int(self.nodes[up].point))
            up = int(self.nodes[up].parent)
        game, colour = self._game.copy(), int(self._task.colour)
        for p in line:
            game.play(colour, p)
            colour = 3 - colour
        self._guide.advise(game, colour, self.moves_of(self.nodes[node]))

    # What was found

    @property
    def is_full(self):
        """Whether the nodes are used up."""
        return all(worker.pool[0] + cells(int(worker.positions[0].board_size)) > worker.pool[1] for worker in self._workers)

    def ownership(self):
        """Who owned each cell at the end of the games, +1 Black to -1 White, by how many games: (array, games)."""
        games = sum(int(worker.ground.games) for worker in self._workers)
        n = cells(int(self._workers[0].positions[0].board_size))
        owned = sum(worker.ground.owned[:n] for worker in self._workers)
        return owned / max(games, 1), games


def _signature(game, colour):
    """What a tree is about: all of a game but its moves, its moves, and who is to move."""
    frame = game.size, game.rules, game.komi, game.handicap, tuple(game.stones)
    return frame, [(int(mover), int(p)) for mover, p in game.moves], colour
