"""States from files: a checkpoint whose digest is right, and whose values no run comes to, is refused in one line."""

import numpy as np
import pytest

from players.kinds import TRAINED, trainer_class
from players.training import checkpoint
from players.training import config as configuration
from players.training.folder import RunError
from players.training.run import _checked_champion, _loaded

SMALL = {
    "hyperneat": {"population": 4},
    "sane": {"size": 5, "blueprints": 4, "neurons": 60, "network_neurons": 20},
    "organism": {"islands": 2, "island_size": 3},
    "isn": {"size": 5},
    "expert": {"boards": [5]},
    "playout": {"size": 3},
}


def put(value, *keys):
    """A change of a tree: ``value`` goes where the keys lead."""

    def change(tree):
        for key in keys[:-1]:
            tree = tree[key]
        tree[keys[-1]] = value

    return change


def species(**changes):
    """A change of a tree of hyperneat: it has a species, with something wrong."""

    def change(tree):
        found = {"number": 0, "links": tree["evolution"]["links"][0], "best": 1.0, "stale": 0, **changes}
        tree["evolution"]["species"] = [found]

    return change


def cut(*keys):
    """A change of a tree: an array is one shorter."""

    def change(tree):
        for key in keys[:-1]:
            tree = tree[key]
        tree[keys[-1]] = tree[keys[-1]][:-1]

    return change


def positions(**changes):
    """A change of a tree of expert: it has two positions, with something wrong."""

    def change(tree):
        sizes = {"bits": 50, "shares": 52, "owner": 50}
        for name, array in tree["window"].items():
            tree["window"][name] = np.full(sizes.get(name, 2), 5 if name == "size" else 0, array.dtype)
        for name, value in changes.items():
            tree["window"][name][-2:] = value

    return change


def boards(**changes):
    """A change of a tree of playout: it has two positions, with something wrong."""

    def change(tree):
        for name, array in tree["positions"].items():
            tree["positions"][name] = np.full((2, 9) if name == "stones" else 2, name == "colour", array.dtype)
        for name, value in changes.items():
            tree["positions"][name][-1] = value

    return change


WRONG = {
    "hyperneat": [
        (put(10**6, "evolution", "links", "target", (1, 0)), "no node"),
        (put(-1, "evolution", "links", "source", (1, 0)), "no node"),
        (put(0, "evolution", "links", "target", (1, 0)), "no node"),
        (put(np.nan, "evolution", "links", "weight", (3, 1)), "weight"),
        (put(10**6, "evolution", "links", "innovation", (1, -1)), "innovation"),
        (put(7, "evolution", "links", "innovation", (1, 0)), "innovation"),
        (put(999, "evolution", "counts", 0), "room"),
        (put(-1, "evolution", "counts", 0), "room"),
        (cut("evolution", "counts"), "population"),
        (put(1, "evolution", "innovations", "table", slice(None)), "table"),
        (cut("evolution", "innovations", "table"), "table"),
        (put(10**9, "evolution", "innovations", "counts", 0), "table"),
        (put(10**9, "evolution", "innovations", "counts", 1), "nodes"),
        (put(200, "evolution", "innovations", "functions", 3), "function"),
        (put(float("nan"), "evolution", "threshold"), "number"),
        (put([7], "best"), "links"),
        (put([np.zeros(3)], "best"), "links"),
        (species(stale=-1), "species"),
        (species(number="first"), "species"),
        (species(best="good"), "fitness"),
    ],
    "sane": [
        (put(10**6, "population", "labels", (0, 0)), "label"),
        (put(-1, "population", "labels", (0, 0)), "label"),
        (put(np.inf, "population", "weights", (0, 0)), "weight"),
        (put(np.nan, "population", "weights", (0, 0)), "weight"),
        (put(60, "population", "blueprints", (0, 0)), "blueprint"),
        (cut("population", "blueprints"), "blueprints"),
        (cut("population", "labels"), "neurons"),
        (put([[1, 2]], "best"), "network"),
        (put([[np.zeros((2, 2)), np.zeros((2, 2))]], "best"), "neurons"),
        (put(-5, "stones"), "count"),
        (put(10**9, "stones_told"), "count"),
    ],
    "organism": [
        (put(9, "population", "rules", "condition", 0), "rule"),
        (put(-1, "population", "rules", "action", 0), "rule"),
        (put(np.nan, "population", "rules", "threshold", slice(None)), "rule"),
        (put(10**9, "population", "rules", "distance", slice(None)), "rule"),
        (cut("population", "lengths"), "islands"),
    ],
    "isn": [
        (put(np.nan, "parameters", 0), "number"),
        (put(np.inf, "mean", 0), "number"),
        (put(-1.0, "variance", 0), "Adam"),
        (put(-1, "steps"), "Adam"),
        (cut("parameters"), "weights"),
    ],
    "expert": [
        (put(np.nan, "parameters", 0), "number"),
        (put(np.inf, "average", 0), "number"),
        (put(-1.0, "variance", 0), "Adam"),
        (put(-1, "steps"), "Adam"),
        (cut("mean"), "weights"),
        (cut("weights"), "features"),
        (put(1e3, "weights", 0), "too large"),
        (cut("leads"), "boards"),
        (put(np.nan, "leads", 9), "wins by"),
        (put(np.array([5], np.uint8), "window", "size"), "as long"),
        (put(np.array([77], np.uint8), "window", "size"), "no size"),
        (positions(bits=np.uint32(1 << 31)), "not on the board"),
        (positions(owner=np.int8(3)), "owner"),
        (positions(komi=np.float32(np.nan)), "komi"),
        (positions(win=np.float32(1.5)), "chance"),
        (positions(iteration=np.array([3, 2], np.int32)), "in order"),
    ],
    "playout": [
        (put(np.nan, "weights", 0), "number"),
        (put(np.inf, "mean", 0), "number"),
        (put(1e3, "average", 0), "too large"),
        (put(1e3, "teacher", 0), "too large"),
        (put(-1.0, "variance", 0), "Adam"),
        (put(-1, "steps"), "Adam"),
        (cut("start"), "weights"),
        (put(float("nan"), "hand_error"), "error"),
        (put(np.zeros(3, np.uint8), "positions", "colour"), "as long"),
        (put(np.zeros((0, 25), np.uint8), "positions", "stones"), "as long"),
        (boards(stones=3), "no colour"),
        (boards(stones=[2, 1, 0, 1, 0, 0, 0, 0, 0]), "no liberty"),
        (boards(stones=1), "no liberty"),
        (boards(colour=0), "nobody"),
        (boards(value=np.nan), "chance"),
        (boards(value=1.5), "chance"),
        (boards(last=4), "on the board"),
        (boards(before=-5), "on the board"),
        (boards(ko=999), "on the board"),
        (boards(stones=[0, 0, 0, 0, 1, 0, 0, 0, 0], ko=10), "ko"),
    ],
}  # fmt: skip
CASES = [(kind, number) for kind in WRONG for number in range(len(WRONG[kind]))]


def trainer_of(kind):
    found = trainer_class(kind)
    return found(configuration.make(found.Config, SMALL[kind]))


def saved(trainer):
    """A fresh state as a checkpoint gives it back."""
    return checkpoint.decode(checkpoint.encode(trainer.dump(trainer.init())))


@pytest.mark.parametrize("kind", TRAINED)
def test_what_a_run_saves_is_sound(kind):
    trainer = trainer_of(kind)
    assert _loaded(trainer, saved(trainer), "here") is not None


@pytest.mark.parametrize("kind, number", CASES)
def test_values_that_no_run_comes_to_are_refused(kind, number):
    change, problem = WRONG[kind][number]
    trainer = trainer_of(kind)
    tree = saved(trainer)
    change(tree)
    with pytest.raises(RunError, match=f"cannot go on: .*{problem}"):
        _loaded(trainer, tree, "here")


@pytest.mark.parametrize("kind", TRAINED)
def test_a_champion_that_is_none_is_refused(kind):
    for body in (None, 7, {}, {"labels": [[10**9]]}):
        with pytest.raises(RunError, match="the champion in the checkpoint in here cannot be used"):
            _checked_champion(trainer_of(kind), {"body": body, "generation": 1, "results": []}, "here")
