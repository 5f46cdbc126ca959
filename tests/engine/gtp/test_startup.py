"""What a human at a terminal is told before anything is loaded."""

import pytest

from engine.gtp.startup import Settings, _greet


class Said(list):
    """Notices that are kept."""

    say = list.append


@pytest.mark.parametrize(
    "command, gogui, sabaki",
    [
        (["/bin/evogo"], "command /bin/evogo", "path /bin/evogo, no arguments"),
        (
            ["/my programs/python", "gtp_main.py", "--player", "wally,randomness=0.1", "--name", "a b"],
            "command '/my programs/python' gtp_main.py --player wally,randomness=0.1 --name 'a b'",
            "path /my programs/python, arguments gtp_main.py --player wally,randomness=0.1 --name 'a b'",
        ),
    ],
)
def test_each_client_is_given_what_its_fields_want(command, gogui, sabaki):
    said = Said()
    _greet(Settings(load=None, command=command), said)
    assert [line.endswith(f", {gogui}") for line in said].count(True) == 1
    assert [line.endswith(f", {sabaki}") for line in said].count(True) == 1
