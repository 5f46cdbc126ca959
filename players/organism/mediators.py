"""Mediators: in every cycle half of an amount goes to the neighbours, and a part of what is there is consumed (Section V)."""

from engine.kernels import kernel
from players.organism.cells import CELLS, ONE, SHARE, cells_in, first_of
from players.organism.words import BITS

CONSUMPTION = 0.3  # paper: the reduction rate
TRACE = 1e-12  # our choice: less than this is nothing; processors are slow with the tiniest numbers
_REST = 1.0 - CONSUMPTION


@kernel
def diffuse(organism, mediator):
    """One cycle of diffusion and consumption of a mediator."""
    size, stride, words, lanes = organism.board_size, organism.stride, organism.words, organism.lanes
    base = mediator * CELLS
    if organism.absorbers and organism.count < size * size:
        _absorb(organism, base)
        return
    for w in range(words):
        p = stride + 1 + w * BITS
        # Views that begin at a neighbour, so that all loops count from 0: such loops use the processor's vectors.
        above = organism.mediator[base + p - stride : base + p - stride + BITS]
        beneath = organism.mediator[base + p + stride : base + p + stride + BITS]
        left = organism.mediator[base + p - 1 : base + p - 1 + BITS]
        right = organism.mediator[base + p + 1 : base + p + 1 + BITS]
        flow = organism.flow[p : p + BITS]
        for i in range(lanes):
            # Pairs of opposite neighbours: the sum is then the same, to the last bit, under every symmetry.
            flow[i] = (above[i] + beneath[i]) + (left[i] + right[i])
    for w in range(words):
        p = stride + 1 + w * BITS
        kept, share, flow = organism.kept[p : p + BITS], organism.share[p : p + BITS], organism.flow[p : p + BITS]
        amount = organism.mediator[base + p : base + p + BITS]
        for i in range(lanes):
            stays = _REST * (kept[i] * amount[i] + share[i] * flow[i])
            amount[i] = stays if stays > TRACE else 0.0


@kernel
def _absorb(organism, base):
    """The same among cells alone: they give to neighbours that are cells, and where no cell is an amount waits for one."""
    stride, there = organism.stride, organism.there
    amount = organism.mediator[base : base + CELLS]
    for p in range(stride + 1, organism.board_size * (stride + 1) + 1):
        if there[p] == 0.0:
            organism.flow[p] = amount[p]
            continue
        north, south, west, east = there[p - stride], there[p + stride], there[p - 1], there[p + 1]
        kept = 1.0 - SHARE * ((north + south) + (west + east))
        come = (north * amount[p - stride] + south * amount[p + stride]) + (west * amount[p - 1] + east * amount[p + 1])
        stays = _REST * (kept * amount[p] + SHARE * come)
        organism.flow[p] = stays if stays > TRACE else 0.0
    for p in range(stride + 1, organism.board_size * (stride + 1) + 1):
        amount[p] = organism.flow[p]


@kernel
def note_cells(organism):
    """Write down where cells are, as numbers."""
    for p in range(organism.stride + 1, organism.board_size * (organism.stride + 1) + 1):
        organism.there[p] = 0.0
    for w in range(organism.words):
        bits = cells_in(organism, w)
        while bits:
            organism.there[first_of(organism, w, bits)] = 1.0
            bits &= bits - ONE
