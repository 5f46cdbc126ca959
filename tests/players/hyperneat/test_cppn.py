import numpy as np
import pytest

from players.hyperneat import cppn
from players.hyperneat.cppn import GAUSSIAN, LINEAR, SIGMOID, SINE, compile_links, paint
from tests.players.hyperneat.networks import genome

EXACT = {
    SIGMOID: lambda x: 2 / (1 + np.exp(-x)) - 1,
    GAUSSIAN: lambda x: np.exp(-x * x),
    SINE: np.sin,
    LINEAR: lambda x: np.clip(x, -3, 3) / 3,
}


@pytest.mark.parametrize("kind", EXACT)
def test_activation_functions_are_what_they_are_called(kind):
    x = np.linspace(-30, 30, 60001).astype(np.float32)
    y = x.copy()
    cppn.activate(kind, y)
    assert np.abs(y - EXACT[kind](x.astype(np.float64))).max() < 3e-7
    assert np.abs(y).max() <= 1


def test_activation_functions_at_the_ends():
    x = np.array([0, 1e4, -1e4], np.float32)
    for kind, expected in ((SIGMOID, [0, 1, -1]), (GAUSSIAN, [1, 0, 0]), (LINEAR, [0, 1, -1])):
        y = x.copy()
        cppn.activate(kind, y)
        assert y == pytest.approx(expected, abs=1e-30)


def _run(links, functions, inputs, outputs, queries):
    program = compile_links(links, np.array(functions, np.uint8), inputs, outputs)
    painted = np.empty((outputs, queries.shape[1]), np.float32)
    paint(*program, queries.astype(np.float32), painted)
    return painted


def test_a_small_network_by_hand():
    # inputs 0, 1; output 2; hidden 4 = sine(2·x0), hidden 3 = gaussian(x1 - 0.5·h4); output = sigmoid(h3 + 3·h4 - x0)
    links = genome((0, 0, 2, -1.0), (1, 0, 4, 2.0), (2, 1, 3, 1.0), (3, 4, 3, -0.5), (4, 3, 2, 1.0), (5, 4, 2, 3.0))
    x = np.random.default_rng(1).uniform(-1, 1, (2, 1000))
    h4 = np.sin(2 * x[0])
    h3 = np.exp(-((x[1] - 0.5 * h4) ** 2))
    expected = np.tanh((h3 + 3 * h4 - x[0]) / 2)
    assert _run(links, [0, 0, SIGMOID, GAUSSIAN, SINE], 2, 1, x)[0] == pytest.approx(expected, abs=2e-6)


def test_an_output_without_links_is_silent():
    painted = _run(genome((0, 0, 1, 1.0)), [0, SIGMOID, SIGMOID], 1, 2, np.ones((1, 3)))
    assert np.all(painted[0] > 0) and np.all(painted[1] == 0)


def test_the_order_of_nodes_does_not_depend_on_their_numbers():
    straight = genome((0, 0, 1, 1.0), (1, 0, 2, 2.0), (2, 2, 3, 2.0), (3, 3, 1, 2.0))
    crossed = genome((0, 0, 1, 1.0), (1, 0, 3, 2.0), (2, 3, 2, 2.0), (3, 2, 1, 2.0))
    x = np.linspace(-1, 1, 7)[None]
    a = _run(straight, [0, SIGMOID, SINE, GAUSSIAN], 1, 1, x)
    b = _run(crossed, [0, SIGMOID, GAUSSIAN, SINE], 1, 1, x)
    assert np.array_equal(a, b)
