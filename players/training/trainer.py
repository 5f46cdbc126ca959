"""What a trainer is: a few verbs over plain data, which the run loop calls.

The loop (``players.training.run``) does, with one ``state`` that belongs to the trainer::

    state = trainer.init()
    for generation in range(trainer.generations()) until trainer.finished(state):
        items = trainer.ask(state, generation)                    # the work of one generation, plain data
        results = [trainer.evaluate(item) for item in items]      # anywhere, in any order, by any number of workers
        metrics = trainer.tell(state, generation, results, play)  # learn; results are in the order of the items
        every ``retest_every`` generations, and at the end: the election of a champion (below)

The rules that make a run a pure function of its configuration and seed:

* ``evaluate`` is a module-level function of the item alone. It keeps nothing between calls and uses no random numbers
  but those from a seed in the item.
* All randomness comes from ``trainer.key(purpose, …)`` or ``trainer.generator(purpose, …)``, keyed by what it is for:
  generation, individual, game. Nothing then needs to be remembered between generations.
* ``dump`` gives all of the state, and ``load`` gives it back: the loop may do both between any two generations.
* Nothing may depend on the time, on the order of a set, or on ``id`` or ``hash``.

**The election.** The lucky maximum of a noisy fitness is not a champion. ``candidates`` names the best individuals;
they and the reigning champion play the same fresh games (``trials``, then ``evaluate``, then ``judge``); the one that
wins most is champion, and plays once more as many games, which nobody selected, for the score that is reported.
"""

from dataclasses import dataclass

import numpy as np

from engine.go.rng import stream_key
from players import genome
from players.training.config import RunConfig

# The first key of every random stream says what it is for, so that no two uses ever share one.
EVOLVE = 1  # making and changing individuals
GAMES = 2  # games that decide fitness
TRIALS = 3  # games of the elections
OTHER = 4  # anything else


@dataclass(frozen=True)
class Verdict:
    """How an individual did in its trials."""

    results: list  # of players.genome.Result, one for each opponent, board size and komi met
    fitness: float = 0.0  # decides between equal win rates

    @property
    def win_rate(self):
        games = sum(result.games for result in self.results)
        return sum(result.wins for result in self.results) / games if games else 0.0

    @property
    def rank(self):
        """The larger, the better."""
        return self.win_rate, self.fitness


def won_in_a_line(best, mean):
    """For ``Trainer.words``: the share of their games that the generation's best and all of it won."""
    return f"best {best:.0%}, all {mean:.0%}"


class Trainer:
    """The base of all trainers. ``config`` is an instance of the class's own ``Config``."""

    kind = "kind"  # as in the genome files it makes
    Config = RunConfig  # the dataclass of its parameters
    presets = {"paper": {}}  # name → the parameters in which it differs from the defaults
    preset_help = {}  # name → what to expect: boards, time on two cores, how strong

    def __init__(self, config):
        self.config = config

    # Randomness

    def key(self, purpose, *keys):
        """A 64-bit key for a kernel's stream (``seed_game(rng, key, game)``), from EVOLVE, GAMES, … and any integers."""
        return stream_key(self.config.seed, purpose, *keys)

    def generator(self, purpose, *keys):
        """A numpy Generator, fresh from the same kind of key."""
        return np.random.Generator(np.random.PCG64(self.key(purpose, *keys)))

    # The run

    def generations(self):
        """How many generations the whole run has."""
        raise NotImplementedError

    def cost(self, generation):
        """What generation number ``generation`` (from 0) costs, in any unit; only the estimate of the time left uses it."""
        return 1.0

    def init(self):
        """A fresh state, of any type."""
        raise NotImplementedError

    def blank(self):
        """A state of the same form, with which saved ones are compared; it needs no files, which may be gone by then."""
        return self.init()

    def ask(self, state, generation):
        """The work items of generation number ``generation``, from 0: a list of picklable NamedTuples of plain data."""
        raise NotImplementedError

    @staticmethod
    def evaluate(item):
        """What the item yields; picklable. Set it to a module-level function: ``evaluate = staticmethod(play_item)``."""
        raise NotImplementedError

    def tell(self, state, generation, results, play):
        """Learn from the results of the items of ``ask`` and go on to the next generation (``state`` changes in place).

        ``play(items)`` evaluates further items, if more is to be known, as those of ``ask`` were evaluated.

        Returns what the log says of the generation that ended: a dict of numbers and short texts with at least ``size``
        (board), ``best`` and ``mean`` (fitness), ``wins`` (the generation's best: share of its games won, 0 … 1) and ``games``
        (played in all). Further numbers become further curves in ``show --html``.
        """
        raise NotImplementedError

    def words(self, entry):
        """What the progress line says of a generation, from its entry in the log: some 20 characters."""
        named = (("best", entry.get("best")), ("mean", entry.get("mean")))
        return "  ".join(f"{name} {value:.5g}" for name, value in named if value is not None)

    def advance(self, state, generation, play=None):
        """One generation, its work done by ``play(items)`` (here and now if that is not said); what ``tell`` returns."""
        play = play or (lambda items: [self.evaluate(item) for item in items])
        return self.tell(state, generation, play(self.ask(state, generation)), play)

    def finished(self, state):
        """Whether the run has reached its goal before its last generation."""
        return False

    def dump(self, state):
        """The state as a tree of dicts (with str keys), lists, numbers, texts, None and numpy arrays."""
        raise NotImplementedError

    def load(self, tree):
        """The state again, from what ``dump`` gave (tuples have become lists)."""
        raise NotImplementedError

    def check(self, state):
        """ValueError, in a line, if the state that ``load`` gave holds values that no run comes to.

        Its types and names are those of a fresh state already. Kernels trust what they are given, so that above all whatever
        is an index must be in its range.
        """

    # The champion

    def candidates(self, state, count):
        """The ``count`` most promising individuals of the last generation, best first, each as the ``body`` of a genome.

        A body is a dict that JSON can hold once arrays are turned into lists (``players.genome.plain`` does that).
        Called after ``tell``, so that the state must remember the individuals it was told about.
        """
        raise NotImplementedError

    def trials(self, state, generation, body, key, games):
        """Work items for ``games`` games of ``body`` on the board of ``generation``, the last that was told about.

        ``games`` is meant for each opponent or for all together, as the trainer likes. ``state`` must not change.

        All randomness from ``key``, so that candidates of one election meet the same opponents' moves.
        """
        raise NotImplementedError

    def judge(self, state, generation, results):
        """The Verdict on what ``evaluate`` gave for the items of ``trials``."""
        raise NotImplementedError

    def sizes(self, body):
        """The board sizes that ``body`` can play, as a list."""
        raise NotImplementedError

    def write(self, champion, path):
        """Write the Genome ``champion`` to the file that the user asked for; a kind may have a format of its own."""
        genome.save(champion, path)
