"""Cell programs that tests play with."""

from players.genome import Genome
from players.organism.program import flat, from_text

# Covers the board, likes points near enemy stones, gives up near many own ones.
FIGHTER = [
    "if cell is empty then replicate",
    "if cell is own stone then release mediator 1 by 0.6",
    "if cell is opponent stone then release mediator 2 by 0.6",
    "if cell is empty then become move",
    "if mediator 2 > 0.1 then set size to 0.5",
    "if mediator 1 > 0.2 then set size to 0.3",
    "if mediator 1 > 0.5 then become empty",
    "if cell is move then become own stone",  # dead
]
SILENT = ["if cell is empty then replicate"]


def rules(lines):
    return flat(from_text(lines))


def genome(lines, **config):
    body = {"rules": list(lines), "initial_cycles": 2, "regular_cycles": 4}
    return Genome("organism", list(range(2, 26)), body, config)
