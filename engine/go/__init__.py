"""Go itself. Read in this order:

``board``     a position as one record, and the kernels that change it and ask about it
``history``   what the rules need beyond the stones: superko, and whether a move is allowed
``rng``       random streams for kernels
``playout``   uniformly random games
``scoring``   area, territory, unconditional life, who owns what, which stones are dead
``rules``     the named rule sets
``handicap``  where handicap stones stand
``game``      one game: a position and everything that led to it
"""
