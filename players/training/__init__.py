"""The run loop that every trainer shares. Read in this order:

``trainer``     what a trainer is, and the rules that make its runs repeatable
``config``      parameters: options, presets, JSON, where each value comes from; ``ranges`` that many have in common
``run``         the loop: generations, elections, log, checkpoints, resume, interrupt
``folder``      the run folder and what is in it
``checkpoint``  a state as bytes and back
``workers``     work items spread over an executor
``progress``    what standard error says meanwhile
``command``     ``train``
``experiments`` what the papers show, repeated
"""
