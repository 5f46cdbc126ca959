"""Whole games in compiled code: the one loop in which all players meet.

``sides``     what a player is in a kernel: a NamedTuple of plain data with ``begin``, ``choose`` and ``observe``
``schedule``  who has which colour in game number i, and from which seeds both sides draw
``loop``      the loop itself, and the record of what came of each game
``contest``   games between two ``Player`` objects for ``match`` and ``ladder``

Training games, elections, compiled matches, self-play and the pages of ``show`` are all played here. Two loops stand
elsewhere, for a reason: ``engine.contest.match`` asks players that are programs for one move at a time, and random games
(``engine.go.playout``, ``players.search.tree``) need neither superko nor a record of moves: without them they are nearly
twice as fast (140,000 a second on 9x9 against 74,000 of the same games here).
"""
