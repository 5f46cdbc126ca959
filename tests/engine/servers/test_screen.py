"""One line that changes, and lines above it that stay."""

from io import StringIO, UnsupportedOperation

from engine.servers.screen import Screen

CLEAR = "\r\x1b[K"


class Terminal(StringIO):
    def isatty(self):
        return True

    def fileno(self):
        raise UnsupportedOperation  # an OSError


class Closed(StringIO):
    def write(self, text):
        raise BrokenPipeError


def test_elsewhere_there_are_only_lines_that_stay():
    remarks, results = StringIO(), StringIO()
    screen = Screen(remarks, results)
    screen.watch(lambda: "status")
    screen.say("a remark")
    screen.tell("a result")
    screen.refresh()
    screen.close()
    assert remarks.getvalue() == "a remark\n" and results.getvalue() == "a result\n"


def test_on_a_terminal_the_line_makes_room():
    terminal, texts = Terminal(), ["one"]
    screen = Screen(terminal, terminal)
    screen._make_text = lambda: texts[-1]  # without the clock that refreshes it
    screen.refresh()
    screen.say("a remark")
    texts.append("two" * 100)
    screen.tell("a result\n")
    screen.close()
    screen.refresh()
    screen.say("the end")
    long = ("two" * 100)[:79]
    assert terminal.getvalue() == (
        f"{CLEAR}one{CLEAR}a remark\n{CLEAR}one{CLEAR}a result\n{CLEAR}{long}{CLEAR}{CLEAR}the end\n"
    )


def test_nobody_reads_it():
    screen = Screen(Closed(), Closed())
    screen.say("a remark")
    screen.tell("a result")
