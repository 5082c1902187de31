"""Where the runs of a sweep are done, and which of them, as the environment of this process says.

The command sets these variables for the kernels of its notebooks; this module alone reads them.

    LABEL_STUDIES_CLUSTER   address of a dask scheduler; without it runs are done here, or where joblib is told to
    LABEL_STUDIES_SHARED    folder that the workers of the cluster see under the same path; without it data is sent
    LABEL_STUDIES_SHARE     3/16 for the third of sixteen shares of every grid; without it all of the grid
    LABEL_STUDIES_LOG       file to which every sweep adds a line; without it nothing is written
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import joblib
from joblib.parallel import get_active_backend

if TYPE_CHECKING:
    from distributed import Client

CLUSTER, SHARED, SHARE, LOG = (f"LABEL_STUDIES_{name}" for name in ("CLUSTER", "SHARED", "SHARE", "LOG"))

NO_DASK = "a cluster needs dask: pip install 'label-studies[cluster]'"

ANSWERS_WITHIN = 10
"""Seconds that a scheduler may take to answer."""

Item = TypeVar("Item")


class Share(NamedTuple):
    """One of several equal shares of a grid, counted from 1."""

    number: int
    of: int

    def taken(self, items: Sequence[Item]) -> list[Item]:
        """The items of this share: every so many-th of them.

        >>> Share(2, 3).taken("abcdefg")
        ['b', 'e']
        """
        return list(items[self.number - 1 :: self.of])


WHOLE = Share(1, 1)


def read_share(text: str) -> Share:
    """The share that a text such as "3/16" names; ValueError where it names none.

    >>> read_share("3/16")
    Share(number=3, of=16)
    """
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    numbers = Share(*map(int, match.groups())) if match else Share(0, 0)
    if not 1 <= numbers.number <= numbers.of:
        raise ValueError(f"share is {text!r}, expected a number and how many there are, from 1/16 to 16/16")
    return numbers


def share() -> Share:
    """The share of every grid that this process does."""
    text = os.environ.get(SHARE)
    return read_share(text) if text else WHOLE


def shared_folder() -> Path | None:
    """The folder that the workers of the cluster see, if there is one."""
    path = os.environ.get(SHARED)
    return Path(path) if path else None


def is_sent() -> bool:
    """Whether shared data has to be sent to the workers, as they may see none of the folders here."""
    return bool(os.environ.get(CLUSTER)) and shared_folder() is None


@contextmanager
def chosen() -> Iterator[Client | None]:
    """A client of the cluster on which joblib runs while the block lasts; None where it runs on no cluster.

    It is the cluster that the environment names, else the one of a ``joblib.parallel_config`` around the call.

    Raises
    ------
    ValueError
        where dask is not installed.
    OSError
        where no scheduler answers.
    """
    address = os.environ.get(CLUSTER)
    if not address:
        yield getattr(get_active_backend()[0], "client", None)
        return
    with connected(address) as client, joblib.parallel_config("dask", client=client):
        yield client


def connected(address: str) -> Client:
    """A client of the dask scheduler at an address such as tcp://host:8786.

    Parameters
    ----------
    address : of the scheduler

    Raises
    ------
    ValueError
        where dask is not installed.
    OSError
        where no scheduler answers.
    """
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
    """Set these variables, for the processes that the block starts, and set them back.

    Parameters
    ----------
    values : variable -> value; one whose value is None is taken away
    """
    before = {name: os.environ.get(name) for name in values}
    try:
        _set(values)
        yield
    finally:
        _set(before)


def _set(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
