"""Ranges that many parameters of runs have in common: the least and the largest value of each.

The large ends are our choice: some hundred times what our longest runs had, and still within what a machine can hold and
what our files may (``engine.limits``).
"""

from engine import limits
from engine.go.board import MAX_SIZE, MIN_SIZE

SEEDS = (-(2**63), 2**63 - 1)
GENERATIONS = (1, limits.GENERATIONS)
GENERATIONS_OR_NONE = (0, limits.GENERATIONS)
GAMES = (1, 1_000_000)
GAMES_OR_NONE = (0, 1_000_000)
CANDIDATES = (1, 10_000)
POPULATION = (2, 100_000)
UP_TO_POPULATION = (0, 100_000)
SHARE = (0.0, 1.0)
FACTOR = (0.0, 1000.0)  # what something is multiplied with, how far it steps, how widely it spreads
BOARDS = (MIN_SIZE, MAX_SIZE)
BOARDS_FROM_3 = (MIN_SIZE + 1, MAX_SIZE)
KOMI = (-limits.KOMI, limits.KOMI)
