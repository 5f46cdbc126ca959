"""The referee and the table: knows Go, knows no player.

``go/``       the board and its rules as kernels, and the one ``Game`` that is played on them
``records/``  names of points, SGF, game records
``gtp/``      the protocol, the session, the clock, the commands, what GoGui, Sabaki, Lizzie and CGOS draw
``contest/``  what a player is, matches, ladders, Elo
``servers/``  playing on CGOS without its client

``limits`` are those of everything that is read from outside, ``files`` reads within them, ``texts`` shows what was read.
``kernel_cache`` says where compiled kernels are kept, ``compiling`` that they are being made; ``bench`` is ``bench board``.
"""

from engine import kernel_cache

kernel_cache.use()
