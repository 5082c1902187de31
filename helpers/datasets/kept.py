"""Collections saved as arrays that are mapped into memory, and those read from files kept so in the user's cache."""

from __future__ import annotations

import hashlib
import json
import shutil
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from helpers.datasets.collection import ARRAYS, IDS, Collection
from helpers.files import new_folder, remove_abandoned
from helpers.paths import user_cache

HEAD = "collection.json"
CHUNK = 2**20
HASH_LENGTH = 32


def save(collection: Collection, directory: str | Path) -> Path:
    """Write a collection to a new directory that `open` maps into memory, complete or not at all."""
    directory = Path(directory)
    with new_folder(directory) as folder:
        for part in ARRAYS + IDS:
            if getattr(collection, part) is not None:
                np.save(folder / f"{part}.npy", getattr(collection, part))
        (folder / HEAD).write_text(json.dumps(_head(collection.name, folder)))
    return directory


def open(directory: str | Path) -> Collection:
    """A saved collection, its arrays mapped read-only; ValueError where a file is not as its checksum tells.

    A copy sent to another process is mapped there again.
    """
    directory = Path(directory)
    if not (directory / HEAD).is_file():
        raise FileNotFoundError(f"{directory}: no saved collection here, expected {HEAD} and arrays")
    try:
        head = json.loads((directory / HEAD).read_bytes())
        whole = head == _head(head["name"], directory)
    except (ValueError, KeyError, TypeError, AttributeError):
        whole = False
    if not whole:
        raise ValueError(f"{directory}: not as it was saved, expected files whose checksums stand in {HEAD}")
    return Collection.mapped(directory, head["name"])


def cached(
    room: Sequence[object], files: Callable[[], Iterable[Path]], read: Callable[[], Collection], variant: str = "all"
) -> Collection:
    """What `read` gives, read once and from then on mapped from the user's cache while its files stay as they are.
    The room is the kind of data and what names its source; the variant one of several collections of the same files."""
    # What the cache holds of the files as they were before goes when they are read again, a day later at the earliest,
    # and so does what a process that died there left behind. Processes may do this at the same time.
    kind, *source = room
    place, state = user_cache() / str(kind) / _hash(*source), _state(files())
    entry = place / f"{state}-{variant}"
    if entry.exists():
        try:
            return open(entry)
        except (OSError, ValueError):  # damaged, or somebody cleared part of it
            shutil.rmtree(entry, ignore_errors=True)
    collection = read()
    if _state(files()) != state:
        raise ValueError(f"{source[-1]} was changed while it was read, expected a file at rest")
    try:
        save(collection, entry)
    except OSError as error:
        if not entry.exists():  # where it does, another process has just saved the same
            raise OSError(f"{error}: set LABEL_STUDIES_CACHE to a folder that can be written") from error
    remove_abandoned([other for other in place.iterdir() if not other.name.startswith(state)])
    return open(entry)


def _state(files: Iterable[Path]) -> str:
    parts: list[object] = []
    for file in files:
        status = file.stat()
        parts += [file.name, status.st_size, status.st_mtime_ns]
    return _hash(*parts)


def _hash(*parts: object) -> str:
    return hashlib.sha256("\n".join(map(str, parts)).encode("utf-8", "surrogateescape")).hexdigest()[:HASH_LENGTH]


def _head(name: str, directory: Path) -> dict:
    """The name and the checksums of a saved collection, arrays by their file's name."""
    checksums = {path.name: _checksum(path) for path in sorted(directory.glob("*.npy"))}
    return {"name": name, "checksum of the name": zlib.crc32(name.encode("utf-8", "surrogatepass")), **checksums}


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            checksum = zlib.crc32(chunk, checksum)
    return checksum
