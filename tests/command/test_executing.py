"""Notebooks executed, one or several at once: the reports that they leave, and what is kept of how long they took."""

import errno
import json
import os
import threading
import time
from pathlib import Path

import nbformat
import pandas as pd
import pytest
import tiny_notebooks

from helpers.command import executing, progress, swap, times
from helpers.command.executing import Job
from helpers.command.notebooks import Study
from helpers.command.placing import Told

CLAIM = "claim,words,measure,value,measured,low,high,rests_on,verdict\nc,w,m,0.0,0.1,0.0,0.2,real,"
KILL = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
WAITS_FOR_THE_OTHER = """\
import os, pathlib, time
pathlib.Path(mine).touch()
end = time.monotonic() + 300
while not pathlib.Path(others).exists():
    assert time.monotonic() < end
    time.sleep(0.02)
print(os.getpid())"""
LONG = "import pathlib, time; pathlib.Path(mine).touch(); time.sleep(500)"
TELLS = """\
import os
from helpers.engine import backends
backends.log(name="x", trainings=3, done=3, failed=0, timed=3, seconds=2.0)"""
DRAWS = """\
import matplotlib.pyplot as plt
from helpers.reporting import figures
_ = figures.headed(plt.subplots()[0], "Deep beats shallow", "A line that rises.")"""


@pytest.fixture
def out(tmp_path, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    return Path("out")


def report(study, out, **settings):
    job = Job(study, settings, out, study.name)
    with progress.Board([job], 1) as board:
        return executing.report(job, board, threading.Event())


# one notebook


def test_a_run_leaves_notebook_html_and_tables_with_its_settings_and_nothing_of_this_machine(tmp_path, monkeypatch):
    home, elsewhere = tmp_path / "project", tmp_path / 'it\'s, ["else"] {where} \\n $x'
    home.mkdir()
    elsewhere.mkdir()
    study = Study(
        tiny_notebooks.write(
            home / "04_depth.ipynb",
            "print(draws)",
            tiny_notebooks.CLAIMS,
            DRAWS,
            f"names = dir()\n{TELLS}\nsorted({{*names}} & {{'kernel', 'os'}}), os.environ['LABEL_STUDIES_PROGRESS']",
        )
    )
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(progress.Board, "started", lambda board, job: "/a 'bar'")
    outcome = report(study, elsewhere, draws=3)
    assert (outcome.error, outcome.told.done) == (None, 3)
    assert sorted(os.listdir(elsewhere)) == [swap.LOCK, "04_depth", "04_depth.html", "04_depth.ipynb"]
    assert os.listdir(elsewhere / "04_depth") == ["claims.csv"]
    assert pd.read_csv(elsewhere / "04_depth" / "claims.csv")["measured"].item() == pytest.approx(0.3)
    cells = nbformat.read(elsewhere / "04_depth.ipynb", as_version=4).cells
    printed, figure, names = [output for cell in cells for output in cell.get("outputs", [])]
    assert printed.text == "3\n"
    assert figure.metadata["image/png"]["alt"] == "A line that rises."
    assert names.data["text/plain"] == """([], "/a 'bar'")"""  # of what the kernel began with nothing is left
    text = (elsewhere / "04_depth.ipynb").read_text()
    assert 'results_dir = \\"04_depth\\"' in text
    assert str(tmp_path) not in text
    page = (elsewhere / "04_depth.html").read_text()
    assert "<title>How deep?</title>" in page
    assert "A question." in page
    assert '<img alt="A line that rises." src="data:image/png' in page


def good_report(out):
    """What a run before left, which says so."""
    (out / "04_depth").mkdir(parents=True)
    for name in ("04_depth.ipynb", "04_depth.html", "04_depth/table.csv"):
        (out / name).write_text("earlier")


def shown(out):
    """What each file of the report of a run that did not fail says."""
    names = ("04_depth.ipynb", "04_depth.html", "04_depth/table.csv")
    return [(out / name).read_text() for name in names if (out / name).exists()]


def test_a_notebook_that_fails_is_kept_with_the_tables_before_its_error_beside_the_good_report(tmp_path):
    study = Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb", tiny_notebooks.CLAIMS, "1 / 0", "print('after')"))
    out = tmp_path / "out"
    good_report(out)
    (out / "04_depth.failed").mkdir()
    (out / "04_depth.failed" / "stale.csv").touch()
    outcome = report(study, out)
    assert outcome.error == "cell [4] raised ZeroDivisionError: division by zero"
    assert outcome.page == out / "04_depth.failed.html"
    assert "ZeroDivisionError" in (out / "04_depth.failed.ipynb").read_text()
    assert '04_depth.failed\\"' in (out / "04_depth.failed.ipynb").read_text()
    assert "ZeroDivisionError" in (out / "04_depth.failed.html").read_text()
    assert [path.name for path in (out / "04_depth.failed").iterdir()] == ["claims.csv"]
    assert shown(out) == ["earlier"] * 3
    tiny_notebooks.write(tmp_path / "04_depth.ipynb", tiny_notebooks.CLAIMS)
    assert report(Study(study.path), out).page == out / "04_depth.html"
    assert {path.name for path in out.iterdir()} == {swap.LOCK, "04_depth", "04_depth.html", "04_depth.ipynb"}
    assert [path.name for path in (out / "04_depth").iterdir()] == ["claims.csv"]


def test_a_kernel_that_is_killed_ends_the_run_with_an_error_and_the_good_report_stays(tmp_path):
    study = Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb", "print('before')", KILL))
    good_report(tmp_path / "out")
    outcome = report(study, tmp_path / "out")
    assert outcome[1:3] == ("Kernel died", tmp_path / "out" / "04_depth.failed.html")
    assert "before" in (tmp_path / "out" / "04_depth.failed.ipynb").read_text()
    assert shown(tmp_path / "out") == ["earlier"] * 3


def fill(monkeypatch, module, name, is_full, before=lambda *_: None):
    """A disk that is full for some calls of a function, which take a path first or second."""
    function = getattr(module, name)

    def full(*arguments, **options):
        if is_full(*arguments):
            before(*arguments)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), *map(str, arguments[1:2]))
        return function(*arguments, **options)

    monkeypatch.setattr(module, name, full)


def test_a_full_disk_at_the_end_is_told_in_one_line_and_what_is_whole_is_kept(tmp_path, monkeypatch):
    study = Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb", tiny_notebooks.CLAIMS))
    out = tmp_path / "out"
    good_report(out)
    fill(monkeypatch, executing.files, "replacing", lambda path, *_: path.suffix == ".html")
    outcome = report(study, out)
    assert (outcome.error, outcome.page) == (f"{out}/04_depth.html: No space left on device", None)
    assert (out / "04_depth.failed" / "claims.csv").exists()
    assert nbformat.read(out / "04_depth.failed.ipynb", as_version=4).cells
    assert shown(out) == ["earlier"] * 3


@pytest.mark.parametrize("tables", [["claims.csv"], []])
def test_of_a_notebook_that_a_full_disk_cuts_short_the_tables_are_kept_beside_the_report_before(
    tmp_path, monkeypatch, tables
):
    def begun(path, output, settings):
        for table in tables:
            (Path(output).parent / "04_depth" / table).write_text(CLAIM)
        Path(output).write_text('{"cells": [')

    study = Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb"))
    good_report(tmp_path / "out")
    fill(monkeypatch, executing.papermill, "execute_notebook", lambda *_: True, begun)
    assert report(study, tmp_path / "out").error == f"{tmp_path}/out/04_depth.ipynb: No space left on device"
    kept = {path.name: path for path in (tmp_path / "out").glob("[!.]*")}
    assert ("04_depth.failed" in kept) == bool(tables)
    assert not tables or (kept["04_depth.failed"] / "claims.csv").read_text() == CLAIM
    assert len(kept) == 3 + len(tables)
    assert shown(tmp_path / "out") == ["earlier"] * 3


# several notebooks


def notebook(folder, name, *code):
    path = tiny_notebooks.write(
        folder / f"{name}.ipynb",
        *code,
        parameters='draws: int = 2\nmine: str = ""\nothers: str = ""\nresults_dir: str = ""',
    )
    return Study(path)


def test_two_are_under_way_at_once_in_two_kernels_and_every_cell_is_timed(tmp_path, out):
    jobs = []
    for mine, others in (("a", "b"), ("b", "a")):
        study = notebook(tmp_path, f"01_{mine}", WAITS_FOR_THE_OTHER, tiny_notebooks.CLAIMS)
        places = {"mine": str(tmp_path / mine), "others": str(tmp_path / others)}
        jobs.append(Job(study, places | {"draws": len(jobs) + 1}, out, mine))
    told = {}
    ended = executing.execute(jobs, 2, "runs", told.__setitem__)
    assert told == ended
    assert [ended[job].error for job in jobs] == [None, None]
    assert [pd.read_csv(out / job.study.name / "claims.csv")["measured"].item() for job in jobs] == [0.1, 0.2]
    assert all((out / f"{job.study.name}.html").exists() for job in jobs)
    assert all(times.cells(job.study, None).keys() == job.study.sections.keys() for job in jobs)
    kernels = [
        cell.outputs[0].text
        for job in jobs
        for cell in nbformat.read(out / job.study.path.name, as_version=4).cells
        if cell.get("outputs")
    ]
    assert len({*kernels, f"{os.getpid()}\n"}) == 3


@pytest.mark.parametrize("stopping", ["an error", "Ctrl-C"])
def test_what_ends_the_run_ends_every_kernel_and_leaves_nothing(tmp_path, out, monkeypatch, stopping):
    """The one that cannot be written, or is interrupted, begins when the long one has surely begun."""
    long, waits = notebook(tmp_path, "01_long", LONG), notebook(tmp_path, "02_waits", WAITS_FOR_THE_OTHER)
    begun, elsewhere = str(tmp_path / "begun"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    Path("file").touch()
    jobs = [
        Job(long, {"mine": begun}, out, "long"),
        Job(waits, {"mine": str(tmp_path / "waits"), "others": begun}, elsewhere, "waits"),
    ]
    if stopping == "an error":
        jobs.append(Job(notebook(tmp_path, "03_a", "print(1)"), {}, Path("file"), "file"))
    start, threads = time.monotonic(), threading.active_count()

    def interrupted(job, outcome):
        if stopping == "Ctrl-C":
            raise KeyboardInterrupt

    with pytest.raises((OSError, KeyboardInterrupt), match=r"file|^$"):
        executing.execute(jobs, 2, "runs", interrupted)
    assert time.monotonic() - start < 400
    assert os.listdir(out) == [swap.LOCK]
    assert threading.active_count() <= threads


def test_those_that_take_longest_come_first_and_the_unknown_before_them(tmp_path, out):
    jobs = [Job(notebook(tmp_path, f"0{n}_x", "print(1)"), {}, out, str(n)) for n in range(4)]
    for n, seconds in ((1, 5.0), (2, 50.0), (3, 20.0)):
        times.remember(jobs[n].study, None, dict.fromkeys(jobs[n].study.sections, seconds))
    assert [job.label for job in executing.longest_first(jobs)] == ["0", "2", "3", "1"]


# what is kept of how long it took


TOLD = '{"trainings": 10, "done": 4, "failed": 1, "timed": 2, "seconds": 36.0}\n'


def test_what_sweeps_tell_is_added_up_and_of_a_scale_kept(tmp_path, out):
    log = tmp_path / "log"
    log.write_text(TOLD * 2)
    told = Told(log)
    assert vars(told) == {"sweeps": 2, "trainings": 20, "done": 8, "failed": 2, "timed": 4, "seconds": 72.0}
    study = notebook(tmp_path, "04_depth")
    times.remember(study, None, {}, told)
    times.remember(study, "demo", {"a": 1.23456})
    kept = json.loads((tmp_path / "cache" / "times.json").read_text())
    assert kept == {"04_depth demo": {"cells": {"a": 1.235}}}


def test_a_damaged_file_of_times_is_named(tmp_path, out):
    (tmp_path / "cache").mkdir()
    for content in ("{", "[1]", '{"04": 1}', '{"04": {"cells": {"a": "x"}}}', '{"04": {"timed": []}}'):
        (tmp_path / "cache" / "times.json").write_text(content)
        with pytest.raises(ValueError, match=r"times.json: damaged, expected seconds of cells and trainings by noteb"):
            times.cells(notebook(tmp_path, "04_depth"), "demo")
