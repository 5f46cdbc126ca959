"""From what a user types to a player."""

import inspect
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

import gtp_main
from engine.contest.player import Option, Player
from engine.go.board import BLACK
from engine.go.game import Game
from players import genome, kinds, listing, registry, scripted
from players.programs import process
from players.registry import PlayerError, load_player, thinking
from players.scripted.table import SCRIPTED
from tests.processes.gtp_engines import fake_engine


class Learned(Player):
    """A learned player made up for these tests."""

    def __init__(self, saved, beta=10.0, depth=1, greedy=False, opening="none"):
        if beta < 0:
            raise ValueError("beta must not be negative")
        self.taken = (beta, depth, greedy, opening)
        self.sizes = saved.sizes


@pytest.fixture
def kind(monkeypatch):
    """A kind of learned player called ``fake``."""
    module = types.ModuleType("fake_kind.player")
    module.load_player = Learned
    defaults = {"beta": 10.0, "depth": 1, "greedy": False, "opening": "none"}
    module.OPTIONS = tuple(Option(name, default, "made up") for name, default in defaults.items())
    monkeypatch.setitem(sys.modules, "fake_kind", types.ModuleType("fake_kind"))
    monkeypatch.setitem(sys.modules, "fake_kind.player", module)
    monkeypatch.setitem(kinds.PACKAGES, "fake", "fake_kind")
    return "fake"


@pytest.fixture
def champion(kind, tmp_path):
    """A genome file of that kind."""
    path = tmp_path / "champion.json"
    results = [genome.Result("random", 7, 7.5, 100, 90.0, "both")]
    genome.save(genome.Genome(kind, [5, 6, 7, 9], {}, results=results), path)
    return path


@pytest.mark.parametrize(
    "spec, title",
    [
        ("random", "random"),
        ("liberty,randomness=0.5", "liberty,randomness=0.5"),
        ("strongest,simulations=10,threads=1", "search,simulations=10,threads=1"),
        ("level-5", "level-5"),
        ("Level-4,megabytes=2", "level-4,megabytes=2"),
    ],
)
def test_what_reports_call_a_player(spec, title):
    assert registry.title(spec, load_player(spec)) == title


@pytest.mark.parametrize("name", scripted.NAMES)
def test_scripted_players(name):
    assert name in registry.names()
    player = load_player(name.upper(), seed=7)
    assert player.name == name
    game = Game(5)
    assert game.is_legal(BLACK, player.choose(game, BLACK, None))
    first, again = (load_player(name, seed=3).choose(game, BLACK, None) for _ in range(2))
    assert first == again


def test_options_are_read_as_the_type_of_their_default(champion):
    assert load_player("liberty,randomness=0.25").option == 0.25
    assert load_player(f"{champion}").taken == (10.0, 1, False, "none")
    assert load_player(f"{champion}, beta=2 ,depth=3,greedy=yes,opening=x").taken == (2.0, 3, True, "x")


@pytest.mark.parametrize(
    "spec, message",
    [
        ("", "there is no player ''"),
        ("nobody", "there is no player 'nobody': choose from strongest, "),
        ("nobody.json", "there is no file 'nobody.json'"),
        ("no/such/file", "there is no file"),
        ("liberty,", "written key=value, not ''"),
        ("liberty,randomness", "written key=value, not 'randomness'"),
        ("liberty,luck=1", r"liberty has no option 'luck' \(it has randomness\)"),
        ("liberty,seed=1", "has no option 'seed'"),
        ("liberty,randomness=often", "option randomness of liberty must be a number, not 'often'"),
        ("liberty,randomness=nan", "must be a number"),
        ("liberty,randomness=2", "liberty: randomness 2 is not between 0 and 1"),
        ("random,fill_eyes=maybe", "must be yes or no"),
        ("gtp:", "needs the command"),
        ("gtp:no-such-program --mode gtp", "there is no program 'no-such-program'"),
        ("gtp:cat,move=fast", "option move of gtp must be a number"),
        ("gtp:cat,move=-1", "must be above 0"),
    ],
)
def test_errors_are_one_clear_line(spec, message):
    with pytest.raises(PlayerError, match=message) as error:
        load_player(spec)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("options, message", [("depth=1.5", "a number"), ("beta=-1", "beta must not be"), ("x=1", "no option")])
def test_options_of_learned_players(champion, options, message):
    with pytest.raises(PlayerError, match=message):
        load_player(f"{champion},{options}")


def test_genome_files(champion, tmp_path):
    player = load_player(str(champion))
    assert (player.name, list(player.sizes)) == ("champion", [5, 6, 7, 9])
    odd = tmp_path / "with,a=comma.json"
    odd.write_bytes(champion.read_bytes())
    assert load_player(str(odd)).name == "with,a=comma"
    damaged = tmp_path / "damaged.json"
    damaged.write_bytes(champion.read_bytes()[:-20])
    with pytest.raises(PlayerError, match="damaged.json cannot be read"):
        load_player(str(damaged))
    unknown = tmp_path / "unknown.json"
    genome.save(genome.Genome("martian", [9], {}), unknown)
    with pytest.raises(PlayerError, match="unknown kind of player 'martian'"):
        load_player(str(unknown))
    model = tmp_path / "model.onnx"
    model.write_bytes(b"no model")
    with pytest.raises(PlayerError, match="is not an ONNX model"):
        load_player(str(model))


def test_champions_that_ship_are_players_by_name(champion, monkeypatch):
    monkeypatch.setattr(registry.importlib.resources, "files", lambda package: champion.parent)
    assert registry.champions() == {"champion": champion}
    assert registry.names()[-1] == "champion"
    assert load_player("champion,beta=3").taken[0] == 3.0
    row = next(row for row in listing.rows() if row.name == "champion")
    assert (row.kind, row.boards, row.genome) == ("fake", "5-7, 9", str(champion))
    assert [option.name for option in row.options] == ["beta", "depth", "greedy", "opening"]


def test_no_models_at_all_is_no_error(monkeypatch):
    def missing(package):
        raise ModuleNotFoundError(package)

    monkeypatch.setattr(registry.importlib.resources, "files", missing)
    assert registry.champions() == {} and listing.elo_tables() == {}


# Champions of a run's past


@pytest.fixture
def run(champion, tmp_path):
    """A run whose champions were elected after generations 10, 20 and 120."""
    folder = tmp_path / "mine.run" / "champions"
    folder.mkdir(parents=True)
    for generation in (10, 20, 120):
        (folder / f"{generation:06d}.json").write_bytes(champion.read_bytes())
    return folder.parent


@pytest.mark.parametrize("at, name", [("", "mine@120"), ("@20", "mine@20"), ("@119", "mine@20"), ("@5000", "mine@120")])
def test_champions_of_a_run_s_past(run, at, name):
    player = load_player(f"{run}{at},beta=3")
    assert (player.name, player.taken[0]) == (name, 3.0)


@pytest.mark.parametrize(
    "at, message",
    [
        ("@9", "had no champion after generation 9; its champions were elected after generation 10, 20, 120"),
        ("@soon", "the number of a generation, not 'soon'"),
        ("@", "the number of a generation, not ''"),
        ("@-1", "the number of a generation"),
    ],
)
def test_generations_without_a_champion(run, at, message):
    with pytest.raises(PlayerError, match=message):
        load_player(f"{run}{at}")


def test_a_run_without_champions(tmp_path):
    (tmp_path / "new.run" / "champions").mkdir(parents=True)
    with pytest.raises(PlayerError, match="has no champion yet"):
        load_player(str(tmp_path / "new.run"))


# What a search may use


def test_time_and_threads_become_options_of_the_search():
    assert thinking("strongest", 1.5, 3) == "strongest,seconds=1.5,threads=3"
    assert thinking("Search,guide=wally,seconds=9", seconds=2.0) == "Search,guide=wally,seconds=9,seconds=2"
    assert thinking("wally") == "wally"
    with pytest.raises(PlayerError, match="players that search, such as search,guide=wally"):
        thinking("wally", seconds=1.0)


def test_options_of_a_command_are_only_those_at_its_end(tmp_path):
    command = fake_engine(tmp_path)
    player = load_player(f"gtp:{command} --weights a,move=b,c=3,move=7,start=20")
    try:
        assert player.command == f"{command} --weights a,move=b,c=3"
        assert player._limits == {"start": 20.0, "move": 7.0, "end": 60.0}
    finally:
        player.close()


# Who plays when nobody is named


def test_the_strongest_is_a_spec_that_further_options_change(monkeypatch):
    player, game = load_player(registry.DEFAULT), Game(9)
    assert set(player.sizes) == set(range(2, 26)) and registry.STRONGEST.startswith(player.name)
    monkeypatch.setattr(registry, "STRONGEST", "random,fill_eyes=no")
    assert load_player("strongest", 3).option != load_player("strongest,fill_eyes=yes", 3).option
    assert load_player("strongest", 3).choose(game, BLACK) == load_player("random,fill_eyes=no", 3).choose(game, BLACK)
    with pytest.raises(PlayerError, match="no option"):
        load_player("strongest,luck=2")


def test_options_are_declared_as_they_are_taken():
    declared = {name: player.options for name, player in SCRIPTED.items()} | {"gtp": process.OPTIONS}
    declared |= {kind: kinds.part(kind, "player").OPTIONS for kind in kinds.PACKAGES}
    for name, options in declared.items():
        make = SCRIPTED.get(name) or (process.GtpProcess if name == "gtp" else kinds.part(name, "player").load_player)
        taken = inspect.signature(make).parameters
        for option in options:
            assert taken[option.name].default == option.default and option.help, (name, option)


def test_readers_may_leave_early():
    """``evogo players | head -1``: no complaint, and no error, when nobody reads on."""
    command = [sys.executable, str(Path(gtp_main.__file__)), "players"]
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert process.returncode == 0 and process.stderr == ""
