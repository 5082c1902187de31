"""Finished runs on disk: a file for each sweep, a line for each run, which is durable as soon as it is written.

A sweep is a function, its code, its data and seed, and a grid. Its file is named after all of these, and locked while
the sweep goes on: another sweep has another file and never waits. A line is a checksum and a JSON object. Only lines
whose checksum holds are read, from every grid of the same function, code, data and seed, so that a run is done once
whatever the grid it is part of.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from helpers import files
from helpers.engine.fingerprint import Fingerprint

DIGITS = 16
"""Of each digest in the name of a file."""


class Place(NamedTuple):
    """Where the rows of one sweep stand: a folder that sweeps share, and what names of files in it begin with, all that
    are of the same function, of its code as well, of its data and seed as well, and of this grid."""

    folder: Path
    function: str
    code: str
    data: str
    grid: str

    @property
    def shared(self) -> Path:
        """The file of shared data while this process runs the sweep."""
        return self.folder / f"{self.grid}.{os.getpid()}.shared"

    @property
    def all_rows(self) -> list[Path]:
        """The files of finished runs of every grid of the same function, code and data."""
        return sorted(self.folder.glob(f"{self.data}-*.rows"))


def place(folder: Path, made_by: Fingerprint, seed: int, keys: Iterable[str]) -> Place:
    """The place in a folder of a sweep with this seed, made by this code and data, whose runs have these keys."""
    name = re.sub(r"[^0-9A-Za-z_]", "", made_by.function.rpartition(".")[2])
    function = f"{name}-{_digest(made_by.function)}"
    code = f"{function}-{made_by.code[:DIGITS]}"
    data = f"{code}-{_digest(f'{made_by.data} {seed}')}"
    return Place(folder.resolve(), function, code, data, f"{data}-{_digest(' '.join(sorted(keys)))}")


def read(place: Place) -> dict[str, dict]:
    """Rows without an error by key, of every grid; a warning names the first damaged line, which counts as absent."""
    rows, damaged = {}, []
    with naming(place.folder):
        for file in place.all_rows:
            for number, (_, row) in enumerate(_lines(file.read_bytes()), start=1):
                if row is None:
                    damaged.append(f"{file}, line {number}")
                elif row["error"] is None:
                    rows[row["key"]] = row
    if damaged:
        more = f" and {len(damaged) - 1} more" if damaged[1:] else ""
        warnings.warn(f"{damaged[0]}{more}: damaged, what is missing is run again", RuntimeWarning, stacklevel=3)
    return rows


@contextmanager
def opened(place: Place, tell: Callable[[str], None]) -> Iterator[FileIO]:
    """The file of a sweep's finished runs, to append to, locked as long as the block lasts."""
    with naming(place.folder):
        place.folder.mkdir(parents=True, exist_ok=True)
        lock = _lock(place.folder, place.grid)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            tell(f"{place.folder}: the same sweep is under way elsewhere, waiting for it to end")
            lock.acquire()
    try:
        with naming(place.folder):
            _tidy(place)
            file = open(place.folder / f"{place.grid}.rows", "ab", buffering=0)  # noqa: SIM115
        with file:
            yield file
    finally:
        lock.release()


def append(file: FileIO, rows: list[dict]) -> None:
    """Write rows to an open file, forced to disk; OSError that names the folder where they cannot be written."""
    with naming(Path(file.name).parent):
        contents = [json.dumps(row).encode() for row in rows]
        lines = memoryview(b"".join(f"{_digest(content)} ".encode() + content + b"\n" for content in contents))
        while lines:  # a write that fills the disk takes a part of it, and only the next one fails
            lines = lines[file.write(lines) :]
        os.fsync(file.fileno())


@contextmanager
def naming(folder: Path) -> Iterator[None]:
    """Raise an OSError of the block as one that names the store."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{folder}: the store of finished runs cannot be used: {error.strerror or error}") from error


def _digest(content: str | bytes) -> str:
    content = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(content).hexdigest()[:DIGITS]


def _lines(content: bytes) -> Iterator[tuple[bytes, dict | None]]:
    """The lines of a file, not the unfinished one that a kill may have left at its end, and the row of each, None where
    its checksum does not hold."""
    for line in content.split(b"\n")[:-1]:
        digest, _, row = line.partition(b" ")
        yield line, json.loads(row) if digest == _digest(row).encode() else None


def _lock(folder: Path, sweep: str) -> FileLock:
    return FileLock(folder / f"{sweep}.lock")


def _tidy(place: Place) -> None:
    """Mend the rows that are read; remove those of other code, and what killed sweeps left; touch no sweep going on."""
    folder, ours = place.folder, "*" + f"-{'[0-9a-f]' * DIGITS}" * 4
    useless = {*folder.glob(f"{ours}.*.shared"), *folder.glob(f".{ours}.rows-*"), *folder.glob(f"{place.function}-*")}
    useless -= {file for file in folder.glob(f"{place.code}-*") if file.suffix != ".shared"}
    for file in sorted(useless.union(place.all_rows), key=lambda file: file.suffix == ".lock"):  # locks go last
        sweep = file.name.lstrip(".").partition(".")[0]
        with suppress(Timeout), nullcontext() if sweep == place.grid else _lock(folder, sweep).acquire(timeout=0):
            if file not in useless:
                _mend(file)
                continue
            with suppress(PermissionError):  # in use on Windows: by workers that are about to end, or as the lock
                file.unlink(missing_ok=True)


def _mend(file: Path) -> None:
    """Take damaged and unfinished lines out of a file, and those of runs that failed, which are tried again."""
    content = file.read_bytes()
    kept = b"".join(line + b"\n" for line, row in dict(_lines(content)).items() if row and row["error"] is None)
    if kept != content:
        with files.replacing(file, "wb") as whole:
            whole.write(kept)
