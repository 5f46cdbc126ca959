"""The papers' opponents: Random, Liberty, Wally, Naixt and GOjen, as players and as kernels.

    kernels     ``scripted_move``: one compiled door to all of them, and their side in compiled games
    table       the players by name
    uniform, liberty, wally, naixt, gojen     one opponent each: what is known of it, its kernel, its player
    player      what the players share
    chance, tactics, reading, patterns        what the kernels share
"""

NAMES = ("random", "liberty", "wally", "naixt", "gojen")  # here, so that they are known without loading numba
