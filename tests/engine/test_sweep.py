"""Grids of runs: the same bits whatever the workers and interruptions, what is refused, memory, progress."""

import importlib
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import stored_runs
from hypothesis import given, settings
from hypothesis import strategies as st
from stored_runs import assert_identical
from threadpoolctl import threadpool_info

from helpers.datasets.collection import Collection, open_saved, save
from helpers.engine import fingerprint as fingerprints
from helpers.engine import sweep, workers

GRID = sweep.grid(percent=[5, 50, 100], repeat=[0, 1])


def draw(percent, repeat, rng):
    return {"ndcg": percent * rng.random(), "n": repeat + 1, "curve": rng.random(3), "best": None}


def test_table_has_parameters_then_results_then_error_in_the_order_of_the_grid(tmp_path):
    table = sweep.run(draw, GRID, store=tmp_path)
    assert list(table) == ["percent", "repeat", "ndcg", "n", "curve", "best", "error"]
    assert table[["percent", "repeat"]].to_dict("records") == GRID
    assert table["n"].tolist() == [1, 2, 1, 2, 1, 2]
    assert table["error"].tolist() == [None] * 6
    assert table["ndcg"].nunique() == 6


def nap(i, folder, rng):
    """A run; the first one ends after the third has begun."""
    if i == 2:
        Path(folder, "third").touch()
    while i == 0 and not Path(folder, "third").exists():
        time.sleep(0.01)
    return {"value": rng.random()}


def test_two_workers_give_the_bits_of_one_in_the_order_of_the_grid_whatever_ends_first(tmp_path):
    grid, shared = sweep.grid(i=[0, 1, 2, 3]), {"folder": str(tmp_path)}
    table = sweep.run(nap, grid, store=tmp_path / "pair", n_jobs=2, shared=shared)
    assert_identical(table, sweep.run(nap, grid, store=tmp_path / "alone", shared=shared))
    stored = [row["parameters"]["i"] for row in stored_runs.rows(tmp_path / "pair")]
    assert sorted(stored) == table["i"].tolist() == [0, 1, 2, 3]
    assert stored != [0, 1, 2, 3]


def test_a_run_depends_on_its_seed_and_neither_on_its_place_in_the_grid_nor_on_other_points(tmp_path):
    whole = sweep.run(draw, GRID, store=tmp_path / "whole")
    some = [4, 1, 3]
    part, other = (sweep.run(draw, [GRID[i] for i in some], store=tmp_path / "part", seed=seed) for seed in (0, 1))
    assert_identical(part, whole.loc[some].reset_index(drop=True))
    assert not np.isin(other["ndcg"], part["ndcg"]).any()


def test_only_what_is_not_stored_is_run(traced):
    first, run = traced()
    assert run == [5, 50, 100]
    again, run = traced()
    assert run == []
    assert_identical(again, first)
    _, run = traced([5, 20, 100])
    assert run == [20]


def test_a_run_that_raises_is_recorded_and_reported_and_tried_again(traced, tmp_path):
    (tmp_path / "broken").touch()
    for expected in ([5, 50, 100], [50]):
        with pytest.warns(RuntimeWarning, match=r"1 failed, first {'i': 50}: LookupError: no fold 6"):
            table, run = traced()
        assert run == expected
        assert table["error"].tolist() == [None, "LookupError: no fold 6", None]
        assert table["value"].isna().tolist() == [False, True, False]
    (tmp_path / "broken").unlink()
    table, run = traced()
    assert run == [50]
    assert table["error"].tolist() == [None] * 3
    assert table["value"].notna().all()


def echo(values, rng):
    return {
        "copy": values,
        "scalar": np.float32(0.1),
        "array": np.arange(2),
        "truth": np.bool_(True),
        "pair": (1, None),
    }


@settings(max_examples=5, deadline=None)
@given(
    st.lists(st.floats() | st.integers() | st.booleans() | st.none() | st.text() | st.lists(st.floats(), max_size=3))
)
def test_values_come_back_from_the_store_as_they_were(tmp_path_factory, values):
    store = tmp_path_factory.mktemp("store")
    for _ in range(2):
        row = sweep.run(echo, [{"values": values}], store=store).to_dict("records")[0]
        assert repr(row["copy"]) == repr(row["values"]) == repr(values)
        assert [row["scalar"], row["array"], row["truth"], row["pair"]] == [
            0.10000000149011612,
            [0, 1],
            True,
            [1, None],
        ]
    shutil.rmtree(store)


LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
N_RUNS = 40 if LARGE else 16
INTERRUPTIONS = [(1, "KILL"), (6, "INT"), *([(9, "TERM"), (12, "HUP"), (20, "KILL"), (30, "INT")] if LARGE else [])]
"""Runs that are stored when a sweep is stopped, and the signal; INT goes to its workers, too, as Ctrl-C does."""

LONG_STUDY = """
import os, time
from helpers.engine import sweep

def measure(repeat, rng):
    if nap := os.environ.get("LONG_STUDY_NAP"):
        with open("pids", "a") as log:
            log.write(f"{os.getpid()}\\n")
        time.sleep(float(nap))
    return {"value": rng.normal(), "curve": rng.normal(size=3)}

def run(store, n_jobs, n):
    return sweep.run(measure, sweep.grid(repeat=list(range(n))), store=store, n_jobs=n_jobs)
"""
HEEDS_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
"""A shell has what it starts in the background ignore it."""


@pytest.fixture
def long_study(tmp_path, monkeypatch):
    """A module with a sweep of N_RUNS runs."""
    (tmp_path / "long_study.py").write_text(LONG_STUDY)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("long_study")
    del sys.modules["long_study"]


@pytest.fixture
def started(long_study, tmp_path):
    """Sweeps in a process of its own, and returns that process once n runs are in the store and both workers run."""
    processes, pids = [], tmp_path / "pids"

    def start(n):
        pids.write_text("")
        run = f"{HEEDS_CTRL_C}import long_study; long_study.run('store', 2, {N_RUNS})"
        slow = os.environ | {"LONG_STUDY_NAP": "0.1"}
        process = subprocess.Popen([sys.executable, "-c", run], cwd=tmp_path, env=slow, start_new_session=True)
        processes.append(process)
        until(lambda: len(stored_runs.lines(tmp_path / "store")) >= n and len(set(pids.read_text().split())) == 2)
        assert process.poll() is None
        return process, [int(line) for line in set(pids.read_text().split())]

    yield start
    for process in processes:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def until(reached, seconds=60):
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_running(process):
    """Whether a process is there and has not ended; a parent that is gone may not have been told."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def in_memory(process):
    return [entry.name for entry in Path("/dev/shm").iterdir() if f"-{process}-" in entry.name.replace("_", "-")]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs a system that lists processes")
def test_a_sweep_stopped_again_and_again_ends_its_workers_and_at_last_has_the_table_of_one_left_alone(
    started, long_study, tmp_path
):
    kept = []
    for n, name in INTERRUPTIONS:
        process, own = started(n)
        assert all(map(is_running, own))
        number = signal.Signals[f"SIG{name}"]
        os.killpg(process.pid, number) if name == "INT" else process.send_signal(number)
        assert process.wait() == -number
        until(lambda own=own: not any(map(is_running, own)), seconds=20 * workers.WATCH)
        until(lambda process=process: not in_memory(process.pid))
        before, kept = kept, stored_runs.lines(tmp_path / "store")
        assert kept[: len(before)] == before
        assert n <= len(kept) < N_RUNS
        assert name != "INT" or stored_runs.left(tmp_path / "store") == {"rows", "lock"}
    resumed, alone = (long_study.run(tmp_path / store, 1, N_RUNS) for store in ("store", "alone"))
    assert_identical(resumed, alone)
    lines = stored_runs.lines(tmp_path / "store")
    assert len(lines) == len(stored_runs.rows(tmp_path / "store")) == N_RUNS
    assert lines[: len(kept)] == kept
    assert all(row["error"] is None for row in stored_runs.rows(tmp_path / "store"))
    assert stored_runs.left(tmp_path / "store") == {"rows", "lock"}


def fatal(i, killers, rng):
    """A run that kills its worker, as long as a file says so, or once."""
    told = Path(killers).read_text().split()
    if str(i) in told:
        if "once" in told:
            Path(killers).write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return {"value": rng.random()}


def test_a_run_that_kills_its_worker_is_recorded_and_the_others_go_on(tmp_path):
    killers, grid = tmp_path / "killers", sweep.grid(i=list(range(3)))
    shared = {"killers": str(killers)}
    killers.write_text("")
    alone = sweep.run(fatal, grid, store=tmp_path / "alone", shared=shared)
    killers.write_text("1")
    with pytest.warns(RuntimeWarning, match="3 trainings, 1 failed, first {'i': 1}: WorkerDied"):
        table = sweep.run(fatal, grid, store=tmp_path / "store", n_jobs=2, shared=shared)
    assert [i for i, error in enumerate(table["error"]) if error] == [1]
    assert set(table["error"].dropna()) == {workers.DIED}
    others = table["error"].isna()
    assert table["value"][others].tolist() == alone["value"][others].tolist()
    killers.write_text("")
    again = sweep.run(fatal, grid, store=tmp_path / "store", n_jobs=2, shared=shared)
    assert again["value"].tolist() == alone["value"].tolist()
    assert stored_runs.left(tmp_path / "store") == {"rows", "lock"}


def test_a_worker_that_is_killed_from_outside_costs_no_run(tmp_path):
    (tmp_path / "killers").write_text("1 once")
    shared = {"killers": str(tmp_path / "killers")}
    table = sweep.run(fatal, sweep.grid(i=[0, 1, 2]), store=tmp_path / "store", n_jobs=2, shared=shared)
    assert table["error"].tolist() == [None] * 3


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ([], "grid is empty"),
        ([{"k": 1}, 7], "point 1 is 7, expected a dict"),
        ([{"k": 1}, {"k": 2}, {"k": np.int64(1)}], "points 0 and 2 are both {'k': 1}"),
        ([{"k": {1, 2}}], r"point 0, parameter 'k' is {1, 2} \(set\)"),
        ([{"k": 1, "fold": [1, 2j]}], r"point 0, parameter 'fold' is 2j \(complex\)"),
        ([{"k": {1: 2}}], r"point 0, parameter 'k' is {1: 2} \(dict\)"),
        ([{"rng": 1}], "parameter 'rng', a name that is taken"),
        ([{"error": 1}], "parameter 'error', a name that is taken"),
        ([{"labels": 1}], "parameter 'labels', a name that is taken"),
    ],
)
def test_a_grid_that_cannot_be_run_is_refused_before_anything_is_run(tmp_path, grid, message):
    with pytest.raises(ValueError, match=message):
        sweep.run(draw, grid, store=tmp_path / "store", shared={"labels": np.zeros(3)})
    with pytest.raises(ValueError, match="seed is -1, expected a whole number from 0"):
        sweep.run(draw, GRID, store=tmp_path / "store", seed=-1)
    assert not (tmp_path / "store").exists()


def test_a_worker_module_that_was_edited_after_its_import_is_refused(tmp_path, monkeypatch):
    read = fingerprints._read

    def edited(file, package):
        return read(file, package)._replace(code=[]) if file == workers.__file__ else read(file, package)

    monkeypatch.setattr(fingerprints, "_read", edited)
    with pytest.raises(ValueError, match=r"workers.py, .*: edited after it was imported, restart Python"):
        sweep.run(draw, GRID, store=tmp_path)


def returning(what, rng):
    return {"parameter": {"what": 1}, "error": {"error": 1}, "type": {"model": object}, "list": [1]}[what]


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("parameter", "returned a result 'what', the name of another column"),
        ("error", "returned a result 'error', the name of another column"),
        ("type", r"result 'model' is <class 'object'> \(type\), expected numbers"),
        ("list", r"returned \[1\], expected a dict of results"),
    ],
)
def test_results_that_fit_no_table_stop_the_sweep(tmp_path, what, message):
    with pytest.raises(ValueError, match=message):
        sweep.run(returning, [{"what": what}], store=tmp_path)


def threads():
    np.dot(np.ones((50, 50)), np.ones((50, 50)))
    return max(pool["num_threads"] for pool in threadpool_info())


def overwrite(labels, rng):
    try:
        labels[:] = 1
    except ValueError as error:
        return {"refused": str(error), "threads": threads()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_run_cannot_change_what_others_see_and_linear_algebra_has_one_thread_meanwhile(tmp_path, n_jobs):
    before, labels = threads(), np.zeros(3)
    table = sweep.run(overwrite, [{}], store=tmp_path, n_jobs=n_jobs, shared={"labels": labels})
    assert table["threads"].tolist() == [1]
    assert "read-only" in table["refused"][0]
    assert threads() == before
    assert labels.tolist() == [0, 0, 0]


def look(i, collection, rng):
    """Where the features lie, what they hold, and how much memory the process has that no file backs."""
    total = int(collection.features.sum())
    status = Path("/proc/self/status").read_text()
    anonymous = int(status.partition("RssAnon:")[2].split()[0]) if "RssAnon:" in status else 0
    return {"file": str(collection.features.filename), "total": total, "anonymous": anonymous / 1024}


def ones(n_docs):
    return Collection(np.ones((n_docs, 250)), np.zeros(n_docs), [0, n_docs])


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs a system that tells a process's own memory")
def test_workers_map_a_collection_from_one_file_and_use_no_memory_for_it(tmp_path):
    grid = sweep.grid(i=[0, 1, 2, 3])
    small = sweep.run(look, grid, store=tmp_path / "small", n_jobs=2, shared={"collection": ones(1)})
    large = sweep.run(look, grid, store=tmp_path / "large", n_jobs=2, shared={"collection": ones(40_000)})
    assert large["total"].tolist() == [10_000_000] * 4
    assert set(large["file"]) == {str(stored_runs.file(tmp_path / "large").with_suffix(f".{os.getpid()}.shared"))}
    assert large["anonymous"].max() < small["anonymous"].max() + 10  # MB; the features have 40
    assert stored_runs.left(tmp_path / "large") == {"rows", "lock"}


def test_a_collection_that_is_mapped_already_is_read_where_it_lies(tmp_path):
    saved = open_saved(save(ones(4), tmp_path / "saved"))
    table = sweep.run(look, [{"i": 0}], store=tmp_path / "store", n_jobs=2, shared={"collection": saved})
    assert table["file"].tolist() == [str(tmp_path / "saved" / "features.npy")]


def test_progress_goes_to_the_terminal_named_in_the_environment(traced, capfd, monkeypatch):
    terminal, device = pty.openpty()
    termios.tcsetwinsize(device, (24, 100))
    monkeypatch.setenv("LABEL_STUDIES_PROGRESS", os.ttyname(device))
    traced([5])
    traced([5, 50, 100])
    shown = b""
    while select.select([terminal], [], [], 0.3)[0]:
        shown += os.read(terminal, 10_000)
    os.close(terminal)
    os.close(device)
    assert shown.startswith(b"\rlogged:   0%")
    assert b"1/3" in shown
    assert b"3/3" in shown
    assert b"0/3" not in shown
    assert capfd.readouterr() == ("", "")
