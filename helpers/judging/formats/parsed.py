"""What a format's module takes and returns, and how it takes values out of JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from helpers.judging.formats import roles

COLUMNS = ("place", "query", "doc", "assessor", "grade", "seconds", "explanation", "apart")


@dataclass(frozen=True)
class Wanted:
    """What the user says of a file.

    Attributes
    ----------
    columns : names by role, as `roles.declared` returns them
    grades : grade by value, as `scales.declared` returns it; None where nothing is declared
    """

    columns: dict[str, list[str]] = field(default_factory=dict)
    grades: dict[str, int | None] | None = None


@dataclass(frozen=True)
class Parsed:
    """What a format's module finds in a file.

    Attributes
    ----------
    rows : frame of `COLUMNS`, a row a judgment: place (as "line 3"), names and grade as texts, seconds, explanation,
        apart (True where no person judged)
    size : what the file holds, as "8 rows"
    left_out : how many of what were left out
    names : by role, what a column or key is called in the file
    tasks : by pair of query and document, the record of the file that shows it to a judge, without any judgment
    remarks : sentences on how something was read
    """

    rows: pd.DataFrame
    size: str
    left_out: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    tasks: dict[tuple[str, str], dict] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def frame(rows: Iterable[Sequence]) -> pd.DataFrame:
    """Frame of `COLUMNS` from rows of at least the first five; the rest is empty, and apart False."""
    padding = (None, None, False)
    return pd.DataFrame([(*row, *padding[len(row) - 5 :]) for row in rows], columns=COLUMNS)


def taken(record: Any, key: str, kind: type | tuple[type, ...], place: str) -> Any:
    """The value of a key in a JSON object.

    Parameters
    ----------
    record : what should be the object
    key : the key that it should have
    kind : what its value should be
    place : file and record, for messages

    Raises
    ------
    ValueError
        with the place, where there is no object, no such key, or another kind of value.

    Examples
    --------
    >>> taken({"ratings": 3}, "ratings", list, "a.json, record 1")
    Traceback (most recent call last):
        ...
    ValueError: a.json, record 1: 'ratings' is 3, expected list
    """
    if not isinstance(record, dict) or key not in record:
        raise ValueError(f"{place}: no {key!r} in {_short(record)}, expected it")
    value = record[key]
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise ValueError(f"{place}: {key!r} is {_short(value)}, expected {' or '.join(k.__name__ for k in kinds)}")
    return value


def with_keys(record: Any, keys: tuple[str, ...], place: str) -> dict:
    """The JSON object that a record is, if it has these keys and no others; ValueError with the place where not."""
    if not isinstance(record, dict) or set(record) != set(keys):
        raise ValueError(f"{place}: {_short(record)}, expected the keys {', '.join(keys)} and no others")
    return record


def name_of(record: Any, key: str, place: str) -> str:
    """The text or whole number at a key of a record, as text; the place and errors are as in `taken`."""
    return str(taken(record, key, (str, int), place))


def pair_keys(path: Path, records: Sequence[dict], wanted: Wanted) -> dict[str, str]:
    """The keys of query and document in the records; ValueError as in `roles.required`.

    Parameters
    ----------
    path : file, for messages
    records : JSON objects, not all of which have to have all keys
    wanted : whose columns may name the keys
    """
    keys = list(dict.fromkeys(key for record in records for key in record))
    return {role: roles.required(path, role, keys, wanted.columns) for role in ("query", "doc")}


def _short(value: Any) -> str:
    text = repr(list(value) if isinstance(value, dict) else value)
    return text if len(text) <= 60 else f"{text[:57]}..."
