"""What matches and ladders print for people: text from the dicts that ``--json`` prints for programs."""

from engine.contest.failure import ENDS

_END_NAMES = {end: end.replace("_", " ") for end in ENDS}
INFINITE = "inf"  # text is plain ASCII: not every terminal, pipe or log can show more


def percent(rate, interval):
    """``63.2% (57.9 to 68.3)``."""
    return f"{100 * rate:.1f}% ({100 * interval[0]:.1f} to {100 * interval[1]:.1f})"


def elo_text(elo, interval):
    """``+94 (+55 to +133)``; an end, or the number itself, that is not limited is infinite."""
    low = f"-{INFINITE}" if interval[0] is None else f"{interval[0]:+.0f}"
    high = f"+{INFINITE}" if interval[1] is None else f"{interval[1]:+.0f}"
    if elo is None:
        elo = low if interval[0] is None else high
    else:
        elo = f"{elo:+.0f}"
    return f"{elo} ({low} to {high})"


def duration(seconds):
    """A short time in the unit that suits it."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def progress(outcomes, games):
    """The line that shows how a match is going."""
    points = sum(outcome.points_of_a for outcome in outcomes)
    share = f", A {100 * points / len(outcomes):.1f}%" if outcomes else ""
    return f"{len(outcomes)} of {games} games{share}"


def match_text(names, settings, outcomes, result):
    """The result of a match in a few lines; ``names`` are those of A and B, ``result`` is its summary."""
    colours = "colours alternate" if settings.black == "alternate" else f"{settings.black} has Black"
    board, rules = f"{settings.size}x{settings.size}", settings.rules.name
    lines = [
        f"A: {names[0]}",
        f"B: {names[1]}",
        f"{result['games']} games on {board}, komi {settings.komi:g}, {rules} rules, {colours}, seed {settings.seed}",
        "",
        f"A won {result['wins']}, lost {result['losses']}, drew {result['draws']}:"
        f" {percent(result['win_rate'], result['ci95'])}",
    ]
    for colour, part in result["by_colour"].items():
        if part["games"]:
            lines.append(
                f"  as {colour.capitalize()} it won {part['wins']}, lost {part['losses']}, drew {part['draws']}:"
                f" {percent(part['win_rate'], part['ci95'])}"
            )
    if outcomes:
        lengths = [outcome.length for outcome in outcomes]
        lines += [
            f"Elo of A less Elo of B: {elo_text(result['elo'], result['elo_ci95'])}",
            f"moves in a game: {result['mean_moves']:.1f} on average, {min(lengths)} to {max(lengths)}",
            f"time for a move: {_times(outcomes, result)}",
            "games ended by: "
            + ", ".join(f"{_END_NAMES[end]} {count}" for end, count in result["ends"].items() if count),
        ]
    return "\n".join(lines)


def _times(outcomes, result):
    if result["seconds_per_move"] is None:
        return "-"
    if any(outcome.seconds_of_a is None for outcome in outcomes):
        return f"{duration(result['seconds_per_move'])} (compiled games)"
    # Black makes the first move, and so the odd one.
    moves = sum((outcome.length + outcome.a_is_black) // 2 for outcome in outcomes)
    others = sum(outcome.length for outcome in outcomes) - moves
    own = sum(outcome.seconds_of_a for outcome in outcomes)
    theirs = sum(outcome.seconds for outcome in outcomes) - own
    return f"A {duration(own / max(1, moves))}, B {duration(theirs / max(1, others))}"


def columns(rows, left=1):
    """Rows of text under each other; the first ``left`` columns stand left, the others, of numbers, right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [c.ljust(w) if i < left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def ladder_text(table):
    """The Elo table and the cross table of a ladder."""
    ranking = [row["player"] for row in table["players"]]
    ratings = [("player", "Elo", "95%", "games", "score")]
    for row in table["players"]:
        elo, interval = elo_text(row["elo"], row["elo_ci95"]).split(" ", 1)
        score = "-" if row["score"] is None else f"{100 * row['score']:.1f}%"
        interval = "anchor" if row["player"] == table["anchor"] else interval
        ratings.append((row["player"], elo, interval, str(row["games"]), score))
    points = {}
    for pair in table["pairs"]:
        if pair["games"]:
            share = (pair["wins"] + pair["draws"] / 2) / pair["games"]
            points[pair["a"], pair["b"]], points[pair["b"], pair["a"]] = share, 1 - share
    cross = [("score against", *(str(place + 1) for place in range(len(ranking))))]
    for place, player in enumerate(ranking):
        shares = (points.get((player, other)) for other in ranking)
        cross.append((f"{place + 1} {player}", *("-" if s is None else f"{100 * s:.1f}%" for s in shares)))
    text = f"{columns(ratings)}\n\n{columns(cross)}"
    if not table["maximum_likelihood"]:
        text += (
            "\n\nSome players never lost a point to the others, so that no finite ratings fit the games best; the"
            "\nratings above count one drawn game more for each player. The intervals come from the games alone."
        )
    return text
