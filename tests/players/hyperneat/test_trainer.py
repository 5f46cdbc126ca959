import json

import numpy as np
import pytest

from players import genome
from players.genome import Result
from players.hyperneat.body import make_body, read_body
from players.hyperneat.trainer import AUTHORS_NEAT, Config, Trainer, WorstVerdict, play_item
from players.play.loop import RESULT
from players.training import config as configuration
from players.training.config import ConfigError
from players.training.trainer import TRIALS, Verdict
from players.training.workers import Workers

SMALL = {"population": 12, "games": 3, "generations": (3, 2), "boards": (4, 5), "retest_candidates": 3}


def _run(config, generations, workers=None, reload_at=None):
    trainer = Trainer(config)
    state = trainer.init()
    log = []
    for generation in range(generations):
        if generation == reload_at:
            state = trainer.load(trainer.dump(state))
        play = (lambda items: workers.evaluate(trainer.evaluate, items)) if workers else None
        log.append(trainer.advance(state, generation, play))
    return trainer, state, log


@pytest.mark.parametrize("changes", [{}, {"fresh_games": True, "colour": "both", "opponents": ("liberty", "random")}])
def test_a_run_is_a_function_of_configuration_and_seed(changes):
    config = Config(**{**SMALL, **changes, "check_games": 2})
    trainer, state, log = _run(config, 5)
    assert [entry["size"] for entry in log] == [4, 4, 4, 5, 5]
    bodies = trainer.candidates(state, 3)
    for workers, reload_at in ((2, None), (3, 2), (None, 4)):
        pool = Workers(workers) if workers else None
        _, again, same = _run(config, 5, pool, reload_at)
        assert same == log
        assert trainer.candidates(again, 3) == bodies
        if pool:
            pool.close()
    other = _run(Config(**{**SMALL, **changes, "check_games": 2, "seed": 2}), 5)[2]
    assert other != log


def _keys(items):
    return {item.fixture.key for item in items}


def test_games_are_the_same_for_all_candidates_and_generations_unless_fresh():
    trainer = Trainer(Config(**SMALL))
    state = trainer.init()
    first = trainer.ask(state, 0)
    trainer.advance(state, 0)
    assert len(_keys(first + trainer.ask(state, 1))) == 1
    trainer = Trainer(Config(**SMALL, fresh_games=True))
    state = trainer.init()
    first = _keys(trainer.ask(state, 0))
    trainer.advance(state, 0)
    assert len(first) == 1 and first != _keys(trainer.ask(state, 1))
    assert all(species.stale == 0 and species.best < 0 for species in state.evolution.species)
    trainer = Trainer(Config(**SMALL, fresh_games=True, fresh_every=3))
    assert [trainer._draw(generation) for generation in range(5)] == [(0,), (0,), (0,), (1,), (1,)]


def test_equal_networks_play_equal_games_once():
    trainer = Trainer(Config(**{**SMALL, "population": 30}))
    state = trainer.init()
    for generation in range(3):
        trainer.advance(state, generation)
    assert len(trainer.ask(state, 3)) == 30  # the board has changed: champions play too
    trainer.advance(state, 3)
    again = trainer.load(trainer.dump(state))
    assert len(trainer.ask(state, 4)) < len(trainer.ask(again, 4)) == 30


def test_trials_and_verdict():
    config = Config(**{**SMALL, "opponents": ("liberty", "random"), "colour": "both"})
    trainer, state, _ = _run(config, 4)
    body = json.loads(json.dumps(trainer.candidates(state, 1)[0]))
    items = trainer.trials(state, 3, body, trainer.key(TRIALS, 1), 60)
    assert [(item.fixture.first, item.fixture.count) for item in items] == [(0, 25), (25, 25), (50, 10)]
    verdict = trainer.judge(state, 3, [play_item(item) for item in items])
    assert [(r.opponent, r.games, r.size, r.komi, r.colour) for r in verdict.results] == [
        ("liberty", 30, 5, 6.5, "both"),
        ("random", 30, 5, 6.5, "both"),
    ]


def test_the_better_half_goes_on_after_each_heat():
    config = Config(**{**SMALL, "games": 8, "heats": 3, "colour": "both", "fresh_games": True})
    trainer = Trainer(config)
    assert config.heat_ends == [2, 4, 8]
    state = trainer.init()
    first, asked = trainer.ask(state, 0), []

    def play(items):
        asked.append(items)
        return [play_item(item) for item in items]

    entry = trainer.tell(state, 0, play(first), play)
    assert [len(items) for items in asked] == [12, 6, 3]
    assert [(items[0].fixture.first, items[0].fixture.count) for items in asked] == [(0, 2), (2, 2), (4, 4)]
    assert entry["games"] == 12 * 2 + 6 * 2 + 3 * 4
    # Fitness is that of all games, whoever played how many of them.
    wholly = Trainer(Config(**{**SMALL, "games": 8, "colour": "both", "fresh_games": True}))
    other = wholly.init()
    assert wholly.advance(other, 0)["best"] >= entry["best"] > 0
    _, _, log = _run(config, 4)
    assert _run(config, 4, reload_at=2)[2] == log
    with pytest.raises(ConfigError, match="games must be 16 or a multiple"):
        Config(**{**SMALL, "games": 8, "heats": 3, "colour": "both", "opponents": ("liberty", "wally")})


def test_a_network_that_lives_on_may_keep_what_it_did_before():
    trainer = Trainer(Config(**SMALL, fresh_games=True, pooled=True))
    state = trainer.init()
    games = np.full(12, 3)
    games[5] = 6
    first = trainer._pool(state, np.arange(12.0), games)
    assert list(first) == list(range(12))
    state.evolution.links[0] = state.evolution.links[5]  # a copy, in the next generation the only one
    state.evolution.links[5]["weight"] += 1
    again = trainer._pool(state, np.full(12, 20.0), games)
    assert again[5] == 20 and again[1] == 10.5 and again[0] == (5 * 6 + 20 * 3) / 9
    assert len(state.past) == 12
    config = Config(**SMALL, fresh_games=True, pooled=True)
    _, state, log = _run(config, 4)
    assert _run(config, 4, reload_at=2)[2] == log
    trainer.check(state)
    state.past[next(iter(state.past))] = float("nan"), 3
    with pytest.raises(ValueError, match="before"):
        trainer.check(state)


def test_games_on_all_boards_so_far():
    config = Config(**{**SMALL, "keep_boards": True, "randomness": 0.1})
    trainer = Trainer(config)
    assert [trainer.boards(generation) for generation in (0, 2, 3, 4, 9)] == [(4,), (4,), (4, 5), (4, 5), (4, 5)]
    trainer, state, log = _run(config, 5)
    assert [entry["games"] for entry in log] == [36, 36, 36, 72, 72]
    assert all(0 <= entry["wins"] <= 1 for entry in log)
    items = trainer.trials(state, 4, trainer.candidates(state, 1)[0], 1, 30)
    verdict = trainer.judge(state, 4, [play_item(item) for item in items])
    assert [(r.opponent, r.size, r.games) for r in verdict.results] == [
        ("liberty,randomness=0.1", 4, 30),
        ("liberty,randomness=0.1", 5, 30),
    ]
    # Every board counts as much as another: a win is worth 8 on each.
    won = np.recarray(1, RESULT)
    won.score = 0.5
    assert trainer._fitness({4: won, 5: won}) == 16
    assert trainer._fitness({5: won}) == 200


def test_all_boards_together():
    trainer = Trainer(Config(**{**SMALL, "together": True}))
    assert trainer.generations() == 3 and trainer.boards(0) == trainer.boards(2) == (4, 5)
    state = trainer.init()
    assert [item.fixture.terms.size for item in trainer.ask(state, 0)] == [4, 5] * 12
    entry = trainer.advance(state, 0)
    assert entry["games"] == 72 and entry["size"] == 5


def _results(*scores):
    """RESULTs of games as Black, White, Black, …"""
    results = np.recarray(len(scores), RESULT)
    results.score, results.a_is_black, results.opponent = scores, np.arange(len(scores)) % 2 == 0, 0
    return results


@pytest.mark.parametrize("worst, expected", [(0.0, 56), (1.0, 32), (0.5, 44)])
def test_the_worst_board_and_colour_may_count(worst, expected):
    trainer = Trainer(Config(**{**SMALL, "together": True, "colour": "both", "worst": worst}))
    played = {4: _results(0.5, 0.5, 0.5, 0.5), 5: _results(0.5, -75.0, 0.5, 0.5)}
    assert trainer._fitness(played) == pytest.approx(expected)  # 8 a game won; White's on 5x5 are worth 4 each
    verdict = trainer.judge(None, 0, list(played.items()))
    assert verdict.rank[0] == pytest.approx((1 - worst) * 7 / 8 + worst / 2)


def test_an_election_may_be_for_the_worst():
    verdicts = [Verdict([Result("liberty", 5, 6.5, 10, wins)], 1.0) for wins in (9, 8)]
    fair = [WorstVerdict(one.results, 1.0, worst, 0.5) for one, worst in zip(verdicts, (0.2, 0.7))]
    assert verdicts[0].rank > verdicts[1].rank and fair[0].rank < fair[1].rank


def test_an_opponent_named_twice_is_met_twice_as_often():
    config = Config(**{**SMALL, "opponents": ("liberty", "random", "liberty"), "colour": "both"})
    trainer, state, _ = _run(config, 1)
    items = trainer.trials(state, 0, trainer.candidates(state, 1)[0], 1, 12)
    verdict = trainer.judge(state, 0, [play_item(item) for item in items])
    assert [(result.opponent, result.games) for result in verdict.results] == [("liberty", 8), ("random", 4)]


def test_the_board_changes_and_species_are_forgiven():
    trainer = Trainer(Config(**SMALL))
    assert [trainer.board(g) for g in range(6)] == [4, 4, 4, 5, 5, 5]
    assert trainer.generations() == 5
    assert Config().geometry.largest == 7 and Trainer(Config()).generations() == 1000
    _, state, _ = _run(Config(**SMALL), 3)
    assert all(species.stale == 0 for species in state.evolution.species)


def test_species_may_keep_their_records_when_the_board_changes():
    for kept in (False, True):
        _, state, _ = _run(Config(**SMALL, keep_records=kept), 3)
        assert all((species.best > 0) == kept for species in state.evolution.species)
        _, state, _ = _run(Config(**SMALL, keep_records=kept, fresh_games=True), 2)
        assert all(species.best < 0 for species in state.evolution.species)  # other games are another matter


def test_the_papers_presets_have_the_authors_details_and_the_champions_had_not():
    for name in ("paper", "unscaled"):
        config = configuration.make(Config, Trainer.presets[name])
        assert (config.split_weight, config.split_renews, config.mutate_weight_per) == (0.25, True, "child")
        assert config.best_never_stale and config.keep_records and config.capture_dead
    assert not any(detail in Trainer.presets[name] for name in ("champion", "big-boards") for detail in AUTHORS_NEAT)


@pytest.mark.parametrize("name", Trainer.presets)
def test_presets_are_sound(name):
    configuration.make(Config, Trainer.presets[name])


@pytest.mark.parametrize(
    "changes",
    [{"boards": ()}, {"boards": (2,)}, {"boards": (99,)}, {"games": 0}, {"survival": 0.0}, {"add_node": 2.0},
     {"opponents": ("gnugo",)}, {"activations": ()}, {"activations": ("sine", "sine")}, {"hidden": 0}, {"refine": True},
     {"refine": True, "start": "hyperneat-any", "games": 12, "heats": 2, "colour": "both"}],
)  # fmt: skip
def test_bad_configurations_are_refused(changes):
    with pytest.raises(ConfigError):
        Config(**changes)


@pytest.mark.parametrize(
    ("start", "problem"),
    [
        ("nobody", "there is no player 'nobody'"),
        ("wally", "'wally' is no hyperneat"),
        ("hyperneat-any", "the substrate of 'hyperneat-any' is not laid out as this run's"),
    ],
)
def test_a_run_begins_with_nothing_but_a_network_that_fits(start, problem):
    with pytest.raises(ConfigError, match=f"start: {problem}"):
        Trainer(Config(**SMALL, start=start)).init()


@pytest.fixture
def start(tmp_path):
    """The file of a network that a small run may begin with, and its body."""
    trainer, state, _ = _run(Config(**SMALL), 4)
    body, path = trainer.candidates(state, 1)[0], tmp_path / "start.json"
    genome.save(genome.Genome("hyperneat", [5], body), path)
    return path, body


def test_a_network_is_refined_without_a_change_of_its_structure(start):
    path, body = start
    config = Config(**{**SMALL, "start": str(path), "refine": True})
    trainer = Trainer(config)
    state = trainer.init()
    log = [trainer.advance(state, generation, None) for generation in range(3)]
    assert log[0]["best"] == log[0]["mean"]
    again = trainer.load(trainer.dump(state))
    trainer.check(again)
    for one in (state, again):
        trainer.advance(one, 3, None)
    assert np.array_equal(state.evolution.links, again.evolution.links)
    known, refined = (read_body(one).links for one in (body, trainer.candidates(state, 1)[0]))
    assert refined[["source", "target"]].tolist() == known[["source", "target"]].tolist()
    assert (refined["weight"] != known["weight"]).all()
    assert trainer.dump(state).keys() == trainer.dump(trainer.blank()).keys()


def test_the_children_of_the_network_that_a_run_begins_with(start):
    path, body = start
    begun = Trainer(Config(**{**SMALL, "start": str(path)}))
    state = begun.init()
    functions = state.evolution.innovations.functions
    bodies = [make_body(state.evolution.genome(i), functions, begun.geometry, begun.config.rule) for i in range(12)]
    known = read_body(body)
    for other in map(read_body, bodies):
        assert other.links.tolist() == known.links.tolist() and other.functions.tolist() == known.functions.tolist()
    log = [begun.advance(state, generation, None) for generation in range(2)]
    assert log[0]["best"] == log[0]["mean"] and log[1]["best"] > log[1]["mean"]
    begun.check(begun.load(begun.dump(state)))
    path.unlink()
    begun.check(begun.load(begun.dump(state)))
    assert begun.dump(state).keys() == begun.dump(begun.blank()).keys()
