"""Games of trained networks: against each other in pairs, and against scripted players, each result kept as it comes in."""

import itertools
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple

from engine.go.rng import stream_key
from players.isn.body import read_body
from players.isn.candidates import GREEDY
from players.isn.side import Style, side_of
from players.play.loop import Terms, wins_of
from players.play.schedule import Fixture
from players.scripted.kernels import KINDS, opponent

ROUND_ROBIN_BETA, ROUND_ROBIN_KOMI = 20.0, 3.5  # paper
KOMI = 7.5  # our choice: as on CGOS
_GAMES = "games"  # what the store calls the results, each the wins of the first named


def side(genome, beta, spare_eyes=True):
    """The network of a Genome as a side."""
    found = read_body(genome.body)
    return side_of(found.parameters, Style(found.c, found.s, beta, spare_eyes, found.turn_aware, found.anatomy))


class Test(NamedTuple):
    """Games of a Genome against a scripted opponent, as the player plays by default."""

    genome: object
    opponent: str
    size: int
    games: int
    seed: int

    def play(self):
        """Its wins."""
        key = stream_key(self.seed, self.genome.generation, KINDS[self.opponent])
        fixture = Fixture(Terms(self.size, KOMI), (opponent(self.opponent),), "both", key, 0, self.games)
        return wins_of(fixture.play(side(self.genome, GREEDY)))


class Pair(NamedTuple):
    """Games of two Genomes with the paper's β and komi, colours in turn."""

    one: object
    two: object
    size: int
    games: int
    seed: int
    spare_eyes: bool = True

    def play(self):
        """The wins of the first."""
        key = stream_key(self.seed, self.one.generation, self.two.generation)
        rival = side(self.two, ROUND_ROBIN_BETA, self.spare_eyes)
        fixture = Fixture(Terms(self.size, ROUND_ROBIN_KOMI), (rival,), "both", key, 0, self.games)
        return wins_of(fixture.play(side(self.one, ROUND_ROBIN_BETA, self.spare_eyes)))


def pairs_of(genomes, size, games, seed, spare_eyes=True):
    """Every Pair of a round robin, by (generation of one, generation of the other, size, games, seed)."""
    return {
        (one.generation, two.generation, size, games, seed): Pair(one, two, size, games, seed, spare_eyes)
        for one, two in itertools.combinations(genomes, 2)
    }


def shares_of(genomes, pairs, results):
    """By generation, the share of its games that each of the ``genomes`` won in the ``pairs``."""
    won = {genome.generation: 0.0 for genome in genomes}
    games = 0
    for key, pair in pairs.items():
        won[pair.one.generation] += results[key]
        won[pair.two.generation] += pair.games - results[key]
        games = pair.games
    of = games * max(1, len(genomes) - 1) or 1
    return {generation: wins / of for generation, wins in won.items()}


def played(store, jobs, workers):
    """What ``jobs``, a dict from a key to something that can ``play``, give, by key; only what is missing is played."""
    names = {key: " ".join(map(str, key)) for key in jobs}
    known = store.entries(_GAMES)
    with ThreadPoolExecutor(workers) as pool:
        pending = {pool.submit(job.play): names[key] for key, job in jobs.items() if names[key] not in known}
        try:
            for future in as_completed(pending):
                store.add(_GAMES, pending[future], future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    known = store.entries(_GAMES)
    return {key: known[name] for key, name in names.items()}
