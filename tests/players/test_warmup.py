"""``warmup``: its jobs are commands that there are, and what becomes of them is told."""

import re
import tempfile

import pytest

import gtp_main
from players import warmup
from players.kinds import TRAINED
from players.warmup import FIRST, OTHERS, Job, words_of


@pytest.mark.parametrize("job", [*FIRST, *OTHERS], ids=lambda job: " ".join(job.words[:3]))
def test_jobs_are_commands_that_there_are(job):
    with tempfile.TemporaryDirectory() as folder:
        words = words_of(job, folder)
        assert gtp_main.build_parser().parse_args(words).command == job.words[0]
        made = [word for word in words if word.endswith((".json", ".jsonl"))]
        assert all(word.startswith(folder) for word in made)  # nothing is left behind


def test_every_kind_is_played_guided_and_trained():
    for kind in TRAINED:
        jobs = [" ".join(job.words) for job in OTHERS if job.part == kind]
        for word in (f"train {kind} ", f"--player {kind}-", f"guide={kind}-"):
            assert any(word in job for job in jobs), (kind, word)


@pytest.fixture
def jobs(monkeypatch):
    """Three jobs that need no compiling, of which the last fails."""
    monkeypatch.setattr(warmup, "FIRST", (Job("play", ["--version"]),))
    monkeypatch.setattr(warmup, "OTHERS", (Job("match", ["--version"]), Job("isn", ["show", "FOLDER/nothing.json"])))


def test_what_becomes_of_the_jobs(jobs, capsys):
    assert warmup.warmup([]) == 1
    out, err = capsys.readouterr()
    assert re.search("evogo warmup: evogo show FOLDER/nothing.json failed: .*cannot read", err)
    assert "3 small jobs" in err and "3/3" in err and out.startswith("compiled in ")


def test_parts_need_the_first_jobs_too(jobs, capsys):
    assert warmup.warmup(["match"]) == 0
    assert "2 small jobs" in capsys.readouterr().err
