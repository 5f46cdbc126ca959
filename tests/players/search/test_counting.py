"""The search is asked when the end of a game leaves a large fight in doubt."""

import pytest

from engine.contest.player import Wrapped
from engine.go import death
from engine.gtp.session import Session
from players.registry import load_player
from tests.gnugo_games import RECORDS, check, finished_game

LARGE = [record for record in RECORDS if record.get("large")]
ASKED = [record for record in RECORDS if record.get("asked")]


@pytest.fixture(scope="module")
def search():
    return load_player("search,threads=2", 1)


@pytest.mark.parametrize("record", LARGE, ids=[record["name"] for record in LARGE])
def test_games_with_large_fights_as_gnugo_counts_them(record, search):
    game = finished_game(record)
    verdict = death.verdict(game.position, foresee=search.foresee)
    check(record, game, verdict)
    assert verdict != death.verdict(game.position)


@pytest.mark.parametrize("record", ASKED, ids=[record["name"] for record in ASKED])
def test_what_reading_sees_through_stands(record, search):
    game = finished_game(record)
    asked = []
    check(record, game, death.verdict(game.position, foresee=lambda *about: asked.append(about) or search.foresee(*about)))
    assert asked


def test_the_same_question_gets_the_same_answer(search):
    game = finished_game(LARGE[0])
    assert len({search.foresee(game.position, 0.5, first) for first in (1, 1)}) == 1


def test_a_session_asks_its_player(search):
    record = LARGE[0]
    game = finished_game(record)
    session = Session(Wrapped(search), game, 1, None, None, "")
    session.open_to_all()
    check(record, game, session.verdict())
