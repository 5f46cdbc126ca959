"""The engine that a client talks to. Read in this order:

``protocol``       lines in, answers out, interruption; knows no Go
``startup``        a handshake at once, everything heavy behind it
``session``        what commands act on: one game, one player, one clock
``graphics``       what GoGui draws of the player's thoughts
``clock``          what the time settings leave for the next move
``arguments``      words as values
``command_table``  which commands there are and which module answers each: ``commands`` (GTP's own), ``commands_time``,
                   ``commands_servers`` (KGS, CGOS, gomill), ``commands_gogui``, ``analyze`` (Lizzie, Sabaki, CGOS)
"""
