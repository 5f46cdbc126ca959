import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, new_position
from engine.go.game import Game
from engine.go.history import begin, new_history
from engine.go.rng import new_stream
from engine.go.rules import RULES
from players.scripted import NAMES, SCRIPTED
from players.scripted.games import play_batch, play_game
from players.scripted.kernels import GOJEN, KINDS, LIBERTY, NAIXT, RANDOM, WALLY, scripted_move

PLAYERS = [(name, {}) for name in NAMES] + [("random", {"fill_eyes": False}), ("wally", {"randomness": 0.3})]


def test_names():
    assert list(SCRIPTED) == list(NAMES) == list(KINDS)
    assert all(SCRIPTED[name]().name == name for name in NAMES)


@pytest.mark.parametrize("name, options", PLAYERS)
def test_the_player_and_the_kernel_agree(name, options):
    for size, rules in ((5, "chinese"), (6, "tromp-taylor"), (9, "japanese")):
        game = Game(size, rules=RULES[rules])
        players = {colour: SCRIPTED[name](seed=colour, **options) for colour in (BLACK, WHITE)}
        while not game.is_over and len(game.moves) < 200:
            colour = game.to_play
            player = players[colour]
            stream = player.rng.copy()
            p = player.choose(game, colour)
            assert p == scripted_move(KINDS[name], player.option, game.position, game.history, colour, stream)
            assert (stream == player.rng).all()
            game.play(colour, p)  # raises if the move is illegal
        assert len(game.moves) > size


@pytest.mark.parametrize("size", [2, 3, 5, 8, 19])
def test_games_end_by_themselves_and_are_legal(size):
    for white in KINDS.values():
        for black in KINDS.values():
            if size == 19 and black != white:
                continue
            game = Game(size)
            position, history = new_position(size), new_history()
            begin(position, history, BLACK)
            moves = np.zeros(6 * size * size + 100, np.int64)
            rng = new_stream(size)
            count = play_game(position, history, black, 0.0, white, 0.0, BLACK, rng, len(moves), moves)
            assert 2 <= count < len(moves)
            assert list(moves[count - 2 : count]) == [PASS, PASS]
            for p in moves[:count]:
                game.play(game.to_play, int(p))
            assert game.position.hash == position.hash


def test_the_cap_ends_a_game():
    scores, lengths, capped = play_batch((RANDOM, 0), (LIBERTY, 0), 20, 9, seed=1, max_moves=30)
    assert capped.all() and (lengths == 30).all()
    _, lengths, capped = play_batch((NAIXT, 0), (LIBERTY, 0), 20, 5, seed=1)
    assert not capped.any() and (lengths > 2).all()


def test_a_batch_is_the_same_in_parts():
    whole = play_batch((WALLY, 0.1), (GOJEN, 0), 12, 5, seed=7)
    parts = [play_batch((WALLY, 0.1), (GOJEN, 0), 4, 5, seed=7, first=first) for first in (0, 4, 8)]
    for everything, *pieces in zip(whole, *parts):
        assert (everything == np.concatenate(pieces)).all()
    assert (whole[0] != play_batch((WALLY, 0.1), (GOJEN, 0), 12, 5, seed=8)[0]).any()


def test_scores_are_areas():
    scores, _, _ = play_batch((LIBERTY, 0), (RANDOM, 0), 50, 5, seed=3)
    assert (abs(scores) <= 25).all() and scores.mean() > 15
