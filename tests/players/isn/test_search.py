"""The search keeps its books, finds what is known to be best, and keeps to the rules and to its time."""

import threading
import time

import numpy as np
import pytest

from engine.contest.player import Budget
from engine.go.board import BLACK, PASS, WHITE, point
from engine.go.game import Game
from engine.go.rules import CHINESE, JAPANESE
from players.isn import search
from players.isn.player import IsnPlayer
from tests.diagrams import game_of, mark
from tests.players.isn.reference import random_network


def searching(simulations, network=1, sharpness=0.5, seed=1):
    return IsnPlayer(random_network(network), turn_aware=True, simulations=simulations, sharpness=sharpness, seed=seed)


def nodes_of(player):
    """The nodes that are used, as a record array."""
    return player._searcher._nodes[: player._searcher._used]


def positions(size, moves, seed):
    """Games after some random moves each."""
    generator = np.random.default_rng(seed)
    game = Game(size)
    for _ in range(moves):
        yield game.copy()
        legal = game.legal_points(game.to_play)
        game.play(game.to_play, int(generator.choice(legal)) if len(legal) else PASS)


# Books


def test_a_game_is_told_to_the_moves_on_its_way():
    """A root with the moves a, b and c; the game went a, then d, and White played b later; Black won.

    At the root only b was played by nobody but White, so that AMAF says nothing about it; c was Black's in the end.
    """
    nodes = np.zeros(8, search.NODE).view(np.recarray)
    a, b, c, d = 11, 12, 13, 14
    nodes[0].first, nodes[0].count = 1, 3
    nodes[1].first, nodes[1].count = 4, 2  # after a White may play d or b
    for number, p in zip(range(1, 6), (a, b, c, d, b)):
        nodes[number].point = p
    mover_at = np.zeros(20, np.uint8)
    mover_at[[b, c]] = WHITE, BLACK
    search._tell(nodes, np.array([0, 1, 4]), 2, BLACK, 1.0, mover_at)
    assert nodes.visits[:6].tolist() == [1, 1, 0, 0, 1, 0]
    assert nodes.wins[:6].tolist() == [0, 1, 0, 0, 0, 0]  # the root is after a move of White
    assert nodes.amaf_visits[:6].tolist() == [0, 1, 0, 1, 1, 1]
    assert nodes.amaf_wins[:6].tolist() == [0, 1, 0, 1, 0, 0]


@pytest.mark.parametrize("size", [3, 5, 9])
def test_visits_add_up(size):
    for game in positions(size, 6, size):
        player = searching(700)
        found = player._search(game, game.to_play, 700)
        nodes = nodes_of(player)
        assert found.simulations == nodes[0].visits
        assert sum(variation.visits for variation in found.variations.values()) == found.simulations
        for node in nodes[nodes.first > 0]:
            below = nodes[node.first : node.first + node.count]
            # The root is opened at once, others when they are ripe; a game that ends by passes opens nothing.
            early = 0 if node.point == PASS and node.visits == nodes[0].visits else search.RIPE
            assert node.visits == below.visits.sum() + early
            assert below.share.sum() == pytest.approx(1, abs=1e-4) and (below.share >= 0).all()
            assert len(set(below.point.tolist())) == node.count
            # A move's own game is one of those in which it was played.
            assert (below.amaf_visits >= below.visits).all()
        assert (nodes.wins <= nodes.visits).all() and (nodes.amaf_wins <= nodes.amaf_visits).all()


def test_shares_are_what_the_network_says():
    game = game_of(". . . . .\n. X O . .\n. X . O .\n. . X . .\n. . . . .")
    for sharpness in (0.0, 0.7):
        player = searching(50, sharpness=sharpness)
        player.choose(game, BLACK)
        count = player._judge(game, BLACK)
        worth = dict(zip(player._turn.point[:count].tolist(), player._turn.value[:count]))
        moves = player._searcher._moves_of(nodes_of(player)[0])
        assert set(moves.point.tolist()) == set(worth)
        expected = np.exp(sharpness * np.array([worth[int(p)] for p in moves.point]))
        assert moves.share == pytest.approx(expected / expected.sum(), rel=1e-3)


def test_a_win_is_worth_more_than_any_number_of_points():
    scores = np.arange(-81, 82)
    given = np.array([search._result(score, 7.5, 81) for score in scores])
    assert (np.diff(given) >= 0).all() and given.min() >= 0 and given.max() <= 1
    assert given[scores == 8] - given[scores == 7] > 0.9 and given[scores == 40] > given[scores == 8]
    assert search._result(7, 7.0, 81) == 0.5


# What it finds


def test_small_boards_are_played_as_is_known_to_be_best():
    """On 3×3 and 5×5 Black takes the whole board, and only from the centre (E. van der Werf, 2003, for 5×5)."""
    for size, komi in ((3, 8.5), (5, 12.5)):
        player = searching(6000, sharpness=0.0)
        game = Game(size, komi)
        assert player.choose(game, BLACK) == point(size, size // 2, size // 2)


@pytest.mark.parametrize("rules", [CHINESE, JAPANESE])
@pytest.mark.parametrize(
    "diagram",
    [
        """
        . a . X O
        X X X X O
        O O O O O
        . O . O .
        . . . . .
        """,
        """
        . a . X O
        X . X X O
        X X X O O
        O O O O .
        . O . O .
        """,
    ],
)
def test_the_vital_point_is_found(diagram, rules):
    """With it Black has two eyes, without it none; the komi makes that the game."""
    game = game_of(diagram, rules=rules, komi=-15.5)
    for colour in (BLACK, WHITE):
        assert searching(2000).choose(game, colour) == mark(diagram, "a")


def test_komi_and_handicap_count():
    assert searching(300).evaluate(Game(5, 25.5)).winrate < search.POINTS_SHARE
    assert searching(300).evaluate(Game(5, -25.5)).winrate > 1 - search.POINTS_SHARE
    points = [point(9, x, y) for x in (2, 6) for y in (2, 6)]
    given, same, less = Game(9, 7.5), Game(9, 7.5 + 4), Game(9, -12.5)
    given.place_handicap(points)  # White gets a point for each
    for game in (same, less):
        game.set_up([(BLACK, p) for p in points], WHITE)
    winrates = [searching(20000).evaluate(game).winrate for game in (given, same, less)]
    assert winrates[0] == winrates[1] < winrates[2]


# Rules


def check_lines(game, colour, found):
    for p, variation in found.variations.items():
        assert variation.line[0] == p and 0 <= variation.winrate <= 1 and variation.visits > 0
        later = game.copy()
        for number, q in enumerate(variation.line):
            later.play(colour if number % 2 == 0 else 3 - colour, q)  # IllegalMove if it is


def test_games_to_the_end_are_legal():
    """Full boards, where nothing is left but to pass, and where superko forbids moves."""
    for seed in range(6):
        for game in positions(3, 30, seed):
            player = searching(200, network=seed)
            check_lines(game, game.to_play, player._search(game, game.to_play, 200))


def test_superko_holds_along_a_line():
    """White has just taken a ko: no line begins with Black's retaking it, and lines may use what a threat allows."""
    game = game_of(". X O . .\nX . X O .\n. X O . .\n. . . . .\n. . . . .", to_play=WHITE)
    ko = point(5, 1, 1)
    game.play(WHITE, ko)
    assert not game.is_legal(BLACK, ko + 1)
    found = searching(3000)._search(game, BLACK, 3000)
    assert ko + 1 not in found.variations
    check_lines(game, BLACK, found)


def test_where_nothing_is_left_it_passes():
    game = game_of(". X X X .\nX X X X X\nX X X X X\nO O O O O\n. O . O .")
    for colour in (BLACK, WHITE):  # all that is left are their own eyes
        assert searching(50).choose(game, colour) == PASS


# How it is asked


def test_a_search_leaves_the_game_alone_and_chooses_the_same_again():
    player, twin = searching(400), searching(400)
    for game in positions(5, 12, 2):
        colour, before = game.to_play, game.copy()
        chosen = player.choose(game, colour)
        assert chosen == PASS or game.is_legal(colour, chosen)
        assert game.position.hash == before.position.hash and game.history.count == before.history.count
        assert player.choose(game, colour) == chosen == twin.choose(before, colour)
        assert player.explain().endswith(tuple("123456789")) or "pass" in player.explain().lower()


def test_the_seed_counts():
    game = Game(7)
    found = [searching(300, seed=seed)._search(game, BLACK, 300).variations for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_the_next_game_need_not_be_the_same():
    player, answers = searching(60), set()
    for _ in range(30):
        answers.add(player.choose(Game(9), BLACK))
        player.choose(Game(5), BLACK)
    assert len(answers) > 1


def test_it_goes_on_where_it_stopped():
    player, game = searching(500), Game(7)
    player.choose(game, BLACK)
    made = int(nodes_of(player)[0].visits)
    began = time.monotonic()
    assert player.choose(game, BLACK) and nodes_of(player)[0].visits == made
    assert time.monotonic() - began < 0.5
    first = player.variations(game, BLACK, Budget(0.1))
    second = player.variations(game, BLACK, Budget(0.1))
    assert made < sum(v.visits for v in first.values()) < sum(v.visits for v in second.values())
    pieces, whole = searching(900), searching(900)
    for simulations in (100, 350, 900):
        found = pieces._search(game, BLACK, simulations)
    assert found == whole._search(game, BLACK, 900) and np.array_equal(nodes_of(pieces), nodes_of(whole))


def test_a_full_tree_is_searched_on(monkeypatch):
    monkeypatch.setattr(search, "MOST_NODES", 200)
    player, game = searching(3000), Game(7)
    found = player._search(game, BLACK, 3000)
    assert player._searcher._used <= 200 and found.simulations > 1000
    check_lines(game, BLACK, found)


def test_the_time_is_kept():
    player, game = searching(10**9), Game(13)
    player.choose(game, BLACK, Budget(0.05))  # compiles
    for seconds in (0.01, 0.1, 0.4):
        game.play(game.to_play, int(game.legal_points(game.to_play)[5]))
        began = time.monotonic()
        p = player.choose(game, game.to_play, Budget(seconds))
        taken = time.monotonic() - began
        assert game.is_legal(game.to_play, p) and taken < seconds + 0.5
    assert taken > 0.2


def test_a_search_can_be_stopped():
    player, game, budget = searching(10**9), Game(9), Budget()
    threading.Timer(0.3, budget.stop.set).start()
    began = time.monotonic()
    assert game.is_legal(BLACK, player.choose(game, BLACK, budget)) and time.monotonic() - began < 5
    player.seed(2)  # a new tree: stopped from the start, it still has a move
    assert game.is_legal(BLACK, player.choose(game, BLACK, budget))


def test_a_move_that_cannot_be_caught_is_played_at_once():
    game = game_of(". . .\nX X X\n. . .", komi=0.5)
    player = searching(10**6)
    began = time.monotonic()
    player.choose(game, BLACK, Budget(60))
    assert time.monotonic() - began < 30


def test_policy_is_the_networks_and_winrates_are_the_searchs():
    player, plain = searching(500), IsnPlayer(random_network(1), turn_aware=True, seed=1)
    for game in positions(5, 8, 3):
        colour = game.to_play
        assert player.policy(game, colour) == pytest.approx(plain.policy(game, colour), nan_ok=True)
        assert plain.variations(game, colour) is None
        mine, its = player.evaluate(game), plain.evaluate(game)
        assert mine.score == its.score and np.array_equal(mine.ownership, its.ownership)
        best = next(iter(player.variations(game, colour).values()))
        later = game.copy()
        for number, p in enumerate(best.line):
            later.play(colour if number % 2 == 0 else 3 - colour, p)
        assert best.score == pytest.approx((1 if colour == BLACK else -1) * plain.evaluate(later).score)


@pytest.mark.parametrize(
    "wrong",
    [{"simulations": -1}, {"sharpness": -0.5}, {"simulations": 9, "runtime": "onnx"}, {"simulations": 9, "beta": 2.0}],
)
def test_wrong_options(wrong):
    with pytest.raises(ValueError, match="simulations"):
        IsnPlayer(random_network(1), **wrong)
