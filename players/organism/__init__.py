"""diGO, the digital organism: cells on the intersections of the board that all run one evolved cell program.

C. Alt and H. A. Mayer, "Evolution of a Digital Organism Playing Go" (University of Salzburg).

    program.py     the cell program: rules, their types, their text, and the flat form that kernels run
    breeding.py    strongly typed genetic programming over such programs
    analysis.py    which rules can never do anything
    habits.py      how organisms live: readings of the paper where it allows several
    words.py       questions to 32 cells at a time
    cells.py       an organism as a record: cells, states and sizes, mediators
    mediators.py   how these spread and are consumed
    growth.py      clones, moves and deaths
    organism.py    one organism's life: its rules, what it sees, the move that it chooses
    side.py        an organism as a side of compiled games
    islands.py     sub-populations in a ring, migration, selection
    trainer.py     ``train organism``
    body.py        what a genome holds
    player.py      a saved cell program as a Player
    viewer.py      how ``show`` prints and draws it
    bench.py       how fast all this is
    worth.py       what each rule of a program is worth
    scenes.py      a life through a game, as a page plays it
    experiment.py  the paper's tables, repeated
"""
