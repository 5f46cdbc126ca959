"""Games that a page of ``show`` has to click through, for kinds whose players need nothing but a Game to move."""

from engine.go.board import BLACK
from engine.go.game import Game, result_text
from engine.go.rules import CHINESE
from players.scripted.liberty import Liberty
from players.show.views import GameRecord

_MOVES_PER_POINT = 3  # our choice: games that go on for ever are cut off


def game_against_liberty(player, name, size, komi):
    """The GameRecord of a game of ``player``, called ``name``, as Black; always the same one on the same board."""
    opponent = Liberty()
    player.seed(size)
    opponent.seed(size)
    game = Game(size, komi, CHINESE)
    while not game.is_over and len(game.moves) < _MOVES_PER_POINT * size**2:
        mover = player if game.to_play == BLACK else opponent
        game.play(game.to_play, mover.choose(game, game.to_play, None))
    title = f"Against Liberty on {size}x{size}"
    return GameRecord(title, size, list(game.moves), result_text(game.score()), komi, name, "Liberty")
