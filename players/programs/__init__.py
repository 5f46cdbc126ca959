"""Other engines as players, in processes of their own: ``connection`` speaks GTP to one, ``process`` plays with it."""
