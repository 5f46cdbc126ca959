"""Figure 3a of the paper: does evolution on 7x7 profit from having begun on 5x5?

``python -m players.hyperneat.experiment --runs 10 --folder RUNS --out models/figure3a`` makes that many scaled runs (the
paper's: 5x5, then 7x7) and unscaled ones (7x7 from the start), one pair after the other, and then writes

    models/figure3a.json   games won of ten by the best of each generation, run by run
    models/figure3a.svg    the two mean curves with their standard errors, and where they differ significantly

Stopped and started again, it goes on where it was, within a run, and runs whose results are in the JSON are not made
again, wherever they were made. ``--draw`` makes the files from what is done so far, or again from the JSON alone.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from players.genome import write_atomically
from players.hyperneat.statistics import mann_whitney, standard_error

SCALED, UNSCALED = "scaled", "unscaled"
_PRESETS = {SCALED: "paper", UNSCALED: "unscaled"}
_GAMES = 10
_SIGNIFICANT = 0.05
_DIGITS = "0123456789a"  # games won of ten, a character each


# Running


def _settings(variant, seed, fresh):
    from players.hyperneat.trainer import Config, Trainer
    from players.training import config

    # Elections cost time and change nothing in a run: one at the end of each board is enough.
    own = {"seed": seed, "fresh_games": fresh, "check_games": _GAMES, "retest_every": 500}
    return Trainer, config.make(Config, Trainer.presets[_PRESETS[variant]], own)


def _run(variant, seed, folder, workers, fresh):
    """Make or finish one run; whether it is done."""
    from players.training.progress import Progress
    from players.training.run import Run

    trainer_class, config = _settings(variant, seed, fresh)
    path = folder / f"{variant}-{seed:03d}"
    if (path / "config.json").exists():
        run = Run.resume(path, trainer_class)
    else:
        run = Run.start(trainer_class(config), path, folder / f"{variant}-{seed:03d}.json")
    try:
        progress = Progress(sys.stderr, [run.trainer.cost(i) for i in range(run.trainer.generations())], quiet=True)
        done = run.done or run.go(workers, progress)
        progress.close()
        return done
    finally:
        run.folder.close()


def make_runs(count, first, folder, worker_count, fresh, data):
    """Make the runs of seeds ``first`` … in pairs, but for those in ``data``; whether all are done (False: interrupted)."""
    from players.training.workers import Workers

    workers = Workers(worker_count)
    try:
        for seed in range(first, first + count):
            for variant in (SCALED, UNSCALED):
                if seed not in data["runs"][variant]["seeds"] and _read(folder / f"{variant}-{seed:03d}") is None:
                    if not _run(variant, seed, folder, workers, fresh):
                        return False
                    print(f"{variant} run {seed} is done", file=sys.stderr, flush=True)
        return True
    finally:
        workers.close()


# Data


def _read(path):
    """Configuration and log of the run in the folder ``path``, or None if it is not finished."""
    try:
        config = json.loads((path / "config.json").read_text())
        log = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
    except (OSError, ValueError):
        return None
    generations = config["generations"] + config["generations"][-1:] * len(config["boards"])
    return (config, log) if len(log) == sum(generations[: len(config["boards"])]) else None


def read_data(out):
    """The data written to ``out`` before, or what has no run yet."""
    try:
        return json.loads(Path(f"{out}.json").read_text())
    except FileNotFoundError:
        empty = {variant: {"seeds": [], "won": [], "won_fresh": []} for variant in (SCALED, UNSCALED)}
        return {"games": _GAMES, "fresh_games": None, "runs": empty}


def collect(folder, data):
    """Add the finished runs in a folder to the data: for each variant and measure, a text of digits for each run."""
    for variant in (SCALED, UNSCALED):
        found = data["runs"][variant]
        for path in sorted(Path(folder).glob(f"{variant}-*/")):
            finished = _read(path)
            if finished is None or finished[0]["seed"] in found["seeds"]:
                continue
            config, log = finished
            if data["fresh_games"] not in (None, config["fresh_games"]):
                raise ValueError(f"{path} and the data differ in --fresh-games: keep them in files of their own")
            found["seeds"].append(config["seed"])
            for name, key in (("won", "wins"), ("won_fresh", "check_wins")):
                found[name].append("".join(_DIGITS[round(_GAMES * entry[key])] for entry in log))
            found["boards"] = config["boards"]
            data["fresh_games"] = config["fresh_games"]
    return data


def curves(data, measure="won"):
    """Games won by run and generation, as two arrays: scaled, unscaled."""
    return [
        np.array([[_DIGITS.index(digit) for digit in run] for run in data["runs"][variant][measure]], np.float64)
        for variant in (SCALED, UNSCALED)
    ]


def compare(scaled, unscaled):
    """What the test says, generation by generation after the switch: p-values, and a summary as a dict."""
    after = unscaled.shape[1]
    late = scaled[:, -after:]
    p = np.array([mann_whitney(late[:, g], unscaled[:, g]) for g in range(after)])
    better = (p < _SIGNIFICANT) & (late.mean(axis=0) > unscaled.mean(axis=0))
    worse = (p < _SIGNIFICANT) & (late.mean(axis=0) < unscaled.mean(axis=0))
    not_better = np.flatnonzero(~better)
    always_from = int(not_better[-1]) + 2 if len(not_better) else 1
    return p, {
        "scaled_runs": len(scaled),
        "unscaled_runs": len(unscaled),
        "generations_compared": after,
        "scaled_significantly_better_in": int(better.sum()),
        "unscaled_significantly_better_in": int(worse.sum()),
        "always_better_from": always_from if always_from <= after else None,
        "last_50_scaled": round(float(late[:, -50:].mean()), 3),
        "last_50_unscaled": round(float(unscaled[:, -50:].mean()), 3),
        "last_50_p": round(mann_whitney(late[:, -50:].mean(axis=1), unscaled[:, -50:].mean(axis=1)), 5),
    }


# Drawing

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 860, 420, 56, 30, 16, 62
_COLOURS = {SCALED: "#1b6ca8", UNSCALED: "#c2571a"}


def figure(data, measure="won"):
    """Both mean curves with their standard errors as an SVG; the unscaled one begins where the scaled one changes board."""
    scaled, unscaled = curves(data, measure)
    p, _ = compare(scaled, unscaled)
    total, after = scaled.shape[1], unscaled.shape[1]
    switch = total - after
    inner_width, inner_height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(generation):
        return round(_LEFT + inner_width * generation / total, 2)

    def y(won):
        return round(_TOP + inner_height * (1 - won / _GAMES), 2)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
    ]
    for won in range(0, _GAMES + 1, 2):
        parts.append(f'<path d="M{_LEFT} {y(won)}H{_WIDTH - _RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y(won) + 4}" text-anchor="end">{won}</text>')
    for generation in range(0, total + 1, max(1, total // 10)):
        parts.append(f'<text x="{x(generation)}" y="{y(0) + 30}" text-anchor="middle">{generation}</text>')
    if switch:
        parts.append(f'<path d="M{x(switch)} {y(_GAMES)}V{y(0)}" stroke="#888" stroke-dasharray="4 3"/>')
        parts.append(f'<text x="{x(switch) - 6}" y="{y(_GAMES) + 14}" text-anchor="end" fill="#666">5×5</text>')
        parts.append(f'<text x="{x(switch) + 6}" y="{y(_GAMES) + 14}" fill="#666">7×7</text>')
    legend = 0
    for variant, won, start in ((SCALED, scaled, 0), (UNSCALED, unscaled, switch)):
        mean, error = won.mean(axis=0), standard_error(won)
        at = [x(start + g + 1) for g in range(len(mean))]
        upper = [f"{a} {y(m)}" for a, m in zip(at, mean + error)]
        lower = [f"{a} {y(m)}" for a, m in zip(at, mean - error)][::-1]
        colour = _COLOURS[variant]
        parts.append(f'<path d="M{"L".join(upper + lower)}Z" fill="{colour}" fill-opacity="0.25"/>')
        line = [f"{a} {y(m)}" for a, m in zip(at, mean)]
        parts.append(f'<path d="M{"L".join(line)}" fill="none" stroke="{colour}" stroke-width="1.3"/>')
        parts.append(f'<path d="M{_LEFT + legend} 16h24" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{_LEFT + legend + 30}" y="20">{variant}, mean of {len(won)} runs ± standard error</text>')
        legend += 330
    for g in np.flatnonzero(p < _SIGNIFICANT):
        parts.append(f'<path d="M{x(switch + g)} {y(0) + 6}H{x(switch + g + 1)}" stroke="#333" stroke-width="5"/>')
    parts.append(f'<text x="{_LEFT}" y="{_HEIGHT - 8}">generation; black below the axis: p &lt; 0.05 (Mann–Whitney)</text>')
    parts.append(
        f'<text transform="translate(16 {_TOP + inner_height / 2}) rotate(-90)" text-anchor="middle">'
        f"games won of {_GAMES}{' (fresh)' if measure == 'won_fresh' else ''}</text>"
    )
    return "\n".join(parts + ["</svg>", ""])


def write(data, out):
    """The JSON and the two figures: by the games of the fitness, and by fresh games."""
    data["tests"] = {measure: compare(*curves(data, measure))[1] for measure in ("won", "won_fresh")}
    write_atomically(Path(f"{out}.json"), (json.dumps(data, indent=1) + "\n").encode())
    write_atomically(Path(f"{out}.svg"), figure(data).encode())
    write_atomically(Path(f"{out}-fresh.svg"), figure(data, "won_fresh").encode())
    return data["tests"]


def main(argv=None):
    """The exit code."""
    parser = argparse.ArgumentParser(prog="players.hyperneat.experiment", description="Figure 3a of the HyperNEAT paper.")
    parser.add_argument("--runs", type=int, default=25, help="scaled and as many unscaled runs [25; paper]")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first pair [1]")
    parser.add_argument("--folder", type=Path, help="where the runs are kept")
    parser.add_argument("--out", required=True, help="where data and figures go, without ending")
    parser.add_argument("--workers", type=int, default=None, help="never changes the result [all cores]")
    parser.add_argument("--fresh-games", action="store_true", help="opponents draw new random numbers in each generation")
    parser.add_argument("--draw", action="store_true", help="make no more runs (without --folder: from the JSON alone)")
    arguments = parser.parse_args(argv)
    if arguments.folder is None and not arguments.draw:
        parser.error("say where the runs are kept: --folder")
    done = True
    data = read_data(arguments.out)
    if not arguments.draw:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        done = make_runs(
            arguments.runs, arguments.first, arguments.folder, arguments.workers, arguments.fresh_games, data
        )
    if arguments.folder is not None:
        try:
            collect(arguments.folder, data)
        except ValueError as error:
            parser.error(str(error))
    if not all(data["runs"][variant]["won"] for variant in (SCALED, UNSCALED)):
        print("no pair of runs is done yet", file=sys.stderr)
        return 1
    print(json.dumps(write(data, arguments.out), indent=2))
    return 0 if done else 130


if __name__ == "__main__":
    sys.exit(main())
