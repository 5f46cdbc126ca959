"""Who moves: one package for each way of making players, and what they share.

``play/``        the one loop of compiled games
``search/``      looking ahead, with any player as a guide
``scripted/``    the papers' opponents
``hyperneat/``, ``sane/``, ``organism/``, ``isn/``, ``playout/``   the learned kinds: ``kinds`` says what each package holds
``foreign/``, ``programs/``   other people's networks and engines
``training/``    runs and experiments
``show/``        genomes and runs for people to look at

``registry``     from a name to a Player
``genome``, ``schema``, ``formats``, ``onnx/``   saved genomes, and how what is read is checked
``manners``, ``outlook``     when to pass, to resign and to clean up, around any player
``arena``        ``match``, ``ladder`` and ``players``
"""
