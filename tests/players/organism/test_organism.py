"""The organism on hand-made programs: worked examples of diffusion, every condition and action, growth, symmetry."""

import numpy as np
import pytest

from engine.go import board
from engine.go.board import BLACK, PASS, WHITE, board_points, new_position, point
from engine.go.history import begin, new_history
from engine.go.rng import new_stream
from engine.go.rules import JAPANESE
from engine.go.scoring import judged_score, territory_score
from players.organism import breeding
from players.organism.analysis import without_dead
from players.organism import cells as kernels
from players.organism.cells import amounts, fired, new_organism, put_cell
from players.organism.habits import Nature
from players.organism.mediators import diffuse
from players.organism.organism import choose_move, live, see
from players.organism.program import (
    CHANGE_SIZE,
    EMPTY_CELL,
    MOVE,
    MOVE_CELL,
    NO_CELL,
    OPPONENT_STONE,
    OWN_STONE,
    RELEASE,
    REPLICATE_TO,
    flat,
    from_text,
)
from tests.diagrams import mark, position_of

_SIGNS = {NO_CELL: ".", EMPTY_CELL: "e", MOVE_CELL: "m", OWN_STONE: "X", OPPONENT_STONE: "O"}


def program(*lines):
    return flat(from_text(lines))


def grown(size, cycles, *lines):
    organism = new_organism(size)
    live(organism, program(*lines), cycles)
    return organism


def states(organism):
    size = int(organism.board_size)
    signs = "".join(_SIGNS[int(state)] for state in kernels.states(organism)[board_points(size)])
    return "/".join(signs[i : i + size] for i in range(0, size * size, size))


def grid(organism, mediator):
    size = int(organism.board_size)
    return amounts(organism, mediator)[board_points(size)].reshape(size, size)


def checked(organism):
    """The organism, once its count and its bounds are seen to be right."""
    points = board_points(int(organism.board_size))
    assert organism.count == (kernels.states(organism) != NO_CELL).sum() == (kernels.states(organism)[points] != NO_CELL).sum()
    assert np.isfinite(organism.mediator[points]).all() and not organism.arrives[: organism.words].any()
    return organism


# Mediators


def put(organism, mediator, p, amount):
    organism.mediator[mediator * (len(organism.mediator) // 5) + p] = amount
    organism.smelt[mediator] = 1


@pytest.mark.parametrize(
    "col, row, neighbours", [(1, 1, 4), (0, 1, 3), (0, 0, 2), (2, 2, 2), (1, 2, 3)]
)
def test_half_diffuses_and_three_tenths_are_consumed(col, row, neighbours):
    organism = new_organism(3)
    put(organism, 2, point(3, col, row), 8.0)
    diffuse(organism, 2)
    after = grid(organism, 2)
    assert after[row, col] == pytest.approx(0.7 * (8.0 - neighbours))  # what would leave the board stays
    assert sorted(after.ravel())[-1 - neighbours : -1] == pytest.approx([0.7] * neighbours)
    assert after.sum() == pytest.approx(0.7 * 8.0)  # diffusion itself loses nothing
    assert (grid(organism, 1) == 0).all()


@pytest.mark.parametrize("size", [2, 5, 9])
def test_diffusion_conserves_all_but_what_is_consumed(size):
    organism = new_organism(size)
    rng = np.random.default_rng(size)
    for p in board_points(size):
        put(organism, 0, p, rng.uniform(0, 5))
    for _ in range(6):
        before = grid(organism, 0).sum()
        diffuse(organism, 0)
        assert grid(organism, 0).sum() == pytest.approx(0.7 * before)
    assert grid(organism, 0).std() < 0.5


def test_amounts_and_programs_cannot_run_away():
    lines = ["if cell is empty then release mediator 1 by 10"] * 40 + ["if mediator 1 > 5 then release mediator 2 by -9"]
    organism = checked(grown(3, 500, *lines))
    assert 0 < grid(organism, 0).max() <= 1000
    assert grid(organism, 1).min() == 0.0


# Conditions and actions: one cell in the middle of 3x3


@pytest.mark.parametrize(
    "lines, expected",
    [
        (["if cell is empty then become move"], ".../.m./..."),
        (["if cell is move then die"], ".../.e./..."),
        (["if cell is empty then become own stone"], ".../.e./..."),
        (["if cell is empty then become move", "if cell is move then become empty"], ".../.e./..."),
        (["if cell is empty then die"], ".../.../..."),
        (["if size > 0 then die"], ".../.e./..."),
        (["if size > -0.5 then die"], ".../.../..."),
        (["if cell is empty then set size to 0.6", "if size > 0.5 then become move"], ".../.m./..."),
        (["if cell is empty then set size to 0.6", "if size > 0.6 then become move"], ".../.e./..."),
        (["if mediator 1 > 0 then become move"], ".../.e./..."),
        (["if cell is empty then release mediator 1 by 0.5", "if mediator 1 > 0.4 then become move"], ".../.m./..."),
        (["if cell is empty then release mediator 1 by 0.5", "if mediator 2 > 0.4 then become move"], ".../.e./..."),
        (["if cell is empty then move north by 1"], ".e./.../..."),
        (["if cell is empty then move east by 1"], ".../..e/..."),
        (["if cell is empty then move south by 1"], ".../.../.e."),
        (["if cell is empty then move west by 1"], ".../e../..."),
        (["if cell is empty then move west by 2"], ".../.e./..."),
        (["if cell is empty then replicate north by 1"], ".e./.e./..."),
        (["if cell is empty then replicate south by 2"], ".../.e./..."),
        (["if cell is empty then replicate"], ".e./eee/.e."),
        # a clone is as the cell was then; a cell that is gone runs no further rules
        (["if cell is empty then replicate east by 1", "if cell is empty then become move"], ".../.me/..."),
        (["if cell is empty then become move", "if cell is move then replicate east by 1"], ".../.mm/..."),
        (["if cell is empty then move north by 1", "if cell is empty then replicate"], ".e./.../..."),
        (["if cell is empty then replicate north by 1", "if cell is empty then die"], ".e./.../..."),
    ],
)
def test_one_cycle(lines, expected):
    assert states(checked(grown(3, 1, *lines))) == expected


def test_newcomers_that_meet_become_one():
    organism = new_organism(3)
    for col, state, size in ((0, EMPTY_CELL, 0.7), (2, MOVE_CELL, 0.2)):
        put_cell(organism, point(3, col, 1), state, size)
    put_cell(organism, point(3, 1, 1), NO_CELL)
    live(organism, program("if cell is empty then move east by 1", "if cell is move then move west by 1"), 1)
    assert states(checked(organism)) == ".../.m./..."
    assert organism.cell_size[point(3, 1, 1)] == 0.7


def test_what_fired_is_known():
    organism = grown(5, 2, "if cell is empty then replicate east by 1", "if size > 0 then die", "if cell is empty then replicate")
    rules = program("if cell is empty then replicate east by 1", "if size > 0 then die", "if cell is empty then replicate")
    cells = kernels.states(organism) == EMPTY_CELL
    live(organism, rules, 1)
    by_rule = fired(organism, 2)
    assert (by_rule[0] == np.flatnonzero(cells)).all() and len(by_rule[1]) == 0


def test_released_mediators_reach_neighbours_in_the_next_cycle():
    lines = ("if cell is empty then release mediator 4 by 0.8", "if cell is empty then replicate")
    organism = grown(5, 1, *lines)
    assert grid(organism, 3)[2, 2] == pytest.approx(0.8 * 0.5 * 0.7)
    assert grid(organism, 3)[1, 2] == pytest.approx(0.8 * 0.125 * 0.7)


# Growth and symmetry


@pytest.mark.parametrize("size", [2, 3, 5, 6, 9, 13, 19, 25])
@pytest.mark.parametrize(
    "lines",
    [
        ["if cell is empty then replicate"],
        [f"if cell is empty then replicate {way} by 1" for way in ("north", "east", "south", "west")],
    ],
)
def test_an_organism_that_replicates_covers_any_board(size, lines):
    organism = checked(grown(size, size, *lines))
    assert organism.count == size * size


@pytest.mark.parametrize("size", [4, 5, 7, 9])
def test_clones_come_to_the_closest_free_points(size):
    """As the paper says it, one cell after the other, whatever way the kernels go."""
    generator = np.random.default_rng(size)
    points = board_points(size).tolist()
    rules = program("if size > 0.3 then replicate")
    for share in np.linspace(0.1, 0.95, 40):
        organism = new_organism(size)
        cells = {p: (int(generator.integers(1, 3)), float(generator.random())) for p in points if generator.random() < share}
        for p in points:
            put_cell(organism, p, *cells.get(p, (NO_CELL, 0.0)))
        free = [p for p in points if p not in cells]
        clones = {}
        for p, (state, extent) in cells.items():
            far = {q: sum(abs(a - b) for a, b in zip(divmod(p, size + 1), divmod(q, size + 1))) for q in free}
            for q in free:
                if extent > 0.3 and far[q] == min(far.values()):
                    clones[q] = tuple(map(max, clones.get(q, (0, 0.0)), (state, extent)))
        live(checked(organism), rules, 1)
        found = kernels.states(checked(organism))
        for p in points:
            assert (found[p], organism.cell_size[p]) == (cells | clones).get(p, (NO_CELL, 0.0))


@pytest.mark.parametrize("size", [5, 7])
def test_programs_without_directions_grow_with_all_symmetries_of_the_board(size):
    generator = np.random.default_rng(size)
    tried = 0
    while tried < 60:
        rules = breeding.random_program(generator, 12)
        if any(rule.action in (MOVE, REPLICATE_TO) for rule in rules):
            continue
        tried += 1
        organism = new_organism(size)
        # stones of both colours that all symmetries of the board leave where they are
        position = new_position(size)
        middle = size // 2
        live(organism, flat(rules), 3)
        for col, row in ((0, 0), (0, size - 1), (size - 1, 0), (size - 1, size - 1)):
            board.place(position, point(size, col, row), BLACK)
        for col, row in ((middle, 1), (1, middle), (middle, size - 2), (size - 2, middle)):
            board.place(position, point(size, col, row), WHITE)
        see(organism, position, BLACK)
        live(organism, flat(rules), 12)
        checked(organism)
        points = board_points(size)
        for values in (kernels.states(organism)[points], organism.cell_size[points], *(amounts(organism, m)[points] for m in range(5))):
            values = np.array(values).reshape(size, size)
            assert (values == values.T).all() and (values == values[::-1]).all()  # to the last bit


def test_the_order_of_directions_is_the_only_asymmetry():
    mirrored = {"north": "south", "south": "north", "east": "east", "west": "west"}
    lines = ["if cell is empty then replicate {} by 1", "if cell is empty then release mediator 1 by 0.3",
             "if mediator 1 > 0.2 then replicate {} by 2", "if mediator 1 > 0.4 then become move"]
    ways = ("north", "", "east", "")
    one = grown(7, 5, *(line.format(way) for line, way in zip(lines, ways)))
    other = grown(7, 5, *(line.format(mirrored.get(way, "")) for line, way in zip(lines, ways)))
    points = board_points(7)
    ones, others = (kernels.states(organism)[points].reshape(7, 7) for organism in (one, other))
    assert (ones == others[::-1]).all()


# Readings of the paper


@pytest.mark.parametrize(
    "size, zygote, expected",
    [
        (3, 0, ".../.e./..."),
        (4, 0, "..../..../..e./...."),
        (5, 1, "...../.e.../...../...../....."),
        (5, 2, "e..../...../...../...../....."),
        (2, 1, "../.e"),
        (3, 1, ".../.e./..."),
    ],
)
def test_where_the_zygote_is(size, zygote, expected):
    assert states(checked(new_organism(size, Nature(zygote=zygote)))) == expected


def test_one_clone_is_the_first_of_the_closest_clockwise_from_north():
    lines = ["if cell is empty then replicate"]
    organism = new_organism(3, Nature(clones=1))
    for expected in (".e./.e./...", ".ee/.ee/..."):  # the upper one goes east, the middle one east
        live(organism, program(*lines), 1)
        assert states(checked(organism)) == expected
    organism = new_organism(3, Nature(clones=1))
    for p in (point(3, 1, 0), point(3, 2, 1), point(3, 1, 2), point(3, 0, 1)):
        put_cell(organism, p, MOVE_CELL)
    live(organism, program(*lines), 1)
    assert states(checked(organism)) == ".me/mem/.m."  # nothing is free beside it; at two steps the upper right comes first
    live(organism, program(*lines), 3)
    assert states(checked(organism)) == "eme/mem/eme"


def test_cells_alone_absorb():
    """Amounts stay where no cell is, and flow between cells as they do on a board that is full of them."""
    alone = new_organism(3, Nature(absorbers=1))
    put(alone, 0, point(3, 1, 1), 8.0)
    put(alone, 0, point(3, 0, 0), 5.0)
    live(alone, program("if cell is move then die"), 1)
    assert grid(alone, 0)[1, 1] == pytest.approx(0.7 * 8.0) and grid(alone, 0)[0, 0] == 5.0
    assert grid(alone, 0).sum() == pytest.approx(0.7 * 8.0 + 5.0)
    pair = new_organism(3, Nature(absorbers=1))
    put_cell(pair, point(3, 1, 0), EMPTY_CELL)
    put(pair, 0, point(3, 1, 1), 8.0)
    live(pair, program("if cell is move then die"), 1)
    assert grid(pair, 0)[1, 1] == pytest.approx(0.7 * 7.0) and grid(pair, 0)[0, 1] == pytest.approx(0.7)
    full, usual = new_organism(3, Nature(absorbers=1)), new_organism(3)
    for organism in (full, usual):
        for p in board_points(3):
            put_cell(organism, int(p), EMPTY_CELL)
        put(organism, 0, point(3, 0, 1), 8.0)
        live(organism, program("if cell is move then die"), 2)
    assert (grid(full, 0) == grid(usual, 0)).all()


def test_without_gaps_it_does_not_matter_what_absorbs():
    """Programs whose cells neither move nor die, once the board is covered."""
    generator = np.random.default_rng(3)
    rules = flat([rule for rule in breeding.random_program(generator, 400) if rule.action in (RELEASE, CHANGE_SIZE)])
    pair = [new_organism(5, Nature(absorbers=absorbers)) for absorbers in (0, 1)]
    for organism in pair:
        live(organism, program("if cell is empty then replicate"), 5)
        live(organism, rules, 8)
    assert grid(pair[0], 0).any() and all((grid(pair[0], m) == grid(pair[1], m)).all() for m in range(5))


# Programs for parts of a life


@pytest.mark.parametrize(
    "size, region, expected",
    [
        (5, "corner", "m...m/...../...../...../m...m"),
        (5, "side", ".mmm./m...m/m...m/m...m/.mmm."),
        (6, "centre", "....../....../..mm../..mm../....../......"),
        (2, "centre", "mm/mm"),
    ],
)
def test_rules_for_a_region(size, region, expected):
    organism = grown(size, 6, "if cell is empty then replicate")
    live(organism, program(f"{region}: if cell is empty then become move"), 1)
    assert states(checked(organism)).replace("e", ".") == expected
    live(organism, program(f"{region}: if size > -1 then become empty"), 1)
    assert "m" not in states(organism)


def test_rules_for_a_stage_of_the_game():
    rules = program(*(f"{stage}: if size > -9 then set size to {i}" for i, stage in enumerate(("opening", "middle", "end"), 1)))
    organism, position = new_organism(3), new_position(3)
    found = []
    for p in (None, *board_points(3)[:7]):
        if p is not None:
            board.place(position, int(p), BLACK)
        see(organism, position, BLACK)
        live(organism, rules, 1)
        found.append(int(organism.cell_size[point(3, 1, 1)]))
    assert found == [1, 1, 1, 2, 2, 2, 3, 3]
    by_rule = fired(organism, 3)
    assert len(by_rule[0]) == 0 and len(by_rule[2]) == organism.count


# Stones


def test_cell_states_follow_stones_and_captures():
    organism = new_organism(3)
    position = new_position(3)
    for colour, col, row, expected in (
        (BLACK, 1, 1, ".../.O./..."),
        (WHITE, 0, 0, "X../.O./..."),
        (BLACK, 1, 0, "XO./.O./..."),
        (BLACK, 0, 1, "eO./OO./..."),  # takes the corner
    ):
        board.place(position, point(3, col, row), colour)
        see(organism, position, WHITE)
        assert states(checked(organism)) == expected


@pytest.mark.parametrize("action", ["die", "move north by 1", "become move", "become empty"])
def test_stones_stay(action):
    organism, position = new_organism(3), new_position(3)
    board.place(position, point(3, 1, 1), BLACK)
    see(organism, position, BLACK)
    live(organism, program(f"if cell is own stone then {action}"), 2)
    assert states(checked(organism)) == ".../.X./..."


def test_a_stone_can_replicate_an_empty_cell_and_release():
    organism, position = new_organism(3), new_position(3)
    board.place(position, point(3, 1, 1), WHITE)
    see(organism, position, BLACK)
    rules = program("if cell is opponent stone then replicate", "if cell is opponent stone then release mediator 1 by 1")
    live(organism, rules, 1)
    assert states(checked(organism)) == ".e./eOe/.e."
    assert grid(organism, 0)[1, 1] == pytest.approx(0.35)


# The choice of a move


def ready(size, moves, position=None):
    """An organism with Move cells of given sizes, and a game for it."""
    organism, position = new_organism(size), new_position(size) if position is None else position
    for p, cell_size in moves.items():
        put_cell(organism, p, MOVE_CELL, cell_size)
    history = new_history(JAPANESE.ko, JAPANESE.suicide)
    begin(position, history, BLACK)
    return organism, position, history


def test_the_largest_move_cell_is_played_and_ties_are_drawn():
    a, b, c = (point(5, col, 2) for col in (0, 1, 4))
    rng = new_stream(1)
    organism, position, history = ready(5, {a: -0.5, b: 0.3, c: 0.2})
    assert {choose_move(organism, position, history, BLACK, rng) for _ in range(20)} == {b}
    organism, position, history = ready(5, {a: -0.5, b: -0.5, c: -0.6})
    drawn = [int(choose_move(organism, position, history, BLACK, rng)) for _ in range(600)]
    assert set(drawn) == {a, b} and 240 < drawn.count(a) < 360


def test_only_legal_moves_and_a_pass_without_any():
    diagram = """
        a X .
        X . b
        . . .
    """
    a, b = mark(diagram, "a"), mark(diagram, "b")
    organism, position, history = ready(3, {a: 0.9, b: 0.1}, position_of(diagram))
    assert choose_move(organism, position, history, WHITE, new_stream(1)) == b
    organism, position, history = ready(3, {a: 0.9}, position_of(diagram))
    assert choose_move(organism, position, history, WHITE, new_stream(1)) == PASS
    organism, position, history = ready(3, {})
    assert choose_move(organism, position, history, BLACK, new_stream(1)) == PASS


# Scores without a human


@pytest.mark.parametrize(
    "diagram, score",
    [
        ("/".join(["....."] * 5), 0),
        (".X.X./XXXXX/...../...../.....", 25 - 7),
        # the white stone in the black eye, enclosed by a chain that lives, is dead: one prisoner
        (".XO.X/XXXXX/OOOOO/.O.O./OOOOO", 4 - 3),
        # a lone stone in a large open territory counts: it makes the region nobody's
        ("X..../...../...../...../....O", 0),
    ],
)
def test_judged_score(diagram, score):
    position = position_of(diagram.replace("/", "\n"))
    before = np.array(position.colour)
    assert judged_score(position) == score
    assert (np.array(position.colour) == before).all()
    if "XO" not in diagram:
        assert territory_score(position) == score


def test_dead_rules_make_no_difference():
    """Programs with and without their dead rules live alike through a game's worth of stones."""
    generator = np.random.default_rng(8)
    for _ in range(150):
        rules = breeding.random_program(generator, 14)
        bare = without_dead(rules)
        if len(bare) == len(rules):
            continue
        pair = new_organism(5), new_organism(5)
        position = new_position(5)
        for step, p in enumerate(generator.permutation(board_points(5))[:8]):
            for organism, version in zip(pair, (rules, bare)):
                live(organism, flat(version), 3)
                see(organism, position, BLACK)
            points = board_points(5)
            assert (kernels.states(pair[0]) == kernels.states(pair[1])).all()
            assert (pair[0].cell_size[points] == pair[1].cell_size[points]).all()
            board.place(position, int(p), BLACK + step % 2)
