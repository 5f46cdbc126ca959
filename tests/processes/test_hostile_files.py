"""Hostile files and arguments: each gets one line and an exit code, soon and in little memory."""

import json
import os
import shutil

import numpy as np
import pytest

from tests.processes import hostile
from tests.processes.file_trials import MOST_MEGABYTES
from tests.processes.file_trials import RUNS as SHORT_RUNS
from tests.processes.hostile import array_bytes, bent, bent_model, checkpoint_of, data_of, signed

DEEP = b'{"a":' * 100_000
RESULT = data_of("hyperneat-any")["results"][0]
RULE = "if cell is empty then replicate"


def history(**entry):
    return bent("sane-5x5", "history", value=[{"generation": 1, **entry}])


GENOMES = {  # content, a part of the complaint
    "nested": (DEEP, "nested too deep"),
    "nested lists": (b"[" * 100_000, "nested too deep"),
    "nested to a thousand": (b'{"evogo":"genome","a":' + b"[" * 900 + b"]" * 900 + b"}", "nested too deep"),
    "nested in the body": (signed({**data_of("sane-5x5"), "body": json.loads("[" * 200 + "]" * 200)}), "nested too deep"),
    "many values": (b'{"evogo":' + b"[" + b"{}," * 2_000_000 + b"{}]}", "more than 1000000 values"),
    "large": (b" " * (9 << 20), "more than 8 MB"),
    "digits": (b'{"evogo":"genome","version":' + b"9" * 4000 + b"}", "4000 digits"),
    "more digits": (b'{"evogo":"genome","version":' + b"9" * 500_000 + b"}", "500000 digits"),
    "version": (signed({**data_of("sane-5x5"), "version": "²"}), "no valid format version"),
    "version true": (signed({**data_of("sane-5x5"), "version": True}), "no valid format version"),
    "not finite": (b'{"evogo":"genome","version":1e999}', "not finite"),
    "surrogates": (b'{"evogo":"genome","kind":"\\ud800"}', "control characters"),
    "escapes": (signed({**data_of("sane-5x5"), "kind": "\x1b]0;owned\x07"}), "control characters"),
    "opponent": (bent("sane-5x5", "results", 0, "opponent", value="wally\x1b[2J"), "control characters"),
    "long text": (bent("sane-5x5", "results", 0, "opponent", value="w" * 100_000), "100000 characters"),
    "kind": (bent("sane-5x5", "kind", value=["sane"]), "kind must be a text"),
    "sizes": (bent("sane-5x5", "sizes", value=[9] * 100), "sizes must have"),
    "no sizes": (bent("sane-5x5", "sizes", value=[]), "sizes must have"),
    "size": (bent("sane-5x5", "sizes", value=[1 << 40]), "sizes[0]"),
    "generation": (bent("sane-5x5", "generation", value=-1), "generation"),
    "wins above games": (bent("sane-5x5", "results", 0, "wins", value=1e9), "1e+09 wins in 1000 games"),
    "wins below 0": (bent("sane-5x5", "results", 0, "wins", value=-1), "results[0].wins"),
    "games": (bent("sane-5x5", "results", 0, "games", value="1000"), "results[0].games"),
    "half a game": (bent("sane-5x5", "results", 0, "games", value=0.5), "results[0].games"),
    "komi": (bent("sane-5x5", "results", 0, "komi", value=None), "results[0].komi"),
    "colour": (bent("sane-5x5", "results", 0, "colour", value={}), "results[0].colour"),
    "many results": (bent("sane-5x5", "results", value=[RESULT] * 20_000), "results must have"),
    "history": (bent("sane-5x5", "history", value=[[1, 2]]), "history[0] must be an object"),
    "history of numbers": (bent("sane-5x5", "history", value=[7]), "history[0] must be an object"),
    "history without": (bent("sane-5x5", "history", value=[{"best": 1}]), "history[0].generation is missing"),
    "win rate": (history(win_rate=1e9), "history[0].win_rate"),
    "win rate text": (history(win_rate="all"), "history[0].win_rate"),
    "best": (history(best=[1]), "history[0].best"),
    "mean": (history(mean=1e300), "history[0].mean"),
    "board": (history(size="9"), "history[0].size"),
    "config": (bent("sane-5x5", "config", value=[]), "config must be an object"),
    "seed": (bent("sane-5x5", "config", "seed", value={"a": 1}), "config.seed"),
    "config nested": (bent("sane-5x5", "config", "opponent", value=[[["wally"]]]), "config.opponent"),
    "body": (bent("sane-5x5", "body", value=[]), "body must be an object"),
    "body of another kind": (bent("sane-5x5", "body", value=data_of("organism-5x5")["body"]), "size is missing"),
    # SANE
    "sane size": (bent("sane-5x5", "body", "size", value="5"), "size must be"),
    "sane size list": (bent("sane-5x5", "body", "size", value=[5]), "size must be"),
    "sane huge size": (bent("sane-5x5", "body", "size", value=10**15), "size must be"),
    "sane labels": (bent("sane-5x5", "body", "labels", value=7), "labels must be a list"),
    "sane label": (bent("sane-5x5", "body", "labels", 0, 0, value="x"), "labels[0][0]"),
    "sane label of a larger board": (bent("sane-5x5", "body", "labels", 0, 0, value=75), "not between 0 and 74"),
    "sane ragged": (bent("sane-5x5", "body", "labels", 0, value=[1]), "a label and a weight"),
    "sane no neurons": (bent("sane-5x5", "body", "labels", value=[]), "labels must have"),
    "sane weight": (bent("sane-5x5", "body", "weights", 0, 0, value=1e300), "weights[0][0]"),
    "sane reach": (bent("sane-5x5", "body", "reach", value=1000), "reach must be"),
    "sane everywhere": (bent("sane-5x5", "body", "reach", value=2), "more than 1,000 connections"),
    "sane many": (bent("sane-5x5", "body", "labels", value=[[1]] * 100_000), "labels must have"),
    # HyperNEAT
    "cppn leo": (bent("hyperneat-any", "body", "geometry", "leo", value="yes"), "geometry.leo"),
    "cppn border": (bent("hyperneat-any", "body", "geometry", "border", value=10**9), "geometry.border"),
    "cppn hidden": (bent("hyperneat-any", "body", "geometry", "hidden", value=10**9), "geometry.hidden"),
    "cppn direct": (bent("hyperneat-any", "body", "geometry", "direct", value=1), "geometry.direct"),
    "cppn largest": (bent("hyperneat-any", "body", "geometry", "largest", value=1), "geometry.largest"),
    "cppn sheets": (bent("hyperneat-any", "body", "geometry", "sheets", value=["signed"]), "geometry.sheets"),
    "cppn other": (bent("hyperneat-any", "body", "geometry", "other", value=1), "geometry.other is not known"),
    "cppn selector": (bent("hyperneat-any", "body", "selector", value={}), "selector must be one of"),
    "cppn function": (bent("hyperneat-any", "body", "nodes", 0, value=[7, "cosine"]), "nodes[0][1]"),
    "cppn node": (bent("hyperneat-any", "body", "nodes", 0, value=[10**12, "sine"]), "nodes[0][0]"),
    "cppn link": (bent("hyperneat-any", "body", "links", 0, value=[0, 7]), "links[0] must be a list of 3"),
    "cppn link to nowhere": (bent("hyperneat-any", "body", "links", 0, value=[0, 9999, 1.0]), "not a node"),
    "cppn link to an input": (bent("hyperneat-any", "body", "links", 0, value=[0, 1, 1.0]), "backwards"),
    "cppn weight": (bent("hyperneat-any", "body", "links", 0, value=[0, 7, 1e30]), "links[0][2]"),
    "cppn chain": (hostile.chain(200_000), "more than 1000000 values"),
    "cppn shorter chain": (hostile.chain(11_000), "nodes must have"),
    "cppn cycle": (bent("hyperneat-any", "body", "links", 0, value=[30, 30, 1.0]), "not"),
    # Organisms
    "organism rules": (bent("organism-5x5", "body", "rules", value=RULE), "rules must be a list"),
    "organism rule": (bent("organism-5x5", "body", "rules", value=["if pigs fly then die"]), "not a rule"),
    "organism rule of numbers": (bent("organism-5x5", "body", "rules", value=[1]), "rules[0]"),
    "organism number": (bent("organism-5x5", "body", "rules", value=["if size > 1e99 then die"]), "out of range"),
    "organism of 20,000 rules": (bent("organism-5x5", "body", "rules", value=[RULE] * 20_000), "rules must have"),
    "organism cycles": (bent("organism-5x5", "body", "initial_cycles", value=10**9), "initial_cycles"),
    "organism half a cycle": (bent("organism-5x5", "body", "regular_cycles", value=1.5), "regular_cycles"),
    "a network from elsewhere": (signed({**data_of("sane-5x5"), "kind": "onnx"}), None),
}

NETWORKS = {
    "empty": (b"", "holds no graph"),
    "zeros": (b"\0" * 5000, ""),
    "not protobuf": (b"\xff" * 5000, ""),
    "many fields": (b"\x70\x01" * 1_000_000, "more than 100000 entries"),
    "large tensor": (hostile.large_tensor("constant"), "more memory"),
    "large expansion": (hostile.large_tensor("expand"), "more memory"),
    "doubling": (hostile.large_tensor("double"), "more memory"),
    "wide rim": (hostile.large_tensor("pad"), "more memory"),
    "endless": (hostile.loop(), "Loop"),
    "false claim": (hostile.claimed([1 << 24, 1 << 24]), "larger than its data"),
    "unknown operator": (hostile.network([("Magic", ["board"], ["policy"], {})]), "cannot load it"),
    "no such input": (hostile.network([("Add", ["board", "nothing"], ["policy"], {})]), "cannot load it"),
    "no output": (hostile.network([("Identity", ["board"], ["other"], {})], outputs=("other",)), "no output called"),
    "policy of a wrong length": (hostile.network([("Identity", ["board"], ["policy"], {})]), "policy has 162 numbers"),
    "huge batch": (
        hostile.network([("Identity", ["board"], ["policy"], {})], shape=(1 << 30, 2, "height", "width")),
        "positions at a time",
    ),
    "isn version": (bent_model(version="²"), "no valid format version"),
    "isn digits": (bent_model(version="9" * 4000), "no valid format version"),
    "isn config": (bent_model(config="[]"), "config must be an object"),
    "isn config nested": (bent_model(config="[" * 100_000), "config: it is"),
    "isn results": (bent_model(results='{"a": 1}'), "results must be a list"),
    "isn history": (bent_model(history='[{"generation": 1, "win_rate": 1e9}]'), "history[0].win_rate"),
    "isn reward": (bent_model(c="1e300"), "c must be a number"),
    "isn turn": (bent_model(turn_aware="7"), "turn_aware"),
}

SGFS = {
    "passes": (b"(;SZ[9]" + b";B[];W[]" * 125_000 + b")", "too long"),
    "escapes": (b"(;C[" + b"\\]" * (30 << 20) + b"])", "more than 16 MB"),
    "fewer escapes": (b"(;C[" + b"\\]" * (7 << 20), "never closed"),
    "set-ups": (b"(;SZ[25]" + b";AB[aa]" * 100_000 + b")", "too long"),
}


def refused(trials, words, *command):
    outcome = trials.run(*command)
    assert outcome.problem is None and outcome.code in (1, 2), (command, outcome)
    if words is not None:
        assert words in outcome.error, outcome.error


@pytest.mark.parametrize("name", GENOMES)
def test_genomes(trials, tmp_path, name):
    content, words = GENOMES[name]
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    refused(trials, words, "play", path)
    if name != "a network from elsewhere":  # of a kind that is not ours, there is something to show
        refused(trials, words, "show", path)
        refused(trials, words, "show", path, "--html", tmp_path / "x.html")
    assert sorted(os.listdir(tmp_path))[0] == "bad.json" and not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(trials, tmp_path, name):
    content, words = NETWORKS[name]
    path = tmp_path / "bad.onnx"
    path.write_bytes(content)
    refused(trials, words, "play", path)
    refused(trials, None, "show", path)


@pytest.mark.parametrize("name", SGFS)
def test_records(trials, tmp_path, name):
    content, words = SGFS[name]
    (tmp_path / "bad.sgf").write_bytes(content)
    refused(trials, words, "loadsgf", tmp_path / "bad.sgf")


def test_what_is_not_a_file(trials, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "pipe.onnx")
    (tmp_path / "zero.onnx").symlink_to("/dev/zero")
    for path in ("/dev/zero", tmp_path / "pipe", tmp_path / "pipe.onnx", tmp_path / "zero.onnx"):
        for command in ("show", "play", "loadsgf"):
            refused(trials, "pipe or a device", command, path)
    for path in (tmp_path, "/nowhere", "nul\0l", "x" * 5000, "\x1b[2J.json", "a/b\ud800.json"):
        refused(trials, None, "show", path)
        refused(trials, None, "play", path)


def largest_organism():
    data = data_of("organism-9x9")
    rules = data["body"]["rules"]
    data["body"] = {"rules": (rules * 400)[:400], "initial_cycles": 100, "regular_cycles": 2}
    return signed(data)


def longest_history():
    entry = {"size": 9, "best": 1.5, "mean": 1.0, "win_rate": 0.5, "games": 100}
    return bent("sane-5x5", "history", value=[{"generation": number, **entry} for number in range(50_000)])


def largest_sane():
    data = data_of("sane-9x9")
    labels = [[(7 * i + j) % 243 for j in range(100)] for i in range(2_000)]
    data["body"] |= {"labels": labels, "weights": [[0.5] * 100] * 2_000}
    return signed(data)


def largest_sane_everywhere():
    data = data_of("sane-9x9")
    labels = [[(7 * i + j) % (12 * 19**2) for j in range(20)] for i in range(50)]
    data["body"] |= {"size": 25, "inputs": "tactics", "reach": 9, "labels": labels, "weights": [[0.5] * 20] * 50}
    return signed(data)


LARGEST = [lambda: hostile.chain(9_900), largest_organism, longest_history, largest_sane, largest_sane_everywhere]


@pytest.mark.parametrize("make", LARGEST)
def test_the_largest_that_there_may_be(trials, tmp_path, make):
    """What is within the limits is read, played and shown, as soon and in as little room as what is not is refused."""
    (tmp_path / "a.json").write_bytes(make())
    for words in (["play"], ["show"]):
        outcome = trials.run(*words, tmp_path / "a.json")
        assert outcome.problem is None and outcome.code == 0, outcome
    outcome = trials.run("show", tmp_path / "a.json", "--html", tmp_path / "x.html")
    assert outcome.code == 0 and outcome.megabytes < 2 * MOST_MEGABYTES and outcome.seconds < 20, outcome


def test_a_champion_with_any_flipped_bit(trials, tmp_path):
    for name in ("isn-small.onnx", "sane-5x5.json"):
        content = bytearray((hostile.MODELS / name).read_bytes())
        for place in range(5, len(content), len(content) // 12):
            content[place] ^= 4
            (tmp_path / name).write_bytes(content)
            refused(trials, None, "play", tmp_path / name)
            content[place] ^= 4


# Runs



@pytest.fixture(scope="module")
def run(trials, tmp_path_factory):
    """A short run that was not finished."""
    path = tmp_path_factory.mktemp("run")
    outcome = trials.run("train", "hyperneat", "--out", path / "a.json", *SHORT_RUNS["hyperneat"].split())
    assert outcome.code == 0, outcome
    return path / "a.run"


RUNS = {  # file, its content (a function of what is there), parts of the complaints of show and of train --resume, if any
    "nested config": ("config.json", lambda old: DEEP, "nested too deep", "config.json"),
    "config list": ("config.json", lambda old: b"[]", "must be an object", "config.json"),
    "config kind": ("config.json", lambda old: old.replace(b'"hyperneat"', b"7"), "kind must be a text", "config.json"),
    "config kind escape": ("config.json", lambda old: old.replace(b"hyperneat", b"\\u001b[2J"), "control", "config.json"),
    "config range": ("config.json", lambda old: old.replace(b'"games": 2', b'"games": 99999999'), "games must be", "games"),
    "config type": ("config.json", lambda old: old.replace(b'"games": 2', b'"games": {}'), "config", "config"),
    "config boards": ("config.json", lambda old: old.replace(b'"komi": 6.5', b'"komi": "six"'), "komi must be", "komi"),
    "config missing": ("config.json", None, "not a run folder", "not a run folder"),
    "metrics": ("metrics.jsonl", lambda old: b'{"generation": "one"}\n', "line 1: generation", None),
    "metrics nested": ("metrics.jsonl", lambda old: b"[" * 60_000 + b"\n", "line 1: it is", None),
    "metrics lists": ("metrics.jsonl", lambda old: b"[1, 2]\n" * 3, "line 1", None),
    "metrics rate": ("metrics.jsonl", lambda old: old + b'{"generation": 3, "wins": 1e9}\n', "wins", None),
    "metrics line": ("metrics.jsonl", lambda old: b"x" * 1_000_000, "line 1", None),
    "metrics best": ("metrics.jsonl", lambda old: old + b'{"generation": 3, "best": [1]}\n', "best", None),
    "timing": ("timing.jsonl", lambda old: b'{"generation": 1, "seconds": "x", "games": 1}\n', "seconds", None),
    "timing short": ("timing.jsonl", lambda old: b"{}\n", "line 1", None),
    "champion": ("champions/000002.json", lambda old: old[:-20], "000002.json", None),
    "champion kind": ("champions/000002.json", lambda old: signed(data_of("sane-5x5")), "sane genome", None),
    "out": ("run.json", lambda old: b'{"version": 1, "out": "/etc/passwd"}', None, "--out"),
    "out of numbers": ("run.json", lambda old: b'{"version": 1, "out": 7}', None, "run.json"),
    "run nested": ("run.json", lambda old: DEEP, None, "run.json"),
    "run missing": ("run.json", None, None, "run.json"),
    "checkpoint": ("checkpoints/000002.ckpt", lambda old: old[:-1], None, None),
}
STATE = array_bytes(np.frombuffer(b"{}", np.uint8))
CHECKPOINTS = {
    "bomb": (checkpoint_of([("tree.npy", b"\0" * (300 << 20))], compress=True), "compressed"),
    "shape": (checkpoint_of([("tree.npy", array_bytes(np.zeros(4, np.uint8), (1 << 40,)))]), "not as long as it says"),
    "two shapes": (checkpoint_of([("tree.npy", array_bytes(np.zeros(4), (-1, -4)))]), "not as long as it says"),
    "objects": (checkpoint_of([("tree.npy", array_bytes(np.zeros(1, [("a", "<i8")]), (1,)))]), "holds no state"),
    "no tree": (checkpoint_of([("a0.npy", STATE)]), "holds no state"),
    "empty tree": (checkpoint_of([("tree.npy", STATE)]), "is missing"),
    "a missing array": (checkpoint_of([("tree.npy", array_bytes(np.frombuffer(b'{"$array": 3}', np.uint8)))]), "missing"),
    "an odd array": (checkpoint_of([("tree.npy", array_bytes(np.frombuffer(b'{"$array": []}', np.uint8)))]), "missing"),
    "another name": (checkpoint_of([("../tree.npy", STATE)]), "another name"),
    "nested": (checkpoint_of([("tree.npy", array_bytes(np.frombuffer(b"[" * 100_000, np.uint8)))]), "nested"),
    "no archive": (b"evogo-checkpoint-1 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 0\n", "no archive"),
}


def copied(run, tmp_path):
    shutil.copytree(run, tmp_path / "a.run")
    shutil.copy(run.with_suffix(".json"), tmp_path / "a.json")
    path = tmp_path / "a.run"
    (path / "run.json").write_text(json.dumps({"version": 1, "out": str(tmp_path / "a.json")}))
    return path


@pytest.mark.parametrize("name", RUNS)
def test_runs(trials, run, tmp_path, name):
    file, change, shown, resumed = RUNS[name]
    path = copied(run, tmp_path)
    if change is None:
        (path / file).unlink()
    else:
        (path / file).write_bytes(change((path / file).read_bytes()))
    for more in ([], ["--html", tmp_path / "x.html"]):
        outcome = trials.run("show", path, *more)
        assert outcome.problem is None and bool(outcome.code) == bool(shown), outcome
        assert not shown or shown in outcome.error, outcome
    outcome = trials.run("train", "hyperneat", "--quiet", "--resume", path, "--generations", "3")
    assert outcome.problem is None and bool(outcome.code) == bool(resumed), outcome
    assert not resumed or resumed in outcome.error, outcome


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_checkpoints(trials, run, tmp_path, name):
    content, words = CHECKPOINTS[name]
    path = copied(run, tmp_path)
    for file in (path / "checkpoints").iterdir():
        file.write_bytes(content)
    refused(trials, words, "train", "--resume", path)


def test_a_state_of_another_trainer(trials, run, tmp_path):
    from players.training import checkpoint

    path = copied(run, tmp_path)
    for file in (path / "checkpoints").iterdir():
        tree = checkpoint.decode(file.read_bytes())
        file.write_bytes(checkpoint.encode({**tree, "state": {"population": [1, 2]}}))
    refused(trials, "no state of hyperneat", "train", "--resume", path)


# Arguments


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["hyperneat", "--generations", "10000000000"], "generations must be at most"),
        (["hyperneat", "--generations", ",".join(["1000000"] * 9), "--boards", "3,4,5,6,7,8,9,10,11"], "generations"),
        (["hyperneat", "--games", "100000000000"], "games must be at most"),
        (["hyperneat", "--population", "1000000000000"], "population must be at most"),
        (["organism", "--islands", "100000000000"], "islands must be at most"),
        (["organism", "--island-size", "100000000000"], "island-size must be at most"),
        (["organism", "--most-rules", "100000000000"], "most-rules must be at most"),
        (["sane", "--blueprints", "1000000000000"], "blueprints must be at most"),
        (["sane", "--neurons", "1000000000000"], "neurons must be at most"),
        (["isn", "--most-moves", "1e12"], "most-moves must be at most"),
        (["isn", "--rate", "inf"], "rate must be"),
        (["isn", "--seed", "9" * 30], "seed must be at most"),
        (["isn", "--seed", "9" * 5000], "--seed must be a whole number"),
        (["isn", "--games", "²"], "--games must be a whole number"),
        (["isn", "--generations", "1000000", "--retest-every", "1"], "--retest-every"),
        (["isn", "--workers", "1000000000"], "--workers must be"),
        (["isn", "--checkpoint-seconds", "nan"], "--checkpoint-seconds must be"),
        (["os:system"], "not a trainer"),
        (["builtins:print"], "not a trainer"),
        (["subprocess:Popen"], "not a trainer"),
        (["players.training.trainer:Verdict"], "not a trainer"),
        (["no\x1b[2J:x"], "cannot import"),
        ([":"], "module:name"),
    ],
)
def test_train(trials, tmp_path, words, complaint):
    refused(trials, complaint, "train", *words, "--out", tmp_path / "a.json")
    assert not list(tmp_path.iterdir())


def test_a_configuration_from_anywhere(trials, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "deep").write_bytes(DEEP)
    (tmp_path / "odd").write_text('{"games": 1e99, "boards": {}}')
    for path in ("/dev/zero", tmp_path / "pipe", tmp_path / "deep", tmp_path / "odd"):
        refused(trials, None, "train", "hyperneat", "--config", path, "--out", tmp_path / "a.json")
