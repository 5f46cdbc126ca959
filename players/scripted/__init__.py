"""The papers' opponents: Random, Liberty, Wally, Naixt and GOjen, as players and as kernels.

    kernels     ``scripted_move``: one compiled door to all of them
    games       whole games, and batches of games, in compiled code
    uniform, liberty, wally, naixt, gojen     one opponent each: what is known of it, its kernel, its player
    player      what the players share
    chance, tactics, reading, patterns        what the kernels share

``SCRIPTED`` maps the names to the classes. It is made when it is first asked for, since importing them loads numba.
"""

NAMES = ("random", "liberty", "wally", "naixt", "gojen")


def __getattr__(attribute):
    if attribute != "SCRIPTED":
        raise AttributeError(f"module {__name__!r} has no attribute {attribute!r}")
    from players.scripted.gojen import Gojen
    from players.scripted.liberty import Liberty
    from players.scripted.naixt import Naixt
    from players.scripted.uniform import Random
    from players.scripted.wally import Wally

    globals()["SCRIPTED"] = {player.name: player for player in (Random, Liberty, Wally, Naixt, Gojen)}
    return globals()["SCRIPTED"]
