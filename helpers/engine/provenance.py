"""Which files a result was made from: their SHA-256, for `produced_by.json`; no names, which may be of judges."""

from __future__ import annotations

from pathlib import Path

import pooch

SIDE_FILE = ".query"
"""What LightGBM appends to the name of a file for the one that holds its queries."""


def files_read(source: str) -> list[str]:
    """SHA-256 of the files that a parameter names; none where it names none, such as a data set's name.

    Parameters
    ----------
    source : a path, several of them separated by commas, or a folder, whose files are read in the order of their names

    Raises
    ------
    OSError
        when a file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "mine.csv").write_text("")
    ...     [value[:8] for value in files_read(f"{folder}/mine.csv")]
    ['e3b0c442']
    >>> files_read("mq2008"), files_read("")
    ([], [])
    """
    parts = [source] if Path(source).exists() else source.split(",")
    return [pooch.file_hash(str(path)) for part in parts if part for path in _files(Path(part.strip()))]


def _files(path: Path) -> list[Path]:
    """A file and its side file, or all files of a folder in the order of their names."""
    if path.is_dir():
        return [file for file in sorted(path.rglob("*")) if file.is_file()]
    beside = path.with_name(path.name + SIDE_FILE)
    return [file for file in (path, beside) if file.is_file()]
