"""What ``show`` shows of an expert's network: its parts in text, and what it says of a game."""

import numpy as np

from engine.go.board import BLACK, PASS, board_points
from engine.go.game import Game
from engine.records.vertex import format_vertex
from players.expert.features import FEATURES
from players.expert.network import LAYERS, PARAMETERS, PLAIN, POSES, WIDTH, WINDOWS, unpack
from players.expert.player import load_player
from players.show.boards import LARGE, Board, beside, colours_of
from players.show.claims import drawn_board
from players.show.examples import game_against_liberty
from players.show.views import Chart, Picture

_KOMI = 7.5
_GAME_SIZES = (9, 13)
_POSITIONS = 24  # of the shown game that the network is asked about
_SHOWN_AT = 0.4  # of the game: where there are groups, and the board is still open
_MAP = 260  # pixels of a map
_SMALL = 0.34  # of the stones on a map, in distances between lines
_NAMED = 0.01  # share of the policy from which a point is named
ABOUT = (
    "An expert's network: symmetric layers over the board that were taught what a search found which they guided "
    "themselves. It says where to play, who will own each point, and who wins. By itself it plays the one of "
    "the moves that it likes after which it wins most often by its own opinion; it also guides a search."
)
CHARTS = {
    "fitness": None,  # the errors, turned round
    "wins": None,  # it plays itself
    "policy_error": Chart("Error of the policy", "cross entropy", "How far its policy is from the moves of the search."),
    "owner_error": Chart("Error of the owners", "cross entropy", "How far the owners of points are from those in the end."),
    "win_error": Chart("Error of winning", "cross entropy", "How far its chances to win are from what came of it."),
    "positions": Chart("New positions", "positions", "Full searches of an iteration."),
    "window": Chart("Positions", "positions", "That are learned from."),
    "length": Chart("Length of games", "moves for each point", "How long the games against itself are."),
    "black_wins": Chart("Black's wins", "games", "Games that Black won; the komi strays about what makes them half.", True),
    "rate": Chart("Learning rate", "step", "How far a step of learning goes."),
    "largest_weight": Chart("Largest weight", "weight", "The largest of its weights."),
}
_CAPTION = (
    "What the network says before each of some moves of a game against Liberty, in which it is Black: where the side to "
    "move would play, in percent (left), and who will own each point (right): blue the side to move, red with a bar the "
    "other."
)


def describe(genome):
    """The sizes of the parts."""
    parts = unpack(np.array(genome.body["parameters"], float))
    lines = [
        f"expert's network: {PARAMETERS} parameters; {FEATURES} features of a point, {WINDOWS} windows in {POSES} poses and "
        f"{PLAIN} plain units, {LAYERS} layers of {WIDTH} units"
    ]
    lines += [
        f"  {name:<12} {part.size:>6} parameters, root mean square {np.sqrt(np.mean(part**2)):.3f}"
        for name, part in parts.items()
    ]
    return "\n".join(lines)


def _said_of(player, game):
    size = game.size
    points, colours = board_points(size), colours_of(game.position)
    sight = player.sight(game, game.to_play)
    policy, passing = np.array(sight.policy[points], float), float(sight.policy[PASS])
    moves = Board(size, pixels=LARGE // size).stones(colours)
    named = {number: f"{100 * share:.0f}" for number, share in enumerate(policy) if share >= _NAMED}
    if moves.has_room_for_text:
        moves.texts(named, stones=colours)
    owners = 2 * np.array(sight.owner[points], float) - 1
    drawn = Board(size, lines=False, pixels=_MAP // size).shade(owners).stones(colours, _SMALL).values(owners)
    mover = "Black" if game.to_play == BLACK else "White"
    words = f"{mover} to move wins with {100 * float(sight.win):.0f}%; a pass with {100 * passing:.0f}%"
    return beside(moves.svg(words), words, [(drawn.svg("owners"), "who will own each point")])


def pictures(genome, champions):
    """What it says of positions of its first game."""
    player, record = load_player(genome), games(genome)[0]
    game = Game(record.size, record.komi)
    wanted = set(np.linspace(0, len(record.moves), _POSITIONS).round().astype(int).tolist())
    frames, labels = [], []
    for number in range(len(record.moves) + 1):
        if number in wanted:
            frames.append(_said_of(player, game))
            labels.append(f"move {number}: {format_vertex(game.moves[-1].point, game.size)}" if number else "before move 1")
        if number < len(record.moves):
            game.play(*record.moves[number])
    return [Picture("What it says of a game", frames, _CAPTION, labels, wide=True, first=int(_SHOWN_AT * len(frames)))]


def games(genome):
    """A game against Liberty on its own board and on some others, the network as Black, by its policy alone."""
    sizes = dict.fromkeys((drawn_board(genome, _GAME_SIZES[0]), *_GAME_SIZES))
    return [game_against_liberty(load_player(genome, ahead=False), "Expert", size, _KOMI) for size in sizes]
