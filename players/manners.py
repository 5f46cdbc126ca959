"""Manners: one layer around any player that makes it fit for company, whatever it answers.

The rules, in the order in which they are asked:
    1. A pass is answered by a pass when the game is won as it stands.
    2. A game that goes on for ever is ended, at first only if that does not lose.
    3. In clean-up, dead enemy stones are taken before anything else.
    4. The player's move stands if it is legal, fills no own eye and is not inside territory that is settled for ever.
       Late in the game, or when somebody has passed, it must also have some use left.
    5. If the player passes, or its move does not stand, a useful move is looked for: by the player's own policy if it
       has one, by playouts if not. Only if there is none is it a pass.
    6. Resign instead, when the player itself has long seen no hope (and resigning is switched on): what it thought of
       the position when it chose its move is asked for, and nothing is thought twice.

What is useful depends on the rules (see ``players.outlook``): when all stones count in the end, dead ones have to be
captured; under territory rules a stone inside one's own territory costs a point.

All of it happens within the budget of the move. The player has it all as long as its move is sure to stand; when the move
must show its use, the player is given most of it and playouts the rest. With no time left the playouts are so few, and the
player's move so quick, that a move is there at once.
"""

import logging
import operator

import numpy as np

from engine.contest.player import AT_ONCE, Budget, Wrapped
from engine.go.board import BLACK, PASS, RESIGN
from players.outlook import Outlook

# Lengths are in moves for each point of the board. Random games that fill the board take about 1.4.
LATE_AFTER = 1.5  # from here on moves must have a use
LONG_GAME = 2.5  # from here on it passes whenever that does not lose
ENDLESS_GAME = 5.0  # from here on it passes, whatever the result

USUAL_RESIGN = 0.05  # the winrate below which a person's opponent gives up
HOPELESS_MOVES = 3  # own moves in a row without hope before it resigns: one evaluation may be wrong
PLAYER_SHARE = 0.7  # of the time is the player's when its move must show its use: playouts take the rest

RESIGN_AFTER = 1 / 3  # no resignation before so many moves for each point …
HANDICAP_RESIGN_AFTER = 2 / 3  # … and with a handicap, which is there to look hopeless at first

# A player that stumbles over one position is helped out; one that is gone (OSError, …) is not.
_STUMBLES = (ValueError, TypeError, ArithmeticError, LookupError)

_log = logging.getLogger(__name__)


class Manners(Wrapped):
    """``player`` with manners. ``resign`` is the winrate below which it sees no hope, or None never to resign.

    With ``by_search`` only a player that looks ahead is believed when it sees none. Everything but choosing moves is the
    player's own.
    """

    leaves_dead_stones = True

    def __init__(self, player, resign=None, by_search=False):
        super().__init__(player)
        self.resign = resign
        self._by_search = by_search
        self._hopeless = {}  # by colour: (moves played when it was last asked, own moves in a row without hope)
        self._reason = None  # why the last move is not the player's

    def explain(self):
        """Why the last move was chosen: what manners had to say, else what the player says."""
        return self._reason or self.player.explain()

    def choose(self, game, colour, budget=None):
        """A legal move, PASS or RESIGN."""
        budget = budget or Budget()
        outlook = Outlook(game, colour, game.rules.all_alive, budget)
        self._reason = self._reason_to_pass(outlook)
        if self._reason:
            return PASS
        chosen = self._move(outlook, budget)
        if self._has_given_up(game, colour):
            self._reason = "no hope left"
            return RESIGN
        return chosen

    def choose_cleanup(self, game, colour, budget=None):
        """A legal move or PASS when play goes on to take dead stones off: no pass while the enemy has any."""
        budget = budget or Budget()
        outlook = Outlook(game, colour, True, budget)
        if len(game.moves) < ENDLESS_GAME * game.size**2 and outlook.hunting_moves:
            self._reason = "taking dead stones"
            return outlook.best(outlook.hunting_moves) or outlook.hunting_moves[0]
        self._reason = self._reason_to_pass(outlook)
        return PASS if self._reason else self._move(outlook, budget)

    # The rules

    def _reason_to_pass(self, outlook):
        """Why to pass before the player is even asked, or None."""
        game = outlook.game
        length = len(game.moves) / game.size**2
        if length >= ENDLESS_GAME:
            return "the game has gone on long enough"
        if _was_pass(game, 3 - outlook.colour) and outlook.score > 0 and (outlook.all_alive or not outlook.is_open):
            return "the game is won as it stands"
        if length >= LONG_GAME and outlook.score >= 0:
            return "a long game, and not lost as it stands"
        return None

    def _has_given_up(self, game, colour):
        """Whether the player has now seen no hope for HOPELESS_MOVES own moves in a row; keeps count."""
        played = len(game.moves)
        if self.resign is None or played < (HANDICAP_RESIGN_AFTER if game.handicap else RESIGN_AFTER) * game.size**2:
            return False
        winrate = self._asked(self._winrate, game, colour)
        if winrate is None:
            return False
        last, count = self._hopeless.get(colour, (None, 0))
        if last is None or played != last + 2:  # another game, or moves were taken back
            count = 0
        count = count + 1 if winrate < self.resign else 0
        self._hopeless[colour] = played, count
        return count >= HOPELESS_MOVES

    def _winrate(self, game, colour):
        """The chance of winning that the player gives itself, or None if it cannot say, or not by a search though it must."""
        if self._by_search and self.player.variations(game, colour, AT_ONCE) is None:
            return None
        evaluation = self.player.evaluate(game, AT_ONCE)
        if evaluation is None:
            return None
        return float(evaluation.winrate if colour == BLACK else 1 - evaluation.winrate)

    def _move(self, outlook, budget):
        """The player's move if it stands, else one that is found for it, else PASS."""
        game, colour = outlook.game, outlook.colour
        late = len(game.moves) > LATE_AFTER * game.size**2 or _was_pass(game, 3 - colour)
        own = budget.part(PLAYER_SHARE if late or outlook.may_be_late else 1.0)
        wish = _as_point(self._asked(self.player.choose, game, colour, own), outlook.notes.size)
        if wish is not None:
            if outlook.suits(wish) and not late and not outlook.is_late_for(wish) or outlook.serves(wish):
                return wish
        found = self._find(outlook)
        if found == PASS:
            self._reason = "nothing useful is left to play"
        else:
            self._reason = "it is too early to pass" if wish is None else "the player's choice was of no use"
        return found

    def _find(self, outlook):
        """A useful move, or PASS if there is none."""
        useful = np.flatnonzero(outlook.useful)
        if useful.size == 0:
            return PASS
        choice = self._asked(self._by_policy, outlook, useful)
        return outlook.best(useful) if choice is None else choice

    def _by_policy(self, outlook, points):
        """The point that the player itself likes best, or None if it has no opinion."""
        policy = self.player.policy(outlook.game, outlook.colour)
        if policy is None:
            return None
        liking = np.asarray(policy, float)[points]
        return None if np.isnan(liking).all() else int(points[np.nanargmax(liking)])

    def _asked(self, method, *arguments):
        """What the player answers, or None if it fails over this position."""
        try:
            return method(*arguments)
        except _STUMBLES as error:
            _log.warning("%s: %s failed and is done without: %s", self.name, method.__name__.strip("_"), error)
            _log.debug("where it failed", exc_info=True)
            return None


def _was_pass(game, colour):
    """Whether the last move was a pass of ``colour``."""
    return bool(game.moves) and game.moves[-1] == (colour, PASS)


def _as_point(answer, cells):
    """A point that may be on the board, or None for a pass, resignation or nonsense."""
    try:
        p = operator.index(answer)
    except TypeError:
        return None
    return p if PASS < p < cells else None
