"""The network as an ONNX file: the same numbers as the kernel, on boards of any size however they lie, and nothing is lost."""

import numpy as np
import onnxruntime
import pytest

import gtp_main
from players.expert import model
from players.expert.network import PARAMETERS
from players.genome import Genome, GenomeError, Result
from players.onnx.encoder import OnnxError, read_metadata, sealed
from players.onnx.files import load_genome
from tests.players.expert.reference import features_of, grid, random_game, random_network
from tests.players.expert.test_network import VIEWS, looked, turned


@pytest.fixture(scope="module")
def session():
    return model.Session(model.encode(random_network(1), {}))


@pytest.mark.parametrize("size", range(5, 20))
def test_kernel_and_model_agree_in_all_eight_views(session, size):
    parameters = random_network(1)
    bits = grid(features_of(random_game(size, size, size * size // 2)), size)
    views = np.array([turned(bits, view) for view in VIEWS])
    komi = np.linspace(-9.5, 9.5, len(VIEWS))
    policy, passing, owner, win = session.run(views, komi)
    for number, view in enumerate(VIEWS):
        shares, pass_share, owners, chance = looked(parameters, bits, komi[number])
        weights = np.exp(policy[number, 0].astype(float)) * (turned(shares, view) > 0)
        total = weights.sum() + np.exp(float(passing[number, 0]))
        assert np.abs(weights / total - turned(shares, view)).max() < 1e-4
        assert abs(np.exp(passing[number, 0]) / total - pass_share) < 1e-4 and abs(win[number, 0] - chance) < 1e-4
        assert np.abs(owner[number, 0] - turned(owners, view)).max() < 1e-4


def genome_of(parameters):
    results = [Result("gojen", 9, 7.5, 40, 30.5, "both")]
    body = {"parameters": parameters.tolist()}
    return Genome("expert", [5, 9], body, {"seed": 3, "full": 800}, 12, results, [{"generation": 12, "win_rate": 0.7}])


def test_round_trip(tmp_path):
    old = genome_of(random_network(1).astype(np.float32).astype(float))
    model.save(old, tmp_path / "a.onnx")
    assert model.load(tmp_path / "a.onnx") == old == load_genome(tmp_path / "a.onnx")
    model.save(old, tmp_path / "b.onnx")
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()


def test_other_tools_can_read_it(tmp_path):
    model.save(genome_of(random_network(1)), tmp_path / "a.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "a.onnx")
    assert [one.shape for one in session.get_inputs()] == [["positions", 31, "height", "width"], ["positions", 1]]
    told = session.get_modelmeta().custom_metadata_map
    assert told["kind"] == "expert" and "30.5" in told["results"] and told["version"] == "1"


def test_damaged_files(tmp_path):
    path = tmp_path / "a.onnx"
    model.save(genome_of(random_network(1)), path)
    content = path.read_bytes()
    parts = [b"", b"nonsense", content[: len(content) // 2], content.replace(b"first_bias", b"first_bits")]
    for place in range(0, len(content), len(content) // 40):
        flipped = bytearray(content)
        flipped[place] ^= 1 << place % 8
        parts.append(bytes(flipped))
    for part in parts:
        path.write_bytes(part)
        with pytest.raises(GenomeError, match="a.onnx"):
            model.load(path)


@pytest.mark.parametrize("name, value, words", [("version", "2", "newer"), ("config", "[1]", "config must be an object")])
def test_odd_metadata_are_told(tmp_path, name, value, words):
    path = tmp_path / "a.onnx"
    model.save(genome_of(random_network(1)), path)
    metadata = {**read_metadata(path.read_bytes()), name: value}
    del metadata["digest"]
    path.write_bytes(sealed(model.encode(random_network(1), metadata)))
    with pytest.raises(GenomeError, match=words):
        model.load(path)


def test_weights_without_symmetry_are_refused():
    content = bytearray(model.encode(np.zeros(PARAMETERS), {"kind": "expert"}))
    # The weights follow the name of their tensor, a key byte and the bytes of their length.
    start = content.rindex(b"layer_0") + len(b"layer_0") + 5
    content[start : start + 36] = np.arange(9, dtype=np.float32).tobytes()
    with pytest.raises(OnnxError, match="symmetry"):
        model.decode(bytes(content))


def test_show_and_the_registry_read_models(tmp_path, capsys):
    model.save(genome_of(random_network(1)), tmp_path / "a.onnx")
    assert gtp_main.main(["show", str(tmp_path / "a.onnx")]) == 0
    assert f"{PARAMETERS} parameters" in capsys.readouterr().out
