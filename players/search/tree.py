"""The tree: its nodes, and one simulation from the root to the result and back.

A simulation goes down the tree to a position whose moves are not in it yet, plays on by the playout policy to the end of
the game, and tells every move on its way who won. A move is worth the mean of its games, the games of its prior among
them, mixed with the mean of all games in which the same side played that point at any later time (AMAF, all moves as
first: sooner known, and less to be trusted). When a position has been met often enough, its moves join the tree.

Threads share the tree without locks (Enzenberger and Müller 2009). Each takes new nodes from a part of the array that is
its own; a move counts as visited, and so far lost, while a thread is below it (virtual loss), so that others look elsewhere;
an update that two make at once may get lost, which is too rare to matter. With one thread everything is exact.

A network (``players.expert``) may guide it: it is asked about every position whose moves join the tree. Moves that it likes
have won some games of their prior, and are tried sooner and more often for as long as they were tried less than that (PUCT;
Rosin 2011, Silver et al. 2016); what it thinks of the position counts beside the games that are played out from there, more
for a move of few games, whose mean says little, than for one of many.

Nothing is allocated while it runs: nodes come from one array, and when a thread's part is used up its tree grows no more.
"""

import numpy as np

from engine.go.board import BLACK, EMPTY, MAX_SIZE, PASS, WHITE, cells, copy_into, is_surrounded, play
from engine.go.history import remember, take_back
from engine.go.scoring import area_score
from engine.kernels import kernel
from players.expert.features import see
from players.expert.network import look
from players.search.policy import play_out
from players.search.priors import PRIORS, think

ROOT = 0
MOST_STEPS = 200  # longest line in the tree
ASKED = 256  # nodes that can wait for a guide at once; more of them go without
SOLVED = 1e6  # games of a prior that is no opinion but a fact

# What can be tuned without compiling anew. All are our choice, by games of the search against itself with all of them strayed a
# little (SPSA: Spall 1992).
TUNING = {
    "ripe": 3.0,  # visits of a position before its moves join the tree
    "amaf_half": 2600.0,  # visits of a move after which AMAF counts much less than its own games
    "exploration": 0.0,  # how much little tried moves are preferred; the priors and AMAF make it needless
    "follow": 0.3,  # how much moves are preferred that a network likes
    "like": 15.0,  # games of a prior, all won, for a move that a network is sure of; for others by the root of their share
    "believe": 0.25,  # of a result is what the network says of the last position of the tree that it saw …
    "believe_first": 0.75,  # … and so much of the results of a move that was hardly tried yet: …
    "believe_half": 50.0,  # … when it was tried so often, halfway between the two
    "points_share": 0.05,  # of a result is for the points it is won or lost by: a decided game is still played well
    **PRIORS,
}
Tuning = np.dtype([(name, np.float64) for name in TUNING])

NODE = np.dtype(
    [
        ("point", np.int32),  # the move that leads here
        ("parent", np.int32),  # the node that it is made at
        ("first", np.int32),  # the moves from here stand in a row of nodes: where it begins, 0 as long as there are none …
        ("count", np.int32),  # … and how many they are, written last: both are set when a node has moves
        ("visits", np.int32),  # games that came by …
        ("wins", np.float32),  # … and what they gave the side that made the move: 1 at most, 0 at least for each
        ("amaf_visits", np.int32),  # the same for all games in which that side played there later
        ("amaf_wins", np.float32),
        ("prior_visits", np.float32),  # and for the games of the prior, which were never played
        ("prior_wins", np.float32),
        ("hope", np.float32),  # sum of what the network said more than the games gave, for the side that made the move
        ("points", np.float32),  # sum of the points by which its games were won, for the side that made the move
        ("share", np.float32),  # how likely the network plays the move, 0 without one …
        ("black", np.float32),  # … and how likely it says that Black wins, once the moves from here are in the tree
    ],
    align=True,
)

# What the root is about.
TASK = np.dtype(
    [
        ("colour", np.int64),  # to move
        ("last", np.int64),  # the move before, PASS if there was none
        ("before", np.int64),  # and the one before that
        ("passes", np.int64),  # how many of the moves before were passes, 1 at most
        ("needs", np.float64),  # Black wins by more than so many points of area …
        ("territory", np.int64),  # … and if 1, a stone played costs a point: territory rules
        ("all_alive", np.int64),  # 1 if every stone counts when both have passed
        ("ask_at", np.int64),  # visits of a node at which a guide is asked about it, 0 for never
    ],
    align=True,
)

# Room for one thread.
GROUND = np.dtype(
    [
        ("distance", np.int64, cells(MAX_SIZE)),
        ("queue", np.int64, cells(MAX_SIZE)),
        ("found", np.int64, 8),
        ("ladder", np.float64, cells(MAX_SIZE)),
        ("mover_at", np.uint8, cells(MAX_SIZE)),  # who was the first to play at a point in the game at hand
        ("path", np.int64, MOST_STEPS + 1),
        ("owned", np.int64, cells(MAX_SIZE)),  # games that Black owned the point at the end of, less those White did
        ("games", np.int64),  # and of how many
        ("asked", np.int64, ASKED),  # nodes that a guide is to be asked about …
        ("asking", np.int64),  # … and how many they are
    ],
    align=True,
)
MOVE = np.dtype([("point", np.int64), ("visits", np.float64), ("wins", np.float64), ("share", np.float64)])


def new_tuning(**changes):
    """The numbers of TUNING as kernels take them, some of them changed."""
    tuning = np.zeros(1, Tuning).view(np.recarray)
    for name, value in {**TUNING, **changes}.items():
        tuning[name] = value
    return tuning[0]


@kernel
def _descend(nodes, node, tuning, follow, hope):
    """The node of the move to try next at ``node``. ``hope``: of the network's word beyond what results hold."""
    first, count = nodes[node].first, nodes[node].count
    push = tuning.exploration * np.sqrt(np.log(np.float64(nodes[node].visits + 1)))
    pull = follow * np.sqrt(np.float64(nodes[node].visits))
    half = tuning.amaf_half
    best, best_value = first, -1.0
    for child in range(first, first + count):
        it = nodes[child]
        visits = np.float64(it.visits) + it.prior_visits
        amaf_visits = np.float64(it.amaf_visits)
        value = (it.wins + it.prior_wins) / visits
        if hope > 0:
            value += hope * tuning.believe_half / (tuning.believe_half + it.visits) * it.hope / visits
        if amaf_visits > 0:
            trust = amaf_visits / (visits + amaf_visits + visits * amaf_visits / half)
            value += trust * (it.amaf_wins / amaf_visits - value)
        if push > 0:
            value += push / np.sqrt(visits)
        if pull > 0:
            value += pull * it.share / (1.0 + it.visits)
        if value > best_value:
            best, best_value = child, value
    return best


@kernel
def _grow(nodes, pool, node, moves, count):
    """Add ``moves`` to the tree as the moves from ``node``; ``pool`` [used, end] is the thread's part of the nodes."""
    first = pool[0]
    for i in range(count):
        it = nodes[first + i]
        it.point = moves[i].point
        it.parent = node
        it.first = it.count = it.visits = it.amaf_visits = 0
        it.wins = it.amaf_wins = it.hope = it.points = 0.0
        it.prior_visits = moves[i].visits
        it.prior_wins = moves[i].wins
        it.share = moves[i].share
    pool[0] = first + count
    nodes[node].first = first
    nodes[node].count = count


@kernel
def result(margin, points, points_share):
    """What it gives Black to win by ``margin`` points: 1 at most, 0 at least, and more than half if it wins."""
    won = 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
    share = min(max(0.5 + margin / (2 * points), 0.0), 1.0)
    return (1.0 - points_share) * won + points_share * share


@kernel
def _solve_pass(position, mover, task, extra, tuning, move):
    """Make the prior of a pass that ends the game, in which all stones count, what it is known to give."""
    margin = area_score(position) - task.needs - task.territory * extra
    black = result(margin, position.board_size * position.board_size, tuning.points_share)
    move.visits = SOLVED
    move.wins = SOLVED * (black if mover == BLACK else 1.0 - black)


@kernel
def _advise(network, sight, position, history, mover, last, before, needs, like, work, moves, count):
    """Write to ``moves`` how likely the network plays them, and to their priors; how likely it says that Black wins.

    Black ``needs`` more points than that to win.
    """
    see(position, history, mover, last, before, work, sight.found, sight.bits)
    look(network, sight, position.board_size, needs if mover == BLACK else -needs)
    for i in range(count):
        moves[i].share = sight.policy[moves[i].point]
        more = like * np.sqrt(moves[i].share)
        moves[i].visits += more
        moves[i].wins += more
    return sight.win if mover == BLACK else np.float32(1) - sight.win


@kernel
def _count(position, ground):
    """Black's area less White's at the end of a game that was played out; notes who owns what."""
    size, stride = position.board_size, position.stride
    score = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            colour = position.colour[p]
            if colour == EMPTY:
                owner = np.int64(is_surrounded(position, p, BLACK)) - np.int64(is_surrounded(position, p, WHITE))
            else:
                owner = np.int64(1 if colour == BLACK else -1)
            ground.owned[p] += owner
            score += owner
    ground.games += 1
    return score


@kernel
def _tell(nodes, path, depth, mover, black, hope, margin, mover_at):
    """Tell the nodes of ``path``, visited already, what a game gave Black, and how much more the network had said.

    ``mover`` is to move at its last node.
    """
    for step in range(depth, -1, -1):
        node = nodes[path[step]]
        won = np.float32(black if mover == BLACK else 1.0 - black)
        for child in range(node.first, node.first + node.count):
            it = nodes[child]
            counts = mover_at[it.point] == mover
            it.amaf_visits += counts  # without a branch, which could not be predicted
            it.amaf_wins += won if counts else np.float32(0.0)
        mover = 3 - mover
        node.wins += np.float32(1.0) - won
        node.hope += np.float32(hope if mover == BLACK else -hope)
        node.points += np.float32(margin if mover == BLACK else -margin)
        if node.point != PASS:
            mover_at[node.point] = mover


@kernel
def simulate(
    root, position, history, nodes, pool, task, policy, weighed, tuning, work, moves, ground, rng, simulations, stop,
    network, sight,
):  # fmt: skip
    """Make so many simulations from ``root``, fewer if ``stop`` [0] is set meanwhile; how many.

    ``network`` and ``sight`` are None if no network guides it.
    """
    size = root.board_size
    n = cells(size)
    path, mover_at = ground.path, ground.mover_at
    ripe = np.int64(tuning.ripe)
    follow = believe = more = 0.0
    if network is not None:
        follow, believe, more = tuning.follow, tuning.believe, tuning.believe_first - tuning.believe
    for made in range(simulations):
        if stop[0]:
            return made
        copy_into(root, position)
        mover_at[:n] = 0
        node, mover, depth = np.int64(ROOT), task.colour, 0
        last, before, passes = task.last, task.before, task.passes
        extra = np.int64(0)  # stones that Black has played more than White since the root
        expected = 0.0  # Black's chance of winning, says the network
        path[0] = ROOT
        nodes[ROOT].visits += 1
        while passes < 2 and depth < MOST_STEPS:
            if nodes[node].count == 0 or nodes[node].first == 0:
                if node != ROOT and nodes[node].visits <= ripe or pool[0] + position.empty_count + 1 > pool[1]:
                    break
                count = think(position, history, mover, last, task.territory, tuning, work, ground, moves)
                if passes == 1 and task.all_alive:
                    _solve_pass(position, mover, task, extra, tuning, moves[count - 1])
                if network is not None:
                    needs = task.needs + task.territory * extra
                    nodes[node].black = _advise(
                        network, sight, position, history, mover, last, before, needs, tuning.like, work, moves, count
                    )
                _grow(nodes, pool, node, moves, count)
            expected = np.float64(nodes[node].black)
            node = np.int64(_descend(nodes, node, tuning, follow, more))
            p = np.int64(nodes[node].point)
            depth += 1
            path[depth] = node
            nodes[node].visits += 1
            if nodes[node].visits == task.ask_at and ground.asking < ASKED:
                ground.asked[ground.asking] = node
                ground.asking += 1
            play(position, p, mover)
            remember(position, history, mover)
            if p == PASS:
                passes += 1
            else:
                passes = 0
                extra += 1 if mover == BLACK else -1
            before, last = last, p
            mover = 3 - mover
        is_played_out = False
        if passes == 2 and task.all_alive:
            score = area_score(position)
        else:
            play_out(position, mover, last, before, policy, weighed, rng, mover_at)
            score = _count(position, ground)
            is_played_out = True
        margin = score - task.needs - task.territory * extra
        for _ in range(depth):
            take_back(history)
        black = result(margin, size * size, tuning.points_share)
        hope = 0.0
        if network is not None and is_played_out and depth > 0:
            hope = expected - black
        _tell(nodes, path, depth, mover, black + believe * hope, hope, margin, mover_at)
    return simulations


@kernel
def transplant(nodes, top, target):
    """Copy the tree below the node ``top`` to ``target``, its root first, as far as there is room; how many nodes."""
    target[0] = nodes[top]
    target[0].parent = 0
    used, done = 1, 0
    while done < used:
        it = target[done]
        first, count = np.int64(it.first), np.int64(it.count)
        it.first = it.count = 0
        if first and count and used + count <= len(target):
            it.first, it.count = used, count
            for i in range(count):
                target[used + i] = nodes[first + i]
                target[used + i].parent = done
            used += count
        done += 1
    return used
