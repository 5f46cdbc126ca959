"""The playout policy of the search as a player of its own.

``body``       what a genome must hold
``player``     draws its moves from the softmax that the playouts of ``players.search`` draw theirs from
``positions``  games of the search against itself, and what deeper searches say of their positions
``learning``   what playouts say of a position, and how that changes with the weights
``trainer``    makes the two agree: ``train``
``viewer``     ``pictures``: what ``show`` shows of it, and of a search that uses it

The features, and how a move is drawn, are in ``players.search.policy``; the weights are in the genome.
"""
