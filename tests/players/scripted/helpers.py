"""Questions that the tests of all scripted opponents ask."""

from engine.go.board import BLACK, WHITE
from tests.diagrams import game_of, marks_of


def answers(player, diagram, colour=BLACK, tries=20):
    """The set of moves that a player chooses in a diagram, over several tries."""
    game = game_of(diagram, colour)
    return {player.choose(game, colour) for _ in range(tries)}


def points(diagram, letter="a"):
    """The set of points that a letter names."""
    return set(marks_of(diagram)[letter])


def plays_the_mark(player, diagram, colour, tries):
    """Whether ``colour`` finds the points called a of a diagram that is drawn for Black."""
    if colour == WHITE:
        diagram = diagram.translate(str.maketrans("XO", "OX"))
    return answers(player, diagram, colour, tries) == points(diagram)


def chi_square(counts, expected):
    """The chi-square statistic of observed counts that should all be ``expected``."""
    return sum((count - expected) ** 2 / expected for count in counts)
