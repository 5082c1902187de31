"""Arrays of a collection as files of a folder, with checksums, to be mapped into memory."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from helpers.files import new_folder

HEAD = "collection.json"
CHUNK = 2**20


def write(directory: Path, name: str, arrays: Mapping[str, np.ndarray]) -> Path:
    """Write arrays and a name to a new directory, complete or not at all; returns the directory.

    Parameters
    ----------
    directory : to be made, with the folders above it
    name : of the collection
    arrays : by name

    Raises
    ------
    OSError
        when it is there already or cannot be written.
    """
    with new_folder(directory) as folder:
        for part, array in arrays.items():
            np.save(folder / f"{part}.npy", array)
        (folder / HEAD).write_text(json.dumps(_head(name, folder)))
    return directory


def name_of(directory: Path) -> str:
    """The name of a saved collection, all of whose files are as they were written.

    Parameters
    ----------
    directory : as `write` was given it

    Raises
    ------
    FileNotFoundError
        when there is no saved collection.
    ValueError
        when a file is not as it was written, which its checksum tells.
    """
    if not (directory / HEAD).is_file():
        raise FileNotFoundError(f"{directory}: no saved collection here, expected {HEAD} and arrays")
    try:
        head = json.loads((directory / HEAD).read_bytes())
        whole = head == _head(head["name"], directory)
    except (ValueError, KeyError, TypeError, AttributeError):
        whole = False
    if not whole:
        raise ValueError(f"{directory}: not as it was saved, expected files whose checksums stand in {HEAD}")
    return head["name"]


def mapped(directory: Path, needed: Sequence[str], others: Sequence[str]) -> dict[str, np.ndarray]:
    """The arrays of a saved collection, mapped to be read.

    Parameters
    ----------
    directory : as `write` was given it
    needed : names of arrays
    others : names of arrays that may be missing
    """
    there = [*needed, *(name for name in others if (directory / f"{name}.npy").exists())]
    return {name: np.load(directory / f"{name}.npy", mmap_mode="r") for name in there}


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
