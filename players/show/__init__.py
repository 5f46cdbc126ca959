"""What a genome or a run is, for people.

``text``      ``show``: the subject, and all about it as text
``claims``    its own board, and the results there that say most
``page``      the same as one HTML page
``gallery``   a folder of champions side by side, as text and as a page
``parts``     what pages are made of (with ``page.css``, ``page.js`` and ``games.js``)
``curves``    the curves of a run, with what they are about
``charts``    curves as SVG
``boards``    boards and panels of them as SVG
``views``     what the viewer of a kind may offer: pictures, games, words
``examples``  games to click through
"""
