"""The papers' opponents: Random, Liberty, Wally, Naixt and GOjen, as players and as kernels (see ``kernels``, ``games``).

``SCRIPTED`` maps their names to their classes. It is made when it is first asked for, since importing them loads numba.
"""

NAMES = ("random", "liberty")


def __getattr__(attribute):
    if attribute != "SCRIPTED":
        raise AttributeError(f"module {__name__!r} has no attribute {attribute!r}")
    from players.scripted.liberty import Liberty
    from players.scripted.uniform import Random

    globals()["SCRIPTED"] = {player.name: player for player in (Random, Liberty)}
    return globals()["SCRIPTED"]
