"""The evaluator as an ONNX file: the same numbers as the kernel, on boards of any size, and nothing lost on the way."""

import numpy as np
import onnxruntime
import pytest

import gtp_main
from players.genome import Genome, GenomeError, Result
from players.isn import model
from players.isn.anatomy import HIDDEN_CHOICES, INPUTS, PAPER, Anatomy, anatomy_of
from players.isn.body import body_of
from players.isn.network import build, new_sight, see, see_first
from players.onnx.encoder import OnnxError, read_metadata, sealed
from players.onnx.files import load_genome
from tests.players.isn.reference import grid, random_network, random_position, symmetries


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


ALL = tuple(INPUTS)
RICH = [*(Anatomy((name,)) for name in INPUTS), Anatomy(ALL)]
RICH += [Anatomy((), HIDDEN_CHOICES[-1]), Anatomy(ALL, 24, 3)]


@pytest.mark.parametrize("anatomy", RICH, ids=str)
def test_kernel_and_model_agree_with_any_anatomy(anatomy):
    """On boards from 5x5 to 19x19, turned and mirrored in all eight ways."""
    parameters = random_network(1, 0.3, anatomy)
    network, session = build(parameters, anatomy), model.Session(model.encode(parameters, {}, anatomy), anatomy)
    for size in range(5, 20):
        position = random_position(np.random.default_rng(size), size, size * size * (size % 5 + 2) // 8)
        first, sight = new_sight(anatomy), new_sight(anatomy)
        see_first(network, position, first, sight)
        see(network, position, first, sight)
        images = np.array(list(symmetries(grid(sight.kind, size))))
        expected = np.array(list(symmetries(grid(sight.outputs, size)[..., :7]))).transpose(0, 3, 1, 2)
        assert np.abs(session.run(images) - expected).max() < 1e-5


@pytest.mark.parametrize("anatomy", RICH, ids=str)
def test_round_trip_with_any_anatomy(tmp_path, anatomy):
    old = genome_of(random_network(1, 0.5, anatomy).astype(np.float32).astype(float), anatomy)
    model.save(old, tmp_path / "a.onnx")
    new = model.load(tmp_path / "a.onnx")
    assert np.allclose(new.body.pop("parameters"), old.body.pop("parameters"), atol=1e-7)
    assert new == old and anatomy_of(new.body["inputs"], new.body["hidden"], new.body["passes"]) == anatomy


def genome_of(parameters, anatomy=PAPER):
    results = [Result("liberty", 9, 7.5, 40, 30.5, "both")]
    body = body_of(parameters.tolist(), 0.4, 0.4, True, anatomy)
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
    assert told["kind"] == "isn" and "30.5" in told["results"] and told["version"] == "2"
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


def test_every_flipped_bit_is_noticed(tmp_path):
    path = tmp_path / "a.onnx"
    model.save(genome_of(random_network(1)), path)
    content = path.read_bytes()
    for place in range(0, len(content), 41):
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with pytest.raises(GenomeError):
            model.load(path)


def test_files_of_before_there_was_a_digest_are_read(tmp_path):
    model.save(genome_of(random_network(1)), tmp_path / "a.onnx")
    new = model.load(tmp_path / "a.onnx")
    content = (tmp_path / "a.onnx").read_bytes()
    entry = b"\x0a\x07version\x12\x01"
    old = content[: content.rindex(b"\x0a\x06digest") - 2].replace(entry + b"2", entry + b"1")
    (tmp_path / "b.onnx").write_bytes(old)
    assert model.load(tmp_path / "b.onnx") == new
    (tmp_path / "b.onnx").write_bytes(old.replace(entry + b"1", entry + b"2"))
    with pytest.raises(GenomeError, match="digest"):
        model.load(tmp_path / "b.onnx")


@pytest.mark.parametrize(
    "name, value, words",
    [
        ("version", "²", "no valid format version"),
        ("version", "9" * 4000, "no valid format version"),
        ("version", "3", "newer"),
        ("config", "[1]", "config must be an object"),
        ("config", '{"seed": "x"}', "config.seed"),
        ("results", "[3]", "results[0]"),
        ("history", '[{"generation": 1, "win_rate": 1e9}]', "history[0].win_rate"),
        ("turn_aware", "1", "turn_aware must be true or false"),
        ("c", '"x"', "c must be a number"),
        ("sizes", "[" * 100_000, "sizes: it is"),
        ("sizes", "", "sizes: it is"),
        ("inputs", '["liberties"]', "hidden is missing"),
    ],
)
def test_odd_metadata_are_told(tmp_path, name, value, words):
    """The digest is right, and what it is over is not."""
    path = tmp_path / "a.onnx"
    model.save(genome_of(random_network(1)), path)
    metadata = {**read_metadata(path.read_bytes()), name: value}
    del metadata["digest"]
    path.write_bytes(sealed(model.encode(random_network(1), metadata)))
    with pytest.raises(GenomeError) as caught:
        model.load(path)
    assert words in str(caught.value) and "a.onnx" in str(caught.value) and len(str(caught.value)) < 300


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
