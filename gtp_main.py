"""evogo's command line and nothing else: parse, call one function, print.

Heavy imports happen inside the subcommands, so that ``--help`` and the GTP handshake are immediate.
"""

import argparse
import sys

VERSION = "0.1"


class _Parser(argparse.ArgumentParser):
    """Says what was wrong in one line, and exits with 2."""

    def error(self, message):
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def _bench(arguments):
    from engine import bench

    return bench.main(arguments)


def _add_bench(commands):
    parser = commands.add_parser("bench", help="measure speed on this machine")
    parser.add_argument("what", choices=["board"], help="what to measure")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--against-gnugo", action="store_true", help="measure GNU Go's Monte Carlo mode in the same run")
    parser.set_defaults(run=_bench)


def build_parser():
    """The whole command line."""
    parser = _Parser(prog="evogo", description="A GTP engine whose moves come from learned Go players.")
    parser.add_argument("--version", action="version", version=f"evogo {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _add_bench(commands)
    return parser


def main(argv=None):
    """Run one subcommand; the exit code."""
    arguments = build_parser().parse_args(argv)
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
