"""Games on a CGOS server of one's own: nobody loses on time, nobody plays what is illegal, every game ends.

    git clone https://github.com/zakki/cgos
    python -m tests.peers.cgos_games cgos --games 300 --out games        # while something else keeps the cores busy

Server and clients are the real ones, bound to loopback; players are named NAME=COMMAND, by default ten of ours, most of which
think as long as their clock lets them, and GNU Go twice. The server pairs them in rounds; the results are counted from its
database. The exit code is 1 if a game was lost on time, by an illegal move, or did not end.
"""

import argparse
import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import types
from collections import Counter, defaultdict
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PORT = 16809
BETWEEN_ROUNDS = 2.0  # seconds after the games of a round are over, for the next; the first begins after 45, when all are up
LAST_GAMES = 300.0  # seconds for the games of the last round
EVOGO = f"{sys.executable} {ROOT / 'gtp_main.py'}"
GNUGO = "--mode gtp --chinese-rules --positional-superko --capture-all-dead --score aftermath --level"

_SERVER = """\
[cgos-server]
serverName = loopback
htmlInfoMsg = -
portNumber = {port}
boardsize = {size}
komi = 7.5
ko = POSITIONAL
rule = Chinese
level = {seconds}
timeGift = 0.25
database_state_file = {folder}/cgos.state
game_archive_database = {folder}/archive.db
web_data_file = {folder}/wdata.txt
defaultRating = 1800.0
minK = 3.0
maxK = 200.0
htmlDir = {folder}/html
sgfDir = {folder}/sgf
moveIntervalBetweenSave = 0
provisionalAge = 0.04
establishedAge = 31.0
killFile = {folder}/kill
tools_dir = {folder}
bin_dir = {folder}
bad_users_file = {folder}/bad
"""
_CLIENT = """\
Common:
  KillFile = {folder}/kill-{name}
  LogFile = {folder}/log/client-{name}.log

GTPEngine:
  Name = {name}
  CommandLine = {command}
  ServerHost = 127.0.0.1
  ServerPort = {port}
  ServerUser = {name}
  ServerPassword = secret
  NumberOfGames = 1000000
  LogFile = {folder}/log/engine-{name}.log
"""


def default_players():
    players = [f"evogo{n}={EVOGO}" for n in range(7)] + [f"resigns={EVOGO} --resign 0.05"]
    players += [f"guided={EVOGO} --player search,guide=isn-9x9", f"isn={EVOGO} --player isn-9x9"]
    return players + ([f"gnugo{level}={gnugo()} {GNUGO} {level}" for level in (0, 1)] if gnugo() else [])


def gnugo():
    """Where GNU Go is, or None."""
    return shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games:/usr/local/games")


def serve(cgos, settings):
    """Be the server: on loopback alone, without hashed passwords, and with short waits between rounds."""
    sys.path.insert(0, str(cgos / "server-python/cgos"))
    sys.modules["passlib"] = types.ModuleType("passlib")
    sys.modules["passlib.context"] = types.ModuleType("passlib.context")
    sys.modules["passlib.context"].CryptContext = object
    sys.argv[1:] = [str(settings)]
    from app import cgos as server

    listen = asyncio.start_server
    asyncio.start_server = lambda callback, host, port: listen(callback, "127.0.0.1", port)
    server.schedule_games_interval = BETWEEN_ROUNDS
    server.runServer()


def prepare(cgos, folder, options):
    """The folder of a run, with all that server and clients read."""
    for name in ("log", "logs", "html", "sgf"):
        (folder / name).mkdir(parents=True)
    given = {"folder": folder, "port": options.port, "size": options.size, "seconds": options.seconds}
    (folder / "server.ini").write_text(_SERVER.format(**given))
    shutil.copy(cgos / "server-python/log.ini", folder)
    with sqlite3.connect(folder / "archive.db") as archive:  # the server's own way of making it fails
        archive.execute("create table games(gid int, dta, analysis)")
    for player in options.players:
        name, _, command = player.partition("=")
        (folder / f"{name}.cfg").write_text(_CLIENT.format(name=name, command=command, **given))


@contextmanager
def start(cgos, folder, players):
    """The server, and the real client with each of the players; all of them end with the context."""
    server = [sys.executable, __file__, str(cgos), "--serve", str(folder / "server.ini")]
    client = [sys.executable, str(cgos / "client-python/src/cgosclient.py")]
    commands = [server] + [[*client, str(folder / f"{player.partition('=')[0]}.cfg")] for player in players]
    with open(folder / "log/output", "w") as output:
        processes = []
        try:
            for command in commands:
                processes.append(
                    subprocess.Popen(command, cwd=folder, stdout=output, stderr=output, start_new_session=True)
                )
                time.sleep(2.0 if len(processes) == 1 else 0.0)  # a client that finds no server waits half a minute
            yield processes[0]
        finally:
            for process in processes:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGTERM)
                process.wait()


def play(cgos, folder, options):
    """Start everybody, wait for the games, end everybody."""
    with start(cgos, folder, options.players) as server:
        while len(games_of(folder)[1]) < options.games and server.poll() is None:
            time.sleep(5)
        (folder / "kill").touch()  # the server goes when all games are over
        server.wait(LAST_GAMES)


def games_of(folder):
    """How many games were begun, and (white, black, white's milliseconds, black's, result) of those that are over."""
    try:
        database = sqlite3.connect(f"file:{folder}/cgos.state?mode=ro", uri=True, timeout=10)
        games = database.execute("select w, b, wtu, btu, res from games order by gid").fetchall()
        return database.execute("select gid from gameid").fetchone()[0] - 1, games
    except sqlite3.OperationalError:
        return 0, []  # it is not there yet


def report(folder):
    """Print what came of it; whether all is well."""
    begun, games = games_of(folder)
    ends = Counter(next((word for word in ("Time", "Illegal", "Resign") if word in game[4]), "counted") for game in games)
    print(f"{begun} games begun, {len(games)} over:", ", ".join(f"{ends[end]} {end}" for end in sorted(ends)))
    used, won = defaultdict(list), Counter()
    for white, black, white_used, black_used, result in games:
        used[white].append(white_used / 1000)
        used[black].append(black_used / 1000)
        won[white if result.startswith("W") else black] += 1
        if "Time" in result or "Illegal" in result:
            print(f"  {white} (White) against {black}: {result}")
    for name, seconds in sorted(used.items()):
        mean = sum(seconds) / len(seconds)
        print(f"  {name:10} {len(seconds):4} games, {won[name]:4} won; seconds used {mean:.1f}, at most {max(seconds):.1f}")
    return bool(games) and len(games) == begun and not ends["Time"] and not ends["Illegal"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("cgos", type=Path, help="a checkout of zakki/cgos")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=30, help="for each side of a game")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--out", type=Path, help="a new folder for everything that is written")
    parser.add_argument("--players", nargs="+", default=default_players(), metavar="NAME=COMMAND")
    options = parser.parse_args()
    cgos = options.cgos.resolve()
    if options.serve:
        return serve(cgos, options.serve)
    if options.out is None or options.out.exists():
        parser.error("--out must be a new folder")
    folder = options.out.resolve()
    prepare(cgos, folder, options)
    subprocess.run([*EVOGO.split(), "warmup"], check=True)  # on a busy machine compiling takes longer than a game has time
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))  # nobody is left behind
    play(cgos, folder, options)
    return 0 if report(folder) else 1


if __name__ == "__main__":
    sys.exit(main())
