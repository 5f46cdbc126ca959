"""``show FOLDER``: all champions of a folder, side by side, with a position that each of them plays.

A champion that plays some of the boards only is shown on those. The position is the same everywhere, a cross-cut in the
middle of the board, and so is the opponent from there on: what differs is the champion.
"""

import os
import sys
from html import escape
from pathlib import Path

import numpy as np

from engine.files import FileError
from engine.go.board import BLACK, WHITE, board_points, point
from engine.go.game import Game, Move, result_text
from engine.texts import printable
from players.genome import GenomeError
from players.kinds import UnknownKind, part
from players.registry import champions as shipped
from players.registry import load_player
from players.show.boards import Board, colours_of, number_of, panels
from players.show.claims import opponent_text, own_board, strongest_claims
from players.show.examples import play_on
from players.show.page import champion_tiles
from players.show.parts import card, cards, document, games_together, picture_card, tiles
from players.show.text import ShowError, aligned, read_subject, sizes_text
from players.show.views import GameRecord

_SHIPPED = "models"  # what the folder of the champions that ship is called, wherever it is installed
_SUFFIXES = (".json", ".onnx")
_BOARDS = (9, 7, 5)  # on which the position is played
_CROSS_CUT = ((0, 0), (1, 0), (1, 1), (0, 1))  # steps right and down from the middle, Black first
_OPPONENT = "wally"  # neither too weak nor too strong for any of them
_SEED = 1
_PICTURES = 2  # of a champion
_PANEL = 150  # pixels of a board at least
_HEADS = ("champion", "kind", "plays", "own board", "strongest claim")


def champion_files(what):
    """The files in the folder ``what`` that may be champions, by name; none if it is no folder, or that of a run."""
    if what == _SHIPPED and not os.path.exists(what):
        return list(shipped().values())
    if not os.path.isdir(what) or os.path.exists(os.path.join(what, "config.json")):
        return []
    return sorted(path for path in Path(what).iterdir() if path.suffix in _SUFFIXES and os.path.isfile(path))


def read_champions(what, files):
    """The Subjects in the files of the folder ``what``; what holds none is named on standard error.

    ShowError if there is none at all.
    """
    subjects, complaints = [], []
    for path in files:
        try:
            subjects.append(read_subject(path))
        except (ShowError, GenomeError, FileError) as error:
            complaints.append(printable(error))
    if not subjects:
        raise ShowError(f"{what} is not a run folder (it has no config.json), and holds no genome: {complaints[0]}")
    for complaint in complaints:
        print(f"evogo show: left out: {complaint}", file=sys.stderr)
    return subjects


def _name(subject):
    return Path(subject.name).stem


def _row(subject):
    champion = subject.champion
    size = own_board(champion)
    best = next(iter(strongest_claims(champion, 1)), None)
    claim = f"{best.rate:.1%} {best.headline}" if best else "–"
    return _name(subject), subject.kind, sizes_text(champion.sizes), f"{size}×{size}" if size else "–", claim


def text(subjects):
    """A table of the champions."""
    return "\n".join(aligned(_HEADS, [_row(subject) for subject in subjects]))


# The position


def cross_cut(size):
    """A game in which the stones of the cross-cut have been played, without komi."""
    game = Game(size, komi=0.0)
    for right, down in _CROSS_CUT:
        game.play(game.to_play, point(size, size // 2 + right, size // 2 + down))
    return game


class _Seat:
    """A champion that can play on a board: its player, seeded, and its name."""

    def __init__(self, subject):
        self.name = _name(subject)
        self.player = part(subject.kind, "player").load_player(subject.champion)

    def thought(self, game):
        """What it thinks of the position, and its move with a ring, as a drawing with words."""
        size = game.size
        self.player.seed(_SEED)
        chosen = number_of(size, self.player.choose(game, BLACK, None))
        board = Board(size)
        liking = self.player.policy(game, BLACK)
        if liking is not None:
            values = np.asarray(liking, float)[board_points(size)]
            board.shade(_shares(values)).values(values, 3)
        board.stones(colours_of(game.position))
        if chosen is not None:
            board.ring(chosen)
        return board.svg(self.name), self.name if chosen is not None else f"{self.name}: passes"

    def game(self, start):
        """The GameRecord of its game from there, as Black."""
        game, opponent = start.copy(), load_player(_OPPONENT, _SEED)
        self.player.seed(_SEED)
        play_on(game, {BLACK: self.player, WHITE: opponent})
        moves = [Move(*move) for move in game.moves]
        return GameRecord(self.name, game.size, moves, result_text(game.score()), 0.0, self.name, opponent_text(_OPPONENT))


def _shares(values):
    """Numbers by point as 0 … 1; what is not known is 0."""
    if np.isnan(values).all():
        return np.zeros(len(values))
    low, high = np.nanmin(values), np.nanmax(values)
    return np.nan_to_num((values - low) / (high - low) if high > low else values - low + 1)


def _seats(subjects, size):
    for subject in subjects:
        if size in subject.champion.sizes:
            try:
                yield _Seat(subject)
            except UnknownKind:  # a genome of a kind that we do not have
                continue


def _position_cards(subjects):
    for size in _BOARDS:
        seats = list(_seats(subjects, size))
        if not seats:
            continue
        start = cross_cut(size)
        thoughts = panels([seat.thought(start) for seat in seats], _PANEL)
        played = games_together([seat.game(start) for seat in seats], len(start.moves))
        told = f"<h3>Black to move: what each would play</h3>{thoughts}<h3>And how it goes on against Wally</h3>{played}"
        caption = (
            "The fuller a point the better the champion likes it; the ring is its move. Below, each goes on as Black from "
            "the same position against the same White, without komi; all stones count as alive in the end, as in the "
            "papers."
        )
        yield card(f"A cross-cut on {size}×{size}", told, caption, "wide")


# The champions


def _champion_section(subject, following):
    champion, name = subject.champion, _name(subject)
    lead = getattr(subject.viewer, "ABOUT", "")
    shown = []
    for picture in (subject.ask_viewer("pictures", champion, []) or [])[:_PICTURES]:
        if picture.frames:
            picture.frames = [picture.frames[picture.first % len(picture.frames)]]
            shown.append(picture_card(picture))
    rows = champion_tiles(champion)
    onward = f'<p><a href="#{escape(_anchor(following))}">next: {escape(_name(following))} →</a></p>' if following else ""
    return (
        f'<section class="champion" id="{escape(_anchor(subject))}"><h2>{escape(name)}</h2>'
        f'<p class="lead">{escape(lead)}</p>{tiles(rows) if rows else ""}{cards(shown, "large")}{onward}</section>'
    )


def _anchor(subject):
    return "champion-" + "".join(letter if letter.isalnum() else "-" for letter in _name(subject))


def _overview(subjects):
    body = ""
    for subject in subjects:
        name, *others = map(escape, _row(subject))
        link = f'<a href="#{escape(_anchor(subject))}">{name}</a>'
        body += f"<tr><td>{link}</td>" + "".join(f"<td>{cell}</td>" for cell in others) + "</tr>"
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    return f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'


def page(subjects):
    """All champions on one page."""
    links = "".join(f'<a href="#{escape(_anchor(subject))}">{escape(_name(subject))}</a>' for subject in subjects)
    sections = [_champion_section(subject, following) for subject, following in zip(subjects, [*subjects[1:], None])]
    lead = (
        f"{len(subjects)} players, each of them a small file. First what all of them do with the same position; then, one "
        "after the other, what each is, what it can claim, and what it looks like inside."
    )
    body = [
        f'<p class="lead">{escape(lead)}</p>',
        f"<nav>{links}</nav>",
        cards([card("All of them", _overview(subjects), kind="wide")]),
        cards(list(_position_cards(subjects))),
        *sections,
    ]
    return document("What evolution found", f"{len(subjects)} champions, side by side", "".join(body))
