import pytest

from engine.go.board import BLACK, WHITE
from engine.go.game import Game
from engine.go.rules import RULES
from players.registry import load_player
from players.scripted import NAMES
from players.scripted.kernels import KINDS, OPPONENTS, opponent, scripted_move, straying_name
from players.scripted.table import SCRIPTED

PLAYERS = [(name, {}) for name in NAMES] + [("random", {"fill_eyes": False}), ("wally", {"randomness": 0.3})]
PLAYERS += [("gojen", {"opening": False})]


def test_names():
    assert list(SCRIPTED) == list(NAMES) == list(KINDS)
    assert all(SCRIPTED[name]().name == name for name in NAMES)


@pytest.mark.parametrize("name", OPPONENTS)
@pytest.mark.parametrize("randomness", [0.0, 0.25])
def test_the_registry_knows_every_opponent_by_its_full_name(name, randomness):
    player = load_player(straying_name(name, randomness))
    assert player.side(5, RULES["japanese"]) == opponent(name, randomness)


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
            assert p == scripted_move(*player.side(size, game.rules), game.position, game.history, colour, stream)
            assert (stream == player.rng).all()
            game.play(colour, p)  # raises if the move is illegal
        assert len(game.moves) > size
