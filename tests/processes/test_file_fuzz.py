"""Champions, models, runs and records with random changes: every answer is one line, soon and in little memory.

Half of what is changed is signed again, so that it gets past the digests. A few hundred files are tried in the suite;
``EVOGO_FUZZ_SECONDS=3600 python -m pytest -s tests/processes/test_file_fuzz.py`` goes on for an hour, with another seed each
time (``EVOGO_FUZZ_SEED`` chooses one), and keeps what failed in the folder that it names.
"""

import json
import os
import random
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from players.isn import model
from players.onnx.encoder import decode_model, read_metadata, sealed
from players.training import checkpoint
from tests.processes import hostile, mutations
from tests.processes.file_trials import RUNS

SECONDS = int(os.environ.get("EVOGO_FUZZ_SECONDS", 0))
SEED = int(os.environ.get("EVOGO_FUZZ_SEED", time.time() if SECONDS else 14))
FILES = 60  # in the suite
GENOMES = ("playout-9x9", "hyperneat-any", "organism-5x5", "organism-9x9", "sane-5x5", "sane-9x9")
SGF = [
    b"(;GM[1]FF[4]SZ[9]KM[5.5]PB[a\\]b]AP[x:1];B[ee];W[cc]C[a comment];B[gg];W[cg];B[gc];W[];B[])",
    b"(;SZ[13]HA[2]AB[dd][jj]PL[W];W[gg](;B[cc];W[ab]BL[30.5]OB[3])(;B[jd](;W[aa])(;W[bb])))",
    b"(;CA[gbk]SZ[5]AB[aa:cc]AW[dd]AE[bb];B[ee];AB[ea];W[eb];B[tt];W[tt]LB[aa:1][bb:2])",
]


class Fuzzer:
    """Draws files, and the commands to try on them."""

    def __init__(self, seed, folder, runs):
        self.random = random.Random(seed)
        self.folder = Path(folder)
        self.runs = runs

    def draw(self):
        """Write the next file or folder; the commands for it."""
        for old in self.folder.iterdir():
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        return self.random.choice([self.genome, self.genome, self.model, self.network, self.run, self.run, self.record])()

    def _commands(self, path):
        page = ["show", path, "--html", self.folder / "page.html"]
        return [["show", path], ["play", path], *([page] if self.random.random() < 0.3 else [])]

    def genome(self):
        name = self.random.choice(GENOMES)
        path = self.folder / "a.json"
        if self.random.random() < 0.3:
            path.write_bytes(mutations.bytes_of(self.random, (hostile.MODELS / f"{name}.json").read_bytes()))
        else:
            path.write_bytes(self._signed(hostile.data_of(name)))
        return self._commands(path)

    def _signed(self, data):
        """A changed genome with the right digest; mostly the body, which is what the kinds read, is changed."""
        part = self.random.choice(["body", "body", "config", "results", "history", None])
        changed = mutations.data_of(self.random, data if part is None else data[part])
        return hostile.signed(changed if part is None else {**data, part: changed})

    def model(self):
        content = (hostile.MODELS / f"{self.random.choice(['isn-small', 'isn-9x9'])}.onnx").read_bytes()
        draw = self.random.random()
        if draw < 0.3:
            content = mutations.bytes_of(self.random, content)
        elif draw < 0.6:
            content = sealed(mutations.bytes_of(self.random, content[:-100]))
        else:
            metadata = read_metadata(content)
            del metadata["digest"]
            name = self.random.choice(list(metadata))
            try:
                metadata[name] = json.dumps(mutations.data_of(self.random, [json.loads(metadata[name])])[0])
            except (ValueError, IndexError):
                metadata[name] = str(self.random.choice(mutations.ODD))
            parameters, _, anatomy = model.decode(content)
            content = sealed(model.encode(parameters, metadata, anatomy))
        path = self.folder / "a.onnx"
        path.write_bytes(content)
        return self._commands(path)

    def network(self):
        """A network from elsewhere, which has no digest: onnxruntime gets to see it."""
        weights = np.ones((1, 2, 3, 3), np.float32)
        operators = [("Conv", ["board", "w"], ["policy"], {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]})]
        shape = self.random.choice([("positions", 2, "height", "width"), (1, 2, 7, 7), (3, 2, 9, 9)])
        content = hostile.network(operators, {"w": weights}, shape)
        assert decode_model(content)
        (self.folder / "a.onnx").write_bytes(mutations.bytes_of(self.random, content))
        return [["play", self.folder / "a.onnx"], ["show", self.folder / "a.onnx"]]

    def record(self):
        (self.folder / "a.sgf").write_bytes(mutations.bytes_of(self.random, self.random.choice(SGF)))
        return [["loadsgf", self.folder / "a.sgf"]]

    def run(self):
        kind = self.random.choice(list(self.runs))
        path = self.folder / "a.run"
        shutil.copytree(self.runs[kind], path)
        (path / "run.json").write_text(json.dumps({"version": 1, "out": str(self.folder / "a.json")}))
        file = self.random.choice([file for file in path.rglob("*") if file.is_file()])
        file.write_bytes(self._changed(file))
        page = ["show", path, "--html", self.folder / "page.html"]
        again = ["train", kind, "--quiet", "--resume", path, "--generations", "3", "--workers", "1"]
        return [["show", path], again, *([page] if self.random.random() < 0.3 else [])]

    def _changed(self, file):
        content = file.read_bytes()
        if self.random.random() < 0.4:
            return mutations.bytes_of(self.random, content)
        if file.parent.name == "champions":
            data = json.loads(content)
            del data["digest"]
            return self._signed(data)
        if file.suffix == ".jsonl":
            lines = [json.loads(line) for line in content.splitlines()]
            changed = mutations.data_of(self.random, lines)
            return b"".join(json.dumps(line).encode() + b"\n" for line in changed)
        if file.suffix == ".json":
            return json.dumps(mutations.data_of(self.random, json.loads(content))).encode()
        if file.suffix == ".ckpt":
            tree = checkpoint.decode(content)
            part = self.random.choice(["champion", "history", "generation", "log_bytes", "log_digest", "state"])
            tree[part] = mutations.data_of(self.random, [tree[part]])
            tree[part] = tree[part][0] if tree[part] else None
            return checkpoint.encode(tree)
        return mutations.bytes_of(self.random, content)


@pytest.fixture(scope="module")
def runs(trials, tmp_path_factory):
    """A short run of each kind."""
    folder = tmp_path_factory.mktemp("runs")
    for kind, words in RUNS.items():
        suffix = ".onnx" if kind == "isn" else ".json"
        outcome = trials.run("train", kind, "--out", folder / f"{kind}{suffix}", *words.split())
        assert outcome.code == 0, (kind, outcome)
    return {kind: folder / f"{kind}.run" for kind in RUNS}


def test_changed_files(trials, runs, tmp_path):
    fuzzer = Fuzzer(SEED, tmp_path, runs)
    kept = Path(tempfile.gettempdir(), f"evogo-fuzz-{SEED}")
    end, count, codes, problems = time.monotonic() + SECONDS, 0, {}, []
    while time.monotonic() < end or count < FILES:
        count += 1
        for command in fuzzer.draw():
            source = kept / f"{count:06d}"
            before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
            outcome = trials.run(*command)
            codes[command[0], outcome.code] = codes.get((command[0], outcome.code), 0) + 1
            if outcome.problem:
                problems.append((count, outcome.problem, " ".join(map(str, command)), outcome.error[-600:]))
                print(problems[-1], flush=True)
                if SECONDS:
                    for path, content in before.items():
                        target = source / path.relative_to(tmp_path)
                        target.parent.mkdir(parents=True, exist_ok=True)
                        target.write_bytes(content)
    counts = ", ".join(f"{command} {code}: {number}" for (command, code), number in sorted(codes.items()))
    print(f"{count} files, seed {SEED}: {counts}")
    assert not problems, (SEED, kept if SECONDS else None, problems[:5])
