"""Rule sets: which repetitions and suicides each of them allows, and what handicap stones cost."""

from dataclasses import replace

import pytest

from engine.go.board import BLACK, PASS, SUICIDE_ALLOWED, SUICIDE_MULTI, WHITE
from engine.go.game import Game, IllegalMove
from engine.go.history import CAPACITY, KO_SIMPLE, KO_SITUATIONAL
from engine.go.rules import AREA, CHINESE, JAPANESE, RULES, TERRITORY, rules_by_name
from engine.records.vertex import parse_colour, parse_vertex
from tests.diagrams import draw, game_of, mark, plain

SIMPLE = replace(CHINESE, ko=KO_SIMPLE)
SITUATIONAL = replace(CHINESE, ko=KO_SITUATIONAL)
POSITIONAL = CHINESE
KO_RULES = {"simple": SIMPLE, "positional": POSITIONAL, "situational": SITUATIONAL}


def play(game, moves):
    """Play moves written as "b C8 w B5"; how many enemy stones each one took."""
    words = moves.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    return [game.play(parse_colour(colour), parse_vertex(vertex, game.size)) for colour, vertex in pairs]


TRIPLE_KO = """. X O . . . . . .
               X O . O . . . . .
               . X O . . . . . .
               . X O . . . . . .
               X . X O . . . . .
               . X O . . . . . .
               . X O . . . . . .
               X O . O . . . . .
               . X O . . . . . ."""

SENDING_TWO = """. O . O .
                 X X O O .
                 . . . . .
                 . . . . .
                 . . . . ."""

KO = """. X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . ."""

# A diagram, who begins, the moves before the one in question, that move, and which ko rules allow it.
CYCLES = {
    "ko": (KO, BLACK, "b C4", "w B4", ""),
    "ko after two threats": (KO, BLACK, "b C4 w A1 b E1", "w B4", "simple positional situational"),
    "ko after two passes": (KO, BLACK, "b C4 w pass b pass", "w B4", "simple"),
    "ko after Black passes too": (KO, BLACK, "b C4 b pass", "w B4", "simple"),
    # It was White's turn in the old position, and after White takes back it is Black's.
    "ko after Black moved out of turn": (KO, WHITE, "b C4 w pass", "w B4", "simple situational"),
    "triple ko, fifth move": (TRIPLE_KO, BLACK, "b C8 w B5 b C2 w B8", "b C5", "simple positional situational"),
    "triple ko, sixth move": (TRIPLE_KO, BLACK, "b C8 w B5 b C2 w B8 b C5", "w B2", "simple"),
    "triple ko, sixth move elsewhere": (
        TRIPLE_KO,
        BLACK,
        "b C8 w B5 b C2 w B8 b C5",
        "w J9",
        "simple positional situational",
    ),
    "sending two, returning one": (SENDING_TWO, WHITE, "w A5 b C5", "w B5", "simple situational"),
    "sending two, returning one, Black to play first": (SENDING_TWO, BLACK, "w A5 b C5", "w B5", "simple"),
    "sending two, and two again": (SENDING_TWO, WHITE, "w A5 b C5 w B5 b pass", "w A5", "simple"),
}


@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize("name", CYCLES)
def test_cycles(name, ko):
    diagram, first, moves, last, allowed = CYCLES[name]
    game = game_of(diagram, first, KO_RULES["simple"])
    play(game, moves)
    game.set_rules(KO_RULES[ko])  # the moves before stand, whatever these rules say of them
    colour, vertex = last.split()
    assert game.is_legal(parse_colour(colour), parse_vertex(vertex, game.size)) == (ko in allowed.split())


def test_triple_ko_goes_round_under_simple_ko():
    game = game_of(TRIPLE_KO, BLACK, JAPANESE)
    for _ in range(3):
        assert play(game, "b C8 w B5 b C2 w B8 b C5 w B2") == [1] * 6
        assert draw(game.position) == plain(TRIPLE_KO)


@pytest.mark.parametrize("ko, allowed", [("simple", True), ("positional", False), ("situational", True)])
def test_superko_remembers_the_empty_board_of_the_start(ko, allowed):
    """Black kills four stones of its own. At the start White had not moved either, but it was Black's turn."""
    game = Game(2, rules=replace(KO_RULES[ko], suicide=SUICIDE_ALLOWED))
    play(game, "b A1 b B1 b A2")
    assert game.is_legal(BLACK, parse_vertex("B2", 2)) == allowed


def test_superko_remembers_a_long_game():
    """Far more moves than one would think of, and the first position is still refused."""
    game = game_of(KO, BLACK, POSITIONAL)
    play(game, "b C4")
    for _ in range(CAPACITY // 2 - 10):
        play(game, "w pass b pass")
    assert not game.is_legal(WHITE, parse_vertex("B4", 5))


ONE_STONE = """a O .
               O . .
               . . ."""
TWO_STONES = """X a O .
                O O . .
                . . . .
                . . . ."""


# Whether Black may kill one stone of its own, or two. One stone leaves the position as it was, which positional superko
# refuses as a repetition, and situational superko allows as it allows a pass.
@pytest.mark.parametrize(
    "name, one, two",
    [
        ("chinese", False, False),
        ("cgos", False, False),
        ("japanese", False, False),
        ("aga", False, False),
        ("tromp-taylor", False, True),
        ("new-zealand", True, True),
    ],
)
def test_suicide_under_each_rule_set(name, one, two):
    rules = rules_by_name(name)
    for diagram, allowed in ((ONE_STONE, one), (TWO_STONES, two)):
        game, p = game_of(diagram, BLACK, rules), mark(diagram, "a")
        assert game.is_legal(BLACK, p) == allowed
        assert (p in game.legal_points(BLACK)) == allowed
        if not allowed:
            with pytest.raises(IllegalMove):
                game.play(BLACK, p)
            assert draw(game.position) == plain(diagram) and game.moves == []


@pytest.mark.parametrize("ko", KO_RULES)
def test_suicide_of_several_stones_only(ko):
    rules = replace(KO_RULES[ko], suicide=SUICIDE_MULTI)
    assert not game_of(ONE_STONE, BLACK, rules).is_legal(BLACK, mark(ONE_STONE, "a"))
    assert game_of(TWO_STONES, BLACK, rules).is_legal(BLACK, mark(TWO_STONES, "a"))


def test_suicide_gives_prisoners_to_the_enemy():
    game = game_of(TWO_STONES, BLACK, RULES["tromp-taylor"])
    assert game.play(BLACK, mark(TWO_STONES, "a")) == 0
    assert draw(game.position) == "..O.\nOO..\n....\n...."
    assert (game.position.black_captures, game.position.white_captures) == (0, 2)


def test_suicide_of_one_stone_is_a_pass_once():
    game, p = game_of(ONE_STONE, BLACK, RULES["new-zealand"]), mark(ONE_STONE, "a")
    game.play(BLACK, p)
    assert draw(game.position) == plain(ONE_STONE)
    assert game.position.white_captures == 1
    game.play(WHITE, PASS)
    assert not game.is_legal(BLACK, p)  # the same stones with White to move would come back
    assert game.is_legal(BLACK, PASS)


@pytest.mark.parametrize("name", RULES)
def test_two_passes_are_always_legal(name):
    game = Game(3, rules=RULES[name])
    for colour in (BLACK, WHITE, BLACK, BLACK):
        assert game.is_legal(colour, PASS)
        game.play(colour, PASS)
    assert game.is_over


@pytest.mark.parametrize(
    "name, scoring, stones_and_points",
    [
        ("chinese", AREA, {0: 0, 1: 0, 2: 2, 5: 5, 9: 9}),
        ("aga", AREA, {0: 0, 1: 0, 2: 1, 5: 4, 9: 8}),
        ("cgos", AREA, {0: 0, 2: 0, 9: 0}),
        ("tromp-taylor", AREA, {0: 0, 2: 0, 9: 0}),
        ("new-zealand", AREA, {0: 0, 2: 0, 9: 0}),
        ("japanese", TERRITORY, {0: 0, 2: 0, 9: 0}),
    ],
)
def test_scoring_and_handicap_compensation(name, scoring, stones_and_points):
    rules = rules_by_name(name)
    assert rules.scoring == scoring
    assert {stones: rules.handicap_compensation(stones) for stones in stones_and_points} == stones_and_points


@pytest.mark.parametrize(
    "text, name",
    [
        ("Chinese", "chinese"),
        (" JAPANESE ", "japanese"),
        ("nz", "new-zealand"),
        ("New_Zealand", "new-zealand"),
        ("tromp_taylor", "tromp-taylor"),
        ("AGA", "aga"),
        ("cgos", "cgos"),
    ],
)
def test_rules_by_name(text, name):
    assert rules_by_name(text) is RULES[name]


@pytest.mark.parametrize("text", ["", "klingon", "chinese rules", "x" * 10_000])
def test_unknown_rules_name_the_known_ones(text):
    with pytest.raises(ValueError) as error:
        rules_by_name(text)
    assert all(name in str(error.value) for name in RULES)
    assert len(str(error.value)) < 200 and "\n" not in str(error.value)
