"""The internal symmetry network: a board evaluator that teaches itself by playing.

A. Blair, "Learning position evaluation for Go with internal symmetry networks", IEEE Symposium on Computational
Intelligence and Games (2008). Read in this order:

``anatomy``     what a network is made of: its inputs, hidden units and passes, and the weights that symmetry leaves free
``network``     kernels: group classes and the other inputs, and the seven outputs of every point
``rewards``     what the outputs are worth under a scoring system, and what they should have been
``candidates``  the value of every move, recomputing only what it changes
``learning``    games of self-play and the gradient they give
``side``        the evaluator as a side of compiled games
``trainer``     ``train isn``
``model``       the evaluator as an ONNX file
``body``        what a genome holds
``player``      a trained evaluator as a player
``viewer``      what ``show`` shows of it (``pictures``: the drawings)
``experiment``  the learning curve of a run; ``figure1``: the paper's; ``ablations``: what each part of a network is worth
                (``tournament``: the games of all three)
``bench``       ``bench isn``
"""
