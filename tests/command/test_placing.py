"""Runs on a cluster and in shares, as the command starts them."""

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest
import stored_runs
import tiny_notebooks
from command_line import begun, invoke

from helpers import paths
from helpers.command import notebooks as studies
from helpers.command import placing, times
from helpers.engine import backends, results

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
SWEEP = """
import os, pathlib
from helpers import paths
from helpers.engine import sweep

def train(i, rng):
    return {"value": rng.random()}

def where(i, rng):
    return {"process": os.getpid()}

store = paths.user_cache() / "sweeps"
"""
TABLE = """
table = sweep.run(train, sweep.grid(i=list(range(10))), store=store, seed=draws)
assert len(table) == 10
table.to_csv(results_dir + "/runs.csv", index=False)"""
SECOND = "sweep.run(train, sweep.grid(i=list(range(20, 24))), store=store, seed=draws)"
WHERE = 'print(sorted(set(sweep.run(where, sweep.grid(i=list(range(6))), store=store)["process"])), os.getpid())'


@pytest.fixture(autouse=True)
def notebooks(studies_folder):
    tiny_notebooks.write(studies_folder / "01_sweeps.ipynb", SWEEP, TABLE, SECOND)
    return studies_folder


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--share", "4/3"], "share is '4/3', expected a number and how many there are, from 1/16 to 16/16"),
        (["--cluster", "local:0"], "cluster is 'local:0', expected local:4 for four processes, or"),
        (["--cluster", "tcp://127.0.0.1:1"], "tcp://127.0.0.1:1: no dask scheduler answers there"),
        (["--shared", "."], "--shared is '.', but there is no cluster to share it with: expected --cluster"),
        (["--cluster", "local:1", "--shared", "absent"], "absent: no such folder, expected one that all workers"),
    ],
)
def test_a_place_that_is_not_there_is_refused_in_one_line_before_anything_runs(monkeypatch, arguments, message):
    monkeypatch.setattr(backends, "ANSWERS_WITHIN", 1)
    result = invoke("run", "01", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1
    assert os.listdir() == []


def test_a_cluster_without_dask_is_refused_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    for cluster in ("local:2", "tcp://127.0.0.1:1"):
        result = invoke("run", "01", "--cluster", cluster)
        assert (result.exit_code, result.stderr) == (2, f"Error: {backends.NO_DASK}\n")


def on_cluster(notebooks, *arguments):
    pytest.importorskip("distributed", reason="dask is not installed: the cluster extra brings it")
    with begun(notebooks, *arguments, "--cluster", "local:2") as process:
        said = process.communicate()[1]
    assert process.returncode == 0, said


def trained_elsewhere(notebook):
    """Whether the trainings of an executed notebook were done in other processes than its kernel, as it says itself."""
    [cell] = [cell for cell in json.loads(Path(notebook).read_text())["cells"] if cell.get("outputs")]
    workers, kernel = "".join(cell["outputs"][0]["text"]).rsplit(" ", 1)
    return int(kernel) not in json.loads(workers)


@pytest.mark.parametrize("command", ["batch"] + ["run"] * LARGE)
def test_what_is_timed_for_list_leaves_on_a_cluster_the_table_of_one_machine(notebooks, tmp_path, monkeypatch, command):
    tiny_notebooks.write(notebooks / "02_where.ipynb", SWEEP, WHERE)
    assert invoke("run", "01", "--out", "here").exit_code == 0
    [(name, row)] = json.loads((tmp_path / "cache" / "times.json").read_text()).items()
    assert (name, row["timed"], len(row["cells"]), row["seconds"] >= 0) == ("01_sweeps demo", 14, 4, True)
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "other"))
    Path("grid.yml").write_text("scale: demo\n")
    on_cluster(notebooks, command, *["grid.yml"] * (command == "batch"), "--out", "there")
    sweeps, where = ("01_sweeps/scale=demo/", "02_where/scale=demo/") if command == "batch" else ("", "")
    assert Path(f"there/{sweeps}01_sweeps/runs.csv").read_bytes() == Path("here/01_sweeps/runs.csv").read_bytes()
    assert trained_elsewhere(f"there/{where}02_where.ipynb")
    assert stored_runs.left(tmp_path / "other" / "sweeps") == {"rows", "lock"}


@pytest.mark.skipif(not LARGE, reason="executes twelve notebooks: LABEL_STUDIES_TESTS=all")
def test_three_processes_do_a_share_each_and_a_run_after_them_trains_nothing(notebooks, tmp_path, monkeypatch):
    processes = [begun(notebooks, "run", "--share", f"{i}/3") for i in (1, 2, 3)]
    told = [process.communicate(timeout=300)[1].splitlines()[-1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert told == [f"01_sweeps: {done} of 14 trainings are done" for done in (6, 4, 4)]
    assert os.listdir() == []
    store = tmp_path / "cache" / "sweeps"
    rows = stored_runs.rows(store)
    assert sorted(row["parameters"]["i"] for row in rows) == [*range(10), *range(20, 24)]
    assert len(stored_runs.files(store)) == 6

    assert invoke("run", "--out", "merged").exit_code == 0
    assert stored_runs.rows(store) == rows
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "alone"))
    assert invoke("run", "--out", "alone").exit_code == 0
    assert Path("merged/01_sweeps/runs.csv").read_bytes() == Path("alone/01_sweeps/runs.csv").read_bytes()


def test_a_share_of_a_notebook_that_fails_before_its_sweeps_is_an_error_and_of_one_without_is_nothing(notebooks):
    tiny_notebooks.write(notebooks / "01_sweeps.ipynb", "print(1)")
    tiny_notebooks.write(notebooks / "02_fails.ipynb", "raise ValueError('no data')", SWEEP)
    result = invoke("run", "--share", "1/2")
    assert result.exit_code == 1
    assert "01_sweeps: 0 of 0 trainings are done\n" in result.stderr
    assert "Error: 02_fails: cell [3] raised ValueError: no data\n" in result.stderr
    assert os.listdir() == []


def test_the_environment_is_as_it_was_after_a_run(monkeypatch):
    monkeypatch.setenv(backends.SHARED, "before")
    before = dict(os.environ)
    with backends.environment({backends.SHARED: "in it", backends.CLUSTER: "there", backends.SHARE: None}):
        assert (os.environ[backends.SHARED], os.environ[backends.CLUSTER]) == ("in it", "there")
    assert dict(os.environ) == before


# how much there is to do


@pytest.fixture
def depth(monkeypatch):
    monkeypatch.setattr(paths, "project", PROJECT)
    return studies.find(["04"])[0]


PROJECT = paths.project


def test_trainings_are_those_of_the_stored_tables(depth):
    stored = results.stored("04")["mslr-sample-portrait"]
    if not results.waiting("04").get("mslr-sample-portrait"):
        assert times.trainings(depth)[1] == ("study", len(stored["percent"]) + len(stored["pool"]), None)
    [overlap] = studies.find(["01"])
    sets = ("clean07", "clean08", "clean+")
    assert times.trainings(overlap)[1][1] == sum(results.produced_by("01", name)["trainings"] for name in sets)


def test_core_hours_are_those_of_the_trainings_that_were_timed(depth, tmp_path):
    (_, count, hours), *_ = times.trainings(depth)
    assert hours is None
    line = '{"trainings": 10, "done": 4, "failed": 1, "timed": %d, "seconds": 36.0}\n'
    for scale, timed in (("demo", 2), ("study", 0)):
        (tmp_path / scale).write_text(line % timed)
        times.remember(depth, scale, {}, placing.Told(tmp_path / scale))
    assert times.trainings(depth)[0] == ("demo", count, pytest.approx(count * 18 / 3600))
    rows = [line.split() for line in invoke("list", "04").stdout.splitlines() if line.strip()][-3:]
    paper = times.trainings(depth)[2][1]
    assert rows[0] == ["demo", f"{count:,}", f"{count * 18 / 3600:.2f}"]
    assert rows[2] == ["paper", f"{paper:,}", "not", "timed", "here", "yet"]


@pytest.mark.skipif(not LARGE, reason="half a minute: LABEL_STUDIES_TESTS=all")
def test_a_worker_of_this_machine_that_dies_again_and_again_comes_back():
    """A dask cluster looks 15 seconds after a worker is lost whether it is there again, and gives it up if not."""
    distributed = pytest.importorskip("distributed", reason="dask is not installed: the cluster extra brings it")
    with placing.on_cluster("local:1", None), distributed.Client(os.environ[backends.CLUSTER]) as client:
        end = time.monotonic() + 24
        while time.monotonic() < end:
            client.wait_for_workers(1, timeout=60)
            time.sleep(0.3)
            with contextlib.suppress(OSError):  # it may be lost at this moment
                for process in client.run(os.getpid).values():
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.1)
        client.wait_for_workers(1, timeout=60)
        assert client.submit(sum, [1, 2]).result(timeout=20) == 3
