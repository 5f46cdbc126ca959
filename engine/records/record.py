"""Between a game and its record: what ``loadsgf`` and ``printsgf`` need to know about both."""

import datetime

from engine.go.board import BLACK, EMPTY, WHITE, board_points
from engine.go.game import Game
from engine.records.sgf import GameRecord, Node


def game_of(record, rules, komi, moves=None):
    """The game in a record after its first ``moves`` moves (all if not said), under ``rules``.

    ``komi`` is for a record that says none.

    ValueError if the record holds what the rules do not allow.
    """
    game = Game(record.size, komi if record.komi is None else record.komi, rules)
    black, white = record.nodes[0].add_black, record.nodes[0].add_white
    white_begins = record.nodes[0].to_play in (None, WHITE)
    if record.handicap >= 2 and record.handicap == len(black) and not white and white_begins:
        game.place_handicap(black)
    else:
        _set_up(game, record.nodes[0], _first_mover(record))
    for node in record.nodes[1:]:
        if node.has_setup:
            _set_up(game, node, game.to_play)
        if node.move:
            if moves == 0:
                break
            if moves is not None:
                moves -= 1
            game.play(*node.move)
    return game


def record_of(game, remarks=None):
    """The record of a game, with the date of today; ``remarks`` are comments by the number of the move, from 0."""
    root = Node(
        add_black=[p for colour, p in game.stones if colour == BLACK],
        add_white=[p for colour, p in game.stones if colour == WHITE],
        to_play=game.first if game.first == WHITE else None,
    )
    remarks = remarks or {}
    moves = enumerate(game.moves)
    nodes = [root, *(Node(move=(move.colour, move.point), comment=remarks.get(number, "")) for number, move in moves)]
    return GameRecord(
        size=game.size,
        komi=float(game.komi),
        rules=game.rules.name,
        handicap=game.handicap,
        date=datetime.date.today().isoformat(),
        nodes=nodes,
    )


def _first_mover(record):
    moves = record.moves
    return moves[0][0] if moves else BLACK


def _set_up(game, node, first):
    """Change stones in the middle of a game: it starts again from there."""
    stones = {int(p): int(game.position.colour[p]) for p in board_points(game.size)}
    stones.update(dict.fromkeys(node.add_black, BLACK))
    stones.update(dict.fromkeys(node.add_white, WHITE))
    stones.update(dict.fromkeys(node.add_empty, EMPTY))
    game.set_up([(colour, p) for p, colour in stones.items() if colour != EMPTY], node.to_play or first)
