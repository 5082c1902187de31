"""Worker processes: they end with the process that started them, and one that dies takes no other run with it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import stored_runs

from helpers.engine import sweep, workers

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs a system that lists processes")

STUDY = """
import os, time
from helpers.engine import sweep

def measure(repeat, rng):
    with open("pids", "a") as log:
        log.write(f"{os.getpid()}\\n")
    time.sleep(0.2)
    return {"value": rng.random()}

sweep.run(measure, sweep.grid(repeat=list(range(300))), store="store", n_jobs=2)
"""
SHARED_MEMORY = Path("/dev/shm")


def until(reached, seconds=60):
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_running(process):
    """Whether a process is there and has not ended; a parent that is gone may not have been told."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def in_memory(process):
    return [entry.name for entry in SHARED_MEMORY.iterdir() if f"-{process}-" in entry.name.replace("_", "-")]


@pytest.fixture
def started(tmp_path):
    """A sweep in a process of its own, in a group of its own, and the numbers of its two workers."""
    (tmp_path / "study.py").write_text(STUDY)
    process = subprocess.Popen([sys.executable, "study.py"], cwd=tmp_path, start_new_session=True)
    log = tmp_path / "pids"
    until(lambda: log.exists() and len(set(log.read_text().split())) == 2)
    yield process, [int(line) for line in set(log.read_text().split())]
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"


@pytest.mark.parametrize("number", [signal.SIGKILL, *([signal.SIGTERM, signal.SIGHUP] if LARGE else [])])
def test_workers_end_with_the_process_that_started_them(started, number):
    process, its_workers = started
    assert all(map(is_running, its_workers))
    process.send_signal(number)
    assert process.wait() == -number
    until(lambda: not any(map(is_running, its_workers)), seconds=20 * workers.WATCH)
    until(lambda: not in_memory(process.pid))


def draw(i, rng):
    return {"value": rng.random()}


def test_the_next_sweep_removes_what_a_killed_one_left(started, tmp_path):
    process, _ = started
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    until(lambda: not is_running(process.pid))
    assert f"{process.pid}.shared" in stored_runs.left(tmp_path / "store")
    assert in_memory(process.pid)
    sweep.run(draw, [{"i": 1}], store=tmp_path / "store")
    assert stored_runs.left(tmp_path / "store") == {"rows", "lock"}
    assert in_memory(process.pid) == []


def test_nothing_of_a_process_that_is_there_is_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(tmp_path))
    for process in (os.getpid(), 999_999_999):
        (tmp_path / f"joblib_memmapping_folder_{process}_abc_def").mkdir()
        workers.clear_after(process)
    assert [folder.name for folder in tmp_path.iterdir()] == [f"joblib_memmapping_folder_{os.getpid()}_abc_def"]


def fatal(i, killers, rng):
    """A run that kills its worker, as long as a file says so."""
    if str(i) in Path(killers).read_text().split():
        os.kill(os.getpid(), signal.SIGKILL)
    return {"value": rng.random()}


def test_a_run_that_kills_its_worker_is_recorded_and_the_others_go_on(tmp_path):
    killers, grid = tmp_path / "killers", sweep.grid(i=list(range(5)))
    shared = {"killers": str(killers)}
    killers.write_text("")
    alone = sweep.run(fatal, grid, store=tmp_path / "alone", shared=shared)
    killers.write_text("2 4")
    with pytest.warns(RuntimeWarning, match="5 trainings, 2 failed, first {'i': 2}: WorkerDied"):
        table = sweep.run(fatal, grid, store=tmp_path / "store", n_jobs=2, shared=shared)
    assert [i for i, error in enumerate(table["error"]) if error] == [2, 4]
    assert set(table["error"].dropna()) == {workers.DIED}
    others = table["error"].isna()
    assert table["value"][others].tolist() == alone["value"][others].tolist()
    killers.write_text("")
    again = sweep.run(fatal, grid, store=tmp_path / "store", n_jobs=2, shared=shared)
    assert again["value"].tolist() == alone["value"].tolist()
    assert stored_runs.left(tmp_path / "store") == {"rows", "lock"}


def kill_once(i, killed, rng):
    """A run whose worker is killed from outside, once."""
    if i == 1 and not os.path.exists(killed):
        Path(killed).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"value": rng.random()}


def test_a_worker_that_is_killed_from_outside_costs_no_run(tmp_path):
    shared = {"killed": str(tmp_path / "killed")}
    table = sweep.run(kill_once, sweep.grid(i=[0, 1, 2]), store=tmp_path / "store", n_jobs=2, shared=shared)
    assert table["error"].tolist() == [None] * 3
