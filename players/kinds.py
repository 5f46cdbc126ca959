"""The kinds of learned players, each in a package of its own that is imported only when it is needed.

The package of a kind holds, under these names, what it has of

``side.py``        the player as a side of compiled games (see ``players.play.sides``)
``player.py``      ``load_player(genome, **options) -> Player``, and ``OPTIONS``, the options that it takes
``body.py``        ``read_body(body)``: what the body of its genomes must be (see ``players.schema``), and what it holds
``trainer.py``     class ``Trainer`` (see ``players.training.trainer``): ``train``
``experiment.py``  what its paper shows, repeated (see ``players.training.experiments``): ``experiment``
``viewer.py``      how ``show`` draws a genome (see ``players.show.views``)
``bench.py``       how fast it is: ``bench``

and its own algorithms besides, which the docstring of the package lists. In all of them ``choose_move`` is the kernel that
gives a move, ``Config`` the parameters of a run, ``State`` what changes in it, ``Item`` a piece of its work.
"""

import importlib

from engine.texts import printable, shortened

PACKAGES = {
    "hyperneat": "players.hyperneat",
    "sane": "players.sane",
    "organism": "players.organism",
    "isn": "players.isn",
    "expert": "players.expert",
    "playout": "players.playout",
    "onnx": "players.foreign",
}
_NOT_TRAINED = ("onnx",)  # networks of others are played, not made here
EXPERIMENTED = ("hyperneat", "sane", "organism", "isn", "expert")  # kinds whose papers' results can be repeated
TRAINED = tuple(kind for kind in PACKAGES if kind not in _NOT_TRAINED)


class UnknownKind(ValueError):
    """No such kind of player, or none with that part; the message is one line that says so."""


def part(kind, name):
    """The module ``name`` of the package of ``kind``; UnknownKind if there is none."""
    if kind not in PACKAGES:
        raise UnknownKind(f"unknown kind of player {shortened(repr(kind))} (there are: {', '.join(PACKAGES)})")
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
        raise ValueError(f"{shortened(repr(text))} is not of the form module:name")
    try:
        found = importlib.import_module(module)
    except Exception as error:  # whatever a module of someone else may raise
        raise ValueError(f"cannot import {printable(module)}: {printable(error)}") from None
    try:
        for attribute in name.split("."):
            found = getattr(found, attribute)
    except AttributeError:
        raise ValueError(f"{module} has no {name}") from None
    return found


def trainer_class(kind):
    """The Trainer class of ``kind``, which may also be the ``module:Class`` of a trainer that lives elsewhere."""
    if ":" not in kind:
        if kind not in TRAINED:
            raise UnknownKind(f"there is no trainer {shortened(repr(kind))}: choose from {', '.join(TRAINED)}, or module:Class")
        return part(kind, "trainer").Trainer
    from players.training.trainer import Trainer

    found = named_object(kind)
    if not (isinstance(found, type) and issubclass(found, Trainer)):
        raise ValueError(f"{shortened(kind)} is not a trainer (a class made from players.training.trainer.Trainer)")
    return found
