"""A folder of reports that several runs may write to: each report moves in whole, after the one before it moved out.

A run works in a hidden folder of its own, `.<name>-xxxxxxxx`, and holds the lock in it for as long as it lives. When it
is done, the hidden folder is renamed, and its name says how far the move has come:

- `.<name>.made`: the new report is whole; the parts of the old one may still stand in the place of the new
- `.<name>.moving`: the old one has been taken out; the parts of the new one may still be in here

Whatever interrupts a move, the folder says how to go on, and `tidy`, with which every run begins, does so. All of it
happens under one lock, so that the reports of two runs that end together are not mixed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from filelock import FileLock, Timeout

from helpers import files
from helpers.engine import backends

PATIENCE = 1  # seconds in which nothing is said of a lock that another run has
LOCK, ALIVE, _OLD = ".label-studies.lock", ".alive", ".old"
_MADE, _MOVING = ".made", ".moving"
_ROOM = "label-studies-"


@contextmanager
def replacing(out: Path, name: str, parts: Sequence[str]) -> Iterator[Path]:
    """A hidden folder of out to make a report in, which takes the place of the one before when the block ends.

    Parts are names of its files and folders; the place of one that was not made is left empty, and where none was made
    the report before stays. Where a move fails, what was made is moved by the next run.
    """
    with locked(out):
        hidden = Path(tempfile.mkdtemp(dir=out, prefix=f".{name}-"))
        (hidden / _OLD).mkdir()  # now, as a full disk would not let it be made when it is needed
        alive = FileLock(hidden / ALIVE)
        alive.acquire()
    try:
        yield hidden
        with locked(out):
            alive.release()  # where a folder with an open file cannot be renamed
            _finish(out, name, parts)
            if any((hidden / part).exists() for part in parts):
                os.rename(hidden, out / f".{name}{_MADE}")
            _finish(out, name, parts)
    finally:
        alive.release()
        shutil.rmtree(hidden, ignore_errors=True)


def tidy(out: Path, reports: Mapping[str, Sequence[str]]) -> None:
    """End the moves of these reports, by name with parts, that were interrupted; remove folders of runs that died."""
    with locked(out):
        for name, parts in reports.items():
            _finish(out, name, parts)
            for hidden in out.glob(f".{name}-*/"):
                _remove_dead(hidden)


@contextmanager
def temporary() -> Iterator[None]:
    """Have this process, and those that it starts, keep what is temporary in one folder, which goes with the block.

    There kernels have their files too, and IPython its profile: what a user starts his own with is none of a report.
    Folders of processes that were killed are removed.
    """
    place = Path(tempfile.gettempdir())
    for alive in place.glob(f"{_ROOM}*/{ALIVE}"):
        _remove_dead(alive.parent)
    files.remove_abandoned(room for room in place.glob(f"{_ROOM}*/") if not (room / ALIVE).exists())
    with (
        tempfile.TemporaryDirectory(prefix=_ROOM, ignore_cleanup_errors=True) as room,
        FileLock(Path(room, ALIVE + ".new")),
        backends.environment(dict.fromkeys(("TMPDIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"), room)),
    ):
        os.rename(Path(room, ALIVE + ".new"), Path(room, ALIVE))  # nobody takes it for dead before it is locked
        tempfile.tempdir = room
        try:
            yield
        finally:
            tempfile.tempdir = str(place)


@contextmanager
def locked(out: Path) -> Iterator[None]:
    """Hold a folder of reports alone; others wait for milliseconds, and are told so where it takes longer."""
    lock = FileLock(out / LOCK)
    try:
        held = lock.acquire(timeout=PATIENCE)
    except Timeout:
        click.echo(f"waiting for another run, which has {out / LOCK}", err=True)
        held = lock.acquire()
    with held:
        yield


def move(source: Path, target: Path) -> None:
    """Rename a file or folder, if it is there."""
    if source.exists():
        os.rename(source, target)


def _finish(out: Path, name: str, parts: Sequence[str]) -> None:
    """Bring a move to its end from wherever it is; nothing happens where there is none."""
    made, moving = out / f".{name}{_MADE}", out / f".{name}{_MOVING}"
    if made.exists():
        for part in parts:
            move(out / part, made / _OLD / part)
        os.rename(made, moving)
    if moving.exists():
        for part in parts:
            move(moving / part, out / part)
        shutil.rmtree(moving)


def _remove_dead(hidden: Path) -> None:
    """Remove a working folder unless its run lives, which holds its lock."""
    try:
        with FileLock(hidden / ALIVE, blocking=False):
            pass
    except Timeout:
        return
    shutil.rmtree(hidden, ignore_errors=True)
