"""Networks from elsewhere: small models whose answers are known."""

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, point
from engine.go.game import Game
from engine.gtp import command_table
from engine.gtp.protocol import GtpError, Request
from engine.gtp.session import Session
from engine.records.vertex import parse_vertex
from players.foreign.planes import PLANES, planes_of
from players.manners import Manners
from players.onnx.encoder import OnnxError, decode_model, encode_model, node
from players.registry import PlayerError, load_player
from tests.diagrams import game_of

BOARD = ["positions", 3, "height", "width"]


def convolution(path, weights, output="policy", shape=None, metadata=None):
    """A model of one convolution over the planes; a value is its sum over the board."""
    weights = np.asarray(weights, np.float32)
    shape = shape or ["positions", weights.shape[1], "height", "width"]
    pads = [weights.shape[2] // 2] * 4
    nodes = [node("Conv", ["board", "weights"], ["policy"], kernel_shape=list(weights.shape[2:]), pads=pads)]
    outputs = {"policy": ["positions", 1, *shape[2:]]}
    if output == "value":
        nodes.append(node("ReduceMean", ["policy"], ["value"], axes=[1, 2, 3], keepdims=0))
        outputs = {"value": ["positions"]}
    content = encode_model("test", nodes, {"weights": weights}, {"board": shape}, outputs, metadata or {})
    path.write_bytes(content)
    return str(path)


def test_a_policy_is_followed(tmp_path):
    beside_enemies = np.zeros((1, 3, 3, 3))
    beside_enemies[0, 1] = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    player = load_player(convolution(tmp_path / "a.onnx", beside_enemies), 1)
    game = game_of(". . . .\n. O . .\n. . O .\n. . . .")
    assert player.choose(game, BLACK, None) in {point(4, 2, 1), point(4, 1, 2)}
    assert player.policy(game, BLACK)[point(4, 2, 1)] == 2
    assert np.isnan(player.policy(game, BLACK)[point(4, 1, 1)])
    assert player.evaluate(game) is None
    assert 19 in player.sizes


def test_a_value_is_looked_ahead_with(tmp_path):
    # Bad for the side to move: the enemy's stones, less its own. Black should capture.
    player = load_player(convolution(tmp_path / "a.onnx", np.array([1.0, -1.0, 0.0]).reshape(1, 3, 1, 1), "value"), 1)
    game = game_of(". X . .\nX O . .\n. X . .\n. . . .")
    assert player.choose(game, BLACK, None) == point(4, 2, 1)
    evaluation = player.evaluate(game)
    assert evaluation.winrate == pytest.approx((1 + 2 / 16) / 2) and evaluation.score > 0


def test_it_passes_when_only_eyes_are_left(tmp_path):
    player = load_player(convolution(tmp_path / "a.onnx", np.ones((1, 2, 1, 1))), 1)
    assert player.choose(game_of(". X .\nX X X\nX X ."), BLACK, None) == PASS


@pytest.mark.parametrize("batch", [1, 3, 7])
def test_a_fixed_number_of_positions(tmp_path, batch):
    """Candidates are given to it so many at a time, and judged as all at once."""
    weights = np.array([1.0, -1.0, 0.0]).reshape(1, 3, 1, 1)
    free = load_player(convolution(tmp_path / "a.onnx", weights, "value"), 1)
    shape = [batch, 3, "height", "width"]
    fixed = load_player(convolution(tmp_path / "b.onnx", weights, "value", shape), 1)
    game = game_of(". X . .\nX O . .\n. X . .\n. . . .")
    assert fixed.choose(game, BLACK, None) == free.choose(game, BLACK, None) == point(4, 2, 1)
    np.testing.assert_array_equal(fixed.policy(game, BLACK), free.policy(game, BLACK))
    assert fixed.evaluate(game) == free.evaluate(game)
    policy = load_player(convolution(tmp_path / "c.onnx", weights, shape=shape), 1)
    assert policy.choose(game, BLACK, None) > 0


def with_pass(path, value):
    """A policy that likes every point as much as there are own stones on it, and a pass by a constant."""
    nodes = [
        node("Conv", ["board", "weights"], ["points"], kernel_shape=[1, 1]),
        node("Flatten", ["points"], ["row"], axis=1),
        node("Concat", ["row", "passing"], ["policy"], axis=1),
    ]
    constants = {"weights": np.array([1.0, 0.0], np.float32).reshape(1, 2, 1, 1), "passing": np.array([[value]], np.float32)}
    shapes = {"board": [1, 2, "height", "width"]}, {"policy": [1, "moves"]}
    path.write_bytes(encode_model("test", nodes, constants, *shapes, {}))
    return str(path)


@pytest.mark.parametrize("value, passes", [(0.5, True), (-0.5, False)])
def test_a_policy_may_pass(tmp_path, value, passes):
    player = load_player(with_pass(tmp_path / "a.onnx", value), 1)
    game = Game(5)
    assert (player.choose(game, BLACK, None) == PASS) == passes
    warm = load_player(with_pass(tmp_path / "a.onnx", value) + ",temperature=0.5", 1)
    drawn = [warm.choose(game, BLACK, None) for _ in range(200)]
    assert 0 < drawn.count(PASS) < 200


def test_numbers_that_are_none_are_passed_over(tmp_path):
    """A policy with 0 / 0 where no stone is of its own: what is left is chosen from."""
    nodes = [
        node("Conv", ["board", "weights"], ["points"], kernel_shape=[1, 1]),
        node("Div", ["points", "points"], ["policy"]),
    ]
    constants = {"weights": np.array([1.0, 1.0], np.float32).reshape(1, 2, 1, 1)}
    shape = ["positions", 2, "height", "width"]
    (tmp_path / "a.onnx").write_bytes(
        encode_model("test", nodes, constants, {"board": shape}, {"policy": ["positions", 1, *shape[2:]]}, {})
    )
    game = game_of(". X .\n. O .\n. . .")
    assert game.is_legal(BLACK, load_player(str(tmp_path / "a.onnx"), 1).choose(game, BLACK, None))


def test_a_kind_that_has_no_models_is_one_from_elsewhere(tmp_path):
    path = convolution(tmp_path / "a.onnx", np.ones((1, 2, 1, 1)), metadata={"kind": "hyperneat"})
    assert load_player(path).choose(Game(5), BLACK, None) > 0


def test_a_fixed_board(tmp_path):
    path = convolution(tmp_path / "a.onnx", np.ones((1, 2, 1, 1)), shape=[1, 2, 7, 7])
    assert list(load_player(path).sizes) == [7]


def only_for(path, size):
    """A policy whose file says nothing of the board, although it adds a number to each point of one size alone."""
    nodes = [
        node("Conv", ["board", "weights"], ["points"], kernel_shape=[1, 1]),
        node("Flatten", ["points"], ["row"], axis=1),
        node("Add", ["row", "liking"], ["policy"]),
    ]
    constants = {"weights": np.ones((1, 2, 1, 1), np.float32), "liking": np.zeros((1, size * size), np.float32)}
    shapes = {"board": ["positions", 2, "height", "width"]}, {"policy": ["positions", "moves"]}
    path.write_bytes(encode_model("test", nodes, constants, *shapes, {}))
    return str(path)


@pytest.mark.parametrize("manners", [False, True])
def test_a_board_on_which_it_fails_is_told_and_others_go_on(tmp_path, manners):
    player = load_player(only_for(tmp_path / "mine.onnx", 9), 1)
    session = Session(Manners(player) if manners else player, Game(9), 1, None, None, "")
    session.open_to_all()

    def ask(line):
        name, *arguments = line.split()
        return session.carry_out(command_table.function_of(name), Request(None, name, arguments))

    assert ask("genmove b")
    ask("boardsize 8")
    for command in ("genmove b", "evogo-policy b", "genmove w"):
        with pytest.raises(GtpError, match="^the network mine fails on an 8x8 board: onnxruntime cannot run it"):
            ask(command)
    assert not session.game.moves
    ask("boardsize 9")
    assert ask("genmove b")


@pytest.mark.parametrize(
    "weights, shape, words",
    [
        (np.ones((1, 9, 1, 1)), None, "9 input channels"),
        (np.ones((1, 2, 1, 1)), ["positions", 2, 7, 9], "7 by 9"),
        (np.ones((1, 2, 1, 1)), ["positions", 2, 40, 40], "40 by 40"),
    ],
)
def test_other_shapes_are_refused(tmp_path, weights, shape, words):
    with pytest.raises(PlayerError, match=words):
        load_player(convolution(tmp_path / "a.onnx", weights, shape=shape))


def test_planes():
    game = Game(5)
    for colour, vertex in [(BLACK, "A5"), (WHITE, "A4"), (BLACK, "C3"), (WHITE, "C2")]:
        game.play(colour, parse_vertex(vertex, 5))
    planes = planes_of(game, BLACK, PLANES)
    assert planes.shape == (8, 5, 5) and planes.dtype == np.float32
    assert np.argwhere(planes[0]).tolist() == [[0, 0], [2, 2]]
    assert np.argwhere(planes[1]).tolist() == [[1, 0], [3, 2]]
    assert planes[2].all() and planes[7].all() and not planes_of(game, WHITE, PLANES)[7].any()
    assert not planes[3].any()
    assert np.argwhere(planes[4]).tolist() == [[3, 2]]
    assert np.argwhere(planes[5]).tolist() == [[0, 0]]
    assert np.argwhere(planes[6]).tolist() == [[1, 0]]
    assert (planes_of(game, BLACK, 3) == planes[:3]).all()
    caught = game_of(". X .\nX O O\n. O .")
    assert planes_of(caught, WHITE, PLANES)[3].reshape(-1)[0] == 1


def test_the_encoder_reads_what_it_writes():
    numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
    arrays = {"w": numbers, "n": np.array([-1], np.int64)}
    content = encode_model("m", [], arrays, {"x": [1]}, {"y": ["n"]}, {"a": "b", "c": ""})
    constants, metadata = decode_model(content)
    assert list(constants) == ["w"] and (constants["w"] == numbers).all() and metadata == {"a": "b", "c": ""}
    for damaged in (b"", b"\xff", content[:20], content[:-1]):
        with pytest.raises(OnnxError):
            decode_model(damaged)
