"""Notebooks executed in processes of their own."""

import os
import time
from pathlib import Path

import pandas as pd
import pytest
import tiny_notebooks

from helpers.command import crew, pace, running, swap
from helpers.command.jobs import Job
from helpers.command.notebooks import Study

WAITS_FOR_THE_OTHER = """\
import os, pathlib, time
pathlib.Path(mine).touch()
end = time.monotonic() + 300
while not pathlib.Path(others).exists():
    assert time.monotonic() < end
    time.sleep(0.02)
print(os.getppid())"""
LONG = "import pathlib, time; pathlib.Path(mine).touch(); time.sleep(500)"
KILLS = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"


class Seen:
    """A watcher that keeps what it is told."""

    def __init__(self):
        self.begun, self.cells = [], {}

    def started(self, job):
        self.begun.append(job.label)

    def cell(self, job, cell_id):
        self.cells.setdefault(job.label, []).append(cell_id)

    def ended(self, done):
        self.begun.remove(done.job.label)


def notebook(folder, name, *code):
    path = tiny_notebooks.write(
        folder / f"{name}.ipynb",
        *code,
        parameters='draws: int = 2\nmine: str = ""\nothers: str = ""\nresults_dir: str = ""',
    )
    return Study(path)


@pytest.fixture
def out(tmp_path, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    return Path("out")


def test_two_are_under_way_at_once_in_two_processes_and_every_cell_is_told(tmp_path, out):
    jobs = []
    for mine, others in (("a", "b"), ("b", "a")):
        study = notebook(tmp_path, f"01_{mine}", WAITS_FOR_THE_OTHER, tiny_notebooks.CLAIMS)
        files = {"mine": str(tmp_path / mine), "others": str(tmp_path / others)}
        jobs.append(Job(study, files | {"draws": len(jobs) + 1}, out, mine))
    seen = Seen()
    ended = list(crew.work_through(jobs, 2, seen))
    assert [done.outcome.error for done in ended] == [None, None]
    assert {done.job for done in ended} == set(jobs)
    for job in jobs:
        assert (out / f"{job.study.name}.html").exists()
        assert [cell for cell in seen.cells[job.label] if cell in job.study.sections] == list(job.study.sections)
    assert seen.begun == []
    assert [pd.read_csv(out / job.study.name / "claims.csv")["measured"].item() for job in jobs] == [0.1, 0.2]


def test_a_process_that_dies_fails_its_notebook_and_another_does_the_rest(tmp_path, out):
    jobs = [Job(notebook(tmp_path, "01_kills", KILLS, "import time; time.sleep(100)"), {}, out, "kills")]
    jobs += [Job(notebook(tmp_path, f"02_{name}", "print(1)"), {}, out, name) for name in "ab"]
    errors = {done.job.label: done.outcome.error for done in crew.work_through(jobs, 2, Seen())}
    assert errors == {"kills": crew.DIED, "a": None, "b": None}


def test_a_folder_that_cannot_be_written_is_an_error_and_the_others_are_ended(tmp_path, out):
    """The one that cannot be written begins when the long one has surely begun."""
    long, waits = notebook(tmp_path, "01_long", LONG), notebook(tmp_path, "02_waits", WAITS_FOR_THE_OTHER)
    begun, elsewhere = str(tmp_path / "begun"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    Path("file").touch()
    jobs = [
        Job(long, {"mine": begun}, out, "long"),
        Job(waits, {"mine": str(tmp_path / "waits"), "others": begun}, elsewhere, "waits"),
        Job(notebook(tmp_path, "03_a", "print(1)"), {}, Path("file"), "file"),
    ]
    start = time.monotonic()
    with pytest.raises(OSError, match="file"):
        list(crew.work_through(jobs, 2, Seen()))
    assert time.monotonic() - start < 400
    assert os.listdir(out) == [swap.LOCK]


def test_those_that_take_longest_come_first_and_the_unknown_before_them(tmp_path, out):
    jobs = [Job(notebook(tmp_path, f"0{n}_x", "print(1)"), {}, out, str(n)) for n in range(4)]
    for n, seconds in ((1, 5.0), (2, 50.0), (3, 20.0)):
        pace.remember(jobs[n].study.name, dict.fromkeys(jobs[n].study.sections, seconds))
    assert [job.label for job in running.longest_first(jobs)] == ["0", "2", "3", "1"]
