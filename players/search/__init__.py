"""A Monte Carlo tree search of its own, with playouts that know some Go, guided by any player that has a policy.

Read in this order:

``shapes``    3×3 shapes worth playing at, by family
``tactics``   what a move does to liberties: self-atari, captures, distance along chains
``policy``    the playout policy: a softmax whose weights are data, and a game played out by it
``priors``    what is thought of a move before it was tried
``tree``      the nodes, and one simulation from the root to the result and back
``threads``   many simulations on all cores in one tree
``timing``    when enough is enough
``guide``     priors from any player that has a policy
``default``   a player's games in the place of the playout policy's
``pondering`` thinking on while the other side does
``straying``  moves that are not what it found, for weaker opponents
``cold``      its first start on a machine, by two processes
``player``    the search as a player
``bench``     ``bench search``

S. Gelly, Y. Wang, R. Munos, O. Teytaud, "Modification of UCT with patterns in Monte-Carlo Go" (INRIA RR-6062, 2006): the
shapes and rules of the playouts. R. Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007): a move policy
as a product of the gammas of its features. S. Gelly, D. Silver, "Combining online and offline knowledge in UCT" (ICML 2007):
AMAF in the tree, and priors as games that were never played. M. Enzenberger, M. Müller, "A lock-free multithreaded
Monte-Carlo tree search algorithm" (ACG 2009): one tree for all threads.
"""
