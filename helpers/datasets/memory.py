"""How much memory there is to be had, and arrays that give theirs back."""

from __future__ import annotations

import math
import mmap
import os
import sys
from pathlib import Path

import numpy as np

MEMINFO = Path("/proc/meminfo")
BLOCK = 2**24
"""Bytes of a mapped file that `taken` reads before the system has their pages back."""

OWN_PAGES = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}


def available() -> int:
    """Bytes that a program may ask for: what Linux calls available, elsewhere all there are, sys.maxsize if unknown."""
    if MEMINFO.is_file():
        amounts = dict(line.split(":") for line in MEMINFO.read_text().splitlines())
        if "MemAvailable" in amounts:
            return int(amounts["MemAvailable"].removesuffix("kB")) * 1024
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError):  # not POSIX
        return sys.maxsize


def zeros(shape: tuple[int, ...], dtype: np.typing.DTypeLike) -> np.ndarray:
    """An array of zeros in pages of its own, which the system has back as soon as the array is dropped.

    Of many ordinary arrays that are dropped one by one the memory stays with the process, for later ones of their size.

    Parameters
    ----------
    shape : of the array
    dtype : of its elements

    >>> zeros((1, 2), np.float32)
    array([[0., 0.]], dtype=float32)
    """
    size = math.prod(shape) * np.dtype(dtype).itemsize
    return np.ndarray(shape, dtype, mmap.mmap(-1, max(size, 1), **OWN_PAGES))


def copied(array: np.ndarray) -> np.ndarray:
    """A copy of an array in pages of its own, as those of `zeros`.

    Parameters
    ----------
    array : any that holds no objects

    >>> copied(np.array([1, 2]))
    array([1, 2])
    """
    copy = zeros(array.shape, array.dtype)
    copy[...] = array
    return copy


def taken(array: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A copy of these rows of an array; of a file mapped to be read, it holds no more pages than a block needs.

    Pages of such a file count as memory of the process until the system wants them back, so that a copy of all rows
    would take twice the array. They are given back as soon as they have been copied.

    Parameters
    ----------
    array : in memory or mapped
    rows : numbers of its rows, in the order wanted

    >>> taken(np.array([[1, 2], [3, 4]]), np.array([1, 0, 1])).tolist()
    [[3, 4], [1, 2], [3, 4]]
    """
    file = _read_only_file(array)
    if file is None or array.nbytes <= BLOCK:
        return array[rows]
    copy = np.empty((len(rows), *array.shape[1:]), array.dtype)
    step = max(1, BLOCK * len(array) // array.nbytes)
    for start in range(0, len(rows), step):
        copy[start : start + step] = array[rows[start : start + step]]
        file.madvise(mmap.MADV_DONTNEED)
    return copy


def _read_only_file(array: np.ndarray) -> mmap.mmap | None:
    """The file of which an array is a part, if it is mapped to be read: pages of others hold what stands in no file."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    to_be_read = isinstance(array, np.memmap) and array.mode == "r"
    return array.base if to_be_read and hasattr(mmap, "MADV_DONTNEED") else None
