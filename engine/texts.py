"""Text from outside as a terminal may see it, and words that depend on what stands beside them."""

import re

_SPOKEN_VOWEL = re.compile(r"[aeiou]|8|1[18](?!\d)", re.IGNORECASE)  # eight, eleven and eighteen among the numbers


def printable(text):
    """``text`` on one line, with an escape like ``\\x1b`` for each character that is not to be seen.

    A file can hold, or have for its name, what makes a terminal do things.
    """
    text = str(text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shortened(text, most=40):
    """What a message quotes of a text that may be of any length."""
    text = printable(text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def with_article(text):
    """``a hyperneat genome``, ``an organism``, ``a 9x9 board``, ``an 11x11 board``."""
    return f"{'an' if _SPOKEN_VOWEL.match(text) else 'a'} {text}"
