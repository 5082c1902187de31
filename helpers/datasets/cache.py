"""Collections that were read from files, kept in the user's cache while the files stay as they are."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from helpers.datasets.collection import Collection
from helpers.files import remove_abandoned
from helpers.paths import user_cache

HASH_LENGTH = 32


def kept(
    room: Sequence[object], files: Callable[[], Iterable[Path]], read: Callable[[], Collection], variant: str = "all"
) -> Collection:
    """What `read` gives, read once and from then on mapped from the user's cache while its files stay as they are.

    Whether they do is told by their names, sizes and times of change. A damaged cache is made anew. What the cache
    holds of the files as they were before goes when they are read again, a day later at the earliest, and so does what
    a process that died there left behind. Processes may do this at the same time.

    Parameters
    ----------
    room : the kind of data, which names a folder of the cache, and what names its source; the last is for the message
    files : gives the files that are read, as they are now
    read : reads them
    variant : one of several collections that are read from the same files

    Raises
    ------
    ValueError
        as `read`, and when a file was changed while it was read.
    OSError
        as `read`, and when the cache cannot be written; the message says how to have another one.
    """
    kind, *source = room
    place, state = user_cache() / str(kind) / _hash(*source), _state(files())
    entry = place / f"{state}-{variant}"
    if entry.exists():
        try:
            return Collection.open(entry)
        except (OSError, ValueError):  # damaged, or somebody cleared part of it
            shutil.rmtree(entry, ignore_errors=True)
    collection = read()
    if _state(files()) != state:
        raise ValueError(f"{source[-1]} was changed while it was read, expected a file at rest")
    try:
        collection.save(entry)
    except OSError as error:
        if not entry.exists():  # where it does, another process has just saved the same
            raise OSError(f"{error}: set LABEL_STUDIES_CACHE to a folder that can be written") from error
    remove_abandoned(other for other in place.iterdir() if not other.name.startswith(state))
    return Collection.open(entry)


def _state(files: Iterable[Path]) -> str:
    parts: list[object] = []
    for file in files:
        status = file.stat()
        parts += [file.name, status.st_size, status.st_mtime_ns]
    return _hash(*parts)


def _hash(*parts: object) -> str:
    return hashlib.sha256("\n".join(map(str, parts)).encode("utf-8", "surrogateescape")).hexdigest()[:HASH_LENGTH]
