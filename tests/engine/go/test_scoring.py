"""What positions are worth: area, territory, unconditional life, and estimates of the dead."""

import numpy as np
import pytest

from engine.go import board, scoring
from engine.go.board import BLACK, WHITE, board_points, cells, coordinates, point
from engine.go.playout import playout
from engine.go.rng import new_stream
from engine.go.rules import CHINESE, JAPANESE
from tests.diagrams import draw, game_of, mark, marks_of, plain, position_of, size_of
from tests.engine.go.naive import NaiveBoard
from tests.engine.go.test_against_naive import engine_stones

SEKI = """X O O . X O .
          X O O . X O .
          X X O X X O .
          . X X O O O .
          X X X X O . O
          X . X O O O O
          . X X O . O ."""

# A diagram, its dead stones (column, row), and the scores (Black less White): area and territory, both with the dead
# stones on the board and without them.
SCORES = {
    "the empty board": (". . .\n. . .\n. . .", [], (0, 0), (0, 0)),
    "one stone owns the board": (". . .\n. X .\n. . .", [], (9, 9), (8, 8)),
    "one white stone owns the board": (". . .\n. O .\n. . .", [], (-9, -9), (-8, -8)),
    "shared in two": (
        """. X O .
           . X O .
           . X O .
           . X O .""",
        [],
        (0, 0),
        (0, 0),
    ),
    "neutral points": (
        """. X . O
           . X . O
           . X . O
           . X . O""",
        [],
        (4, 4),
        (4, 4),
    ),
    "a dead white stone": (
        """. X O .
           O X O .
           . X O .
           . X O .""",
        [(0, 1)],
        (-5, 0),
        (-4, 1),
    ),
    "a dead black stone": (
        """. X O .
           . X O X
           . X O .
           . X O .""",
        [(3, 1)],
        (5, 0),
        (4, -1),
    ),
    "seki": (SEKI, [], (-5, -5), (-4, -4)),
}


@pytest.mark.parametrize("name", SCORES)
def test_scores(name):
    diagram, dead, area, territory = SCORES[name]
    position = position_of(diagram)
    points = [point(size_of(diagram), *p) for p in dead]
    assert scoring.area_score(position) == area[0]
    assert scoring.area_score(scoring.without(position, points)) == area[1]
    assert scoring.territory_score(position) == territory[0]
    assert scoring.territory_score(position, points) == territory[1]
    assert draw(position) == plain(diagram)  # scoring leaves the board alone
    for rules, expected in ((CHINESE, area), (JAPANESE, territory)):
        game = game_of(diagram, rules=rules, komi=0.5)
        assert game.score() == expected[0] - 0.5
        assert game.score(points) == expected[1] - 0.5


def test_prisoners_count_under_territory_rules_only():
    capture = """O a X .
                 X . X .
                 . . X .
                 . . X ."""
    territory, area = game_of(capture, rules=JAPANESE), game_of(capture, rules=CHINESE)
    for game in (territory, area):
        assert game.play(BLACK, mark(capture, "a")) == 1
    assert area.score() == 16
    assert territory.score() == 16 - 6 + 1


def test_without_takes_off_exactly_the_given_stones():
    position = position_of(SEKI)
    gone = [point(7, 1, 0), point(7, 5, 1)]
    bare = scoring.without(position, gone)
    changed = {int(p) for p in board_points(7) if bare.colour[p] != position.colour[p]}
    assert changed == set(gone) and all(bare.colour[p] == board.EMPTY for p in gone)
    assert draw(position) == plain(SEKI)
    assert scoring.area_score(scoring.without(position, np.array(gone))) == scoring.area_score(bare)


@pytest.mark.parametrize("seki, score", [("", 0), ("X", -4), ("O", 4), ("XO", 0)])
def test_eyes_of_stones_in_seki_are_nobodys_territory(seki, score):
    position = position_of(SCORES["shared in two"][0])
    points = [p for p in map(int, board_points(4)) if ".XO"[position.colour[p]] in seki]
    assert scoring.territory_score(position, seki=points) == score


def life(position, colour):
    """Benson's answer as two sets of (column, row)."""
    size = int(position.board_size)
    alive, territory = np.ones(cells(size), np.uint8), np.ones(cells(size), np.uint8)
    scoring.unconditional_life(position, colour, alive, territory)
    return tuple({coordinates(size, int(p)) for p in np.flatnonzero(mask)} for mask in (alive, territory))


# Diagrams in which Black's living stones are those of the chains next to a point t (territory), or none.
BENSON = {
    "two eyes in the corner": """t X t X .
                                 X X X X .
                                 . . . . .
                                 . . . . .
                                 . . . . .""",
    "one eye": """. X . . .
                  X X . . .
                  . . . . .
                  . . . . .
                  . . . . .""",
    "one of two eyes is false": """. X . X O
                                   X O X O .
                                   O O O . .
                                   . . . . .
                                   . . . . .""",
    "a dead stone in an eye": """t X t t X
                                 X X X O X
                                 . X X X X
                                 . . . . .
                                 . . . . .""",
    "stones that live together only": """t X . . .
                                         X t X . .
                                         . X t X .
                                         . . X t X
                                         . . . X t""",
    "a ring with two eyes": """X X X X X
                               X t X t X
                               X X X X X
                               . . . . .
                               . . . . .""",
    "an eye too big to be surely one": """. . . X .
                                          . . . X .
                                          . . . X X
                                          X X X X .
                                          . . . . .""",
}


@pytest.mark.parametrize("name", BENSON)
def test_unconditional_life(name):
    diagram = BENSON[name]
    size = size_of(diagram)
    territory = {coordinates(size, p) for p in marks_of(diagram).get("t", [])}
    naive = NaiveBoard(size, CHINESE)
    position = position_of(diagram)
    naive.stones = engine_stones(position, size)
    white = {p for p, colour in naive.stones.items() if colour == WHITE}
    inside = {p for p in white if territory.intersection(naive.neighbours[p])}
    alive = {p for p, colour in naive.stones.items() if colour == BLACK} if territory else set()
    assert life(position, BLACK) == (alive, territory | inside)
    assert life(position, WHITE) == (set(), set())


def naive_life(naive, colour):
    """Benson's algorithm in sets."""
    chains = {frozenset(naive.chain(p)[0]) for p, owner in naive.stones.items() if owner == colour}
    regions, done = [], set()
    for p in naive.points:
        if p in done or naive.stones.get(p) == colour:
            continue
        region, todo = {p}, [p]
        while todo:
            for q in naive.neighbours[todo.pop()]:
                if naive.stones.get(q) != colour and q not in region:
                    region.add(q)
                    todo.append(q)
        done |= region
        regions.append(region)

    def touches(region, chain):
        return any(q in chain for p in region for q in naive.neighbours[p])

    def vital(region, chain):
        free = [p for p in region if p not in naive.stones]
        return touches(region, chain) and all(any(q in chain for q in naive.neighbours[p]) for p in free)

    borders = [(region, [chain for chain in chains if touches(region, chain)]) for region in regions]
    while True:
        kept = {chain for chain in chains if sum(vital(region, chain) for region, _ in borders) >= 2}
        sound = [(region, around) for region, around in borders if all(chain in kept for chain in around)]
        if len(kept) == len(chains) and len(sound) == len(borders):
            break
        chains, borders = kept, sound
    enclosed = [region for region, around in borders if any(vital(region, chain) for chain in around)]
    return set().union(*chains), set().union(*enclosed)


@pytest.mark.parametrize("size, games", [(3, 60), (5, 60), (7, 40), (9, 20)])
def test_unconditional_life_in_random_positions(size, games):
    found = 0
    for game in range(games):
        position = board.new_position(size)
        playout(position, BLACK, new_stream(size, game), size * size * (game % 5 + 3) // 4)
        naive = NaiveBoard(size, CHINESE)
        naive.stones = engine_stones(position, size)
        owner = np.ones(cells(size), np.int8)
        scoring.safe_territory(position, owner)
        for colour in (BLACK, WHITE):
            alive, territory = naive_life(naive, colour)
            assert life(position, colour) == (alive, territory)
            owned = {coordinates(size, int(p)) for p in np.flatnonzero(owner == colour)}
            assert owned == alive | territory
            found += len(alive)
    assert found > 50


def test_territory_in_random_positions():
    for game in range(60):
        size = 2 + game % 12
        position = board.new_position(size)
        playout(position, BLACK, new_stream(31, game), size * size * (game % 4 + 1) // 3)
        naive = NaiveBoard(size, JAPANESE)
        naive.stones = engine_stones(position, size)
        prisoners = int(position.black_captures - position.white_captures)
        assert scoring.area_score(position) == naive.area_score()
        assert scoring.territory_score(position) == sum(naive.surrounded().values()) + prisoners


# Settled positions and their dead stones.
SETTLED = {
    "seki": (SEKI, set()),
    "stones in territory": (
        """. X . X O . .
           X X X X O O .
           . . . X O . O
           . O . X O O O
           X X X X O . .
           . . . X O X .
           . X . X O . .""",
        {(1, 3), (5, 5)},
    ),
    "a group with one eye": (
        """. O X . X
           O O X X .
           X X X X X
           . X . X X
           X X X . X""",
        {(1, 0), (0, 1), (1, 1)},
    ),
    "nothing but living stones": (
        """. X . X O . O
           X X X X O O .
           . X . X O O O
           X X X X O . O
           . . . X O O O
           X X X X O . .
           . X . X O . .""",
        set(),
    ),
}


@pytest.mark.parametrize("name", SETTLED)
def test_dead_stones_of_settled_positions(name):
    diagram, expected = SETTLED[name]
    position = position_of(diagram)
    dead = scoring.dead_stones(position)
    assert {coordinates(size_of(diagram), p) for p in dead} == expected
    assert dead == scoring.dead_stones(position) == scoring.dead_stones(board.copy(position))
    assert draw(position) == plain(diagram)


def test_ownership_of_a_settled_position():
    diagram, _ = SETTLED["stones in territory"]
    position = position_of(diagram)
    owner = scoring.ownership(position)
    for p in board_points(7).tolist():
        col, _ = coordinates(7, p)
        assert owner[p] == (1 if col < 4 else -1)
    on_board = np.zeros(owner.size, bool)
    on_board[board_points(7)] = True
    assert not owner[~on_board].any()


def test_ownership_of_the_empty_board_is_open():
    owner = scoring.ownership(board.new_position(9))
    assert np.abs(owner).max() < 0.5 and abs(owner[board_points(9)].mean()) < 0.1
