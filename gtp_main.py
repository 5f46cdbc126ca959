"""evogo's command line and nothing else: parse, call one function, print.

Heavy imports happen inside the subcommands, so that ``--help`` and the GTP handshake are immediate.
"""

import argparse
import math
import os
import shlex
import sys

VERSION = "0.1"


class _Parser(argparse.ArgumentParser):
    """Says what was wrong in one line, and exits with 2."""

    fill = None  # called with the parser and its words before they are parsed: for options that cost an import to know

    def parse_known_args(self, args=None, namespace=None):
        if self.fill is not None:
            fill, self.fill = self.fill, None
            fill(self, args)
        return super().parse_known_args(args, namespace)

    def error(self, message):
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def _resign_threshold(text):
    """``never`` as None, else a winrate between 0 and 1."""
    if text == "never":
        return None
    threshold = float(text)
    if not 0 <= threshold <= 1:
        raise ValueError(text)
    return threshold


_resign_threshold.__name__ = "winrate between 0 and 1 (or never)"  # argparse says "invalid … value"


def _finite(text):
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


_finite.__name__ = "number"


def _gtp(arguments):
    from engine.gtp import Failure
    from engine.startup import Settings, serve

    def load(seed):
        from players.manners import Manners
        from players.registry import load_player

        player = load_player(arguments.player, seed)
        return player if arguments.raw else Manners(player, arguments.resign)

    settings = Settings(
        load=load,
        seed=int.from_bytes(os.urandom(4), "big") if arguments.seed is None else arguments.seed,
        player=arguments.player,
        name=arguments.name,
        version=arguments.version_string,
        size=arguments.size,
        komi=arguments.komi,
        rules=arguments.rules,
        log=arguments.log,
        command=shlex.join([os.path.abspath(sys.argv[0]), *sys.argv[1:]]),
    )
    try:
        serve(settings)
    except Failure as failure:
        print(f"evogo: {failure}", file=sys.stderr)
    return 2


def _add_gtp(commands):
    parser = commands.add_parser("gtp", help="be a GTP engine on stdin and stdout (what evogo does if nothing is said)")
    parser.add_argument("--player", default="gojen", metavar="NAME|FILE", help="who plays (default: %(default)s)")
    parser.add_argument("--size", type=int, metavar="N", help="the board at the start (default: 9 if the player can)")
    parser.add_argument("--komi", type=_finite, metavar="X", help="the komi at the start (default: as usual under the rules)")
    parser.add_argument("--rules", default="chinese", metavar="NAME", help="the rules at the start (default: %(default)s)")
    parser.add_argument("--seed", type=int, metavar="N", help="start all randomness from this number")
    parser.add_argument("--log", metavar="FILE", help="append everything that comes in and goes out, with times")
    parser.add_argument(
        "--resign",
        type=_resign_threshold,
        metavar="WINRATE|never",
        help="resign when the player thinks less of its chances for several moves (default: never)",
    )
    parser.add_argument("--name", default="evogo", metavar="TEXT", help="the answer to the command name")
    parser.add_argument("--version-string", default=VERSION, metavar="TEXT", help="the answer to the command version")
    parser.add_argument("--raw", action="store_true", help="the player exactly as it is: legal moves, but no manners")
    parser.set_defaults(run=_gtp)


def _bench(arguments):
    from engine import bench

    return bench.main(arguments)


def _add_bench(commands):
    parser = commands.add_parser("bench", help="measure speed on this machine")
    parser.add_argument("what", choices=["board"], help="what to measure")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--against-gnugo", action="store_true", help="measure GNU Go's Monte Carlo mode in the same run")
    parser.set_defaults(run=_bench)


def _train(arguments):
    from players.training import command

    return command.main(arguments)


def _train_options(parser, words):
    from players.training import command

    command.add_options(parser, words)


def _add_train(commands):
    parser = commands.add_parser("train", help="make a player: evolve or teach it", allow_abbrev=False)
    parser.fill = _train_options
    parser.set_defaults(run=_train)


def _show(arguments):
    from players.training import show

    return show.main(arguments)


def _add_show(commands):
    parser = commands.add_parser("show", help="tell what a genome or a run is")
    parser.add_argument("what", metavar="GENOME|RUN", help="a genome file or a run folder")
    parser.add_argument("--html", metavar="FILE", help="write one self-contained page instead")
    parser.set_defaults(run=_show)


def build_parser():
    """The whole command line."""
    parser = _Parser(prog="evogo", description="A GTP engine whose moves come from learned Go players.")
    parser.add_argument("--version", action="version", version=f"evogo {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _add_gtp(commands)
    _add_bench(commands)
    _add_train(commands)
    _add_show(commands)
    return parser


def main(argv=None):
    """Run one subcommand (``gtp`` if none is named); the exit code."""
    argv = sys.argv[1:] if argv is None else list(argv)
    if not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help", "--version")):
        argv.insert(0, "gtp")
    arguments = build_parser().parse_args(argv)
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
