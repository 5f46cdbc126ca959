"""Every limit to what is read from outside, in one place: no honest file or argument meets one of them.

They exist so that a file can be refused before it costs memory or time. Nearly each is at least ten times what our own runs,
or the files of others that were looked at, have come to. What a run could make itself is bounded by the ranges of its parameters
(``players.training.config``), which keep it within these.
"""

# Files
GENOME_BYTES = 8 << 20  # the largest that ships has 36 KB; the score history of 10,000 elections has 1.3 MB
SETTINGS_BYTES = 1 << 20  # of the small JSON files of a run, and of --config: some 2 KB
CHECKPOINT_BYTES = 256 << 20  # a SANE population of the paper has 1 MB
LOG_BYTES = 1 << 30  # of the log of a run: a million generations have 300 MB
LOG_LINE_BYTES = 64 << 10  # of one line of it: some 300
MODEL_BYTES = 1 << 30  # of a network from elsewhere: large ones have some 200 MB
SGF_BYTES = 16 << 20  # large joseki trees have some 10 MB

# JSON
JSON_DEPTH = 24  # how deep lists and objects stand in each other: ours 5 at most
JSON_VALUES = 1_000_000  # in one file; of each a few dozen bytes are kept
JSON_TEXT = 2_000  # characters of a text: the longest of ours is a rule of a cell program
JSON_DIGITS = 20  # of a whole number: 64 bits have 19
STATE_DIGITS = 80  # of one in a checkpoint: generators of random numbers have some of 128 bits
LARGEST_NUMBER = 1e15  # of anything that is measured or drawn: charts stay exact, SGF can write it

# What a genome or a run holds
RESULTS = 10_000
HISTORY = 50_000  # elections
CHANGES = 10_000  # of a run's configuration
GENERATIONS = 1_000_000
GAMES = 10**12  # in all; a fast machine would need a year
CHAMPIONS = 10_000  # files of a run that ``show`` reads
LOG_ENTRIES = 20_000  # of a log that ``show`` keeps: of longer ones it takes every second, fourth, … line

# Players
HYPERNEAT_NODES = 10_000  # of a CPPN: after 500 generations some 50
HYPERNEAT_LINKS = 20_000
SANE_NEURONS = 2_000  # of a network: 200 on 9x9
SANE_CONNECTIONS = 100  # of a neuron: 12
SANE_REACH = 9  # lines from where a neuron stands: 2
SANE_EVERYWHERE = 1_000  # connections of neurons that stand everywhere, all together: 240; each is there 5,000 times on 25x25
ORGANISM_RULES = 400  # of a cell program: 40 in the largest run
ORGANISM_CYCLES = 100  # for each line or move: 2
WEIGHT = 1e6  # of any connection, and of any number that a player calculates with

# Networks from elsewhere: what onnxruntime may allocate besides the weights, for each model, and for each byte of its file
MODEL_MEMORY = 128 << 20
MODEL_MEMORY_PER_BYTE = 8
MODEL_NODES = 20_000  # operators of a graph: a network of 80 blocks has some 1,000
MODEL_FIELDS = 100_000  # of one message of the file, that is, of all lists in it together
MODEL_POSITIONS = 64  # that are given to a network at a time

# Games
SGF_TOKENS = 600_000  # of a main line; a move takes three, and every mark on the board one
SGF_MOVES = 20_000  # the longest games known have some 500
SGF_SETUPS = 500  # nodes in the middle of a game that change the position
SGF_SETUP_POINTS = 1_000_000  # of a main line; "aa:yy" is five characters for 625 points
KOMI = 10_000.0  # either way: the largest board has 625 points
