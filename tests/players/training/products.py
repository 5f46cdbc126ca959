"""Small runs of trainers in tests, and everything that they write."""

import gtp_main


def words_of(options):
    """Options by their names in Python as words of the command line."""
    words = []
    for name, value in options.items():
        given = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        words += [f"--{name.replace('_', '-')}", given]
    return words


def train(kind, folder, champion, *words):
    """Train from the command line, and what that wrote."""
    assert gtp_main.main(["train", kind, "--quiet", "--out", str(folder / champion), *words]) == 0
    return products(folder, champion)


def products(folder, champion):
    """The contents of all files that a run in ``folder`` wrote whose champion has that name."""
    run = (folder / champion).with_suffix(".run")
    files = [folder / champion, run / "metrics.jsonl", *sorted((run / "champions").iterdir())]
    return [file.read_bytes() for file in files]
