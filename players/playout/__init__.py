"""The playout policy of the search as a player of its own.

``body``    what a genome must hold
``player``  draws its moves from the softmax that the playouts of ``players.search`` draw theirs from

The features, and how a move is drawn, are in ``players.search.policy``; the weights are in the genome.
"""
