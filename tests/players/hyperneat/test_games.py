import re
import xml.etree.ElementTree as tree

import numpy as np
import pytest

from engine.go import board
from engine.go.board import BLACK, EMPTY, PASS, WHITE, point
from engine.go.game import Game
from engine.go.rng import new_stream
from engine.go.rules import CHINESE
from engine.go.scoring import safe_territory, unconditional_life
from engine.gtp.protocol import GtpError
from players.genome import Genome, GenomeError, Result, load, save
from players.hyperneat import selector, substrate, viewer
from players.hyperneat.body import make_body, read_body
from players.hyperneat.player import HyperneatPlayer, load_player
from players.hyperneat.selector import AVOID_ENEMY, BEST, LEAVE_DEAD, POSITIVE, Rule, choose_move
from players.hyperneat.sheets import LIBERTIES, NAMES, SPLIT, TACTICS, show
from players.hyperneat.substrate import Geometry, Network
from players.hyperneat.trainer import fitness
from players.scripted.kernels import KINDS, scripted_move
from players.show.charts import text_width
from tests.diagrams import game_of, mark
from tests.players.hyperneat.networks import random_program

LIBERTY = KINDS["liberty"]


def _body(seed=1, geometry=Geometry(), rule=Rule()):
    links, functions, _ = random_program(seed, geometry=geometry)
    return make_body(links, functions, geometry, rule)


def _game(size, black="", white=""):
    """A game set up with stones at the given (col, row) pairs, as text: ``"00 11"``."""
    game = Game(size, 6.5, CHINESE)
    stones = [(BLACK, point(size, int(c), int(r))) for c, r in black.split()]
    stones += [(WHITE, point(size, int(c), int(r))) for c, r in white.split()]
    game.set_up(stones)
    return game


# Fitness


@pytest.mark.parametrize(
    "scores, size, expected",
    [
        ([0.5], 5, 200),
        ([18.5, 1.5], 5, 400),
        ([-6.5], 5, 43.5),
        ([-31.5], 5, 18.5),
        ([-60.0], 5, 0),
        ([0.0], 7, 98),
        ([10.5, -10.5], 7, 392 + 87.5),
    ],
)
def test_fitness_of_equation_1(scores, size, expected):
    assert fitness(scores, size) == pytest.approx(expected)


# Activation


@pytest.mark.parametrize("sheets", ["signed", SPLIT])
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_activation_is_the_network_of_the_paper(sheets, colour):
    geometry = Geometry(sheets=sheets)
    _, _, program = random_program(3, geometry=geometry)
    network = substrate.build(program, 5, geometry)
    weights = network.weights
    game = _game(5, "00 12 33", "44 21")
    stones = game.position.colour[board.board_points(5)]
    own, enemy = (stones == colour).astype(float), (stones == 3 - colour).astype(float)
    net = own @ weights[0] + (enemy @ weights[1] if sheets == SPLIT else -enemy @ weights[0])
    expected = np.tanh(net / 2) @ weights[-1]
    output = np.empty(25, np.float32)
    selector.activate(network, game.position, colour, output)
    assert output == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("hidden, direct", [(1, False), (1, True), (3, False), (2, True)])
@pytest.mark.parametrize("colour, seed", [(BLACK, 0), (WHITE, 1), (BLACK, 2)])
def test_activation_by_liberties_and_border(colour, seed, hidden, direct):
    geometry = Geometry(sheets=LIBERTIES, border=True, leo=True, hidden=hidden, direct=direct)
    _, _, program = random_program(3, geometry=geometry)
    network = substrate.build(program, 5, geometry)
    weights = network.weights
    game = _random_game(5, 18, seed)
    sheets = np.zeros((7, 25))
    for node, p in enumerate(board.board_points(5)):
        stone = game.position.colour[p]
        if stone != EMPTY:
            sheets[3 * (stone != colour) + min(3, board.count_liberties(game.position, p)) - 1, node] = 1
        elif board.is_legal(game.position, p, colour, False):
            after = board.copy(game.position)
            board.play(after, p, colour)
            sheets[6, node] = board.count_liberties(after, p) < 2
        else:
            sheets[6, node] = 1  # no liberty at all
    named = dict(zip(geometry.pairs, weights))
    expected = np.zeros(25)
    for number in range(hidden):
        name = f"hidden {number + 1}" if hidden > 1 else "hidden"
        heard = [named[f"{sheet}→{name}"] for sheet in NAMES[LIBERTIES]]
        net = sum(sheet @ pair[:25] for sheet, pair in zip(sheets, heard)) + heard[0][25]
        expected += np.tanh(net / 2) @ named[f"{name}→output"][:25]
    if direct:
        expected += sum(shown @ named[f"{sheet}→output"][:25] for sheet, shown in zip(NAMES[LIBERTIES], sheets))
    output = np.empty(25, np.float32)
    selector.activate(network, game.position, colour, output)
    assert output == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("reach, longest", [(1, 1), (3, 3), (None, 8)])
@pytest.mark.parametrize("absolute", [False, True])
def test_only_those_within_reach_need_to_be_heard(absolute, reach, longest):
    geometry = Geometry(sheets=TACTICS, border=True, absolute=absolute, reach=reach, hidden=2, direct=True)
    _, _, program = random_program(3, geometry=geometry)
    network = substrate.build(program, 9, geometry)
    assert network.reach == longest
    near, all_of_them = np.empty(81, np.float32), np.empty(81, np.float32)
    for seed in range(5):
        game = _random_game(9, 30, seed)
        selector.activate(network, game.position, BLACK, near)
        selector.activate(network._replace(reach=8), game.position, BLACK, all_of_them)
        assert np.array_equal(near, all_of_them) and np.any(near != 0)


def _expected_tactics(position, p, colour):
    """What the sheets of tactics show at an empty point, by making the move."""
    around = [q for q in (p - position.stride, p - 1, p + 1, p + position.stride) if position.chain[q]]
    enemies = [q for q in around if position.colour[q] == 3 - colour]
    after = board.copy(position)
    legal = board.is_legal(position, p, colour, False)
    if legal:
        board.play(after, p, colour)
    left = board.count_liberties(after, p) if legal else 0
    if any(after.colour[q] == EMPTY for q in enemies):
        return "capture"
    if any(position.colour[q] == colour and board.count_liberties(position, q) == 1 for q in around) and left >= 3:
        return "escape"
    if any(board.count_liberties(after, q) == 1 for q in enemies) and left >= 2:
        return "atari"
    return "self-atari" if left < 2 else None


def test_tactics_in_random_positions():
    shown, seen = np.empty(49, np.int64), set()
    for seed in range(8):
        position = _random_game(7, 14 + 3 * seed, seed).position
        for colour in (BLACK, WHITE):
            show(position, colour, len(NAMES[TACTICS]), shown)
            for p, sheet in zip(board.board_points(7), shown):
                if position.colour[p] == EMPTY:
                    kind = NAMES[TACTICS][sheet] if sheet >= 0 else None
                    assert kind == _expected_tactics(position, int(p), colour)
                    seen.add(kind)
    assert seen == {None, *NAMES[TACTICS][6:]}


def _random_game(size, moves, seed):
    """A game after some random moves."""
    game, rng = Game(size, 6.5, CHINESE), new_stream(seed)
    for _ in range(moves):
        game.play(game.to_play, int(scripted_move(KINDS["random"], 0.0, game.position, game.history, game.to_play, rng)))
    return game


# The choice of a move


def _wishes(size, *wishes):
    """A substrate that hears a stone at the top left and then wants the given {(col, row): output}, in that measure."""
    weights = np.zeros((2, size**2, size**2), np.float32)
    weights[0, 0, 0] = 3.0
    for (col, row), value in dict(wishes).items():
        weights[1, 0, row * size + col] = value
    return weights


def _choose(weights, game, rule=POSITIVE, colour=BLACK, seed=1):
    return choose_move(Network(weights, 1, game.size), rule, game.position, game.history, colour, new_stream(seed))


def test_the_best_legal_output_is_played():
    game = _game(5, "00", "22")
    weights = _wishes(5, ((2, 2), 3.0), ((3, 1), 2.0), ((4, 4), 2.5))
    assert _choose(weights, game) == point(5, 4, 4)  # the very best is occupied


def test_equal_outputs_go_to_the_first_in_board_order():
    assert _choose(_wishes(5, ((3, 1), 2.0), ((1, 3), 2.0)), _game(5, "00")) == point(5, 3, 1)


def test_without_a_positive_output_the_rules_differ():
    game = _game(5, "00")
    weights = np.full((2, 25, 25), -1.0, np.float32) * (np.arange(25) + 1)
    weights[0] = 1.0
    assert _choose(weights, game, BEST) == point(5, 1, 0)
    drawn = {int(_choose(weights, game, POSITIVE, seed=seed)) for seed in range(200)}
    assert len(drawn) == 24  # all empty points


def test_eyes_and_illegal_points_are_never_played():
    game = _game(5, "10 01 11", "34 43 33")
    eye, suicide = point(5, 0, 0), point(5, 4, 4)
    weights = np.zeros((2, 25, 25), np.float32)
    weights[0, 1, 0] = 3.0  # hears the stone at 10
    weights[1, 0, 0], weights[1, 0, 24], weights[1, 0, 12] = 3.0, 2.0, 1.0
    assert not game.is_legal(BLACK, suicide)
    assert _choose(weights, game) == point(5, 2, 2)
    assert _choose(weights, game) not in (eye, suicide)


@pytest.mark.parametrize(
    "black, white, safe",
    [
        ("01 11 21 31 41 10 30", "03 13 23 33 43", "00 20 40"),  # a wall with three eyes of one point
        ("02 12 22 32 42 21 11 31", "", "00 10 20 30 40 01 41"),  # a region in which every point touches the wall
        ("01 11 21 31 41 20", "03 13 23 33 43", "00 10 30 40"),  # two eyes of two points
    ],
)
def test_own_safe_territory_is_left_alone(black, white, safe):
    game = _game(5, black, white)
    owner = np.zeros(board.cells(5), np.int8)
    safe_territory(game.position, owner)
    inside = {point(5, int(c), int(r)) for c, r in safe.split()}
    if not all(owner[p] == BLACK for p in inside):
        inside = set()  # one region alone is no life: then it may be played
    heard = int(black[0]) + 5 * int(black[1])
    weights = np.zeros((2, 25, 25), np.float32)
    weights[0, heard, 0] = 3.0
    weights[1, 0, :10] = 3.0  # wants the two rows above all
    chosen = {int(_choose(weights, game, rule, seed=seed)) for rule in (POSITIVE, BEST) for seed in range(20)}
    assert not chosen & inside and PASS not in chosen
    assert inside or chosen <= {point(5, int(c), int(r)) for c, r in safe.split()}


DEAD_STONE = """
    a O X . X
    X X X X X
    X X X X X
    X X X X X
    X X X X .
"""


@pytest.mark.parametrize("selector", [POSITIVE, BEST])
def test_a_dead_stone_in_own_safe_territory_is_captured(selector):
    game, nothing = game_of(DEAD_STONE), np.zeros((2, 25, 25), np.float32)
    assert _choose(nothing, game, selector) == mark(DEAD_STONE, "a")
    assert _choose(nothing, game, selector | LEAVE_DEAD) == PASS
    game.play(BLACK, mark(DEAD_STONE, "a"))
    assert _choose(nothing, game, selector) == PASS  # what is captured is not filled


ENEMYS_ROOM = """
    . . X . X
    X X X X X
    O O O O O
    . . O . O
    . O O O .
"""


def test_the_enemys_safe_territory_may_be_avoided():
    game, nothing = game_of(ENEMYS_ROOM), np.zeros((2, 25, 25), np.float32)
    entered = {int(_choose(nothing, game, POSITIVE, WHITE, seed)) for seed in range(50)}
    assert entered == {point(5, 0, 0), point(5, 1, 0)}
    assert _choose(nothing, game, POSITIVE | AVOID_ENEMY, WHITE) == PASS
    assert _choose(nothing, game, BEST | AVOID_ENEMY, WHITE) == PASS


def test_rules_by_name():
    assert Rule("best").number == BEST and Rule().number == POSITIVE
    assert Rule("best", capture_dead=False, avoid_enemy=True).number == BEST | LEAVE_DEAD | AVOID_ENEMY
    for rule in (Rule(), Rule("best", False, True)):
        assert read_body(_body(rule=rule)).rule == rule
    older = {name: value for name, value in _body().items() if name not in ("capture_dead", "avoid_enemy")}
    assert read_body(older).rule == Rule("positive", capture_dead=True, avoid_enemy=False)


def test_quick_test_never_contradicts_benson():
    alive, territory = np.zeros(99, np.uint8), np.zeros(99, np.uint8)
    queue, seen = np.empty(99, np.int64), np.zeros(99, np.uint8)
    checked = 0
    for seed in range(150):
        game = Game(5, 6.5, CHINESE)
        rng = new_stream(seed)
        for _ in range(60):
            colour = game.to_play
            game.play(colour, int(scripted_move(KINDS["random"], 1.0, game.position, game.history, colour, rng)))
            if game.is_over:
                break
            unconditional_life(game.position, BLACK, alive, territory)
            for p in board.board_points(5):
                if game.position.colour[p] == EMPTY and territory[p]:
                    checked += 1
                    assert selector._may_be_enclosed(game.position, int(p), BLACK, queue, seen)
            assert not seen.any()
    assert checked > 50


def test_passes_when_nothing_sane_is_left():
    game = _game(3, "10 01 11 21 12 02 20", "")  # eyes at 00 and 22
    assert _choose(np.zeros((2, 9, 9), np.float32), game) == PASS


# Games


@pytest.mark.parametrize("size", [5, 9])
def test_a_saved_champion_has_the_substrate_of_its_training(tmp_path, size):
    path = tmp_path / "champion.json"
    save(Genome("hyperneat", list(range(5, 20)), _body(6)), path)
    side = load_player(load(path)).side(size, CHINESE)
    assert np.array_equal(side.network.weights, substrate.build(random_program(6)[2], size, Geometry()).weights)


@pytest.mark.parametrize("size", range(5, 20))
def test_one_genome_plays_every_size(size):
    player = HyperneatPlayer(_body(4))
    player.seed(1)
    game = Game(size, 6.5, CHINESE)
    for _ in range(8):
        game.play(game.to_play, player.choose(game, game.to_play, None))  # IllegalMove otherwise
    policy = player.policy(game, game.to_play)
    empty = game.position.colour[: len(policy)] == EMPTY
    assert np.array_equal(np.isfinite(policy), empty)
    assert np.nanmax(np.abs(policy)) <= 1


def test_receptive_field_view():
    player = HyperneatPlayer(_body(4))
    game = Game(5, 6.5, CHINESE)
    views = player.views()
    assert [view.command for view in views] == ["evogo-field-0 %p", "evogo-field-1 %p"]
    rows = [line.split() for line in views[1].draw(game, ["B5"]).splitlines()]
    assert len(rows) == 5 and all(len(row) == 5 for row in rows)
    expected = player.network(5).weights[1][:, 1].reshape(5, 5) / 3  # B5 is the second node
    assert np.array(rows, float) == pytest.approx(expected, abs=6e-4)
    for bad in ([], ["pass"], ["Z9"]):
        with pytest.raises(GtpError):
            views[0].draw(game, bad)


# Genome files


@pytest.mark.parametrize(
    "change",
    [
        {"links": [[0, 99, 1.0]]},
        {"links": [[0, 0, 1.0]]},
        {"links": [[7, 8, 1.0]]},
        {"links": [[9, 10, 1.0], [10, 9, 1.0]]},
        {"links": [[9, 9, 1.0]]},
        {"links": [[0, 8, "x"]]},
        {"links": 5},
        {"nodes": [[9, "cosine"]]},
        {"nodes": [[10**9, "sine"]]},
        {"nodes": [[-1000, "sine"]]},
        {"geometry": {}, "links": [[0, 8]]},
        {"geometry": {"extrapolation": "sideways"}},
        {"geometry": {"largest": 1}},
        {"geometry": {"reach": 0}},
        {"geometry": {"absolute": False, "deltas": False}},
        {"geometry": {"colour": 1}},
        {"selector": "worst"},
        {"selector": None},
        {"selector": ["best"]},
        {"capture_dead": "yes"},
        {"avoid_enemy": 1},
    ],
)
def test_a_bad_body_is_refused_in_one_line(change):
    with pytest.raises(GenomeError) as caught:
        HyperneatPlayer({**_body(), **change})
    assert "\n" not in str(caught.value)


def test_pictures_are_svg():
    genome = Genome("hyperneat", [5, 7], _body(2), generation=3)
    for champions in ([], [genome] * 30):
        shown = viewer.pictures(genome, champions)
        assert len(shown) == 2
        for picture in shown:
            assert len(picture.frames) == len(picture.labels) <= 24
            assert picture.first == -1  # the champion
            assert len(list(tree.fromstring(picture.frames[0]).iter("svg"))) in (1, 4)
    rich = Genome("hyperneat", [5, 7], _body(2, Geometry(sheets=TACTICS, hidden=3, direct=True)), generation=3)
    few = viewer.pictures(rich, [rich] * 30)[0].frames
    assert 0 < len(few) < 10 and few[0].count("<svg") == 2 * 43
    met = [Result("liberty", 8, 6.5, 2, 1, "both")]
    for extrapolation, drawn in (("discrete", [8]), ("continuous", [6, 8])):  # what is the same on all boards is drawn once
        body = _body(2, Geometry(extrapolation, absolute=False))
        anywhere = Genome("hyperneat", [6, 8], body, config={"boards": [6, 8]}, results=met)
        (fields,) = viewer.pictures(anywhere, [])[0].frames
        told = [f"{size}×{size}, {pair}" for size in drawn for pair in ("input → hidden", "hidden → output")]
        assert re.findall(r"<figcaption>(.*?)</", fields) == told
    assert re.findall(r'cx="(\d+)" cy="(\d+)" r=".3" class="here"', fields) == [("3", "3")] * 2 + [("4", "4")] * 2
    fields = tree.fromstring(viewer.pictures(genome, [])[0].frames[0])
    player = load_player(genome)
    expected = [
        (f"{size}×{size}, {name}", player.receptive_field(size, point(size, size // 2, size // 2), pair).ravel())
        for size in (5, 7)
        for pair, name in enumerate(("input → hidden", "hidden → output"))
    ]
    drawn = list(fields.iter("figure"))
    assert [figure.find("figcaption").text for figure in drawn] == [words for words, _ in expected]
    for figure, (_, weights) in zip(drawn, expected):
        field = figure.find("svg")
        told = [float(word) for word in field.get("data-values").split()]
        assert np.allclose(told, weights, atol=0.006)
        bars = [path.get("d").count("M") for path in field.iter("path") if path.get("class") == "bar-mark"]
        assert sum(bars) == (weights < 0).sum()  # what is below 0 can be told without colours


def test_a_graph_of_a_cppn_has_layers_and_names():
    genome = Genome("hyperneat", [5, 7], _body(2), generation=3)
    player = load_player(genome)
    graph = tree.fromstring(viewer.pictures(genome, [])[1].frames[0]).find("svg")
    width = float(graph.get("viewBox").split()[2])
    texts = {text.text: float(text.get("x")) for text in graph.iter("text")}
    outputs = [name.replace("→", " → ") for name in player.geometry.output_names]
    assert {"inputs", "outputs", *player.geometry.input_names, *outputs} <= set(texts)
    assert all(texts[name] + text_width(name) <= width for name in outputs)
    nodes = {circle.get("data-tip").split(":")[0]: float(circle.get("cx")) for circle in graph.iter("circle")}
    links = [path.get("data-tip").split(": ")[0].split(" to ") for path in graph.iter("path") if path.get("data-tip")]
    assert len(links) == len(player.program.weight)
    assert {nodes[name] for name in outputs} == {max(nodes.values())}


def test_a_hyperneat_genome_in_words_and_games():
    genome = Genome("hyperneat", [5, 7], _body(2), generation=3)
    assert "5 hidden nodes" in viewer.describe(genome)
    record = viewer.games(genome)[0]
    assert record.size == 5 and record.result
