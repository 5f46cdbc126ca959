"""Go as text: ``vertex`` names points as GTP does, ``sgf`` reads and writes files, ``record`` is a game that is in one."""
