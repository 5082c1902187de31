"""Runs in worker processes, which end with the process that started them, and may die without harm to the others."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
from joblib.externals.loky.process_executor import TerminatedWorkerError
from joblib.parallel import get_active_backend
from threadpoolctl import threadpool_limits

WATCH = 0.5
"""Seconds between two looks of a worker at whether the process that started it is still there."""

DIED = "WorkerDied: the worker process died in this run, of a crash or for want of memory"


class Task(NamedTuple):
    """A run to be done: its key in the store, its parameters as JSON, what its random numbers start from."""

    key: str
    text: str
    entropy: list[int]


def rows(function: Callable[..., dict], due: list[Task], data: Path, n_jobs: int) -> Iterator[list[dict]]:
    """A row for every run that is due, as they end, each in a list of its own; one task a run, so that none waits."""
    # where a worker dies, the runs under way are done again one at a time: one that kills its own worker is at fault
    waiting, started = {task.key: task for task in due}, []

    def under_way() -> Iterator[Task]:
        for task in list(waiting.values()):
            started.append(task.key)
            yield task

    while waiting:
        started.clear()
        try:
            for row in _parallel(function, under_way(), data, n_jobs):
                del waiting[row["key"]]
                yield [row]
        except TerminatedWorkerError:
            for task in [waiting.pop(key) for key in started if key in waiting]:
                try:
                    yield list(_parallel(function, [task], data, n_jobs))
                except TerminatedWorkerError:
                    yield [died(task)]


def execute(function: Callable[..., dict], data: Path, key: str, text: str, entropy: list[int]) -> dict:
    """The row of one run: its key, parameters, results, error if any, and the seconds of a core that it took."""
    threadpool_limits(limits=1)  # not restored in a worker, where another run may be going on in another thread
    parameters, shared = json.loads(text), joblib.load(data, mmap_mode="r")
    rng = np.random.default_rng(np.random.SeedSequence(entropy))
    start = time.thread_time()
    try:
        results, error = function(**parameters, **shared, rng=rng), None
    except Exception as exception:
        results, error = {}, f"{type(exception).__name__}: {exception}"
    seconds = round(time.thread_time() - start, 3)
    row = {"key": key, "parameters": json.loads(text), "results": _checked(results, parameters), "error": error}
    return row | {"seconds": seconds}


def died(task: Task) -> dict:
    """The row of the run `task`, which took its worker with it."""
    return {"key": task.key, "parameters": json.loads(task.text), "results": {}, "error": DIED}


def plain(value: Any, what: str) -> Any:
    """The value as JSON has it: numpy's as Python's, arrays and tuples as lists; ValueError for anything else."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(item, what) for item in value]
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return {name: plain(item, what) for name, item in value.items()}
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise ValueError(f"{what} is {value!r:.80} ({type(value).__name__}), expected numbers, strings or lists of them")


def _parallel(function: Callable[..., dict], tasks: Iterable[Task], data: Path, n_jobs: int) -> Iterator[dict]:
    """The rows of tasks as they end."""
    backend, _ = get_active_backend()
    own = {"initializer": _end_with, "initargs": (os.getpid(),)} if type(backend).__name__ == "LokyBackend" else {}
    parallel = joblib.Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator_unordered", **own)
    return parallel(joblib.delayed(execute)(function, data, *task) for task in tasks)


def _end_with(parent: int) -> None:
    """End this worker when the process that started it has ended, however it did."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    # not PR_SET_PDEATHSIG, which also kills a worker when the thread that started it ends
    if sys.platform == "win32":
        multiprocessing.parent_process().join()
    else:
        while os.getppid() == parent:
            time.sleep(WATCH)
    os._exit(1)


def _checked(results: Any, parameters: dict) -> dict:
    if not isinstance(results, dict):
        raise ValueError(f"function returned {results!r:.80}, expected a dict of results")
    if taken := {"error", *parameters} & results.keys():
        raise ValueError(f"function returned a result {min(taken)!r}, the name of another column")
    return {name: plain(value, f"result {name!r}") for name, value in results.items()}
