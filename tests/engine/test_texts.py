"""Words beside words."""

import pytest

from engine.texts import with_article


@pytest.mark.parametrize(
    "text, article",
    [
        ("hyperneat genome", "a"),
        ("organism genome", "an"),
        ("isn genome", "an"),
        ("9x9 board", "a"),
        ("8x8 board", "an"),
        ("11x11 board", "an"),
        ("18x18 board", "an"),
        ("10x10 board", "a"),
        ("110", "a"),
        ("", "a"),
    ],
)
def test_articles(text, article):
    assert with_article(text) == f"{article} {text}"
