"""What a genome or a run is, for people.

``text``      ``show``: the subject, and all about it as text
``page``      the same as one HTML page (with ``page.css`` and ``page.js``)
``charts``    curves as SVG
``views``     what the viewer of a kind may offer: pictures and games
``examples``  games to click through
"""
