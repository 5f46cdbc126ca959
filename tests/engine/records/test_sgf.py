"""SGF: tables of text and what it means, places of errors, round trips, hostile files, and GNU Go as a reader."""

import os
import random
import shutil
import subprocess
import time

import pytest

from engine import limits
from engine.go.board import BLACK, MAX_SIZE, MIN_SIZE, PASS, WHITE, coordinates, point
from engine.records import sgf
from engine.records.sgf import GameRecord, Node, SgfError, dump, load, parse, save


def at(letters, size=9):
    """The point that two SGF letters name."""
    return point(size, ord(letters[0]) - ord("a"), ord(letters[1]) - ord("a"))


def letters(moves, size):
    """Moves or stones as a compact text: "Baa Wbb B" (a colour alone is a pass)."""
    return " ".join("?BW"[colour] + ("" if p == PASS else sgf._write_point(size, p)) for colour, p in moves)


# --- Moves and set-up ---

MAIN_LINES = {
    "plain": ("(;SZ[9];B[aa];W[bc])", "Baa Wbc"),
    "default size": ("(;;B[ss])", "Bss"),
    "one colour in a row": ("(;SZ[9];B[aa];B[bb];W[cc])", "Baa Bbb Wcc"),
    "first children are the main line": ("(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee];B[ff]))", "Baa Wbb Bcc"),
    "nested without branching": ("(;SZ[9](;B[aa](;W[bb](;B[cc]))))", "Baa Wbb Bcc"),
    "brackets in skipped values": (r"(;SZ[9];B[aa](;W[bb])(;C[)(\])];W[cc]))", "Baa Wbb"),
    "first game of a collection": ("(;SZ[9];B[aa])\n(;SZ[13];B[bb])", "Baa"),
    "broken second game": ("(;SZ[9];B[aa])(;B[", "Baa"),
    "junk before": ("Subject: (no title)\n\nseen on the net (;SZ[9];B[aa])", "Baa"),
    "junk after": ("(;SZ[9];B[aa])\n-- \nbye]", "Baa"),
    "blanks everywhere": ("( ; SZ [ 9 ]\r\n;\tB\n[ aa ] \n; W [bb]\n)", "Baa Wbb"),
    "empty pass": ("(;SZ[9];B[];W[ ])", "B W"),
    "old pass, 9x9": ("(;SZ[9];B[tt])", "B"),
    "old pass, 19x19": ("(;SZ[19];B[tt])", "B"),
    "no old pass, 20x20": ("(;SZ[20];B[tt];W[])", "Btt W"),
    "largest board": ("(;SZ[25];B[yy];W[tt])", "Byy Wtt"),
    "size after stones": ("(;AB[yy]SZ[25];W[ya])", "Wya"),
    "old long names": ("(;GaMe[1]SiZe[9];Black[aa];White[bb])", "Baa Wbb"),
    "move in the root": ("(;SZ[9]B[aa];W[bb])", "Baa Wbb"),
    "two moves in a node": ("(;SZ[9];W[aa]B[bb];W[cc])", "Waa Bbb Wcc"),
    "two values of a move": ("(;SZ[9];B[aa][bb])", "Baa Bbb"),
    "no nodes but the root": ("(;)", ""),
    "file format 1": ("(;FF[1]GM[1]SZ[9];B[aa])", "Baa"),
}


@pytest.mark.parametrize("text, moves", MAIN_LINES.values(), ids=MAIN_LINES)
def test_main_line(text, moves):
    record = parse(text)
    assert letters(record.moves, record.size) == moves
    assert record.nodes[0].move is None


SETUPS = {
    "points": ("(;SZ[9]AB[aa][bb]AW[cc])", "Baa Bbb Wcc"),
    "rectangle": ("(;SZ[9]AB[aa:bc]AW[dd:dd])", "Baa Bba Bab Bbb Bac Bbc Wdd"),
    "rectangle by its other corners": ("(;SZ[9]AW[ba:ab])", "Waa Wba Wab Wbb"),
    "property given twice": ("(;SZ[9]AB[aa]AB[bb])", "Baa Bbb"),
    "point given twice": ("(;SZ[9]AB[aa][aa:ba])", "Baa Bba"),
    "nothing": ("(;SZ[9]AB[]AW[ ])", ""),
    "long names": ("(;SZ[9]AddBlack[aa]AddWhite[bb])", "Baa Wbb"),
}


@pytest.mark.parametrize("text, stones", SETUPS.values(), ids=SETUPS)
def test_setup_of_the_root(text, stones):
    record = parse(text)
    assert letters(record.setup, record.size) == stones


def test_setup_in_mid_game():
    record = parse("(;SZ[9];B[aa];AB[bb]AW[cc:cd]AE[aa]PL[W]C[now];W[dd])")
    assert record.nodes[2] == Node(
        add_black=[at("bb")], add_white=[at("cc"), at("cd")], add_empty=[at("aa")], to_play=WHITE, comment="now"
    )
    assert record.setup == []
    assert record.moves == [(BLACK, at("aa")), (WHITE, at("dd"))]


def test_setup_and_moves_of_one_node_become_a_row():
    nodes = parse("(;SZ[9];B[aa]AW[bb]W[cc]BL[10]C[why]XX[1];B[dd])").nodes
    assert nodes[1:] == [
        Node(add_white=[at("bb")], comment="why", properties={"XX": ["1"]}),
        Node(move=(BLACK, at("aa"))),
        Node(move=(WHITE, at("cc")), black_time=10.0),
        Node(move=(BLACK, at("dd"))),
    ]


@pytest.mark.parametrize("value, colour", [("B", BLACK), ("w", WHITE), ("White", WHITE), ("1", BLACK), ("2", WHITE)])
def test_player_to_move(value, colour):
    assert parse(f"(;SZ[9]PL[{value}])").nodes[0].to_play == colour


# --- What is known about the game ---


def test_game_information():
    record = parse(
        "(;FF[4]GM[1]CA[UTF-8]AP[Some\\: Editor:1.2]SZ[13]KM[6.5]RU[Japanese]HA[3]TM[1800]OT[5x30 byo-yomi]"
        "PB[Ann]BR[3d]PW[Bob]WR[1k]RE[B+R]DT[2001-02-03]EV[Cup]PC[Here]GC[A\ngame]C[Root]GN[x]ST[2];B[aa])"
    )
    assert record == GameRecord(
        size=13, komi=6.5, rules="Japanese", handicap=3, result="B+R", black_name="Ann", black_rank="3d",
        white_name="Bob", white_rank="1k", date="2001-02-03", event="Cup", place="Here", time_limit=1800.0,
        overtime="5x30 byo-yomi", application=("Some: Editor", "1.2"), comment="A\ngame",
        nodes=[Node(comment="Root", properties={"GN": ["x"], "ST": ["2"]}), Node(move=(BLACK, at("aa", 13)))],
    )  # fmt: skip


def test_nothing_is_known_of_a_bare_game():
    assert parse("(;)") == GameRecord(size=19)
    assert parse("(;SZ[]KM[]HA[]PB[]RE[ ]AP[]GC[]GM[])") == GameRecord(size=19)


FACTS = [
    ("SZ[9]", "size", 9), ("SZ[9:9]", "size", 9), ("SZ[ 25 ]", "size", 25), ("SZ[2]", "size", 2),
    ("KM[7]", "komi", 7.0), ("KM[-5.5]", "komi", -5.5), ("KM[6,5]", "komi", 6.5), ("KM[.5]", "komi", 0.5),
    ("KM[0.00]", "komi", 0.0), ("KoMi[5.5]", "komi", 5.5), ("HA[0]", "handicap", 0), ("HA[9]", "handicap", 9),
    ("TM[600]", "time_limit", 600.0), ("TM[60 min]", "time_limit", None), ("AP[Solo]", "application", ("Solo", "")),
    ("RU[ AGA\n]", "rules", "AGA"),
]  # fmt: skip


@pytest.mark.parametrize("text, attribute, value", FACTS, ids=[fact[0] for fact in FACTS])
def test_fact(text, attribute, value):
    assert getattr(parse(f"(;{text})"), attribute) == value


def test_clocks():
    node = parse("(;SZ[9];B[aa]BL[12.5]OB[3]WL[60]OW[])").nodes[1]
    assert (node.black_time, node.black_stones, node.white_time, node.white_stones) == (12.5, 3, 60.0, None)


def test_old_free_text_times_survive():
    record = parse("(;SZ[9]TM[1 hour];B[aa]BL[late])")
    assert record.nodes[0].properties == {"TM": ["1 hour"]} and record.nodes[1].properties == {"BL": ["late"]}
    assert parse(dump(record)) == record


# --- Text ---

TEXTS = [  # value in the file, as Text, as SimpleText
    ("plain", "plain", "plain"),
    (r"a \] b", "a ] b", "a ] b"),
    (r"a \\", "a \\", "a \\"),
    (r"a \\\] b", r"a \] b", r"a \] b"),
    (r"\\\\n", r"\\n", r"\\n"),
    (r"a \: b : \c", "a : b : c", "a : b : c"),
    ("two\nlines", "two\nlines", "two lines"),
    ("two\r\nlines", "two\nlines", "two lines"),
    ("two\rlines", "two\nlines", "two lines"),
    ("soft\\\nbreak", "softbreak", "softbreak"),
    ("soft\\\r\nbreak", "softbreak", "softbreak"),
    ("hard\\\\\nbreak", "hard\\\nbreak", "hard\\ break"),
    ("tab\tand\vfeed", "tab and feed", "tab and feed"),
    ("(;[ are fine", "(;[ are fine", "(;[ are fine"),
    ("日本 é", "日本 é", "日本 é"),
]


@pytest.mark.parametrize("raw, text, simple", TEXTS)
def test_text(raw, text, simple):
    record = parse(f"(;C[{raw}]GC[{raw}]PB[{raw}])")
    assert (record.nodes[0].comment, record.comment, record.black_name) == (text, text, simple)
    assert parse(dump(record)) == record


def test_comments_of_a_node_are_joined():
    assert parse("(;C[a][b]C[c])").nodes[0].comment == "a\nb\nc"


ENCODINGS = {
    "utf-8 by default": ("名", "(;PB[名])".encode()),
    "utf-8 declared": ("名", "(;CA[UTF-8]PB[名])".encode()),
    "utf-8 with a mark": ("名", "\ufeff(;PB[名])".encode()),
    "the mark outweighs the declaration": ("名", "\ufeff(;CA[latin-1]PB[名])".encode()),
    "utf-16 with a mark": ("名", "(;CA[UTF-16]PB[名])".encode("utf-16")),
    "latin-1 by default": ("é", "(;PB[é])".encode("latin-1")),
    "latin-1 declared": ("Ã©", "(;CA[ISO-8859-1]PB[é])".encode()),
    "shift-jis, second byte a backslash": ("表", "(;CA[Shift_JIS]PB[表])".encode("shift_jis")),
    "gbk under the name of gb2312": ("镕", "(;CA[gb2312]PB[镕])".encode("gbk")),
    "big5, second byte a bracket": ("\u4e99", b"(;CA[Big5]PB[" + "\u4e99".encode("big5") + b"])"),
    "koi8": ("Го", "(;CA[koi8-r]PB[Го])".encode("koi8-r")),
    "unknown": ("名", "(;CA[x-klingon]PB[名])".encode()),
    "unknown, not utf-8": ("é", "(;CA[x-klingon]PB[é])".encode("latin-1")),
    "declared wrongly": ("é", "(;CA[UTF-8]PB[é])".encode("latin-1")),
    "not a text encoding": ("a", b"(;CA[hex]PB[a])"),
    "cannot be": ("ab", b"(;CA[UTF-16]PB[ab]) "),
    "would read escapes": (r"\x41", rb"(;CA[unicode_escape]PB[\\x41])"),
}


@pytest.mark.parametrize("name, data", ENCODINGS.values(), ids=ENCODINGS)
def test_encoding(name, data):
    assert parse(data).black_name == name


# --- Errors ---

ERRORS = {
    "nothing": ("", 1, 1, "no game"),
    "no game": ("hello\nworld", 1, 1, "no game"),
    "no node": ("()", 1, 1, "no game"),
    "not closed": ("(;SZ[9];B[aa]\n", 2, 1, "')' expected"),
    "variation not closed": ("(;SZ[9](;B[aa])\n(;B[bb])", 2, 9, "')' expected"),
    "value not closed": ("(;SZ[9];\nB[aa)", 2, 2, "never closed"),
    "value closed by an escape": ("(;C[a\\])", 1, 4, "never closed"),
    "skipped value not closed": ("(;SZ[9](;B[aa])\n(;C[b)))", 2, 4, "never closed"),
    "name without a value": ("(;SZ[9];B;W[aa])", 1, 10, "expected after the property 'B'"),
    "name without a value at the end": ("(;SZ[9];B", 1, 10, "expected after the property 'B'"),
    "value without a name": ("(;SZ[9];[aa])", 1, 9, "unexpected '['"),
    "name in small letters": ("(;SZ[9];b[aa])", 1, 9, "capital"),
    "junk": ("(;SZ[9];B[aa]\r\n  ,W[bb])", 2, 3, "unexpected ','"),
    "variation without a node": ("(;SZ[9](B[aa]))", 1, 8, "';' expected"),
    "point outside": ("(;SZ[9]\n\n;B[aj])", 3, 4, "B: 'aj' is outside the 9x9 board"),
    "capital point": ("(;SZ[25];B[aA])", 1, 12, "outside"),
    "old pass on a large board": ("(;SZ[21]AB[aa]\r;W[uv])", 2, 4, "outside"),
    "not a point": ("(;SZ[9];B[D4])", 1, 11, "'D4' is not a point"),
    "set-up outside": ("(;SZ[9]AB[aa][tt])", 1, 15, "outside"),
    "rectangle outside": ("(;SZ[9]AE[aa:aj])", 1, 11, "AE: 'aj' is outside"),
    "half a rectangle": ("(;SZ[9]AB[:aa])", 1, 11, "not a point"),
    "rectangle of three": ("(;SZ[9]AB[aa:bb:cc])", 1, 11, "not a point"),
    "contradiction": ("(;SZ[9]AB[aa]AW[bb]\n[aa])", 2, 2, "contradicts"),
    "contradiction by clearing": ("(;SZ[9]AE[aa:cc]AW[bb])", 1, 20, "contradicts"),
    "not square": ("(;SZ[9:13])", 1, 6, "not square"),
    "too large": ("(;SZ[26])", 1, 6, "size 26 is not supported (2 to 25)"),
    "too small": ("(;SZ[1])", 1, 6, "size 1 "),
    "no size": ("(;SZ[big])", 1, 6, "'big' is not a whole number"),
    "long name": ("(;" + "X" * 5000 + ")", 1, 5003, "expected after the property 'XXXXXXXXXXXXXXXXX...'"),
    "huge number": ("(;SZ[" + "9" * 5000 + "])", 1, 6, "'99999999999999999...'"),
    "no komi": ("(;KM[six])", 1, 6, "'six' is not a number"),
    "infinite komi": ("(;KM[inf])", 1, 6, "not a number"),
    "no handicap": ("(;HA[-2])", 1, 6, "-2"),
    "another game": ("(;GM[2])", 1, 6, "not Go"),
    "no colour": ("(;PL[red])", 1, 6, "'red' is not a colour"),
    "after a byte order mark": ("\ufeff(;SZ[9];B[zz])", 1, 11, "outside"),
}


@pytest.mark.parametrize("text, line, column, part", ERRORS.values(), ids=ERRORS)
@pytest.mark.parametrize("as_bytes", [False, True])
def test_error_names_the_place(text, line, column, part, as_bytes):
    with pytest.raises(SgfError) as caught:
        parse(text.encode() if as_bytes else text)
    message = str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column), message
    assert part in message and f"(line {line}, column {column})" in message
    assert "\n" not in message and len(message) < 120


# --- Files ---


def test_save_and_load(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("old")
    record = parse("(;SZ[9]PB[名 \\]];B[aa])")
    save(record, path, "1.5")
    assert path.read_bytes().startswith(b"(;FF[4]GM[1]CA[UTF-8]AP[evogo:1.5]SZ[9]")
    record.application = ("evogo", "1.5")
    assert load(str(path)) == record
    assert os.listdir(tmp_path) == ["game.sgf"]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("old")
    with pytest.raises(SgfError):
        save(GameRecord(size=99), path)
    assert path.read_text() == "old"
    with pytest.raises(SgfError, match="cannot write"):
        save(GameRecord(), tmp_path)
    assert os.listdir(tmp_path) == ["game.sgf"]


def test_file_errors_name_the_file(tmp_path, monkeypatch):
    broken = tmp_path / "broken.sgf"
    broken.write_text("(;SZ[9];B[zz])")
    with pytest.raises(SgfError, match=r"broken\.sgf: B: 'zz' .*line 1, column 11") as caught:
        load(broken)
    assert (caught.value.line, caught.value.column) == (1, 11)
    for path in (tmp_path / "missing.sgf", tmp_path, "nul\0.sgf"):
        with pytest.raises(SgfError, match="^cannot read "):
            load(path)
    with pytest.raises(SgfError, match="^cannot write .*No such file"):
        save(GameRecord(), tmp_path / "no" / "folder.sgf")
    monkeypatch.setattr(limits, "SGF_BYTES", 10)
    with pytest.raises(SgfError, match="more than"):
        load(broken)


# --- Writing ---


def test_layout():
    record = GameRecord(
        size=9, komi=6.5, rules="Chinese", handicap=2, application=("other", "2"),
        nodes=[
            Node(add_black=[at("gc"), at("cg")]),
            Node(move=(WHITE, at("ee")), white_time=59.5),
            Node(move=(BLACK, PASS)),
        ],
    )  # fmt: skip
    assert dump(record, "0.1") == (
        "(;FF[4]GM[1]CA[UTF-8]AP[evogo:0.1]SZ[9]KM[6.5]RU[Chinese]HA[2]AB[gc][cg]\n;W[ee]WL[59.5]\n;B[])\n"
    )
    assert "AP[other:2]" in dump(record)


@pytest.mark.parametrize(
    "komi, text",
    [(6.5, "6.5"), (7, "7"), (7.0, "7"), (0, "0"), (-0.0, "0"), (-5.5, "-5.5"), (100, "100"), (1e-7, "0.0000001"),
     (3.75, "3.75"), (1 / 3, "0.3333333333333333"), (5e-324, f"0.{'0' * 323}5")],
)  # fmt: skip
def test_komi_has_no_exponent(komi, text):
    written = dump(GameRecord(komi=komi))
    assert f"KM[{text}]" in written and parse(written).komi == komi


def test_a_move_gets_a_node_of_its_own():
    record = GameRecord(size=9, nodes=[Node(move=(BLACK, at("aa"))), Node(move=(WHITE, at("bb")), to_play=WHITE)])
    assert dump(record).endswith("SZ[9]\n;B[aa]\n;PL[W]\n;W[bb])\n")


UNWRITABLE = {
    "size": GameRecord(size=26),
    "point": GameRecord(size=9, nodes=[Node(), Node(move=(BLACK, at("aj")))]),
    "border": GameRecord(size=9, nodes=[Node(add_white=[point(9, -1, 3)])]),
    "nan": GameRecord(komi=float("nan")),
    "infinite": GameRecord(time_limit=float("inf")),
    "value": GameRecord(nodes=[Node(properties={"XX": ["a]b"]})]),
    "open value": GameRecord(nodes=[Node(properties={"XX": ["a\\"]})]),
    "no value": GameRecord(nodes=[Node(properties={"XX": []})]),
    "name": GameRecord(nodes=[Node(properties={"x": ["a"]})]),
}


@pytest.mark.parametrize("record", UNWRITABLE.values(), ids=UNWRITABLE)
def test_what_the_format_cannot_hold(record):
    with pytest.raises(SgfError, match="^cannot write"):
        dump(record)


def random_record(rng):
    size = rng.randint(MIN_SIZE, MAX_SIZE)
    every_point = [point(size, col, row) for col in range(size) for row in range(size)]

    def text(lines):
        return "".join(rng.choices("ab:;()[]\\名é" + "\n" * lines, k=rng.randint(0, 12)))

    def name():
        return text(False) or None

    def node(is_root):
        node = Node(comment=rng.choice(["", text(True)]))
        if rng.random() < 0.3:
            node.properties = {rng.choice(["XX", "LB", "TR", "KO"]): [sgf._write_text(text(True)), ""]}
        if is_root or rng.random() < 0.1:
            stones = rng.sample(every_point, rng.randint(0, min(9, len(every_point))))
            node.add_black, node.add_white, node.add_empty = stones[::3], stones[1::3], stones[2::3]
            node.to_play = rng.choice([None, BLACK, WHITE])
        elif rng.random() < 0.95:
            node.move = rng.choice([BLACK, WHITE]), rng.choice([*every_point, PASS])
            node.black_time, node.white_time = rng.choice([None, 0.0, 12.25]), rng.choice([None, 3600.0])
            node.black_stones, node.white_stones = rng.choice([None, 0, 5]), rng.choice([None, 25])
        return node

    return GameRecord(
        size=size, komi=rng.choice([None, rng.randint(-20, 20) / 2, rng.random()]), handicap=rng.randint(0, 9),
        time_limit=rng.choice([None, 0.0, 900.0]), application=rng.choice([None, ("a:b\\", "]")]), rules=name(),
        result=name(), black_name=name(), black_rank=name(), white_name=name(), white_rank=name(), date=name(),
        event=name(), place=name(), overtime=name(), comment=text(True) or None,
        nodes=[node(is_root=True), *(node(is_root=False) for _ in range(rng.randint(0, 60)))],
    )  # fmt: skip


def test_random_games_are_read_back_equal():
    rng = random.Random(1)
    for _ in range(200):
        record = random_record(rng)
        written = dump(record)
        assert parse(written) == record
        assert parse(written.replace("\n", "\r\n").encode()) == record


# --- Hostile files ---

MANY = 100_000
LARGE = 2_000_000
HUGE = 10_000_000
HOSTILE = {  # text, number of nodes or a part of the error
    "nested main line": ("(;B[aa]" * (MANY // 10) + ")" * (MANY // 10), MANY // 10 + 1),
    "nested too far": ("(;B[aa]" * MANY + ")" * MANY, "too long"),
    "passes": ("(;" + ";B[]" * (LARGE // 8) + ")", "too long"),
    "moves of one node": ("(;" + "B[]" * (LARGE // 8) + ")", "too long"),
    "nested variations": ("(;SZ[9](;B[aa])" + "(;W[aa]" * MANY + ")" * MANY + ")", 2),
    "nested and not closed": ("(;SZ[9](;B[aa])" + "(;W[aa]" * MANY, "')' expected"),
    "many variations": ("(;SZ[9];B[aa]" + "(;W[bb];B[cc])" * (HUGE // 14) + ")", 4),
    "brackets": ("(;B[aa])" + "(" * LARGE, 2),
    "skipped brackets": ("(;(;)" + "()" * (LARGE // 2) + ")", 2),
    "long comment": ("(;C[" + "x" * HUGE + "])", 1),
    "escapes": ("(;C[" + "\\]" * (HUGE // 2) + "\\\\" * (LARGE // 4) + "])", 1),
    "escaped for ever": ("(;C[" + "\\]" * (HUGE // 2), "never closed"),
    "value not closed": ("(;C[" + "[" * LARGE, "never closed"),
    "blanks": ("(;B" + " " * LARGE, "expected"),
    "openings": ("( " * (LARGE // 2), "no game"),
    "rectangles": ("(;SZ[25]" + "AB[aa:yy]" * (LARGE // 10) + ")", "too many set-up stones"),
    "set-ups": ("(;SZ[9]" + ";AB[aa]" * MANY + ")", "too long"),
    "digits": ("(;KM[" + "1" * LARGE + "])", "not a number"),
    "colons": ("(;AB[" + "aa:" * (LARGE // 3) + "])", "not a point"),
}


@pytest.mark.parametrize("text, expected", HOSTILE.values(), ids=HOSTILE)
def test_hostile_file(text, expected):
    started = time.process_time()
    try:
        found = len(parse(text.encode()).nodes)
    except SgfError as error:
        found = str(error)
    assert time.process_time() - started < 15  # what grows faster than the file takes minutes; the suite's memory slows all of it
    assert found == expected if isinstance(expected, int) else expected in found


@pytest.mark.parametrize("part", [";", ";B[aa]", "C[a]", "B[aa]", "AB[aa]", "XX[a][b]"])
def test_the_length_of_a_main_line_is_limited(part, monkeypatch):
    monkeypatch.setattr(limits, "SGF_TOKENS", 3000)
    with pytest.raises(SgfError, match="too long"):
        parse("(;" + part * 3001 + ")")
    assert parse("(;" + part * 100 + ")")


def test_random_damage_gives_a_record_or_an_error():
    rng = random.Random(2)
    modern = dump(random_record(rng), "1").encode()
    old = rb"(;FF[3]SiZe[9:9]CA[gbk]KM[6,5]AB[aa:cc]C[a\]\\];B[tt](;W[])(;W[aa]))"
    marks = [b"(", b")", b";", b"[", b"]", b"\\", b":", b"\n", b"\r", b"\xff", b"\0"]
    marks += [b"SZ[", b"AB[", b"CA[", b"B[", b"aa"]
    outcomes = set()
    for _ in range(3000):
        data = bytearray(rng.choice([modern, old]))
        for _ in range(rng.randint(1, 4)):
            i, j = sorted(rng.choices(range(len(data) + 1), k=2))
            j = min(j, i + rng.randint(0, 8))
            data[i:j] = rng.choice([b"", rng.choice(marks), bytes(data[j : j + 9]), rng.randbytes(2)])
        try:
            record = parse(bytes(data))
        except SgfError as error:
            outcomes.add("error")
            assert error.line >= 1 and error.column >= 1 and "\n" not in str(error)
        else:
            outcomes.add("record")
            assert parse(dump(record)) == record
            assert all(p == PASS or min(coordinates(record.size, p)) >= 0 for _, p in record.moves)
    assert outcomes == {"error", "record"}


# --- A real reader ---

GNUGO = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))


@pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")
def test_gnugo_loads_what_we_write(tmp_path):
    """It finds the stones, the turn and the komi of a game with handicap, set-up in mid-game, a pass and remarks."""
    record = GameRecord(
        size=13, komi=0.5, rules="Chinese", handicap=2, black_name="名 \\ ]:", comment="two\nlines ]", time_limit=60.0,
        nodes=[
            Node(add_black=[at("dd", 13), at("jj", 13)], to_play=WHITE, comment="(;root ] \\"),
            Node(move=(WHITE, at("aa", 13)), white_time=12.5, white_stones=3),
            Node(move=(BLACK, at("ab", 13)), properties={"LB": ["aa:1"]}),
            Node(move=(WHITE, PASS)),
            Node(move=(BLACK, at("ba", 13)), comment="takes"),
            Node(add_white=[at("mm", 13)], to_play=BLACK),
            Node(move=(BLACK, at("ml", 13))),
        ],
    )  # fmt: skip
    path = tmp_path / "game.sgf"
    save(record, path, "1.0")
    commands = f"loadsgf {path}\nlist_stones black\nlist_stones white\nget_komi\nquery_boardsize\nquit\n"
    done = subprocess.run([GNUGO, "--mode", "gtp"], input=commands, capture_output=True, text=True, timeout=20)
    answers = [answer.removeprefix("=").strip() for answer in done.stdout.split("\n\n")]
    assert answers[0] == "white"
    assert sorted(answers[1].split()) == sorted("D10 K4 A12 B13 N2".split())
    assert answers[2].split() == ["N1"]
    assert answers[3:5] == ["0.5", "13"]
