"""The GTP commands of GoGui: set-up, sequences of moves, and the pictures that it draws.

``gogui-analyze_commands`` is GoGui's menu. It offers what the loaded player can show, and the player's own views
(see ``engine.contest.player.View``) after that.
"""

import numpy as np

from engine.contest.player import AT_ONCE
from engine.go.board import EMPTY, PASS, RESIGN, board_points, count_liberties
from engine.go.game import result_text
from engine.gtp import arguments as read
from engine.gtp.analyze import analyse, policy_shares
from engine.gtp.commands import make_move, require_empty_board, set_stones, vertices
from engine.gtp.graphics import drawn_visits, shade
from engine.gtp.protocol import GtpError
from engine.records.vertex import COLOUR_NAMES, format_vertex

NO_POLICY = "this player has no policy"
NO_EVALUATION = "this player has no evaluation"
NO_SEARCH = "no move has been asked for yet"


# Set-up


def gogui_setup(session, arguments):
    stones = read.placements(arguments, session.game.size)
    require_empty_board(session.game)
    try:
        set_stones(session.game, stones)
    except ValueError:
        raise GtpError("bad vertex list") from None


def gogui_setup_player(session, arguments):
    colour = read.colour(arguments, 0)
    game = session.game
    if game.moves:
        raise GtpError("board not empty")
    if colour != game.first:
        game.set_up(game.stones, colour)


def gogui_play_sequence(session, arguments):
    for colour, p in read.placements(arguments, session.game.size):
        make_move(session, colour, p)


# Pictures


def gogui_analyze_commands(session, arguments):
    game = session.game
    menu = []
    if session.player.policy(game.copy(), game.to_play) is not None:
        menu += ["cboard/Policy Heat Map/evogo-policy %m", "pspairs/Policy Numbers/evogo-policy_numbers %m"]
    if session.evaluation(game, AT_ONCE) is not None:
        menu += ["string/Evaluation/evogo-evaluation"]
    menu += [
        "dboard/Ownership/evogo-ownership",
        "plist/Legal Moves/evogo-legal %m",
        "sboard/Liberties/evogo-liberties",
        "gfx/Last Search/evogo-last_search",
        "hstring/Explain Last Move/gomill-explain_last_move",
    ]
    menu += [f"{view.kind}/{view.label.replace('/', ' ')}/{view.command}" for view in session.menu]
    return "\n".join(menu)


def evogo_policy(session, arguments):
    """A heat map: the colour of each point the player would consider, from cold to hot."""
    points, shares = _policy(session, arguments)
    highest = shares.max(initial=0.0) or 1.0
    heat = dict(zip(points, shares / highest))
    return board_rows(session.game.size, lambda p: shade(heat[p]) if p in heat else '""')


def evogo_policy_numbers(session, arguments):
    points, shares = _policy(session, arguments)
    size = session.game.size
    return " ".join(f"{format_vertex(p, size)} {share:.2f}" for p, share in zip(points, shares))


def _policy(session, arguments):
    game = session.game
    colour = read.colour(arguments, 0) if arguments else game.to_play
    policy = session.player.policy(game.copy(), colour)
    if policy is None:
        raise GtpError(NO_POLICY)
    points = [int(p) for p in game.legal_points(colour) if not np.isnan(policy[p])]
    return points, policy_shares(policy, points) if points else np.zeros(0)


def evogo_ownership(session, arguments):
    owner = np.clip(np.nan_to_num(session.ownership()), -1, 1) + 0.0  # no -0.000
    return board_rows(session.game.size, lambda p: f"{owner[p]:.3f}")


def evogo_evaluation(session, arguments):
    evaluation = session.evaluation(session.game)
    if evaluation is None:
        raise GtpError(NO_EVALUATION)
    score = round(evaluation.score, 1)
    return f"{result_text(score)}, Black wins {100 * evaluation.winrate:.0f} of 100 games"


def evogo_legal(session, arguments):
    game = session.game
    colour = read.colour(arguments, 0) if arguments else game.to_play
    return vertices(game.legal_points(colour), game.size)


def evogo_liberties(session, arguments):
    position = session.game.position
    return board_rows(
        session.game.size, lambda p: '""' if position.colour[p] == EMPTY else str(count_liberties(position, p))
    )


def evogo_last_search(session, arguments):
    """The last move that was asked for, and the moves that the player thought of besides."""
    search = session.state.last_search
    if search is None:
        raise GtpError(NO_SEARCH)
    size = search.game.size
    chosen = format_vertex(search.point, size)
    analysis = analyse(session, search.game, search.colour)
    lines = drawn_visits({c.point: c.visits for c in analysis.candidates}, size) if analysis else []
    if search.point not in (PASS, RESIGN):
        lines.append(f"CIRCLE {chosen}")
    about = f"TEXT {COLOUR_NAMES[search.colour]} {chosen} after {search.seconds:.2f} s"
    if analysis:
        about += f", winrate {100 * analysis.winrate:.0f}%, score {analysis.score:+.1f}"
    return "\n".join([*lines, about])


def board_rows(size, text):
    """``text(point)`` for every point: rows from the top, points from the left."""
    points = board_points(size).reshape(size, size)
    return "\n".join(" ".join(text(int(p)) for p in row) for row in points)
