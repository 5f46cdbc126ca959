"""The clock: what is left after moves, what the next move may cost, and that no game is ever lost by it."""

import random

import pytest

from engine.go.board import BLACK, WHITE
from engine.gtp.clock import FIRST_LAG, LEAST_LAG, LONGEST, MOST_LAG, NO_LIMIT, RESERVE, SHORTEST, Clock, Lag, TimeSettings

KINDS = {
    "absolute": TimeSettings("absolute", 300.0),
    "canadian": TimeSettings("canadian", 60.0, 100.0, 10),
    "byoyomi": TimeSettings("byoyomi", 60.0, 10.0, 3),
    "fischer": TimeSettings("fischer", 60.0, 5.0),
}
SAFE = RESERVE + FIRST_LAG  # of a clock that knows nothing yet


def test_without_limit_there_is_none():
    clock = Clock()
    assert clock.seconds(BLACK, 9, 0) is None
    clock.spend(BLACK, 1000.0)
    assert clock.seconds(BLACK, 9, 0) is None


def test_a_client_that_only_sends_time_left():
    clock = Clock()
    clock.time_left(BLACK, 0.0, 0)  # what some say when there is no limit
    assert clock.seconds(BLACK, 9, 0) is None
    clock.time_left(BLACK, 60.0, 0)
    assert 0 < clock.seconds(BLACK, 9, 0) < 10
    assert clock.seconds(WHITE, 9, 0) is None
    clock.time_left(BLACK, 0.0, 0)
    assert clock.seconds(BLACK, 9, 0) == 0
    clock.set(NO_LIMIT)
    assert clock.seconds(BLACK, 9, 0) is None


def test_the_time_is_used():
    """Most of an absolute time is spent by the end of a usual game, not hoarded."""
    clock = Clock(KINDS["absolute"])
    spent = 0.0
    for move in range(0, 60, 2):
        seconds = clock.seconds(BLACK, 9, move)
        clock.spend(BLACK, seconds)
        spent += seconds
    assert spent > 200


@pytest.mark.parametrize("size", [9, 13, 19])
def test_the_middle_game_gets_more_than_the_opening_and_the_end(size):
    clock, times = Clock(KINDS["absolute"]), []
    for move in range(0, int(0.8 * size * size), 2):
        times.append(clock.seconds(BLACK, size, move))
        clock.spend(BLACK, times[-1], planned=times[-1])
    peak = times.index(max(times))
    assert 0.05 * size * size < 2 * peak < 0.7 * size * size
    assert times[0] < 0.7 * times[peak] and times[-1] < 0.7 * times[peak]


def test_colours_have_clocks_of_their_own():
    clock = Clock(KINDS["absolute"])
    clock.spend(BLACK, 299.0)
    assert clock.seconds(WHITE, 9, 0) == Clock(KINDS["absolute"]).seconds(WHITE, 9, 0)
    assert clock.seconds(BLACK, 9, 0) < 0.1


def test_with_little_time_left_a_move_is_made_at_once():
    clock = Clock(KINDS["absolute"])
    clock.spend(BLACK, 1000.0)
    assert clock.seconds(BLACK, 9, 0) == 0
    for left in (0.0, 0.5, SAFE):
        clock.time_left(BLACK, left, 0)
        assert clock.seconds(BLACK, 9, 0) == 0


def test_time_left_in_overtime():
    clock = Clock(KINDS["canadian"])
    clock.time_left(BLACK, 50.0 + SAFE, 5)
    assert clock.seconds(BLACK, 9, 0) == pytest.approx(10.0 - clock.lag.each)
    clock = Clock(KINDS["byoyomi"])
    clock.time_left(BLACK, 10.0, 2)
    assert clock.seconds(BLACK, 9, 0) == pytest.approx(0.8 * (10 - SAFE))
    clock.time_left(BLACK, 60.0, 0)
    assert clock.seconds(BLACK, 9, 0) == Clock(KINDS["byoyomi"]).seconds(BLACK, 9, 0)


def test_byoyomi_periods_are_lost_one_by_one():
    clock = Clock(KINDS["byoyomi"])
    clock.spend(BLACK, 60.0)
    for _ in range(5):
        clock.spend(BLACK, 25.0)
        assert clock.seconds(BLACK, 9, 0) == pytest.approx(0.8 * (10 - SAFE))


def test_a_new_game_starts_the_clocks_afresh_and_forgets_no_lag():
    clock = Clock(KINDS["absolute"])
    clock.spend(BLACK, 299.0, planned=298.0)
    lag = clock.lag.each
    clock.reset()
    assert clock.settings == KINDS["absolute"]
    assert clock.seconds(BLACK, 9, 0) > 1
    clock.set(KINDS["fischer"])
    assert clock.lag.each == lag > Lag().each


@pytest.mark.parametrize("kind", ["absolute", "canadian", "byoyomi", "fischer"])
@pytest.mark.parametrize("main", [0.0, 1e-300, 1e300])
@pytest.mark.parametrize("extra", [0.0, 1e-300, 1e300])
@pytest.mark.parametrize("count", [1, 10**18])
def test_nonsense_does_no_harm(kind, main, extra, count):
    clock = Clock(TimeSettings(kind, main, extra, count))
    for _ in range(3):
        clock.spend(BLACK, 1.0, clock.seconds(BLACK, 9, 0))
        assert clock.seconds(BLACK, 9, 0) >= 0
    clock.time_left(BLACK, extra, count)
    clock.time_left(BLACK, 0.0, 1)
    assert clock.copy().seconds(BLACK, 9, 10**6) >= 0
    assert LEAST_LAG <= clock.lag.each <= 2 * MOST_LAG


# What it learns


def test_lag_is_learned_from_what_the_client_says():
    """One second of thought, told as two by the next time_left; and a machine that recovers is believed again."""
    clock, left = Clock(KINDS["absolute"]), 300.0
    for _ in range(20):
        clock.spend(BLACK, 1.0, 1.0)
        left -= 2.0
        clock.time_left(BLACK, left, 0)
    assert 1.0 < clock.lag.each < 1.6
    for _ in range(80):
        clock.spend(BLACK, 1.0, 1.0)
        left -= 1.0
        clock.time_left(BLACK, left, 0)
    assert clock.lag.each < 0.1


def test_lag_is_learned_from_moves_that_take_longer_than_planned():
    clock = Clock(KINDS["absolute"])
    for _ in range(20):
        clock.spend(BLACK, 0.4, 0.1)
    assert 0.3 < clock.lag.each < 0.3 * 2


def test_whole_seconds_are_no_lag():
    clock, left = Clock(TimeSettings("absolute", 60.0)), 60.0
    for _ in range(40):
        clock.spend(BLACK, 0.7, 1.0)
        left -= 0.7
        clock.time_left(BLACK, float(int(left)), 0)
    assert clock.lag.each < 0.1


def test_time_that_a_server_gives_away_is_no_debt():
    """CGOS takes a quarter of a second less than it has seen: the lag is low then, and no lower."""
    clock, left = Clock(TimeSettings("absolute", 60.0)), 60.0
    for _ in range(40):
        clock.spend(BLACK, 0.5, 0.5)
        left -= 0.25
        clock.time_left(BLACK, left, 0)
    assert clock.lag.each == LEAST_LAG
    for _ in range(6):
        clock.spend(BLACK, 0.5, 0.5)
        left -= 2.5
        clock.time_left(BLACK, left, 0)
    assert clock.lag.each > 0.2


def test_another_game_without_a_word_is_no_lesson_for_long():
    clock = Clock(TimeSettings("absolute", 600.0))
    for told in (600.0, 5.0, 600.0, 5.0):
        clock.time_left(BLACK, told, 0)
        clock.spend(BLACK, 0.1, 0.1)
    assert clock.lag.each <= MOST_LAG


# Whole games against a server


class Flagged(Exception):
    """The time is over."""


class Server:
    """The count of a server, written out again without the engine's clock."""

    def __init__(self, settings):
        self.settings, self.main, self.extra, self.count = settings, settings.main, settings.extra, settings.count

    def says(self):
        """What ``time_left`` tells: seconds and a count."""
        return (self.main, 0) if self.settings.kind in ("absolute", "fischer") or self.main > 0 else (self.extra, self.count)

    def takes(self, seconds):
        settings = self.settings
        over = seconds - self.main
        self.main = max(0.0, -over)
        if settings.kind in ("absolute", "fischer"):
            if over >= 0:
                raise Flagged
            self.main += settings.extra
        elif over >= 0 and settings.kind == "canadian":
            self.extra -= over
            self.count -= 1
            if self.extra <= 0:
                raise Flagged
            if self.count == 0:
                self.extra, self.count = settings.extra, settings.count
        elif over >= 0:
            self.count -= int(over // settings.extra)
            if self.count <= 0:
                raise Flagged


DELAY = 0.3  # seconds at most, of each of the two commands that come while the server's clock runs
# All that can be survived: on average delays alone take 0.3 seconds a move. The lengths of games are from a quarter to three
# quarters of the board's points in own moves.
SURVIVABLE = [
    (TimeSettings("absolute", 30.0), 9),
    (TimeSettings("absolute", 60.0), 9),
    (TimeSettings("absolute", 60.0), 13),
    (TimeSettings("absolute", 120.0), 19),
    (TimeSettings("absolute", 900.0), 19),
    (TimeSettings("canadian", 10.0, 30.0, 10), 9),
    (TimeSettings("canadian", 0.0, 25.0, 25), 19),
    (TimeSettings("byoyomi", 10.0, 1.0, 3), 9),
    (TimeSettings("byoyomi", 0.0, 3.0, 1), 9),
    (TimeSettings("byoyomi", 30.0, 5.0, 5), 19),
    (TimeSettings("fischer", 5.0, 1.0), 9),
    (TimeSettings("fischer", 20.0, 0.5), 9),
    (TimeSettings("fischer", 30.0, 0.5), 19),
]


def play(clock, settings, size, randomly, delay, reports):
    """One game on a server; how many decisions there were, and how long the player was let think. Flagged if it loses."""
    clock.set(settings)
    server, moves, thought = Server(settings), randomly.randint(size * size // 4, 3 * size * size // 4), 0.0
    eager = randomly.random() < 0.5  # it uses all that it is given, or any part of it
    for move in range(moves):
        on_the_way = randomly.uniform(0, delay) + randomly.uniform(0, delay)
        if randomly.random() < reports:
            seconds, count = server.says()
            clock.time_left(BLACK, float(int(seconds)), count)  # GTP knows whole seconds
        planned = clock.seconds(BLACK, size, 2 * move)
        assert planned == 0 or planned >= SHORTEST
        used = planned * (1.0 if eager else randomly.random()) + randomly.uniform(0.0, 0.03)  # never quite to the point
        clock.spend(BLACK, used, planned)
        thought += used
        server.takes(on_the_way + used)
    return moves, thought


@pytest.mark.parametrize("settings, size", SURVIVABLE)
def test_no_game_is_lost_on_time(settings, size):
    """Every game begins with a clock that knows nothing, or goes on with one that knows the machine."""
    randomly, clock, decisions = random.Random(size), Clock(), 0
    for number in range(120):
        if number % 3 == 0:
            clock = Clock()
        decisions += play(clock, settings, size, randomly, DELAY, reports=1.0)[0]
    assert decisions > 2000


@pytest.mark.parametrize("settings", [KINDS["absolute"], KINDS["fischer"]])
def test_reports_may_be_rare(settings):
    randomly, clock = random.Random(3), Clock()
    for _ in range(100):
        play(clock, settings, 9, randomly, DELAY, reports=0.2)


@pytest.mark.parametrize("reports", [0.2, 0.05, 0.0])
@pytest.mark.parametrize(
    "settings, size",
    [
        (KINDS["canadian"], 9),
        (KINDS["byoyomi"], 9),
        *((settings, size) for settings, size in SURVIVABLE if settings.kind in ("canadian", "byoyomi")),
        (TimeSettings("canadian", 30.0, 25.0, 25), 13),
        (TimeSettings("canadian", 60.0, 30.0, 25), 19),
    ],
)
def test_in_overtime_there_may_be_none(settings, size, reports):
    """Where main time ends for the server, and with it each period of stones, is not known here: no saving up for later."""
    randomly, clock = random.Random(size), Clock()
    for number in range(60):
        if number % 3 == 0:
            clock = Clock()
        play(clock, settings, size, randomly, DELAY, reports)


def test_overtime_without_reports_is_used_and_not_for_ever_reserved():
    clock = Clock(TimeSettings("canadian", 0.0, 100.0, 10))
    for _ in range(500):
        clock.spend(BLACK, 5.0, 5.0)
    assert 6.0 < clock.seconds(BLACK, 19, 0) < 7.0


def test_a_machine_may_get_busy_in_mid_game():
    """As seen on a server with two cores and thirty programs: even moves at once take half a second from then on."""
    settings, size = TimeSettings("absolute", 30.0), 9
    for number in range(300):
        randomly, clock, server = random.Random(number), Clock(settings), Server(settings)
        busy_from = randomly.randint(3, 20)
        for move in range(randomly.randint(25, 60)):
            clock.time_left(BLACK, float(int(server.says()[0])), 0)
            planned = clock.seconds(BLACK, size, 2 * move)
            late, on_the_way = randomly.uniform(0.01, 0.04), 0.01
            if move >= busy_from:
                late = randomly.choice([0.1, 0.15, 0.2, 0.3, 0.5, 0.6, 0.9]) + (planned > 0) * randomly.uniform(0, 0.6)
                on_the_way = randomly.uniform(0, 0.15)
            clock.spend(BLACK, planned + late, planned)
            server.takes(max(0.0, planned + late + on_the_way - 0.25))  # which CGOS gives away


def test_delays_cost_thought_and_nothing_else():
    thought = {}
    for delay in (0.01, 0.1, DELAY):
        randomly, clock = random.Random(1), Clock()
        games = [play(clock, TimeSettings("absolute", 30.0), 9, randomly, delay, reports=1.0) for _ in range(50)]
        thought[delay] = sum(seconds for _, seconds in games) / len(games)
    assert thought[0.01] > 18 and thought[0.01] > thought[0.1] > thought[DELAY] > 2


@pytest.mark.parametrize("settings", [TimeSettings("absolute", 1e305), TimeSettings("fischer", 1e308, 1e308)])
def test_more_time_than_there_is_is_a_day(settings):
    clock = Clock(settings)
    assert clock.seconds(BLACK, 9, 0) == LONGEST
    clock.time_left(BLACK, 1e306, 0)
    assert clock.seconds(BLACK, 9, 0) == LONGEST
