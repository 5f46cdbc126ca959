"""The curves of a run: fitness, games won, and whatever numbers its kind writes to the log."""

import json
from html import escape

from engine.contest.elo import wilson
from players.show.charts import NARROW, WIDE, Series, line_chart, number_text, thinned, value_text
from players.show.parts import card
from players.show.views import Chart

_BLUE, _GREY, _RED, _OWN = "var(--plus)", "var(--soft)", "var(--minus)", "var(--third)"
_DASHED, _DOTTED = "7 4", "2 3"
_KNOWN = {"generation", "size", "best", "mean", "wins", "games", "champion"}  # in the log; the rest are the kind's own
_FITNESS = Chart(
    "Fitness", "fitness", "How the individuals of each generation were judged: the best one, and all on average."
)
_WON = Chart("Games won", "games won", "The champion in fresh games, with its 95% interval.", percent=True)
_JUDGES = " The best of a generation is judged by the games that made it the best, and looks better than it is."


def curve_cards(subject):
    """(large cards, small cards): the charts in which something changes, and what stayed the same."""
    log = subject.log
    history = subject.champion.history if subject.champion else []
    told = getattr(subject.viewer, "CHARTS", {})
    bands = _board_bands(log)
    large = [*_fitness(log or history, bands, told.get("fitness", _FITNESS)), *_won(log, history, bands, told)]
    if not (log or history):
        return ([card("Games won", '<p class="empty">no data yet</p>')] if subject.champion is None else []), []
    small, constant = [], []
    for name in {name: True for entry in log for name, value in entry.items() if name not in _KNOWN and _is_number(value)}:
        chart = told.get(name, Chart(name.replace("_", " ").capitalize(), name.replace("_", " "), ""))
        if chart is None:
            continue
        values = [value if _is_number(value := entry.get(name)) else None for entry in log]
        line = Series(chart.title.lower(), [entry["generation"] for entry in log], values, _OWN)
        if line.varies:
            small.append(_chart_card(chart, [line], bands, shapes=(NARROW,)))
        else:
            known = [value for value in values if value is not None]
            constant.append(f"{chart.title.lower()} {value_text(known[0], chart.percent)}")
    if constant:
        small.append(card("What stayed the same", f"<p>{escape(', '.join(constant))}.</p>"))
    return large, small


def _board_bands(log):
    """(first generation, last generation, text) of each stretch on the same board; none if there is but one."""
    bands = []
    for entry in log:
        if "size" not in entry:
            return []
        name = f"{entry['size']}×{entry['size']}"
        if bands and bands[-1][2] == name:
            bands[-1][1] = entry["generation"]
        else:
            bands.append([entry["generation"], entry["generation"], name])
    return bands if len(bands) > 1 else []


def _fitness(entries, bands, chart):
    if chart is None:
        return
    xs = [entry["generation"] for entry in entries]
    best, mean = ([entry.get(name) for entry in entries] for name in ("best", "mean"))
    lines = [Series("best", xs, best, _BLUE)]
    if mean != best:
        lines.append(Series("mean", xs, mean, _GREY, dash=_DASHED))
    if any(line.varies for line in lines):
        yield _chart_card(chart, lines, bands)


def _won(log, history, bands, told):
    elections = [entry for entry in history if entry.get("win_rate") is not None]
    intervals = [_interval(entry["win_rate"], entry.get("games", 0)) for entry in elections]
    lines = [
        Series(
            "champion",
            [entry["generation"] for entry in elections],
            [entry["win_rate"] for entry in elections],
            _RED,
            [low for low, _ in intervals],
            [high for _, high in intervals],
            dots=True,
        )
    ]
    chart = _WON
    if log and told.get("wins", chart) is not None:
        best = Series("best of the generation", [entry["generation"] for entry in log], [e.get("wins") for e in log], _GREY)
        best.dash = _DOTTED
        lines.append(best)
        chart = chart._replace(sentence=chart.sentence + _JUDGES)
    lines = [line for line in lines if any(y is not None for y in line.ys)]
    if any(line.varies for line in lines):
        yield _chart_card(chart, lines, bands, y_range=(0.0, 1.0))


def _interval(rate, games):
    """The 95% interval of a win rate; (None, None) if the number of games is not known."""
    return wilson(rate * games, games) if games else (None, None)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _chart_card(chart, lines, bands, y_range=None, shapes=(WIDE, NARROW)):
    """A chart in a card. In several shapes of which the page shows the one that fits, so that text keeps its size."""
    unit = f"{chart.unit} (%)" if chart.percent else chart.unit
    drawn = "".join(
        line_chart(lines, "generation", unit, y_range, chart.percent, bands, shape, style)
        for shape, style in zip(shapes, ("first", "second"))
    )
    points = json.dumps([_points(line, chart.percent) for line in lines], separators=(",", ":"))
    kind = "plot both" if len(shapes) > 1 else "plot"
    content = f'<div class="{kind}" data-points="{escape(points)}">{drawn}</div>'
    seen = " ".join(filter(None, (chart.sentence, _reading(lines, chart.percent))))
    return card(chart.title, content, seen, legend=_legend(lines) if len(lines) > 1 else "")


def _points(line, percent):
    """What a hand on the chart reads: the values of a line, thinned as the line itself."""
    kept = [i for i in thinned(line) if line.ys[i] is not None]
    texts = [value_text(line.ys[i], percent) for i in kept]
    if line.low is not None and line.high is not None:
        ends = [(line.low[i], line.high[i]) for i in kept]
        texts = [
            text if low is None else f"{text} ({value_text(low, percent)} to {value_text(high, percent)})"
            for text, (low, high) in zip(texts, ends)
        ]
    return {"name": line.name, "x": [line.xs[i] for i in kept], "y": texts}


def _reading(lines, percent):
    """A sentence on how the lines begin and end."""
    told = []
    for line in lines:
        known = [(x, y) for x, y in zip(line.xs, line.ys) if y is not None]
        if known:
            (x0, y0), (x1, y1) = known[0], known[-1]
            least, most = value_text(y0, percent), value_text(y1, percent)
            name = f"{line.name} " if len(lines) > 1 else ""
            told.append(f"{name}{least} in generation {number_text(x0)}, {most} in {number_text(x1)}")
    text = "; ".join(told)
    return text[:1].upper() + text[1:] + "." if text else ""


def _legend(lines):
    """A sample of each line, drawn as the line is, and its name."""
    samples = []
    for line in lines:
        dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
        dot = f'<circle cx="14" cy="5" r="3.5" style="fill:{line.colour}"/>' if line.dots else ""
        drawn = f'<line x1="0" x2="28" y1="5" y2="5" style="stroke:{line.colour}" stroke-width="2"{dash}/>{dot}'
        samples.append(f'<span class="key"><svg viewBox="0 0 28 10">{drawn}</svg>{escape(line.name)}</span>')
    return "".join(samples)
