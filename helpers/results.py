"""Result tables on disk: what a run wrote, what produced it, and the study-scale tables kept with the project."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import tempfile
from pathlib import Path

import pandas as pd

from helpers import paths

PRODUCED_BY = "produced_by.json"
LIBRARIES = ("lightgbm", "numba", "numpy", "pandas", "scipy")
"""Whose releases may move a number."""

FORMULA = ("=", "+", "-", "@")
"""What a spreadsheet takes for the beginning of a formula."""


def write(directory: str | Path, tables: dict[str, pd.DataFrame], produced_by: dict | None = None) -> None:
    """Write `<name>.csv` for every table, and what produced them; each file is complete or the old one stays.

    Columns that hold a list in every row, such as NDCG by query, are left out. Text that a spreadsheet would take for a
    formula, as it begins with = + - or @ and is no number, has a ' before it; no table of the project's own has such
    text, but the names of a reader's documents and judges may be such. To what produced the tables are added
    the releases of LIBRARIES.
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        kept = [column for column in table if table.empty or not _holds_lists(table[column])]
        _replace(directory / f"{name}.csv", _plain(table[kept]).to_csv(index=False))
    if produced_by is not None:
        releases = {name: importlib.metadata.version(name) for name in LIBRARIES}
        _replace(directory / PRODUCED_BY, json.dumps(produced_by | {"libraries": releases}, indent=2) + "\n")


def stored(study: str) -> dict[str, dict[str, pd.DataFrame]]:
    """The tables kept under data/results for a study: data set -> table name -> frame."""
    root = paths.project("data") / "results" / study
    return {
        directory.name: {file.stem: pd.read_csv(file) for file in sorted(directory.glob("*.csv"))}
        for directory in sorted(root.glob("*/"))
    }


def produced_by(study: str, data: str) -> dict:
    """What produced the stored tables of a study on a data set."""
    return json.loads((paths.project("data") / "results" / study / data / PRODUCED_BY).read_text())


def _plain(table: pd.DataFrame) -> pd.DataFrame:
    """The table with a ' before text that would be a formula; columns of numbers stay as they are.

    >>> _plain(pd.DataFrame({"doc": ["=1+1", "-5", "a=b"], "grade": [-1, 0, 1]}))
         doc  grade
    0  '=1+1     -1
    1     -5      0
    2    a=b      1
    """
    plain = table.copy()
    for column in table:
        if not pd.api.types.is_numeric_dtype(table[column]):
            plain[column] = table[column].map(_no_formula)
    return plain


def _no_formula(value: object) -> object:
    if not isinstance(value, str) or not value.startswith(FORMULA):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def _holds_lists(column: pd.Series) -> bool:
    return column.map(lambda value: isinstance(value, list)).all()


def _replace(path: Path, text: str) -> None:
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", newline="") as stream:
            stream.write(text)
        shutil.copymode(path, beside) if path.exists() else os.chmod(beside, 0o644)
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
