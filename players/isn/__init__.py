"""The internal symmetry network: a board evaluator that teaches itself by playing.

A. Blair, "Learning position evaluation for Go with internal symmetry networks", IEEE Symposium on Computational
Intelligence and Games (2008). Read in this order:

``network``     the weights that symmetry leaves free, group classes, and the seven outputs of every point
``rewards``     what the outputs are worth under a scoring system, and what they should have been
``candidates``  the value of every move, recomputing only what it changes
``learning``    games of self-play and the gradient they give
``side``        the evaluator as a side of compiled games
``trainer``     ``train isn``
``model``       the evaluator as an ONNX file
``body``        what a genome holds
``player``      a trained evaluator as a player
``viewer``      what ``show`` shows of it (``pictures``: the drawings)
``experiment``  the learning curve of a run (figure 1)
``bench``       ``bench isn``
"""
