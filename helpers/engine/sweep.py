"""A grid of runs: parallel, resumable, deterministic; one row per run."""

from __future__ import annotations

import hashlib
import itertools
import json
import operator
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any, TextIO

import joblib
import pandas as pd
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from helpers.engine import backends, workers
from helpers.engine import store as stored
from helpers.engine.fingerprint import Fingerprint, fingerprint


def grid(**values: Sequence) -> list[dict]:
    """Every combination of the values of each parameter, the last parameter changing fastest.

    >>> grid(percent=[5, 100], sampled=["queries"])
    [{'percent': 5, 'sampled': 'queries'}, {'percent': 100, 'sampled': 'queries'}]
    """
    return [dict(zip(values, point, strict=True)) for point in itertools.product(*values.values())]


def run(
    function: Callable[..., dict],
    grid: Iterable[dict],
    *,
    store: str | Path,
    n_jobs: int = 1,
    seed: int = 0,
    shared: dict[str, Any] | None = None,
) -> pd.DataFrame:
    """A row for every point of the grid, in its order: the parameters, what function returned, the error if any.

    A run is ``function(**parameters, **shared, rng=rng)`` and depends on nothing else: ``rng`` is spawned from the
    seed and the run's own parameters, linear algebra uses one thread, shared data is read-only. So the table is the
    same, bit for bit, for any number of workers, any order of the grid, and after any interruption. A run that raises
    leaves its message in the column ``error``, None elsewhere; a warning says how many did, and the next sweep tries
    them again.

    Parameters
    ----------
    function : returns a dict of numbers, strings, booleans, None, or lists and arrays of these
    grid : dicts of such values by the name of the parameter; no point twice
    store : directory that keeps each run as soon as it ends, and whose rows count as done while they are current:
        same parameters, seed, shared data and code (`fingerprint` says what belongs to the code). Other sweeps may
        use it at the same time; the same sweep waits with a message. A damaged row is run again, with a warning.
    n_jobs : worker processes, as joblib counts them; of no use on a cluster: the one of a
        ``joblib.parallel_config("dask")`` around the call, whose workers must see the store under the same path, or
        the one that the environment names (`backends`, which may also leave a part of the grid to other processes:
        then the table has what is there of it)
    seed : whole number from 0
    shared : what every run takes beside its parameters, such as Collections; mapped into memory, not copied

    Raises
    ------
    ValueError
        where the grid, the seed or what function returned is not as above, or the source of function cannot be read
    OSError
        where the store cannot be read, or runs are due and it cannot be written, or the cluster is not there or lost;
        what was done until then is stored

    Examples
    --------
    In a module or a notebook, where the source of the function can be read; the column `twice` is 2 and 4:

        def doubled(x, rng):
            return {"twice": 2 * x}

        run(doubled, [{"x": 1}, {"x": 2}], store="runs")
    """
    shared = shared or {}
    points = _points(grid, reserved={"rng", "error", *shared})
    if operator.index(seed) < 0:
        raise ValueError(f"seed is {seed}, expected a whole number from 0")
    made_by = fingerprint(function, shared)
    fingerprint(workers.execute, {})  # whose module each worker imports anew, so that it must be the one that is here
    tasks = [_task(point, seed, made_by) for point in points]
    own = tasks[backends.share()]
    place = stored.place(Path(store), made_by, seed, [task.key for task in own])
    rows = stored.read(place)
    if any(task.key not in rows for task in own):
        with stored.opened(place, _tell) as file:
            rows = stored.read(place)
            due = [task for task in own if task.key not in rows]
            bar = {"desc": function.__name__, "unit": "run", "total": len(own), "initial": len(own) - len(due)}
            with _terminal() as stream, tqdm(**bar, file=stream, disable=stream is None, dynamic_ncols=True) as bar:
                for row in _done(function, due, shared, file, place, made_by, n_jobs):
                    rows[row["key"]] = row
                    bar.update()
    table = _table([(point, rows[task.key]) for point, task in zip(points, tasks, strict=True) if task.key in rows])
    ended = [rows[task.key] for task in own]
    failed = sum(row["error"] is not None for row in ended)
    seconds = [row["seconds"] for row in ended if "seconds" in row]  # an older release stored none
    done = {"trainings": len(tasks), "done": len(own), "failed": failed}
    backends.log(name=function.__name__, **done, timed=len(seconds), seconds=sum(seconds))
    if table["error"].notna().any():
        warnings.warn(outcome(table), RuntimeWarning, stacklevel=2)
    return table


def succeeded(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a sweep's table whose run did not fail.

    Parameters
    ----------
    table : of `run`, or several of them put together

    Raises
    ------
    ValueError
        where all runs failed; the message names the first error.

    Examples
    --------
    >>> succeeded(pd.DataFrame({"fold": [1, 2], "ndcg": [0.4, None], "error": [None, "LookupError"]}))[["fold", "ndcg"]]
       fold  ndcg
    0     1   0.4
    """
    if "error" not in table:
        return table
    kept = table[table["error"].isna()]
    if kept.empty:
        raise ValueError(outcome(table))
    return kept.reset_index(drop=True)


def outcome(*tables: pd.DataFrame) -> str:
    """How many runs there were, how many failed, and the parameters and the error of the first of these."""
    failed = [row for table in tables for _, row in table[table["error"].notna()].iterrows()]
    first = ""
    if failed:
        point = failed[0].drop("error").dropna().to_dict()  # a run that failed has no results
        first = f", first {point}: {failed[0]['error']}"
    return f"{sum(map(len, tables))} trainings, {len(failed)} failed{first}"


def _points(grid: Iterable[dict], reserved: set[str]) -> list[dict]:
    """The points of a grid with their values as JSON has them; each must be a dict of such, and come once."""
    points, seen = [], {}
    for i, point in enumerate(grid):
        if not isinstance(point, dict):
            raise ValueError(f"grid: point {i} is {point!r:.80}, expected a dict of parameters")
        if taken := reserved & point.keys():
            raise ValueError(f"grid: point {i} has a parameter {min(taken)!r}, a name that is taken")
        points.append(
            {name: workers.plain(value, f"grid: point {i}, parameter {name!r}") for name, value in point.items()}
        )
        first = seen.setdefault(_canonical(points[i]), i)
        if first != i:
            raise ValueError(f"grid: points {first} and {i} are both {points[i]}, expected each point once")
    if not points:
        raise ValueError("grid is empty, expected at least one point")
    return points


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _task(point: dict, seed: int, made_by: Fingerprint) -> workers.Task:
    """A run with its key, which no other run shares that might give another result; its random numbers start from the
    seed and its parameters as canonical JSON."""
    text = _canonical(point)
    entropy = [operator.index(seed), int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")]
    return workers.Task(hashlib.sha256(_canonical([entropy, made_by]).encode()).hexdigest(), text, entropy)


def _done(
    function: Callable,
    due: list[workers.Task],
    shared: dict,
    file: FileIO,
    place: stored.Place,
    made_by: Fingerprint,
    n_jobs: int,
) -> Iterator[dict]:
    """The row of every run that is due, stored as they end."""
    if not due:
        return
    with backends.chosen() as client, _laid_down(shared, place, made_by) as data:
        if client:
            rows = backends.rows(function, made_by.code, due, data, client, _tell)
        else:
            rows = workers.rows(function, due, data, n_jobs)
        with threadpool_limits(limits=1), closing(rows):
            for ended in rows:
                stored.append(file, ended)
                yield from ended


@contextmanager
def _laid_down(shared: dict, place: stored.Place, made_by: Fingerprint) -> Iterator[Path | backends.Packed]:
    """Shared data where the workers find it: in the store while the block lasts, unless the environment says where."""
    if lent := backends.lent(shared, made_by.data[: stored.DIGITS * 2]):
        yield lent
    else:
        try:
            with stored.naming(place.folder):
                joblib.dump(shared, place.shared)
            yield place.shared
        finally:
            with suppress(PermissionError):  # on Windows, while a worker has it mapped: the next sweep removes it
                place.shared.unlink(missing_ok=True)


def _tell(message: str) -> None:
    """Say something on the terminal, or where errors go."""
    with _terminal() as stream:
        print(message, file=stream or sys.stderr, flush=True)


@contextmanager
def _terminal() -> Iterator[TextIO | None]:
    """The terminal that LABEL_STUDIES_PROGRESS names, else stderr if it is one, else None."""
    with ExitStack() as stack:
        stream = sys.stderr if sys.stderr.isatty() else None
        if path := os.environ.get("LABEL_STUDIES_PROGRESS"):
            with suppress(OSError):  # a terminal that has been closed stops no sweep
                stream = stack.enter_context(open(path, "a"))
        yield stream


def _table(runs: list[tuple[dict, dict]]) -> pd.DataFrame:
    """The table of points and their rows: parameters first, as they come up in the grid, then results, then errors."""
    points, records = [point for point, _ in runs], [point | row["results"] for point, row in runs]
    table = pd.DataFrame(records, columns=list(dict.fromkeys(itertools.chain(*points, *records))))
    return table.assign(error=pd.Series([row["error"] for _, row in runs], dtype=object))
