"""What a store of finished runs holds, for tests."""

import json
from pathlib import Path

import pandas as pd


def lines(store: Path) -> list[bytes]:
    """The complete lines of all files of rows."""
    return [line for file in files(store) for line in file.read_bytes().split(b"\n")[:-1]]


def rows(store: Path) -> list[dict]:
    """The rows, without their checksums, in the order in which they were written."""
    return [json.loads(line.partition(b" ")[2]) for line in lines(store)]


def files(store: Path) -> list[Path]:
    """The files of rows."""
    return sorted(Path(store).glob("*.rows"))


def file(store: Path) -> Path:
    """The only file of rows."""
    [only] = files(store)
    return only


def left(store: Path) -> set[str]:
    """How the names end of all files, hidden ones too; rows and lock are what a sweep that has ended leaves."""
    return {path.name.partition(".")[2] for path in Path(store).iterdir()}


def assert_identical(table, other):
    """The same columns, types and bits."""
    pd.testing.assert_frame_equal(table, other, check_exact=True)
    assert repr(table.to_dict("list")) == repr(other.to_dict("list"))
