"""Manners around players that have none: tables of positions, and whole games."""

import numpy as np
import pytest

from engine.contest.player import Budget, Evaluation, Player
from engine.go import board, rng, scoring
from engine.go.board import BLACK, PASS, RESIGN, WHITE
from engine.go.game import Game
from engine.go.rules import CGOS, CHINESE, JAPANESE, NEW_ZEALAND, TROMP_TAYLOR
from players.manners import (
    ENDLESS_GAME,
    HANDICAP_RESIGN_AFTER,
    HOPELESS_MOVES,
    LONG_GAME,
    RESIGN_AFTER,
    Manners,
)
from players.outlook import PATIENCE, Outlook
from tests.diagrams import draw, game_of, mark, marks_of


class Fixed(Player):
    """Answers the same thing whenever it is asked."""

    name = "fixed"

    def __init__(self, answer=PASS, policy=None, winrate=None):
        self.answer, self.numbers, self.winrate = answer, policy, winrate

    def choose(self, game, colour, budget):
        return self.answer

    def policy(self, game, colour):
        return self.numbers

    def evaluate(self, game, budget=None):
        return None if self.winrate is None else Evaluation(0.0, self.winrate)


class Anywhere(Player):
    """Plays any legal point, eyes included."""

    def __init__(self, seed=0):
        self.stream = rng.new_stream(seed)

    def choose(self, game, colour, budget):
        points = game.legal_points(colour)
        return int(points[rng.below(self.stream, len(points))]) if len(points) else PASS


class Nonsense(Player):
    """Answers anything but a move, a different thing each time."""

    answers = (None, "D4", 3.5, -7, 10**9, RESIGN, np.nan, (3, 4), True, float("inf"))

    def __init__(self):
        self.asked = 0

    def choose(self, game, colour, budget):
        self.asked += 1
        if self.asked % 3 == 0:
            raise ValueError("no idea")
        return self.answers[self.asked % len(self.answers)]

    def policy(self, game, colour):
        raise ZeroDivisionError("no idea either")


def choose(game, colour=BLACK, wish=PASS, **powers):
    return Manners(Fixed(wish, **powers)).choose(game, colour, Budget())


# What a move at the point a does, and whether a player who wants it gets it.

WISHES = {
    "an open point": (
        """. . . . .
           . . a . .
           . . . . .
           . . O . .
           . . . . .""",
        True,
    ),
    "an own eye": (
        """a X . . .
           X X . . .
           . . . . .
           . . O . .
           . . . . .""",
        False,
    ),
    "a false eye": (
        """. X a X .
           . O X O .
           . O . O .
           . . X . .
           . . X . .""",
        True,
    ),
    "an eye with an enemy across one corner": (
        """. . X O .
           . X a X .
           . . X . .
           . . . . .
           . O . O .""",
        False,
    ),
    "suicide": (
        """a O . . .
           O . . . .
           . . X . .
           . . . . .
           . . . . .""",
        False,
    ),
    "suicide of several": (
        """X a O . .
           O O O . .
           . . X . .
           . . . . .
           . . . . .""",
        False,
    ),
    "territory that is settled for ever": (
        """. X a X .
           X X X X .
           . . . . .
           . . O . .
           . . . . .""",
        False,
    ),
    "enemy territory that is settled for ever": (
        """. O a . O
           . O O O O
           O O . . .
           . . . X .
           . X . . .""",
        False,
    ),
}


@pytest.mark.parametrize("rules", [CGOS, CHINESE, JAPANESE, TROMP_TAYLOR, NEW_ZEALAND], ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", WISHES)
def test_a_wish_is_granted_unless_it_is_foolish(name, rules):
    diagram, granted = WISHES[name]
    game = game_of(diagram, rules=rules, komi=0.5)
    a = mark(diagram, "a")
    answer = choose(game, BLACK, a)
    assert (answer == a) == granted
    assert game.is_legal(BLACK, answer)


def test_points_that_are_taken_or_closed_by_ko_are_never_played():
    diagram = """. X O . .
                 X a X O .
                 . X O . .
                 . . . . .
                 . . . . ."""
    game = game_of(diagram, to_play=WHITE, rules=JAPANESE)
    taken = mark(diagram, "a") + 1
    assert game.play(WHITE, mark(diagram, "a")) == 1
    for wish in (taken, mark(diagram, "a")):
        answer = choose(game, BLACK, wish)
        assert answer != wish and game.is_legal(BLACK, answer)


def test_superko_binds():
    stream = rng.new_stream(7)
    refused = 0
    while refused < 5:
        game = Game(3, 0.5, TROMP_TAYLOR)
        while not game.is_over and refused < 5:
            legal = set(game.legal_points(game.to_play))
            for wish in map(int, board.board_points(3)):
                if wish not in legal and board.is_legal(game.position, wish, game.to_play, game.rules.suicide):
                    answer = choose(game, game.to_play, wish)
                    assert answer != wish and game.is_legal(game.to_play, answer)
                    refused += 1
            points = sorted(legal) + [PASS]
            game.play(game.to_play, int(points[rng.below(stream, len(points))]))


# Passing. Black has two eyes or more everywhere, so has White; c marks the liberties of a dead white stone.

DEAD_STONE = """. X . X O . O
                X X X X O O .
                . c O X O O O
                . . c X O . .
                X X X X O O O
                . X . X O O .
                X X X X O . O"""

NEUTRAL_POINT = """. X . X O . O
                   X X X X O O .
                   . X X n O O O
                   X X X X O . .
                   X X X X O O O
                   . X . X O O .
                   X X X X O . O"""

SEKI = """X O . O a X . X O
          X O O O X X X X O
          X X X X O O O O O
          . X . X O . O . O
          X X X X O O O O O
          X X X X O O O O O
          X . X X O O O . O
          X X X X O O O O O
          X X X X O O O O O"""

SEKI_WITHOUT_EYES = """. X O a X O .
                       X X O b X O O
                       . X O O X O .
                       X X X X O O O
                       X X X X O O O
                       X . X X O . O
                       X X X X O O O"""

# (diagram, rules, who moves, komi, whether the other side has just passed, the letter of the expected moves or None)
PASSES = {
    "a dead stone counts, so it is taken": (DEAD_STONE, CGOS, BLACK, 0.5, False, "c"),
    "even when the game is won without it": (DEAD_STONE, TROMP_TAYLOR, BLACK, -9.5, False, "c"),
    "even after a pass when the board loses": (DEAD_STONE, TROMP_TAYLOR, BLACK, 0.5, True, "c"),
    "a won game ends at once": (DEAD_STONE, CGOS, BLACK, -9.5, True, None),
    "no agreement is needed about what is settled": (DEAD_STONE, CHINESE, BLACK, 0.5, False, None),
    "no agreement either after a pass": (DEAD_STONE, CHINESE, BLACK, 0.5, True, None),
    "territory is left alone": (DEAD_STONE, JAPANESE, BLACK, 0.5, False, None),
    "territory is left alone after a pass": (DEAD_STONE, JAPANESE, BLACK, 0.5, True, None),
    "territory is left alone though it loses": (DEAD_STONE, JAPANESE, BLACK, 30.5, True, None),
    "nothing to hope for inside enemy territory": (DEAD_STONE, CGOS, WHITE, -9.5, False, None),
    "a neutral point counts": (NEUTRAL_POINT, CGOS, BLACK, 0.5, False, "n"),
    "a neutral point counts for the loser": (NEUTRAL_POINT, CHINESE, WHITE, -30.5, True, "n"),
    "a neutral point is not worth going on for": (NEUTRAL_POINT, CHINESE, BLACK, 0.5, True, None),
    "a seki without eyes is left alone by Black": (SEKI_WITHOUT_EYES, CGOS, BLACK, 20.5, True, None),
    "a seki without eyes is left alone by White": (SEKI_WITHOUT_EYES, TROMP_TAYLOR, WHITE, -20.5, False, None),
    "a seki is left alone by Black": (SEKI, CGOS, BLACK, 0.5, False, None),
    "a seki is left alone by White": (SEKI, CGOS, WHITE, 0.5, False, None),
    "a seki is left alone by Black who loses": (SEKI, TROMP_TAYLOR, BLACK, 40.5, True, None),
    "a seki is left alone by White who loses": (SEKI, CHINESE, WHITE, -40.5, True, None),
    "a seki is left alone under territory rules": (SEKI, JAPANESE, WHITE, -40.5, True, None),
}


@pytest.mark.parametrize("name", PASSES)
def test_when_a_player_that_passes_may_pass(name):
    diagram, rules, colour, komi, answered, letter = PASSES[name]
    game = game_of(diagram, 3 - colour if answered else colour, rules, komi)
    if answered:
        game.play(3 - colour, PASS)
    expected = marks_of(diagram)[letter] if letter else [PASS]
    assert choose(game, colour) in expected


@pytest.mark.parametrize("rules", [CGOS, CHINESE, JAPANESE], ids=lambda rules: rules.name)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize("diagram", [SEKI, SEKI_WITHOUT_EYES])
def test_a_player_that_wants_to_break_a_seki_may_not(diagram, colour, rules):
    game = game_of(diagram, colour, rules, 0.5)
    assert choose(game, colour, mark(diagram, "a")) == PASS


def test_a_player_chooses_how_to_take_dead_stones():
    for wish in marks_of(DEAD_STONE)["c"]:
        assert choose(game_of(DEAD_STONE, BLACK, CGOS, 0.5), BLACK, wish) == wish
        assert choose(game_of(DEAD_STONE, BLACK, JAPANESE, 0.5), BLACK, wish) == PASS


@pytest.mark.parametrize("rules", [CHINESE, JAPANESE], ids=lambda rules: rules.name)
def test_clean_up_takes_dead_stones_before_it_passes(rules):
    game = game_of(DEAD_STONE, WHITE, rules, -9.5)
    manners = Manners(Fixed(PASS))
    game.play(WHITE, PASS)
    assert manners.choose(game, BLACK, Budget()) == PASS
    assert manners.choose_cleanup(game, BLACK, Budget()) in marks_of(DEAD_STONE)["c"]
    while not game.is_over:
        game.play(game.to_play, manners.choose_cleanup(game, game.to_play, Budget()))
    assert scoring.area_score(game.position) == 28 - 21


# Territory rules: the wall is finished, everything else is somebody's.

WALL = """. . . X O . . . .
          . . a X O . b . .
          . . . X O . . . .
          . a . X O . . . .
          . . . X O . . b .
          . . X X O . . . .
          . . X O O . . . .
          . a X O . . . . .
          . . X O . b . . ."""


@pytest.mark.parametrize("letter, colour", [("a", BLACK), ("b", WHITE)])
def test_no_point_is_wasted_inside_own_territory(letter, colour):
    for wish in [*marks_of(WALL)[letter], PASS]:
        game = game_of(WALL, colour, JAPANESE, 18.5 if colour == WHITE else -30.5)
        assert choose(game, colour, wish) == PASS


def test_a_cut_inside_own_territory_is_protected():
    """White at a would take three stones and break in, so Black may spend a stone there under any rules."""
    diagram = """. . . X O . O
                 X X X X O O .
                 X a O O O O O
                 . X X O . O .
                 . X O O O O O
                 X . X O . O O
                 . X X O O O ."""
    for rules in (JAPANESE, CHINESE):
        game = game_of(diagram, BLACK, rules, -20.5)
        assert choose(game, BLACK, mark(diagram, "a")) == mark(diagram, "a")


def test_invasions_stop_when_the_opponent_does_not_answer():
    """Who is behind tries the enemy's territory, but not for ever if dead stones can be agreed upon."""
    for rules, believed in ((CHINESE, True), (JAPANESE, True), (CGOS, False)):
        game = game_of(WALL, WHITE, rules, 60.5)
        assert Outlook(game, BLACK, rules.all_alive).useful[marks_of(WALL)["b"]].all()
        for _ in range(PATIENCE):
            game.play(WHITE, PASS)
            game.play(BLACK, PASS)
        assert Outlook(game, BLACK, rules.all_alive).useful[marks_of(WALL)["b"]].any() != believed


# Policy, evaluation and the rest of what a player can do


def test_the_policy_of_the_player_finds_the_move():
    game = Game(9, 7.5, CGOS)
    policy = np.full(board.cells(9), np.nan)
    policy[[33, 44]] = 0.1, 0.7
    manners = Manners(Fixed(PASS, policy=policy))
    assert manners.choose(game, BLACK, Budget()) == 44
    assert "early" in manners.explain()
    game.play(BLACK, 44)
    assert manners.choose(game, WHITE, Budget()) == 33
    assert Manners(Fixed(35, policy=policy)).choose(game, WHITE, Budget()) == 35


def test_everything_else_is_the_player_s():
    player = Fixed(35, policy=np.zeros(3), winrate=0.5)
    player.sizes, player.name = range(9, 10), "someone"
    player.explain = lambda: "because"
    manners = Manners(player)
    assert manners.policy(None, BLACK) is player.numbers
    assert manners.evaluate(None).winrate == 0.5
    assert (manners.name, manners.sizes, manners.views()) == ("someone", range(9, 10), [])
    assert manners.choose(Game(9), BLACK, Budget()) == 35
    assert manners.explain() == "because"
    assert (manners.is_program, manners.dead_stones(None)) == (False, None)
    player.is_program, player.dead_stones = True, lambda game: [7]
    assert (manners.is_program, manners.dead_stones(None)) == (True, [7])


def filled(length, handicap=0, size=9):
    """A game of scattered moves that captures nothing."""
    game = Game(size, 0.5, CHINESE)
    points = [int(p) for p in board.board_points(size)]
    points = [p for p in points if p % 2] + [p for p in points if not p % 2]
    if handicap:
        game.place_handicap([points.pop() for _ in range(handicap)])
    while len(game.moves) < length:
        game.play(game.to_play, next(p for p in points if game.is_legal(game.to_play, p)))
    return game


# (moves played, handicap, threshold, the player's winrates, whether it has resigned in the end)
RESIGNATIONS = {
    "hopeless for long enough": (40, 0, 0.05, [0.01] * HOPELESS_MOVES, True),
    "not yet for long enough": (40, 0, 0.05, [0.01] * (HOPELESS_MOVES - 1), False),
    "a moment of hope": (40, 0, 0.05, [0.01, 0.01, 0.3, 0.01, 0.01], False),
    "not hopeless enough": (40, 0, 0.05, [0.06] * 9, False),
    "switched off": (40, 0, None, [0.0] * 9, False),
    "no evaluation": (40, 0, 0.05, [None] * 9, False),
    "an evaluation that is no number": (40, 0, 0.05, [np.nan] * 9, False),
    "too early": (10, 0, 0.05, [0.0] * 5, False),
    "the opening of a handicap game": (36, 4, 0.05, [0.0] * 5, False),
}


@pytest.mark.parametrize("name", RESIGNATIONS)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_resignation(name, colour):
    length, handicap, threshold, winrates, resigned = RESIGNATIONS[name]
    game = filled(length, handicap)
    if game.to_play != colour:
        game = filled(length + 1, handicap)
    player = Fixed(PASS)
    manners = Manners(player, resign=threshold)
    answers = []
    for winrate in winrates:
        player.winrate = winrate if winrate is None or colour == BLACK else 1 - winrate
        answers.append(manners.choose(game, colour, Budget()))
        game = filled(len(game.moves) + 2, handicap)
    assert [answer == RESIGN for answer in answers] == [False] * (len(answers) - 1) + [resigned]
    assert RESIGN_AFTER * 81 > 10 + 2 * 5 and HANDICAP_RESIGN_AFTER * 81 > 37 + 2 * 5


def test_a_new_game_starts_with_new_hope():
    manners = Manners(Fixed(PASS, winrate=0.0), resign=0.05)
    for _ in range(2 * HOPELESS_MOVES):
        assert manners.choose(filled(40), BLACK, Budget()) != RESIGN


@pytest.mark.parametrize("found, resigned", [(None, False), ({}, True)])
def test_only_who_looks_ahead_is_believed_to_have_no_hope(found, resigned):
    player = Fixed(PASS, winrate=0.0)
    player.variations = lambda game, colour, budget=None: found
    manners = Manners(player, resign=0.05, by_search=True)
    answers = [manners.choose(filled(length), BLACK, Budget()) for length in (40, 42, 44)]
    assert (RESIGN in answers) == resigned


# Whole games

MISBEHAVED = {
    "passes": lambda seed: Fixed(PASS),
    "resigns": lambda seed: Fixed(RESIGN),
    "one point": lambda seed: Fixed(int(board.board_points(5)[seed % 25])),
    "anywhere": Anywhere,
    "nonsense": lambda seed: Nonsense(),
    "a short policy": lambda seed: Fixed(PASS, policy=np.zeros(3)),
    "a policy without numbers": lambda seed: Fixed(PASS, policy=["a"] * 99),
}


def play_out(black, white, size, rules, komi=0.5):
    """A whole game between two players with manners; Game.play raises if a move is illegal."""
    game = Game(size, komi, rules)
    players = {BLACK: Manners(black), WHITE: Manners(white)}
    while not game.is_over:
        assert len(game.moves) < (LONG_GAME if size > 3 else ENDLESS_GAME) * size**2 + 2
        colour = game.to_play
        p = players[colour].choose(game, colour, Budget())
        assert p == PASS or not board.is_eye(game.position, p, colour)
        game.play(colour, p)
    return game


def assert_counts_as_alive(game):
    """Who wins as the board stands wins without the dead stones too, and the loser has nothing left to capture."""
    score = game.score()
    dead = scoring.dead_stones(game.position)
    assert (game.score(dead) > 0) == (score > 0)
    loser = WHITE if score > 0 else BLACK
    assert Outlook(game, loser, all_alive=True).hunting_moves == []


@pytest.mark.parametrize("rules", [CGOS, TROMP_TAYLOR], ids=lambda rules: rules.name)
@pytest.mark.parametrize("size, games", [(2, 4), (3, 4), (5, 6), (7, 4), (9, 2), (13, 1)])
def test_games_of_anything_legal_end_with_nothing_left_to_capture(size, games, rules):
    for seed in range(games):
        assert_counts_as_alive(play_out(Anywhere(seed), Anywhere(seed + 100), size, rules))


@pytest.mark.parametrize("rules", [CGOS, CHINESE, JAPANESE, NEW_ZEALAND], ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", MISBEHAVED)
def test_misbehaved_players_play_sensible_games(name, rules):
    for size in (5, 7) if rules is CGOS else (5,):
        game = play_out(MISBEHAVED[name](size), MISBEHAVED["anywhere"](size), size, rules)
        assert len(game.moves) > size**2 / 2
        if rules is CGOS:
            assert_counts_as_alive(game)


def test_a_game_of_two_that_only_pass_is_a_game():
    game = play_out(Fixed(PASS), Fixed(PASS), 9, CGOS)
    assert len(game.moves) > 40
    assert_counts_as_alive(game)


def test_clean_up_after_a_game_leaves_nothing_to_capture():
    for seed in range(4):
        game = play_out(Anywhere(seed), Anywhere(seed + 50), 7, CHINESE)
        manners = Manners(Anywhere(seed + 99))
        game = game_of(draw(game.position), game.to_play, CHINESE, 0.5)
        while not game.is_over:
            assert len(game.moves) < LONG_GAME * 49
            game.play(game.to_play, manners.choose_cleanup(game, game.to_play, Budget()))
        assert [Outlook(game, colour, all_alive=True).hunting_moves for colour in (BLACK, WHITE)] == [[], []]
