"""How a player can fail, for whoever runs its games.

These are defined here, below the players, because a match must tell a player that lost its game by failing from a
mistake in the program itself.
"""

# The ways in which a game of a match ends.
TWO_PASSES, RESIGN, MOVE_LIMIT = "two_passes", "resign", "move_limit"
ILLEGAL_MOVE, CRASH, TIME = "illegal_move", "crash", "time"
ENDS = (TWO_PASSES, RESIGN, MOVE_LIMIT, ILLEGAL_MOVE, CRASH, TIME)


class CannotPlay(ValueError):
    """There is no game to be had: no such player, not on this board, …; the message is one line for the user."""


class PlayerFailure(Exception):
    """A player broke down during a game and loses it; the message is one line that says how.

    ``end`` is ILLEGAL_MOVE (its answer names no move), TIME, or CRASH (it died, or broke the protocol).
    """

    def __init__(self, end, message):
        super().__init__(message)
        self.end = end
