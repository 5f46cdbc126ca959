"""Whole games in compiled code: the one loop in which all players meet.

``sides``     what a player is in a kernel: a NamedTuple of plain data with ``begin``, ``choose`` and ``observe``
``schedule``  who has which colour in game number i, and from which seeds both sides draw
``loop``      the loop itself, and the record of what came of each game
``contest``   games between two ``Player`` objects for ``match`` and ``ladder``

Training games, elections, compiled matches, self-play and the pages of ``show`` are all played here. Two loops stand
elsewhere, for a reason: ``engine.contest.match`` asks players that are programs for one move at a time, and random games
of a search (``engine.go.playout``) are so short a loop that whatever they do not need would cost them speed.
"""
