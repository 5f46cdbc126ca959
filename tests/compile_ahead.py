"""Compiles what later tests need while the first ones run: a program that ``conftest.py`` starts beside them.

Tests run one after the other and use one core; numba's cache is shared between processes. So this does with the other
core, in one process, those jobs of ``warmup`` that compile the kernels of each kind of player. Nothing is checked here.
"""

import sys
import tempfile

import gtp_main
from players.warmup import FIRST, OTHERS, words_of


def main():
    """Do all jobs, whatever becomes of each."""
    for job in (*FIRST, *OTHERS):
        if job.words[0] in ("match", "train"):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    gtp_main.main(words_of(job, folder))
                except SystemExit:
                    pass


if __name__ == "__main__":
    sys.exit(main())
