"""Levels: names for ten players, and a player that changes from one to the other."""

import pytest

from engine.contest.player import Budget, Player
from engine.go.board import BLACK, MAX_SIZE, MIN_SIZE
from engine.go.game import Game
from players import levels
from players.registry import PlayerError, load_player


@pytest.mark.parametrize("level", range(1, levels.TOP + 1))
def test_every_level_plays_on_every_board(level):
    player = load_player(f"level-{level}")
    assert list(player.sizes) == list(range(MIN_SIZE, MAX_SIZE + 1))
    for size in (2, 9, 19):
        game = Game(size)
        chosen = player.choose(game, BLACK, Budget(0.05))
        assert chosen == 0 or game.is_legal(BLACK, chosen)


@pytest.mark.parametrize("level", [0, 11, 999])
def test_no_other_levels(level):
    with pytest.raises(PlayerError, match="a level is 1 to 10"):
        load_player(f"level-{level}")


def test_options_go_to_the_levels_player():
    with pytest.raises(PlayerError, match="has no option 'nonsense'"):
        load_player("level-10,nonsense=1")


class _Named(Player):
    def __init__(self, spec):
        self.name, self.seeds, self.is_closed = spec, [], False

    def seed(self, seed):
        self.seeds.append(seed)

    def close(self):
        self.is_closed = True


def test_a_changed_level_is_another_player_with_the_same_seed():
    player = levels.Levelled(_Named, 3)
    first = player.player
    assert player.name == levels.LEVELS[2]
    player.seed(77)
    player.set_level(1)
    assert player.name == levels.LEVELS[0] and player.player.seeds == [77]
    assert first.is_closed and not player.player.is_closed
    with pytest.raises(ValueError, match="1 to 10"):
        player.set_level(11)
    assert player.name == levels.LEVELS[0] and not player.player.is_closed


def test_other_players_have_no_levels():
    with pytest.raises(ValueError, match="gojen has no levels"):
        load_player("gojen").set_level(3)
