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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from filelock import FileLock, Timeout

from helpers import files
from helpers.engine.fingerprint import Fingerprint
from helpers.engine.workers import clear_after

DIGITS = 16
"""Of each digest in the name of a file."""

OURS = re.compile(r"\.?(?P<sweep>\w*(-[0-9a-f]{16}){4})\.(rows|lock|(?P<process>\d+)\.shared|rows-.+)")
"""Names of files in a store: rows, their lock, shared data, and rows that are being written beside the old ones."""


@dataclass(frozen=True)
class Place:
    """Where the rows of one sweep stand.

    Attributes
    ----------
    folder : directory that sweeps share
    function, code, data, grid : what tells the sweep from others there, as parts of file names; the seed belongs to
        the data
    """

    folder: Path
    function: str
    code: str
    data: str
    grid: str

    @property
    def name(self) -> str:
        """What the names of all files of the sweep begin with."""
        return "-".join([self.function, self.code, self.data, self.grid])

    @property
    def rows(self) -> Path:
        """The file of finished runs."""
        return self.folder / f"{self.name}.rows"

    @property
    def shared(self) -> Path:
        """The file of shared data while this process runs the sweep; its number tells the next who left it."""
        return self.folder / f"{self.name}.{os.getpid()}.shared"


def place(folder: Path, made_by: Fingerprint, seed: int, keys: Iterable[str]) -> Place:
    """The place in a folder of a sweep with this seed, made by this code and data, whose runs have these keys.

    Parameters
    ----------
    folder : of all sweeps
    made_by : fingerprint of the function and its data
    seed : of the sweep
    keys : one a run, in any order
    """
    name = made_by.function.rpartition(".")[2]
    function = f"{re.sub(r'[^0-9A-Za-z_]', '', name)}-{_digest(made_by.function)}"
    data, grid = _digest(f"{made_by.data} {seed}"), _digest(" ".join(sorted(keys)))
    return Place(folder.resolve(), function, made_by.code[:DIGITS], data, grid)


def read(place: Place) -> dict[str, dict]:
    """Rows without an error by key, of every grid; a warning names the first damaged line, which counts as not there.

    Reads only: what is complete may stand where nothing can be written.

    Parameters
    ----------
    place : of the sweep

    Raises
    ------
    OSError
        where the folder or a file in it cannot be read; the message names the folder.
    """
    rows, damaged = {}, []
    with naming(place.folder):
        for file in sorted(place.folder.glob(f"{place.function}-{place.code}-{place.data}-*.rows")):
            for number, line in enumerate(_complete_lines(file.read_bytes()), start=1):
                row = _row(line)
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
    """The file of a sweep's finished runs, to append to, locked as long as the block lasts.

    Damaged and unfinished lines and those of failed runs are taken out of it before, and so is what nobody can use any
    more: rows of the same function with other code, and shared data and workers' files that a killed sweep left. A
    file is replaced or removed whole, and never while another sweep has it.

    Parameters
    ----------
    place : of the sweep
    tell : is given a message when another process is running the same sweep, before this one waits for it

    Raises
    ------
    OSError
        where the folder cannot be written; the message names it.
    """
    with naming(place.folder):
        place.folder.mkdir(parents=True, exist_ok=True)
        lock = _lock(place.folder, place.name)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            tell(f"{place.folder}: the same sweep is under way elsewhere, waiting for it to end")
            lock.acquire()
    try:
        with naming(place.folder):
            _tidy(place)
            file = open(place.rows, "ab", buffering=0)  # noqa: SIM115
        with file:
            yield file
    finally:
        lock.release()


def append(file: FileIO, rows: list[dict]) -> None:
    """Write rows to an open file, forced to disk; OSError that names the folder where they cannot be written."""
    with naming(Path(file.name).parent):
        lines = memoryview(b"".join(_line(row) for row in rows))
        while lines:  # a write that fills the disk takes a part of it, and only the next one fails
            lines = lines[file.write(lines) :]
        os.fsync(file.fileno())


@contextmanager
def naming(folder: Path) -> Iterator[None]:
    """Raise an OSError of the block as one that names the store.

    Parameters
    ----------
    folder : the store
    """
    try:
        yield
    except OSError as error:
        raise OSError(f"{folder}: the store of finished runs cannot be used: {error.strerror or error}") from error


def _digest(content: str | bytes) -> str:
    content = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(content).hexdigest()[:DIGITS]


def _complete_lines(content: bytes) -> list[bytes]:
    """The lines of a file, without the unfinished one that a kill may have left at the end."""
    return content.split(b"\n")[:-1]


def _line(row: dict) -> bytes:
    """The line of a row, with its checksum."""
    content = json.dumps(row).encode()
    return f"{_digest(content)} ".encode() + content + b"\n"


def _row(line: bytes) -> dict | None:
    """The row in a line, None where its checksum does not hold."""
    digest, _, content = line.partition(b" ")
    return json.loads(content) if digest == _digest(content).encode() else None


def _lock(folder: Path, sweep: str) -> FileLock:
    return FileLock(folder / f"{sweep}.lock")


def _tidy(place: Place) -> None:
    """Mend what `read` reads, and remove what nobody can use, but touch no sweep that is going on."""
    sweeps: dict[str, list[re.Match]] = {}
    for name in sorted(os.listdir(place.folder)):
        if match := OURS.fullmatch(name):
            sweeps.setdefault(match["sweep"], []).append(match)
    for sweep, found in sweeps.items():
        if sweep == place.name:
            _tidy_sweep(place, found)
        elif sweep.startswith(f"{place.function}-") or any(_is_left(match) for match in found):
            with suppress(Timeout), _lock(place.folder, sweep).acquire(timeout=0):
                _tidy_sweep(place, found)


def _is_left(match: re.Match) -> bool:
    """Whether a file is of use only while its sweep goes on."""
    return not match[0].endswith((".rows", ".lock"))


def _tidy_sweep(place: Place, found: list[re.Match]) -> None:
    """Tidy the files of one sweep, which is not going on."""
    of_function = found[0]["sweep"].startswith(f"{place.function}-")
    same_code = found[0]["sweep"].startswith(f"{place.function}-{place.code}-")
    for match in found:
        file = place.folder / match[0]
        if _is_left(match) or (of_function and not same_code):
            with suppress(PermissionError):  # in use on Windows: by workers that are about to end, or as the lock
                file.unlink(missing_ok=True)
            if match["process"]:
                clear_after(int(match["process"]))
        elif same_code and file.suffix == ".rows":
            _mend(file)


def _mend(file: Path) -> None:
    """Take damaged and unfinished lines out of a file, and those of runs that failed, which are tried again."""
    content = file.read_bytes()
    rows = {line: _row(line) for line in _complete_lines(content)}
    kept = b"".join(line + b"\n" for line, row in rows.items() if row and row["error"] is None)
    if kept != content:
        with files.replacing(file, "wb") as whole:
            whole.write(kept)
