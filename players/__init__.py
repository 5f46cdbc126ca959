"""Who moves: the player interface, and one package for each way of making players."""
