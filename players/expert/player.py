"""A trained network as a player: by itself, without looking ahead, or as the guide of a search."""

from pathlib import Path

import numpy as np

from engine.contest.player import Evaluation, Option, Player, View
from engine.go.board import BLACK, PASS, SUICIDE_FORBIDDEN, board_points, cells
from engine.go.rng import any_seed, new_stream
from engine.go.scoring import area_score
from players.expert import model
from players.expert.body import read_body
from players.expert.features import last_moves, see
from players.expert.network import build, look, new_sight
from players.expert.side import choose_move, side_of
from players.scripted.reading import new_work


# Our choice: what its policy likes less than so is hardly ever good, and more moves than these take time only.
_LEAST_SHARE, _MOST_MOVES = 0.01, 12
_LIKING = 0.05  # what a move that is liked e times as much may lose in the chance of winning


class ExpertPlayer(Player):
    """Plays, of the moves that its policy likes, the one after which it wins most often by its own opinion.

    With ``ahead`` off it plays what the policy likes best; with a temperature it draws among all moves by the policy.
    ``search,guide=NAME`` looks further ahead with it: the tree asks its ``network`` itself.
    """

    name = "expert"

    def __init__(self, parameters, temperature=0.0, ahead=True, seed=None):
        if not temperature >= 0:
            raise ValueError(f"temperature {temperature:g} is below 0")
        self.parameters, self.temperature = np.asarray(parameters, float), float(temperature)
        self._ahead = ahead and temperature == 0
        self.network = build(self.parameters)
        self._sight, self._work, self._said = new_sight(), new_work(), None
        self.seed(any_seed() if seed is None else seed)

    def seed(self, seed):
        self._rng = new_stream(seed)

    def side(self, size, rules):
        # A side does not hear of a move that takes itself off the board, nor of the komi.
        if self._ahead or rules.suicide != SUICIDE_FORBIDDEN:
            return None
        return side_of(self.parameters, self.temperature)

    def sight(self, game, colour):
        """What the network sees and says if ``colour`` is to move: a SIGHT record, good until the player is asked again."""
        last, before = last_moves(game)
        komi = game.komi + game.rules.handicap_compensation(game.handicap)
        sight = self._sight
        see(game.position, game.history, colour, last, before, self._work, sight.found, sight.bits)
        look(self.network, sight, game.size, float(komi if colour == BLACK else -komi))
        return sight

    def choose(self, game, colour, budget=None):
        return self._look_ahead(game, colour) if self._ahead else self._by_policy(game, colour)

    def _look_ahead(self, game, colour):
        """The move that leads to the best position, with something for what the policy likes."""
        moves = np.append(board_points(game.size), PASS)
        policy = dict(zip(moves.tolist(), self.sight(game, colour).policy[moves].tolist()))
        if sum(share > 0 for share in policy.values()) > 1 and not _is_ahead(game, colour):
            policy[PASS] = 0.0  # the other side may pass, too, and then all stones count as they stand
        liked = sorted(policy, key=lambda p: -policy[p])[:_MOST_MOVES]
        liked = [p for p in liked if policy[p] >= _LEAST_SHARE] or liked[:1]
        chances = {}
        for p in liked:
            later = game.copy()
            later.play(colour, p)
            chances[p] = 1.0 - float(self.sight(later, 3 - colour).win)
        best = max(liked, key=lambda p: chances[p] + _LIKING * np.log(max(policy[p], _LEAST_SHARE)))
        self._said = f"wins {100 * chances[best]:.0f}% after it by its own opinion, and likes it with {100 * policy[best]:.0f}%"
        return best

    def _by_policy(self, game, colour):
        last, before = last_moves(game)
        p = choose_move(
            self.network, self._sight, self._work, game.position, game.history, colour, last, before, self.temperature,
            self._rng,
        )  # fmt: skip
        share, lead = self._sight.policy[p], self._sight.lead * game.size
        self._said = f"likes it with {100 * share:.0f}%, and expects the mover to have {lead:+.1f} points more before komi"
        return int(p)

    def policy(self, game, colour):
        """How likely each move is played, nan where none may be."""
        points, policy = board_points(game.size), np.full(cells(game.size), np.nan)
        shares = self.sight(game, colour).policy[points].astype(float)  # beside the board may be what was said of another
        policy[points] = np.where(shares > 0, shares, np.nan)
        return policy

    def evaluate(self, game, budget=None):
        colour = game.to_play
        sight = self.sight(game, colour)
        sign = 1 if colour == BLACK else -1
        points, ownership = board_points(game.size), np.zeros(cells(game.size))
        ownership[points] = sign * (2 * sight.owner[points].astype(float) - 1)
        win = float(sight.win)
        return Evaluation(sign * float(sight.lead) * game.size, win if colour == BLACK else 1 - win, ownership)

    def explain(self):
        return self._said

    # Pictures

    def views(self):
        return [
            View("dboard", "Expert Owners", "evogo-expert_owners", self._draw_owners),
            View("sboard", "Expert Policy", "evogo-expert_policy", self._draw_policy),
        ]

    def _draw_owners(self, game, arguments):
        return _rows(self.evaluate(game).ownership, game.size, "{:.3f}".format)

    def _draw_policy(self, game, arguments):
        return _rows(
            self.policy(game, game.to_play), game.size, lambda share: f"{100 * share:.0f}" if share >= 0.005 else '""'
        )


def _is_ahead(game, colour):
    """Whether ``colour`` wins if the game ends here and all stones are alive."""
    lead = area_score(game.position) - game.komi - game.rules.handicap_compensation(game.handicap)
    return lead > 0 if colour == BLACK else lead < 0


def _rows(by_cell, size, text):
    values = np.asarray(by_cell)[board_points(size)].reshape(size, size)
    return "\n".join(" ".join(text(value) for value in row) for row in values)


OPTIONS = (
    Option("temperature", 0.0, "moves are drawn in proportion to policy ^ (1 / temperature); 0: always the best"),
    Option("ahead", True, "whether it looks at the positions after the moves that it likes, if there is no temperature"),
)


def load_genome(source):
    """The Genome in ``source``: one already, or the path of an ONNX model."""
    return model.load(source) if isinstance(source, (str, Path)) else source


def load_player(source, temperature=0.0, ahead=True):
    """The player of a saved genome or of an ONNX model; GenomeError if it holds no network."""
    return ExpertPlayer(read_body(load_genome(source).body), temperature, ahead)
