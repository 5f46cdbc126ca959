"""Random commands, from sensible to garbage: none may kill or hang the engine, break a frame or bend the position.

Everything is drawn from one seed. Afterwards a second engine replays what the first one accepted, each generated move
as a plain ``play`` where its colour is known, and must show the same game. Real players get commands of the same kind, and
have to answer each soon, in little memory, and never with an internal error.

``EVOGO_FUZZ_SECONDS=3600 python -m pytest -s tests/processes/test_gtp_fuzz.py`` goes on for an hour, half of it with each,
with further seeds (``EVOGO_FUZZ_SEED`` says from which on).
"""

import os
import random
import re
import time
from pathlib import Path

from engine.gtp import command_table
from tests.processes.gtp_client import EVOGO, STUB, Client

COMMANDS = 3_000
BATCH = 250
SEED = int(os.environ.get("EVOGO_FUZZ_SEED", 20_000))
SECONDS = int(os.environ.get("EVOGO_FUZZ_SECONDS", 0)) / 2
MOST_SECONDS = 2.0  # of processor time for an answer
MOST_MEGABYTES = 200  # more than after the first answers
PLAYERS = ("random", "search,guide=isn-9x9,simulations=200", "organism-9x9", "hyperneat-any", "isn-9x9", "gojen", "strongest")
REAL_COMMANDS = 200  # for each of the first two in the suite, for any of them in a long run
SILENT = {"quit", "printsgf"}  # one ends the engine, the other writes files wherever it is told to
CHANGES = {
    *"boardsize clear_board komi play undo gg-undo fixed_handicap place_free_handicap set_free_handicap".split(),
    *"set_position loadsgf kgs-rules kata-set-rules cgos-opponent_name gogui-setup".split(),
    *"gogui-setup_player gogui-play_sequence".split(),
}
GENERATES = {"genmove", "kgs-genmove_cleanup", "genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"}
GENERATES.add("cgos-genmove_analyze")
POSITION = "showboard\nprintsgf\nkata-get-rules\nget_komi\nevogo-legal b\nevogo-legal w\n"


class Fuzzer:
    """Draws lines of input."""

    def __init__(self, seed, record, own=("stub-next", "stub-powers")):
        self.random = random.Random(seed)
        self.record = record
        self.names = sorted(set(command_table.NAMES) - SILENT)
        self.own = own  # commands of the engine under test

    def line(self):
        """One line without its end, as bytes."""
        draw = self.random.random()
        if draw < 0.55:
            return self.move().encode()
        if draw < 0.85:
            return self.command().encode()
        if draw < 0.95:
            return self.mutilated()
        return self.garbage()

    def pick(self, *choices):
        return self.random.choice(choices)

    def move(self):
        """What a game is made of."""
        draw = self.random.random()
        if draw < 0.6:
            return f"play {self.colour()} {self.vertex(9)}"
        if draw < 0.8:
            return f"{self.pick(*sorted(GENERATES))} {self.colour()}"
        if draw < 0.9:
            return self.pick("undo", "gg-undo 2", "reg_genmove b", "showboard", "final_status_list dead")
        return "gogui-play_sequence " + " ".join(f"{self.colour()} {self.vertex(9)}" for _ in range(3))

    def command(self):
        """Any command with arguments that it may like; now and then with an id."""
        name = self.pick(*self.names, *self.own, "evogo-none")
        words = [name, *self.arguments(name)]
        if self.random.random() < 0.3:
            words.insert(0, self.pick("0", "1", "77", "2147483647", "2147483648", "007"))
        return self.pick(" ", " ", "\t", "  ").join(words)

    def arguments(self, name):
        if name == "stub-next":
            return [self.pick("crash", "exit", "illegal", "resign", "pass", "print", "a1", "z99", "")]
        if name == "stub-powers":
            return self.pick(["policy"], ["evaluation"], ["policy", "evaluation"])
        if name == "loadsgf":
            return [self.pick(self.record, "/nowhere", "/dev/zero", ""), self.pick("", "1", "3", "-1", "x")]
        if name == "boardsize":
            sizes = ["9", "9", "9", "5", "13", "1", "19", "25", "26", "0", "-9", "nine", "9.0", ""]
            return [self.pick(*sizes), self.pick("", "", "9", "²", "7" * 5000)]
        if "rules" in name:
            return [self.pick("chinese", "japanese", "cgos", "aga", "x", '{"ko":"SIMPLE"}', '{"a":', "tromp-taylor")]
        if "time" in name:
            kinds = ["none", "absolute", "byoyomi", "canadian", "fischer", "hourglass"]
            return [self.pick(*kinds, self.number(), self.colour()), *(self.number() for _ in range(3))]
        if "handicap" in name and self.random.random() < 0.5:
            return [self.pick(self.number(), "400", "624", "80")]
        return [self.word() for _ in range(self.random.randrange(5))]

    def word(self):
        return self.pick(self.colour(), self.vertex(9), self.vertex(30), self.number(), "interval", "dead", "ownership")

    def colour(self):
        return self.pick("b", "w", "B", "W", "black", "white", "b", "w", "green")

    def vertex(self, size):
        if self.random.random() < 0.05:
            return self.pick("pass", "PASS", "resign", "i5", "", "a", "5", "aa11", "d4x", "é4", "d٤")
        return self.pick(*"abcdefghjABCDEFGHJ") + str(self.random.randrange(1, size + 1))

    def number(self):
        sensible = ["0", "1", "2", "5", "9", "60", "300", "-1", "0.5", "1e9"]
        large = ["1e20", "1e308", "1e999", "nan", "inf", "-inf", "9" * 30, "8" * 5000]
        return self.pick(*sensible, *large, "0x9", "1_0", "²", "--5", "+3", "")

    def mutilated(self):
        """A command with some bytes changed, cut off, or blown up."""
        line = bytearray(self.pick(self.move(), self.command()).encode())
        for _ in range(self.random.randrange(1, 4)):
            where = self.random.randrange(len(line) + 1)
            self.pick(
                lambda: line.insert(where, self.random.randrange(256)),
                lambda: line.__delitem__(slice(where, where + 3)),
                lambda: line.__setitem__(slice(where, where), self.pick(b"#", b"\0", b"\r", b"\x7f", b"\t", b"\x1b[A")),
                lambda: line.extend(b" x" * self.random.choice([1, 10, 1000])),
            )()
        return bytes(line)

    def garbage(self):
        draw = self.random.random()
        if draw < 0.1:
            return self.pick(b"# interrupt", b"#interrupt\r", b"", b"   ", b"# comment", b"\r")
        if draw < 0.12:
            return self.random.randbytes(1) * 100_000
        return self.random.randbytes(self.random.randrange(40))


def is_command(line):
    """Whether a line must get an answer: whether anything is left of it before a comment."""
    return any(byte > 32 and byte != 127 for byte in line.split(b"#")[0])


def ends_or_writes(line):
    """Whether a line, by accident, is one of the two commands that this test must not send."""
    visible = bytes(byte for byte in line if byte >= 32 or byte == 9)
    return any(name.encode() in visible.replace(b"\x7f", b"") for name in SILENT)


def effect(line, answer):
    """The commands that have the same effect on the game; a generated move is a plain one among them."""
    words = line.split()
    if words and is_id(words[0]):
        words = words[1:]
    if not words or answer[0] != "=":
        return []
    if words[0] in CHANGES:
        return [" ".join(words)]
    if words[0] not in GENERATES:
        return []
    move = answer.split()[-1]
    if move == "resign":
        return []
    if len(words) > 1 and words[1].lower() in ("b", "w", "black", "white") and len(words) == 2:
        return [f"play {words[1]} {move}"]
    return [f"stub-next {move}", " ".join(words)]  # the colour is said in some other way, or not at all


def write_record(tmp_path):
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[1]SZ[9]KM[5.5];B[ee];W[cc];B[gg];W[cg];B[gc])")
    return str(record)


def test_random_commands(tmp_path):
    record, end, seed = write_record(tmp_path), time.monotonic() + SECONDS, SEED
    while seed == SEED or time.monotonic() < end:
        talk_to_a_stub(seed, record)
        seed += 1
    print(f"{(seed - SEED) * COMMANDS} commands to a stub, seeds {SEED} to {seed - 1}")


def talk_to_a_stub(seed, record):
    fuzzer = Fuzzer(seed, record)
    client, twin = Client(*STUB), Client(*STUB)
    try:
        for _ in range(COMMANDS // BATCH):
            lines = []
            while len(lines) < BATCH:
                line = fuzzer.line().replace(b"\n", b"")
                if not ends_or_writes(line):
                    lines.append(line)
            client.send(b"".join(line + b"\n" for line in lines) + b"# interrupt\n")  # the last may have no end of its own
            replay = []
            for line in filter(is_command, lines):
                answer = client.answer()
                assert_framed(line, answer)
                replay += effect(clean(line), answer)
            assert client.ask("77 name") == "=77 stub", lines
            carry_out(twin, replay)
            assert without_comments(client.dialogue(POSITION)) == without_comments(twin.dialogue(POSITION)), replay
        assert client.ask("quit") == "= "
        assert client.end()[0] == 0
    finally:
        client.kill()
        twin.kill()


def without_comments(text):
    """What a player said of moves that it chose stands in the record; the twin was only told the moves."""
    return re.sub(r"(?<!\w)C\[(?:[^\]\\]|\\.)*\]", "", text)


def carry_out(client, commands):
    """Send commands that must all be accepted."""
    client.send("".join(command + "\n" for command in commands).encode("utf-8", "surrogateescape"))
    for command in commands:
        answer = client.answer()
        assert answer[0] == "=", (command, answer)


def clean(line):
    text = line.split(b"#")[0].decode("utf-8", "surrogateescape").replace("\t", " ")
    return "".join(c for c in text if ord(c) >= 32 and ord(c) != 127)


def is_id(word):
    """Whether a word is the id of a command; longer numbers are no command's name either."""
    return word.isascii() and word.isdigit() and len(word) <= len(str(2**31)) and int(word) < 2**31


def assert_framed(line, answer):
    """The sign, the id of the line if it has one, a space, and no control characters."""
    words = clean(line).split(" ")
    first = next(word for word in words if word)
    number = str(int(first)) if is_id(first) else ""
    assert answer.startswith((f"={number} ", f"?{number} ")), (line, answer)
    assert "\n\n" not in answer
    assert all(c == "\n" or ord(c) >= 32 for c in answer), (line, answer)


# Real players


def test_random_commands_to_real_players(tmp_path):
    record, end, seed = write_record(tmp_path), time.monotonic() + SECONDS, SEED
    while seed < SEED + 2 or time.monotonic() < end:
        talk_to_a_player(PLAYERS[(seed - SEED) % len(PLAYERS)], seed, record)
        seed += 1
    print(f"{(seed - SEED) * REAL_COMMANDS} commands to players, seeds {SEED} to {seed - 1}")


def talk_to_a_player(spec, seed, record):
    fuzzer = Fuzzer(seed, record, own=())
    client = Client(*EVOGO, "--player", spec, "--seed", "1")
    try:
        assert client.dialogue("boardsize 9\ngenmove b\nfinal_score\nclear_board\n")  # compiles and warms up
        used, room = usage(client.process.pid)
        for number in range(REAL_COMMANDS):
            line = fuzzer.line().replace(b"\n", b"")
            if ends_or_writes(line):
                continue
            client.send(line + b"\n# interrupt\n")  # what has no end of its own is ended
            if not is_command(line):
                continue
            answer = client.answer()
            assert_framed(line, answer)
            assert "internal error" not in answer, (spec, seed, number, line[:200], client.errors[-3:])
            before, (used, now) = used, usage(client.process.pid)
            assert used - before < MOST_SECONDS, (spec, seed, number, line[:200], used - before)
            assert now - room < MOST_MEGABYTES, (spec, seed, number, line[:200], now - room)
            if number % 100 == 0:
                assert client.ask("printsgf").startswith("= (;"), (spec, seed, number)
        assert client.ask("quit") == "= "
        assert client.end()[0] == 0
    finally:
        client.kill()


def usage(process):
    """Processor seconds and megabytes of a process so far."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    seconds = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    return seconds, int(words[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20
