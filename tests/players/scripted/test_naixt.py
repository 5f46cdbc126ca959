import pytest

from engine.go.board import BLACK, PASS, WHITE, liberties_after
from players.organism.habits import Habits
from players.organism.side import side_of, terms
from players.play.schedule import Fixture
from players.scripted.kernels import opponent
from players.scripted.naixt import Naixt
from tests.diagrams import game_of, mark, position_of
from tests.players.organism.programs import SILENT, rules
from tests.players.scripted.helpers import answers, plays_the_mark, points

# Black plays at a, for sure.
MOVES = {
    "extend out of atari": """
        . . . . .
        . O . . .
        O X a . .
        . O . . .
        . . . . .
        """,
    "save by capturing the attacker, where extending would not help": """
        . X O a .
        . O X O .
        . O . O .
        . . . . .
        . . . . .
        """,
    "save the larger chain": """
        . . . . . . .
        . O O . . . .
        O X X a . . .
        . O O . . . .
        . . . . O . .
        . . . O X O .
        . . . . . . .
        """,
    "save before capturing": """
        . . . . . . .
        . O . . . . .
        O X a . . . .
        . O . . . . .
        . . . . X X .
        . . . X O O .
        . . . . X X .
        """,
    "capture the larger chain": """
        . . . . . . .
        . X . . . . .
        X O . . . . .
        . X . . . . .
        . . . . X X .
        . . . X O O a
        . . . . X X .
        """,
    "give up what cannot be saved, and capture elsewhere": """
        X O . . . . .
        . O . . . . .
        O . . . . . .
        . . . . . . .
        . . . . X X .
        . . . X O O a
        . . . . X X .
        """,
}


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_move(name, colour):
    assert plays_the_mark(Naixt(), MOVES[name], colour, tries=3)


def test_gives_up_what_would_run_into_another_atari():
    diagram = """
    X O . . .
    a . . . .
    O . . . .
    . . . . .
    . . . . .
    """
    moves = answers(Naixt(), diagram, tries=100)
    assert moves and not moves & points(diagram)


def test_quiet_moves_are_near_stones_and_not_in_atari():
    diagram = """
    . . O a a . .
    . O . a X a .
    O . . a a a .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
    position = position_of(diagram)
    moves = answers(Naixt(), diagram, tries=500)
    assert points(diagram) <= moves
    assert all(liberties_after(position, p, BLACK, 2) == 2 for p in moves)
    assert not moves & points("\n".join(["......."] * 4 + ["aaaaaaa"] * 3))


def test_starts_a_game_and_ends_one():
    assert len(answers(Naixt(), "\n".join(["....."] * 5), tries=300)) == 25
    finished = """
    . X O . .
    X X O O .
    . X O . O
    X X O O O
    . X O . .
    """
    assert answers(Naixt(), finished, BLACK) == {PASS}
    assert answers(Naixt(), finished, WHITE) == {PASS}


def test_passes_when_only_its_own_stones_stand():
    alone = """
    . . . . .
    . . X . .
    . . . . .
    . . X . .
    . . . . .
    """
    assert answers(Naixt(), alone, BLACK) == {PASS}
    assert PASS not in answers(Naixt(), alone, WHITE)  # who has none may not


def test_a_side_that_never_plays_loses_to_naixt():
    """Once it filled its own board, and lost by the komi: passing for ever paid."""
    for name in ("naixt", "gojen", "gojen-no-opening"):
        fixture = Fixture(terms(5), (opponent(name),), "both", 1, 0, 20)
        results = fixture.play(side_of(rules(SILENT), Habits(0, 0), 5))
        assert (results.score < 0).all() and results.length.max() <= 6


def test_ko_is_not_retaken_at_once():
    diagram = """
    . O X . .
    O X a X .
    . O X . .
    . . . . .
    . . . . .
    """
    game = game_of(diagram, WHITE)
    assert game.play(WHITE, mark(diagram, "a")) == 1
    assert mark(diagram, "a") - 1 not in {Naixt().choose(game, BLACK) for _ in range(20)}
