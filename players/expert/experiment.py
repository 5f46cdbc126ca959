"""What the iterations were worth: ``evogo experiment expert curve --run RUN --out FOLDER``.

Champions of a run, as it went on, play each other: the networks by themselves, their moves drawn so that no two games are
the same, and if asked for the searches that they guide, at equal simulations, with the search that nobody guides as one more
player. Elo is by maximum likelihood, the first champion's (or the unguided search's) is 0, with 95% intervals. Written to
FOLDER: ``curve.json`` with every result as it comes in, ``expert-curve.svg`` with the picture, made anew after each pair."""

import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.contest import match
from engine.contest.elo import ratings
from engine.go.rng import stream_key
from players import genome, registry
from players.expert.body import read_body
from players.expert.player import ExpertPlayer
from players.expert.side import side_of
from players.play.loop import Terms, wins_of
from players.play.schedule import Fixture
from players.search.guide import Guide
from players.search.player import PLAYOUT, Search
from players.show.charts import Series, alone, line_chart, with_legend
from players.training import ranges
from players.training.config import option, require
from players.training.experiments import ExperimentConfig, Store

KOMI = 7.5  # our choice: as on CGOS
TEMPERATURE = 0.5  # of the networks by themselves: games differ, and a clear move is still played
EXPERIMENTS = {"curve": "champions of a run against each other, as it went on"}
NETWORKS, SEARCHES = "networks", "searches"
UNGUIDED = "0"  # stands for the search without a guide
_COLOURS = {NETWORKS: "#1f78b4", SEARCHES: "#d95f02"}


@dataclass(frozen=True, kw_only=True)
class Config(ExperimentConfig):
    """The parameters of the experiment."""

    run: str | None = option(None, "the folder of a run of train expert", "must be said")
    snapshots: int = option(8, "champions of the run, at most", "", range=(2, 1000))
    size: int = option(9, "of the board", "", range=ranges.BOARDS_FROM_3)
    games: int = option(100, "of each pair of networks", "", range=ranges.GAMES)
    search_games: int = option(0, "of each pair of searches that they guide", "", range=ranges.GAMES_OR_NONE)
    simulations: int = option(400, "of these searches, for a move", "", range=(1, 10**9))
    seed: int = option(1, "of all games", "", range=ranges.SEEDS)

    def __post_init__(self):
        super().__post_init__()
        require(self.run, "say which run: --run")


def champions(run, most):
    """{generation: parameters} of a run's champions, each once, at most ``most`` of them, evenly spread."""
    saved = map(genome.load, sorted((Path(run) / "champions").glob("[0-9]*.json")))
    found = {one.generation: read_body(one.body) for one in saved}
    kept = np.unique(np.linspace(0, len(found) - 1, min(most, len(found))).round().astype(int))
    return {generation: found[generation] for generation in np.array(sorted(found), int)[kept].tolist()}


def _of_networks(config, key, one, two):
    """The wins of the first of two networks."""
    fixture = Fixture(Terms(config.size, KOMI), (side_of(two, TEMPERATURE),), "both", key, 0, config.games, salt=1)
    return wins_of(fixture.play(side_of(one, TEMPERATURE)))


def _of_searches(config, key, one, two):
    """The wins of the search that the first of two networks guides; None guides none."""
    weights = registry.load_player(PLAYOUT).weights
    guides = [None if each is None else Guide(ExpertPlayer(each), "a champion") for each in (one, two)]
    players = [Search(weights, config.simulations, threads=1, guide=guide) for guide in guides]
    table, settings = match.Table(*players), match.Settings(config.size, KOMI, seed=key, stop_on_failure=True)
    try:
        return sum(match.play_game(table, settings, number).points_of_a for number in range(config.search_games))
    finally:
        table.close()


def _jobs(config, found):
    """{who: [(name, generations, function that plays), …]} of all pairs."""
    jobs = {NETWORKS: list(itertools.combinations(found, 2)), SEARCHES: []}
    if config.search_games:
        jobs[SEARCHES] = list(itertools.combinations((int(UNGUIDED), *found), 2))
    for who, pairs in jobs.items():
        play = _of_networks if who == NETWORKS else _of_searches
        games = f"{config.games}" if who == NETWORKS else f"{config.search_games} of {config.simulations}"
        jobs[who] = [
            (
                f"{one} {two} on {config.size}, {games}, seed {config.seed}",
                lambda play=play, one=one, two=two: {
                    "pair": [one, two],
                    "wins": play(config, stream_key(config.seed, one, two), found.get(one), found[two]),
                    "games": config.games if play is _of_networks else config.search_games,
                },
            )
            for one, two in pairs
        ]
    return jobs


def rated(entries):
    """[(generation, Rating), …] from the pairs of a store, the first at 0."""
    names = sorted({generation for entry in entries for generation in entry["pair"]})
    wins = np.zeros((len(names), len(names)))
    for entry in entries:
        one, two = (names.index(generation) for generation in entry["pair"])
        wins[one, two] += entry["wins"]
        wins[two, one] += entry["games"] - entry["wins"]
    return list(zip(names, ratings(wins)[0])) if len(names) > 1 else []


def _picture(data):
    """The curves as one SVG text that stands alone; nothing before there is a pair."""
    lines = []
    for who, colour in _COLOURS.items():
        rows = rated(list(data.get(who, {}).values()))
        if rows:
            low = [rating.elo if rating.low is None else rating.low for _, rating in rows]
            high = [rating.elo if rating.high is None else rating.high for _, rating in rows]
            xs, ys = [generation for generation, _ in rows], [rating.elo for _, rating in rows]
            lines.append(Series(who, xs, ys, colour, low, high))
    if not lines:
        return {}
    drawing = alone(with_legend(line_chart(lines, "iterations", "Elo"), lines))
    return {"expert-curve.svg": drawing + "\n"}


def run(name, config):
    """Play what is missing, draw, and print a line for each champion."""
    found = champions(config.run, config.snapshots)
    require(len(found) > 1, f"{config.run} holds fewer than two champions")
    store = Store(Path(config.out) / "curve.json", _picture)
    for who, jobs in _jobs(config, found).items():
        store.fill(who, jobs)
        played = store.entries(who)
        for generation, rating in rated([played[job] for job, _ in jobs]):
            ends = ["…" if end is None else f"{end:.0f}" for end in (rating.low, rating.high)]
            print(f"{who:>10}  iteration {generation:>4}  Elo {rating.elo:5.0f} ({ends[0]} to {ends[1]})")
