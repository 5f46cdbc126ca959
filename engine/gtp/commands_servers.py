"""The GTP commands of servers and toolkits: KGS, CGOS, KataGo's rules, gomill."""

import json

from engine.go.board import SUICIDE_ALLOWED, SUICIDE_FORBIDDEN
from engine.go.history import KO_POSITIONAL, KO_SIMPLE, KO_SITUATIONAL
from engine.go.rules import AREA, CGOS, RULES, TERRITORY, Rules, rules_by_name
from engine.gtp import arguments as read
from engine.gtp.commands import cputime, generate
from engine.gtp.protocol import GtpError
from engine.records.vertex import format_vertex

# What clients call rule sets that are, for us, one of our own.
_SYNONYMS = {"korean": "japanese", "chinese-kgs": "chinese", "chinese-ogs": "chinese", "bga": "aga", "french": "aga"}

_KO = {"SIMPLE": KO_SIMPLE, "POSITIONAL": KO_POSITIONAL, "SITUATIONAL": KO_SITUATIONAL}
_SCORING = {"AREA": AREA, "TERRITORY": TERRITORY}
_BONUS = {"0": None, "N": 0, "N-1": 1}


# KGS


def kgs_rules(session, arguments):
    session.game.set_rules(_named_rules(read.word(arguments, 0)))


def kgs_genmove_cleanup(session, arguments):
    p = generate(session, read.colour(arguments, 0), clean_up=True)
    return format_vertex(p, session.game.size)


def kgs_game_over(session, arguments):
    """Nothing to do: the game may go on later, so that the board stays."""


# CGOS: the server never says which rules it plays, but whoever sends its commands plays by them. All stones on the board
# count in the end there, which makes all the difference to when one may pass.


def cgos_opponent_name(session, arguments):
    session.game.set_rules(CGOS)


def cgos_opponent_rating(session, arguments):
    """Nothing depends on it; it is in the log like every command."""


def cgos_gameover(session, arguments):
    """The next game begins with its own set-up."""


# KataGo's rules


def kata_set_rules(session, arguments):
    text = " ".join(arguments).strip()
    if not text:
        raise GtpError(read.SYNTAX_ERROR)
    session.game.set_rules(_rules_from_json(text, session.game.rules) if text.startswith("{") else _named_rules(text))


def kata_get_rules(session, arguments):
    return json.dumps(_rules_as_json(session.game.rules))


def _named_rules(name):
    key = name.lower().replace("_", "-")
    try:
        return rules_by_name(_SYNONYMS.get(key, key))
    except ValueError as error:
        raise GtpError(str(error)) from None


def _rules_as_json(rules):
    return {
        "ko": _key_of(_KO, rules.ko),
        "scoring": _key_of(_SCORING, rules.scoring),
        "suicide": rules.suicide != SUICIDE_FORBIDDEN,
        "tax": _tax(_key_of(_SCORING, rules.scoring)),
        "whiteHandicapBonus": _key_of(_BONUS, rules.free_stones),
        "hasButton": False,
        "friendlyPassOk": not rules.all_alive,
    }


def _tax(scoring):
    """KataGo's word for whether points in seki are taken away: as usual under the scoring."""
    return "SEKI" if scoring == "TERRITORY" else "NONE"


def _key_of(table, value):
    return next(key for key, candidate in table.items() if candidate == value)


def _rules_from_json(text, current):
    """The rules that a JSON object describes, the current ones where it says nothing; GtpError if there are none."""
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        raise GtpError(read.SYNTAX_ERROR) from None
    described = _rules_as_json(current)
    if not isinstance(asked, dict) or not asked.keys() <= described.keys():
        raise GtpError(read.SYNTAX_ERROR)
    described.update(asked)
    if "tax" not in asked:
        described["tax"] = _tax(described["scoring"])
    for rules in RULES.values():
        if _rules_as_json(rules) == described:
            return rules
    try:
        if described["hasButton"] or described["tax"] != _tax(described["scoring"]):
            raise KeyError("button go and taxes are not played here")
        return Rules(
            "custom",
            _SCORING[described["scoring"]],
            _KO[described["ko"]],
            SUICIDE_ALLOWED if described["suicide"] else SUICIDE_FORBIDDEN,
            current.komi,
            _BONUS[described["whiteHandicapBonus"]],
            all_alive=not described["friendlyPassOk"],
        )
    except (KeyError, TypeError):
        raise GtpError("these rules are not supported") from None


# gomill


def gomill_describe_engine(session, arguments):
    return session.description


def gomill_explain_last_move(session, arguments):
    return session.player.explain() or ""


gomill_cpu_time = cputime
