"""The GTP commands that every client uses: set-up, moves, handicap, game records, results.

Each function is the command of its name (see ``engine.gtp.command_table``), takes the session and the arguments, and
returns the answer. Commands of particular clients live beside this module.
"""

from engine import limits
from engine.go.board import BLACK, MAX_SIZE, MIN_SIZE, PASS, RESIGN, WHITE, board_points, point
from engine.go.game import IllegalMove, result_text
from engine.go.handicap import fixed_handicap_points, free_handicap_points, star_points
from engine.gtp import arguments as read
from engine.gtp.protocol import GtpError, cpu_seconds
from engine.records.vertex import COLOUR_NAMES, COLUMNS, format_vertex

SEED_LIMIT = 2**63


def vertices(points, size):
    """Points as one line of text."""
    return " ".join(format_vertex(p, size) for p in points)


# Setting up


def boardsize(session, arguments):
    size = read.integer(arguments, 0)
    if len(arguments) > 1 and read.is_integer(arguments[1]) and arguments[1].lstrip("+0") != str(size):
        raise GtpError("unacceptable size")  # not a square
    if not MIN_SIZE <= size <= MAX_SIZE or size not in session.sizes:
        raise GtpError("unacceptable size")
    session.game.resize(size)
    session.new_game()


def clear_board(session, arguments):
    session.game.clear()
    session.new_game()


def komi(session, arguments):
    value = read.number(arguments, 0)
    if abs(value) > limits.KOMI:
        raise GtpError("unacceptable komi")
    session.game.komi = value


def get_komi(session, arguments):
    return f"{session.game.komi:g}"


def set_random_seed(session, arguments):
    seed = read.integer(arguments, 0)
    if abs(seed) >= SEED_LIMIT:
        raise GtpError(read.SYNTAX_ERROR)
    session.seed(seed)


def get_random_seed(session, arguments):
    return str(session.state.seed)


def level(session, arguments):
    session.set_level(read.integer(arguments, 0))


def set_position(session, arguments):
    stones = read.placements(arguments, session.game.size)
    try:
        set_stones(session.game, stones)
    except ValueError:
        raise GtpError("bad vertex list") from None
    session.new_game()


def set_stones(game, stones):
    """Start from the given (colour, point) list; ValueError if the rules of set-up do not allow it."""
    points = [p for _, p in stones]
    if PASS in points or len(set(points)) != len(points):
        raise ValueError("not a list of distinct points")
    game.set_up(stones)


# Moves


def play(session, arguments):
    colour = read.colour(arguments, 0)
    p = read.vertex(arguments, 1, session.game.size)
    make_move(session, colour, p)


def make_move(session, colour, p):
    """Play a move; GtpError if the rules do not allow it."""
    try:
        session.game.play(colour, p)
    except IllegalMove:
        raise GtpError("illegal move") from None


def genmove(session, arguments):
    return format_vertex(generate(session, read.colour(arguments, 0)), session.game.size)


def generate(session, colour, clean_up=False):
    """The player's move, played unless it is RESIGN."""
    p = session.choose(colour, clean_up)
    if p != RESIGN:
        make_move(session, colour, p)
    return p


def reg_genmove(session, arguments):
    p = session.choose(read.colour(arguments, 0), timed=False)
    return format_vertex(p, session.game.size)


def undo(session, arguments):
    take_back(session, 1)


def gg_undo(session, arguments):
    take_back(session, read.integer(arguments, 0) if arguments else 1)


def take_back(session, count):
    """Undo so many moves; GtpError if there are not so many."""
    try:
        session.game.undo(count)
    except ValueError:
        raise GtpError("cannot undo") from None


# Handicap


def fixed_handicap(session, arguments):
    stones = read.integer(arguments, 0)
    require_empty_board(session.game)
    try:
        points = fixed_handicap_points(session.game.size, stones)
    except ValueError:
        raise GtpError("invalid number of stones") from None
    return _place_handicap(session, points)


def place_free_handicap(session, arguments):
    stones = read.integer(arguments, 0)
    require_empty_board(session.game)
    if not 2 <= stones < session.game.size**2:
        raise GtpError("invalid number of stones")
    return _place_handicap(session, free_handicap_points(session.game.size, stones))


def set_free_handicap(session, arguments):
    require_empty_board(session.game)
    size = session.game.size
    points = [read.vertex(arguments, i, size, "bad vertex list") for i in range(len(arguments))]
    if len(points) < 2 or PASS in points or len(set(points)) != len(points):
        raise GtpError("bad vertex list")
    try:
        _place_handicap(session, points)
    except ValueError:
        raise GtpError("bad vertex list") from None


def _place_handicap(session, points):
    session.game.place_handicap(points)
    return vertices(points, session.game.size)


def require_empty_board(game):
    """GtpError if there is a stone on the board."""
    if game.position.empty_count != game.size**2:
        raise GtpError("board not empty")


# The board and its record


def showboard(session, arguments):
    return "\n" + board_text(session.game)


def board_text(game):
    """The position for a human: coordinates, star points, the last move in brackets, captures."""
    size, position = game.size, game.position
    stars = set(star_points(size))
    last = game.moves[-1].point if game.moves else PASS
    letters = "   " + "".join(f" {COLUMNS[col]}" for col in range(size))
    lines = [letters]
    for row in range(size):
        line = f"{size - row:3}"
        for col in range(size):
            p = point(size, col, row)
            before = "(" if p == last else ")" if col and point(size, col - 1, row) == last else " "
            line += before + ("+" if p in stars else ".", "X", "O")[position.colour[p]]
        line += ")" if point(size, size - 1, row) == last else " "
        lines.append(f"{line}{size - row}")
    lines.append(letters)
    lines.append(f"Black (X) has captured {position.black_captures}, White (O) {position.white_captures}.")
    lines.append(f"Komi {game.komi:g}, {game.rules.name} rules, {COLOUR_NAMES[game.to_play]} to play.")
    if game.moves:
        colour, p = game.moves[-1]
        lines.append(f"Move {len(game.moves)}: {COLOUR_NAMES[colour]} {format_vertex(p, size)}.")
    return "\n".join(lines)


def loadsgf(session, arguments):
    from engine.records import record, sgf

    path = read.word(arguments, 0)
    before = None
    if len(arguments) > 1:
        before = read.integer(arguments, 1)
        if before < 1:
            raise GtpError(read.SYNTAX_ERROR)
    game = session.game
    try:
        loaded = record.game_of(sgf.load(path), game.rules, game.komi, None if before is None else before - 1)
    except ValueError:
        raise GtpError("cannot load file") from None
    session.replace_game(loaded)


def printsgf(session, arguments):
    from engine.records import record, sgf

    written = record.record_of(session.game, session.remarks())
    try:
        if not arguments:
            return sgf.dump(written)
        sgf.save(written, arguments[0])
    except ValueError as error:
        raise GtpError(str(error)) from None


# Results


def final_score(session, arguments):
    return result_text(session.game.score(*session.verdict()))


def final_status_list(session, arguments):
    """The stones that are dead, alive or in seki, one chain a line."""
    status = read.word(arguments, 0).lower()
    if status not in ("dead", "alive", "seki"):
        raise GtpError(read.SYNTAX_ERROR)
    position, size = session.game.position, session.game.size
    verdict = session.verdict()
    statuses = dict.fromkeys(verdict.seki, "seki") | dict.fromkeys(verdict.dead, "dead")
    chains = {}
    for p in map(int, board_points(size)):
        if position.colour[p] in (BLACK, WHITE) and statuses.get(p, "alive") == status:
            chains.setdefault(int(position.chain[p]), []).append(p)
    return "\n".join(vertices(points, size) for points in chains.values())


def cputime(session, arguments):
    return f"{cpu_seconds():.3f}"
