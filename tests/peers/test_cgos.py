"""Rounds on a real CGOS server. Skipped unless ``CGOS`` names a checkout of zakki/cgos.

Longer runs are those of ``cgos_games``, where the real client starts our engines, and ``cgos_client_games``, where
``evogo cgos`` is the client.
"""

import os
import subprocess
import sys

import pytest

from tests.peers.cgos_games import EVOGO, ROOT
from tests.processes.gtp_client import Client

CGOS = os.environ.get("CGOS")
PLAYERS = ("", " --player search,guide=isn-9x9,simulations=1000000")
PATIENCE = 600  # seconds for a few games of ten seconds a side

pytestmark = pytest.mark.skipif(not CGOS, reason="CGOS names no checkout of zakki/cgos")


def compile_all(*players):
    for player in players:
        client = Client(*EVOGO.split(), *player.split())
        client.ask("set_random_seed 1")  # answered when all is compiled, which no clock waits for
        client.kill()


def run(module, *options):
    """Games by a module beside this one: all must be well."""
    command = [sys.executable, "-m", f"tests.peers.{module}", CGOS, *map(str, options)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.terminate()  # it ends what it has started
        process.wait()
    assert process.returncode == 0, said
    return said


def test_games_end_in_time(tmp_path):
    compile_all(*PLAYERS)
    players = [f"player{number}={EVOGO}{player}" for number, player in enumerate(PLAYERS)]
    options = ["--games", 2, "--seconds", 10, "--port", 16899, "--out", tmp_path / "games"]
    run("cgos_games", *options, "--players", *players)


def test_games_end_whatever_happens_to_connections_and_clients(tmp_path):
    compile_all("")
    options = ["--games", 4, "--seconds", 10, "--clients", 2, "--gnugos", 0, "--every", 5]
    said = run("cgos_client_games", *options, "--port", 16898, "--out", tmp_path / "games")
    assert "connections cut" in said or "clients killed" in said
