"""The pages of ``show`` in a real browser: buttons, sliders, downloads and hover, wide and narrow, light and dark.

Skipped where no Chromium is installed.
"""

import time

import pytest

import gtp_main
from engine.records import sgf
from players import kinds
from players.registry import champions
from tests.peers.browser import PATIENCE, Browser, find_browser

pytestmark = pytest.mark.skipif(find_browser() is None, reason="needs Chromium")

TOY = "tests.players.training.toy.trainer:Trainer"
LEAST_TEXT = 12  # pixels
WIDTHS = (1280, 390)

SMALL_TEXT = f"""(() => {{
  const small = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {{
    const node = walker.currentNode, at = node.parentElement;
    if (!node.nodeValue.trim() || at.closest("script, style") || !at.checkVisibility()) continue;
    const scale = at.ownerSVGElement ? at.getScreenCTM().a : 1;
    const pixels = parseFloat(getComputedStyle(at).fontSize) * scale;
    if (pixels < {LEAST_TEXT} - 0.01) small.push(`${{node.nodeValue.trim().slice(0, 40)}}: ${{pixels}}`);
  }}
  return small;
}})()"""

CLIPPED_LABELS = """(() => {
  const clipped = [];
  for (const chart of document.querySelectorAll("svg.chart")) {
    if (!chart.checkVisibility()) continue;
    const [, , width, height] = chart.getAttribute("viewBox").split(" ").map(Number);
    for (const text of chart.querySelectorAll("text")) {
      const box = text.getBBox();
      if (box.x < -0.5 || box.y < -0.5 || box.x + box.width > width + 0.5 || box.y + box.height > height + 0.5)
        clipped.push(text.textContent);
    }
  }
  return clipped;
})()"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of a small run, with curves, sliders and games."""
    folder = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(kinds.PACKAGES, "toy", "tests.players.training.toy")
        assert gtp_main.main(["train", TOY, "--quiet", "--out", str(folder / "a.json")]) == 0
        assert gtp_main.main(["show", str(folder / "a.run"), "--html", str(folder / "a.html")]) == 0
    return folder / "a.html"


@pytest.fixture(scope="module")
def gallery(tmp_path_factory):
    """The page of all champions that ship."""
    path = tmp_path_factory.mktemp("gallery") / "gallery.html"
    assert gtp_main.main(["show", "models", "--html", str(path)]) == 0
    return path


@pytest.fixture
def browser(tmp_path):
    with Browser(downloads=tmp_path) as one:
        yield one
        assert one.errors == []


def said(browser, selector):
    return browser.ask(f"document.querySelector({selector!r}).textContent")


def value(browser, selector):
    return browser.ask(f"Number(document.querySelector({selector!r}).value)")


def check_layout(browser):
    """Nothing is wider than the window, too small to read, or cut off."""
    assert browser.ask("document.documentElement.scrollWidth <= innerWidth")
    assert browser.ask(SMALL_TEXT) == []
    assert browser.ask(CLIPPED_LABELS) == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_fits_and_can_be_read(browser, page, width, dark):
    browser.open(page, width, dark=dark)
    check_layout(browser)
    light = browser.ask("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).reduce((a, b) => a + Number(b), 0)")
    assert light < 150 if dark else light > 600
    assert browser.ask("[...document.querySelectorAll('.both')].every(box => "
                       "[...box.querySelectorAll('svg')].filter(one => one.checkVisibility()).length === 1)")  # fmt: skip


def test_a_game_plays_by_itself(browser, page):
    browser.open(page)
    last = browser.ask("Number(document.querySelector('.viewer input').max)")
    assert value(browser, ".viewer input") == last > 5
    browser.press(".viewer button[aria-label=first]")
    assert value(browser, ".viewer input") == 0
    browser.press(".viewer .play")
    assert said(browser, ".viewer .play") == "❚❚"
    browser.wait("Number(document.querySelector('.viewer input').value) >= 3")
    browser.press(".viewer .play")
    held = value(browser, ".viewer input")
    assert said(browser, ".viewer .play") == "▶"
    assert browser.ask(f"new Promise(done => setTimeout(() => done("
                       f"Number(document.querySelector('.viewer input').value) === {held}), 900))")  # fmt: skip
    browser.press(".viewer button[aria-label=last]")
    browser.press(".viewer .play")  # from the end it starts again
    browser.wait(f"Number(document.querySelector('.viewer input').value) < {last}")
    browser.wait(f"Number(document.querySelector('.viewer input').value) === {last}", 10 * PATIENCE)
    assert said(browser, ".viewer .play") == "▶"


def test_a_game_is_gone_through_by_hand(browser, page):
    browser.open(page)
    browser.press(".viewer li:nth-child(2)")
    moves = browser.ask("Number(document.querySelector('.viewer input').max)")
    for press, at in (
        (lambda: browser.press(".viewer button[aria-label=back]"), moves - 1),
        (lambda: browser.key("ArrowLeft"), moves - 2),
        (lambda: browser.press(".viewer .board"), moves - 1),
        (lambda: browser.press(".viewer button[aria-label=first]"), 0),
        (lambda: browser.press(".viewer input", 0.5), moves // 2),
    ):
        press()
        assert abs(value(browser, ".viewer input") - at) <= (2 if at == moves // 2 else 0)
        assert said(browser, ".viewer dd").startswith(f"{value(browser, '.viewer input')} of {moves}")


def test_a_game_can_be_downloaded(browser, page, tmp_path):
    browser.open(page)
    size, moves = browser.ask(
        "(() => { const game = JSON.parse(document.querySelector('script.games').textContent)[0];"
        "return [game.size, game.moves.length]; })()"
    )
    browser.press(".download")
    found = wait_for_file(tmp_path)
    record = sgf.parse(found.read_text())
    assert record.size == size and len(record.moves) == moves and record.black_name == "toy"


def wait_for_file(folder):
    """The file that a download has made, once it is whole."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        done = list(folder.glob("*.sgf"))
        if done and done[0].read_bytes().endswith(b")\n"):
            return done[0]
        time.sleep(0.05)
    raise AssertionError("nothing was downloaded")


def test_a_slider_starts_at_the_champion_and_plays(browser, page):
    browser.open(page)
    shown = "[...document.querySelectorAll('.frames .frame')].findIndex(one => !one.hidden)"
    last = browser.ask("Number(document.querySelector('.frames input').max)")
    assert last > 0 and value(browser, ".frames input") == last == browser.ask(shown)
    assert said(browser, ".frames output").startswith("generation ")
    champion = said(browser, ".frames output")
    browser.press(".frames input", 0.01)
    assert browser.ask(shown) == value(browser, ".frames input") == 0 and said(browser, ".frames output") != champion
    browser.press(".frames .play")
    browser.wait(f"Number(document.querySelector('.frames input').value) === {last}")
    assert said(browser, ".frames output") == champion and browser.ask(shown) == last


def test_a_hand_on_a_chart_reads_its_values(browser, page):
    browser.open(page)
    browser.hover(".plot svg.first", 0.6, 0.4)
    browser.wait("!document.getElementById('tip').hidden")
    told = said(browser, "#tip").split("\n")
    assert told[0].startswith("generation ") and told[1].startswith("best: ") and told[2].startswith("mean: ")
    assert browser.ask("document.querySelector('.plot svg.first .cursor').getAttribute('visibility')") == "visible"
    browser.hover("h1")
    browser.wait("document.getElementById('tip').hidden")


def test_the_gallery(browser, gallery):
    for width in WIDTHS:
        browser.open(gallery, width)
        check_layout(browser)
    names = browser.ask("[...document.querySelectorAll('.champion > h2')].map(one => one.textContent)")
    assert names == sorted(champions())
    browser.open(gallery)
    boards = browser.ask("[...document.querySelectorAll('.together')].map(one => one.querySelectorAll('svg.board').length)")
    assert len(boards) == 3 and min(boards) >= 5
    assert value(browser, ".together input") == 4
    browser.press(".together .play")
    browser.wait("Number(document.querySelector('.together input').value) > 6")
    browser.press(".together .play")
    assert said(browser, ".together output").startswith("move ")
    browser.hover(".panels svg[data-values]", 0.5, 0.5)
    browser.wait("/^[A-J][1-9]: /.test(document.getElementById('tip').textContent)")
    browser.press("nav a:last-child")
    browser.wait("document.querySelector('.champion:last-of-type').getBoundingClientRect().top < 60")
