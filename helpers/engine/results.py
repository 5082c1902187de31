"""Result tables on disk: what a run wrote, what produced it, and the study-scale tables kept with the project."""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pooch

from helpers import files, paths, texts

PRODUCED_BY = "produced_by.json"
SUMS = "SHA256SUMS"
"""In data/results: what the tables kept with the project are known by, as the tool `sha256sum` writes it."""

WAITS = "waits for"
LIBRARIES = ("lightgbm", "numba", "numpy", "pandas", "scipy")
"""Whose releases may move a number."""

_SIDE_FILE = ".query"
"""What LightGBM appends to the name of a file for the one that holds its queries."""

_SUM = re.compile("[0-9a-f]{64}")
_NO_CHECKOUT = "get it back: install label-studies again, with pip's --force-reinstall"


def write(directory: str | Path, tables: dict[str, pd.DataFrame], produced_by: dict | None = None) -> None:
    """Write `<name>.csv` for every table, and what produced them; each file is complete or the old one stays.

    Columns that hold a list in every row, such as NDCG by query, are left out. Text that a spreadsheet would take for a
    formula, as it begins with one of `files.FORMULA` and is no number, has a ' before it; no table of the project's own
    has such text, but the names of a reader's documents and judges may be such. To what produced the tables are added
    the releases of LIBRARIES, null of one that is not installed. Of tables kept with the project SUMS is brought up to
    date.

    Parameters
    ----------
    directory : folder, made where it is not there
    tables : name -> frame
    produced_by : what `produced_by.json` says; no such file where None

    Raises
    ------
    OSError
        where a file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write(folder, {"runs": pd.DataFrame({"ranker": ["RankSVM"], "ndcg": [0.5]})}, {"seed": 1})
    ...     sorted(file.name for file in Path(folder).iterdir())
    ['produced_by.json', 'runs.csv']
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        with files.replacing(directory / f"{name}.csv") as file:
            file.write(_plain(table).to_csv(index=False))
    if produced_by is not None:
        installed = {name: next(iter(importlib.metadata.distributions(name=name)), None) for name in LIBRARIES}
        releases = {name: found and found.version for name, found in installed.items()}
        with files.replacing(directory / PRODUCED_BY) as file:
            file.write(json.dumps(produced_by | {"libraries": releases}, indent=2) + "\n")
    if directory.is_relative_to(_kept()):
        changed = [*(directory / f"{name}.csv" for name in tables), directory / PRODUCED_BY]
        sums = _sums() | {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in changed if file.exists()}
        with files.replacing(_kept() / SUMS) as file:
            file.writelines(
                f"{sums[own]}  {own.relative_to(_kept()).as_posix()}\n" for own in sorted(sums) if own.exists()
            )


def read(file: str | Path, columns: Sequence[str] = ()) -> pd.DataFrame:
    """A table that `write` wrote.

    Parameters
    ----------
    file : its path
    columns : names that it must have

    Raises
    ------
    ValueError
        where the file is empty, is no CSV in UTF-8, has lines of different lengths, or lacks one of the columns, or is
        a table kept with the project and another one than it was; the message names the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write(folder, {"runs": pd.DataFrame({"ranker": ["RankSVM"], "ndcg": [0.5]})})
    ...     read(Path(folder) / "runs.csv", ["ndcg"])
        ranker  ndcg
    0  RankSVM   0.5
    """
    content = _content(Path(file))
    try:
        table = pd.read_csv(io.BytesIO(content), encoding="utf-8")
    except ValueError as error:  # of which the errors of pandas are
        reason = str(error).splitlines()[0]
        raise ValueError(f"{file}: not a table of results ({reason}): remove it, or run its study again") from error
    missing = [column for column in columns if column not in table]
    if missing:
        found = ", ".join(map(str, table.columns))
        raise ValueError(f"{file}: no column {missing[0]!r} among {found:.200}: remove it, or run its study again")
    return table


def stored(study: str) -> dict[str, dict[str, pd.DataFrame]]:
    """The tables kept under data/results for a study: data set -> table name -> frame.

    >>> sorted(stored("03")["sizes"])
    ['kept', 'uniform']
    """
    root = _kept() / study
    files = sorted({*root.glob("*/*.csv"), *(file for file in _sums() if file.match(f"{study}/*/*.csv"))})
    found = {directory.name: {} for directory in sorted(root.glob("*/"))}
    for file in files:
        found.setdefault(file.parent.name, {})[file.stem] = read(file)
    return found


def produced_by(study: str, data: str) -> dict:
    """What produced the stored tables of a study on a data set.

    >>> produced_by("04", "clueweb09-webis")["dataset"]
    'clueweb09-webis'
    """
    return json.loads(_content(_kept() / study / data / PRODUCED_BY))


def waiting(study: str) -> dict[str, str]:
    """Stored tables of a study that are to be made again: data set -> what has changed that they do not know of yet."""
    folders = sorted(file.parent.name for file in (_kept() / study).glob(f"*/{PRODUCED_BY}"))
    return {data: made_by[WAITS] for data in folders if WAITS in (made_by := produced_by(study, data))}


def waiting_notes(*studies: str) -> list[str]:
    """What is `waiting` in those studies, a sentence for each data set."""
    waits = [(f"{study}/{data}", reason) for study in studies for data, reason in waiting(study).items()]
    return [f"Stored tables {tables} wait to be made again: made before {reason}" for tables, reason in waits]


def files_read(source: str) -> list[str]:
    """SHA-256 of the files that a parameter names, a path, several separated by commas, or a folder; of none else."""
    found = []
    for path in texts.named(source) if source else []:
        inside = sorted(path.rglob("*")) if path.is_dir() else [path, path.with_name(path.name + _SIDE_FILE)]
        found += [pooch.file_hash(str(file)) for file in inside if file.is_file()]
    return found


def _kept() -> Path:
    """The folder of the tables kept with the project."""
    return paths.project("data") / "results"


def _content(file: Path) -> bytes:
    """What a file holds; ValueError where it is one kept with the project, and is not as it was."""
    if not file.is_relative_to(_kept()):
        return file.read_bytes()
    if not file.exists():
        raise ValueError(f"{file}: is missing, {_way_back()}")
    content, sums = file.read_bytes(), _sums()
    if file in sums and hashlib.sha256(content).hexdigest() != sums[file]:
        raise ValueError(f"{file}: is damaged, {_way_back()}")
    return content


def _sums() -> dict[Path, str]:
    """File kept with the project -> its SHA-256, of all that are known."""
    file = _kept() / SUMS
    if not file.exists():
        return {}
    lines = [line.split("  ", 1) for line in file.read_text(encoding="utf-8", errors="replace").splitlines()]
    if not all(len(parts) == 2 and _SUM.fullmatch(parts[0]) for parts in lines):
        raise ValueError(f"{file}: is damaged, {_way_back()}")
    return {file.parent / name: digest for digest, name in lines}


def _way_back() -> str:
    """How to get the files back that come with the project."""
    root = paths.project("data").parent
    return f"get it back: git -C {root} checkout -- data/results" if (root / ".git").exists() else _NO_CHECKOUT


def _plain(table: pd.DataFrame) -> pd.DataFrame:
    """The table without columns of lists, and with a ' before text that would be a formula."""
    columns = {}
    for name, column in table.items():
        if table.empty or not column.map(lambda value: isinstance(value, list)).all():
            columns[name] = column if pd.api.types.is_numeric_dtype(column) else column.map(_no_formula)
    return pd.DataFrame(columns)


def _no_formula(value: object) -> object:
    if not isinstance(value, str) or not value.startswith(files.FORMULA):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value
