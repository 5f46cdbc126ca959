"""``show --html``: a run or a genome as one page that needs nothing but a browser.

Everything is inside the file: curves and pictures as SVG, the games as data for a small board viewer, style and script.
"""

from html import escape

from players.show.charts import number_text
from players.show.claims import strongest_claims
from players.show.curves import curve_cards
from players.show.parts import card, cards, document, game_viewer, picture_card, table, tiles
from players.show.text import RESULT_HEADS, config_rows, result_rows, sizes_text
from players.training.progress import duration


def _claim_tiles(champion):
    return [(f"{claim.rate:.1%}", claim.headline, claim.details) for claim in strongest_claims(champion)]


def champion_tiles(champion):
    """What a champion can claim and where it comes from, as rows of tiles."""
    rows = _claim_tiles(champion)
    if champion.generation:
        found = number_text(champion.generation)
        rows.append((found, "generation in which it was found", f"plays {sizes_text(champion.sizes)}"))
    return rows


def _tiles(subject):
    champion, rows, found = subject.champion, [], "no champion yet"
    if champion is not None:
        rows = _claim_tiles(champion) if subject.log else champion_tiles(champion)
        found = f"champion found in generation {number_text(champion.generation)}, plays {sizes_text(champion.sizes)}"
    if subject.log:
        last = subject.log[-1]
        board = f", on {last['size']}×{last['size']}" if "size" in last else ""
        rows.append((number_text(last["generation"]), f"generations so far{board}", found))
    if subject.timing:
        seconds = sum(entry["seconds"] for entry in subject.timing)
        games = sum(entry["games"] for entry in subject.timing)
        speed = f"in {duration(seconds)}, {games / max(seconds, 1e-9):,.0f} a second"
        rows.append((number_text(games), "games played", speed))
    return tiles(rows)


def _games(subject):
    records = subject.ask_viewer("games", subject.champion)
    if not records:
        return ""
    return card("Games", game_viewer(records), "Click the board, use the arrow keys, or let it play.", "wide")


def _tables(subject):
    if subject.champion is not None and subject.champion.results:
        yield card("Results", table(RESULT_HEADS, result_rows(subject.champion)), kind="wide")
    structure = subject.ask_viewer("describe", subject.champion)
    if structure:
        yield card("Structure", f"<pre>{escape(structure)}</pre>", kind="wide")
    rows = config_rows(subject)
    if rows:
        listed = table(("parameter", "value", "source", "meaning"), rows, "config")
        yield f'<section class="card wide"><details><summary><h2>Configuration</h2></summary>{listed}</details></section>'


def page(subject):
    """The whole page as text."""
    seed = subject.config.get("seed")
    about = f"{subject.kind}{f', seed {seed}' if seed is not None else ''}"
    large, small = curve_cards(subject)
    pictures = [picture_card(one) for one in subject.ask_viewer("pictures", subject.champion, subject.champions) or []]
    lead = getattr(subject.viewer, "ABOUT", "")
    body = [
        f'<p class="lead">{escape(lead)}</p>' if lead else "",
        _tiles(subject),
        cards(large, "large"),
        cards(small),
        cards(pictures, "large"),
        cards(list(filter(None, [_games(subject)]))),
        cards(list(_tables(subject))),
    ]
    return document(subject.name, about, "".join(body))
