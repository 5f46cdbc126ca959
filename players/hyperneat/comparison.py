"""Scaled runs against unscaled ones: data, tests and the picture of figure 3a.

The data of a comparison is plain: for each of the two, seeds and, run by run, a text with a digit for each generation:
the games of ten that the best of the generation won, in the ten games of its fitness (``won``) and in ten that no other
generation sees (``won_fresh``).
"""

import numpy as np

from players.hyperneat.statistics import mann_whitney, permutation, standard_error

SCALED, UNSCALED = "scaled", "unscaled"
MEASURES = {"won": "wins", "won_fresh": "check_wins"}  # and what the log of a run calls them
GAMES = 10
_SIGNIFICANT = 0.05  # paper
_DIGITS = "0123456789a"  # games won of ten, a character each
_END = 50  # generations whose mean says how good a run is in the end; our choice
_MARKS = (1, 25, 51, 101, 200, 500)  # generations on the last board that tables show; the paper claims something from 24 on


def digits(log):
    """What is kept of a finished run, given its log, a list of dicts: by measure, a digit for each generation."""
    return {name: "".join(_DIGITS[round(GAMES * entry[key])] for entry in log) for name, key in MEASURES.items()}


def runs_of(entries):
    """The comparison in the entries of a Store, whose names begin with the variant."""
    runs = {variant: {"seeds": [], **{measure: [] for measure in MEASURES}} for variant in (SCALED, UNSCALED)}
    for name in sorted(entries):
        found, entry = runs[name.split("-")[0]], entries[name]
        found["seeds"].append(entry["seed"])
        for measure in MEASURES:
            found[measure].append(entry[measure])
    return runs


def paired(runs):
    """The runs of seeds that both have, in the order of the seeds."""
    seeds = sorted(set(runs[SCALED]["seeds"]) & set(runs[UNSCALED]["seeds"]))
    return {
        variant: {"seeds": seeds, **{m: [found[m][found["seeds"].index(seed)] for seed in seeds] for m in MEASURES}}
        for variant, found in runs.items()
    }


def curves(runs, measure="won"):
    """Games won by run and generation, as two arrays: scaled, unscaled."""
    return [
        np.array([[_DIGITS.index(digit) for digit in run] for run in runs[variant][measure]], np.float64)
        for variant in (SCALED, UNSCALED)
    ]


def compare(scaled, unscaled):
    """What the tests say of the generations on the last board, as a dict; ``p`` is that of each generation."""
    after = unscaled.shape[1]
    late = scaled[:, -after:]
    p = np.array([mann_whitney(late[:, g], unscaled[:, g]) for g in range(after)])
    ahead = late.mean(axis=0) - unscaled.mean(axis=0)
    better, worse = (p < _SIGNIFICANT) & (ahead > 0), (p < _SIGNIFICANT) & (ahead < 0)
    not_better = np.flatnonzero(~better)
    always_from = int(not_better[-1]) + 2 if len(not_better) else 1
    found = {
        "scaled_runs": len(scaled),
        "unscaled_runs": len(unscaled),
        "generations_compared": after,
        "scaled_ahead_in": int((ahead > 0).sum()),
        "scaled_significantly_better_in": int(better.sum()),
        "unscaled_significantly_better_in": int(worse.sum()),
        "always_better_from": always_from if always_from <= after else None,
        "marks": {
            str(g): [round(float(won[:, g - 1].mean()), 2) for won in (late, unscaled)] for g in _MARKS if g <= after
        },
    }
    for name, part in (("all", slice(None)), (f"last_{_END}", slice(-_END, None))):
        means = [won[:, part].mean(axis=1) for won in (late, unscaled)]
        found[name] = {
            "scaled": round(float(means[0].mean()), 3),
            "unscaled": round(float(means[1].mean()), 3),
            "p": round(permutation(*means), 5),
        }
    return {**found, "p": [round(float(value), 5) for value in p]}


def tests(runs):
    """``compare`` by each measure, for the pairs that are complete."""
    pairs = paired(runs)
    return {measure: compare(*curves(pairs, measure)) for measure in MEASURES} if pairs[SCALED]["seeds"] else {}


# Drawing

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 860, 420, 56, 30, 16, 62
_COLOURS = {SCALED: "#1b6ca8", UNSCALED: "#c2571a"}


def figure(runs, measure="won"):
    """Both mean curves with their standard errors as an SVG; the unscaled one begins where the scaled one changes board."""
    scaled, unscaled = curves(paired(runs), measure)
    p = np.array(compare(scaled, unscaled)["p"])
    total, after = scaled.shape[1], unscaled.shape[1]
    switch = total - after
    inner_width, inner_height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(generation):
        return round(_LEFT + inner_width * generation / total, 2)

    def y(won):
        return round(_TOP + inner_height * (1 - won / GAMES), 2)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
    ]
    for won in range(0, GAMES + 1, 2):
        parts.append(f'<path d="M{_LEFT} {y(won)}H{_WIDTH - _RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y(won) + 4}" text-anchor="end">{won}</text>')
    for generation in range(0, total + 1, max(1, total // 10)):
        parts.append(f'<text x="{x(generation)}" y="{y(0) + 30}" text-anchor="middle">{generation}</text>')
    if switch:
        parts.append(f'<path d="M{x(switch)} {y(GAMES)}V{y(0)}" stroke="#888" stroke-dasharray="4 3"/>')
        parts.append(f'<text x="{x(switch) - 6}" y="{y(GAMES) + 14}" text-anchor="end" fill="#666">5×5</text>')
        parts.append(f'<text x="{x(switch) + 6}" y="{y(GAMES) + 14}" fill="#666">7×7</text>')
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
        f"games won of {GAMES}{' (fresh)' if measure == 'won_fresh' else ''}</text>"
    )
    return "\n".join(parts + ["</svg>", ""])


def table(by_name):
    """A Markdown table of comparisons {name: tests}, a row each."""
    head = [
        "details",
        "pairs",
        "scaled / unscaled at 1, 25, 51, 101, 200 of 7x7",
        f"last {_END}",
        "p",
        "ahead in",
        f"fresh, last {_END}",
        "p",
    ]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for name, found in by_name.items():
        won, fresh = found["won"], found["won_fresh"]
        end, fresh_end = won[f"last_{_END}"], fresh[f"last_{_END}"]
        marks = ", ".join(f"{scaled:.1f} / {unscaled:.1f}" for scaled, unscaled in won["marks"].values())
        cells = [
            name,
            str(won["scaled_runs"]),
            marks,
            f"{end['scaled']:.2f} / {end['unscaled']:.2f}",
            f"{end['p']:.3f}",
            f"{won['scaled_ahead_in']} of {won['generations_compared']}",
            f"{fresh_end['scaled']:.2f} / {fresh_end['unscaled']:.2f}",
            f"{fresh_end['p']:.3f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
