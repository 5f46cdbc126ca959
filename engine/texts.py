"""Text from outside as a terminal may see it."""


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
