"""What a player thinks of a position, as Sabaki, Lizzie, LizGoban and CGOS want to read it.

    analyse            candidate moves with priors, winrates and scores from whatever powers the player has
    lz_line, kata_line, cgos_json    the same in three dialects
    *-analyze          streams that last until the client says something else
    *-genmove_analyze  a move with the analysis behind it

All numbers are from the side to move. A player that searches says what it has found, and more at every interval. One
without a search has no visits; candidates get a thousand of them in proportion to their priors, since clients size their
drawings by visits.
"""

import json
import time
from typing import NamedTuple

import numpy as np

from engine.contest.elo import wilson
from engine.contest.player import AT_ONCE, Budget
from engine.go.board import BLACK, PASS, RESIGN, board_points
from engine.gtp import arguments as read
from engine.gtp.commands import make_move
from engine.gtp.protocol import GtpError
from engine.records.vertex import format_vertex, parse_colour, parse_vertex

VISITS = 1000
EVALUATED = 10  # candidates of a policy whose positions are evaluated, one by one
SHOWN = 60  # most candidates in a line
ANALYSIS_SECONDS = 2.0  # for the evaluation of candidates
FIRST_REPORT = 0.2  # seconds after which a search says what it has, the first time: a user waits for it
BESIDE_A_MOVE_SECONDS = 0.05  # the same after a move, when a clock may be running
TEMPERATURE = 0.02  # how sharply winrates become priors when there is no policy
SHORTEST_INTERVAL, USUAL_INTERVAL, LONGEST_INTERVAL = 0.01, 1.0, 3600.0
NO_OPINION = "this player has neither a policy nor an evaluation"
_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class Candidate(NamedTuple):
    """A move that is thought of, from the side to move."""

    point: int
    prior: float
    visits: int
    winrate: float
    score: float
    line: tuple = ()  # how play goes on, this move first; empty if the player does not look ahead

    @property
    def lcb(self):
        """The lower end of the 95% interval (Wilson's) of a winrate that ``visits`` games gave; None if it counted none."""
        return wilson(self.visits * min(max(self.winrate, 0.0), 1.0), self.visits)[0] if self.line else None


class Analysis(NamedTuple):
    """What a player thinks of a position, from the side to move."""

    size: int
    candidates: list  # best first
    winrate: float
    score: float
    ownership: np.ndarray | None  # by cell
    is_judged: bool  # whether winrates and scores are the player's opinion; otherwise they stand in the middle
    is_searched: bool = False  # whether there would be more to say after more time

    @property
    def visits(self):
        """How often moves were looked at in all."""
        return sum(c.visits for c in self.candidates)


class Options(NamedTuple):
    """The arguments of an analysis command."""

    colour: int
    interval: float
    most: int
    allowed: set | None
    avoided: set
    ownership: bool
    root: bool


# Thinking


def policy_shares(policy, points):
    """The numbers of a policy at the given points as shares that add up to one, in the same order.

    A policy may hold any numbers: negative ones are lifted to zero together, and no opinion counts as the lowest.
    """
    values = np.asarray(policy, dtype=float)[points]
    values = np.clip(values, -1e30, 1e30)
    lowest = min(0.0, np.nanmin(values)) if not np.all(np.isnan(values)) else 0.0
    values = np.nan_to_num(values - lowest, nan=0.0)
    total = values.sum()
    return values / total if total > 0 else np.full(len(points), 1.0 / len(points))


def analyse(session, game, colour, allowed=None, avoided=(), seconds=ANALYSIS_SECONDS, budget=None):
    """The Analysis of ``colour``'s moves in ``game``; None if the player has neither a policy nor an evaluation.

    A ``budget`` says how long a search goes on; what it has found is then all that anybody thinks. For a player without
    one, moves are evaluated one by one for so many ``seconds`` at most; the rest are taken to keep the winrate as it is.
    """
    budget = budget or Budget(seconds, session.request.stop)
    found = session.player.variations(game.copy(), colour, budget)
    policy = session.player.policy(game.copy(), colour)
    # About the same side: a search that is asked about the other one would begin again at the next report.
    root = session.evaluation(game.turned_to(colour), AT_ONCE)
    if policy is None and root is None:
        return None
    points = [
        int(p) for p in game.legal_points(colour) if p not in avoided and (allowed is None or int(p) in allowed)
    ]
    winrate, score = _from_side(root, colour)
    if found:
        candidates = _searched(found, points, policy)
        winrate = next(iter(found.values())).winrate
    else:
        candidates = _evaluated(session, game, colour, points, policy, root, seconds)
    owner = None if root is None or root.ownership is None else _sign(colour) * np.asarray(root.ownership, dtype=float)
    return Analysis(game.size, candidates, winrate, score, owner, root is not None, found is not None)


def _searched(found, points, policy):
    """The Candidates of a search, best first."""
    wanted = {PASS, *points}
    priors = dict(zip(points, policy_shares(policy, points))) if policy is not None and points else {}
    return [
        Candidate(p, float(priors.get(p, 0.0)), found[p].visits, found[p].winrate, found[p].score, tuple(found[p].line))
        for p in found
        if p in wanted
    ]


def _evaluated(session, game, colour, points, policy, root, seconds):
    """The Candidates of a player without a search, best first: by its policy, and by what it says of the positions after."""
    deadline = time.monotonic() + seconds
    shares = np.zeros(0)
    if policy is not None and points:
        shares = policy_shares(policy, points)
        points = [points[i] for i in np.argsort(-shares, kind="stable")]
        shares = -np.sort(-shares, kind="stable")
    values = {}
    for p in points if policy is None else points[:EVALUATED]:
        if session.request.stop.is_set() or time.monotonic() > deadline:
            break
        values[p] = _after(session, game, colour, p, root)
    here = _from_side(root, colour)
    if policy is None and points:
        winrates = np.array([values.get(p, here)[0] for p in points])
        order = np.argsort(-winrates, kind="stable")
        points = [points[i] for i in order]
        shares = np.exp((winrates[order] - winrates.max()) / TEMPERATURE)
        shares /= shares.sum()
    ranked = list(zip(points, shares)) or [(PASS, 1.0)]
    return [
        Candidate(p, float(share), max(1, round(VISITS * share)), *values.get(p, here)) for p, share in ranked[:SHOWN]
    ]


def _after(session, game, colour, p, root):
    """(winrate, score) for ``colour`` once it has played at ``p``."""
    if root is None:
        return _from_side(None, colour)
    later = game.copy()
    later.play(colour, p)
    return _from_side(session.evaluation(later, AT_ONCE) or root, colour)


def _from_side(evaluation, colour):
    if evaluation is None:
        return 0.5, 0.0
    if colour == BLACK:
        return evaluation.winrate, evaluation.score
    return 1.0 - evaluation.winrate, -evaluation.score


def _sign(colour):
    return 1.0 if colour == BLACK else -1.0


def _with_first(analysis, p):
    """The analysis with the move that was chosen in front."""
    first = [candidate for candidate in analysis.candidates if candidate.point == p]
    if not first:
        first = [Candidate(p, 0.0, 1, analysis.winrate, analysis.score)]
    return analysis._replace(candidates=first + [c for c in analysis.candidates if c.point != p])


# Writing


def lz_line(analysis, options):
    """The line of Leela Zero's dialect: integers in 1/10000."""
    return _line(analysis, options, _lz_numbers)


def _lz_numbers(c):
    # Lizzie can show the bound instead of the winrate, and then nothing if there is none: an opinion that no games were
    # counted for has no spread, and is its own bound.
    bound = c.winrate if c.lcb is None else c.lcb
    return f"visits {c.visits} winrate {_parts(c.winrate)} prior {_parts(c.prior)} lcb {_parts(bound)}"


def kata_line(analysis, options):
    """The line of KataGo's dialect: floats, scores, and on demand the root and the ownership.

    What nobody here estimates, such as the standard deviation of the score, is left out.
    """
    line = _line(analysis, options, lambda c: f"{_kata_numbers(c)} prior {c.prior:.6g}{_kata_bound(c)}")
    if options.root:
        root = Candidate(PASS, 1.0, analysis.visits, analysis.winrate, analysis.score)
        line += f" rootInfo {_kata_numbers(root)}"
    if options.ownership and analysis.ownership is not None:
        numbers = np.clip(analysis.ownership[board_points(analysis.size)], -1, 1)
        line += " ownership " + " ".join(f"{x:.3f}" for x in np.nan_to_num(numbers) + 0.0)  # no -0.000
    return line


def _kata_numbers(c):
    return (
        f"visits {c.visits} utility {2 * c.winrate - 1:.6g} winrate {c.winrate:.6g} scoreMean {c.score:.6g}"
        f" scoreLead {c.score:.6g}"
    )


def _kata_bound(c):
    return "" if c.lcb is None else f" lcb {c.lcb:.6g}"


def _line(analysis, options, numbers):
    entries = []
    for order, c in enumerate(analysis.candidates[: options.most]):
        move = format_vertex(c.point, analysis.size)
        entries.append(f"info move {move} {numbers(c)} order {order} pv {_line_text(c, analysis.size)}")
    return " ".join(entries)


def _line_text(c, size):
    return " ".join(format_vertex(p, size) for p in c.line or (c.point,))


def _parts(x):
    return round(10000 * x)


def cgos_json(analysis, comment):
    """CGOS's object, on one line."""
    told = {
        **_opinion(analysis, analysis),
        "visits": analysis.visits,
        "moves": [
            {
                "move": format_vertex(c.point, analysis.size),
                "visits": c.visits,
                **_opinion(analysis, c),
                "prior": round(c.prior, 6),
                "pv": " ".join(format_vertex(p, analysis.size) for p in c.line[1:]),
            }
            for c in analysis.candidates[:EVALUATED]
        ],
    }
    if analysis.ownership is not None:
        told["ownership"] = ownership_text(analysis.ownership[board_points(analysis.size)])
    if comment:
        told["comment"] = comment
    return json.dumps(told, separators=(",", ":"))


def _opinion(analysis, about):
    if not analysis.is_judged:
        return {}
    return {"winrate": round(about.winrate, 6), "score": round(about.score, 3)}


def ownership_text(numbers):
    """One character for each number from -1 to 1."""
    numbers = np.clip(np.nan_to_num(numbers), -1, 1)
    return "".join(_CHARACTERS[round(62 * (x + 1) / 2)] for x in map(float, numbers))


# Commands


def lz_analyze(session, arguments):
    _stream(session, arguments, lz_line)


def kata_analyze(session, arguments):
    _stream(session, arguments, kata_line)


def lz_genmove_analyze(session, arguments):
    return _generate(session, arguments, lz_line)


def kata_genmove_analyze(session, arguments):
    return _generate(session, arguments, kata_line)


genmove_analyze = lz_genmove_analyze  # the name Sabaki tries first; it reads the entries in either dialect


def cgos_genmove_analyze(session, arguments):
    return _generate(session, arguments, lambda analysis, _: cgos_json(analysis, session.player.explain()))


def _stream(session, arguments, write):
    """Say it at every interval until anything comes in. A search goes on; without one a player does not change its mind."""
    options = _options(session.game, arguments)
    followed = session.request.followed

    def think(seconds):
        about = options.colour, options.allowed, options.avoided
        return analyse(session, session.game, *about, budget=Budget(seconds, followed))

    analysis = think(min(options.interval, FIRST_REPORT))
    if analysis is None:
        raise GtpError(NO_OPINION)
    session.engine.begin_stream(session.request)
    while True:
        session.engine.stream(write(analysis, options))
        if not analysis.is_searched:
            followed.wait(options.interval)
        else:
            analysis = think(options.interval)
        if followed.is_set():
            return


def _generate(session, arguments, write):
    """A move, with what the player thought of the position before it."""
    options = _options(session.game, arguments)
    before = session.game.copy()
    p = session.choose(options.colour)
    analysis = None
    if not session.is_in_haste:  # or there is nothing to say but the move
        analysis = analyse(session, before, options.colour, seconds=BESIDE_A_MOVE_SECONDS, budget=AT_ONCE)
    analysis = analysis or Analysis(before.size, [], 0.5, 0.0, None, False)
    if p != RESIGN:
        analysis = _with_first(analysis, p)
        make_move(session, options.colour, p)
    line = write(analysis, options)
    session.engine.begin_stream(session.request)
    if line:
        session.engine.stream(line)
    return f"play {format_vertex(p, before.size)}"


def _options(game, arguments):
    """The arguments ``[colour] [interval] [key value …]``; unknown keys are passed over with their value."""
    words = list(arguments)
    colour, interval = game.to_play, USUAL_INTERVAL
    if words and words[0].lower() in ("b", "w", "black", "white"):
        colour = parse_colour(words.pop(0))
    if words and words[0][0] in "0123456789.+-":
        interval = read.number([words.pop(0)], 0) / 100
    most, allowed, avoided, flags = SHOWN, None, set(), {}
    while words:
        key = words.pop(0).lower()
        if key in ("avoid", "allow"):
            side, points, _ = (words.pop(0) if words else "" for _ in range(3))
            if read.colour([side], 0) == colour:
                named = _points(points, game.size)
                if key == "avoid":
                    avoided |= named
                else:
                    allowed = (allowed or set()) | named
        elif key == "interval":
            interval = read.number(words[:1], 0) / 100
            words = words[1:]
        elif key == "maxmoves":
            most = max(1, min(SHOWN, read.integer(words[:1], 0)))
            words = words[1:]
        elif key in ("b", "w", "black", "white"):
            colour = parse_colour(key)
        else:
            flags[key] = words.pop(0).lower() == "true" if words else False
    interval = min(max(interval, SHORTEST_INTERVAL), LONGEST_INTERVAL)
    return Options(
        colour, interval, most, allowed, avoided, flags.get("ownership", False), flags.get("rootinfo", False)
    )


def _points(text, size):
    try:
        return {parse_vertex(name, size) for name in text.split(",")}
    except ValueError:
        raise GtpError(read.SYNTAX_ERROR) from None
