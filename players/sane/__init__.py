"""SANE: a three-layer network of sparse neurons, evolved as two populations, neurons and blueprints.

N. Richards, D. E. Moriarty, R. Miikkulainen, "Evolving neural networks to play Go", Applied Intelligence 8 (1998); the
method itself: D. E. Moriarty, R. Miikkulainen, "Forming neural networks through efficient and adaptive coevolution",
Evolutionary Computation 5 (1997), and the SANE 2.0 code that was published with it. Read in this order:

``network``     a network as arrays, and the move it proposes
``side``        a network as a side of compiled games, and the rules of its training games
``population``  neurons and blueprints
``evolve``      what happens to them between two generations
``trainer``     ``train sane``
``body``        what a genome holds
``player``      a saved network as a player
``viewer``      how ``show`` draws it
``experiment``  the paper's experiments, repeated
``bench``       ``bench sane``
"""
