"""Games that a page of ``show`` has to click through."""

from engine.contest.player import Budget
from engine.go.board import BLACK
from engine.go.game import Move, longest_game, result_text
from engine.go.rules import CHINESE
from players.play.loop import Terms, starting_position
from players.play.schedule import Fixture
from players.scripted.kernels import opponent
from players.show.views import GameRecord


def example_games(fixture, side, name, opponents):
    """GameRecords of the games of a Fixture that the candidate ``side``, called ``name``, plays; ``opponents`` are names."""
    terms = fixture.terms
    _, to_play = starting_position(terms.size, terms.stones)
    records = []
    for number, (result, moves) in enumerate(zip(*fixture.play(side, keep_moves=True))):
        names = name, opponents[result.opponent]
        black, white = names if result.a_is_black else reversed(names)
        records.append(
            GameRecord(
                title=f"{black} - {white} on {terms.size}x{terms.size}, game {number + 1}",
                size=terms.size,
                moves=[Move(to_play if i % 2 == 0 else 3 - to_play, int(p)) for i, p in enumerate(moves)],
                result=result_text(float(result.score if result.a_is_black else -result.score)),
                komi=terms.komi,
                black=black,
                white=white,
                stones=[(BLACK, int(p)) for p in terms.stones],
            )
        )
    return records


def game_against_liberty(player, name, size, komi):
    """A game of ``player``, called ``name``, as Black; always the same one on the same board."""
    fixture = Fixture(Terms(size, komi), (opponent("liberty"),), "black", key=size, first=0, count=1)
    return example_games(fixture, player.side(size, CHINESE), name, ["Liberty"])[0]


def play_on(game, players):
    """Let ``players``, by colour, go on with a game to its end, or until it is as long as games may be."""
    while not game.is_over and len(game.moves) < longest_game(game.size):
        colour = game.to_play
        game.play(colour, players[colour].choose(game, colour, Budget()))
