"""What pages are made of: cards, tiles, tables, pictures with a slider, games, and the sheet around them all."""

import json
import re
from html import escape
from pathlib import Path

from engine.go import board
from engine.go.board import BLACK, EMPTY, PASS, WHITE
from engine.go.handicap import star_points
from engine.records import sgf
from players.show.boards import number_of

_FOLDER = Path(__file__).parent
_SCRIPTS = ("page.js", "games.js", "cells.js")


def card(title, content, caption="", kind="", legend=""):
    """A box with a heading; ``legend`` is HTML beside it, ``caption`` the text below."""
    below = f'<p class="caption">{escape(caption)}</p>' if caption else ""
    return f'<section class="card {kind}"><h2>{escape(title)}</h2>{legend}{content}{below}</section>'


def cards(row, kind=""):
    """Cards side by side, or nothing."""
    return f'<div class="cards {kind}">{"".join(row)}</div>' if row else ""


def tiles(rows):
    """Numbers that catch the eye: (value, what it is, more about it)."""
    cells = (
        f'<div class="tile"><b>{escape(value)}</b><span>{escape(name)}</span><small>{escape(more)}</small></div>'
        for value, name, more in rows
    )
    return f'<div class="tiles">{"".join(cells)}</div>'


def table(heads, rows, kind=""):
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def picture_card(picture):
    """A Picture; if it has several frames, with a slider and a button that plays them."""
    count = len(picture.frames)
    first = picture.first % count if count else 0
    frames = "".join(
        f'<div class="frame"{"" if i == first else " hidden"}>{frame}</div>' for i, frame in enumerate(picture.frames)
    )
    if count > 1:
        labels = picture.labels or [f"{i + 1} of {count}" for i in range(count)]
        frames += (
            '<div class="bar"><button type="button" class="play" aria-label="play" title="play">▶</button>'
            f'<input type="range" min="0" max="{count - 1}" value="{first}" aria-label="frame">'
            f"<output>{escape(labels[first])}</output></div>"
        )
        frames = f'<div class="frames" data-labels="{escape(json.dumps(labels))}">{frames}</div>'
    return card(picture.title, frames, picture.caption, "wide" if picture.wide else "")


# Games


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
        taken = [number_of(size, q) for q in board.board_points(size) if before[q] != EMPTY and position.colour[q] == EMPTY]
        moves.append([int(colour), number_of(size, p), taken])
    return {
        "title": record.title,
        "size": size,
        "komi": record.komi,
        "black": record.black,
        "white": record.white,
        "result": record.result,
        "stones": [[int(colour), number_of(size, p)] for colour, p in record.stones],
        "stars": [number_of(size, p) for p in star_points(size)],
        "moves": moves,
        "sgf": sgf_text(record),
        "file": f"{re.sub('[^0-9A-Za-z]+', '-', record.title).strip('-')[:60] or 'game'}.sgf",
    }


def sgf_text(record):
    """A GameRecord as SGF."""
    root = sgf.Node(
        add_black=[int(p) for colour, p in record.stones if colour == BLACK],
        add_white=[int(p) for colour, p in record.stones if colour == WHITE],
    )
    nodes = [root, *(sgf.Node(move=(int(colour), int(p))) for colour, p in record.moves)]
    kept = sgf.GameRecord(
        size=record.size,
        komi=float(record.komi),
        result=record.result or None,
        black_name=record.black or None,
        white_name=record.white or None,
        nodes=nodes,
    )
    return sgf.dump(kept)


def json_script(data, kind):
    """Data for a script of the page."""
    text = json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
    return f'<script type="application/json" class="{kind}">{text}</script>'


def game_viewer(records):
    """A board on which the games can be gone through."""
    return f'<div class="viewer">{json_script([game_data(record) for record in records], "games")}</div>'


def games_together(records, first=0):
    """Small boards side by side, all at the same move of their games; ``first`` is the one that is seen at first."""
    data = json_script([game_data(record) for record in records], "games")
    return f'<div class="together" data-first="{first}">{data}</div>'


# The sheet


def document(title, about, body):
    """A whole page that needs nothing but a browser."""
    style = (_FOLDER / "page.css").read_text(encoding="utf-8")
    script = "".join((_FOLDER / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)} · evogo</title><style>{style}</style></head><body>"
        f"<header><h1>{escape(title)}</h1><p>{escape(about)}</p></header>"
        f"<main>{body}</main><script>{script}</script></body></html>\n"
    )
