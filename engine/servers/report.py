"""What is told of games on a server: the status line, a line for each game, and the table at the end.

Names come from the server, and are shown as a terminal may see them.
"""

from engine.contest.report import columns
from engine.servers.games import DRAWN, LOST, UNKNOWN, WON
from engine.servers.lines import BLACK, WHITE
from engine.texts import shortened

WIDTH = 79  # columns of the status line: what any terminal has, and the cursor behind it
SHORTEST_NAME = 6  # of an opponent, however much else there is to say
LONGEST_NAME = 18  # that CGOS allows
LONGEST_RATING = 6


def clock(seconds):
    """``4:12`` or ``1:02:03``."""
    seconds = max(0, int(seconds))
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def of_all(number, games):
    """``12/100``, or ``12`` if nobody said how many."""
    return f"{number}/{games}" if games else str(number)


def rating(program):
    return shortened(program.rating or "-", LONGEST_RATING)


def playing(title, game, since_move):
    """The status line of a game under way; the clock of the side to move has run for so many seconds."""
    left = {colour: left - since_move * (colour == game.to_move) for colour, left in game.clocks.items()}
    other = WHITE if game.colour == BLACK else BLACK
    begin = f"{title}: {game.colour} v "
    end = f" {rating(game.opponent)} (own {rating(game.own)})  {clock(left[game.colour])} v {clock(left[other])}"
    if game.winrate is not None:
        end += f"  win {game.winrate:.0%}"
    room = max(SHORTEST_NAME, WIDTH - len(begin) - len(end))
    return begin + shortened(game.opponent.name, room) + end


def waiting(number, games, played, said):
    """The status line between games; ``said`` is what the server said last."""
    won = f", {sum(game.outcome == WON for game in played)} of {len(played)} won" if played else ""
    return f"waiting for game {of_all(number, games)}{won}" + (f" ({shortened(said, WIDTH)})" if said else "")


def result(title, game):
    """A line about a game that is over."""
    told = f"{game.result}, {game.outcome}" if game.result else "its end was not seen"
    who = f"{shortened(game.opponent.name, LONGEST_NAME)} {rating(game.opponent)}"
    return f"{title}: {game.colour} v {who}: {shortened(told)} ({len(game.moves)} moves, number {shortened(game.number)})"


def table(games):
    """All games by opponent, and what they add up to."""
    if not games:
        return "no games were played"
    opponents = {}
    for game in games:
        opponents.setdefault(game.opponent.name, []).append(game)
    rows = [("opponent", "rating", "games", "won", "lost", "drawn", "unknown", "as black", "as white")]
    for name, played in sorted(opponents.items(), key=lambda item: -len(item[1])):
        rows.append((shortened(name, LONGEST_NAME), rating(played[-1].opponent), *_counts(played)))
    rows.append(("all", "", *_counts(games)))
    lines = [columns(rows)]
    first, last = rating(games[0].own), rating(games[-1].own)
    lines.append(f"own rating: {first}" if first == last else f"own rating: {first} at first, {last} in the last game")
    for end, words in (("Time", "on time"), ("Illegal", "by an illegal move")):
        count = sum(game.lost_by(end) for game in games)
        if count:
            lines.append(f"lost {words}: {count}")
    return "\n".join(lines)


def _counts(games):
    outcomes = [game.outcome for game in games]
    of_colour = [[game for game in games if game.colour == colour] for colour in (BLACK, WHITE)]
    return (
        str(len(games)),
        *(str(outcomes.count(outcome)) for outcome in (WON, LOST, DRAWN, UNKNOWN)),
        *(f"{sum(game.outcome == WON for game in part)} of {len(part)}" for part in of_colour),
    )
