"""Where the runs of a sweep are done, and which of them, as the environment says; and how a dask cluster does them.

The command sets these variables for the kernels of its notebooks; this module alone reads them.

    LABEL_STUDIES_CLUSTER   address of a dask scheduler; without it runs are done here, or where joblib is told to
    LABEL_STUDIES_SHARED    folder that the workers of the cluster see under the same path; without it data is sent
    LABEL_STUDIES_SHARE     3/16 for the third of sixteen shares of every grid; without it all of the grid
    LABEL_STUDIES_LOG       file to which every sweep adds a line; without it nothing is written

On a cluster each run is a task, handed out by this process, which alone stores what they give. Not through
``joblib.Parallel``: there a run that killed its workers never came back, and with a single worker up runs were done in
this process, which such a run would have killed.
"""

from __future__ import annotations

import functools
import io
import json
import os
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import joblib
import numpy as np
from joblib.parallel import get_active_backend

from helpers import files
from helpers.engine import workers
from helpers.engine.fingerprint import find_spec, fingerprint, whole

if TYPE_CHECKING:
    from distributed import Client, Future

CLUSTER, SHARED, SHARE, LOG = (f"LABEL_STUDIES_{name}" for name in ("CLUSTER", "SHARED", "SHARE", "LOG"))

ANSWERS_WITHIN = 10
"""Seconds that a scheduler may take to answer."""

_RUNS_A_CORE = 16
"""Runs that are handed out, more of them when half are done: no core waits, the scheduler never holds a whole grid."""

_TRIES = 4
"""How often a run is tried whose workers die, as dask counts them too."""

_LOOK = 2.0
"""Seconds between two looks at the cluster, while no run ends."""

_POLL = 0.01
"""Seconds between two looks at whether a run has ended."""

_LOST = "the scheduler is lost: what has been done is kept, and running the same again goes on from there"
NO_DASK = "a cluster needs dask: pip install 'label-studies[cluster]'"


def read_share(text: str) -> slice:
    """What is taken of a grid for its share that a text such as "3/16" names, counted from 1: every so many-th run."""
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    number, of = map(int, match.groups()) if match else (0, 0)
    if not 1 <= number <= of:
        raise ValueError(f"share is {text!r}, expected a number and how many there are, from 1/16 to 16/16")
    return slice(number - 1, None, of)


def share() -> slice:
    """What this process does of every grid."""
    return read_share(os.environ.get(SHARE) or "1/1")


@contextmanager
def chosen() -> Iterator[Client | None]:
    """A client of the cluster that the environment names, else the one of joblib's parallel_config, else None."""
    address = os.environ.get(CLUSTER)
    if not address:
        yield getattr(get_active_backend()[0], "client", None)
        return
    with connected(address) as client, joblib.parallel_config("dask", client=client):
        yield client


def connected(address: str) -> Client:
    """A client of a dask scheduler, as tcp://host:8786; ValueError without dask, OSError where no scheduler answers."""
    try:
        from distributed import Client
    except ImportError as error:
        raise ValueError(NO_DASK) from error
    try:
        return Client(address, set_as_default=False, timeout=ANSWERS_WITHIN)
    except (OSError, ValueError) as error:
        raise OSError(f"{address}: no dask scheduler answers there, expected one as tcp://host:8786") from error


def log(**line: Any) -> None:
    """Add a line about a sweep to the file that the environment names, if it names one."""
    if path := os.environ.get(LOG):
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


@contextmanager
def environment(values: Mapping[str, str | None]) -> Iterator[None]:
    """Set these variables, or take away those whose value is None, for what the block starts, and set them back."""
    before = {name: os.environ.get(name) for name in values}
    try:
        _set(values)
        yield
    finally:
        _set(before)


def rows(
    function: Callable[..., dict],
    code: str,
    due: list[workers.Task],
    data: Path | Packed,
    client: Client,
    tell: Callable[[str], None],
) -> Iterator[list[dict]]:
    """A row for every run that is due, as they end: those that have ended meanwhile together."""
    # dask does a run whose worker died again, on another one; where that happens too often it is tried once more, with
    # no other run beside it: if it still takes its workers with it, its row says so
    imported = "<locals>" not in function.__qualname__ and find_spec(function.__module__)  # one of a notebook is sent
    do = functools.partial(execute, function, code if imported else None)
    suspected = []
    for ended in _done(do, due, data, client, tell):
        suspected += [task for task, row in ended if row is None]
        if done := [row for _, row in ended if row is not None]:
            yield done
    for task in suspected:
        [[(_, row)]] = _done(do, [task], data, client, tell)
        yield [row or workers.died(task)]


def execute(
    function: Callable[..., dict], code: str | None, data: Path | Packed, key: str, text: str, entropy: list[int]
) -> dict:
    """The row of one run, on a worker, whose code must have this digest; data that was sent is written once there."""
    if code:
        _check_code(function, code)
    if isinstance(data, Packed):
        from distributed import get_worker

        data = _kept(Path(get_worker().local_directory), data.name, lambda file: file.write(data.content))
    return workers.execute(function, data, key, text, entropy)


@dataclass(frozen=True)
class Packed:
    """A file of shared data to be sent: its name, which no other data has, and its bytes."""

    name: str
    content: np.ndarray


def lent(shared: dict[str, Any], name: str) -> Path | Packed | None:
    """Shared data, under a name that no other data has, as the environment says that workers of a cluster get it: a
    file in the folder that they see, where it stays for the next sweep, or sent where they may see none."""
    if folder := os.environ.get(SHARED):
        return _kept(Path(folder), name, lambda file: joblib.dump(whole(shared), file))
    if os.environ.get(CLUSTER):
        file = io.BytesIO()
        joblib.dump(whole(shared), file)
        return Packed(name, np.frombuffer(file.getbuffer(), dtype=np.uint8))
    return None


def _done(
    do: Callable, due: list[workers.Task], data: Path | Packed, client: Client, tell: Callable[[str], None]
) -> Iterator[list[tuple[workers.Task, dict | None]]]:
    """Tasks with their rows as they end; None for the row of one that died too often with its worker."""
    from distributed import as_completed

    waiting, running, ended, lost = deque(due), {}, as_completed(loop=client.loop), Counter()
    held, looked = _held(data, client, tell), -_LOOK
    try:
        while waiting or running:
            if time.monotonic() - looked > _LOOK:
                room, looked = _RUNS_A_CORE * _cores(client, tell), time.monotonic()
            if waiting and len(running) <= room // 2:
                tasks = [waiting.popleft() for _ in range(min(room - len(running), len(waiting)))]
                name, columns = do.args[0].__name__, zip(*tasks, strict=True)
                futures = client.map(do, [held] * len(tasks), *columns, key=name, pure=False)
                running |= {future.key: (task, future) for task, future in zip(tasks, futures, strict=True)}
                ended.update(futures)
            futures = ended.next_batch(block=False)
            if not futures:
                time.sleep(_POLL)
            done, again = [], []
            try:
                for future, row in _outcomes(futures, client):
                    task, _ = running.pop(future.key)
                    lost[task.key] += row is future
                    if row is not future or lost[task.key] == _TRIES:
                        done.append((task, None if row is future else row))
                    else:
                        again.append(task)
            finally:  # also where the scheduler is lost
                if done:
                    yield done
            if again:  # they were lost together with the data that they waited for
                waiting += again
                held = _held(data, client, tell)
    finally:
        for _, future in running.values():
            future.cancel()


def _held(data: Path | Packed, client: Client, tell: Callable[[str], None]) -> Path | Future:
    """The data as runs are given it: its path, or what the workers have been sent."""
    _cores(client, tell)
    return data if isinstance(data, Path) else client.scatter(data, broadcast=True, hash=False)


def _outcomes(futures: list[Future], client: Client) -> Iterator[tuple[Future, dict | Future | None]]:
    """Runs that have ended with their rows, fetched in one message; None of one that died too often, the future itself
    of one that was lost."""
    from distributed import KilledWorker
    from distributed.client import CancelledError
    from distributed.comm import CommClosedError

    try:
        rows = client.gather({future.key: future for future in futures}, errors="skip") if futures else {}
    except (CancelledError, OSError):  # the scheduler may be lost, which a look at the cluster finds out
        rows = {}
    for future in futures:
        try:
            row = rows.get(future.key)
            yield future, row or (None if isinstance(future.exception(), KilledWorker) else future.result())
        except (CancelledError, CommClosedError) as error:
            if client.status != "running":
                raise ConnectionError(f"{_address(client)}: {_LOST}") from error
            yield future, future


def _cores(client: Client, tell: Callable[[str], None]) -> int:
    """Cores of the cluster, after there is a worker."""
    try:
        cores = sum(client.ncores().values())
        if not cores:
            tell(f"{_address(client)}: no worker is there, waiting for one")
            client.wait_for_workers(1)
            cores = sum(client.ncores().values())
    except (OSError, RuntimeError) as error:
        raise ConnectionError(f"{_address(client)}: {_LOST}") from error
    return max(1, cores)


def _address(client: Client) -> str:
    return client.scheduler.address if client.scheduler else "the cluster"


@functools.cache
def _check_code(function: Callable, code: str) -> None:
    if fingerprint(function, {}).code != code:
        raise ValueError(
            f"a worker has other code of {function.__qualname__}, or other releases of the libraries or Python: "
            "expected the same as where the sweep was started"
        )


def _kept(folder: Path, name: str, write: Callable[[IO], Any]) -> Path:
    """The file of shared data of that name, written where it is not there."""
    path = folder / f"{name}.shared"
    if not path.exists():
        with files.replacing(path, "wb") as file:
            write(file)
    return path


def _set(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
