"""Runs on a dask cluster, a task each, handed out by this process, which alone stores what they give.

Not through ``joblib.Parallel``: there a run that killed its workers never came back, and with a single worker up runs
were done in this process, which such a run would have killed.
"""

from __future__ import annotations

import functools
import io
import queue
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

import joblib
import numpy as np

from helpers import files
from helpers.engine import workers
from helpers.engine.fingerprint import find_spec, fingerprint

if TYPE_CHECKING:
    from distributed import Client, Future

RUNS_A_CORE = 4
"""Runs that are handed out ahead, so that no core waits and the scheduler never holds a whole grid."""

TRIES = 4
"""How often a run is tried whose workers die, as dask counts them too."""

LOOK = 2.0
"""Seconds without a finished run after which the cluster is looked at."""

LOST = "the scheduler is lost: what has been done is kept, and running the same again goes on from there"


def rows(
    function: Callable[..., dict],
    code: str,
    due: list[workers.Task],
    data: Path | Packed,
    client: Client,
    tell: Callable[[str], None],
) -> Iterator[dict]:
    """A row for every run that is due, as they end.

    A run whose worker died is done again by dask, on another one. Where that happens too often the run is tried once
    more with no other run beside it: if it still takes its workers with it, its row says so.

    Parameters
    ----------
    function : what is run
    code : digest of its code, which a worker's must have
    data : the shared data, as the path of a file that workers see or as `packed` gives it
    client : of the scheduler
    tell : is given a message when the cluster has no worker, before this waits for one

    Raises
    ------
    ConnectionError
        where the scheduler is lost.
    ValueError
        where a worker has other code, or results fit no table.
    """
    do = functools.partial(execute, function, code if _is_imported(function) else None)
    suspected = []
    for task, row in _done(do, due, data, client, tell):
        if row is None:
            suspected.append(task)
        else:
            yield row
    for task in suspected:
        [(_, row)] = _done(do, [task], data, client, tell)
        yield row or workers.died(task)


def execute(
    function: Callable[..., dict], code: str | None, data: Path | Packed, key: str, text: str, entropy: list[int]
) -> dict:
    """The row of one run, on a worker.

    Parameters
    ----------
    function, key, text, entropy : as `workers.execute` takes them
    code : digest that the function's code must have here; not looked at where None
    data : path of the shared data, or what `packed` gave, which is written once a worker
    """
    if code:
        _check_code(function, code)
    path = data if isinstance(data, Path) else _written(data)
    return workers.execute(function, path, key, text, entropy)


@dataclass(frozen=True)
class Packed:
    """A file of shared data to be sent: its name, which no other data has, and its bytes."""

    name: str
    content: np.ndarray


def packed(shared: dict[str, Any], name: str) -> Packed:
    """Shared data as it is sent to workers.

    Parameters
    ----------
    shared : the data
    name : of the data, which no other data has
    """
    file = io.BytesIO()
    joblib.dump(whole(shared), file)
    return Packed(name, np.frombuffer(file.getbuffer(), dtype=np.uint8))


def laid_down(shared: dict[str, Any], folder: Path, name: str) -> Path:
    """The file of shared data in a folder that workers see, made where it is not there.

    It stays, for the next sweep with the same data.

    Parameters
    ----------
    shared : the data
    folder : must be there
    name : of the data, which no other data has
    """
    return _kept(folder, name, lambda file: joblib.dump(whole(shared), file))


def whole(value: Any) -> Any:
    """The value with all that it holds: what is mapped from a file of this machine would pickle as its path."""
    if hasattr(value, "contents"):
        copy = object.__new__(type(value))
        vars(copy).update(value.contents())
        return copy
    if isinstance(value, dict):
        return {name: whole(item) for name, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(whole, value))
    return value


def _done(
    do: Callable, due: list[workers.Task], data: Path | Packed, client: Client, tell: Callable[[str], None]
) -> Iterator[tuple[workers.Task, dict | None]]:
    """Tasks with their rows as they end; None for the row of one that died too often with its worker."""
    waiting, running, ended, lost = deque(due), {}, queue.SimpleQueue(), Counter()
    held = _handed_out(data, client, tell)
    try:
        while waiting or running:
            room = RUNS_A_CORE * _cores(client, tell) - len(running)
            for _ in range(min(room, len(waiting))):
                task = waiting.popleft()
                future = client.submit(do, held, *task, key=f"{_name(do)}-{uuid4().hex}", pure=False)
                running[future.key] = task, future
                future.add_done_callback(ended.put)
            for future in _next(ended):
                task, _ = running.pop(future.key)
                outcome = _outcome(future, client)
                if outcome is not future:
                    yield task, outcome
                elif (lost := lost + Counter([task.key]))[task.key] == TRIES:
                    yield task, None
                else:  # it was lost together with the data that it waited for
                    waiting.append(task)
                    held = _handed_out(data, client, tell)
    finally:
        for _, future in running.values():
            future.cancel()


def _handed_out(data: Path | Packed, client: Client, tell: Callable[[str], None]) -> Path | Future:
    _cores(client, tell)
    return data if isinstance(data, Path) else client.scatter(data, broadcast=True, hash=False)


def _outcome(future: Future, client: Client) -> dict | Future | None:
    """The row of a run that has ended; None where it died too often, the future itself where it was lost."""
    from distributed import KilledWorker
    from distributed.client import CancelledError
    from distributed.comm import CommClosedError

    try:
        return None if isinstance(future.exception(), KilledWorker) else future.result()
    except (CancelledError, CommClosedError) as error:
        if client.status != "running":
            raise ConnectionError(f"{_address(client)}: {LOST}") from error
        return future


def _next(ended: queue.SimpleQueue) -> Iterator[Future]:
    """The futures that have ended, after the first one does; none where that takes longer than LOOK."""
    try:
        yield ended.get(timeout=LOOK)
        while True:
            yield ended.get_nowait()
    except queue.Empty:
        return


def _cores(client: Client, tell: Callable[[str], None]) -> int:
    """Cores of the cluster, after there is a worker."""
    try:
        cores = sum(client.ncores().values())
        if not cores:
            tell(f"{_address(client)}: no worker is there, waiting for one")
            client.wait_for_workers(1)
            cores = sum(client.ncores().values())
    except (OSError, RuntimeError) as error:
        raise ConnectionError(f"{_address(client)}: {LOST}") from error
    return max(1, cores)


def _address(client: Client) -> str:
    return client.scheduler.address if client.scheduler else "the cluster"


def _name(do: functools.partial) -> str:
    return do.args[0].__name__


def _is_imported(function: Callable) -> bool:
    """Whether workers import a function; one of a notebook is sent to them."""
    return "<locals>" not in function.__qualname__ and find_spec(function.__module__) is not None


@functools.cache
def _check_code(function: Callable, code: str) -> None:
    if fingerprint(function, {}).code != code:
        raise ValueError(
            f"a worker has other code of {function.__qualname__}, or other releases of the libraries or Python: "
            "expected the same as where the sweep was started"
        )


def _written(data: Packed) -> Path:
    """The file of this worker that has the data, made where it is not there."""
    from distributed import get_worker

    return _kept(Path(get_worker().local_directory), data.name, lambda file: file.write(data.content))


def _kept(folder: Path, name: str, write: Callable[[IO], Any]) -> Path:
    """The file of shared data of that name, written where it is not there."""
    path = folder / f"{name}.shared"
    if not path.exists():
        with files.replacing(path, "wb") as file:
            write(file)
    return path
