"""evogo's command line and nothing else: parse, call one function, print.

Heavy imports happen inside the subcommands, so that ``--help`` and the GTP handshake are immediate.
"""

import argparse
import dataclasses
import importlib
import json
import math
import os
import shlex
import sys

from engine import limits

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


def _komi(text):
    number = float(text)
    if not abs(number) <= limits.KOMI:  # this way round, NaN is caught too
        raise ValueError(text)
    return number


_komi.__name__ = f"number of points (up to {limits.KOMI:g})"


def _own_command():
    """How another program starts this one just as it was started."""
    program = os.path.abspath(sys.argv[0])
    interpreter = [sys.executable] if program.endswith(".py") else []
    return shlex.join([*interpreter, program, *sys.argv[1:]])


def _gtp(arguments):
    from engine.gtp.protocol import Failure
    from engine.gtp.startup import Settings, serve

    def load(seed):
        from players.registry import DEFAULT, load_player

        player = load_player(arguments.player or DEFAULT, seed)
        if arguments.raw:
            return player
        from players.manners import Manners

        return Manners(player, arguments.resign)

    settings = Settings(
        load=load,
        seed=arguments.seed,
        name=arguments.name,
        version=arguments.version_string,
        size=arguments.size,
        komi=arguments.komi,
        rules=arguments.rules,
        log=arguments.log,
        command=_own_command(),
    )
    try:
        serve(settings)
    except Failure as failure:
        print(f"evogo: {failure}", file=sys.stderr)
    return 2


def _add_gtp(commands):
    parser = commands.add_parser("gtp", help="be a GTP engine on stdin and stdout (what evogo does if nothing is said)")
    parser.add_argument(
        "--player",
        metavar="NAME|FILE",
        help="who plays: a name or a genome file (see evogo players; default: the strongest for the board)",
    )
    parser.add_argument("--size", type=_board_size, metavar="N", help="the board at first (default: 9 if the player can)")
    parser.add_argument("--komi", type=_komi, metavar="X", help="the komi at the start (default: the rules' usual one)")
    parser.add_argument("--rules", default="chinese", metavar="NAME", help="the rules at first (default: %(default)s)")
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


def _number_type(name, convert, accepts):
    """A type for argparse: text that ``convert`` reads and ``accepts`` likes; errors call it ``name``."""

    def read(text):
        value = convert(text)
        if not accepts(value):
            raise ValueError(text)
        return value

    read.__name__ = name
    return read


_positive_int = _number_type("positive whole number", int, lambda value: value > 0)
_positive = _number_type("positive number", float, lambda value: 0 < value < math.inf)
_board_size = _number_type("board size (2 to 25)", int, lambda value: 2 <= value <= 25)


# What can be measured, and the module whose measure() does it and whose table() shows it.
_BENCHES = {
    "board": "engine.bench",
    "hyperneat": "players.hyperneat.bench",
    "sane": "players.sane.bench",
    "organism": "players.organism.bench",
    "isn": "players.isn.bench",
    "search": "players.search.bench",
}


def _bench(arguments):
    from engine.bench import BenchError

    if arguments.against_gnugo and arguments.what != "board":
        print("evogo bench: --against-gnugo goes with bench board", file=sys.stderr)
        return 2
    module = importlib.import_module(_BENCHES[arguments.what])
    try:
        report = module.measure(against_gnugo=True) if arguments.against_gnugo else module.measure()
    except BenchError as error:
        print(f"evogo bench: {error}", file=sys.stderr)
        return 1
    print(json.dumps(report) if arguments.json else module.table(report))
    return 0


def _add_bench(commands):
    parser = commands.add_parser("bench", help="measure speed on this machine")
    parser.add_argument("what", choices=list(_BENCHES), help="what to measure")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--against-gnugo", action="store_true", help="with board: measure GNU Go too")
    parser.set_defaults(run=_bench)


def _games_of(arguments):
    """The options that ``match`` and ``ladder`` have in common."""
    from players.arena import Games

    return Games(**{field.name: getattr(arguments, field.name) for field in dataclasses.fields(Games)})


def _match(arguments):
    from players import arena

    return arena.match(arguments.a, arguments.b, arguments.black, arguments.sgf, _games_of(arguments))


def _ladder(arguments):
    from players import arena

    return arena.ladder(arguments.players, arguments.anchor, arguments.out, _games_of(arguments))


def _players(arguments):
    from players import arena

    return arena.players(arguments.json)


_SPEC_HELP = "a name, a genome file or gtp:COMMAND, with options as in wally,randomness=0.1"


def _add_games(parser, games):
    """The options that ``match`` and ``ladder`` have in common."""
    parser.add_argument("--games", type=_positive_int, default=games, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--size", type=_board_size, default=9, metavar="N", help="of the board (default: %(default)s)")
    parser.add_argument("--komi", type=_komi, metavar="X", help="default: as usual under the rules")
    parser.add_argument("--rules", default="chinese", metavar="NAME", help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="start all randomness here (default: %(default)s)")
    parser.add_argument(
        "--workers", type=_positive_int, metavar="N", help="games at a time (default: 1; all cores for compiled games)"
    )
    parser.add_argument("--time", type=_positive, metavar="SECONDS", help="for a move; who takes longer loses")
    parser.add_argument("--referee", metavar="COMMAND", help="a GTP engine that decides which stones are dead in the end")
    parser.add_argument(
        "--on-error", choices=["lose", "stop"], default="lose", help="when an engine fails: it loses the game, or stop"
    )
    parser.add_argument("--manners", action="store_true", help="players pass when it is time (default: as their papers say)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")


def _add_match(commands):
    parser = commands.add_parser("match", help="games between two players, with error bars")
    parser.add_argument("a", metavar="A", help=_SPEC_HELP)
    parser.add_argument("b", metavar="B", help="the other one")
    _add_games(parser, games=100)
    colours = parser.add_mutually_exclusive_group()
    colours.add_argument("--alternate", action="store_true", help="A has Black in games 1, 3, 5 ... (default)")
    colours.add_argument("--black", type=str.upper, choices=["A", "B"], metavar="A|B", help="who has Black in all games")
    parser.add_argument("--sgf", metavar="DIR", help="write every game to DIR/game-0001.sgf and so on")
    parser.set_defaults(run=_match)


def _add_ladder(commands):
    parser = commands.add_parser("ladder", help="a round robin with an Elo table")
    parser.add_argument("players", nargs="+", metavar="PLAYER", help=_SPEC_HELP)
    _add_games(parser, games=100)
    parser.add_argument("--anchor", metavar="NAME=RATING", help="the player whose rating is known (default: the first, 0)")
    parser.add_argument(
        "--out",
        default="ladder.jsonl",
        metavar="FILE",
        help="where results are kept; games that are there are not played again (default: %(default)s)",
    )
    parser.set_defaults(run=_ladder)


def _add_players(commands):
    parser = commands.add_parser("players", help="list everything that can be played")
    parser.add_argument("--json", action="store_true", help="print a JSON list instead of a table")
    parser.set_defaults(run=_players)


def _train(arguments):
    from players.training.command import Request, train

    said = vars(arguments)
    names = {field.name for field in dataclasses.fields(Request)}
    return train(Request(**{name: said[name] for name in said if name in names}, given=_given_parameters(arguments)))


_PARAMETER = "parameter."  # what the names of a run's parameters begin with among the parsed words


def _train_options(parser, words):
    """The options of ``train``; the parameters of the kind that ``words`` begin with are among them."""
    from players.kinds import TRAINED, trainer_class
    from players.training.command import kind_of_run
    from players.training.workers import core_count

    parser.add_argument("kind", nargs="?", metavar="KIND", help=f"{', '.join(TRAINED)}, or module:Class of another trainer")
    parser.add_argument("--out", metavar="GENOME", help="where the champion goes")
    parser.add_argument("--run", metavar="DIR", dest="folder", help="the run folder [GENOME with the ending .run]")
    parser.add_argument("--resume", metavar="DIR", help="go on with the run in this folder")
    parser.add_argument("--force", action="store_true", help="start over if the run folder holds a run already")
    parser.add_argument("--preset", metavar="NAME", help="a named configuration, which further options change")
    parser.add_argument("--config", metavar="FILE", help="parameters from a JSON file, over those of the preset")
    parser.add_argument("--print-config", action="store_true", help="print the configuration as JSON and stop")
    parser.add_argument("--workers", type=int, metavar="N", help=f"never changes the result [{core_count()}]")
    parser.add_argument("--executor", metavar="MODULE:FACTORY", help="another concurrent.futures executor than threads")
    seconds = "between checkpoints; never changes the result [30]"
    parser.add_argument("--checkpoint-seconds", type=float, default=30.0, metavar="S", help=seconds)
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    parser.usage = "evogo train KIND --out GENOME [options], or evogo train --resume DIR"
    kind = words[0] if words and not words[0].startswith("-") else None
    resumed = _value_of("--resume", words)
    if kind is None and resumed:
        kind = kind_of_run(resumed)
    if kind is None:
        parser.epilog = "train KIND --help lists the parameters and presets of a kind."
        return
    try:
        trainer = trainer_class(kind)
    except ValueError as error:
        parser.error(str(error))
    parser.epilog = f"presets: {', '.join(trainer.presets)}"
    parser.set_defaults(trainer=trainer)
    _add_parameters(parser, "parameters of the run", trainer.Config)


def _add_parameters(parser, title, config_class):
    """An option for each field of a configuration; what is not given is absent from the parsed words."""
    from players.training.config import parameters

    group = parser.add_argument_group(title, "default and origin of each value in brackets")
    for parameter in parameters(config_class):
        how = {"metavar": parameter.metavar} if parameter.metavar else {"action": argparse.BooleanOptionalAction}
        added = group.add_argument(parameter.option, dest=_PARAMETER + parameter.name, default=argparse.SUPPRESS, **how)
        added.help = parameter.help.replace("%", "%%")


def _given_parameters(arguments):
    """What was said of them, name to text (or bool)."""
    said = vars(arguments)
    return {name.removeprefix(_PARAMETER): said[name] for name in said if name.startswith(_PARAMETER)}


def _value_of(option, words):
    """What follows an option among words that are not parsed yet, or None."""
    for word, following in zip(words, [*words[1:], None]):
        if word == option:
            return following
        if word.startswith(f"{option}="):
            return word.removeprefix(f"{option}=")
    return None


def _add_train(commands):
    parser = commands.add_parser("train", help="make a player: evolve or teach it", allow_abbrev=False)
    parser.fill = _train_options
    parser.set_defaults(run=_train)


def _experiment(arguments):
    from players.kinds import part
    from players.training.experiments import carry_out

    return carry_out(part(arguments.kind, "experiment"), arguments.name, _given_parameters(arguments))


def _experiment_options(parser, words):
    """The options of ``experiment``; those of the kind that ``words`` begin with are among them."""
    from players.kinds import EXPERIMENTED, part

    parser.add_argument("kind", choices=EXPERIMENTED, help="whose paper")
    if not words or words[0] not in EXPERIMENTED:
        parser.epilog = "experiment KIND --help lists the experiments of a kind."
        return
    module = part(words[0], "experiment")
    parser.add_argument("name", choices=list(module.EXPERIMENTS), help="what to repeat")
    parser.epilog = "; ".join(f"{name}: {what}" for name, what in module.EXPERIMENTS.items())
    _add_parameters(parser, "parameters", module.Config)


def _add_experiment(commands):
    parser = commands.add_parser("experiment", help="repeat what a paper shows", allow_abbrev=False)
    parser.fill = _experiment_options
    parser.set_defaults(run=_experiment)


def _show(arguments):
    from players.show.text import show

    return show(arguments.what, arguments.html)


def _add_show(commands):
    parser = commands.add_parser("show", help="tell what a genome or a run is")
    parser.add_argument("what", metavar="GENOME|RUN|FOLDER", help="a genome file, a run folder, or a folder of genomes")
    parser.add_argument("--html", metavar="FILE", help="write one self-contained page instead")
    parser.set_defaults(run=_show)


_EXAMPLES = """\
examples:
  evogo                                      be a GTP engine: attach it to GoGui or Sabaki, or type help
  evogo --player wally --size 7 --log g.txt  another player, another board, everything logged
  evogo match gojen wally --games 400        who is stronger, and how sure is that
  evogo match gojen "gtp:gnugo --mode gtp"   any GTP engine can be a player
  evogo ladder random wally gojen            a round robin with an Elo table
  evogo train hyperneat --preset quick --out mine.json
                                             evolve a player; evogo --player mine.json plays it
  evogo show mine.run --html mine.html       what evolution found, as a page
  evogo show models --html gallery.html      all champions that ship, side by side
each command has its own help: evogo COMMAND --help
"""


def build_parser():
    """The whole command line."""
    parser = _Parser(
        prog="evogo",
        description="A GTP engine whose moves come from learned Go players.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"evogo {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _add_gtp(commands)
    _add_match(commands)
    _add_ladder(commands)
    _add_players(commands)
    _add_bench(commands)
    _add_train(commands)
    _add_experiment(commands)
    _add_show(commands)
    return parser


def main(argv=None):
    """Run one subcommand (``gtp`` if none is named); the exit code."""
    argv = sys.argv[1:] if argv is None else list(argv)
    if not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help", "--version")):
        argv.insert(0, "gtp")
    arguments = build_parser().parse_args(argv)
    try:
        code = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has had enough: evogo show … | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the interpreter flushes once more at its end
        return 0
    return code


if __name__ == "__main__":
    sys.exit(main())
