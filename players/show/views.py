"""What a kind of player offers to ``show``.

The module ``viewer.py`` in the package of a kind has any of these; what it lacks is left out:

``ABOUT``                                     a sentence about players of this kind, for people who know none
``CHARTS``                                    what the numbers in the log of its runs are: name → Chart, or None for one that
                                              tells nothing; "fitness" stands for the best and the mean of a generation
``describe(genome) -> str``                   the structure in text, for ``show GENOME``
``pictures(genome, champions) -> [Picture]``  for the page, the most telling first; ``champions`` are the genomes of the run
                                              by generation, oldest first (empty when a lone genome is shown)
``games(genome) -> [GameRecord]``             some games to click through
"""

from dataclasses import dataclass, field
from typing import NamedTuple


class Chart(NamedTuple):
    """How a number in the log of a run is shown."""

    title: str
    unit: str  # of the y axis
    sentence: str  # what one sees
    percent: bool = False  # whether it is a share, to be written in percent


@dataclass
class Picture:
    """A drawing for the page (see ``players.show.boards``), or several frames to go through with a slider."""

    title: str
    frames: list  # of str, each HTML: an <svg> with a viewBox, or several as panels
    caption: str = ""
    labels: list = field(default_factory=list)  # what each frame is, if there are several
    wide: bool = False  # takes the whole width of the page
    first: int = 0  # the frame that is seen at first; -1 the last


@dataclass
class GameRecord:
    """A game to click through."""

    title: str
    size: int
    moves: list  # of (colour, point), as in engine.go.game.Move; PASS is a point
    result: str = ""  # "B+3.5"
    komi: float = 0.0
    black: str = ""
    white: str = ""
    stones: list = field(default_factory=list)  # set up before the first move, (colour, point)
