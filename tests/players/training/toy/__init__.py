"""A kind of player that needs no Go, complete enough to train and to show: an example of how a kind plugs in."""
