"""A symmetric network that is taught by the search it guides: expert iteration.

T. Anthony, Z. Tian, D. Barber, "Thinking fast and slow with deep learning and tree search" (2017); D. Silver et al.,
"Mastering the game of Go without human knowledge" (2017): a search is a better player than the network that guides it, so
the network learns what the search found, guides a better search, and so on. D. Wu, "Accelerating self-play learning in Go"
(2019): ownership as a further target, few full searches among many quick ones, random board sizes and komi. The symmetry
that is built in, and the idea that one small network sits on every point of a board of any size, are those of A. Blair's
internal symmetry networks (2008; ``players.isn``). Read in this order:

``features``    what the board says for free about each point
``network``     the layers, the weights that symmetry leaves free, and what the network says of a position
``tiles``       the sums and products in it, fast
``learning``    the gradient of that, and steps along it
``samples``     positions to learn from, many of them in a few arrays
``selfplay``    games of the search against itself, which give such positions
``side``        the network by itself as a side of compiled games
``trainer``     ``train expert``
``model``       the network as an ONNX file
``body``        what a genome holds
``player``      a trained network as a player, and as the guide of a search
``viewer``      what ``show`` shows of it
``experiment``  what the iterations were worth
``bench``       ``bench expert``
"""
