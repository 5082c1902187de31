"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

READABLE = 0o644
UNFINISHED = ".unfinished"
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula, in half and in full width."""

DEAD_AFTER = 24 * 3600  # seconds in which nothing was written


@contextmanager
def replacing(path: str | Path, mode: str = "w") -> Iterator[IO]:
    """A file, open for writing, that takes the place of path when the block ends: text in UTF-8, or bytes with "wb".

    It is written beside path under a hidden name, forced to disk and renamed: whatever interrupts the block, path is
    the old file or the new one. It has the permissions of the file that it replaces.
    """
    path = Path(path)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        text = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
        with os.fdopen(handle, mode, **text) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, beside) if path.exists() else os.chmod(beside, READABLE)
        os.replace(beside, path)
    except BaseException as error:
        Path(beside).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno and error.filename in (None, beside):
            raise type(error)(error.errno, error.strerror, str(path)) from error
        raise


@contextmanager
def new_folder(target: str | Path) -> Iterator[Path]:
    """An empty folder that is moved to the target when the block ends, with all that the block put into it.

    Whatever interrupts the block, there is no target or a whole one. Where another process was first, its folder stays;
    FileExistsError where the target is there already.
    """
    target = Path(target)
    if target.exists():
        raise FileExistsError(f"{target}: is there already, move it away first")
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_abandoned(target.parent.glob(f".{target.name}-*{UNFINISHED}"))
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-", suffix=UNFINISHED) as room:
        folder = Path(room, target.name)
        folder.mkdir()
        yield folder
        _force_to_disk(folder)
        if not target.exists():
            folder.rename(target)


def regular(path: str | Path) -> Path:
    """The path of a file or folder; ValueError where a pipe, a device or a socket is: it may never end."""
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ValueError(f"{path}: a pipe, a device or a socket, expected a file: write what it gives into one")
    return Path(path)


def of_runs(folder: Path) -> list[Path]:
    """The files in a folder of runs, hidden ones left out; FileNotFoundError where there is none."""
    found = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    if not found:
        raise FileNotFoundError(f"{folder}: no file, expected one for each run")
    return found


def check_links(path: Path) -> None:
    """Raise ValueError where a folder cannot be made, as it or one above it is a link that leads nowhere."""
    for each in (path, *path.parents):
        if each.is_symlink() and not os.path.exists(each):
            raise ValueError(f"{each}: a link to {os.readlink(each)}, which leads nowhere, expected a folder")


def remove_abandoned(folders: Iterable[Path]) -> None:
    """Remove those folders in which nothing was written for DEAD_AFTER seconds: whoever made them is dead."""
    for folder in filter(Path.is_dir, folders):
        if time.time() - _last_written(folder) > DEAD_AFTER:
            shutil.rmtree(folder, ignore_errors=True)


def _last_written(folder: Path) -> float:
    """Seconds since the epoch; of a folder that vanishes meanwhile, now."""
    try:
        return max(path.stat().st_mtime for path in (folder, *folder.rglob("*")))
    except FileNotFoundError:
        return time.time()


def _force_to_disk(folder: Path) -> None:
    for path in filter(Path.is_file, folder.rglob("*")):
        with path.open("rb+") as file:
            os.fsync(file.fileno())
