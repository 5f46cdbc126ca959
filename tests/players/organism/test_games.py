"""Whole games: kernel and player agree, both colours, komi; the player through undo, set-up and sequences."""

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, board_points, new_position, point
from engine.go.game import Game
from engine.go.history import new_history
from engine.go.rng import new_stream
from engine.go.rules import JAPANESE
from players.genome import GenomeError
from players.organism.games import KOMI, MOVES_PER_POINT, colour_and_opponent, desk, play_game, play_games
from players.organism.judge import final_score
from players.organism.organism import amounts, new_organism
from players.organism.player import OrganismPlayer, load_player
from players.organism.program import MOVE_CELL, NO_CELL
from players.scripted.kernels import KINDS
from tests.players.organism.programs import FIGHTER, SILENT, genome, rules

RANDOM, NAIXT = (KINDS["random"], 0.0), (KINDS["naixt"], 0.0)


def cycles(size):
    return 2 * size, 4


def test_games_are_those_of_their_key_in_whatever_batches():
    whole, lengths = play_games(rules(FIGHTER), cycles(5), [RANDOM, NAIXT], 5, 7, 0, 24)
    parts = [play_games(rules(FIGHTER), cycles(5), [RANDOM, NAIXT], 5, 7, first, 8)[0] for first in (0, 8, 16)]
    assert (np.concatenate(parts) == whole).all()
    assert (play_games(rules(FIGHTER), cycles(5), [RANDOM, NAIXT], 5, 8, 0, 24)[1] != lengths).any()
    assert lengths.max() <= MOVES_PER_POINT * 25 and ((whole - 0.5) % 1 == 0).all()


def test_colours_alternate_and_opponents_take_turns():
    assert [colour_and_opponent(game, 2) for game in range(5)] == [(BLACK, 0), (WHITE, 0), (BLACK, 1), (WHITE, 1), (BLACK, 0)]


def test_an_organism_without_move_cells_passes_and_the_komi_is_white_s():
    silent = (KINDS["naixt"], 0.0)
    scores, lengths = play_games(rules(SILENT), cycles(5), [silent], 5, 1, 0, 4)
    assert (scores[[0, 2]] < 0).all()  # Black, with nothing but White's stones on the board
    organism, position, history, moves = desk(5)
    count = play_game(
        rules(SILENT), *cycles(5), BLACK, *RANDOM, organism, position, history, new_stream(1), new_stream(2), moves
    )
    assert (moves[:count:2] == PASS).all()


@pytest.mark.parametrize("size, own, opponent", [(5, BLACK, NAIXT), (5, WHITE, RANDOM), (7, WHITE, NAIXT), (6, BLACK, RANDOM)])
def test_player_and_kernel_play_alike(size, own, opponent):
    """The same moves, the same organism, the same score; the player sees a real Game."""
    organism, position = new_organism(size), new_position(size)
    history, moves = new_history(JAPANESE.ko, JAPANESE.suicide), np.empty(MOVES_PER_POINT * size**2, np.int64)
    count = play_game(
        rules(FIGHTER), *cycles(size), own, *opponent, organism, position, history, new_stream(5), new_stream(6), moves
    )
    player = load_player(genome(FIGHTER))
    player.seed(5)
    game = Game(size, KOMI, JAPANESE)
    for p in map(int, moves[:count]):
        colour = game.to_play
        if colour == own:
            assert player.choose(game, colour, None) == p
        game.play(colour, p)
    assert same(player.organism(game, own), organism)
    assert final_score(game.position) == final_score(position)


def same(a, b):
    points = board_points(int(a.board_size))
    return (
        (a.state[points] == b.state[points]).all()
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
    states = player.organism(game, WHITE).state[board_points(5)]
    rows = [line.split() for line in cells.splitlines()]
    assert [len(row) for row in rows] == [5] * 5
    assert sum(word == "#5cb85c" for row in rows for word in row) == (states == MOVE_CELL).sum()
    assert sum(word == "#333333" for row in rows for word in row) == 1
    words = quality.split()
    assert len(words) == 2 * (states == MOVE_CELL).sum()
    assert [float(word) for word in words[1::2]] == sorted((float(word) for word in words[1::2]), reverse=True)
    assert len(mediators) == 5
    opponents = np.array([[float(word) for word in line.split()] for line in mediators[1].splitlines()])
    assert opponents.shape == (5, 5) and opponents.max() == 1.0
    assert (states != NO_CELL).all()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"rules": [], "initial_cycles": 1, "regular_cycles": 1},
        {"rules": ["nonsense"], "initial_cycles": 1, "regular_cycles": 1},
        {"rules": SILENT, "initial_cycles": -1, "regular_cycles": 1},
        {"rules": SILENT, "initial_cycles": 1, "regular_cycles": 10**9},
        {"rules": SILENT, "initial_cycles": 1},
    ],
)
def test_a_genome_that_is_none_is_refused_in_a_line(body):
    with pytest.raises(GenomeError) as caught:
        OrganismPlayer(body)
    assert "\n" not in str(caught.value)
