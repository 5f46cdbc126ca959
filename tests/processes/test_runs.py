"""The run loop: the same bytes however it is run, killed and resumed, and plain words when something is wrong."""

import copy
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import gtp_main
from players import genome
from players.training import folder as run_folder
from players.training.folder import RunError
from players.training.progress import Progress
from players.training.run import Run
from players.training.workers import Workers
from tests.players.training.toy.trainer import Trainer
from tests.processes.gtp_client import PATIENCE

TOY = "tests.players.training.toy.trainer:Trainer"
ROOT = Path(__file__).parents[2]


def train(*words):
    return gtp_main.main(["train", TOY, "--quiet", *map(str, words)])


def command(*words):
    return [sys.executable, str(ROOT / "gtp_main.py"), "train", TOY, *map(str, words)]


def spawn(*words, unbuffered="", **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered}
    return subprocess.Popen(
        command(*words), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def products(path):
    """Everything that must be the same whenever a run is repeated: genome, log and champions."""
    path = Path(path)
    found = {"genome": path.with_suffix(".json").read_bytes(), "log": (path / "metrics.jsonl").read_bytes()}
    return found | {file.name: file.read_bytes() for file in (path / "champions").iterdir()}


def log_lines(path):
    """How many generations a run has logged so far."""
    log = Path(path) / "metrics.jsonl"
    return log.read_bytes().count(b"\n") if log.exists() else 0


def wait_for(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """What the uninterrupted run makes, with one worker."""
    path = tmp_path_factory.mktemp("reference")
    assert train("--out", path / "a.json", "--workers", 1) == 0
    return products(path / "a.run")


def test_what_a_run_leaves(reference):
    log = [json.loads(line) for line in reference["log"].splitlines()]
    assert [entry["generation"] for entry in log] == list(range(1, 13))
    assert [entry["size"] for entry in log] == [5] * 6 + [7] * 6
    assert [entry["generation"] for entry in log if "champion" in entry] == [3, 6, 9, 12]
    champion = genome.decode(reference["genome"], kind="toy")
    assert reference["000012.json"] == reference["genome"]
    assert champion.seed == 1 and champion.config["population"] == 10 and len(champion.history) == 4
    assert champion.results[0].opponent == "pattern" and champion.results[0].games % 20 == 0


@pytest.mark.parametrize(
    "words",
    [
        ["--workers", 2],
        ["--workers", 3, "--checkpoint-seconds", 0],
        ["--workers", 2, "--executor", "concurrent.futures:ProcessPoolExecutor"],
        ["--workers", 3, "--executor", "players.training.workers:processes"],
        ["--executor", "tests.processes.test_runs:Backwards"],
    ],
)
def test_workers_do_not_change_the_result(reference, tmp_path, words):
    assert train("--out", tmp_path / "a.json", *words) == 0
    assert products(tmp_path / "a.run") == reference


class Backwards:
    """An executor that does everything in the wrong order, on copies, so that nothing can be shared by accident."""

    def __init__(self, workers):
        self.waiting = []

    def submit(self, function, *arguments):
        future = Future()
        self.waiting.append((future, function, copy.deepcopy(arguments)))
        future.result = lambda timeout=None: (self.work(), Future.result(future))[1]
        return future

    def work(self):
        while self.waiting:
            future, function, arguments = self.waiting.pop()
            future.set_result(function(*arguments))

    def shutdown(self, wait=True):
        pass


def test_seed_and_parameters_change_the_result(reference, tmp_path):
    for i, words in enumerate((["--seed", 2], ["--flip", 0.06])):
        assert train("--out", tmp_path / f"{i}.json", *words) == 0
        assert products(tmp_path / f"{i}.run")["log"] != reference["log"]


def test_killed_at_random_moments(reference, tmp_path):
    """kill -9 from outside, whatever the process is doing, until one lives long enough to finish."""
    moments = random.Random(5)
    path = tmp_path / "a.run"
    options = ["--checkpoint-seconds", 0.05]
    process = spawn("--out", tmp_path / "a.json", "--nap", 0.1, *options)
    for _ in range(5):
        wait_for((path / "config.json").exists)
        written = log_lines(path)
        if moments.random() < 0.7:  # some die before they get anywhere
            wait_for(lambda: log_lines(path) != written or process.poll() is not None)
        time.sleep(moments.uniform(0.0, 0.3))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        process = spawn("--resume", path, *options)
    _, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, error
    found = products(tmp_path / "a.run")
    assert found["log"] == reference["log"]
    for name in reference.keys() - {"log"}:  # the genomes differ in one parameter, the length of the nap
        ours, theirs = genome.decode(found[name]), genome.decode(reference[name])
        assert ours.config.pop("nap") == 0.1 and theirs.config.pop("nap") == 0.0
        assert genome.encode(ours) == genome.encode(theirs)


def in_child(action):
    """Run ``action`` in a child process; its exit status as ``os.waitpid`` gives it."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        try:
            os._exit(action())
        finally:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_at(number, words):
    """Train in a child that kills itself just before its ``number``-th change of a file."""
    left = [number]

    def fatal(function):
        def wrapper(*arguments, **options):
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **options)

        return wrapper

    def action():
        for name in ("fsync", "replace", "chmod", "unlink"):
            setattr(os, name, fatal(getattr(os, name)))
        run_folder.RunFolder.append_log = fatal(run_folder.RunFolder.append_log)
        run_folder.RunFolder.append_timing = fatal(run_folder.RunFolder.append_timing)
        return train(*words, "--workers", 1, "--checkpoint-seconds", 0)

    return in_child(action)


def test_killed_before_every_single_write(tmp_path, monkeypatch):
    """Wherever the process dies, and dies once more while it resumes, the end is the same."""
    monkeypatch.setattr(os, "fsync", lambda file: None)  # the system outlives the process: no need to wait for the disk
    short = ["--generations", 4, "--retest-every", 2, "--population", 4]
    assert train("--out", tmp_path / "whole.json", *short) == 0
    whole = products(tmp_path / "whole.run")
    number, status = 0, None
    while status != 0:
        path = tmp_path / f"{number}.run"
        status = killed_at(number, ["--out", path.with_suffix(".json"), *short])
        assert status in (0, -signal.SIGKILL) and number < 200
        started = (path / "config.json").exists()
        if status and started:
            killed_at(number // 2 + 6, ["--resume", path])
        again = ["--resume", path] if started else ["--out", path.with_suffix(".json"), *short]
        assert train(*again) == 0
        assert products(path) == whole and not list(path.rglob(".*.part"))
        number += 1
    assert number > 30


def test_resume_cuts_a_log_that_is_ahead(reference, tmp_path):
    path = tmp_path / "a.run"
    stop_after(path, 5)
    with open(path / "metrics.jsonl", "ab") as log:
        log.write(b'{"generation": 6, "size')
    assert train("--resume", path) == 0
    assert products(path) == reference


def test_a_run_older_than_an_option_goes_on(reference, tmp_path):
    path = tmp_path / "a.run"
    stop_after(path, 5)
    config = json.loads((path / "config.json").read_text())
    del config["flip"]
    (path / "config.json").write_text(json.dumps(config))
    assert train("--resume", path) == 0
    assert products(path) == reference


def stop_after(path, generations):
    """A run that Ctrl-C stops after some generations."""

    class Interrupted(Trainer):
        def ask(self, state, generation):
            if generation == generations - 1:
                os.kill(os.getpid(), signal.SIGINT)
            return super().ask(state, generation)

    run = Run.start(Interrupted(Trainer.Config()), path, path.with_suffix(".json"))
    with open(os.devnull, "w") as silent:
        assert not run.go(Workers(1), Progress(silent, [1.0] * 12), checkpoint_seconds=0)
    run.folder.close()
    assert run.generation == generations


def test_a_run_ends_when_its_hours_are_over_and_can_go_on(reference, tmp_path, capsys):
    path = tmp_path / "a.run"
    assert train("--out", tmp_path / "a.json", "--hours", 1e-9) == 0
    error = capsys.readouterr().err
    assert "the hours are over after generation 1; the best so far is in" in error and f"--resume {path}" in error
    assert log_lines(path) == 1 and (tmp_path / "a.json").exists()
    assert train("--resume", path, "--hours", 1) == 0
    assert f"done: {tmp_path / 'a.json'} wins " in capsys.readouterr().err
    assert products(path) == reference


def test_what_a_champion_won_on_another_board_is_not_said_of_this_one(tmp_path):
    heard = {}

    class Heard:
        def say(self, text):
            pass

        def update(self, entry, champion, seconds, games, last):
            heard[entry["generation"], entry["size"]] = champion

    run = Run.start(Trainer(Trainer.Config()), tmp_path / "a.run", tmp_path / "a.json")
    assert run.go(Workers(1), Heard())
    run.folder.close()
    known = [place for place, champion in heard.items() if champion is not None]
    assert known == [(3, 5), (4, 5), (5, 5), (6, 5), (9, 7), (10, 7), (11, 7), (12, 7)]


def test_a_damaged_checkpoint_gives_way_to_the_one_before(reference, tmp_path, capsys):
    path = tmp_path / "a.run"
    stop_after(path, 7)
    newest = path / "checkpoints/000007.ckpt"
    for damage in (lambda content: content[:-100], lambda content: content[:-9] + b"x" + content[-8:], lambda content: b""):
        content = newest.read_bytes()
        newest.write_bytes(damage(content))
        shutil.copytree(path, tmp_path / "copy.run")
        assert train("--resume", tmp_path / "copy.run", "--out", tmp_path / "copy.json") == 0
        assert products(tmp_path / "copy.run") == reference
        assert "000007.ckpt cannot be used" in capsys.readouterr().err
        shutil.rmtree(tmp_path / "copy.run")
        newest.write_bytes(content)


@pytest.mark.parametrize(
    "damage, kept",
    [
        (lambda log: log[:300], 2),  # cut in the middle of a line
        (lambda log: log.replace(b"mean", b"mien"), 4),  # edited, and still a log
        (lambda log: log.replace(b"{", b"[", 1), 3),
        (lambda log: b"\0" * 5000, 0),
        (lambda log: b'{"generation": 3}\n' * 9, 1),
        (lambda log: b"", 0),
        (None, 0),
    ],
)
def test_a_log_that_was_cut_or_edited_does_not_stop_a_run(reference, tmp_path, capsys, damage, kept):
    path = tmp_path / "a.run"
    stop_after(path, 4)
    log = path / "metrics.jsonl"
    if damage is None:
        log.unlink()
    else:
        log.write_bytes(damage(log.read_bytes()))
    assert train("--resume", path) == 0
    assert f"{4 - kept} of its 4 generations are missing" in capsys.readouterr().err
    found = products(path)
    assert all(found[name] == reference[name] for name in reference.keys() - {"log"})
    assert found["log"].count(b"\n") == kept + 8
    assert found["log"].splitlines()[kept:] == reference["log"].splitlines()[4:]


def test_no_checkpoint_left(tmp_path, capsys):
    path = tmp_path / "a.run"
    stop_after(path, 4)
    for file in (path / "checkpoints").iterdir():
        file.write_bytes(b"rubbish")
    assert train("--resume", path) == 1
    error = capsys.readouterr().err
    assert "no usable checkpoint" in error and "--run" in error and "--force" in error and error.count("\n") == 1


@pytest.mark.parametrize(
    "executor, number",
    [
        (None, signal.SIGINT),
        (None, signal.SIGTERM),
        ("concurrent.futures:ProcessPoolExecutor", signal.SIGINT),
        ("tests.processes.test_runs:fragile_processes", signal.SIGINT),
    ],
)
def test_interrupt(reference, tmp_path, executor, number):
    """Ctrl-C, as a terminal sends it: to the whole process group."""
    path = tmp_path / "a.run"
    words = ["--executor", executor] if executor else []
    process = spawn("--out", tmp_path / "a.json", "--nap", 0.2, *words, start_new_session=True)
    wait_for(lambda: log_lines(path) >= 1)
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
    _, error = process.communicate(timeout=PATIENCE)
    done = log_lines(path)
    assert process.returncode == 130 and 1 <= done < 12
    assert error.count("stopping after this generation") == 1
    assert f"stopped after generation {done}" in error and f"train {TOY} --resume {path}" in error
    assert genome.load(tmp_path / "a.json").kind == "toy"  # the best so far, although there was no election yet
    assert train("--resume", path) == 0
    assert (path / "metrics.jsonl").read_bytes() == reference["log"]


def fragile_processes(workers):
    """Workers that die of Ctrl-C as any Python does."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))


def test_second_interrupt_stops_at_once(tmp_path):
    path = tmp_path / "a.run"
    process = spawn("--out", tmp_path / "a.json", "--nap", 40, start_new_session=True)
    wait_for((path / "checkpoints/000000.ckpt").exists)
    time.sleep(0.3)
    for _ in range(2):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.3)
    _, error = process.communicate(timeout=30)  # less than the nap
    assert process.returncode == 130 and "checkpoint of generation 0 stands" in error


def test_a_dead_worker_is_told(tmp_path, capsys):
    words = ["--executor", "concurrent.futures:ProcessPoolExecutor"]
    path = tmp_path / "a.run"
    process = spawn("--out", tmp_path / "a.json", "--nap", 0.3, *words)
    wait_for(lambda: log_lines(path) >= 1)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        pytest.skip("cannot find the workers on this system")
    os.kill(int(children.read_text().split()[0]), signal.SIGKILL)
    _, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1 and "a worker died" in error and "Traceback" not in error
    assert f"--resume {path}" in error and "stopping" not in error


class Deaf:
    """An executor whose workers died without a word, as those of a cluster do: the first answers come, and no others."""

    answers = 3

    def __init__(self, workers):
        self.given = 0

    def submit(self, function, *arguments):
        future, self.given = Future(), self.given + 1
        if self.given <= self.answers:
            future.set_result(function(*arguments))
        return future

    def shutdown(self, wait=True):
        assert not wait, "this would last for ever"


class Mute(Deaf):
    answers = 0


@pytest.mark.parametrize("executor", ["Deaf", "Mute"])
def test_workers_that_do_not_answer_are_given_up(reference, tmp_path, executor):
    path = tmp_path / "a.run"
    words = ["--executor", f"tests.processes.test_runs:{executor}", "--patience", 0.5]
    process = spawn("--out", tmp_path / "a.json", *words)
    _, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1 and error.count("\n") == 1
    assert "no worker has answered for 0.5 seconds; the checkpoint of generation 0 stands" in error
    assert f"--resume {path}" in error
    assert train("--resume", path) == 0
    assert products(path) == reference


class Flattening(Backwards):
    """An executor that makes plain arrays of all others on their way, as Dask does with arrays of records."""

    def submit(self, function, *arguments):
        def flat(value):
            parts = value if isinstance(value, (list, tuple)) else []
            return np.asarray(value) if isinstance(value, np.ndarray) else [flat(part) for part in parts] or value

        return super().submit(lambda *given: flat(function(*given)), *map(flat, arguments))


def test_what_is_sent_is_what_arrives():
    workers = Workers(2, "tests.processes.test_runs:Flattening")
    items = [np.rec.array([(n, 0.5)], [("number", int), ("share", float)]) for n in range(3)]
    assert [found.number[0] for found in workers.evaluate(doubled, items)] == [0, 2, 4]


def doubled(records):
    assert isinstance(records, np.recarray)
    records.number *= 2
    return records


class Unlucky(Backwards):
    """An executor that fails in its own way, as Dask does with its KilledWorker."""

    def work(self):
        raise LookupError("worker-7 is\nnot there")


def test_an_executor_that_fails_is_no_fault_of_the_trainer(tmp_path, capsys):
    assert train("--out", tmp_path / "a.json", "--executor", "tests.processes.test_runs:Unlucky") == 1
    error = capsys.readouterr().err
    assert "the workers failed: " in error and "is\\nnot there" in error and error.count("\n") == 1
    assert f"--resume {tmp_path / 'a.run'}" in error


@pytest.mark.parametrize("executor", [None, "players.training.workers:processes"])
def test_an_error_in_the_work_is_raised_here_with_its_traceback(executor):
    workers = Workers(2, executor)
    with pytest.raises(ZeroDivisionError) as caught:
        workers.evaluate(one_by, [3, 2, 1, 0, 5])
    assert "in one_by" in str(caught.value.__cause__)
    assert workers.evaluate(one_by, [1, 2]) == [1.0, 0.5]
    workers.close()


def one_by(number):
    return 1 / number


# Disks


@pytest.mark.parametrize("option", ["--out", "--run"])
def test_unwritable_places_are_told_at_once(tmp_path, capsys, option):
    (tmp_path / "file").write_text("")
    words = {"--out": tmp_path / "a.json", option: tmp_path / "file" / "under"}
    assert train(*[word for pair in words.items() for word in pair]) == 1
    error = capsys.readouterr().err
    assert "cannot write in" in error and error.count("\n") == 1


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_read_only_folder(tmp_path, capsys):
    tmp_path.chmod(0o500)
    assert train("--out", tmp_path / "a.json") == 1
    tmp_path.chmod(0o700)
    assert "Permission denied" in capsys.readouterr().err


def test_too_little_room_is_told_at_once(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(run_folder, "free_bytes", lambda folder: 1 << 20)
    assert train("--out", tmp_path / "a.json") == 1
    assert "only 1 MB are free" in capsys.readouterr().err


def test_a_disk_that_fills_up_later(reference, tmp_path, capfd):
    """A limit on the size of files stops the log from growing, as a full disk would."""
    path = tmp_path / "a.run"

    def action():
        Run.start(Trainer(Trainer.Config()), path, path.with_suffix(".json")).folder.close()
        size = max(file.stat().st_size for file in path.rglob("*.*") if file.is_file())
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 700, size + 700))
        for module in ("players.training.folder", "players.training.run"):  # there was room at the start
            sys.modules[module].check_disk = lambda folder: None
        return train("--resume", path, "--checkpoint-seconds", 0)

    assert in_child(action) == 1
    error = capfd.readouterr().err
    assert "File too large" in error and "is intact" in error and f"--resume {path}" in error and error.count("\n") == 1
    assert train("--resume", path) == 0
    assert products(path) == reference


# Folders


def test_a_folder_with_a_run_is_not_overwritten(reference, tmp_path, capsys):
    assert train("--out", tmp_path / "a.json", "--seed", 2) == 0
    assert train("--out", tmp_path / "a.json") == 1
    error = capsys.readouterr().err
    assert "holds a run already" in error and "--resume" in error and "--force" in error
    assert train("--out", tmp_path / "a.json", "--force") == 0
    assert products(tmp_path / "a.run") == reference


def test_a_genome_is_not_overwritten(tmp_path, capsys):
    (tmp_path / "a.json").write_text("precious")
    assert train("--out", tmp_path / "a.json") == 1
    assert "exists already" in capsys.readouterr().err and (tmp_path / "a.json").read_text() == "precious"
    assert os.listdir(tmp_path) == ["a.json"]
    assert train("--out", tmp_path / "a.json", "--force", "--preset", "quick") == 0


def test_a_run_that_cannot_begin_leaves_nothing(tmp_path, capsys):
    words = ["train", "hyperneat", "--out", str(tmp_path / "a.json"), "--start"]
    assert gtp_main.main([*words, "nobody"]) == 1
    assert "start: there is no player 'nobody'" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("out", [".", "x.run"])
def test_out_must_be_a_file(tmp_path, capsys, out):
    assert train("--out", tmp_path / out, "--run", tmp_path / "x.run") == 1
    assert "must name a file" in capsys.readouterr().err


def test_a_run_writes_only_where_the_user_said_or_beside_it(tmp_path, capsys):
    path, precious = tmp_path / "here" / "a.run", tmp_path / "precious.json"
    path.parent.mkdir()
    stop_after(path, 4)
    precious.write_text("{}")
    beside = path.parent / "notes.json"
    beside.write_text("{}")
    for out in (precious, beside, path.parent / ".." / "here" / "notes.json", path.parent):
        (path / "run.json").write_text(json.dumps({"version": 1, "out": str(out)}))
        assert train("--resume", path) == 1
        error = capsys.readouterr().err
        assert "--out" in error and error.count("\n") == 1
        assert precious.read_text() == beside.read_text() == "{}"
    assert train("--resume", path, "--out", tmp_path / "b.json") == 0
    assert genome.load(tmp_path / "b.json").kind == "toy"
    assert train("--resume", path) == 1  # the folder says so, and not the user
    assert f"--resume {path} --out" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["metrics.jsonl", "timing.jsonl", "checkpoints", "config.json", "run.json", ".lock"])
@pytest.mark.parametrize("what", ["link", "pipe"])
def test_links_and_pipes_in_a_run_folder_are_refused(tmp_path, capsys, name, what):
    path = tmp_path / "a.run"
    stop_after(path, 4)
    part = path / name
    part.rename(tmp_path / "elsewhere")
    before = (tmp_path / "elsewhere").stat().st_mtime
    if what == "link":
        part.symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(part)
    assert train("--resume", path) == 1
    assert capsys.readouterr().err.count("\n") == 1 and (tmp_path / "elsewhere").stat().st_mtime == before


def test_a_folder_that_vanishes_is_told(tmp_path, capsys):
    path = tmp_path / "a.run"

    class Vanishing(Trainer):
        def ask(self, state, generation):
            if generation == 3:
                shutil.rmtree(path)
            return super().ask(state, generation)

    run = Run.start(Vanishing(Trainer.Config()), path, path.with_suffix(".json"))
    with open(os.devnull, "w") as silent, pytest.raises(RunError, match="is gone"):
        run.go(Workers(1), Progress(silent, [1.0] * 12))
    run.folder.close()


def test_one_process_at_a_time(tmp_path, capsys):
    run = Run.start(Trainer(Trainer.Config()), tmp_path / "a.run", tmp_path / "a.json")
    assert train("--resume", tmp_path / "a.run") == 1
    assert "another process" in capsys.readouterr().err
    run.folder.close()
    assert train("--resume", tmp_path / "a.run") == 0


def test_a_finished_run_can_grow(tmp_path, capsys):
    path = tmp_path / "a.run"
    assert train("--out", tmp_path / "a.json", "--generations", 4, "--boards", 5) == 0
    before = (path / "metrics.jsonl").read_bytes()
    assert train("--resume", path) == 0  # nothing to do
    assert (path / "metrics.jsonl").read_bytes() == before
    assert train("--resume", path, "--generations", 7, "--seed", 1) == 0  # to say again what holds already is no change
    after = (path / "metrics.jsonl").read_bytes()
    assert after.startswith(before) and after.count(b"\n") == 7
    assert genome.load(tmp_path / "a.json").config["generations"] == 7
    assert train("--resume", path, "--population", 20) == 1
    assert "--population cannot change" in capsys.readouterr().err
    for words in (["--preset", "quick"], ["--config", "x"], ["--print-config"], ["--force"], ["--run", "x"]):
        assert train("--resume", path, *words) == 1
        assert f"{words[0]} does not go with --resume" in capsys.readouterr().err


def changes(path):
    return json.loads((path / "changes.json").read_text())


def test_changes_of_the_configuration_are_recorded(tmp_path):
    """What held in each generation can be told from the folder, and a run that is changed in the same way is the same."""
    made = []
    for name in ("a", "b"):
        path = tmp_path / f"{name}.run"
        assert train("--out", path.with_suffix(".json"), "--generations", 4) == 0
        assert not (path / "changes.json").exists()
        assert train("--resume", path, "--generations", 4) == 0  # no change
        assert not (path / "changes.json").exists()
        assert train("--resume", path, "--generations", 6) == 0
        assert changes(path) == [{"until": 4, "was": {"generations": 4}}]
        assert train("--resume", path, "--generations", 9) == 0
        assert changes(path) == [{"until": 4, "was": {"generations": 4}}, {"until": 6, "was": {"generations": 6}}]
        assert json.loads((path / "config.json").read_text())["generations"] == 9
        made.append(products(path))
    assert made[0] == made[1]
    whole = tmp_path / "whole.run"
    assert train("--out", whole.with_suffix(".json"), "--generations", 9) == 0
    assert products(whole)["log"] != made[0]["log"]


def test_a_change_without_effect_and_one_that_is_undone_by_damage(tmp_path):
    path = tmp_path / "a.run"
    stop_after(path, 4)
    for generations in (20, 5):  # the first of them is never in force
        folder = Run.resume(path, Trainer, {"generations": generations}).folder
        folder.close()
    assert changes(path) == [{"until": 4, "was": {"generations": 12}}]
    (path / "checkpoints/000004.ckpt").write_bytes(b"")
    assert train("--resume", path) == 0
    assert changes(path) == [{"until": 3, "was": {"generations": 12}}]
    (path / "changes.json").write_text("[7]")
    assert train("--resume", path) == 1


def test_the_wrong_trainer(tmp_path, capsys):
    assert train("--out", tmp_path / "a.json", "--preset", "quick") == 0
    config = json.loads((tmp_path / "a.run/config.json").read_text())
    (tmp_path / "a.run/config.json").write_text(json.dumps({**config, "kind": "sane"}))
    assert train("--resume", tmp_path / "a.run") == 1
    assert "a run of sane, not of toy" in capsys.readouterr().err


@pytest.mark.parametrize(
    "kind, change, problem",
    [
        ([], lambda config: "{", "no complete JSON"),
        ([], lambda config: "[]", "a list"),
        ([TOY], lambda config: "{}", "kind"),
        ([TOY], lambda config: config.replace('"population": 10', '"population": -1'), "population must be at least"),
        ([TOY], lambda config: config.replace("population", "copulation"), "unknown parameter 'copulation'"),
    ],
)
def test_a_broken_configuration_is_named(tmp_path, capsys, kind, change, problem):
    """Whatever else stands on the command line, what is told is that ``config.json`` cannot be used, and why."""
    path = tmp_path / "a.run"
    stop_after(path, 4)
    (path / "config.json").write_text(change((path / "config.json").read_text()))
    try:
        code = gtp_main.main(["train", *kind, "--resume", str(path), "--generations", "9"])
    except SystemExit as stop:
        code = stop.code
    error = capsys.readouterr().err
    assert code == 1 and error.count("\n") == 1
    assert f"cannot use {path}/config.json: " in error and problem in error


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_nobody_has_to_read_to_the_end(unbuffered):
    """``--print-config | head -1``: the pipe breaks while all is printed or after it, and nothing is said of that."""
    process = spawn("--print-config", unbuffered=unbuffered)
    process.stdout.close()
    error = process.stderr.read()
    assert (process.wait(timeout=PATIENCE), error) == (0, "")


@pytest.mark.parametrize("executor", ["nowhere:pool", "os:nothing", "builtins:int", "plain"])
def test_bad_executors(tmp_path, capsys, executor):
    assert train("--out", tmp_path / "a.json", "--executor", executor) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert os.listdir(tmp_path) == []
    assert train("--out", tmp_path / "a.json", "--preset", "quick") == 0  # nothing stands in the way of the corrected command


# Elections


def test_the_lucky_maximum_is_not_elected(tmp_path):
    """Candidates of known strength: the best by far wins the election wherever it stands in the list."""

    class Rigged(Trainer):
        def candidates(self, state, count):
            weak = [{"bits": [1] * n + [0] * (24 - n)} for n in (8, 9, 10)]
            return [*weak, {"bits": [1] * 22 + [0, 0]}, weak[0]]

    run = Run.start(Rigged(Rigged.Config(generations=3, retest_games=50)), tmp_path / "r", tmp_path / "a.json")
    with open(os.devnull, "w") as silent:
        assert run.go(Workers(1), Progress(silent, [1.0] * 3))
    champion = genome.load(tmp_path / "a.json")
    assert sum(champion.body["bits"]) == 22 and champion.results[0].win_rate > 0.8
    run.folder.close()


def test_a_champion_that_stays_gathers_results(reference):
    last = genome.decode(reference["genome"])
    per_board = {result.size: result.games for result in last.results}
    elections = sum(1 for entry in last.history if entry["generation"] >= last.generation)
    assert sum(per_board.values()) == 20 * elections


