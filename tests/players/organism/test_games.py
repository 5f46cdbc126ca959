"""Whole games: kernel and player agree, both colours, komi; the player through undo, set-up and sequences."""

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, board_points, point
from engine.go.game import Game
from engine.go.rules import JAPANESE
from engine.go.scoring import judged_score
from players.genome import GenomeError
from players.organism.habits import Habits
from players.organism.cells import amounts, states
from players.organism.player import OrganismPlayer, load_player
from players.organism.program import MOVE_CELL, NO_CELL
from players.organism.side import KOMI, side_of, terms
from players.play.schedule import Fixture, schedule
from players.scripted.kernels import opponent
from tests.players.organism.programs import FIGHTER, SILENT, genome, rules

RANDOM, NAIXT = opponent("random"), opponent("naixt")
HABITS = Habits(2, 4)


def test_games_are_those_of_their_key_in_whatever_batches():
    def games(key, first, count):
        fixture = Fixture(terms(5), (RANDOM, NAIXT), "both", key, first, count, salt=3)
        return fixture.play(side_of(rules(FIGHTER), HABITS, 5))

    whole = games(7, 0, 24)
    assert (np.concatenate([games(7, first, 8) for first in (0, 8, 16)]) == whole).all()
    assert (games(8, 0, 24).length != whole.length).any()
    assert ((whole.score - 0.5) % 1 == 0).all()


def test_an_organism_without_move_cells_passes_and_the_komi_is_white_s():
    fixture = Fixture(terms(5), (NAIXT,), "both", 1, 0, 4)
    results, moves = fixture.play(side_of(rules(SILENT), HABITS, 5), keep_moves=True)
    assert (results.score[[0, 2]] < 0).all()  # Black, with nothing but White's stones on the board
    assert (moves[0][::2] == PASS).all()


@pytest.mark.parametrize("size, own, rival", [(5, BLACK, NAIXT), (5, WHITE, RANDOM), (7, WHITE, NAIXT), (6, BLACK, RANDOM)])
def test_player_and_kernel_play_alike(size, own, rival):
    """The same moves, the same organism, the same score; the player sees a real Game."""
    colour = "black" if own == BLACK else "white"
    side = side_of(rules(FIGHTER), HABITS, size)
    (result,), (moves,) = Fixture(terms(size), (rival,), colour, 5, 0, 1, salt=9).play(side, keep_moves=True)
    player = load_player(genome(FIGHTER))
    player.seed(int(schedule(0, 1, colour, 1, 5 ^ 9, 5).seed_a[0]))
    game = Game(size, KOMI, JAPANESE)
    for p in map(int, moves):
        colour = game.to_play
        if colour == own:
            assert player.choose(game, colour, None) == p
        game.play(colour, p)
    assert same(player.organism(game, own), side.organisms[0])
    score = judged_score(game.position) - KOMI
    assert result.score == (score if own == BLACK else -score)


def same(a, b):
    points = board_points(int(a.board_size))
    return (
        (states(a)[points] == states(b)[points]).all()
        and (a.cell_size[points] == b.cell_size[points]).all()
        and all((amounts(a, m) == amounts(b, m)).all() for m in range(5))
    )


def fresh(game, colour):
    """The organism of a player that sees the game for the first time."""
    return OrganismPlayer(genome(FIGHTER).body).organism(game, colour)


def test_undo_sequences_and_set_up_give_the_organism_of_the_straight_game():
    player = load_player(genome(FIGHTER))
    generator = np.random.default_rng(3)
    game = Game(5, KOMI, JAPANESE)
    for step in range(60):
        what = generator.integers(0, 10)
        if what == 0 and game.moves:
            game.undo(int(generator.integers(1, min(len(game.moves), 4) + 1)))
        elif what == 1 and step > 20:
            game.clear()
            if step % 2:
                game.set_up([(BLACK, point(5, 1, 1)), (WHITE, point(5, 3, 3))], WHITE)
        elif what == 2:
            game.play(game.to_play, PASS)
        else:
            colour = int(generator.integers(1, 3)) if what == 3 else game.to_play  # two moves of one side in a row
            legal = game.legal_points(colour)
            if len(legal):
                game.play(colour, int(generator.choice(legal)))
        if step % 3 == 0:
            for colour in (BLACK, WHITE):
                assert same(player.organism(game, colour), fresh(game, colour))


def test_asking_for_views_and_policy_changes_nothing():
    game, player = Game(5, KOMI, JAPANESE), load_player(genome(FIGHTER))
    game.play(BLACK, point(5, 2, 2))
    before = fresh(game, WHITE)
    player.policy(game, WHITE), player.choose(game, WHITE), [view.draw(game, []) for view in player.views()]
    assert same(player.organism(game, WHITE), before)


@pytest.mark.parametrize("size", [2, 4, 9, 19, 25])
def test_any_board_size(size):
    player = load_player(genome(FIGHTER))
    player.seed(1)
    game = Game(size, KOMI, JAPANESE)
    for _ in range(4):
        p = player.choose(game, game.to_play)
        assert p == PASS or game.is_legal(game.to_play, p)
        game.play(game.to_play, p)
    assert size < 3 or any(move.point != PASS for move in game.moves)


def test_policy_explanation_and_views():
    player, game = load_player(genome(FIGHTER)), Game(5, KOMI, JAPANESE)
    player.seed(2)
    p = player.choose(game, BLACK)
    values = player.policy(game, BLACK)
    assert values[p] == np.nanmax(values) and "move cells of 25" in player.explain()
    game.play(BLACK, p)
    cells, quality, *mediators = [view.draw(game, []) for view in player.views()]
    found = states(player.organism(game, WHITE))[board_points(5)]
    rows = [line.split() for line in cells.splitlines()]
    assert [len(row) for row in rows] == [5] * 5
    assert sum(word == "#5cb85c" for row in rows for word in row) == (found == MOVE_CELL).sum()
    assert sum(word == "#333333" for row in rows for word in row) == 1
    words = quality.split()
    assert len(words) == 2 * (found == MOVE_CELL).sum()
    assert [float(word) for word in words[1::2]] == sorted((float(word) for word in words[1::2]), reverse=True)
    assert len(mediators) == 5
    opponents = np.array([[float(word) for word in line.split()] for line in mediators[1].splitlines()])
    assert opponents.shape == (5, 5) and opponents.max() == 1.0
    assert (found != NO_CELL).all()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"rules": [], "initial_cycles": 1, "regular_cycles": 1},
        {"rules": ["nonsense"], "initial_cycles": 1, "regular_cycles": 1},
        {"rules": SILENT, "initial_cycles": -1, "regular_cycles": 1},
        {"rules": SILENT, "initial_cycles": 1, "regular_cycles": 10**9},
        {"rules": SILENT, "initial_cycles": 1},
        {"rules": SILENT, "initial_cycles": 1, "regular_cycles": 1, "zygote": "moon"},
    ],
)
def test_a_genome_that_is_none_is_refused_in_a_line(body):
    with pytest.raises(GenomeError) as caught:
        OrganismPlayer(body)
    assert "\n" not in str(caught.value)
