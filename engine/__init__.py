"""The referee and the table: knows Go, knows no player."""

from engine import kernel_cache

kernel_cache.use()
