"""The subcommands ``match``, ``ladder`` and ``players``: from what was typed to games, and to what is printed.

In a match players play *raw*, exactly as their papers define them, so that what is measured is the player itself;
``--manners`` gives each of them (but not a GTP engine, which has its own) the manners that it has as a GTP engine.
"""

import hashlib
import json
import re
import signal
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from engine.contest import match as contest
from engine.contest import report
from engine.contest.failure import CannotPlay, PlayerFailure
from engine.contest.journal import Journal
from engine.contest.ladder import Ledger, pair_seed, pairs
from engine.contest.player import unfamiliar_komi
from engine.go.rules import rules_by_name
from engine.texts import with_article
from players import registry
from players.training.progress import duration
from players.training.workers import core_count

HANDICAP_KOMI = 0.5  # if nothing is said: the stones are what is given, and there is no draw
_CONTENT_DIGITS = 16  # of a digest, in a ladder's file: no two players of one user will ever share them
_NAME_LENGTH = 60  # characters of a player in the name of a folder
INTERRUPTED = 130  # the exit code that shells use for Ctrl-C


@dataclass(frozen=True)
class Games:
    """How the games of a match or a ladder are played."""

    games: int
    size: int
    komi: float | None  # None: as usual under the rules
    rules: str
    seed: int
    workers: int | None  # None: one, or all cores for compiled games
    time: float | None  # seconds for a move
    referee: str | None  # the command of a GTP engine
    on_error: str  # "lose" or "stop"
    manners: bool
    handicap: int  # stones that Black begins with
    json: bool  # print one JSON object instead of text


def guarded(run):
    """``run`` with what may go wrong said in one line on standard error; the exit code."""

    def command(*arguments):
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: no engine is left behind
        try:
            return run(*arguments)
        except CannotPlay as error:
            problem, code = error, 2
        except PlayerFailure as failure:
            problem, code = f"stopped: {failure}", 1
        except KeyboardInterrupt:
            problem, code = "interrupted", INTERRUPTED
        finally:
            signal.signal(signal.SIGTERM, before)
        print(f"evogo {run.__name__}: {problem}", file=sys.stderr)
        return code

    return command


# What match and ladder share


def _settings(how, **more):
    """The Settings of such Games; CannotPlay if there are none."""
    try:
        rules = rules_by_name(how.rules)
    except ValueError as error:
        raise CannotPlay(str(error)) from None
    settings = contest.Settings(
        how.size, _komi(how, rules), rules, seed=how.seed, seconds=how.time, stop_on_failure=how.on_error == "stop",
        handicap=how.handicap, **more
    )  # fmt: skip
    try:
        settings.stones  # noqa: B018 – they are asked for here, where it can still be said in one line
    except ValueError:
        raise CannotPlay(f"a {how.size}x{how.size} board has no places for {how.handicap} handicap stones") from None
    return settings


def _komi(how, rules):
    usual = HANDICAP_KOMI if how.handicap else rules.komi
    return usual if how.komi is None else how.komi


def _terms(settings, how):
    """What the games of a results file have in common."""
    terms = {
        "size": settings.size,
        "komi": settings.komi,
        "rules": settings.rules.name,
        "seed": settings.seed,
        "time": settings.seconds,
        "manners": how.manners,
        "referee": how.referee,
    }
    return {**terms, "handicap": settings.handicap} if settings.handicap else terms


def _load(spec, how):
    player = registry.load_player(spec)
    if how.size not in player.sizes:
        player.close()
        raise CannotPlay(f"{spec} cannot play on {with_article(f'{how.size}x{how.size} board')}")
    if how.manners and not player.is_program:
        from players.manners import Manners

        player = Manners(player)
    return player


class _Pairing:
    """Two specs at as many tables as there are workers; a context that closes what it opened and did not use."""

    def __init__(self, a, b, how):
        self._specs = (a, b)
        self._how = how
        self._spare = [self._sit_down()]  # the first table is made here and now: it shows what cannot be played
        self.names = [registry.title(spec, player) for spec, player in zip(self._specs, self._spare[0])]
        self.warnings = [
            warning
            for player in self._spare[0][:2]
            if (warning := unfamiliar_komi(player, how.size, _komi(how, rules_by_name(how.rules))))
        ]
        self.compiled = self._compiled_games()
        self.workers = how.workers or (core_count() if self.compiled else 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for table in self._spare:
            table.close()

    def _sit_down(self):
        opened = []
        try:
            opened += [_load(spec, self._how) for spec in self._specs]
            if self._how.referee:
                opened.append(registry.load_program(self._how.referee))
        except CannotPlay:
            for player in opened:
                player.close()
            raise
        return contest.Table(*opened)

    def _compiled_games(self):
        """Compiled games, if the players have them and nothing is asked for that they cannot do."""
        from players.play.contest import compiled_games

        if self._how.referee or self._how.time is not None:
            return None
        return compiled_games(self._spare[0].a, self._spare[0].b, self._how.size, rules_by_name(self._how.rules))

    def run(self, numbers, settings, keep_games=False):
        """Play the games; yields lists of Outcomes."""

        def sit_down():
            try:
                return self._spare.pop()
            except IndexError:
                return self._sit_down()

        workers = max(1, min(self.workers, len(numbers)))
        for outcomes in contest.run(numbers, settings, sit_down, self.compiled, workers, keep_games):
            for outcome in outcomes:
                if outcome.message:
                    _clear_progress()
                    print(f"game {outcome.number + 1}: {outcome.message}", file=sys.stderr)
            yield outcomes


def _warn(command, warnings):
    for warning in warnings:
        print(f"evogo {command}: warning: {warning}", file=sys.stderr)

class _Eta:
    """How long the games that are left will take, by those that were played since."""

    def __init__(self, done=0):
        self._began, self._done = time.monotonic(), done

    def text(self, done, total):
        """``3m08s left  ``, or nothing before the first game."""
        if done <= self._done:
            return ""
        each = (time.monotonic() - self._began) / (done - self._done)
        return f"{duration(each * (total - done))} left  "


def _show_progress(make_text):
    """One line that is written over and over, on a terminal only; elsewhere the text is not even made."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{make_text()}", end="", file=sys.stderr, flush=True)


def _clear_progress():
    _show_progress(str)


# match


@guarded
def match(a, b, black, sgf, out, how):
    """``match A B``: play, then print what came of it. ``black`` is "A", "B" or None, ``sgf`` a folder or None.

    ``out`` is a file in which results are kept, so that games that are there are not played again, or None.
    """
    settings = _settings(how, black=black or contest.ALTERNATE)
    folder = _folder(sgf)
    contents = [_content(a), _content(b)] if out else None
    journal = Journal(out, {"a": a, "b": b, "contents": contents, "colours": settings.black, **_terms(settings, how)})
    outcomes = [outcome for outcome in journal.outcomes if outcome.number < how.games]
    before, code, eta = len(outcomes), 0, _Eta(len(outcomes))
    missing = sorted(set(range(how.games)) - {outcome.number for outcome in outcomes})
    with _Pairing(a, b, how) as pairing:
        _warn("match", pairing.warnings)
        try:
            for played in pairing.run(missing, settings, keep_games=folder is not None) if missing else ():
                journal.add(played)
                for outcome in played:
                    if folder is not None:
                        _write_record(folder / _record_name(how.games, outcome), pairing.names, outcome)
                    outcomes.append(outcome.without_game())
                _show_progress(lambda: f"{eta.text(len(outcomes), how.games)}{report.progress(outcomes, how.games)}")
        except KeyboardInterrupt:
            if not outcomes:
                raise
            code = INTERRUPTED  # what was played counts
        finally:
            _clear_progress()
    if before:
        print(f"{before} games from {out}, {len(outcomes) - before} new games", file=sys.stderr)
    outcomes.sort()
    result = contest.summary(outcomes)
    if how.json:
        print(json.dumps(result, allow_nan=False))
    else:
        print(report.match_text(pairing.names, settings, outcomes, result))
    return code


def _folder(path):
    if path is None:
        return None
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotPlay(f"cannot make the folder {path}: {error.strerror}") from None
    return Path(path)


def _record_name(games, outcome):
    """``game-0001.sgf``, with as many digits as the match needs, at least four."""
    return f"game-{outcome.number + 1:0{max(4, len(str(games)))}}.sgf"


def _write_record(path, names, outcome):
    from engine.records import sgf
    from engine.records.record import record_of

    record = record_of(outcome.game, outcome.remarks)
    record.black_name, record.white_name = names if outcome.a_is_black else reversed(names)
    record.result = outcome.result
    record.comment = outcome.message or None
    try:
        sgf.save(record, path)
    except sgf.SgfError as error:
        raise CannotPlay(str(error)) from None


# ladder


@guarded
def ladder(players, anchor, out, sgf, how):
    """``ladder A B C …``: play what is missing, then print the Elo table. Results are kept in the file ``out``.

    ``sgf`` is the folder of records, in which each pairing has one of its own, or None.
    """
    if len(players) < 2 or len(set(players)) < len(players):
        raise CannotPlay("a ladder needs at least two players, each named once")
    anchor, anchor_elo = _anchor(anchor, players)
    settings = _settings(how)
    ledger = Ledger(out, _terms(settings, how), {spec: _content(spec) for spec in players})
    schedule = {pair: ledger.missing(pair, how.games) for pair in pairs(players)}
    total = len(schedule) * how.games
    done = before = total - sum(map(len, schedule.values()))
    code, warned, eta, records = 0, set(), _Eta(done), _folder(sgf)
    try:
        for pair, numbers in schedule.items():
            if not numbers:
                continue
            own = replace(settings, seed=pair_seed(settings.seed, pair))
            with _Pairing(*pair, how) as pairing:
                _warn("ladder", [warning for warning in pairing.warnings if warning not in warned])
                warned.update(pairing.warnings)
                folder = records and _folder(records / f"{_file_name(pair[0])}-{_file_name(pair[1])}")
                for outcomes in pairing.run(numbers, own, keep_games=folder is not None):
                    ledger.add(pair, outcomes)
                    for outcome in outcomes if folder else ():
                        _write_record(folder / _record_name(how.games, outcome), pairing.names, outcome)
                    done += len(outcomes)
                    _show_progress(
                        lambda: f"{eta.text(done, total)}{done} of {total} games, {pair[0]} against {pair[1]}"
                    )
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:
        _clear_progress()
    if before:
        print(f"{before} games from {out}, {done - before} new games", file=sys.stderr)
    table = ledger.table(players, anchor, anchor_elo)
    print(json.dumps(table, allow_nan=False) if how.json else report.ladder_text(table))
    return code


def _content(spec):
    """A digest of all files that the player of a spec is made of, which may be others tomorrow; None if it has none."""
    if spec.strip().startswith(registry.GTP_PREFIX):  # nothing to be had from starting it
        return None
    player = registry.load_player(spec)
    player.close()
    if not player.files:
        return None
    try:
        digests = [hashlib.sha256(Path(file).read_bytes()).digest() for file in player.files]
    except OSError as error:
        raise CannotPlay(f"cannot read a file of {spec}: {error.strerror}") from None
    return hashlib.sha256(b"".join(digests)).hexdigest()[:_CONTENT_DIGITS]

def _file_name(spec):
    """A spec as part of a file's name."""
    return re.sub(r"[^A-Za-z0-9_.,=@-]+", "_", spec.replace("/", "_"))[:_NAME_LENGTH]


def _anchor(text, players):
    """The anchored player and its rating; the first player and 0 if nothing was said."""
    if text is None:
        return players[0], 0.0
    name, _, rating = text.rpartition("=")
    if name not in players:
        raise CannotPlay(f"--anchor is NAME=RATING with one of the players, not {text!r}")
    try:
        return name, float(rating)
    except ValueError:
        raise CannotPlay(f"the rating of --anchor is a number, not {rating!r}") from None


# players


@guarded
def players(as_json):
    """``players``: everything that can be played."""
    from players import listing

    rows = listing.rows()
    print(json.dumps([listing.as_json(row) for row in rows]) if as_json else listing.text(rows))
    return 0
