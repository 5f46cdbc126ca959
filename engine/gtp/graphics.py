"""What GoGui draws of a player's thoughts: colours, and moves with their share of the visits."""

from engine.go.board import PASS
from engine.records.vertex import format_vertex

COLD, HOT = (0x20, 0x60, 0xC0), (0xF0, 0x40, 0x20)  # the ends of the heat map, from its lowest to its highest number
LABELLED = 9  # moves that get a number


def shade(share):
    """A colour from COLD (0) to HOT (1)."""
    return "#" + "".join(f"{round(low + share * (high - low)):02x}" for low, high in zip(COLD, HOT))


def drawn_visits(visits, size):
    """Lines of gfx for the most visited moves; ``visits`` is a dict from points to numbers, the best first."""
    total, most = max(sum(visits.values()), 1), max(visits.values(), default=1)
    lines = []
    for p, count in list(visits.items())[:LABELLED]:
        if p > PASS:
            vertex = format_vertex(p, size)
            lines += [f"COLOR {shade(count / most)} {vertex}", f"LABEL {vertex} {round(100 * count / total)}"]
    return lines
