"""``evogo cgos`` on a CGOS server of one's own, with broken connections and killed clients: every game ends all the same.

    git clone https://github.com/zakki/cgos
    python -m tests.peers.cgos_client_games cgos --games 50 --seconds 10 --out games

The server is the real one, bound to loopback (see ``cgos_games``). Between it and our clients stands a relay that cuts a
connection now and then, and then takes none for a moment; as often, though less so, a client is killed and started again.
GNU Go, where it is installed, plays along through the real client. In the end all of ours are interrupted once, and have to
finish their games and leave by themselves.

The exit code is 1 if a game did not end, one of ours played what is illegal, left with a problem, wrote a wrong record, or
lost on time without having been killed in that game: while a client starts, its clock runs.
"""

import argparse
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from engine.records import sgf
from engine.servers.password import VARIABLE
from tests.peers import cgos_games
from tests.peers.cgos_games import EVOGO, GNUGO, LAST_GAMES, games_of, prepare, start

PORT = 16829
DEAF_SECONDS = (0.0, 3.0)  # for so long after a cut the relay takes nobody
CUTS_FOR_A_KILL = 2  # so many connections are cut for each client that is killed


class Relay:
    """Passes bytes between clients and the server, until it is told to cut."""

    def __init__(self, server_port):
        self._server_port = server_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._lines = []  # pairs of sockets
        self._deaf_until = 0.0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._listener.accept()
            try:
                if time.monotonic() < self._deaf_until:
                    raise ConnectionError
                server = socket.create_connection(("127.0.0.1", self._server_port))
            except OSError:
                client.close()
                continue
            pair = (client, server)
            self._lines.append(pair)
            for source, target in (pair, reversed(pair)):
                threading.Thread(target=self._pump, args=(source, target, pair), daemon=True).start()

    def _pump(self, source, target, pair):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        self._end(pair)

    def _end(self, pair):
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed
            end.close()
        if pair in self._lines:
            self._lines.remove(pair)

    def cut(self, chance):
        """End one connection, and take none for a moment; whether there was one."""
        lines = list(self._lines)
        if lines:
            self._deaf_until = time.monotonic() + chance.uniform(*DEAF_SECONDS)
            self._end(chance.choice(lines))
        return bool(lines)


class Own:
    """One of our clients, started as often as it is killed."""

    def __init__(self, name, player, port, folder):
        words = ["--user", name, "--server", "127.0.0.1", "--port", str(port), "--sgf", str(folder / "own" / name)]
        self.name = name
        self._command = [*EVOGO.split(), "cgos", *words, "--log", str(folder / "log" / f"{name}.log"), *player.split()]
        self._output = open(folder / "log" / f"{name}.out", "a")
        self.kills = 0
        self.start()

    def start(self):
        environment = {**os.environ, VARIABLE: "secret"}
        self.process = subprocess.Popen(
            self._command, env=environment, stdin=subprocess.DEVNULL, stdout=self._output, stderr=self._output
        )

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.kills += 1
        self.start()


class Watch:
    """Sees results as they come in, and which of ours had been killed in their games."""

    def __init__(self, folder, own):
        self._folder, self._own = folder, {client.name: client for client in own}
        self._seen = Counter()  # games do not end in the order in which they begin
        self._kills = Counter()  # of each client, at the end of its last game
        self.games = []  # (white, black, result, names that were killed in it)

    def look(self):
        over = Counter(games_of(self._folder)[1])
        new, self._seen = over - self._seen, over
        for white, black, _, _, result in new.elements():
            killed = [name for name in (white, black) if name in self._own and self._own[name].kills > self._kills[name]]
            for name in killed:
                self._kills[name] = self._own[name].kills
            self.games.append((white, black, result, killed))


def disturb(server, own, relay, watch, options):
    """Cut and kill until there are enough games; how often each was done."""
    chance, done = random.Random(options.seed), Counter()
    due = time.monotonic() + options.every
    while len(watch.games) < options.games:
        if server.poll() is not None:
            raise SystemExit("the server has left: see log/output")
        time.sleep(1)
        watch.look()
        for client in own:
            if client.process.poll() is not None:
                raise SystemExit(f"{client.name} has left with {client.process.returncode}: see log/{client.name}.out")
        if watch.games and time.monotonic() > due:  # the first game is left alone: everybody has to come to the table
            due = time.monotonic() + chance.expovariate(1 / options.every)
            if chance.randrange(CUTS_FOR_A_KILL + 1):
                done["connections cut"] += relay.cut(chance)
            else:
                chance.choice(own).kill()
                done["clients killed"] += 1
    return done


def finish(own):
    """Interrupt each of ours once; the names of those that did not leave as they should."""
    for client in own:
        client.process.send_signal(signal.SIGINT)
    return [client.name for client in own if client.process.wait(LAST_GAMES) != 0]


def wrong_records(folder, own, games):
    """How many records of our clients there are, and which of them say what the server does not."""
    results = Counter()
    for white, black, result, _ in games:
        results[white, black, result.replace("Resign", "R").replace("Time", "T").replace("Illegal", "F")] += 1
    count, wrong = 0, []
    for client in own:
        for path in sorted((folder / "own" / client.name).glob("*.sgf")):
            record = sgf.load(path)
            count += 1
            found = record.white_name, record.black_name
            if record.result != "?" and (*found, record.result) not in results:
                wrong.append(f"{path.name}: {record.result}")
    return count, wrong


def report(folder, own, watch, done, left_badly):
    """Print what came of it; whether all is well."""
    begun, games = games_of(folder)
    names = {client.name for client in own}
    ends, bad = Counter(), []
    for white, black, result, killed in watch.games:
        end = next((word for word in ("Time", "Illegal", "Resign") if word in result), "counted")
        ends[end] += 1
        loser = white if result.startswith("B") else black
        if end in ("Time", "Illegal") and loser in names:
            bad.append((loser, end, loser in killed, f"{white} (White) against {black}: {result}"))
    print(f"{begun} games begun, {len(games)} over:", ", ".join(f"{ends[end]} {end}" for end in sorted(ends)))
    print(", ".join(f"{count} {what}" for what, count in done.items()) or "nothing was disturbed")
    for _, _, was_killed, text in bad:
        print(f"  {text}{', which had been killed in that game' if was_killed else ''}")
    count, wrong = wrong_records(folder, own, watch.games)
    print(f"{count} records, {len(wrong)} of them wrong{''.join(f'; {text}' for text in wrong)}")
    if left_badly:
        print("did not leave as they should:", ", ".join(left_badly))
    lost = [who for who, end, was_killed, _ in bad if end == "Illegal" or not was_killed]
    return begun == len(games) and not (lost or wrong or left_badly)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("cgos", type=Path, help="a checkout of zakki/cgos")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=10, help="for each side of a game")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--clients", type=int, default=6, help="how many of ours")
    parser.add_argument("--gnugos", type=int, default=2, help="how many of GNU Go, where it is installed")
    parser.add_argument("--player", default="", help="options of our players")
    parser.add_argument("--every", type=float, default=15.0, help="seconds between two disturbances, in the mean")
    parser.add_argument("--seed", type=int, default=1, help="of the disturbances")
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--out", type=Path, required=True, help="a new folder for everything that is written")
    options = parser.parse_args()
    if options.out.exists():
        parser.error("--out must be a new folder")
    cgos, folder = options.cgos.resolve(), options.out.resolve()
    gnugo = cgos_games.gnugo()
    options.players = [f"gnugo{level}={gnugo} {GNUGO} {level}" for level in range(options.gnugos)] if gnugo else []
    prepare(cgos, folder, options)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))  # nobody is left behind
    own = []
    with start(cgos, folder, options.players) as server:
        try:
            relay = Relay(options.port)
            own += [Own(f"own{number}", options.player, relay.port, folder) for number in range(options.clients)]
            watch = Watch(folder, own)
            done = disturb(server, own, relay, watch, options)
            (folder / "kill").touch()  # the server goes when all games are over
            left_badly = finish(own)
            server.wait(LAST_GAMES)
            watch.look()
        finally:
            for client in own:
                if client.process.poll() is None:
                    client.process.kill()
                client.process.wait()
    return 0 if report(folder, own, watch, done, left_badly) else 1


if __name__ == "__main__":
    sys.exit(main())
