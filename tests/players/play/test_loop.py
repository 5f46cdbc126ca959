"""The one loop of games: caps, komi, colours, batches; whoever plays, and however the games are cut into batches."""

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, board_points
from engine.go.game import Game, longest_game
from engine.go.handicap import handicap_points
from engine.go.rng import new_stream
from engine.go.rules import CHINESE, JAPANESE
from engine.go.scoring import area_score
from players.play.loop import JUDGED, Terms, joined, play_batch, starting_position, wins_of
from players.play.schedule import Fixture, schedule
from players.scripted import NAMES
from players.scripted.kernels import opponent, scripted_move

NAIXT, WALLY, RANDOM, LIBERTY = opponent("naixt"), opponent("wally", 0.1), opponent("random"), opponent("liberty")


def fixture(size=5, komi=0.0, opponents=(WALLY,), colour="black", key=7, first=0, count=12, **more):
    return Fixture(Terms(size, komi), opponents, colour, key, first, count, **more)


def test_colours_alternate_first_and_then_opponents():
    games = schedule(0, 6, "both", 2, 1, 2)
    assert games.a_is_black.tolist() == [True, False] * 3
    assert games.opponent.tolist() == [0, 0, 1, 1, 0, 0]
    assert schedule(0, 4, "white", 3, 1, 2).opponent.tolist() == [0, 1, 2, 0]
    assert not schedule(0, 4, "white", 3, 1, 2).a_is_black.any()


def test_a_game_depends_on_its_number_alone():
    whole = schedule(0, 9, "both", 2, 5, 6)
    for part in (schedule(3, 4, "both", 2, 5, 6), schedule(8, 1, "both", 2, 5, 6)):
        at = int(np.flatnonzero(whole.seed_a == part.seed_a[0])[0])
        for column, piece in zip(whole, part):
            assert (column[at : at + piece.size] == piece).all()
    assert len(set(whole.seed_a) | set(whole.seed_b)) == 18


@pytest.mark.parametrize("salt", [0, 99])
def test_batches_give_the_same_games_as_the_whole(salt):
    whole = fixture(opponents=(WALLY, RANDOM), colour="both", salt=salt).play(NAIXT)
    parts = [fixture(opponents=(WALLY, RANDOM), colour="both", salt=salt, first=i, count=4).play(NAIXT) for i in (0, 4, 8)]
    assert (joined(parts) == whole).all()
    assert (fixture(key=8).play(NAIXT).score != fixture(key=7).play(NAIXT).score).any()


def test_a_salt_gives_the_candidate_draws_of_its_own():
    assert (fixture(salt=0).play(NAIXT).length != fixture(salt=1).play(NAIXT).length).any()


@pytest.mark.parametrize("size", [2, 3, 5, 8, 19])
def test_games_end_by_themselves_and_are_legal(size):
    games = schedule(0, 2, "both", 1, size, size)
    for name in NAMES:
        for other in NAMES if size < 19 else [name]:
            results, moves = play_batch(opponent(name), (opponent(other),), games, Terms(size, 0.5), keep_moves=True)
            for result, made in zip(results, moves):
                game = Game(size, 0.5)
                for p in map(int, made):
                    game.play(game.to_play, p)  # raises if it is illegal
                assert result.over == game.is_over == (list(made[-2:]) == [PASS, PASS])
                assert result.over or len(made) == longest_game(size)
                assert game.score() == (result.score if result.a_is_black else -result.score)
                own = made[0 if result.a_is_black else 1]
                assert (result.length, result.first) == (len(made), own)


def test_the_cap_ends_a_game():
    results = Fixture(Terms(9, 0.0, most_moves=30), (LIBERTY,), "black", 1, 0, 20).play(RANDOM)
    assert not results.over.any() and (results.length == 30).all()
    assert fixture(count=20).play(NAIXT).over.all()


def test_komi_is_white_s():
    plain, with_komi = fixture(colour="both").play(NAIXT), fixture(colour="both", komi=6.5).play(NAIXT)
    assert (with_komi.score - plain.score == np.where(plain.a_is_black, -6.5, 6.5)).all()


def test_a_draw_is_half_a_win():
    results = fixture(count=3).play(NAIXT)
    results.score[:] = 3.0, 0.0, -1.0
    assert wins_of(results) == 1.5


def test_handicap_stones_are_black_and_white_begins():
    stones = tuple(handicap_points(5, 3))
    position, to_play = starting_position(5, stones)
    assert to_play == WHITE and (position.colour[board_points(5)] == BLACK).sum() == 3
    assert starting_position(5, ())[1] == BLACK
    terms = Terms(5, 0.0, stones=stones)
    results, moves = Fixture(terms, (WALLY,), "white", 3, 0, 4).play(NAIXT, keep_moves=True)
    for result, made in zip(results, moves):
        game = Game(5, 0.0)
        game.place_handicap(list(stones))
        for p in map(int, made):
            game.play(game.to_play, p)
        assert result.first == made[0] and result.score == -area_score(game.position)
    assert (starting_position(5, stones)[0].colour == position.colour).all()


def test_both_sides_draw_from_one_stream_if_their_seeds_are_equal():
    games = schedule(0, 1, "black", 1, 5, 5)
    _, (moves,) = play_batch(RANDOM, (NAIXT,), games, Terms(5, 0.0), keep_moves=True)
    game, stream = Game(5), new_stream(int(games.seed_a[0]))
    for p in map(int, moves):
        side = RANDOM if game.to_play == BLACK else NAIXT
        assert p == scripted_move(*side, game.position, game.history, game.to_play, stream)
        game.play(game.to_play, p)


def test_rules_and_counting_are_those_of_the_terms():
    area = Fixture(Terms(5, 0.0, CHINESE), (WALLY,), "both", 7, 0, 40).play(NAIXT)
    judged = Fixture(Terms(5, 0.0, JAPANESE, JUDGED), (WALLY,), "both", 7, 0, 40).play(NAIXT)
    assert (area.score != judged.score).any()
    assert ((judged.score > 0) == (area.score > 0)).mean() > 0.8
