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
import textwrap

from engine import limits
from engine.files import FileError, read_bytes

VERSION = "0.1"


_RULES = "chinese, cgos, tromp-taylor, aga, new-zealand or japanese (default: %(default)s)"
_CONFIG = "--config"


class _Parser(argparse.ArgumentParser):
    """Says what was wrong in one line, and exits with 2."""

    fill = None  # called with the parser and its words before they are parsed: for options that cost an import to know
    topic = ""  # the word after the command for which its help has more to say

    @property
    def options(self):
        """All options by name."""
        return self._option_string_actions

    def parse_known_args(self, args=None, namespace=None):
        if self.fill is not None:
            fill, self.fill = self.fill, None
            fill(self, args)
        parsed, left = super().parse_known_args(args, namespace)
        if left:  # said here, by the command that does not know them, and not by the whole command line
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return parsed, left

    def error(self, message):
        print(f"{self.prog}: {message} (see {self.prog}{self.topic and f' {self.topic}'} --help)", file=sys.stderr)
        raise SystemExit(2)


def _resign_threshold(text):
    """A winrate between 0 and 1; ``never`` as 0, which no winrate is below."""
    if text == "never":
        return 0.0
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
    """How another program starts this one just as it was started: a list of words."""
    program = os.path.abspath(sys.argv[0])
    interpreter = [sys.executable] if program.endswith(".py") else []
    return [*interpreter, program, *sys.argv[1:]]


def _player_settings(arguments):
    """What the options of `_add_player` say of the engine's start."""
    from engine import compiling

    def load(seed):
        from players.levels import TOP, Levelled, spec_of
        from players.registry import load_player, searches, thinking

        def load_level(spec):
            return load_player(thinking(spec, arguments.time, arguments.threads) if searches(spec) else spec)

        level = arguments.level or TOP
        spec = thinking(arguments.player or spec_of(level), arguments.time, arguments.threads)
        if arguments.player:
            player = load_player(spec, seed)
        else:
            player = Levelled(load_level, level)
            player.seed(seed)
        if arguments.raw:
            return player
        from players.manners import USUAL_RESIGN, Manners

        if arguments.resign is None:
            return Manners(player, USUAL_RESIGN, by_search=True)
        return Manners(player, arguments.resign)

    parts = compiling.parts_named([arguments.player or "strongest"], base=("go",))
    return {"load": load, "seed": arguments.seed, "log": arguments.log, "parts": parts}


def _add_player(parser):
    """The options of whoever plays one side, wherever the games come from: GTP, a server."""
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--player",
        metavar="NAME|FILE",
        help="who plays: a name, a genome file or a run folder (see evogo players; default: the strongest)",
    )
    who.add_argument(
        "--level",
        type=_level,
        metavar="1-10",
        help="how strongly it plays, from a beginner's opponent to all it can (default: 10); GTP's level N changes it",
    )
    parser.add_argument("--time", type=_positive, metavar="SECONDS", help="for a move, if no clock runs (default: 2)")
    parser.add_argument("--threads", type=_positive_int, metavar="N", help="to think with (default: one for each core)")
    parser.add_argument("--seed", type=int, metavar="N", help="start all randomness from this number")
    parser.add_argument("--log", metavar="FILE", help="append everything that comes in and goes out, with times")
    parser.add_argument(
        "--resign",
        type=_resign_threshold,
        metavar="WINRATE|never",
        help="give up when it thinks less of its chances for three moves (default: 0.05 if it looks ahead, else never)",
    )
    parser.add_argument("--raw", action="store_true", help="the player exactly as it is: legal moves, but no manners")
    parser.add_argument(_CONFIG, metavar="FILE", help="more of these options, a line each; the command line prevails")
    parser.fill = _read_config


def _gtp(arguments):
    from engine.gtp.protocol import Failure
    from engine.gtp.startup import Settings, serve

    settings = Settings(
        **_player_settings(arguments),
        name=arguments.name,
        version=arguments.version_string,
        size=arguments.size,
        komi=arguments.komi,
        rules=arguments.rules,
        live=arguments.live_gfx,
        command=_own_command(),
    )
    try:
        serve(settings)
    except Failure as failure:
        print(f"evogo: {failure}", file=sys.stderr)
    return 2


def _add_gtp(commands):
    what = "be a GTP engine on stdin and stdout (what evogo does if nothing is said)"
    parser = _command(commands, "gtp", what, _GTP_EXAMPLES)
    _add_player(parser)
    parser.add_argument("--size", type=_board_size, metavar="N", help="the board at first (default: 9 if the player can)")
    parser.add_argument("--komi", type=_komi, metavar="X", help="the komi at the start (default: the rules' usual one)")
    parser.add_argument("--rules", default="chinese", metavar="NAME", help=f"at first: {_RULES}")
    parser.add_argument("--live-gfx", action="store_true", help="let GoGui draw what the player thinks of while it thinks")
    parser.add_argument("--name", default="evogo", metavar="TEXT", help="the answer to the command name")
    parser.add_argument("--version-string", default=VERSION, metavar="TEXT", help="the answer to the command version")
    parser.set_defaults(run=_gtp)


def _cgos(arguments):
    from engine.gtp.startup import Settings
    from engine.servers.command import Request, play

    request = Request(**{field.name: getattr(arguments, field.name) for field in dataclasses.fields(Request)})
    play(request, Settings(**_player_settings(arguments), version=VERSION, rules="cgos"))


class _NoPassword(argparse.Action):
    """A password on the command line, which all users of the machine can read, is refused and not repeated."""

    def __call__(self, parser, namespace, values, option_string=None):
        parser.error("others can read the command line: give the password at the prompt, in a file or the environment")


def _add_cgos(commands):
    # No abbreviations: --password is one of --password-file.
    parser = _command(commands, "cgos", "play on the Computer Go Server", _CGOS_EXAMPLES, allow_abbrev=False)
    parser.add_argument("--user", required=True, metavar="NAME", help="the name to play under; a new one is registered")
    parser.add_argument("--server", required=True, metavar="HOST", help="where the server is")
    parser.add_argument("--port", type=_port, default=6809, metavar="N", help="of the server (default: %(default)s)")
    parser.add_argument("--games", type=_positive_int, metavar="N", help="how many (default: until Ctrl-C)")
    parser.add_argument("--sgf", metavar="DIR", help="write every game into DIR")
    parser.add_argument("--password-file", metavar="FILE", help="a file with the password on its first line")
    parser.add_argument("--password", nargs="?", action=_NoPassword, help=argparse.SUPPRESS)
    _add_player(parser)
    parser.set_defaults(run=_cgos)


def _read_config(parser, words):
    """Put the words in the files of --config before the others, so that what is said on the command line comes last."""
    found = []
    for name in _values_of(_CONFIG, words):
        try:
            text = read_bytes(name, limits.SETTINGS_BYTES).decode()
            lines = [shlex.split(line, comments=True) for line in text.splitlines()]
        except FileError as error:
            parser.error(str(error))
        except ValueError as error:  # a quote without its end, or bytes that are no text
            parser.error(f"{name}: {error}")
        for number, line in enumerate(lines, 1):
            option = line[0].partition("=")[0] if line else None
            if line and (option == _CONFIG or option not in parser.options):
                parser.error(f"{name}, line {number}: there is no option {line[0]!r} here")
            found += line
    words[:0] = found


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
_level = _number_type("level (1 to 10)", int, lambda value: 1 <= value <= 10)
_port = _number_type("port (1 to 65535)", int, lambda value: 1 <= value <= 65535)
_board_size = _number_type("board size (2 to 25)", int, lambda value: 2 <= value <= 25)


# What can be measured, and the module whose measure() does it and whose table() shows it.
_BENCHES = {
    "board": "engine.bench",
    "hyperneat": "players.hyperneat.bench",
    "sane": "players.sane.bench",
    "organism": "players.organism.bench",
    "isn": "players.isn.bench",
    "expert": "players.expert.bench",
    "search": "players.search.bench",
}


def _bench(arguments):
    from engine.bench import BenchError

    if arguments.against_gnugo and arguments.what != "board":
        print("evogo bench: --against-gnugo goes with bench board", file=sys.stderr)
        return 2
    if arguments.against is not None and arguments.what != "search":
        print("evogo bench: --against goes with bench search", file=sys.stderr)
        return 2
    options = {"against_gnugo": True} if arguments.against_gnugo else {}
    if arguments.against is not None:
        options["against"] = arguments.against
    _announce_compiling(arguments.what)
    module = importlib.import_module(_BENCHES[arguments.what])
    try:
        report = module.measure(**options)
    except BenchError as error:
        print(f"evogo bench: {error}", file=sys.stderr)
        return 1
    print(json.dumps(report) if arguments.json else module.table(report))
    return 0


def _add_bench(commands):
    parser = _command(commands, "bench", "measure speed on this machine", _BENCH_EXAMPLES)
    parser.add_argument("what", choices=list(_BENCHES), help="what to measure")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--against-gnugo", action="store_true", help="with board: measure GNU Go too")
    parser.add_argument(
        "--against", metavar="COMMAND", help="with search: measure another engine too; {games} stands for games a move"
    )
    parser.set_defaults(run=_bench)


def _announce_compiling(*specs):
    """Whatever is compiled from now on is told of; ``specs`` are the players that will be needed, or their kinds."""
    from engine import compiling

    compiling.announce(compiling.parts_named(specs))


def _games_of(arguments):
    """The options that ``match`` and ``ladder`` have in common."""
    from players.arena import Games

    return Games(**{field.name: getattr(arguments, field.name) for field in dataclasses.fields(Games)})


def _match(arguments):
    from players import arena

    _announce_compiling(arguments.a, arguments.b)
    return arena.match(arguments.a, arguments.b, arguments.black, arguments.sgf, arguments.out, _games_of(arguments))


def _ladder(arguments):
    from players import arena

    _announce_compiling(*arguments.players)
    return arena.ladder(arguments.players, arguments.anchor, arguments.out, arguments.sgf, _games_of(arguments))


def _players(arguments):
    from players import arena

    return arena.players(arguments.json)


_SPEC_HELP = "a name, a genome file or gtp:COMMAND, with options as in wally,randomness=0.1"


def _add_games(parser, games):
    """The options that ``match`` and ``ladder`` have in common."""
    parser.add_argument("--games", type=_positive_int, default=games, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--size", type=_board_size, default=9, metavar="N", help="of the board (default: %(default)s)")
    parser.add_argument("--komi", type=_komi, metavar="X", help="default: as usual under the rules")
    parser.add_argument(
        "--handicap", type=_positive_int, default=0, metavar="N", help="stones that Black begins with; komi is 0.5 then"
    )
    parser.add_argument("--rules", default="chinese", metavar="NAME", help=_RULES)
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
    parser = _command(commands, "match", "games between two players, with error bars", _MATCH_EXAMPLES)
    parser.add_argument("a", metavar="A", help=_SPEC_HELP)
    parser.add_argument("b", metavar="B", help="the other one")
    _add_games(parser, games=100)
    colours = parser.add_mutually_exclusive_group()
    colours.add_argument("--alternate", action="store_true", help="A has Black in games 1, 3, 5 ... (default)")
    colours.add_argument("--black", type=str.upper, choices=["A", "B"], metavar="A|B", help="who has Black in all games")
    parser.add_argument("--sgf", metavar="DIR", help="write every game to DIR/game-0001.sgf and so on")
    parser.add_argument("--out", metavar="FILE", help="keep results; games that are there are not played again")
    parser.set_defaults(run=_match)


def _add_ladder(commands):
    parser = _command(commands, "ladder", "a round robin with an Elo table", _LADDER_EXAMPLES)
    parser.add_argument("players", nargs="+", metavar="PLAYER", help=_SPEC_HELP)
    _add_games(parser, games=100)
    parser.add_argument("--anchor", metavar="NAME=RATING", help="the player whose rating is known (default: the first, 0)")
    parser.add_argument(
        "--out",
        default="ladder.jsonl",
        metavar="FILE",
        help="where results are kept; games that are there are not played again (default: %(default)s)",
    )
    parser.add_argument("--sgf", metavar="DIR", help="write every new game to DIR/A-B/game-0001.sgf and so on")
    parser.set_defaults(run=_ladder)


def _add_players(commands):
    parser = _command(commands, "players", "list all that can be played, with strength and options", _PLAYERS_EXAMPLES)
    parser.add_argument("--json", action="store_true", help="print a JSON list instead of a table")
    parser.set_defaults(run=_players)


def _warmup(arguments):
    from players.warmup import warmup

    return warmup(arguments.parts, arguments.workers)


def _warmup_options(parser, words):
    from players.training.workers import core_count
    from players.warmup import PARTS

    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--workers", type=_positive_int, metavar="N", help=f"processes at a time (default: {core_count()})")


def _add_warmup(commands):
    parser = _command(commands, "warmup", "compile everything ahead, for servers and clusters", _WARMUP_EXAMPLES)
    parser.fill = _warmup_options
    parser.set_defaults(run=_warmup)


def _train(arguments):
    from players.training.command import Request, train

    if not (arguments.quiet or arguments.print_config):
        _announce_compiling(arguments.kind or "")
    said = vars(arguments)
    names = {field.name for field in dataclasses.fields(Request)}
    return train(Request(**{name: said[name] for name in said if name in names}, given=_given_parameters(arguments)))


_HELP_WIDTH = 96  # columns of what is wrapped here and not by argparse
_PARAMETER = "parameter."  # what the names of a run's parameters begin with among the parsed words


def _train_options(parser, words):
    """The options of ``train``; the parameters of the kind that ``words`` begin with are among them."""
    from players.kinds import TRAINED, trainer_class
    from players.training.command import kind_of_run
    from players.training.folder import RunError
    from players.training.workers import PATIENCE, core_count

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
    silence = f"with --executor: seconds without any answer after which the workers count as dead [{PATIENCE:g}]"
    parser.add_argument("--patience", type=float, default=PATIENCE, metavar="S", help=silence)
    seconds = "between checkpoints; never changes the result [30]"
    parser.add_argument("--checkpoint-seconds", type=float, default=30.0, metavar="S", help=seconds)
    parser.add_argument("--hours", type=float, metavar="H", help="stop after the generation in which they are over")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    parser.usage = "evogo train KIND --out GENOME [options], or evogo train --resume DIR"
    kind = words[0] if words and not words[0].startswith("-") else None
    resumed = _values_of("--resume", words)
    if kind is None and resumed:
        try:
            kind = kind_of_run(resumed[0])
        except RunError as error:  # said before anything is said of options that only its kind would know
            parser.exit(1, f"{parser.prog}: {error}\n")
    if kind is None:
        parser.epilog += "\ntrain KIND --help lists the parameters and presets of a kind."
        return
    try:
        trainer = trainer_class(kind)
    except ValueError as error:
        parser.error(str(error))
    parser.topic = kind
    parser.epilog = f"{_presets_text(trainer)}\n\n{parser.epilog}"
    parser.set_defaults(trainer=trainer)
    _add_parameters(parser, "parameters of the run", trainer.Config)


def _presets_text(trainer):
    return _described("presets (times on two cores):", {name: trainer.preset_help.get(name, "") for name in trainer.presets})


def _described(title, told):
    """Names and what each of them is, under each other."""
    width = max(map(len, told))
    lines = [title]
    for name, text in told.items():
        parts = textwrap.wrap(text, _HELP_WIDTH - width) or [""]
        lines += [f"  {start:{width}}  {part}".rstrip() for start, part in zip([name] + [""] * len(parts), parts)]
    return "\n".join(lines)


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


def _values_of(option, words):
    """What follows an option, each time that it stands among words that are not parsed yet."""
    found = []
    for word, following in zip(words, [*words[1:], None]):
        if word == option and following is not None:
            found.append(following)
        elif word.startswith(f"{option}="):
            found.append(word.removeprefix(f"{option}="))
    return found


def _add_train(commands):
    parser = _command(commands, "train", "make a player: evolve or teach it", _TRAIN_EXAMPLES, allow_abbrev=False)
    parser.fill = _train_options
    parser.set_defaults(run=_train)


def _experiment(arguments):
    from players.kinds import part
    from players.training.experiments import carry_out

    _announce_compiling(arguments.kind)
    return carry_out(part(arguments.kind, "experiment"), arguments.name, _given_parameters(arguments))


def _experiment_options(parser, words):
    """The options of ``experiment``; those of the kind that ``words`` begin with are among them."""
    from players.kinds import EXPERIMENTED, part

    parser.add_argument("kind", choices=EXPERIMENTED, help="whose paper")
    if not words or words[0] not in EXPERIMENTED:
        parser.epilog += "\nexperiment KIND --help lists the experiments of a kind."
        return
    parser.topic = words[0]
    module = part(words[0], "experiment")
    parser.add_argument("name", choices=list(module.EXPERIMENTS), help="what to repeat")
    parser.epilog = f"{_described('experiments:', module.EXPERIMENTS)}\n\n{parser.epilog}"
    _add_parameters(parser, "parameters", module.Config)


def _add_experiment(commands):
    parser = _command(commands, "experiment", "repeat what a paper shows", _EXPERIMENT_EXAMPLES, allow_abbrev=False)
    parser.fill = _experiment_options
    parser.set_defaults(run=_experiment)


def _show(arguments):
    from players.registry import champions
    from players.show.text import show

    if arguments.html:
        _announce_compiling(arguments.what)
    what = arguments.what if os.path.exists(arguments.what) else champions().get(arguments.what, arguments.what)
    return show(what, arguments.html)


def _add_show(commands):
    parser = _command(commands, "show", "tell what a genome or a run is", _SHOW_EXAMPLES)
    parser.add_argument(
        "what", metavar="GENOME|RUN|FOLDER", help="a genome file, a run folder, the name of a champion, or a folder of genomes"
    )
    parser.add_argument("--html", metavar="FILE", help="write one self-contained page instead")
    parser.set_defaults(run=_show)


# What each command's own help ends with.
_CGOS_EXAMPLES = """\
examples:
  evogo cgos --user myevogo --server yss-aya.com --games 100 --sgf games
  evogo cgos --user myevogo --server yss-aya.com --port 6819 --password-file p

The password comes from --password-file, from the variable EVOGO_CGOS_PASSWORD,
or from a prompt. Ctrl-C stops after the present game, a second one at once.
After a broken connection it logs in again and goes on with its game: up to 20
tries in a row, with waits from 1 to 60 seconds.
"""

_GTP_EXAMPLES = """\
examples:
  evogo --time 10 --threads 4                think longer, with four threads
  evogo --player organism-5x5 --size 5       another player, on its own board
  evogo --player mine.run@120                the champion that a run had after generation 120
  evogo --config kgs.conf                    options from a file such as

      # the engine on KGS
      --player search,guide=isn-9x9
      --resign 0.05

The search keeps its tree in 160 MB, other memory apart: --player search,megabytes=40 for less.
"""
_MATCH_EXAMPLES = """\
examples:
  evogo match gojen wally --games 400 --size 7
  evogo match mine.json liberty,randomness=0.1 --black A --komi 0
  evogo match strongest "gtp:gnugo --mode gtp --level 10" --games 20 --sgf games
"""
_LADDER_EXAMPLES = """\
examples:
  evogo ladder random liberty wally --games 200 --anchor random=0
  evogo ladder mine.run@50 mine.run@100 mine.run@150 gojen --size 7 --out mine.jsonl
"""
_PLAYERS_EXAMPLES = """\
examples:
  evogo players
  evogo players --json
"""
_BENCH_EXAMPLES = """\
examples:
  evogo bench board --against-gnugo
  evogo bench search --json
  evogo bench search --against "pachi --nodcnn -t ={games} threads=1,pondering=0"
"""
_WARMUP_EXAMPLES = """\
examples:
  evogo warmup                               everything: about two minutes on two cores
  evogo warmup play hyperneat                plain evogo, and what HyperNEAT needs

What is compiled goes to NUMBA_CACHE_DIR if that is set, else to the user's cache folder.
"""
_TRAIN_EXAMPLES = """\
examples:
  evogo train sane --preset quick --out mine.json
  evogo train hyperneat --preset champion --hours 6 --out mine.json
  evogo train --resume mine.run              go on after Ctrl-C, a crash, or the hours
"""
_EXPERIMENT_EXAMPLES = """\
examples:
  evogo experiment sane until --sizes 5 --seeds 1-3 --out results
  evogo experiment hyperneat figure3a --folder runs --out figure3a
"""
_SHOW_EXAMPLES = """\
examples:
  evogo show hyperneat-any                   a champion that ships
  evogo show mine.run --html mine.html       curves, pictures and games of a run in one page
"""


def _command(commands, name, what, examples, **more):
    """A subcommand whose help ends with examples."""
    layout = argparse.RawDescriptionHelpFormatter
    return commands.add_parser(name, help=what, description=what, epilog=examples, formatter_class=layout, **more)


_EXAMPLES = """\
examples:
  evogo                                      be a GTP engine: attach it to GoGui or Sabaki, or type help
  evogo --player wally --size 7 --log g.txt  another player, another board, everything logged
  evogo cgos --user me1 --server yss-aya.com play on the Computer Go Server
  evogo match gojen wally --games 400        who is stronger, and how sure is that
  evogo match gojen "gtp:gnugo --mode gtp"   any GTP engine can be a player
  evogo ladder random wally gojen            a round robin with an Elo table
  evogo train sane --preset quick --out mine.json
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
    _add_cgos(commands)
    _add_match(commands)
    _add_ladder(commands)
    _add_players(commands)
    _add_bench(commands)
    _add_warmup(commands)
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
