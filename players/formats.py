"""What the files of genomes and runs hold, as schemas: see ``players.schema``.

The body of a genome belongs to its kind, and is declared in ``body.py`` of that kind's package.
"""

from engine import limits
from engine.go.board import MAX_SIZE, MIN_SIZE
from players.schema import FLAT, PLAIN, Anything, Integer, List, Maybe, Number, Row, SchemaError, Table, Text, check

GENERATION = Integer(0, limits.GENERATIONS)
BOARD = Integer(MIN_SIZE, MAX_SIZE)
GAMES = Integer(0, limits.GAMES)
SHARE = Number(0, 1)
SEED = Integer(-(2**63), 2**64 - 1)
KIND = Text(most=100)

RESULT = Table(
    {
        "opponent": Text(),
        "size": BOARD,
        "komi": Number(-limits.KOMI, limits.KOMI),
        "games": GAMES,
        "wins": Number(0, limits.GAMES),
        "colour": Text(("black", "white", "both")),
    },
    optional={"win_rate": SHARE, "interval": Row((SHARE, SHARE))},  # for readers of the file: we calculate them anew
)
RESULTS = List(RESULT, limits.RESULTS)

HISTORY = List(
    Table(
        {"generation": GENERATION},
        optional={"size": BOARD, "best": Maybe(Number()), "mean": Maybe(Number()), "win_rate": Maybe(SHARE), "games": GAMES},
        others=FLAT,
    ),
    limits.HISTORY,
)

CONFIG = Table({}, optional={"seed": Maybe(SEED)}, others=PLAIN)  # its kind knows more: see players.training.config
SIZES = List(BOARD, MAX_SIZE, least=1)
HEADER = Table(
    {
        "kind": KIND,
        "sizes": SIZES,
        "generation": GENERATION,
        "config": CONFIG,
        "results": RESULTS,
        "history": HISTORY,
    },
    others=Anything(),  # the body, and what a later version may add
)

# Runs
METRICS = Table(  # a line of metrics.jsonl; a kind adds numbers and short texts of its own
    {"generation": GENERATION},
    optional={
        "size": BOARD,
        "best": Maybe(Number()),
        "mean": Maybe(Number()),
        "wins": Maybe(SHARE),
        "games": GAMES,
        "champion": Table({}, optional={"win_rate": Maybe(SHARE)}, others=FLAT),
    },
    others=PLAIN,
)
TIMING = Table({"generation": GENERATION, "seconds": Number(0), "games": GAMES})  # a line of timing.jsonl
RUN = Table({"version": Integer(1, 1), "out": Text(most=limits.JSON_TEXT)})  # run.json
RUN_CONFIG = Table({"kind": KIND}, optional={"seed": Maybe(SEED)}, others=PLAIN)  # config.json
CHANGES = List(Table({"until": GENERATION, "was": Table({}, others=PLAIN)}), limits.CHANGES)  # changes.json
CHECKPOINT = Table(
    {
        "generation": GENERATION,
        "champion": Maybe(Table({"body": Anything(), "generation": GENERATION, "results": RESULTS})),
        "history": HISTORY,
        "state": Anything(),
        "log_bytes": Integer(0, limits.LOG_BYTES),
        "log_digest": Text(most=64),
    }
)


def check_header(data):
    """``data`` itself, the header of a genome (and more); SchemaError if it is none."""
    check(HEADER, data)
    check_wins(data["results"])
    return data


def check_checkpoint(tree):
    """``tree`` itself, the content of a checkpoint; SchemaError if it is none."""
    check(CHECKPOINT, tree)
    if tree["champion"] is not None:
        check_wins(tree["champion"]["results"], "champion.results")
    return tree


def check_wins(results, where="results"):
    """SchemaError if one of the results has more wins than games."""
    for number, result in enumerate(results):
        if result["wins"] > result["games"]:
            raise SchemaError(f"{where}[{number}] has {result['wins']:g} wins in {result['games']} games")
