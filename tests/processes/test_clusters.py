"""Runs on the executors of others, MPI's and Dask's, as the README writes them: to the same genome as here, and no hang.

Neither belongs to the project's packages. ``EVOGO_CLUSTER_PYTHON`` names a Python that has them beside the project's own;
without it this one is tried. What is not installed is skipped.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gtp_main
from tests.processes.file_trials import RUNS as SHORT_RUNS
from tests.processes.gtp_client import PATIENCE, ROOT
from tests.processes.test_runs import TOY, log_lines, products, wait_for

PYTHON = os.environ.get("EVOGO_CLUSTER_PYTHON", sys.executable)
MPI = ["--workers", "2", "--executor", "mpi4py.futures:MPIPoolExecutor"]
DASK = ["--workers", "2", "--executor", "mycluster:dask"]
RUNS = {TOY: "", "sane": SHORT_RUNS["sane"]}  # one without Go, and one with real games and genomes
SILENCE = 30  # seconds without an answer: more than workers take to start on a slow machine


def environment(*folders):
    """With the project and more on the Python path; MPI may start as root and have more processes than there are cores."""
    told = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    told["PRTE_MCA_rmaps_default_mapping_policy"] = ":oversubscribe"
    path = os.pathsep.join(map(str, [ROOT, *folders]))
    return {**os.environ, **told, "PYTHONPATH": path, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"}


def has(module):
    ran = subprocess.run([PYTHON, "-c", f"import {module}, numba"], capture_output=True, env=environment())
    return ran.returncode == 0


def start(command, folder):
    """A process in a group of its own."""
    return subprocess.Popen(
        list(map(str, command)), env=environment(folder), cwd=folder, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate()


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """What threads make of a run, by kind."""
    made = {}

    def of(kind):
        if kind not in made:
            path = tmp_path_factory.mktemp("reference")
            words = ["train", kind, "--quiet", "--out", path / "a.json", *RUNS[kind].split()]
            assert gtp_main.main(list(map(str, words))) == 0
            made[kind] = products(path / "a.run")
        return made[kind]

    return of


@pytest.fixture(scope="module")
def mpi_launcher():
    found = shutil.which("mpiexec")
    if found is None or not has("mpi4py.MPI"):
        pytest.skip("MPI is not installed")
    return [found, "-n", "3", PYTHON, "-m", "mpi4py.futures", ROOT / "gtp_main.py", "train"]


class Cluster:
    """A scheduler and workers of Dask on this machine, and the README's module that leads to them."""

    def __init__(self, folder):
        self.folder, self.workers = folder, []
        told = folder / "scheduler.json"
        dask = [PYTHON, "-m", "dask"]
        where = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", told]
        self.scheduler = start([*dask, "scheduler", "--port", "0", *where], folder)
        wait_for(told.exists)
        for _ in range(2):
            worker = [*dask, "worker", "--no-nanny", "--nthreads", "1", "--memory-limit", "0"]
            self.workers.append(start([*worker, "--local-directory", folder / "scratch", *where], folder))
        (code,) = re.findall(r"```python\n(from distributed import Client\n.*?)```", (ROOT / "README.md").read_text(), re.S)
        address = json.loads(told.read_text())["address"]
        assert code.count("scheduler:8786") == 1
        (folder / "mycluster.py").write_text(code.replace("scheduler:8786", address))

    def close(self):
        for process in [*self.workers, self.scheduler]:
            end(process)


@pytest.fixture
def cluster(tmp_path_factory):
    if not has("distributed"):
        pytest.skip("Dask is not installed")
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.close()


def finished(process):
    """(exit code, standard error) of a process that is waited for."""
    try:
        _, error = process.communicate(timeout=PATIENCE)
    finally:
        end(process)
    return process.returncode, error


@pytest.mark.parametrize("kind", RUNS)
def test_processes(reference, tmp_path, kind):
    words = ["train", kind, "--quiet", "--out", tmp_path / "a.json", "--workers", "2", *RUNS[kind].split()]
    assert gtp_main.main([*map(str, words), "--executor", "players.training.workers:processes"]) == 0
    assert products(tmp_path / "a.run") == reference(kind)


@pytest.mark.parametrize("kind", RUNS)
def test_mpi(reference, mpi_launcher, tmp_path, kind):
    process = start([*mpi_launcher, kind, "--quiet", "--out", tmp_path / "a.json", *MPI, *RUNS[kind].split()], tmp_path)
    code, error = finished(process)
    assert code == 0 and "Traceback" not in error, error
    assert products(tmp_path / "a.run") == reference(kind)


def test_dask(reference, cluster, tmp_path):
    for kind in RUNS:
        out = tmp_path / f"{kind[:4]}.json"
        process = start(
            [PYTHON, ROOT / "gtp_main.py", "train", kind, "--quiet", "--out", out, *DASK, *RUNS[kind].split()], cluster.folder
        )
        code, error = finished(process)
        assert code == 0 and "Traceback" not in error, error
        assert products(out.with_suffix(".run")) == reference(kind)


# All workers dead


def is_left_in_order(process, path, reference):
    """A run whose workers were killed ends by itself, says how to go on, and then comes to the same end."""
    began = time.monotonic()
    code, error = finished(process)
    assert code not in (0, None) and "Traceback" not in error, error
    assert gtp_main.main(["train", TOY, "--quiet", "--resume", str(path)]) == 0
    assert (path / "metrics.jsonl").read_bytes() == reference(TOY)["log"]
    return time.monotonic() - began, error


def test_dask_without_workers(reference, cluster, tmp_path):
    path = tmp_path / "a.run"
    words = [TOY, "--out", tmp_path / "a.json", "--nap", "0.2", *DASK, "--patience", SILENCE]
    process = start([PYTHON, ROOT / "gtp_main.py", "train", *words], cluster.folder)
    wait_for(lambda: log_lines(path) >= 1 or process.poll() is not None)
    for worker in cluster.workers:
        os.killpg(worker.pid, signal.SIGKILL)
    _, error = is_left_in_order(process, path, reference)
    (told,) = [line for line in error.splitlines() if line.startswith("evogo train: ")]
    assert "stands: go on with --resume" in told


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="cannot find the workers on this system")
def test_mpi_without_workers(reference, mpi_launcher, tmp_path):
    """MPI ends all processes when one dies."""
    path = tmp_path / "a.run"
    words = [TOY, "--out", tmp_path / "a.json", "--nap", "0.5", *MPI, "--patience", SILENCE, "--checkpoint-seconds", "0"]
    process = start([*mpi_launcher, *words], tmp_path)
    wait_for(lambda: log_lines(path) >= 1 or process.poll() is not None)
    for worker in mpi_workers(process.pid):
        os.kill(worker, signal.SIGKILL)
    is_left_in_order(process, path, reference)


def mpi_workers(session):
    """The processes of an MPI job that are workers: all but its rank 0."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            told = dict(part.split(b"=", 1) for part in (folder / "environ").read_bytes().split(b"\0") if b"=" in part)
            rank = told.get(b"OMPI_COMM_WORLD_RANK", told.get(b"PMI_RANK", b"0"))
            if rank != b"0" and _ancestor(int(folder.name), session):
                found.append(int(folder.name))
        except (OSError, ValueError):
            continue
    assert found
    return found


def _ancestor(process, wanted):
    while process > 1:
        process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
        if process == wanted:
            return True
    return False
