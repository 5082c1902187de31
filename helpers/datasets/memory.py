"""How much memory there is to be had, and arrays that give theirs back."""

from __future__ import annotations

import math
import mmap
import os
import sys
from pathlib import Path

import numpy as np

MEMINFO = Path("/proc/meminfo")
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
