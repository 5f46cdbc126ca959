"""Compiles what later tests need while the first ones run: a program that ``conftest.py`` starts beside them.

Tests run one after the other and use one core; numba's cache is shared between processes. So this does with the other
core, in small, what compiles the kernels of each kind of player. What it makes is thrown away, and nothing is checked.
"""

import os
import sys
import tempfile

import gtp_main

QUIET = ["--quiet", "--workers", "1", "--retest-games", "2"]
JOBS = (
    ["match", "gojen", "naixt", "--games", "2", "--size", "5"],
    ["train", "hyperneat", "--boards", "3", "--generations", "2", "--population", "6", "--games", "2", *QUIET],
    ["train", "sane", "--size", "3", "--generations", "2", "--blueprints", "6", "--network-neurons", "6", *QUIET],
    ["train", "organism", "--boards", "3", "--generations", "2", "--islands", "2", "--island-size", "6", *QUIET],
    ["train", "isn", "--preset", "quick", "--size", "3", "--generations", "2", *QUIET],
)


def main():
    """Do all jobs, whatever becomes of each."""
    with tempfile.TemporaryDirectory() as folder:
        for number, job in enumerate(JOBS):
            words = job + (["--out", os.path.join(folder, f"{number}.json")] if job[0] == "train" else [])
            try:
                gtp_main.main(words)
            except SystemExit:
                pass


if __name__ == "__main__":
    sys.exit(main())
