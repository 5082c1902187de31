"""Sweeps on a dask cluster: the same table, whatever happens to its workers."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
import stored_runs

from helpers.datasets.collection import Collection, open_saved, save
from helpers.engine import backends, sweep, workers

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
large = pytest.mark.skipif(not LARGE, reason="starts a dask cluster of its own: LABEL_STUDIES_TESTS=all")


distributed = pytest.importorskip("distributed", reason="dask is not installed: the cluster extra brings it")

SCHEDULER = """
import dask, distributed, sys
from helpers.command import placing
if __name__ == "__main__":
    with (
        dask.config.set(placing.LOCAL | {"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as local,
    ):
        print(local.scheduler_address, flush=True)
        sys.stdin.read()
"""


@contextlib.contextmanager
def scheduler(folder):
    """The process of a scheduler with a single worker, which is started again when it dies, and its address."""
    (folder / "scheduler.py").write_text(SCHEDULER)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    command = [sys.executable, str(folder / "scheduler.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        yield process, process.stdout.readline().strip()
        process.stdin.close()


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory):
    with scheduler(tmp_path_factory.mktemp("scheduler")) as (_, address):
        yield address


@pytest.fixture
def named(one_worker, monkeypatch):
    """The environment names a cluster of one worker, whose address this is."""
    monkeypatch.setenv(backends.CLUSTER, one_worker)
    return one_worker


def measured(repeat, collection, rng):
    return {
        "mean": float(collection.features.mean()) + rng.random(),
        "file": str(getattr(collection.features, "filename", "")),
        "writable": collection.features.flags.writeable,
        "process": os.getpid(),
    }


@pytest.fixture
def shared(tmp_path, rng):
    """A collection mapped from a folder that no worker of another machine would see."""
    made = Collection(rng.random((50, 4)), np.zeros(50), [0, 20, 50])
    return {"collection": open_saved(save(made, tmp_path / "here-alone"))}


GRID = sweep.grid(repeat=list(range(8)))


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_cluster_that_the_environment_names_gives_the_bits_of_one_process_from_one_file_that_it_maps(
    named, monkeypatch, tmp_path, shared, is_shared
):
    """The file is in the folder that all see and the next sweep takes it, or where there is none it is sent."""
    monkeypatch.delenv(backends.CLUSTER)
    here = sweep.run(measured, GRID, store=tmp_path / "here", shared=shared)
    monkeypatch.setenv(backends.CLUSTER, named)
    (tmp_path / "all").mkdir()
    if is_shared:
        monkeypatch.setenv(backends.SHARED, str(tmp_path / "all"))
    there = sweep.run(measured, GRID, store=tmp_path / "there", shared=shared)
    pd.testing.assert_series_equal(there["mean"], here["mean"], check_exact=True)
    assert not there["writable"].any()
    assert os.getpid() not in set(there["process"])
    [file] = map(Path, set(there["file"]))
    assert list((tmp_path / "all").iterdir()) == ([file] if is_shared else [])
    assert stored_runs.left(tmp_path / "there") == {"rows", "lock"}
    if is_shared:
        made = file.stat()
        sweep.run(measured, sweep.grid(repeat=[9]), store=tmp_path / "there", shared=shared)
        assert file.stat() == made
    else:
        assert not file.is_relative_to(tmp_path)


def test_data_that_is_sent_holds_what_was_mapped(shared, tmp_path, monkeypatch):
    monkeypatch.setenv(backends.CLUSTER, "tcp://anywhere")
    sent = backends.lent({"parts": [(shared["collection"],)]}, "name")
    (tmp_path / "file").write_bytes(sent.content)
    [(arrived,)] = joblib.load(tmp_path / "file", mmap_mode="r")["parts"]
    assert arrived.features.filename == str(tmp_path / "file")
    np.testing.assert_array_equal(arrived.features, shared["collection"].features)
    assert repr(arrived) == repr(shared["collection"])


def state(dask_worker):
    return dask_worker.process.status.name


def fatal(i, killers, rng):
    """A run that kills its worker, as long as a file says so."""
    if str(i) in Path(killers).read_text().split():
        while set(distributed.get_client().run(state, nanny=True).values()) != {"running"}:
            time.sleep(0.05)  # a nanny gives up a worker that dies while it comes up
        os.kill(os.getpid(), signal.SIGKILL)
    return {"value": rng.random()}


def test_a_run_that_kills_every_worker_is_recorded_and_the_others_go_on(named, monkeypatch, tmp_path):
    monkeypatch.setattr(backends, "_TRIES", 2)
    killers, grid = tmp_path / "killers", sweep.grid(i=list(range(4)))
    killers.write_text("2")
    shared, store = {"killers": str(killers)}, tmp_path / "store"
    with pytest.warns(RuntimeWarning, match="4 trainings, 1 failed, first {'i': 2}: WorkerDied"):
        table = sweep.run(fatal, grid, store=store, shared=shared)
    assert table["error"].tolist() == [None, None, workers.DIED, None]
    killers.write_text("")
    monkeypatch.delenv(backends.CLUSTER)
    again = sweep.run(fatal, grid, store=store, shared=shared)
    alone = sweep.run(fatal, grid, store=tmp_path / "alone", shared=shared)
    pd.testing.assert_frame_equal(again, alone, check_exact=True)


def test_a_worker_with_other_code_stops_the_sweep(named, tmp_path):
    task = workers.Task("key", '{"repeat": 1}', [1])
    with distributed.Client(named) as client, pytest.raises(ValueError, match="a worker has other code of measured"):
        list(backends.rows(measured, "0" * 64, [task], tmp_path, client, print))


def test_a_function_of_a_notebook_is_sent_along(named, tmp_path):
    def local(i, rng):
        return {"i_again": i, "process": os.getpid()}

    table = sweep.run(local, [{"i": 1}], store=tmp_path)
    assert table["i_again"].tolist() == [1]
    assert table["process"].tolist() != [os.getpid()]


def slow(i, rng):
    time.sleep(0.1)
    return {"value": rng.random()}


@large
def test_a_scheduler_that_is_lost_stops_the_sweep_with_one_line_and_the_next_goes_on(monkeypatch, tmp_path):
    store, grid = tmp_path / "store", sweep.grid(i=list(range(300)))
    with scheduler(tmp_path) as (process, address):
        monkeypatch.setenv(backends.CLUSTER, address)
        threading.Thread(target=kill_after_a_row, args=(process, store)).start()
        with pytest.raises(ConnectionError) as refused:
            sweep.run(slow, grid, store=store)
    assert str(refused.value) == f"{address}: {backends._LOST}"
    kept = len(stored_runs.rows(store))
    assert 0 < kept < len(grid)
    monkeypatch.delenv(backends.CLUSTER)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    assert sweep.run(slow, grid, store=store)["error"].isna().all()
    assert len(stored_runs.rows(store)) == len(grid)


def kill_after_a_row(process, store):
    while not any(file.stat().st_size for file in stored_runs.files(store)):
        time.sleep(0.01)
    process.kill()


def test_a_scheduler_that_does_not_answer_is_named_unless_the_store_is_complete(monkeypatch, tmp_path):
    first = sweep.run(simple, [{"i": 1}], store=tmp_path)
    monkeypatch.setenv(backends.CLUSTER, "tcp://127.0.0.1:1")
    monkeypatch.setattr(backends, "ANSWERS_WITHIN", 0.2)
    pd.testing.assert_frame_equal(sweep.run(simple, [{"i": 1}], store=tmp_path), first)
    with pytest.raises(OSError, match=r"^tcp://127.0.0.1:1: no dask scheduler answers there"):
        sweep.run(simple, [{"i": 2}], store=tmp_path)


def simple(i, rng):
    return {"value": rng.random()}


def test_what_was_done_is_kept_where_a_run_beside_it_shows_that_the_scheduler_is_lost(named, monkeypatch, tmp_path):
    outcomes = backends._outcomes

    def then_lost(futures, client):
        yield from outcomes(futures, client)
        if futures:
            raise ConnectionError(backends._LOST)

    monkeypatch.setattr(backends, "_outcomes", then_lost)
    with pytest.raises(ConnectionError, match="what has been done is kept"):
        sweep.run(simple, [{"i": 1}], store=tmp_path)
    assert len(stored_runs.rows(tmp_path)) == 1


@large
def test_a_cluster_without_a_worker_is_told_and_waited_for(monkeypatch, tmp_path, capfd):
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as local:
        monkeypatch.setenv(backends.CLUSTER, local.scheduler_address)
        said = []

        def add_when_told():
            while "no worker is there, waiting for one" not in "".join(said):
                said.append(capfd.readouterr().err)
                time.sleep(0.05)
            local.scale(1)

        threading.Thread(target=add_when_told).start()
        assert sweep.run(simple, [{"i": 1}], store=tmp_path)["error"].tolist() == [None]
    assert "".join(said).count("waiting for one") == 1


@large
def test_a_cluster_that_joblib_names_gives_the_bits_of_one_process_and_maps_the_file_of_the_store(
    one_worker, tmp_path, rng
):
    shared = {"collection": Collection(rng.random((50, 4)), np.zeros(50), [0, 20, 50])}
    here = sweep.run(measured, GRID, store=tmp_path / "here", shared=shared)
    with distributed.Client(one_worker), joblib.parallel_config(backend="dask"):
        there = sweep.run(measured, GRID, store=tmp_path / "there", shared=shared)
    pd.testing.assert_series_equal(there["mean"], here["mean"], check_exact=True)
    assert os.getpid() not in set(there["process"])
    assert set(there["file"]) == {str(stored_runs.file(tmp_path / "there").with_suffix(f".{os.getpid()}.shared"))}
