"""The search keeps its books, finds what is known to be best, and keeps to the rules, to its time and to its memory."""

import threading
import time

import numpy as np
import pytest

from engine.contest.player import Budget
from engine.go.board import BLACK, PASS, WHITE, point
from engine.go.game import Game
from engine.go.rules import AGA, CGOS, CHINESE, JAPANESE, NEW_ZEALAND, TROMP_TAYLOR
from engine.gtp.analyze import analyse
from engine.gtp.protocol import Request
from engine.gtp.session import Session
from players.search import tree
from players.search.player import Search
from players.search.policy import hand_set_weights
from tests.diagrams import game_of, mark


def searching(simulations=0, threads=1, seed=1, **options):
    return Search(hand_set_weights(), simulations, threads=threads, seed=seed, **options)


def positions(size, moves, seed, rules=CHINESE):
    """Games after some random moves each."""
    generator = np.random.default_rng(seed)
    game = Game(size, rules=rules)
    for _ in range(moves):
        yield game.copy()
        legal = game.legal_points(game.to_play)
        game.play(game.to_play, int(generator.choice(legal)) if len(legal) else PASS)


def used_nodes(player):
    return player._forest.nodes[: int(player._forest._workers[0].pool[0])]


# Books


def test_a_game_is_told_to_the_moves_on_its_way():
    """A root with the moves a, b and c; the game went a, then d, and White played b later; Black won by 5.

    At the root only b was played by nobody but White, so that AMAF says nothing about it; c was Black's in the end.
    """
    nodes = np.zeros(8, tree.NODE).view(np.recarray)
    a, b, c, d = 11, 12, 13, 14
    nodes[0].first, nodes[0].count = 1, 3
    nodes[1].first, nodes[1].count = 4, 2  # after a White may play d or b
    for number, p in zip(range(1, 6), (a, b, c, d, b)):
        nodes[number].point = p
    mover_at = np.zeros(20, np.uint8)
    mover_at[[b, c]] = WHITE, BLACK
    tree._tell(nodes, np.array([0, 1, 4]), 2, BLACK, 1.0, -0.25, 5.0, mover_at)
    assert nodes.wins[:6].tolist() == [0, 1, 0, 0, 0, 0]  # the root is after a move of White
    assert nodes.points[:6].tolist() == [-5, 5, 0, 0, -5, 0]
    assert nodes.hope[:6].tolist() == [0.25, -0.25, 0, 0, 0.25, 0]
    assert nodes.amaf_visits[:6].tolist() == [0, 1, 0, 1, 1, 1]
    assert nodes.amaf_wins[:6].tolist() == [0, 1, 0, 1, 0, 0]


@pytest.mark.parametrize("size", [3, 5, 9])
def test_visits_add_up(size):
    for game in positions(size, 6, size):
        player = searching(700)
        player.choose(game, game.to_play)
        nodes = used_nodes(player)
        for number, node in enumerate(nodes):
            if node.count:
                below = nodes[node.first : node.first + node.count]
                early = 0 if number == 0 else int(tree.TUNING["ripe"])  # the root is opened at once
                assert node.visits == below.visits.sum() + early
                assert (below.parent == number).all()
                assert len(set(below.point.tolist())) == node.count
                # A move's own game is one of those in which it was played.
                stones = below.point != PASS
                assert (below.amaf_visits >= below.visits)[stones].all()
        assert (nodes.wins <= nodes.visits + 1e-3).all() and (nodes.prior_wins <= nodes.prior_visits).all()


def test_a_win_is_worth_more_than_any_number_of_points():
    margins = np.arange(-81, 82) - 7.5
    given = np.array([tree.result(margin, 81, 0.05) for margin in margins])
    assert (np.diff(given) >= 0).all() and given.min() >= 0 and given.max() <= 1
    assert given[margins == 0.5] - given[margins == -0.5] > 0.9 and given[margins == 40.5] > given[margins == 0.5]
    assert tree.result(0.0, 81, 0.05) == 0.5


# What it finds


def test_small_boards_are_played_as_is_known_to_be_best():
    """On 3×3 and 5×5 Black takes the whole board, and only from the centre (E. van der Werf, 2003, for 5×5)."""
    for size, komi, simulations in ((3, 8.5, 30000), (5, 23.5, 8000)):
        assert searching(simulations).choose(Game(size, komi), BLACK) == point(size, size // 2, size // 2)


@pytest.mark.parametrize("rules", [CHINESE, CGOS, JAPANESE])
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
    komi = -15.5 if rules is not JAPANESE else -10.5
    game = game_of(diagram, rules=rules, komi=komi)
    for colour in (BLACK, WHITE):
        assert searching(3000).choose(game, colour) == mark(diagram, "a")


@pytest.mark.parametrize(
    "diagram",
    [
        # the black chain lives by taking, White's by running: a is the only good move of either
        """
        . . . . . . .
        . X X X X X .
        . X O O O X .
        . X O a O X .
        . X O O O X .
        . X X X X X .
        . . . . . . .
        """,
        """
        . . . . . . .
        . . O O O . .
        . O X X X O .
        . . O O a . .
        . . . . . O .
        . . . . . . .
        . . . . . . .
        """,
        """
        . . . O . . .
        . . O X O . .
        . . O X O . .
        . . O X O . .
        . . . a . . .
        . . . . . . .
        . . . . . . .
        """,
    ],
)
def test_stones_in_atari_are_taken_or_saved(diagram):
    game = game_of(diagram, komi=0.5)
    for colour in (BLACK, WHITE):
        if game.is_legal(colour, mark(diagram, "a")) and colour == BLACK:
            assert searching(3000).choose(game, colour) == mark(diagram, "a")


def test_komi_and_handicap_count():
    assert searching(300).evaluate(Game(5, 25.5)).winrate < 0.1
    assert searching(300).evaluate(Game(5, -25.5)).winrate > 0.9
    points = [point(9, x, y) for x in (2, 6) for y in (2, 6)]
    given, same, less = Game(9, 7.5), Game(9, 7.5 + 4), Game(9, -12.5)
    given.place_handicap(points)  # White gets a point for each
    for game in (same, less):
        game.set_up([(BLACK, p) for p in points], WHITE)
    winrates = [searching(300).evaluate(game).winrate for game in (given, same, less)]
    assert winrates[0] == winrates[1] < winrates[2]


def test_under_territory_rules_a_stone_in_ones_own_territory_costs_a_point():
    """Everything is settled; Black is ahead by half a point, which a pass keeps and a stone of its own throws away."""
    diagram = """
        . X O . .
        . X O . .
        X X O O O
        . X O . .
        . X O . .
        """
    game = game_of(diagram, rules=JAPANESE, komi=-4.5)  # territory 4 : 8
    assert searching(2000).choose(game, BLACK) == PASS


# The rules


@pytest.mark.parametrize("rules", [CHINESE, AGA, JAPANESE, TROMP_TAYLOR])
def test_every_node_is_legal_and_every_game_ends(rules):
    """Games of the search with itself on a small board, where ko and superko come up; all lines of its trees are legal."""
    player = searching(120)
    game = Game(4, rules=rules)
    while not game.is_over and len(game.moves) < 200:
        colour = game.to_play
        move = player.choose(game, colour)
        for variation in player._variations().values():
            later = game.copy()
            for p in variation.line:
                later.play(later.to_play, p)  # raises if it is illegal
        game.play(colour, move)
    assert game.is_over or rules is JAPANESE  # which lets a cycle go on for ever


def test_all_moves_of_the_tree_are_legal():
    for rules in (CHINESE, NEW_ZEALAND):
        for game in positions(3, 25, 4, rules):
            player = searching(400)
            player.choose(game, game.to_play)
            nodes = used_nodes(player)
            for number, node in enumerate(nodes):
                if number and node.visits:
                    line = []
                    while number:
                        line.insert(0, int(nodes[number].point))
                        number = int(nodes[number].parent)
                    later = game.copy()
                    for p in line:
                        later.play(later.to_play, p)


def test_the_result_of_two_passes_is_known():
    """All stones count: Black is ahead and White has passed, so that a pass wins, whatever else there is."""
    diagram = """
        . X X O .
        X . X O O
        X X X O .
        . X O O O
        X . X O .
        """
    game = game_of(diagram, WHITE, CGOS, komi=0.5)
    game.play(WHITE, PASS)
    player = searching(500)
    assert player.choose(game, BLACK) == PASS
    game = game_of(diagram, WHITE, CGOS, komi=3.5)  # now it loses, and is not even tried
    game.play(WHITE, PASS)
    assert PASS not in player.variations(game, BLACK)


# Time, threads and memory


def test_the_same_seed_plays_the_same_moves():
    def play(seed):
        player, game = searching(300, seed=seed), Game(7)
        for _ in range(10):
            game.play(game.to_play, player.choose(game, game.to_play))
        return game.moves

    assert play(1) == play(1) != play(2)


def test_the_tree_is_kept_when_the_game_goes_on():
    player, game = searching(3000), Game(7)
    game.play(BLACK, player.choose(game, BLACK))
    found = player._variations()
    answer = found[game.moves[-1].point].line[1]
    game.play(WHITE, answer)
    player._forest.turn_to(game, BLACK)
    root = player._forest.root
    assert root.visits > 50
    kept = {int(move.point): int(move.visits) for move in player._forest.moves_of(root)}
    assert set(kept) <= {PASS, *game.legal_points(BLACK).tolist()}
    before = int(root.visits)
    player.choose(game, BLACK)
    assert all(int(move.visits) >= kept[int(move.point)] for move in player._forest.moves_of(player._forest.root))
    assert player._forest.root.visits > before
    # Another game, or the same one some moves back, has nothing to do with it.
    for other in (Game(7), Game(5)):
        player._forest.turn_to(other, BLACK)
        assert player._forest.root.visits == 0


@pytest.mark.parametrize("simulations", [1, 8, 99])
def test_no_more_simulations_are_made_than_asked_for(simulations):
    player = searching(simulations, megabytes=4)
    assert sum(found.visits for found in player.variations(Game(9), BLACK, Budget()).values()) == simulations
    assert player._forest.root.visits == simulations


@pytest.mark.parametrize("threads", [1, 3])
def test_it_stops_when_told_and_when_time_is_up(threads):
    player, game = searching(threads=threads), Game(9)
    player.choose(game, BLACK, Budget(0.01))  # compiles
    for seconds in (0.001, 0.1):
        began = time.monotonic()
        assert game.is_legal(BLACK, player.choose(game, BLACK, Budget(seconds)))
        assert time.monotonic() - began < seconds + 0.25  # 20 ms, and what a busy machine adds
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    began = time.monotonic()
    player.choose(Game(13), BLACK, Budget(30.0, stop))
    assert time.monotonic() - began < 2.0


def test_threads_share_one_tree():
    player, game = searching(6000, threads=3), Game(9)
    deadline = time.monotonic() + 60
    took_part = False
    while not took_part and time.monotonic() < deadline:  # on a busy machine one of them may come too late
        move = player.choose(game, BLACK)
        took_part = all(worker.ground.games > 0 for worker in player._forest._workers)
        assert game.is_legal(BLACK, move)
        root = player._forest.root
        assert root.visits >= 3000
        below = player._forest.moves_of(root).visits.sum()
        assert abs(below - root.visits) < 0.1 * root.visits  # a few updates may get lost, of either
        player._forest.forget()
    assert took_part


def test_pondering_grows_the_tree_until_anything_is_asked():
    player, game = searching(200, ponder=True, megabytes=40), Game(7)
    game.play(BLACK, player.choose(game, BLACK))
    deadline = time.monotonic() + 60
    while player._forest.root.visits < 2000 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert player._forest.root.visits >= 2000
    began = time.monotonic()
    player._ponderer.stop()
    assert time.monotonic() - began < 1.0  # 20 ms, and what a busy machine adds
    answer = next(iter(player._variations().values()))
    game.play(WHITE, answer.line[0])
    player._ponders = False
    assert game.is_legal(BLACK, player.choose(game, BLACK))
    assert player._forest.root.visits >= answer.visits > 200  # what was found about the answer is kept


def test_memory_is_bounded():
    player, game = searching(20000, megabytes=1), Game(9)
    before = player._forest.nodes.nbytes
    assert before <= 1 << 20
    game.play(BLACK, player.choose(game, BLACK))
    assert player._forest.is_full and player._forest.root.visits >= 10000
    game.play(WHITE, player.choose(game, WHITE))
    assert player._forest.nodes.nbytes == before


# What it says


def test_what_it_says_of_a_game():
    diagram = """
        . X . X O
        X X X X O
        . X X O O
        X X O O .
        . X O . O
        """
    game = game_of(diagram, rules=CGOS, komi=0.5)
    player = searching(400)
    evaluation = player.evaluate(game)
    assert evaluation.winrate > 0.9 and 0 < evaluation.score < 12
    for p, sign in ((point(5, 0, 0), 1), (point(5, 4, 4), -1)):
        assert sign * evaluation.ownership[p] > 0.8
    player.choose(game, BLACK)
    assert "% of" in player.explain() and "points ahead" in player.explain()
    assert np.nansum(player.policy(game, BLACK)) <= 1.0 + 1e-9


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_an_analysis_of_either_side_goes_on_from_report_to_report(colour):
    session = Session(searching(megabytes=10), Game(5), 1, None, None, "")
    session.open_to_all()
    session.request = Request(None, "lz-analyze", [])
    visits = [analyse(session, session.game, colour, budget=Budget(0.05)).visits for _ in range(4)]
    assert visits == sorted(visits) and visits[-1] > visits[0]


def test_bad_options_are_refused():
    for options in ({"seconds": 0.0}, {"megabytes": 0}, {"simulations": -1}):
        with pytest.raises(ValueError):
            searching(**options)


