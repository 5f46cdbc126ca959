"""Playing on a server without its client: CGOS, the Computer Go Server. Read in this order:

``lines``       what the server says, as values
``connection``  TCP: lines in, lines out, and how it ends
``password``    from a file, the environment or a prompt, and nowhere else
``seat``        our side of the table: the GTP session, in this process and with its own clock
``games``       one game as the server tells it: moves, clocks, result, record
``report``      what is told of it: the status line, a line for each game, the table at the end
``screen``      one line that changes, and lines above it
``cgos``        the play loop: log in, play, catch up after a broken connection
``command``     ``evogo cgos``: from what was typed to an exit code; Ctrl-C
"""
