"""The game: starting, playing, undoing, handicap and result."""

import numpy as np
import pytest

from engine.go.board import BLACK, EMPTY, MAX_SIZE, MIN_SIZE, PASS, WHITE, cells
from engine.go.game import Game, IllegalMove, Move, result_text
from engine.go.handicap import fixed_handicap_limit, fixed_handicap_points, star_points
from engine.go.rules import AGA, CGOS, CHINESE, JAPANESE, NEW_ZEALAND, RULES, TROMP_TAYLOR
from engine.records.vertex import format_vertex, parse_vertex
from tests.diagrams import draw, game_of, mark, plain, stones_of

KO = """. X O . .
        X O a O .
        . X O . .
        . . . . .
        . . . . x"""


def state(game):
    """Everything about a game that may be observed."""
    used = slice(cells(game.size))
    fields = {name: np.atleast_1d(game.position[name])[used].tolist() for name in game.position.dtype.names}
    return {
        **fields,
        "seen": game.history.seen[: game.history.count].tolist(),
        "filter": game.history.filter.tolist(),
        "moves": list(game.moves),
        "stones": list(game.stones),
        "legal": [game.legal_points(colour).tolist() for colour in (BLACK, WHITE)],
        "rest": (game.size, game.komi, game.rules, game.handicap, game.to_play, game.passes),
    }


def vertices(game, points):
    return [format_vertex(p, game.size) for p in points]


# Starting


@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
def test_a_new_game(size):
    game = Game(size)
    assert game.size == size
    assert game.rules is CHINESE and game.komi == 7.5
    assert game.to_play == BLACK and game.moves == [] and game.stones == [] and game.handicap == 0
    assert len(game.legal_points(BLACK)) == len(game.legal_points(WHITE)) == size * size
    assert game.position.empty_count == size * size
    assert not game.is_over


@pytest.mark.parametrize("size", [-3, 0, 1, 26, 1000])
def test_a_size_that_does_not_exist(size):
    with pytest.raises(ValueError, match="size"):
        Game(size)
    game = game_of(KO)
    before = state(game)
    with pytest.raises(ValueError, match="size"):
        game.resize(size)
    assert state(game) == before


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_komi_comes_from_the_rules_unless_it_is_given(rules):
    assert Game(9, rules=rules).komi == rules.komi
    assert Game(9, 0.0, rules).komi == 0.0
    assert Game(9, -3.5, rules).komi == -3.5


def test_clear():
    game = game_of(KO, WHITE, AGA, komi=3.5)
    game.play(BLACK, mark(KO, "a"))
    game.clear()
    assert state(game) == state(Game(5, 3.5, AGA))


def test_clear_after_handicap():
    game = Game(9)
    game.place_handicap(fixed_handicap_points(9, 3))
    game.clear()
    assert state(game) == state(Game(9))


@pytest.mark.parametrize("size", [2, 5, 19, 25])
def test_resize(size):
    game = game_of(KO, WHITE, NEW_ZEALAND, komi=1.5)
    game.play(BLACK, mark(KO, "a"))
    game.resize(size)
    assert state(game) == state(Game(size, 1.5, NEW_ZEALAND))


def test_set_up():
    game = Game(5)
    game.play(WHITE, mark(KO, "x"))
    game.set_up(stones_of(KO), WHITE)
    assert draw(game.position) == plain(KO)
    assert game.to_play == WHITE and game.moves == [] and game.handicap == 0
    assert sorted(game.stones) == sorted(stones_of(KO))
    game.play(WHITE, mark(KO, "x"))
    game.undo()
    assert draw(game.position) == plain(KO) and game.to_play == WHITE
    game.set_up([])
    assert state(game) == state(Game(5))


def test_the_order_of_set_up_stones_does_not_matter():
    stones = stones_of(KO)
    for order in (stones, stones[::-1], stones[3:] + stones[:3]):
        game = Game(5)
        game.set_up(order)
        assert draw(game.position) == plain(KO) and game.position.ko == 0
        assert game.position.black_captures == game.position.white_captures == 0


# Set-up stones that cannot stand.
BAD_SET_UP = {
    "a stone in a full corner": """X O .
                                   O . .
                                   . . .""",
    "two stones at the edge": """O X X O .
                                 . O O . .
                                 . . . . .
                                 . . . . .
                                 . . . . .""",
    "chains that take each other's last liberty": """X X X
                                                     O O O
                                                     X X X""",
    "a full board": """X X
                       X X""",
    "a chain in an eye": """O O O .
                            O X O .
                            O O O .
                            . . . .""",
}


@pytest.mark.parametrize("name", BAD_SET_UP)
def test_set_up_refuses_chains_without_liberties(name):
    stones = stones_of(BAD_SET_UP[name])
    for order in (stones, stones[::-1]):
        game = game_of(KO, WHITE)
        game.resize(len(plain(BAD_SET_UP[name]).splitlines()))
        game.play(WHITE, PASS)
        game.play(BLACK, int(game.legal_points(BLACK)[0]))
        before = state(game)
        with pytest.raises(ValueError, match="liberty"):
            game.set_up(order)
        assert state(game) == before


@pytest.mark.parametrize(
    "stones",
    [
        [(BLACK, "C3"), (BLACK, "C3")],
        [(BLACK, "C3"), (WHITE, "C3")],
        [(BLACK, "A1"), (WHITE, "B2"), (BLACK, "C3"), (WHITE, "B2")],
    ],
    ids=["the same", "of both colours", "among others"],
)
def test_set_up_refuses_two_stones_on_one_point(stones):
    game = game_of(KO)
    before = state(game)
    with pytest.raises(ValueError, match="each other"):
        game.set_up([(colour, parse_vertex(text, 5)) for colour, text in stones])
    assert state(game) == before


def test_handicap_refuses_two_stones_on_one_point():
    game = game_of(KO)
    before = state(game)
    with pytest.raises(ValueError, match="each other"):
        game.place_handicap([parse_vertex(text, 5) for text in ("A1", "B2", "A1")])
    assert state(game) == before


# Playing


def test_moves_by_either_colour_in_any_order():
    game = Game(3)
    for colour, text in ((WHITE, "B2"), (WHITE, "A1"), (BLACK, "A2"), (WHITE, "pass"), (WHITE, "C3"), (BLACK, "B1")):
        game.play(colour, parse_vertex(text, 3))
        assert game.to_play == 3 - colour
    assert draw(game.position) == "..O\nXO.\n.X."  # B1 took A1
    assert game.moves[-1] == Move(BLACK, parse_vertex("B1", 3))
    assert game.position.black_captures == 1
    assert len(game.moves) == 6


def test_an_illegal_move_changes_nothing():
    game = game_of(KO)
    game.play(BLACK, mark(KO, "a"))
    before = state(game)
    for colour, text in ((WHITE, "B4"), (BLACK, "C4"), (WHITE, "C4"), (WHITE, "A5")):
        assert not game.is_legal(colour, parse_vertex(text, 5))
        with pytest.raises(IllegalMove):
            game.play(colour, parse_vertex(text, 5))
        assert state(game) == before
    assert issubclass(IllegalMove, ValueError)


def test_play_says_how_many_stones_it_took():
    game = game_of(KO)
    assert game.play(BLACK, mark(KO, "a")) == 1
    assert game.play(WHITE, mark(KO, "x")) == 0
    assert game.play(BLACK, PASS) == 0


@pytest.mark.parametrize(
    "moves, passes, over",
    [
        ("", 0, False),
        ("b pass", 1, False),
        ("b pass w pass", 2, True),
        ("b pass w A1", 0, False),
        ("b A1 w pass b pass", 2, True),
        ("b pass w A1 b pass", 1, False),
        ("b pass b pass", 2, True),
        ("b pass w pass b pass", 3, True),
    ],
)
def test_passes_end_the_game(moves, passes, over):
    game = Game(5)
    words = moves.split()
    for colour, text in zip(words[::2], words[1::2]):
        game.play(BLACK if colour == "b" else WHITE, parse_vertex(text, 5))
    assert (game.passes, game.is_over) == (passes, over)


# Going back


def test_undo_restores_ko_and_captures():
    game = game_of(KO)
    states = []
    for colour, text in ((BLACK, "C4"), (WHITE, "E1"), (BLACK, "pass"), (WHITE, "B4"), (BLACK, "A1"), (BLACK, "D1")):
        states.append(state(game))
        if not game.is_legal(colour, parse_vertex(text, 5)):
            pytest.fail(f"{text} should be legal")
        game.play(colour, parse_vertex(text, 5))
    last = state(game)
    for depth in range(1, len(states) + 1):
        twin = game.copy()
        twin.undo(depth)
        assert state(twin) == states[-depth]
    assert state(game) == last
    game.undo(0)
    assert state(game) == last


@pytest.mark.parametrize("count", [-1, 3, 100])
def test_undo_goes_no_further_than_the_game(count):
    game = Game(5)
    game.play(BLACK, parse_vertex("C3", 5))
    game.play(WHITE, PASS)
    before = state(game)
    with pytest.raises(ValueError, match="undo"):
        game.undo(count)
    assert state(game) == before


def test_undo_keeps_handicap_stones():
    game = Game(9)
    game.place_handicap(fixed_handicap_points(9, 4))
    start = state(game)
    game.play(WHITE, parse_vertex("E5", 9))
    game.undo()
    assert state(game) == start
    with pytest.raises(ValueError):
        game.undo()


def test_copies_are_independent():
    game = game_of(KO)
    game.play(BLACK, mark(KO, "a"))
    before = state(game)
    twin = game.copy()
    assert state(twin) == before
    twin.play(WHITE, mark(KO, "x"))
    after = state(twin)
    assert state(game) == before and after != before
    game.undo()
    game.clear()
    game.set_rules(JAPANESE)
    assert state(twin) == after
    twin.resize(9)
    assert game.size == 5


def test_rules_can_change_during_a_game():
    """The same moves stand, and what may be played next is what the new rules say."""
    game = game_of(KO, WHITE)
    game.play(BLACK, mark(KO, "a"))
    game.play(WHITE, PASS)
    retake = parse_vertex("B4", 5)
    allowed = {CHINESE: False, CGOS: False, TROMP_TAYLOR: False, AGA: True, NEW_ZEALAND: True, JAPANESE: True}
    for _ in range(2):
        for rules, legal in allowed.items():
            game.set_rules(rules)
            assert game.rules is rules and game.komi == 0.0
            assert [move.point for move in game.moves] == [mark(KO, "a"), PASS]
            assert game.is_legal(WHITE, retake) == legal
    suicide = """X b O .
                 O O . .
                 . . . .
                 . . . ."""
    game = game_of(suicide)
    for rules in RULES.values():
        game.set_rules(rules)
        assert game.is_legal(BLACK, mark(suicide, "b")) == (rules in (TROMP_TAYLOR, NEW_ZEALAND))


# Handicap

FIXED = {
    (7, 2): "C3 E5",
    (7, 4): "C3 E5 C5 E3",
    (8, 4): "C3 F6 C6 F3",
    (9, 2): "C3 G7",
    (9, 3): "C3 G7 C7",
    (9, 4): "C3 G7 C7 G3",
    (9, 5): "C3 G7 C7 G3 E5",
    (9, 6): "C3 G7 C7 G3 C5 G5",
    (9, 7): "C3 G7 C7 G3 C5 G5 E5",
    (9, 8): "C3 G7 C7 G3 C5 G5 E3 E7",
    (9, 9): "C3 G7 C7 G3 C5 G5 E3 E7 E5",
    (12, 4): "C3 K10 C10 K3",
    (13, 5): "D4 K10 D10 K4 G7",
    (19, 9): "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
    (25, 9): "D4 W22 D22 W4 D13 W13 N4 N22 N13",
}


@pytest.mark.parametrize("size, stones", FIXED, ids=[f"{size}x{size}-{stones}" for size, stones in FIXED])
def test_fixed_handicap(size, stones):
    game = Game(size)
    points = fixed_handicap_points(size, stones)
    assert vertices(game, points) == FIXED[size, stones].split()
    game.place_handicap(points)
    assert game.handicap == stones and game.to_play == WHITE and game.moves == []
    assert int(game.position.empty_count) == size * size - stones
    assert all(game.position.colour[p] == BLACK for p in points)


# The most fixed stones on boards of each size from 2 to 25.
LIMITS = dict(zip(range(2, 26), [0, 0, 0, 0, 0, 4, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9], strict=True))


@pytest.mark.parametrize("size", LIMITS)
def test_fixed_handicap_of_every_size(size):
    limit = LIMITS[size]
    assert fixed_handicap_limit(size) == limit
    for stones in (-1, 0, 1, limit + 1, 10):
        with pytest.raises(ValueError, match="stones"):
            fixed_handicap_points(size, stones)
    for stones in range(2, limit + 1):
        points = fixed_handicap_points(size, stones)
        assert len(set(points)) == len(points) == stones
        turned = {int(p) for p in points}
        middle = cells(size) - 1  # a point and its mirror image through the centre add up to this
        if stones != 3:
            assert {middle - p for p in turned} == turned


@pytest.mark.parametrize(
    "size, points",
    [
        (2, ""),
        (3, ""),
        (4, ""),
        (5, "C3"),
        (6, ""),
        (7, "C3 C5 E3 E5"),
        (9, "C3 C5 C7 E3 E5 E7 G3 G5 G7"),
        (10, "C3 C8 H3 H8"),
        (19, "D10 D16 D4 K10 K16 K4 Q10 Q16 Q4"),
    ],
)
def test_star_points(size, points):
    assert sorted(format_vertex(p, size) for p in star_points(size)) == points.split()


def test_free_handicap_goes_anywhere():
    game = Game(5, rules=AGA)
    points = [parse_vertex(text, 5) for text in ("A1", "E5", "C2")]
    game.place_handicap(points)
    assert draw(game.position) == "....X\n.....\n.....\n..X..\nX...."
    assert game.handicap == 3 and game.to_play == WHITE


# Result


@pytest.mark.parametrize(
    "rules, expected",
    [
        # Black has the whole of the 9x9 board: 81 points of area, or 81 less the stones of territory.
        (CHINESE, 81 - 0.5 - 3),
        (AGA, 81 - 0.5 - 2),
        (CGOS, 81 - 0.5),
        (TROMP_TAYLOR, 81 - 0.5),
        (NEW_ZEALAND, 81 - 0.5),
        (JAPANESE, 78 - 0.5),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_handicap_compensation_and_komi_in_the_score(rules, expected):
    game = Game(9, 0.5, rules)
    game.place_handicap(fixed_handicap_points(9, 3))
    assert game.score() == expected
    game.clear()
    assert game.score() == -0.5  # the compensation went with the stones


@pytest.mark.parametrize(
    "score, text",
    [(3.5, "B+3.5"), (-0.5, "W+0.5"), (0, "0"), (0.0, "0"), (12.0, "B+12"), (-361.0, "W+361"), (-7.25, "W+7.25")],
)
def test_result_text(score, text):
    assert result_text(score) == text


def test_legal_points_are_in_board_order_and_empty():
    game = game_of(KO)
    points = game.legal_points(BLACK).tolist()
    assert points == sorted(points) and len(points) == len(set(points))
    assert all(game.position.colour[p] == EMPTY for p in points)
    assert vertices(game, points)[0] == "A5"
