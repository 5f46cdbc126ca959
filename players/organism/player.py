"""A saved cell program as a Player: an organism for each colour that lives through the whole game."""


import numpy as np

from engine.contest.player import Player, View
from engine.go import board
from engine.go.board import BLACK, EMPTY, WHITE, board_points, cells, new_position, place
from engine.go.rng import any_seed, new_stream
from engine.records.vertex import format_vertex
from players.organism.analysis import without_dead
from players.organism.body import read_body
from players.organism.cells import ORGANISM, amounts, new_organism, states
from players.organism.organism import choose_move, live, see
from players.organism.program import EMPTY_CELL, MEDIATORS, MOVE_CELL, NO_CELL, OPPONENT_STONE, OWN_STONE, flat
from players.organism.side import side_of

# GoGui's colours of the cell states.
_COLOURS = {NO_CELL: "#ffffff", EMPTY_CELL: "#e8c98b", MOVE_CELL: "#5cb85c"}
_STONE_COLOURS = {BLACK: "#333333", WHITE: "#dddddd"}


class Life:
    """One organism, playing ``own``, and the game that it has seen so far.

    Its life is a pure function of the moves: it goes on when a game only got longer, and else starts again from the zygote.
    """

    def __init__(self, rules, habits, own, watch=None):
        """``watch(organism)``, if there is one, is called after every cycle."""
        self.rules = rules
        self.habits = habits
        self.own = own
        self.watch = watch
        self.organism = None
        self._position = None
        self._stones = self._moves = None

    def begin(self, size, stones=()):
        """Grow a new organism, and show it the stones that are set up."""
        self.organism = new_organism(size, self.habits.nature)
        self._position = new_position(size)
        self._stones, self._moves = list(stones), []
        self._live(self.habits.initial * size)
        if stones:
            for colour, p in stones:
                place(self._position, p, colour)
            see(self.organism, self._position, self.own)
            self._live(self.habits.regular)

    def _live(self, cycles):
        if self.watch is None:
            live(self.organism, self.rules, cycles)
            return
        for _ in range(cycles):
            live(self.organism, self.rules, 1)
            self.watch(self.organism)

    def play(self, move, seen=None):
        """Show it a move (or a pass) of either side; ``seen()``, if there is one, is called before it reacts."""
        board.play(self._position, move.point, move.colour)
        self._moves.append(move)
        see(self.organism, self._position, self.own)
        if seen is not None:
            seen()
        self._live(self.habits.regular)

    def follow(self, game):
        """The organism that has lived through ``game``."""
        known = self._moves
        fits = self.organism is not None and game.size == self.organism.board_size and game.stones == self._stones
        if not fits or game.moves[: len(known)] != known:
            self.begin(game.size, game.stones)
        for move in game.moves[len(self._moves) :]:
            self.play(move)
        return self.organism


class OrganismPlayer(Player):
    """Plays the largest Move cell of its organism. Plays every board size and either colour, even both in one game."""

    name = "organism"

    def __init__(self, body):
        """From the body of a genome; GenomeError if it is not one of ours."""
        self.program, self.habits = read_body(body)
        self._rules = flat(without_dead(self.program))
        self._lives = {own: Life(self._rules, self.habits, own) for own in (BLACK, WHITE)}
        self._why = None
        self.seed(any_seed())

    def seed(self, seed):
        self.rng = new_stream(seed)

    def organism(self, game, colour):
        """The organism that plays ``colour`` in ``game``, as it is now; not to be changed."""
        return self._lives[colour].follow(game)

    def choose(self, game, colour, budget=None):
        organism = self.organism(game, colour)
        p = int(choose_move(organism, game.position, game.history, colour, self.rng))
        points = board_points(game.size)
        moves = int((states(organism)[points] == MOVE_CELL).sum())
        chosen = f"size {organism.cell_size[p]:.4g}, " if p else ""
        self._why = f"{chosen}{moves} move cells of {int(organism.count)}"
        return p

    def side(self, size, rules):
        return side_of(self._rules, self.habits, size, np.recarray(2, ORGANISM))

    def policy(self, game, colour):
        """The sizes of the Move cells; nan elsewhere."""
        organism = self.organism(game, colour)
        n = cells(game.size)
        wanted = (states(organism) == MOVE_CELL) & (game.position.colour[:n] == EMPTY)
        return np.where(wanted, organism.cell_size[:n], np.nan)

    def explain(self):
        return self._why

    # Views, of the organism that is to move

    def views(self):
        found = [
            View("cboard", "Cell States", "evogo-cells", self._draw_cells),
            View("pspairs", "Move Quality", "evogo-move_quality", self._draw_quality),
        ]
        found += [
            View("dboard", f"Mediator {m + 1}", f"evogo-mediator-{m + 1}", self._drawing_of(m)) for m in range(MEDIATORS)
        ]
        return found

    def _draw_cells(self, game, arguments):
        """Green where a move is thought of, sand where a cell is empty, white where there is none, and the stones."""
        organism = self.organism(game, game.to_play)
        own = _STONE_COLOURS[game.to_play]
        colours = _COLOURS | {OWN_STONE: own, OPPONENT_STONE: _STONE_COLOURS[3 - game.to_play]}
        return _rows(game.size, [colours[int(state)] for state in states(organism)[board_points(game.size)]])

    def _draw_quality(self, game, arguments):
        """The sizes of all Move cells, the largest first."""
        organism = self.organism(game, game.to_play)
        moves = np.flatnonzero(states(organism) == MOVE_CELL).tolist()
        moves.sort(key=lambda p: -organism.cell_size[p])
        return " ".join(f"{format_vertex(p, game.size)} {organism.cell_size[p]:.2f}" for p in moves)

    def _drawing_of(self, mediator):
        def draw(game, arguments):
            """Amounts in proportion to the largest one."""
            found = amounts(self.organism(game, game.to_play), mediator)[board_points(game.size)]
            return _rows(game.size, [f"{amount:.3f}" for amount in found / (found.max() or 1.0)])

        return draw


def _rows(size, words):
    return "\n".join(" ".join(words[i : i + size]) for i in range(0, size * size, size))


OPTIONS = ()


def load_player(genome):
    """The player of a saved genome; GenomeError if its body holds no cell program."""
    return OrganismPlayer(genome.body)
