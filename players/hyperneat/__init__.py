"""HyperNEAT: networks for Go whose connections are painted by evolved patterns.

J. Gauci and K. O. Stanley, "Indirect Encoding of Neural Networks for Scalable Go", PPSN 2010.

    cppn.py        compositional pattern producing networks: a genome's links as a program that paints many points at once
    neat.py        NEAT, which evolves them: innovation numbers, crossover, mutation, species
    refinement.py  an evolution strategy, which refines the weights of what NEAT found
    sheets.py      what its input sheets show
    substrate.py   the network that plays: sheets of the board's size, weights asked from a CPPN
    selector.py    from the network's outputs to a move, as a kernel
    side.py        a substrate as a side of compiled games
    trainer.py     the evolution of a player, for ``train hyperneat``
    body.py        what a genome holds
    player.py      a saved champion as a Player
    viewer.py      what ``show`` shows of it; ``pictures.py`` draws that
    experiment.py  figure 3 of the paper, and which detail of the evolution makes it so
    comparison.py  the data of that, what tests (``statistics.py``) say of it, and its picture
    extrapolation.py  how well players grow with the board, by what their CPPN sees
    bench.py       how fast all this is
"""
