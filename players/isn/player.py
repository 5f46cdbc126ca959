"""A trained evaluator as a player: on any board, for any rules, from a genome or an ONNX model.

The classes of groups come from the outputs one step before, so that what the network says of a position depends on the
whole game. The player keeps the outputs of every step of the game it last saw and goes on from where a game agrees with it.
"""

import math
from pathlib import Path

import numpy as np

from engine.contest.player import Evaluation, Option, Player, View
from engine.go.board import BLACK, PASS, WHITE, board_points, cells, copy, new_position, place, play
from engine.go.game import Move
from engine.go.rng import any_seed, new_stream
from engine.go.rules import TERRITORY
from players.isn import model
from players.isn.anatomy import BLACK_KIND, EMPTY_KIND, OUTPUTS, PAPER, class_of_kind
from players.isn.body import read_body
from players.isn.candidates import GREEDY, draw_move, judge_moves, new_turn, total_value
from players.isn.network import build_pair, classify, new_sight, see, see_first
from players.isn.rewards import CHINESE, IS_EMPTY, JAPANESE, values_of
from players.isn.side import Style, side_of

RUNTIMES = ("kernel", "onnx")
# Which rewards moves are chosen by: those that were learned with, or those of the rules in force (§IV.A). Under Chinese
# rules the former win more, since they also want dead stones captured and eyes kept.
LEARNED, RULES = "learned", "rules"
LEARNED_SCORING = (0.4, 0.4)  # (c, s) of the paper
# Points do not live and die alone: so many change hands together, which sets how sure a score is. Our choice, about the
# size of a group on 9×9.
POINTS_TOGETHER = 8.0
_VIEWS = (  # of the outputs, by what each says is likely
    "White Territory",  # White gets an empty point
    "White Lives",  # a white stone avoids capture
    "White Captures",  # White takes a black stone
    "White Eyes",  # White makes an eye
    "Black Eyes",
    "White Lost",  # a white stone is captured and becomes a black eye
    "Black Lost",
)


class IsnPlayer(Player):
    """Plays the move whose position is worth most; with a finite β it draws among all moves.

    ``search,guide=NAME`` looks further ahead with it (see ``players.search``).
    """

    name = "isn"

    def __init__(
        self,
        parameters,
        beta=GREEDY,
        runtime="kernel",
        spare_eyes=True,
        scoring=LEARNED,
        learned=LEARNED_SCORING,
        turn_aware=False,
        anatomy=PAPER,
        seed=None,
    ):
        if scoring not in (LEARNED, RULES):
            raise ValueError(f"scoring {scoring!r} is not {LEARNED} or {RULES}")
        if not beta > 0:
            raise ValueError(f"beta {beta:g} is not above 0")
        if runtime not in RUNTIMES:
            raise ValueError(f"runtime {runtime!r} is not one of {', '.join(RUNTIMES)}")
        self.parameters, self.beta, self.spare_eyes = np.asarray(parameters, float), float(beta), bool(spare_eyes)
        self._learned = learned if scoring == LEARNED else None
        self.turn_aware, self.anatomy = turn_aware, anatomy
        after_white, after_black = build_pair(self.parameters, turn_aware, anatomy)
        self._networks = {WHITE: after_white, BLACK: after_black}
        self._session = None
        if runtime == "onnx":
            self._session = model.Session(model.encode(self.parameters, {}, anatomy), anatomy)
        self._turn = new_turn(anatomy)
        self._ground, self._now, self._then = (new_sight(anatomy) for _ in range(3))
        self._game = None  # (its start, its moves): what the outputs below belong to
        self._steps = []  # the outputs after 0, 1, 2, … moves
        self._said = None
        self.seed(any_seed() if seed is None else seed)

    def seed(self, seed):
        self._rng = new_stream(seed)

    # Seeing

    def _exchanges(self, mover):
        """Whether the model sees colours exchanged after a move of ``mover``."""
        return self.turn_aware and mover == BLACK

    def _look(self, mover, position, sight):
        """Make the outputs in ``sight``, whose kinds are set, those that onnxruntime gives."""
        size = int(position.board_size)
        points = board_points(size)
        said = self._session.run(sight.kind[points].reshape(1, size, size), self._exchanges(mover))[0]
        sight.outputs[points, :OUTPUTS] = said.reshape(OUTPUTS, -1).T
        sight.outputs[points, OUTPUTS] = 1

    def _see(self, mover, position, before, sight):
        """See a position to which a move of ``mover`` has led."""
        if self._session is None:
            see(self._networks[mover], position, before, sight)
        else:
            classify(self._networks[mover], position, before, sight)
            self._look(mover, position, sight)

    def _see_first(self, mover, position, sight, other):
        if self._session is None:
            see_first(self._networks[mover], position, sight, other)
        else:
            empty = new_position(int(position.board_size))
            classify(self._networks[mover], empty, sight, other)
            self._look(mover, empty, other)
            self._see(mover, position, other, sight)

    def sight(self, game):
        """What the network sees in the present position: a SIGHT record, good until the player is asked again."""
        size, n = game.size, cells(game.size)
        known = self._agreed(game)
        position = new_position(size)
        for colour, p in game.stones:
            place(position, p, colour)
        now, then = self._now, self._then
        if known < 0 or not game.moves:
            self._see_first(3 - game.first, position, now, then)
            self._steps = [now.outputs[:n].copy()]
            known = 0
        for step, (colour, p) in enumerate(game.moves, start=1):
            play(position, p, colour)
            if step > known:
                then.outputs[:n] = self._steps[step - 1]
                self._see(colour, position, then, now)
                self._steps.append(now.outputs[:n].copy())
        if known == len(game.moves) > 0:  # nothing was seen just now
            then.outputs[:n] = self._steps[-2]
            self._see(game.moves[-1].colour, position, then, now)
        self._game = (size, list(game.stones), game.first), list(game.moves)
        return now

    def _agreed(self, game):
        """How many moves of ``game`` have outputs already, -1 if not even its start has."""
        if self._game is None or self._game[0] != (game.size, list(game.stones), game.first):
            return -1
        known = 0
        for old, new in zip(self._game[1], game.moves):
            if Move(*old) != Move(*new):
                break
            known += 1
        del self._steps[known + 1 :]
        return known

    # Playing

    def _scoring(self, rules):
        """The numbers (c, s) by which moves are chosen."""
        return scoring_of(rules) if self._learned is None or rules.scoring == TERRITORY else self._learned

    def _style(self, rules):
        return Style(*self._scoring(rules), self.beta, self.spare_eyes, self.turn_aware, self.anatomy)

    def side(self, size, rules):
        if self._session is not None:
            return None
        return side_of(self.parameters, self._style(rules))

    def _judge(self, game, colour):
        """Judge all moves; how many candidates there are."""
        c, s = self._scoring(game.rules)
        now = self.sight(game)
        after = new_position(game.size)
        count = judge_moves(
            self._networks[colour], game.position, game.history, after, now, self._turn, self._ground,
            values_of(c, s), c, colour, self.spare_eyes,
        )  # fmt: skip
        if self._session is not None:
            self._judge_by_session(game, colour, now, c, s, count)
        return count

    def _judge_by_session(self, game, colour, now, c, s, count):
        """The same values from onnxruntime, all candidates in one batch."""
        size, values = game.size, values_of(c, s)
        points = board_points(size)
        kinds, taken = [], []
        for p in map(int, self._turn.point[:count]):
            after = copy(game.position)
            taken.append(play(after, p, colour))
            classify(self._networks[colour], after, now, self._then)
            kinds.append(self._then.kind[points].reshape(size, size).copy())
        kinds = np.array(kinds)
        said = self._session.run(kinds, self._exchanges(colour)).transpose(0, 2, 3, 1)
        states = np.where(kinds >= EMPTY_KIND, 0, np.where(kinds >= BLACK_KIND, 2, 1))
        worth = (values[states][..., :OUTPUTS] * said).sum(axis=3) + values[states][..., OUTPUTS]
        sign = 1 if colour == WHITE else -1
        self._turn.value[:count] = sign * worth.sum(axis=(1, 2)) + c * np.array(taken)

    def choose(self, game, colour, budget=None):
        count = self._judge(game, colour)
        chosen = int(draw_move(self._turn, count, self.beta, self._rng))
        value = self._turn.value[chosen]
        self._said = f"expects {value:+.1f} points, best of {count} moves {self._turn.value[:count].max():+.1f}"
        return int(self._turn.point[chosen])

    def policy(self, game, colour):
        """A share for each move by what it is worth to ``colour``, 1 for the best."""
        count = self._judge(game, colour)
        worth = np.full(cells(game.size), np.nan)
        worth[self._turn.point[:count]] = self._turn.value[:count]
        policy = np.exp(worth - np.nanmax(worth))
        policy[PASS] = np.nan
        return policy

    def evaluate(self, game, budget=None):
        sight = self.sight(game)
        size = game.size
        c, s = scoring_of(game.rules)
        score = -float(total_value(sight, values_of(c, s), size))
        if game.rules.scoring == TERRITORY:
            score += int(game.position.black_captures - game.position.white_captures)
        score -= game.komi + game.rules.handicap_compensation(game.handicap)
        points = board_points(size)
        chances = self._white_chances(sight)[points]
        spread = math.sqrt(max(1.0, POINTS_TOGETHER * float((4 * chances * (1 - chances)).sum())))
        ownership = np.zeros(cells(size))
        ownership[points] = 1 - 2 * chances
        return Evaluation(score, 0.5 * (1 + math.erf(score / (spread * math.sqrt(2)))), ownership)

    def _white_chances(self, sight):
        """By cell, how likely White owns it in the end: the one of Z+, Zo, Z* that speaks about its state."""
        kinds = sight.kind
        states = np.where(kinds >= EMPTY_KIND, IS_EMPTY, np.where(kinds >= BLACK_KIND, 2, 1))
        return np.clip(np.take_along_axis(sight.outputs[:, :3], states[:, None], axis=1)[:, 0].astype(float), 0, 1)

    def explain(self):
        return self._said

    # Pictures

    def views(self):
        outputs = [
            View("dboard", f"ISN {label}", f"evogo-isn_{label.lower().replace(' ', '_')}", self._draw_output(number))
            for number, label in enumerate(_VIEWS)
        ]
        return [
            *outputs,
            View("sboard", "ISN Group Classes", "evogo-isn_classes", self._draw_classes),
            View("sboard", "ISN Move Values", "evogo-isn_moves", self._draw_moves),
        ]

    def _draw_output(self, number):
        def draw(game, arguments):
            # 0 … 1 as the colours of a dboard, -1 … 1
            return _rows(2 * self.sight(game).outputs[:, number] - 1, game.size, "{:.3f}".format)

        return draw

    def _draw_classes(self, game, arguments):
        kinds = self.sight(game).kind
        return _rows(kinds, game.size, lambda kind: '""' if kind >= EMPTY_KIND else f"C{class_of_kind(int(kind)) + 1}")

    def _draw_moves(self, game, arguments):
        """What each move wins or loses against doing nothing."""
        colour = game.to_play
        count = self._judge(game, colour)
        c, s = self._scoring(game.rules)
        ground = (1 if colour == WHITE else -1) * total_value(self._ground, values_of(c, s), game.size)
        gains = np.full(cells(game.size), np.nan)
        gains[self._turn.point[:count]] = self._turn.value[:count] - ground
        return _rows(gains, game.size, lambda gain: '""' if np.isnan(gain) else f"{gain:+.1f}")


def _rows(by_cell, size, text):
    values = np.asarray(by_cell)[board_points(size)].reshape(size, size)
    return "\n".join(" ".join(text(value) for value in row) for row in values)


def scoring_of(rules):
    """The numbers (c, s) of some rules."""
    return JAPANESE if rules.scoring == TERRITORY else CHINESE


def load_genome(source):
    """The Genome in ``source``: one already, or the path of an ONNX model."""
    return model.load(source) if isinstance(source, (str, Path)) else source


OPTIONS = (
    Option("beta", GREEDY, "moves are drawn in proportion to exp(beta * value); inf: always the best"),
    Option("runtime", "kernel", "what computes the network: kernel or onnx"),
    Option("spare_eyes", True, "whether its own eyes are never filled"),
    Option("scoring", LEARNED, "play for the scoring it learned with (learned) or for that of the rules (rules)"),
)


def load_player(source, beta=GREEDY, runtime="kernel", spare_eyes=True, scoring=LEARNED):
    """The player of a saved genome or of an ONNX model; GenomeError if it holds no network."""
    found = read_body(load_genome(source).body)
    learned = found.c, found.s
    return IsnPlayer(found.parameters, beta, runtime, spare_eyes, scoring, learned, found.turn_aware, found.anatomy)
