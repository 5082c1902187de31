"""Judgments of real assessors in the data directory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from helpers import paths

T = TypeVar("T")


def here(sources: Mapping[str, Callable[[], T]]) -> dict[str, T]:
    """What the sources give, such as REAL, of those whose files are in the data directory."""
    found = {}
    for name, read in sources.items():
        with suppress(FileNotFoundError):
            found[name] = read()
    return found


def data_file(*parts: str) -> Path:
    """A file or folder of judgments in the data directory, or FileNotFoundError that says where to find it."""
    path = paths.user_data().joinpath("judgments", *parts)
    if not path.exists():
        raise FileNotFoundError(f"{path} is not here: data/README.md says where these judgments come from")
    return path
