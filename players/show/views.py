"""What a kind of player offers to ``show``, and helpers to draw it.

The module ``viewer.py`` in the package of a kind has any of these functions; what it lacks is left out:

``describe(genome) -> str``                   the structure in text, for ``show GENOME``
``pictures(genome, champions) -> [Picture]``  for the page; ``champions`` are the genomes of the run by generation, oldest
                                              first (empty when a lone genome is shown)
``games(genome) -> [GameRecord]``             some games to click through
"""

from dataclasses import dataclass, field


@dataclass
class Picture:
    """A drawing for the page: one ``<svg>`` element as text, or several frames to go through with a slider."""

    title: str
    frames: list  # of str, each a whole <svg …>…</svg> with a viewBox
    caption: str = ""
    labels: list = field(default_factory=list)  # what each frame is, if there are several
    wide: bool = False  # takes the whole width of the page


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
