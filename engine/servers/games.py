"""One game as the server tells it: moves, clocks, what we thought of it, its result, and the record of it all."""

import re
from datetime import date

from engine.go import board
from engine.records.sgf import GameRecord, Node
from engine.records.vertex import parse_vertex
from engine.servers.lines import BLACK, WHITE

WON, LOST, DRAWN, UNKNOWN = "won", "lost", "drawn", "unknown"
_NUMBERS = {BLACK: board.BLACK, WHITE: board.WHITE}
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_UNFIT = re.compile(r"[^A-Za-z0-9_.-]")  # for the name of a file
_LONGEST_NAME = 30  # of a program, in the name of a file
_SGF_ENDS = {"Resign": "R", "Time": "T", "Illegal": "F"}


class ServerGame:
    """A game that ``user`` plays. ``moves`` are (move, seconds left after it or None), from Black's first."""

    def __init__(self, setup, user):
        """ValueError if ``user`` does not play in it."""
        if user not in (setup.white.name, setup.black.name):
            raise ValueError(f"{user} does not play in this game")
        self.number = setup.number
        self.size, self.komi, self.seconds = setup.size, setup.komi, setup.seconds
        self.white, self.black = setup.white, setup.black
        self.colour = WHITE if user == setup.white.name else BLACK
        self.result = None  # as the server writes it
        self.remark = ""  # what it says besides
        self.date = date.today().isoformat()
        self.winrate = None  # what we thought of our chances before our last move, 0 to 1
        self._opinions = {}  # number of an own move, from 0, to what we thought before it
        self.catch_up(setup)

    def catch_up(self, setup):
        """The moves so far, as the server tells them at the beginning and after a broken connection."""
        self.moves = list(setup.moves)
        self.clocks = {BLACK: setup.seconds, WHITE: setup.seconds}
        for number, (_, seconds) in enumerate(self.moves):
            self.clocks[self._colour_of(number)] = seconds

    @staticmethod
    def _colour_of(number):
        """CGOS has no handicap: the sides alternate."""
        return BLACK if number % 2 == 0 else WHITE

    @property
    def to_move(self):
        return self._colour_of(len(self.moves))

    @property
    def own(self):
        """Who we are, with our rating."""
        return self.white if self.colour == WHITE else self.black

    @property
    def opponent(self):
        return self.black if self.colour == WHITE else self.white

    # As it goes on

    def played(self, move, seconds):
        """The opponent has moved, and has so many seconds left."""
        self.clocks[self.to_move] = seconds
        self.moves.append((move, seconds))

    def asked(self, seconds):
        """We are to move with so many seconds left: those that our last move left."""
        self.clocks[self.to_move] = seconds
        if len(self.moves) >= 2 and self.moves[-2][1] is None:
            self.moves[-2] = self.moves[-2][0], seconds

    def answered(self, move, analysis):
        """We have moved; what we have left the server will tell."""
        if move != "resign":
            self._opinions[len(self.moves)] = analysis
            self.winrate = analysis.get("winrate", self.winrate)
            self.moves.append((move, None))

    def ended(self, told):
        """The server says that it is over."""
        self.result, self.remark = told.result, told.text
        if _DATE.fullmatch(told.date):
            self.date = told.date

    # When it is over

    @property
    def outcome(self):
        """WON, LOST, DRAWN, or UNKNOWN if we were not there at the end."""
        if not self.result:
            return UNKNOWN
        winner = {"B": BLACK, "W": WHITE}.get(self.result[0].upper()) if self.result[1:2] == "+" else None
        if winner is None:
            return DRAWN if self.result.lower() in ("draw", "0", "jigo") else UNKNOWN
        return WON if winner == self.colour else LOST

    def lost_by(self, end):
        """Whether we lost by ``Time``, ``Illegal`` …"""
        return self.outcome == LOST and self.result[2:] == end

    @property
    def file_name(self):
        """For its record. A game that was left and taken up again overwrites what it was."""
        programs = "-".join(_UNFIT.sub("_", who.name)[:_LONGEST_NAME] for who in (self.black, self.white))
        return f"{self.date}-{_UNFIT.sub('_', self.number)[:_LONGEST_NAME]}-{programs}.sgf"

    def record(self, server):
        """The game as a record, played on ``server``."""
        nodes = [Node()]
        for number, (move, seconds) in enumerate(self.moves):
            colour = self._colour_of(number)
            node = Node(move=(_NUMBERS[colour], parse_vertex(move, self.size)))
            node.comment = _comment(self._opinions.get(number, {}))
            if seconds is not None:
                setattr(node, f"{colour}_time", seconds)
            nodes.append(node)
        return GameRecord(
            size=self.size,
            komi=self.komi,
            rules="cgos",
            result=self._sgf_result(),
            black_name=self.black.name,
            black_rank=self.black.rating or None,
            white_name=self.white.name,
            white_rank=self.white.rating or None,
            date=self.date,
            event=f"CGOS game {self.number}",
            place=server,
            time_limit=self.seconds,
            comment=self.remark or None,
            nodes=nodes,
        )

    def _sgf_result(self):
        if self.outcome == UNKNOWN:
            return "Void" if self.result else "?"
        return "0" if self.outcome == DRAWN else self.result[:2] + _SGF_ENDS.get(self.result[2:], self.result[2:])


def _comment(analysis):
    """What we thought, in a line."""
    parts = []
    if "winrate" in analysis:
        parts.append(f"winrate {100 * analysis['winrate']:.1f}%")
    if "score" in analysis:
        parts.append(f"score {analysis['score']:+.1f}")
    if analysis.get("visits", 0) > 1:
        parts.append(f"{analysis['visits']} visits")
    return ", ".join(parts)
