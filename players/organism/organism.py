"""The life of one organism as kernels (Section IV.C): cells, their states, mediators, growth, and the choice of a move.

Where the paper is silent:
    * The zygote is an Empty cell of size 0 at the centre; on an even board at the one of the four central points that is
      down and right.
    * Mediators lie on the intersections, and only cells read and release them. An amount is never below 0 or above
      MOST_MEDIATOR. In a cycle a quarter of the half that diffuses goes to each neighbour; what would leave the board
      stays; then 30% of what lies on each intersection is consumed.
    * A cycle: every cell that is there at its beginning runs all rules in order. What a rule does to its own cell is seen
      by the cell's next rules; a cell that moves or dies runs no further rules in this cycle.
    * A cell may move or replicate only to a point where no cell was at the beginning of the cycle; otherwise nothing
      happens. ``replicate`` puts a clone on the closest such point, and if several are equally close, on all of them.
      The clone of a stone is an Empty cell. Stones neither move nor die.
    * Newcomers arrive at the end of the cycle. Those that meet on one point become one cell, of the largest size among
      them, in state Move if any of them is.

What this guarantees: within a cycle cells see only their own intersection, and all that they do to others is put together by
maximum, so that the order of the cells does not matter at all. An organism whose program has no directions is mapped to
itself, to the last bit, by every symmetry of board and stones that leaves its zygote where it is: all eight of an odd
board. Directions break the symmetry just as far as the program says.

Some of this can be otherwise (``habits.py``): the paper can be read in more than one way, and which reading plays best is
measured, not argued. With clones on one point alone, their order too breaks the symmetry.
"""

import numpy as np

from engine.go.board import PASS
from engine.go.history import may_play
from engine.go.rng import below
from engine.kernels import kernel
from players.organism.cells import BIT, CELLS, NONE, ONE, WORDS, cells_in, first_of, stones_in, within
from players.organism.growth import come_and_go, replicate, step
from players.organism.mediators import diffuse, note_cells
from players.organism.program import (
    CHANGE_SIZE,
    CHANGE_STATE,
    DIE,
    EMPTY_CELL,
    IS_LARGER,
    IS_STATE,
    MEDIATORS,
    MOVE,
    MOVE_CELL,
    OPPONENT_STONE,
    OWN_STONE,
    REGIONS,
    RELEASE,
    REPLICATE,
    STAGES,
)
from players.organism.words import BITS, above, same

MOST_MEDIATOR = 1000.0  # our choice: everything stays finite


@kernel
def live(organism, rules, cycles):
    """Let the organism live for so many cycles.

    Rule by rule, not cell by cell: the same, because cells see only their own intersection, and processors do it faster.
    """
    for _ in range(cycles):
        if organism.words == 1:  # said as a constant, no loop over words is left
            _cycle(organism, rules, 1)
        else:
            _cycle(organism, rules, organism.words)


@within
def _cycle(organism, rules, words):
    """One cycle of an organism whose sets have so many words."""
    for w in range(words):
        organism.busy[w] = cells_in(organism, w)
        organism.free[w] = organism.board[w] & ~organism.busy[w]
    full = organism.count == organism.board_size * organism.board_size  # then nothing can move or replicate
    stirred = False
    for i in range(rules.size):
        rule, first = rules[i], i * words
        off = 0 < rule.part < REGIONS[0] and rule.part != organism.stage
        if off or full and MOVE <= rule.action <= REPLICATE:
            for w in range(words):
                organism.fired[first + w] = NONE
            continue
        if _test(organism, rule, first, words) and _act(organism, rule, first, words):
            stirred = True
    if stirred:
        come_and_go(organism, words)
    if organism.absorbers and organism.count < organism.board_size * organism.board_size:
        note_cells(organism)
    for m in range(MEDIATORS):
        if organism.smelt[m]:
            diffuse(organism, m)


@within
def _asked(organism, rule, w):
    """The cells of a word that a rule is for."""
    if rule.part < REGIONS[0]:
        return organism.busy[w]
    return organism.busy[w] & organism.regions[(rule.part - REGIONS[0]) * WORDS + w]


@within
def _test(organism, rule, first, words):
    """Write down for which cells a rule fires, from entry ``first`` of ``fired`` on; whether there are any."""
    fired = organism.fired
    if rule.condition == IS_STATE:
        found = NONE
        for w in range(words):
            bits = _asked(organism, rule, w) & organism.is_state[rule.subject * WORDS + w]
            fired[first + w] = bits
            found |= bits
        return found != NONE
    start, threshold = organism.stride + 1, rule.threshold
    found = NONE
    for w in range(words):
        if rule.condition == IS_LARGER:
            bits = above(organism.cell_size, start + w * BITS, threshold)
        else:
            bits = above(organism.mediator, rule.subject * CELLS + start + w * BITS, threshold)
        bits &= _asked(organism, rule, w)
        fired[first + w] = bits
        found |= bits
    return found != NONE


@within
def _act(organism, rule, first, words):
    """The action of a rule in all cells for which it fires; whether a cell is to come or go."""
    fired = organism.fired
    if rule.action == CHANGE_STATE:
        if rule.object <= MOVE_CELL:
            new, old = rule.object * WORDS, (EMPTY_CELL + MOVE_CELL - rule.object) * WORDS
            for w in range(words):
                changed = fired[first + w] & organism.is_state[old + w]
                organism.is_state[new + w] |= changed
                organism.is_state[old + w] &= ~changed
        return False
    if rule.action == CHANGE_SIZE or rule.action == RELEASE:
        _change(organism, rule, first, words)
        return False
    if rule.action == DIE:
        found = NONE
        for w in range(words):
            gone = fired[first + w] & ~stones_in(organism, w)
            organism.leaves[w] |= gone
            organism.busy[w] &= ~gone
            found |= gone
        return found != NONE
    if rule.action == REPLICATE:
        return replicate(organism, first)
    return step(organism, rule, first, words)


@within
def _change(organism, rule, first, words):
    """Set the sizes, or add to the amounts, of all cells for which the rule fires."""
    amount, lanes = rule.amount, organism.lanes
    release = rule.action == RELEASE
    if release and amount > 0.0:
        organism.smelt[rule.object] = 1
    for w in range(words):
        bits = organism.fired[first + w]
        p = organism.stride + 1 + w * BITS
        if release:
            p += rule.object * CELLS
            here = organism.mediator[p : p + BITS]
            for i in range(lanes):
                more = here[i] + amount if bits & BIT[i] else here[i]
                more = more if more > 0.0 else 0.0  # plain comparisons, because min and max look for nan
                here[i] = more if more < MOST_MEDIATOR else MOST_MEDIATOR
        else:
            here = organism.cell_size[p : p + BITS]
            for i in range(lanes):
                here[i] = amount if bits & BIT[i] else here[i]


@kernel
def see(organism, position, own):
    """The external update: stones force the states of their cells, and where stones were taken the cell is Empty.

    ``own`` is the colour that the organism plays. A cell comes to be where a stone has none; others keep their size.
    """
    start, states = organism.stride + 1, organism.is_state
    points = organism.board_size * organism.board_size
    organism.stage = STAGES[0] + min(2, 3 * (points - position.empty_count) // points)
    for w in range(organism.words):
        here = start + w * BITS
        mine = same(position.colour, here, own) & organism.board[w]
        its = same(position.colour, here, 3 - own) & organism.board[w]
        stones = mine | its
        come = stones & ~cells_in(organism, w)
        while come:
            organism.cell_size[first_of(organism, w, come)] = 0.0
            organism.count += 1
            come &= come - ONE
        taken = stones_in(organism, w) & ~stones
        states[EMPTY_CELL * WORDS + w] = (states[EMPTY_CELL * WORDS + w] & ~stones) | taken
        states[MOVE_CELL * WORDS + w] &= ~stones
        states[OWN_STONE * WORDS + w] = mine
        states[OPPONENT_STONE * WORDS + w] = its


@kernel
def choose_move(organism, position, history, own, rng):
    """The legal point of the largest Move cell, one of them at random if several are as large, or PASS."""
    best = np.int64(PASS)
    ties = 0
    largest = 0.0
    for w in range(organism.words):
        bits = organism.is_state[MOVE_CELL * WORDS + w]
        while bits:
            p = first_of(organism, w, bits)
            bits &= bits - ONE
            if (ties > 0 and organism.cell_size[p] < largest) or not may_play(position, history, p, own):
                continue
            if ties == 0 or organism.cell_size[p] > largest:
                largest = organism.cell_size[p]
                ties = 0
            ties += 1
            if below(rng, ties) == 0:
                best = np.int64(p)
    return best
