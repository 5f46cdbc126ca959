"""The GTP commands about time, in the dialects of GTP 2, KGS and KataGo."""

from engine.gtp import arguments as read
from engine.gtp.clock import NO_LIMIT, TimeSettings
from engine.gtp.protocol import GtpError

KATA_KINDS = ("none", "absolute", "byoyomi", "canadian", "fischer")


def time_settings(session, arguments):
    """``main overtime stones``; without stones an overtime means no limit, and so does nothing at all."""
    main, overtime, stones = _seconds(arguments, 0), _seconds(arguments, 1), _count(arguments, 2)
    if stones > 0:
        settings = TimeSettings("canadian", main, overtime, stones)
    elif overtime > 0 or main == 0:
        settings = NO_LIMIT
    else:
        settings = TimeSettings("absolute", main)
    session.clock.set(settings)


def time_left(session, arguments):
    colour = read.colour(arguments, 0)
    session.clock.time_left(colour, max(0.0, read.number(arguments, 1)), max(0, read.integer(arguments, 2)))


def kgs_time_settings(session, arguments):
    session.clock.set(_settings(arguments, ("none", "absolute", "byoyomi", "canadian")))


def kata_list_time_settings(session, arguments):
    return " ".join(KATA_KINDS)


def kata_time_settings(session, arguments):
    session.clock.set(_settings(arguments, KATA_KINDS))


def _settings(arguments, kinds):
    kind = read.word(arguments, 0)
    if kind not in kinds:
        raise GtpError(read.SYNTAX_ERROR)
    if kind == "none":
        return NO_LIMIT
    main = _seconds(arguments, 1)
    if kind == "absolute":
        return TimeSettings(kind, main)
    if kind == "fischer":
        return TimeSettings(kind, main, _seconds(arguments, 2))
    return TimeSettings(kind, main, _seconds(arguments, 2), max(1, _count(arguments, 3)))


def _seconds(arguments, index):
    return _not_negative(read.number(arguments, index))


def _count(arguments, index):
    return _not_negative(read.integer(arguments, index))


def _not_negative(value):
    if value < 0:
        raise GtpError(read.SYNTAX_ERROR)
    return value
