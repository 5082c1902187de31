"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

READABLE = 0o644


@contextmanager
def replacing(path: str | Path, mode: str = "w") -> Iterator[IO]:
    """A file, open for writing, that takes the place of path when the block ends.

    It is written beside path under a hidden name, forced to disk and renamed: whatever interrupts the block, path is
    the old file or the new one. It has the permissions of the file that it replaces.

    Parameters
    ----------
    path : where the file is to stand; its folder must be there
    mode : "w" for text in UTF-8, whose line ends are written as they are, or "wb" for bytes

    Raises
    ------
    OSError
        when the folder cannot be written.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(f"{folder}/table.csv") as file:
    ...         _ = file.write("query,grade")
    ...     sorted(os.listdir(folder))
    ['table.csv']
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
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
