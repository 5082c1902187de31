from pathlib import Path

import pytest
import tiny_notebooks
from nbformat import read, v4, write

from helpers.command import progress, times
from helpers.command.executing import Job, Outcome
from helpers.command.notebooks import Study


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def study(tmp_path):
    """A parameters cell under the title, and two cells under a section each."""
    path = tiny_notebooks.write(tmp_path / "04_depth.ipynb", "a", "b")
    notebook = read(path, as_version=4)
    notebook.cells.insert(2, v4.new_markdown_cell("Text.\n\n## 1. Settled results"))
    notebook.cells.insert(4, v4.new_markdown_cell("## 2. Run it yourself\n\n### At once"))
    for cell, name in zip(notebook.cells, ["title", "parameters", "m1", "a", "m2", "b"], strict=True):
        cell.id = name
    write(notebook, path)
    return Study(path)


def job(study, label="04_depth", **settings):
    return Job(study, settings, Path("out"), label)


def ended(job, error=None):
    page = None if error else job.out / f"{job.study.name}.html"
    return Outcome(12.3, error, page, None)


def test_every_code_cell_is_known_with_the_heading_that_it_stands_under(study):
    assert study.sections == {"parameters": "How deep?", "a": "1. Settled results", "b": "At once"}


def test_a_line_names_the_section_the_cells_the_time_and_what_is_left(study, clock):
    times.remember(study, "demo", {"parameters": 1.0, "a": 20.0, "b": 60.0})
    with progress.Board([job(study)], 1) as board:
        assert board.lines() == ["0 of 1 notebooks are done, about 1:21 left"]
        board.started(job(study))
        assert board.lines()[0] == "04_depth: starting, 0 of 3 cells, 0:00, about 1:21 left"
        for cell, seconds in (("title", 0), ("parameters", 1), ("injected", 0), ("m1", 0), ("a", 5)):
            board.cell(job(study), cell)
            clock.now += seconds
        assert board.lines() == [
            "04_depth: 1. Settled results, 1 of 3 cells, 0:06, about 1:15 left",
            "0 of 1 notebooks are done, about 1:15 left",
        ]
        clock.now += 100  # longer than the last time: the other cells are left
        assert board.lines()[-1] == "0 of 1 notebooks are done, about 0:00 left"


def test_without_times_of_a_run_before_cells_count_alike(study, clock):
    with progress.Board([job(study), job(study, "other", draws=3)], 2) as board:
        assert board.lines() == ["0 of 2 notebooks are done"]
        board.started(job(study))
        board.cell(job(study), "parameters")
        clock.now += 4
        board.cell(job(study), "a")
        # 4 seconds a cell: two are left here and three in the other, which is longer than ten seconds' work by two
        assert board.lines()[0].endswith("1 of 3 cells, 0:04, about 0:08 left")
        assert board.lines()[1] == "0 of 2 notebooks are done, about 0:12 left"


def test_what_is_left_of_several_at_once_is_the_longest_or_their_share(study, clock):
    times.remember(study, "demo", {"parameters": 0.0, "a": 10.0, "b": 20.0})
    jobs = [job(study, f"run {draws}", draws=draws) for draws in range(4)]
    for at_once, left in ((1, "2:00"), (2, "1:00"), (8, "0:30")):
        with progress.Board(jobs, at_once, "runs") as board:
            assert board.lines() == [f"0 of 4 runs are done, about {left} left"]


def test_a_job_is_announced_and_how_it_ended_told_with_the_seconds_of_its_cells(study, clock, capsys):
    with progress.Board([job(study), job(study, scale="paper")], 1) as board:
        for each, error in ((job(study), None), (job(study, scale="paper"), "cell [3] raised")):
            board.started(each)
            board.cell(each, "a")
            clock.now += 2
            board.cell(each, "b")
            clock.now += 3
            board.ended(each, ended(each, error))
            assert board.seconds(each) == {"a": 2.0, "b": 3.0}
    assert capsys.readouterr().err.splitlines() == [
        "04_depth: running",
        "04_depth: 12 s, out/04_depth.html",
        "04_depth: running",
        "Error: 04_depth: cell [3] raised",
        "04_depth: 12 s, no report",
    ]


def test_on_a_terminal_the_bars_of_sweeps_go_to_a_file_whose_end_is_shown(study, clock, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with progress.Board([job(study)], 1) as board:
        bar = board.started(job(study))
        board.cell(job(study), "a")
        with open(bar, "a") as file:
            file.write("\rtrain:   0%|   | 0/40\rtrain:  50%|## | 20/40 [00:10<00:10]")
        assert board.lines()[0].endswith(", train:  50%|## | 20/40 [00:10<00:10]")
        with open(bar, "a") as file:
            file.write("\rtrain: 100%|####| 40/40 [00:20<00:00]\n")
        assert board.lines()[0].endswith("0 of 3 cells, 0:00")
    assert not Path(bar).exists()
