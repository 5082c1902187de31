import os
import signal
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
import stored_runs
from threadpoolctl import threadpool_info

from helpers.datasets.collection import Collection
from helpers.engine import sweep

distributed = pytest.importorskip("distributed", reason="dask is not installed: the cluster extra brings it")


@pytest.fixture(scope="module")
def client():
    """A client of a scheduler and two workers, each worker a process of its own."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def measure(repeat, collection, rng):
    return {
        "mean": float(collection.features.mean()) + rng.random(),
        "file": str(getattr(collection.features, "filename", "")),
        "process": os.getpid(),
    }


def test_cluster_gives_the_bits_of_one_process(client, tmp_path, rng):
    shared = {"collection": Collection(rng.random((50, 4)), np.zeros(50), [0, 20, 50])}
    grid = sweep.grid(repeat=list(range(12)))
    here = sweep.run(measure, grid, store=tmp_path / "here", shared=shared)
    with joblib.parallel_config(backend="dask"):
        there = sweep.run(measure, grid, store=tmp_path / "there", shared=shared)
    pd.testing.assert_series_equal(there["mean"], here["mean"], check_exact=True)
    assert set(there["process"]) == set(client.run(os.getpid).values())
    assert os.getpid() not in set(there["process"])
    assert set(there["file"]) == {str(stored_runs.file(tmp_path / "there").with_suffix(f".{os.getpid()}.shared"))}


def fail_once(repeat, broken, rng):
    if repeat == 3 and os.path.exists(broken):
        raise LookupError("no fold 6")
    return {"threads": max(pool["num_threads"] for pool in threadpool_info())}


def test_a_run_that_raises_on_the_cluster_is_recorded_and_tried_again(client, tmp_path):
    broken = tmp_path / "broken"
    broken.touch()
    shared = {"broken": str(broken)}
    with joblib.parallel_config(backend="dask"):
        with pytest.warns(RuntimeWarning, match="5 trainings, 1 failed"):
            table = sweep.run(fail_once, sweep.grid(repeat=list(range(5))), store=tmp_path, shared=shared)
        assert table["error"].tolist() == [None, None, None, "LookupError: no fold 6", None]
        broken.unlink()
        table = sweep.run(fail_once, sweep.grid(repeat=list(range(5))), store=tmp_path, shared=shared)
    assert table["threads"].tolist() == [1] * 5
    assert [row["error"] for row in stored_runs.rows(tmp_path)] == [None] * 5


def kill_once(repeat, killed, rng):
    if repeat == 1 and not os.path.exists(killed):
        Path(killed).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"value": rng.random(), "process": os.getpid()}


def test_a_worker_of_the_cluster_that_is_killed_costs_no_run(client, tmp_path):
    grid, shared = sweep.grid(repeat=list(range(5))), {"killed": str(tmp_path / "killed")}
    client.wait_for_workers(2)
    with joblib.parallel_config(backend="dask"):
        there = sweep.run(kill_once, grid, store=tmp_path / "there", shared=shared)
    here = sweep.run(kill_once, grid, store=tmp_path / "here", shared=shared)
    assert os.getpid() not in set(there["process"])
    pd.testing.assert_series_equal(there["value"], here["value"], check_exact=True)
