"""Runs on a dask cluster of this machine: what one costs beside loky, two workers beside one, and a large grid.

With LABEL_STUDIES_TESTS=all the grid has 100,000 runs of 10 ms, which take a quarter of an hour on two idle cores.
"""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import stored_runs

from helpers.engine import backends, sweep, workers

pytest.importorskip("distributed", reason="dask is not installed: the cluster extra brings it")

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
EMPTY, LONG, GRID, WHOLE = (1_000, 80, 100_000, 100_000) if LARGE else (200, 40, 500, 20_000)

SCHEDULER = """
import distributed, os, sys
if __name__ == "__main__":
    with distributed.LocalCluster(n_workers=int(sys.argv[1]), threads_per_worker=1, dashboard_address=":0") as local:
        print(local.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def clustered(tmp_path, monkeypatch):
    """Starts a scheduler with so many workers in a process of its own, and has sweeps use it while the block lasts."""
    (tmp_path / "scheduler.py").write_text(SCHEDULER)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}

    @contextlib.contextmanager
    def start(n_workers):
        command = [sys.executable, str(tmp_path / "scheduler.py"), str(n_workers)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        with subprocess.Popen(command, env=environment, **pipes) as process:
            values = {backends.CLUSTER: process.stdout.readline().strip(), backends.SHARED: str(tmp_path)}
            with backends.environment(values):
                sweep.run(wait, sweep.grid(i=list(range(8)), ms=[20]), store=tmp_path / f"warm-{n_workers}")
                yield process
            process.stdin.close()

    return start


def wait(i, ms, rng):
    time.sleep(ms / 1000)
    return {"value": rng.random()}


def seconds(runs, ms, folder, n_jobs=1):
    """How long a sweep takes, and each of its runs."""
    start = time.perf_counter()
    sweep.run(wait, sweep.grid(i=list(range(runs)), ms=[ms]), store=folder, n_jobs=n_jobs)
    return time.perf_counter() - start


def test_what_a_run_costs_beside_loky(clustered, tmp_path):
    sweep.run(wait, sweep.grid(i=[1, 2], ms=[20]), store=tmp_path / "loky-warm", n_jobs=2)
    loky = seconds(EMPTY, 0, tmp_path / "loky", n_jobs=2) / EMPTY
    with clustered(2):
        dask = seconds(EMPTY, 0, tmp_path / "dask") / EMPTY
    print(f"\n{EMPTY} empty runs, two workers: loky {1000 * loky:.2f} ms a run, dask {1000 * dask:.2f} ms a run")
    assert dask < 0.05


def test_two_workers_do_nearly_twice_as_much_as_one(clustered, tmp_path):
    took = {}
    for n_workers in (1, 2):
        with clustered(n_workers):
            took[n_workers] = seconds(LONG, 100, tmp_path / str(n_workers))
    print(f"\n{LONG} runs of 100 ms: one worker {took[1]:.2f} s, two {took[2]:.2f} s, {took[1] / took[2]:.2f} times")
    assert took[1] / took[2] > 1.6


def test_a_large_grid_takes_the_scheduler_no_memory_that_grows_with_it(clustered, tmp_path):
    Path("/proc/self/clear_refs").write_text("5")  # from here on the peak of this process is counted anew
    here = kept("self", "VmRSS")
    with clustered(2) as process:
        before = kept(process.pid, "VmRSS")
        took = seconds(GRID, 10, tmp_path / "grid")
        grown = kept(process.pid, "VmHWM") - before
    client = kept("self", "VmHWM") - here
    again = seconds(GRID, 10, tmp_path / "grid")
    size = sum(file.stat().st_size for file in stored_runs.files(tmp_path / "grid"))
    print(f"\n{GRID:,} runs of 10 ms, two workers: {took:.1f} s, {1000 * took / GRID - 5:.2f} ms a run on top of 5")
    print(f"peaks: the scheduler's {grown / 1e6:.0f} MB above its start, the client's {client / 1e6:.0f} MB", end="")
    print(f"; all are stored, {size / 1e6:.0f} MB: read again in {again:.1f} s")
    assert grown < 50e6


def kept(process, what):
    """Bytes of memory of a process, now (VmRSS) or at its peak (VmHWM)."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(what))


def test_a_large_grid_is_resumed_in_seconds(tmp_path, monkeypatch):
    grid = sweep.grid(i=list(range(WHOLE)), ms=[10])

    def at_once(function, due, data, n_jobs):
        ended = {"parameters": {"i": 1, "ms": 10}, "results": {"value": 0.5}, "error": None}
        yield [{"key": task.key, **ended} for task in due]

    with monkeypatch.context() as patch:
        patch.setattr(workers, "rows", at_once)
        sweep.run(wait, grid[:-1], store=tmp_path)
    Path("/proc/self/clear_refs").write_text("5")
    start = time.perf_counter()
    sweep.run(wait, grid, store=tmp_path)
    took, peak = time.perf_counter() - start, kept("self", "VmHWM")
    size = sum(file.stat().st_size for file in stored_runs.files(tmp_path))
    print(
        f"\n{WHOLE:,} runs, all but one stored, {size / 1e6:.0f} MB: resumed in {took:.1f} s, peak {peak / 1e6:.0f} MB"
    )
    assert took < 60
