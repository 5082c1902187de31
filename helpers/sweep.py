"""A grid of runs: parallel, resumable, deterministic; one row per run."""

from __future__ import annotations

import fcntl
import hashlib
import itertools
import json
import operator
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import joblib
import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from helpers.fingerprint import fingerprint


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
        same parameters, seed, shared data and code (`helpers.fingerprint` says what belongs to the code)
    n_jobs : worker processes, as joblib counts them; ``joblib.parallel_config`` around the call picks another
        backend, such as "dask", whose workers must see the store under the same path
    seed : whole number from 0
    shared : what every run takes beside its parameters, such as Collections; mapped into memory, not copied

    Raises
    ------
    ValueError
        where the grid or what function returned is not as above, or the source of function cannot be read
    RuntimeError
        where another sweep is using the store
    """
    shared = shared or {}
    points = _points(grid, reserved={"rng", "error", *shared})
    made_by = fingerprint(function, shared)
    runs = {_key(text, seed, made_by): (text, _entropy(text, seed)) for text in map(_canonical, points)}
    with _opened(Path(store)) as file:
        rows = {key: row for key, row in _read(file).items() if key in runs and row["error"] is None}
        due = {key: run for key, run in runs.items() if key not in rows}
        lines = _lines(function, due, shared, Path(file.name).parent, n_jobs)
        with closing(lines), _progress(function.__name__, len(runs), len(rows)) as bar:
            for line in lines:
                row = _append(file, line)
                rows[row["key"]] = row
                bar.update()
    table = _table(points, [rows[key] for key in runs])
    _warn_of_errors(points, table["error"])
    return table


def _points(grid: Iterable[dict], reserved: set[str]) -> list[dict]:
    """The points of a grid with their values as JSON has them; each must be a dict of such, and come once."""
    points, seen = [], {}
    for i, point in enumerate(grid):
        if not isinstance(point, dict):
            raise ValueError(f"grid: point {i} is {point!r:.80}, expected a dict of parameters")
        if taken := reserved & point.keys():
            raise ValueError(f"grid: point {i} has a parameter {min(taken)!r}, a name that is taken")
        points.append({name: _plain(value, f"grid: point {i}, parameter {name!r}") for name, value in point.items()})
        first = seen.setdefault(_canonical(points[i]), i)
        if first != i:
            raise ValueError(f"grid: points {first} and {i} are both {points[i]}, expected each point once")
    if not points:
        raise ValueError("grid is empty, expected at least one point")
    return points


def _plain(value: Any, what: str) -> Any:
    """The value as JSON has it: numpy's numbers as Python's, arrays and tuples as lists."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(item, what) for item in value]
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return {name: _plain(item, what) for name, item in value.items()}
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise ValueError(f"{what} is {value!r:.80} ({type(value).__name__}), expected numbers, strings or lists of them")


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _entropy(text: str, seed: int) -> list[int]:
    """What the random numbers of a run start from: the seed, and the run's parameters as canonical JSON."""
    return [operator.index(seed), int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")]


def _key(text: str, seed: int, made_by: str) -> str:
    """The name of a row in the store, which no run shares that might give another result."""
    return hashlib.sha256(_canonical([text, _entropy(text, seed), made_by]).encode()).hexdigest()


@contextmanager
def _opened(store: Path) -> Iterator[BinaryIO]:
    """The file of finished runs, a JSON object a line, locked as long as the sweep goes on.

    One file that only grows, because an append that is forced to disk is durable at once, and a kill can spoil no
    more than the last line.
    """
    store.mkdir(parents=True, exist_ok=True)
    with open(store.resolve() / "runs.jsonl", "a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RuntimeError(f"{store}: another sweep is using this store; let it end, or use another") from None
        yield file


def _read(file: BinaryIO) -> dict[str, dict]:
    """Rows by key, the latest of each; cuts off the unfinished line that a kill may have left at the end."""
    file.seek(0)
    content = file.read()
    file.truncate(content.rfind(b"\n") + 1)
    rows = {}
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        try:
            row = json.loads(line)
            rows[row["key"]] = row
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{file.name}, line {number}: {line[:60]!r}, expected a stored run") from None
    return rows


def _append(file: BinaryIO, line: bytes) -> dict:
    file.write(line)
    file.flush()
    os.fsync(file.fileno())
    return json.loads(line)


def _lines(function: Callable, due: dict[str, tuple], shared: dict, folder: Path, n_jobs: int) -> Iterator[bytes]:
    """The stored form of every run that is due, as they end. One task a run, so that none waits for its neighbours."""
    if not due:
        return
    data = folder / "shared.joblib"
    data.unlink(missing_ok=True)  # left by a killed sweep, whose workers may still have it mapped
    parallel = joblib.Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator_unordered")
    try:
        joblib.dump(shared, data)
        with threadpool_limits(limits=1):
            yield from parallel(joblib.delayed(_execute)(function, data, key, *run) for key, run in due.items())
    finally:
        data.unlink(missing_ok=True)


def _execute(function: Callable, data: Path, key: str, text: str, entropy: list[int]) -> bytes:
    threadpool_limits(limits=1)  # not restored in a worker, where another run may be going on in another thread
    parameters, shared = json.loads(text), joblib.load(data, mmap_mode="r")
    rng = np.random.default_rng(np.random.SeedSequence(entropy))
    try:
        results, error = function(**parameters, **shared, rng=rng), None
    except Exception as exception:
        results, error = {}, f"{type(exception).__name__}: {exception}"
    row = {"key": key, "parameters": json.loads(text), "results": _checked(results, parameters), "error": error}
    return json.dumps(row).encode() + b"\n"


def _checked(results: Any, parameters: dict) -> dict:
    if not isinstance(results, dict):
        raise ValueError(f"function returned {results!r:.80}, expected a dict of results")
    if taken := {"error", *parameters} & results.keys():
        raise ValueError(f"function returned a result {min(taken)!r}, the name of another column")
    return {name: _plain(value, f"result {name!r}") for name, value in results.items()}


@contextmanager
def _progress(name: str, total: int, done: int) -> Iterator[tqdm]:
    """A bar on the terminal: the one that LABEL_STUDIES_PROGRESS names, else stderr if it is one, else none."""
    with ExitStack() as stack:
        stream = sys.stderr if sys.stderr.isatty() else None
        if path := os.environ.get("LABEL_STUDIES_PROGRESS"):
            with suppress(OSError):  # a terminal that has been closed stops no sweep
                stream = stack.enter_context(open(path, "a"))
        options = {"file": stream, "dynamic_ncols": True} if stream else {"disable": True}
        yield stack.enter_context(tqdm(desc=name, total=total, initial=done, unit="run", **options))


def _table(points: list[dict], rows: list[dict]) -> pd.DataFrame:
    records = [point | row["results"] for point, row in zip(points, rows, strict=True)]
    columns = dict.fromkeys(itertools.chain(*points, *records))  # parameters first, as they come up in the grid
    table = pd.DataFrame(records, columns=list(columns))
    return table.assign(error=pd.Series([row["error"] for row in rows], dtype=object))


def _warn_of_errors(points: list[dict], errors: pd.Series) -> None:
    failed = errors.index[errors.notna()]
    if len(failed):
        first = f"{points[failed[0]]}: {errors[failed[0]]}"
        warnings.warn(f"{len(failed)} of {len(errors)} runs failed, first {first}", RuntimeWarning, stacklevel=3)
