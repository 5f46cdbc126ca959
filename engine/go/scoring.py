"""What a position is worth: area and territory, unconditional life, and an estimate of who owns what.

    area_score            stones and surrounded points, every stone taken as alive (CGOS and the papers)
    territory_score       surrounded points and prisoners, once the dead stones are said
    judged_score          territory by unconditional life alone, when nobody says which stones are dead
    unconditional_life    Benson's algorithm: what lives even if its owner always passes
    safe_territory        the same for both sides, with the points inside
    ownership             who gets each point in the end, from playouts that respect seki
    dead_stones           the stones that playouts hold for dead: a quick form of ``engine.go.death`` while a game goes on

D. B. Benson, "Life in the game of Go", Information Sciences 10 (1976).
"""

import numpy as np

from engine.go import board
from engine.go.board import BLACK, EDGE, EMPTY, MOST_CELLS, PASS, WHITE, cells
from engine.go.playout import is_playable
from engine.go.rng import below, new_stream
from engine.kernels import kernel
from engine.stack import array_on_stack

OWNERSHIP_PLAYOUTS = 400  # the error of a mean of 400 draws is below 0.05
# A chain is dead when the enemy owns its points clearly more often than not. No less will do: in a large territory even
# a plainly dead stone lives in many random games. On finished games this agrees with GNU Go.
DEAD_BELOW = -0.12


# Points surrounded by one colour


@kernel
def mark_territory(position, owner):
    """Write to ``owner`` (int8 by cell) the colour that alone surrounds each empty point, 0 if none or both do."""
    size, stride = position.board_size, position.stride
    n = cells(size)
    owner[:n] = -1
    region = array_on_stack(MOST_CELLS, np.int64)
    for start in range(stride + 1, n - stride):
        if position.colour[start] != EMPTY or owner[start] >= 0:
            continue
        owner[start] = 0
        region[0] = start
        count = 1
        done = 0
        touched = 0
        while done < count:
            p = region[done]
            done += 1
            for q in (p - stride, p - 1, p + 1, p + stride):
                colour = position.colour[q]
                if colour == EMPTY:
                    if owner[q] < 0:
                        owner[q] = 0
                        region[count] = q
                        count += 1
                elif colour != EDGE:
                    touched |= colour
        if touched == BLACK or touched == WHITE:
            for i in range(count):
                owner[region[i]] = touched
    for p in range(n):
        if owner[p] < 0:
            owner[p] = 0


@kernel
def area_score(position):
    """Black's stones and territory less White's, all stones alive; no komi."""
    size, stride = position.board_size, position.stride
    owner = np.empty(cells(size), np.int8)
    mark_territory(position, owner)
    score = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            holder = position.colour[p] if position.colour[p] != EMPTY else owner[p]
            score += (holder == BLACK) - (holder == WHITE)
    return score


def without(position, dead):
    """A copy with the given stones taken off (nobody is credited with them)."""
    if len(dead) == 0:
        return board.copy(position)
    gone = set(map(int, dead))
    bare = board.new_position(int(position.board_size))
    for p in map(int, board.board_points(int(position.board_size))):
        if position.colour[p] != EMPTY and p not in gone:
            board.place(bare, p, int(position.colour[p]))
    return bare


def territory_score(position, dead=(), seki=()):
    """Black's territory and prisoners less White's; ``dead`` stones become prisoners first. No komi.

    What stones that live in ``seki`` surround is nobody's.
    """
    score = int(position.black_captures - position.white_captures)
    for p in set(map(int, dead)):
        score += 1 if position.colour[p] == WHITE else -1 if position.colour[p] == BLACK else 0
    owner = np.empty(board.cells(int(position.board_size)), np.int8)
    bare = without(position, dead)
    mark_territory(bare, owner)
    _open_eyes(bare, owner, seki)
    return score + int((owner == BLACK).sum() - (owner == WHITE).sum())


def _open_eyes(position, owner, seki):
    """Make the empty regions beside the given stones nobody's."""
    stride = int(position.stride)
    todo = list(map(int, seki))
    while todo:
        p = todo.pop()
        for q in (p - stride, p - 1, p + 1, p + stride):
            if owner[q] != 0:
                owner[q] = 0
                todo.append(q)


# Unconditional life


@kernel
def _spread(points, within):
    """Grow a set of points to all that are connected to it ``within`` another set; both a word a row, one row around."""
    changed = True
    while changed:
        changed = False
        for k in range(2 * points.size - 4):  # all rows downwards and then upwards, so that twice is often enough
            row = k + 1 if k < points.size - 2 else 2 * points.size - 4 - k
            here = points[row]
            grown = here | (points[row - 1] | points[row + 1]) & within[row]
            while True:
                wider = grown | (grown << np.uint32(1) | grown >> np.uint32(1)) & within[row]
                if wider == grown:
                    break
                grown = wider
            if grown != here:
                points[row] = grown
                changed = True


@kernel
def _may_live(position, colour):
    """Whether there are two regions in which every empty point touches ``colour``: without them nothing lives for certain.

    A quick no in most positions of a game.
    """
    size, stride = position.board_size, position.stride
    own, empty, rest, reached = np.zeros((4, size + 2), np.uint32)  # sets of points: a word a row, a bit a column
    for row in range(1, size + 1):
        bit = np.uint32(1)
        for p in range(row * stride + 1, row * stride + size + 1):
            stone = position.colour[p]
            if stone == colour:
                own[row] |= bit
            else:
                rest[row] |= bit
                if stone == EMPTY:
                    empty[row] |= bit
            bit <<= np.uint32(1)
    for row in range(1, size + 1):  # empty points that touch no stone of the colour: they spoil all of their region
        beside = own[row] << np.uint32(1) | own[row] >> np.uint32(1) | own[row - 1] | own[row + 1]
        reached[row] = empty[row] & ~beside
    _spread(reached, rest)
    first = 0
    for row in range(1, size + 1):
        rest[row] &= ~reached[row]
        reached[row] = 0
        if first == 0 and rest[row]:
            first = row
    if first == 0:
        return False
    reached[first] = rest[first] & (~rest[first] + np.uint32(1))  # one of the points that are left, and then its region
    _spread(reached, rest)
    for row in range(1, size + 1):
        if reached[row] != rest[row]:
            return True
    return False


@kernel
def unconditional_life(position, colour, alive, territory):
    """Benson's algorithm for one colour, into two uint8 masks by cell.

    ``alive`` marks the stones of chains that live even if their owner always passes; ``territory`` the points of the
    regions they enclose in which the enemy cannot live (every empty point touches one and the same living chain).
    """
    size, stride = position.board_size, position.stride
    n = cells(size)
    alive[:n] = 0
    territory[:n] = 0
    if not _may_live(position, colour):
        return
    region_of = np.zeros(n, np.int16)  # from 1; 0 where the point belongs to no region
    # Pairs (region, chain that borders it), and whether the region is vital to the chain.
    pair_region = np.empty(4 * n, np.int16)
    pair_chain = np.empty(4 * n, np.int16)
    pair_vital = np.empty(4 * n, np.uint8)
    pairs = 0
    regions = 0
    queue = np.empty(n, np.int64)
    touches = np.zeros(n, np.int64)  # by chain: how many empty points of the current region touch it
    pair_of = np.zeros(n, np.int64)  # by chain: 1 + its pair with the current region
    for start in range(stride + 1, n - stride):
        if position.colour[start] == colour or position.colour[start] == EDGE or region_of[start]:
            continue
        regions += 1
        region_of[start] = regions
        queue[0] = start
        count = 1
        done = 0
        room = 0
        first_pair = pairs
        while done < count:
            p = queue[done]
            done += 1
            is_empty = position.colour[p] == EMPTY
            room += is_empty
            # A chain may touch one point from several sides; it counts once.
            seen_0 = seen_1 = seen_2 = np.int64(0)
            for q in (p - stride, p - 1, p + 1, p + stride):
                if position.colour[q] == colour:
                    chain = np.int64(position.chain[q])
                    if pair_of[chain] <= first_pair:
                        pair_region[pairs] = regions
                        pair_chain[pairs] = chain
                        pairs += 1
                        pair_of[chain] = pairs
                        touches[chain] = 0
                    if is_empty and chain != seen_0 and chain != seen_1 and chain != seen_2:
                        touches[chain] += 1
                        seen_0, seen_1, seen_2 = chain, seen_0, seen_1
                elif position.colour[q] != EDGE and region_of[q] == 0:
                    region_of[q] = regions
                    queue[count] = q
                    count += 1
        for i in range(first_pair, pairs):
            pair_vital[i] = touches[pair_chain[i]] == room
    if pairs == 0:
        return
    sound = np.ones(regions + 1, np.uint8)  # regions bordered only by chains still thought alive
    vital = np.zeros(n, np.int64)  # by chain: how many sound regions are vital to it
    changed = True
    while changed:
        changed = False
        for i in range(pairs):
            vital[pair_chain[i]] = 0
        for i in range(pairs):
            if pair_vital[i] and sound[pair_region[i]]:
                vital[pair_chain[i]] += 1
        for i in range(pairs):
            if vital[pair_chain[i]] < 2 and sound[pair_region[i]]:
                sound[pair_region[i]] = 0
                changed = True
    enclosed = np.zeros(regions + 1, np.uint8)
    for i in range(pairs):
        if pair_vital[i] and sound[pair_region[i]]:
            enclosed[pair_region[i]] = 1
    for p in range(stride + 1, n - stride):
        if position.colour[p] == colour:
            alive[p] = vital[position.chain[p]] >= 2
        elif region_of[p]:
            territory[p] = enclosed[region_of[p]]


@kernel
def safe_territory(position, owner):
    """Write to ``owner`` (int8 by cell) whose every point is for certain, 0 where that is open; how many are."""
    n = cells(position.board_size)
    alive = np.empty(n, np.uint8)
    territory = np.empty(n, np.uint8)
    owner[:n] = 0
    settled = 0
    for colour in (BLACK, WHITE):
        unconditional_life(position, colour, alive, territory)
        for p in range(n):
            if alive[p] or territory[p]:
                owner[p] = colour
                settled += 1
    return settled


# Estimates from playouts


@kernel
def judged_score(position):
    """Black's territory and prisoners less White's without asking anybody; no komi.

    Stones inside a region that the other side's unconditionally living chains enclose, so that they cannot live there, are
    dead; all others are alive. Training games that are counted by territory end so.
    """
    size, stride = position.board_size, position.stride
    n = cells(size)
    owner = np.empty(n, np.int8)
    safe_territory(position, owner)
    score = position.black_captures - position.white_captures
    taken = np.zeros(n, np.uint8)
    for p in range(stride + 1, n - stride):
        colour = position.colour[p]
        if (colour == BLACK or colour == WHITE) and owner[p] != 0 and owner[p] != colour:
            taken[p] = colour
            position.colour[p] = EMPTY  # for the next step only
            score += 1 if colour == WHITE else -1
    mark_territory(position, owner)
    for p in range(stride + 1, n - stride):
        score += (owner[p] == BLACK) - (owner[p] == WHITE)
        if taken[p]:
            position.colour[p] = taken[p]
    return score


@kernel
def throws_away(position, p, colour, safe):
    """Whether a legal move at ``p`` puts stones in atari to no purpose. Playouts that settle a position never do so.

    Putting one's own stones in atari makes sense only to kill inside an eye: what is captured must leave an eye space
    that is too small or has one vital point (or is bent in the corner, where a ko is left), and the captors must neither
    have an eye elsewhere nor be connected to chains that live anyway (``safe``, as ``safe_territory`` writes it). In a
    seki that is not so, and it stays.
    """
    if board.liberties_after(position, p, colour, 2) >= 2:
        return False
    stride = position.stride
    stones = np.empty(7, np.int64)
    stones[0] = p
    count = 1
    done = 0
    links = 0
    most = 0
    bent_in_corner = False
    while done < count:
        s = stones[done]
        done += 1
        degree = 0
        edges = 0
        for q in (s - stride, s - 1, s + 1, s + stride):
            if q == p or position.colour[q] == colour:
                degree += 1
                known = False
                for i in range(count):
                    known = known or stones[i] == q
                if not known:
                    if count == 6:
                        return True
                    stones[count] = q
                    count += 1
            elif position.colour[q] == EDGE:
                edges += 1
            elif position.colour[q] == safe[q] and safe[q] != EMPTY:
                return True
        bent_in_corner = bent_in_corner or (edges == 2 and degree == 2)
        links += degree
        most = max(most, degree)
    if count == 4:
        kills = most == 3 or links == 8 or bent_in_corner  # pyramid or square
    elif count == 5:
        kills = most == 4 or links == 10  # cross or bulky five
    elif count == 6:
        kills = most == 4 and links == 14  # rabbity six
    else:
        return False  # so few may be thrown in to spoil an eye
    return not kills or _has_eye_around(position, stones[:count], 3 - colour)


@kernel
def _has_eye_around(position, stones, colour):
    """Whether a chain of ``colour`` that touches ``stones`` has an eye of a single point."""
    stride = position.stride
    for s in stones:
        for neighbour in (s - stride, s - 1, s + 1, s + stride):
            if position.colour[neighbour] != colour:
                continue
            stone = np.int64(neighbour)
            while True:
                for q in (stone - stride, stone - 1, stone + 1, stone + stride):
                    if position.colour[q] == EMPTY and board.is_eye(position, q, colour):
                        return True
                stone = np.int64(position.next_stone[stone])
                if stone == neighbour:
                    break
    return False


@kernel
def _settle(position, colour, safe, rng):
    """Play sensible random moves in place until neither side has one left."""
    passes = 0
    moves = 0
    limit = 3 * position.board_size * position.board_size
    while passes < 2 and moves < limit:
        left = position.empty_count
        choice = PASS
        while left > 0:
            index = below(rng, left)
            p = np.int64(position.empties[index])
            if is_playable(position, p, colour) and not throws_away(position, p, colour, safe):
                choice = p
                break
            left -= 1
            board.swap_empties(position, index, left)
        passes = 0 if choice != PASS else passes + 1
        board.play(position, choice, colour)
        colour = 3 - colour
        moves += 1


@kernel
def _sum_ownership(position, scratch, playouts, safe, rng, total, neutral):
    n = cells(position.board_size)
    owner = np.empty(n, np.int8)
    for i in range(playouts):
        board.copy_into(position, scratch)
        _settle(scratch, BLACK + i % 2, safe, rng)
        mark_territory(scratch, owner)
        for p in range(n):
            colour = scratch.colour[p] if scratch.colour[p] != EMPTY else owner[p]
            total[p] += (colour == BLACK) - (colour == WHITE)
            neutral[p] += colour == EMPTY


def ownership(position, playouts=OWNERSHIP_PLAYOUTS):
    """Who owns each cell in the end, +1 Black's to -1 White's, by ``playouts`` games begun by either side in turn.

    What is unconditionally settled is exact. The stream is made from the position, so the same position always gets
    the same answer.
    """
    return expectations(position, playouts)[0]


def expectations(position, playouts):
    """The ownership, and by cell in what share of the games nobody could have it in the end."""
    n = board.cells(int(position.board_size))
    total, neutral = np.zeros(n), np.zeros(n)
    rng = new_stream(int(position.hash), int(position.ko))
    safe = np.empty(n, np.int8)
    safe_territory(position, safe)
    _sum_ownership(position, board.new_position(int(position.board_size)), playouts, safe, rng, total, neutral)
    total /= playouts
    total[safe == BLACK] = 1.0
    total[safe == WHITE] = -1.0
    neutral /= playouts
    neutral[safe != EMPTY] = 0.0
    return total, neutral


def dead_stones(position, owner=None):
    """The stones of chains that the enemy owns in the end, as a sorted list of points.

    ``owner`` is an ownership by cell from a better judge; without it, playouts decide. Stones in seki are alive.
    """
    if owner is None:
        owner = ownership(position)
    sums, dead = {}, []
    stones = [int(p) for p in board.board_points(int(position.board_size)) if position.colour[p] != EMPTY]
    for p in stones:
        sign = 1 if position.colour[p] == BLACK else -1
        chain = int(position.chain[p])
        sums[chain] = sums.get(chain, 0.0) + sign * owner[p]
    for p in stones:
        chain = int(position.chain[p])
        if sums[chain] / position.stones[chain] < DEAD_BELOW:
            dead.append(p)
    return dead
