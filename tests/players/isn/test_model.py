"""The evaluator as an ONNX file: the same numbers as the kernel, on boards of any size, and nothing lost on the way."""

import numpy as np
import onnxruntime
import pytest

import gtp_main
from players.genome import Genome, GenomeError, Result
from players.isn import model
from players.isn.network import build, new_sight, see, see_first
from players.onnx.encoder import OnnxError
from players.onnx.files import load_genome
from tests.players.isn.reference import grid, random_network, random_position


@pytest.mark.parametrize("size", [2, 5, 9, 13, 19])
def test_kernel_and_model_agree(size):
    generator = np.random.default_rng(size)
    for seed in range(3):
        parameters = random_network(seed)
        network, session = build(parameters), model.Session(model.encode(parameters, {}))
        kinds, said = [], []
        for number in range(10):
            position = random_position(generator, size, size * size * (number + 1) // 8)
            first, sight = new_sight(), new_sight()
            see_first(network, position, first, sight)
            see(network, position, first, sight)
            kinds.append(grid(sight.kind, size))
            said.append(grid(sight.outputs, size)[..., :7])
        assert np.abs(session.run(np.array(kinds)) - np.array(said).transpose(0, 3, 1, 2)).max() < 1e-5


def genome_of(parameters):
    results = [Result("liberty", 9, 7.5, 40, 30.5, "both")]
    body = {"parameters": parameters.tolist(), "c": 0.4, "s": 0.4, "turn_aware": True}
    return Genome("isn", [5, 9], body, {"seed": 3, "beta": 4.0}, 12, results, [{"generation": 12, "win_rate": 0.7}])


def test_round_trip(tmp_path):
    old = genome_of(random_network(1).astype(np.float32).astype(float))
    model.save(old, tmp_path / "a.onnx")
    new = model.load(tmp_path / "a.onnx")
    assert np.allclose(new.body.pop("parameters"), old.body.pop("parameters"), atol=1e-7)
    assert new == old
    model.save(genome_of(random_network(1)), tmp_path / "b.onnx")
    model.save(genome_of(random_network(1)), tmp_path / "c.onnx")
    assert (tmp_path / "b.onnx").read_bytes() == (tmp_path / "c.onnx").read_bytes()


def test_other_tools_can_read_it(tmp_path):
    model.save(genome_of(random_network(1)), tmp_path / "a.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "a.onnx")
    (board,), (outputs,) = session.get_inputs(), session.get_outputs()
    assert board.shape == ["positions", 13, "height", "width"] and outputs.shape == ["positions", 7, "height", "width"]
    told = session.get_modelmeta().custom_metadata_map
    assert told["kind"] == "isn" and "30.5" in told["results"] and told["version"] == "1"
    wide = np.zeros((2, 13, 4, 7), np.float32)
    wide[:, 12] = 1
    assert session.run(None, {"board": wide})[0].shape == (2, 7, 4, 7)


def test_damaged_files(tmp_path):
    path = tmp_path / "a.onnx"
    model.save(genome_of(random_network(1)), path)
    content = path.read_bytes()
    for part in (b"", b"nonsense", content[: len(content) // 2], content.replace(b"hidden_bias", b"hidden_bits")):
        path.write_bytes(part)
        with pytest.raises(GenomeError, match="a.onnx"):
            model.load(path)
    with pytest.raises(GenomeError, match="cannot read"):
        model.load(tmp_path / "none.onnx")


def test_weights_without_symmetry_are_refused():
    content = bytearray(model.encode(np.zeros(725), {"kind": "isn"}))
    # The weights follow the name of their tensor, a key byte and the two bytes of their length.
    start = content.rindex(b"input_to_hidden") + len(b"input_to_hidden") + 3
    content[start : start + 36] = np.arange(9, dtype=np.float32).tobytes()
    with pytest.raises(OnnxError, match="symmetry"):
        model.decode(bytes(content))


def test_show_and_the_registry_read_models(tmp_path, capsys):
    model.save(genome_of(random_network(1)), tmp_path / "a.onnx")
    assert load_genome(tmp_path / "a.onnx").results[0].wins == 30.5
    assert gtp_main.main(["show", str(tmp_path / "a.onnx")]) == 0
    assert "714 free weights" in capsys.readouterr().out
    (tmp_path / "b.onnx").write_bytes(model.encode(random_network(1), {}))
    assert load_genome(tmp_path / "b.onnx") is None
    assert gtp_main.main(["show", str(tmp_path / "b.onnx")]) != 0
    assert "from elsewhere" in capsys.readouterr().err
