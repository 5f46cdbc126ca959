"""Compiled games are those that are played one move at a time: between any two kinds, to the byte."""

import pytest

from engine.contest import match
from engine.go.rules import AGA, CHINESE, JAPANESE, RULES
from players.play.contest import compiled_games
from players.registry import load_player

WALLY = "wally,randomness=0.2"
# Every kind with a scripted player, as in training; of the others a few, because each pair of kinds is compiled anew.
PAIRS = (
    (WALLY, "naixt"),
    (WALLY, "hyperneat-any"),
    ("sane-7x7", WALLY),
    ("organism-5x5", WALLY),
    ("isn-small", WALLY),
    ("sane-7x7", "hyperneat-any"),
    ("organism-5x5", "organism-9x9"),
    ("isn-small", "isn-9x9"),
)


def both_ways(a, b, settings, games):
    """(outcomes in compiled code, outcomes one move at a time), but for the seconds."""
    a, b = load_player(a), load_player(b)
    compiled = compiled_games(a, b, settings.size, settings.rules)
    fast = match._compiled_outcomes(compiled, settings, list(range(games)), keep_games=False)
    slow = [match.play_game(match.Table(a, b), settings, number) for number in range(games)]
    return [[outcome._replace(seconds=0, seconds_of_a=None, game=None) for outcome in some] for some in (fast, slow)]


@pytest.mark.parametrize("a, b", PAIRS)
def test_any_two_kinds(a, b):
    fast, slow = both_ways(a, b, match.Settings(7, 6.5, CHINESE, seed=3), 4)
    assert fast == slow


def test_whoever_is_named_first_has_the_same_games():
    settings = match.Settings(7, 6.5, CHINESE, seed=3)
    for a, b in (("liberty", "hyperneat-any"), ("hyperneat-any", "liberty")):
        fast, slow = both_ways(a, b, settings, 4)
        assert fast == slow


@pytest.mark.parametrize("rules", [JAPANESE, AGA, RULES["tromp-taylor"]])
@pytest.mark.parametrize("black", ["A", "B"])
def test_other_rules_and_fixed_colours(rules, black):
    fast, slow = both_ways("isn-small", "random", match.Settings(5, 6.5, rules, black, seed=4), 3)
    assert fast == slow


@pytest.mark.parametrize("rules", [CHINESE, AGA, JAPANESE])
def test_handicap(rules):
    settings = match.Settings(7, 0.5, rules, seed=5, handicap=3)
    fast, slow = both_ways("liberty", "random", settings, 4)
    assert fast == slow
    game = settings.new_game()
    assert game.handicap == 3 and len(game.stones) == 3 and game.to_play == 2


def test_records_hold_the_same_games():
    a, b = load_player("organism-5x5"), load_player("naixt")
    settings = match.Settings(5, 4.5, CHINESE, seed=3)
    kept = match._compiled_outcomes(compiled_games(a, b, 5, CHINESE), settings, [0, 1, 2], keep_games=True)
    for outcome in kept:
        alone = match.play_game(match.Table(a, b), settings, outcome.number)
        assert outcome.game.moves == alone.game.moves and outcome.score == alone.score


@pytest.mark.parametrize("spec", ["search,simulations=9", "isn-9x9,runtime=onnx"])
def test_players_that_do_more_than_their_kernels_play_one_move_at_a_time(spec):
    assert compiled_games(load_player(spec), load_player("liberty"), 9, CHINESE) is None
