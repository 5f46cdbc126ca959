"""Go itself. Read in this order:

``board``     a position as one record, and the kernels that change it and ask about it
``history``   what the rules need beyond the stones: superko, and whether a move is allowed
``rng``       random streams for kernels
``playout``   uniformly random games
``scoring``   area, territory, unconditional life, a quick look at who owns what and which stones are dead
``reading``   a tree search over a part of the board
``death``     which stones are dead or in seki when a game is counted: slower than ``scoring``, and surer
``rules``     the named rule sets
``handicap``  where handicap stones stand
``game``      one game: a position and everything that led to it
"""
