"""``show --html``: a run or a genome as one page that needs nothing but a browser.

Everything is inside the file: curves and pictures as SVG, the games as data for a small board viewer, style and script.
"""

import json
from html import escape
from pathlib import Path

from engine.contest.elo import wilson
from engine.go import board
from engine.go.board import EMPTY, PASS, coordinates
from engine.go.handicap import star_points
from players.show.charts import Series, line_chart, number_text
from players.show.text import RESULT_HEADS, config_rows, result_rows, sizes_text
from players.training.progress import duration

_BLUE, _GREY, _RED, _GREEN = "#2f6f9f", "#9aa3ab", "#b5443c", "#4c8c4a"
_KNOWN = {"generation", "size", "best", "mean", "wins", "games", "champion"}  # in the log; the rest are the kind's own


def _board_bands(log):
    """(first generation, last generation, text) of each stretch on the same board."""
    bands = []
    for entry in log:
        if "size" not in entry:
            return []
        name = f"{entry['size']}×{entry['size']}"
        if bands and bands[-1][2] == name:
            bands[-1][1] = entry["generation"]
        else:
            bands.append([entry["generation"], entry["generation"], name])
    return bands


def _card(title, content, caption="", kind="", legend=()):
    marks = "".join(f'<span class="key"><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour in legend)
    below = f'<p class="caption">{escape(caption)}</p>' if caption else ""
    return f'<section class="card {kind}"><h2>{escape(title)}</h2>{marks}{content}{below}</section>'


def _curves(subject):
    log = subject.log
    history = subject.champion.history if subject.champion else []
    xs = [entry["generation"] for entry in log]
    bands = _board_bands(log)

    def column(name):
        return [entry.get(name) for entry in log]

    known = log or history
    points = [entry["generation"] for entry in known]
    lines = [
        Series(name, points, [entry.get(name) for entry in known], colour)
        for name, colour in (("best", _BLUE), ("mean", _GREY))
    ]
    legend = [(line.name, line.colour) for line in lines]
    yield _card("Fitness", line_chart(lines, "generation", "fitness", bands=bands), legend=legend)

    elections = [entry for entry in history if entry.get("win_rate") is not None]
    intervals = [_interval(entry["win_rate"], entry.get("games", 0)) for entry in elections]
    champion = Series(
        "champion",
        [entry["generation"] for entry in elections],
        [entry["win_rate"] for entry in elections],
        _RED,
        [low for low, _ in intervals],
        [high for _, high in intervals],
        dots=True,
    )
    lines = [Series("best of the generation", xs, column("wins"), _GREY)] if log else []
    lines.append(champion)
    chart = line_chart(lines, "generation", "games won", (0.0, 1.0), percent=True, bands=bands)
    note = "The champion on fresh games, with its 95% interval; the best of a generation on those that made it the best."
    yield _card("Games won", chart, note if log else "", legend=[(line.name, line.colour) for line in lines])

    extra = {name: True for entry in log for name, value in entry.items() if name not in _KNOWN and _is_number(value)}
    for name in extra:
        values = [value if _is_number(value) else None for value in column(name)]
        chart = line_chart([Series(name, xs, values, _GREEN)], "generation", name, bands=bands)
        yield _card(name.replace("_", " ").capitalize(), chart, kind="small")


def _interval(rate, games):
    """The 95% interval of a win rate; (None, None) if the number of games is not known."""
    return wilson(rate * games, games) if games else (None, None)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _tiles(subject):
    champion = subject.champion
    tiles = []
    if subject.log:
        last = subject.log[-1]
        board_size = f"on {last['size']}×{last['size']}" if "size" in last else ""
        tiles.append(("generation", number_text(last["generation"]), board_size))
    if champion is not None:
        for result in champion.results[-3:]:
            low, high = result.interval
            where = f"against {result.opponent}, {result.size}×{result.size}, {result.games:,} games"
            tiles.append((where, f"{result.win_rate:.1%}", f"{low:.1%} … {high:.1%}"))
        sizes = f"plays {sizes_text(champion.sizes)}"
        tiles.append(("champion found in generation", number_text(champion.generation), sizes))
    if subject.timing:
        seconds = sum(entry["seconds"] for entry in subject.timing)
        games = sum(entry["games"] for entry in subject.timing)
        speed = f"in {duration(seconds)}, {games / max(seconds, 1e-9):,.0f} a second"
        tiles.append(("games played", number_text(games), speed))
    cells = (
        f'<div class="tile"><b>{escape(value)}</b><span>{escape(name)}</span><small>{escape(more)}</small></div>'
        for name, value, more in tiles
    )
    return f'<div class="tiles">{"".join(cells)}</div>'


def _pictures(subject):
    for picture in subject.ask_viewer("pictures", subject.champion, subject.champions) or []:
        frames = "".join(
            f'<div class="frame"{" hidden" if i else ""}>{frame}</div>' for i, frame in enumerate(picture.frames)
        )
        if len(picture.frames) > 1:
            labels = picture.labels or [f"{i + 1} of {len(picture.frames)}" for i in range(len(picture.frames))]
            last = len(picture.frames) - 1
            frames += (
                f'<div class="bar"><input type="range" min="0" max="{last}" value="0" aria-label="frame">'
                f"<output>{escape(labels[0])}</output></div>"
            )
            frames = f'<div class="frames" data-labels="{escape(json.dumps(labels))}">{frames}</div>'
        yield _card(picture.title, frames, picture.caption, "wide" if picture.wide else "")


def _cell(size, p):
    col, row = coordinates(size, int(p))
    return row * size + col


def game_data(record):
    """A GameRecord as the viewer wants it: cells counted row by row, and with each move the cells it empties."""
    size = record.size
    position = board.new_position(size)
    for colour, p in record.stones:
        board.place(position, p, colour)
    moves = []
    for colour, p in record.moves:
        if p == PASS:
            moves.append([int(colour), -1, []])
            continue
        before = position.colour.copy()
        board.play(position, p, colour)
        before[p] = colour  # for the case that the move takes its own chain off
        taken = [_cell(size, q) for q in board.board_points(size) if before[q] != EMPTY and position.colour[q] == EMPTY]
        moves.append([int(colour), _cell(size, p), taken])
    return {
        "title": record.title,
        "size": size,
        "komi": record.komi,
        "black": record.black,
        "white": record.white,
        "result": record.result,
        "stones": [[int(colour), _cell(size, p)] for colour, p in record.stones],
        "stars": [_cell(size, p) for p in star_points(size)],
        "moves": moves,
    }


def _games(subject):
    records = subject.ask_viewer("games", subject.champion)
    if not records:
        return ""
    data = json.dumps([game_data(record) for record in records], separators=(",", ":")).replace("</", "<\\/")
    viewer = f'<div id="viewer"></div><script type="application/json" id="games">{data}</script>'
    return _card("Games", viewer, "Click the board or use the arrow keys.", "wide")


def _html_table(heads, rows, kind=""):
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _tables(subject):
    if subject.champion is not None and subject.champion.results:
        yield _card("Results", _html_table(RESULT_HEADS, result_rows(subject.champion)), kind="wide")
    structure = subject.ask_viewer("describe", subject.champion)
    if structure:
        yield _card("Structure", f"<pre>{escape(structure)}</pre>", kind="wide")
    rows = config_rows(subject)
    if rows:
        table = _html_table(("parameter", "value", "source", "meaning"), rows, "config")
        yield f'<section class="card wide"><details><summary><h2>Configuration</h2></summary>{table}</details></section>'


def page(subject):
    """The whole page as text."""
    folder = Path(__file__).parent
    style = (folder / "page.css").read_text(encoding="utf-8")
    script = (folder / "page.js").read_text(encoding="utf-8")
    seed = subject.config.get("seed")
    about = f"{subject.kind}{f', seed {seed}' if seed is not None else ''}"
    rows = ("".join(cards) for cards in (_curves(subject), _pictures(subject), _games(subject), _tables(subject)))
    cards = "".join(f'<div class="cards">{row}</div>' for row in rows if row)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(subject.name)} · evogo</title><style>{style}</style></head><body>"
        f"<header><h1>{escape(subject.name)}</h1><p>{escape(about)}</p></header>"
        f'<main>{_tiles(subject)}{cards}</main>'
        f"<script>{script}</script></body></html>\n"
    )
