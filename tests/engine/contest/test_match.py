"""The game loop and its bookkeeping, with players made up for the purpose."""

import time

import pytest

from engine.contest import match
from engine.contest.failure import CRASH, ENDS, ILLEGAL_MOVE, MOVE_LIMIT, TIME, TWO_PASSES, PlayerFailure
from engine.contest.failure import RESIGN as RESIGNED
from engine.contest.match import Outcome, Settings, Table, final_score, play_game, run, summary
from engine.contest.player import Player
from engine.go.board import BLACK, PASS, RESIGN, WHITE
from engine.go.rules import CHINESE, JAPANESE, TROMP_TAYLOR
from engine.records.record import record_of
from engine.records.vertex import parse_vertex
from tests.diagrams import game_of


class Fake(Player):
    """Plays the given vertices in each game and passes afterwards; an exception among them is raised."""

    def __init__(self, *answers, name="fake"):
        self.answers = answers
        self.name = name
        self.closed = False

    def seed(self, seed):
        self.left = list(self.answers)
        self.seeded = seed

    def choose(self, game, colour, budget):
        answer = self.left.pop(0) if self.left else "pass"
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, float):
            time.sleep(answer)
            return PASS
        return answer if isinstance(answer, int) else parse_vertex(answer, game.size)

    def close(self):
        self.closed = True


class Program(Fake):
    """A player with an opinion about dead stones."""

    is_program = True

    def __init__(self, dead, *answers):
        super().__init__(*answers)
        self.dead = dead

    def dead_stones(self, game):
        if isinstance(self.dead, Exception):
            raise self.dead
        return None if self.dead is None else [parse_vertex(vertex, game.size) for vertex in self.dead]


class Polite(Fake):
    """A player with manners."""

    leaves_dead_stones = True


class Chatterbox(Fake):
    """Plays legal points, by its seed, as long as there are any."""

    def choose(self, game, colour, budget):
        points = game.legal_points(colour)
        return int(points[self.seeded % len(points)]) if len(points) else PASS


FIVE = Settings(size=5, komi=0.5)


@pytest.mark.parametrize(
    "black, white, winner, end, result",
    [
        (["C3"], [], BLACK, TWO_PASSES, "B+24.5"),
        ([], [], WHITE, TWO_PASSES, "W+0.5"),
        (["C3", RESIGN], ["C4"], WHITE, RESIGNED, "W+R"),
        (["C3"], ["C3"], BLACK, ILLEGAL_MOVE, "B+F"),
        ([999_999], [], WHITE, ILLEGAL_MOVE, "W+F"),
        ([-7], [], WHITE, ILLEGAL_MOVE, "W+F"),
        ([PlayerFailure(CRASH, "died")], [], WHITE, CRASH, "W+F"),
        (["C3"], [PlayerFailure(TIME, "slept")], BLACK, TIME, "B+T"),
    ],
)
def test_every_end_of_a_game(black, white, winner, end, result):
    outcome = play_game(Table(Fake(*black), Fake(*white)), FIVE, 0)
    assert (outcome.winner, outcome.end, outcome.result) == (winner, end, result)
    assert bool(outcome.message) == (end in (ILLEGAL_MOVE, CRASH, TIME))
    assert "\n" not in outcome.message


def test_what_players_say_of_their_moves_is_kept_for_the_record():
    class Talker(Fake):
        def explain(self):
            return f"{self.name} wins 60%"

    table = Table(Talker("C3", name="talker"), Fake("C4"))
    outcome = play_game(table, FIVE, 0, keep_remarks=True)
    assert outcome.remarks == {0: "talker wins 60%", 2: "talker wins 60%"}
    assert [node.comment for node in record_of(outcome.game, outcome.remarks).nodes] == ["", *["talker wins 60%", ""] * 2]
    assert play_game(table, FIVE, 0).remarks is None and outcome.without_game().remarks is None


def test_a_draw_has_no_winner():
    outcome = play_game(Table(Fake(), Fake()), Settings(size=5, komi=0.0), 0)
    assert (outcome.winner, outcome.score, outcome.result, outcome.points_of_a) == (0, 0, "0", 0.5)


def test_the_move_limit_ends_a_game_that_does_not_end(monkeypatch):
    monkeypatch.setattr("engine.go.game.MOVES_PER_POINT", 1)
    settings = Settings(size=3, komi=0.5)
    outcome = play_game(Table(Chatterbox(), Chatterbox()), settings, 0)
    assert (outcome.end, outcome.length) == (MOVE_LIMIT, 9)
    assert outcome.winner in (BLACK, WHITE) and outcome.score is not None


def test_who_is_late_loses(monkeypatch):
    monkeypatch.setattr(match, "CLOCK_SLACK", 0.0)
    timed = Settings(size=5, komi=0.5, seconds=0.05)
    late = play_game(Table(Fake(0.1), Fake()), timed, 0)
    assert (late.winner, late.end) == (WHITE, TIME)
    assert play_game(Table(Fake(0.0), Fake()), timed, 0).end == TWO_PASSES


@pytest.mark.parametrize(
    "black, colours", [("alternate", [True, False, True, False]), ("A", [True] * 4), ("B", [False] * 4)]
)
def test_colours(black, colours):
    settings = Settings(size=5, komi=0.5, black=black)
    a, b = Fake(RESIGN), Fake("C3")
    outcomes = [play_game(Table(a, b), settings, number) for number in range(4)]
    assert [outcome.a_is_black for outcome in outcomes] == colours
    assert [outcome.points_of_a for outcome in outcomes] == [0.0] * 4
    assert [outcome.winner == WHITE for outcome in outcomes] == colours


def test_each_player_has_its_own_seed_in_each_game():
    a, b = Fake(), Fake()
    seeds = set()
    for number in range(5):
        play_game(Table(a, b), FIVE, number)
        seeds |= {a.seeded, b.seeded}
    assert len(seeds) == 10


# Counting

LADEN = """
    . X . O .
    . X . O .
    X X O O O
    . X . O X
    . X . O .
"""  # the black stone on E2 is dead


@pytest.mark.parametrize(
    "rules, black, white, score",
    [
        (CHINESE, Fake(), Fake(), 11 - 9),  # as in the papers every stone is alive
        (CHINESE, Fake(), Program(["E2"]), 10 - 11),
        (CHINESE, Program(["E2"]), Program(["E2"]), 10 - 11),
        (CHINESE, Program([]), Fake(), 11 - 9),
        (CHINESE, Program([]), Program(["E2"]), 10 - 11),  # they disagree, and playouts decide
        (CHINESE, Program(None), Fake(), 10 - 11),
        (TROMP_TAYLOR, Program(None), Fake(), 11 - 9),
        (TROMP_TAYLOR, Program(["E2"]), Fake(), 10 - 11),
        (CHINESE, Polite(), Fake(), 10 - 11),
        (TROMP_TAYLOR, Polite(), Polite(), 11 - 9),
        (JAPANESE, Fake(), Fake(), 4 - 5),
    ],
)
def test_how_a_position_is_counted(rules, black, white, score):
    game = game_of(LADEN, rules=rules)
    assert final_score(game, {BLACK: black, WHITE: white}) == score


def test_a_referee_decides_alone():
    class Referee:
        def final_score(self, game):
            return -3.0

        def close(self):
            pass

    outcome = play_game(Table(Program(PlayerFailure(CRASH, "never asked"), "C3"), Fake(), Referee()), FIVE, 0)
    assert (outcome.winner, outcome.score) == (WHITE, -3.0)


def test_a_program_that_fails_when_it_should_judge_loses():
    broken = Program(PlayerFailure(TIME, "no answer"), "C3")
    outcome = play_game(Table(broken, Fake()), FIVE, 0)
    assert (outcome.winner, outcome.end, outcome.score) == (WHITE, TIME, None)


# Many games


def _played(numbers, sit_down, settings=FIVE, **options):
    return sorted(outcome for some in run(numbers, settings, sit_down, **options) for outcome in some)


def _without_times(outcomes):
    return [outcome._replace(seconds=0, seconds_of_a=None, game=None) for outcome in outcomes]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_workers_change_nothing(workers):
    tables = []

    def sit_down():
        tables.append(Table(Chatterbox(), Chatterbox()))
        return tables[-1]

    settings = Settings(size=3, komi=0.5)
    outcomes = _played(range(8), sit_down, settings, workers=workers)
    assert [outcome.number for outcome in outcomes] == list(range(8))
    assert len(tables) <= workers and all(player.closed for table in tables for player in table[:2])
    alone = [play_game(Table(Chatterbox(), Chatterbox()), settings, number) for number in range(8)]
    assert _without_times(outcomes) == _without_times(alone)
    assert len({outcome.score for outcome in outcomes}) > 1


def test_a_failure_loses_the_game_or_stops_the_match():
    def sit_down():
        return Table(Fake(PlayerFailure(CRASH, "fell over")), Fake(name="other"))

    assert [outcome.end for outcome in _played(range(3), sit_down)] == [CRASH] * 3
    strict = Settings(size=5, komi=0.5, stop_on_failure=True)
    with pytest.raises(PlayerFailure, match="game 1: fell over"):
        _played(range(3), sit_down, strict)


def test_a_mistake_in_a_player_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        _played(range(3), lambda: Table(Fake(ZeroDivisionError()), Fake()))


# Adding up


def _outcomes(*games):
    """Outcomes from (A has Black, winner) pairs."""
    return [Outcome(n, a, winner, None, RESIGNED, 10 + n, 0.1) for n, (a, winner) in enumerate(games)]


def test_summary():
    result = summary(_outcomes((True, BLACK), (False, BLACK), (True, WHITE), (False, WHITE), (True, 0), (False, WHITE)))
    assert list(result) == [
        "games",
        "wins",
        "losses",
        "draws",
        "win_rate",
        "ci95",
        "elo",
        "elo_ci95",
        "by_colour",
        "mean_moves",
        "seconds_per_move",
        "ends",
    ]
    assert [result[key] for key in ("games", "wins", "losses", "draws")] == [6, 3, 2, 1]
    assert result["win_rate"] == pytest.approx(3.5 / 6)
    assert result["ci95"][0] < 3.5 / 6 < result["ci95"][1]
    assert result["elo_ci95"][0] < result["elo"] < result["elo_ci95"][1]
    black, white = result["by_colour"]["black"], result["by_colour"]["white"]
    assert [black[key] for key in ("games", "wins", "losses", "draws")] == [3, 1, 1, 1]
    assert [white[key] for key in ("games", "wins", "losses", "draws")] == [3, 2, 1, 0]
    assert result["mean_moves"] == 12.5
    assert result["seconds_per_move"] == pytest.approx(0.6 / 75)
    assert result["ends"] == {**dict.fromkeys(ENDS, 0), RESIGNED: 6}


def test_infinite_elo_is_null_in_the_summary():
    won = summary(_outcomes(*[(True, BLACK)] * 10))
    assert won["elo"] is None and won["elo_ci95"][1] is None and won["elo_ci95"][0] > 100
    empty = summary([])
    assert (empty["games"], empty["ci95"], empty["mean_moves"]) == (0, [0.0, 1.0], None)
