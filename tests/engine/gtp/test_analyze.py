"""What clients draw: priors from any policy, candidates from any player, and the three dialects."""

import json
import re

import numpy as np
import pytest

from engine.contest.player import Evaluation, Player, Variation
from engine.go.board import BLACK, PASS, WHITE, board_points, cells
from engine.go.game import Game
from engine.gtp.analyze import (
    Analysis,
    Candidate,
    Options,
    analyse,
    cgos_json,
    kata_line,
    lz_line,
    ownership_text,
    policy_shares,
)
from engine.gtp.protocol import Request
from engine.gtp.session import Session
from engine.records.vertex import parse_vertex

EVERYTHING = Options(BLACK, 1.0, 60, None, set(), True, True)


class Judge(Player):
    """Has the powers that it is given: functions of the game."""

    def __init__(self, policy=None, evaluate=None):
        self._policy, self._evaluate = policy, evaluate

    def policy(self, game, colour):
        return self._policy(game) if self._policy else None

    def evaluate(self, game, budget=None):
        return self._evaluate(game) if self._evaluate else None


def table(player, size=5):
    session = Session(player, Game(size, 0.5), 1, None, None, "")
    session.open_to_all()
    session.request = Request(None, "lz-analyze", [])
    return session


def stones_count(game):
    """More black stones, better for Black."""
    colours = game.position.colour[board_points(game.size)]
    difference = int((colours == BLACK).sum()) - int((colours == WHITE).sum())
    return Evaluation(difference - game.komi, 0.5 + difference / 100)


@pytest.mark.parametrize(
    "values, shares",
    [
        ([1, 3], [0.25, 0.75]),
        ([0, 0], [0.5, 0.5]),
        ([-1, 1], [0, 1]),
        ([-3, -1], [0, 1]),
        ([np.nan, 2], [0, 1]),
        ([np.nan, np.nan], [0.5, 0.5]),
        ([np.inf, 1], [1, 0]),
        ([-np.inf, 0, 0], [0, 0.5, 0.5]),
    ],
)
def test_any_numbers_become_shares(values, shares):
    got = policy_shares(np.array(values), list(range(len(values))))
    assert got == pytest.approx(np.array(shares), abs=1e-9)


def test_a_policy_alone_ranks_the_moves():
    best = parse_vertex("C3", 5)

    def policy(game):
        values = np.full(cells(5), 0.01)
        values[best] = 1
        return values

    analysis = analyse(table(Judge(policy)), Game(5), WHITE)
    assert analysis.candidates[0].point == best
    assert len(analysis.candidates) == 25
    assert sum(c.prior for c in analysis.candidates) == pytest.approx(1)
    assert not analysis.is_judged and analysis.winrate == 0.5 and analysis.ownership is None


def test_an_evaluation_alone_ranks_the_moves():
    """Black takes the stone in atari, since that leaves White fewest."""
    session = table(Judge(evaluate=stones_count))
    game = session.game
    game.set_up([(WHITE, parse_vertex("A1", 5)), (BLACK, parse_vertex("A2", 5)), (WHITE, parse_vertex("E5", 5))])
    analysis = analyse(session, game, BLACK)
    assert analysis.candidates[0].point == parse_vertex("B1", 5)
    assert analysis.candidates[0].winrate == pytest.approx(0.51)
    assert analysis.winrate == pytest.approx(0.49)
    assert analysis.is_judged
    white = analyse(session, game, WHITE)
    assert white.winrate == pytest.approx(0.51) and white.score == pytest.approx(1.5)


def test_a_search_that_is_stopped_still_answers():
    session = table(Judge(evaluate=stones_count))
    session.request.stop.set()
    assert len(analyse(session, session.game, BLACK).candidates) == 25


class Searcher(Player):
    """Forgets what it has found when it is asked about another position or side, as a search with one tree does."""

    def __init__(self):
        self.about, self.visits = None, 0

    def _look(self, game, colour, visits):
        if self.about != (game.moves, colour):
            self.about, self.visits = (list(game.moves), colour), 0
        self.visits += visits

    def variations(self, game, colour, budget=None):
        self._look(game, colour, 100)
        p = int(game.legal_points(colour)[0])
        return {p: Variation([p], self.visits, 0.75, 2.0)}

    def policy(self, game, colour):
        self._look(game, colour, 0)
        return np.ones(cells(game.size))

    def evaluate(self, game, budget=None):
        self._look(game, game.to_play, 0)
        return Evaluation(2.0 if game.to_play == BLACK else -2.0, 0.75 if game.to_play == BLACK else 0.25)


@pytest.mark.parametrize("moves", [[], [BLACK], [BLACK, BLACK]])
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_an_analysis_of_either_side_goes_on(moves, colour):
    session = table(Searcher())
    for number, mover in enumerate(moves):
        session.game.play(mover, int(board_points(5)[number]))
    turn = session.game.to_play
    for visits in (100, 200, 300):
        analysis = analyse(session, session.game, colour)
        assert [c.visits for c in analysis.candidates] == [visits]
        assert (analysis.winrate, analysis.score) == (0.75, 2.0)
    assert session.game.to_play == turn


def test_numbers_that_are_none():
    session = table(Judge(lambda game: np.full(cells(5), np.nan), lambda game: Evaluation(np.nan, np.inf, None)))
    analysis = analyse(session, session.game, BLACK)
    assert (analysis.winrate, analysis.score) == (0.5, 0.0)
    assert "nan" not in kata_line(analysis, EVERYTHING) and "inf " not in kata_line(analysis, EVERYTHING)


def test_allowed_and_avoided_moves():
    session = table(Judge(lambda game: np.ones(cells(5))))
    a1, b1 = parse_vertex("A1", 5), parse_vertex("B1", 5)
    assert [c.point for c in analyse(session, session.game, BLACK, {a1, b1}, {b1}).candidates] == [a1]
    assert [c.point for c in analyse(session, session.game, BLACK, set()).candidates] == [PASS]


def test_no_powers_no_analysis():
    session = table(Judge())
    assert analyse(session, session.game, BLACK) is None


OWNER = np.zeros(cells(2))
OWNER[board_points(2)] = [1, -1, 0.5, np.nan]
SOME = Analysis(2, [Candidate(parse_vertex("A2", 2), 0.75, 750, 0.4656, -1.25)], 0.5, -1.0, OWNER, True)


def test_the_dialects():
    plain = EVERYTHING._replace(ownership=False, root=False)
    assert lz_line(SOME, plain) == "info move A2 visits 750 winrate 4656 prior 7500 lcb 4656 order 0 pv A2"
    assert kata_line(SOME, plain).endswith("scoreMean -1.25 scoreLead -1.25 prior 0.75 order 0 pv A2")
    assert kata_line(SOME, EVERYTHING).endswith(" ownership 1.000 -1.000 0.500 0.000")
    told = json.loads(cgos_json(SOME, "a word"))
    assert told["ownership"] == "+Auf"
    assert told["comment"] == "a word" and told["winrate"] == 0.5 and told["score"] == -1.0
    assert told["moves"] == [{"move": "A2", "visits": 750, "winrate": 0.4656, "score": -1.25, "prior": 0.75, "pv": ""}]


@pytest.mark.parametrize("visits, winrate, bound", [(1, 1.0, 0.2065), (100, 0.5, 0.4038), (10_000, 0.5, 0.4902), (9, 0.0, 0.0)])
def test_the_bound_of_a_winrate_comes_from_the_games_that_were_counted(visits, winrate, bound):
    """Wilson's interval; many games leave little doubt."""
    p = parse_vertex("A2", 2)
    searched = SOME._replace(candidates=[Candidate(p, 0.75, visits, winrate, 1.0, (p,))])
    assert f" lcb {round(10000 * bound)} " in lz_line(searched, EVERYTHING)
    told = re.search(r" lcb (\S+) ", kata_line(searched, EVERYTHING))[1]
    assert float(told) == pytest.approx(bound, abs=5e-5)
    assert "scoreStdev" not in kata_line(searched, EVERYTHING)


def test_ownership_characters():
    assert ownership_text([-1, 0, 1, -2, 2]) == "Af+A+"
