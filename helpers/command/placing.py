"""Where the command has the sweeps of its notebooks done: on a cluster, or a share of them; and what they tell."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from helpers.engine import backends

# settings of dask for a cluster of this machine: a worker that died twice, 15 seconds apart, would not come back
LOCAL = {"distributed.scheduler.allowed-failures": 1, "distributed.deploy.lost-worker-timeout": "30 days"}


@contextlib.contextmanager
def on_cluster(cluster: str | None, shared: Path | None) -> Iterator[None]:
    """Have sweeps in notebooks done on a dask cluster while the block lasts: tcp://host:8786, or local:4 for one here.

    Shared is a folder that all workers see under the same path; without it those of other machines are sent the data.
    """
    if shared and not cluster:
        raise ValueError(f"--shared is {str(shared)!r}, but there is no cluster to share it with: expected --cluster")
    if shared and not shared.is_dir():
        raise FileNotFoundError(f"{shared}: no such folder, expected one that all workers of the cluster see")
    if not cluster:
        yield
        return
    if not re.fullmatch("local:[1-9][0-9]{0,3}|[a-z]+://.+:[0-9]+", cluster):
        raise ValueError(
            f"cluster is {cluster!r}, expected local:4 for four processes, or a scheduler's tcp://HOST:8786"
        )
    with contextlib.ExitStack() as stack:
        if cluster.startswith("local:"):
            try:
                import dask
                from distributed import LocalCluster
            except ImportError as error:
                raise ValueError(backends.NO_DASK) from error
            workers = {"n_workers": int(cluster.partition(":")[2]), "threads_per_worker": 1}
            stack.enter_context(dask.config.set(LOCAL))
            local = LocalCluster(**workers, dashboard_address=":0", silence_logs="CRITICAL")
            cluster = stack.enter_context(local).scheduler_address
            shared = shared or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="label-studies-")))
        else:
            backends.connected(cluster).close()
        values = {backends.CLUSTER: cluster, backends.SHARED: str(shared.absolute()) if shared else None}
        stack.enter_context(backends.environment(values))
        yield


class Told:
    """What the sweeps of a notebook said they did, in the file that `backends.LOG` named; the sums of their numbers.

    Trainings are those of whole grids, done and failed those of this run; timed are runs whose seconds of a core are
    known.
    """

    def __init__(self, file: Path):
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        said = [json.loads(line) for line in lines]
        self.sweeps = len(said)
        for name in ("trainings", "done", "failed", "timed", "seconds"):
            setattr(self, name, sum(each[name] for each in said))
