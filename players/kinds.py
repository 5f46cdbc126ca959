"""The kinds of learned players, each in a package of its own that is imported only when it is needed.

The package of a kind holds, under these names:

``trainer.py``  class ``Trainer`` (see ``players.training.trainer``)
``player.py``   ``load_player(genome) -> Player``
``viewer.py``   how ``show`` draws a genome (see ``players.show.views``)
"""

import importlib

PACKAGES = {
    "hyperneat": "players.hyperneat",
    "sane": "players.sane",
    "organism": "players.organism",
    "isn": "players.isn",
    "playout": "players.playout",
    "onnx": "players.foreign",
}
_NOT_TRAINED = ("onnx", "playout")  # networks of others are played, not made here; playout weights are set by hand so far
TRAINED = tuple(kind for kind in PACKAGES if kind not in _NOT_TRAINED)


class UnknownKind(ValueError):
    """No such kind of player, or none with that part; the message is one line that says so."""


def part(kind, name):
    """The module ``name`` of the package of ``kind``; UnknownKind if there is none."""
    if kind not in PACKAGES:
        raise UnknownKind(f"unknown kind of player {kind!r} (there are: {', '.join(PACKAGES)})")
    module = f"{PACKAGES[kind]}.{name}"
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise UnknownKind(f"there is no {name} for players of kind {kind}") from None


def named_object(text):
    """The object that ``module:name`` stands for; ValueError, in one line, if there is none."""
    module, colon, name = text.partition(":")
    if not (module and colon and name):
        raise ValueError(f"{text!r} is not of the form module:name")
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        raise ValueError(f"cannot import {module}: {error}") from None
    try:
        for attribute in name.split("."):
            found = getattr(found, attribute)
    except AttributeError:
        raise ValueError(f"{module} has no {name}") from None
    return found


def trainer_class(kind):
    """The Trainer class of ``kind``, which may also be the ``module:Class`` of a trainer that lives elsewhere."""
    return named_object(kind) if ":" in kind else part(kind, "trainer").Trainer
