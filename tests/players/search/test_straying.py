"""A search that strays plays its own moves but for the share that it was told to draw."""

import pytest

from engine.contest.player import Budget
from engine.go.board import BLACK
from engine.go.game import Game
from players.registry import PlayerError, load_player


def moves_of(spec, seed=1, count=30):
    """The first moves that a player makes for both sides, and what it says of each."""
    player, game = load_player(f"search,simulations=60,threads=1,megabytes=4{spec}", seed=seed), Game(9)
    said = []
    for _ in range(count):
        game.play(game.to_play, player.choose(game, game.to_play, Budget()))
        said.append(player.explain())
    return [move.point for move in game.moves], said


def test_a_share_of_the_moves_is_drawn():
    always, said = moves_of(",strays=1")
    assert all(text.startswith("strayed: drawn") for text in said)
    _, said = moves_of(",strays=0.5")
    assert 5 <= sum(text.startswith("strayed") for text in said) <= 25
    assert moves_of(",strays=1") == (always, moves_of(",strays=1")[1])  # the same seed, the same moves
    assert moves_of(",strays=1", seed=2)[0] != always


def test_without_straying_it_is_the_search_itself():
    assert moves_of(",strays=0") == moves_of("")


def test_it_shows_what_the_search_found():
    player = load_player("search,simulations=60,threads=1,strays=1")
    assert sum(found.visits for found in player.variations(Game(9), BLACK, Budget()).values()) == 60


@pytest.mark.parametrize("share", ["-0.1", "1.5", "nan"])
def test_a_share_is_from_0_to_1(share):
    with pytest.raises(PlayerError, match="strays"):
        load_player(f"search,strays={share}")
