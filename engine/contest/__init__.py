"""Players against each other.

``player``   what a player is, and what the engine relies on
``failure``  how one can fail
``match``    games between two, one move at a time or in compiled code
``ladder``   a round robin that remembers; ``journal`` a match that does; ``results_file`` is how
``elo``      what results say about strength
``report``   all that as text
"""
