"""A round on a real CGOS server. Skipped unless ``CGOS`` names a checkout of zakki/cgos; see ``cgos_games`` for long runs."""

import os
import subprocess
import sys

import pytest

from tests.peers.cgos_games import EVOGO, ROOT
from tests.processes.gtp_client import Client

CGOS = os.environ.get("CGOS")
PLAYERS = ("", " --player search,guide=isn-9x9,simulations=1000000")
PATIENCE = 600  # seconds for two games of ten seconds a side


@pytest.mark.skipif(not CGOS, reason="CGOS names no checkout of zakki/cgos")
def test_games_end_in_time(tmp_path):
    for player in PLAYERS:
        client = Client(*EVOGO.split(), *player.split())
        client.ask("set_random_seed 1")  # answered when all is compiled, which no clock waits for
        client.kill()
    options = ["--games", "2", "--seconds", "10", "--port", "16899", "--out", str(tmp_path / "games")]
    players = [f"player{number}={EVOGO}{player}" for number, player in enumerate(PLAYERS)]
    command = [sys.executable, "-m", "tests.peers.cgos_games", CGOS, *options, "--players", *players]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said, _ = run.communicate(timeout=PATIENCE)
    finally:
        run.terminate()  # it ends what it has started
        run.wait()
    assert run.returncode == 0, said
