"""3×3 shapes at whose middle a move is often worth a look, each a family with a weight of its own in the policy.

The families are those of Gelly, Wang, Munos and Teytaud (2006): hanes, cuts, and shapes at the edge of the board. Every
diagram also stands for its turns and mirror images, and for the same with the colours exchanged.

A shape is coded in 16 bits, two for each point around the middle, row by row from the top left: EMPTY, the mover's own
stone, the enemy's, EDGE. ``FAMILY`` [code] is the number of its family, 0 for none.

Beside its family every shape has a weight for itself alone, all its turns and mirror images together, by which learning can tell
apart what a family has in common. ``SHAPE`` [code] is its number among ``DRAWN``, which names each by its own drawing: X is the
mover's. ``FAMILY_OF`` [number] is its family.
"""

import numpy as np

from engine.go.board import BLACK, cells
from engine.kernels import kernel

# X and O are stones of different colours, either of them the mover's; "." empty, "x" no X, "o" no O, "?" anything, "#" the
# edge. The move is in the middle, "*". The first diagram that fits counts.
DIAGRAMS = (
    ("hane_around", "XOX .*. ???"),  # a stone between two enemies is turned around
    ("hane", "XO. .*. ?.?"),
    ("hane_bent", "XO? X*. x.?"),  # magari: round the corner of a wall
    ("shoulder", ".O. X*. ..."),  # a diagonal attachment
    ("cut", "XO? O*o ?o?"),
    ("cut_peeped", "XO? O*X ???"),
    ("push_through", "?X? O*O xxx"),
    ("cut_knight", "OX? o*O ???"),
    ("edge_chase", "X.? O*? ###"),
    ("edge_block_cut", "OX? X*O ###"),
    ("edge_block", "?X? x*O ###"),
    ("edge_descend", "?XO x*x ###"),
    ("edge_cut", "?OX X*O ###"),
)
NAMES = tuple(name for name, _ in DIAGRAMS)
_CODES = 1 << 16
_LOW_BITS = 0x5555
_ALLOWED = {".": (0,), "X": (1,), "O": (2,), "#": (3,), "x": (0, 2), "o": (0, 1), "?": (0, 1, 2, 3)}
_EXCHANGED = str.maketrans("XOxo", "OXox")


def _views(diagram):
    """The eight turns and mirror images of a diagram, without the middle, in both colourings: sets of eight signs."""
    square = np.array([list(row) for row in diagram.split()])
    turned = [np.rot90(view, turns) for view in (square, square.T) for turns in range(4)]
    texts = {"".join(view.ravel()) for view in turned}
    texts |= {text.translate(_EXCHANGED) for text in texts}
    return sorted(text[:4] + text[5:] for text in texts)


def _codes(signs):
    """All codes that eight signs allow."""
    codes = np.zeros(1, np.int64)
    for place, sign in enumerate(signs):
        codes = (codes[:, None] | np.array(_ALLOWED[sign]) << 2 * place).ravel()
    return codes


def _families():
    family = np.zeros(_CODES, np.uint8)
    for number, (_, diagram) in reversed(list(enumerate(DIAGRAMS, start=1))):
        for signs in _views(diagram):
            family[_codes(signs)] = number
    return family


FAMILY = _families()

_SIGNS = ".XO#"
_SIDES = ((0, 1, 2), (0, 3, 5), (2, 4, 7), (5, 6, 7))  # points around the middle that lie beyond the edge together


def _turned():
    """The points around the middle in the order in which each turn and mirror image has them."""
    square = np.array([0, 1, 2, 3, -1, 4, 5, 6, 7]).reshape(3, 3)
    views = [np.rot90(view, turns).ravel() for view in (square, square.T) for turns in range(4)]
    return [view[view >= 0] for view in views]


def _can_be(values):
    """By code, whose eight ``values`` these are: whether a board has such a shape. EDGE takes whole sides, never opposite ones."""
    beyond = values == 3
    has_side = [beyond[:, side].all(axis=1) for side in _SIDES]
    explained = np.zeros_like(beyond)
    for side, has in zip(_SIDES, has_side):
        explained[:, side] |= has[:, None]
    top, left, right, bottom = has_side
    return (explained == beyond).all(axis=1) & ~(top & bottom) & ~(left & right)


def _drawings():
    """(number of its drawing by code, the drawings): those that there can be on a board."""
    places = 2 * np.arange(8)
    values = np.arange(_CODES)[:, None] >> places & 3
    possible = _can_be(values)
    least = np.min([(values[:, view] << places).sum(axis=1) for view in _turned()], axis=0)  # stands for all its views
    codes = np.unique(least[possible])
    number = np.zeros(_CODES, np.uint16)
    number[possible] = np.searchsorted(codes, least[possible])
    texts = ["".join(_SIGNS[value] for value in values[code]) for code in codes]
    return number, tuple(f"{text[:3]}/{text[3]}*{text[4]}/{text[5:]}" for text in texts)


SHAPE, DRAWN = _drawings()
FAMILY_OF = np.zeros(len(DRAWN), np.uint8)
FAMILY_OF[SHAPE] = FAMILY


_ONE = np.uint64(1)


@kernel
def shape_at(position, p, colour):
    """The code of the shape around ``p`` as ``colour`` sees it."""
    return seen_by(_code_at(position, p), colour)


@kernel
def seen_by(code, colour):
    """The code as ``colour`` sees it of a shape that Black sees as ``code``."""
    return code if colour == BLACK else (code & _LOW_BITS) << 1 | (code >> 1 & _LOW_BITS)


@kernel
def _code_at(position, p):
    """The code of the shape around ``p`` as Black sees it."""
    stride = np.uint64(position.stride)
    p = np.uint64(p)
    code = np.int64(position.colour[p - stride - _ONE])
    code |= np.int64(position.colour[p - stride]) << 2
    code |= np.int64(position.colour[p - stride + _ONE]) << 4
    code |= np.int64(position.colour[p - _ONE]) << 6
    code |= np.int64(position.colour[p + _ONE]) << 8
    code |= np.int64(position.colour[p + stride - _ONE]) << 10
    code |= np.int64(position.colour[p + stride]) << 12
    code |= np.int64(position.colour[p + stride + _ONE]) << 14
    return code


# In a playout the codes of all points, as Black sees them, are kept from move to move.


@kernel
def write_codes(position, codes):
    """Write to ``codes`` [cell] what stands around the points of the board."""
    size, stride = position.board_size, position.stride
    for p in range(cells(size)):
        codes[p] = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            codes[p] = _code_at(position, p)


@kernel
def change_codes(codes, p, stride, colour):
    """Note in ``codes`` that a stone of ``colour`` came to ``p`` or went away from there."""
    p, stride = np.uint64(p), np.uint64(stride)
    codes[p - stride - _ONE] ^= colour << 14
    codes[p - stride] ^= colour << 12
    codes[p - stride + _ONE] ^= colour << 10
    codes[p - _ONE] ^= colour << 8
    codes[p + _ONE] ^= colour << 6
    codes[p + stride - _ONE] ^= colour << 4
    codes[p + stride] ^= colour << 2
    codes[p + stride + _ONE] ^= colour
