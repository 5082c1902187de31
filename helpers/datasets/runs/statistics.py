"""More features of pairs, from a CSV file of query, document and a column for each feature."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from helpers import texts
from helpers.datasets.runs.lines import NUMBER
from helpers.datasets.runs.qrels import Qrels, numbers

QUERY, DOCUMENT = ("query", "qid"), ("document", "doc", "docid")
YEAR = "year"
NO_FEATURES = ("grade", YEAR)


@dataclass(frozen=True)
class Statistics:
    """Features of judged pairs.

    Attributes
    ----------
    names : of the features
    values : (n_pairs, n_features) float32, 0 for pairs that the file does not have
    has : (n_pairs,) whether it has the pair
    """

    names: tuple[str, ...]
    values: np.ndarray
    has: np.ndarray


def read(path: str | Path, qrels: Qrels) -> Statistics:
    r"""What a CSV file says of the pairs of qrels; of other pairs it may say something too.

    Parameters
    ----------
    path : file as `texts.read` takes it, whose first row names its columns: query (or qid), document (or doc, docid),
        and features, all numbers. Columns grade and year are none: a grade is what is to be learned
    qrels : judged pairs

    Raises
    ------
    ValueError
        naming the file, and the line where there is one: a column that is missing or there twice, another number of
        fields, a value that is not a finite number, a pair that an earlier line has, no pair of the qrels.
    OSError
        when the file cannot be read.
    """
    frame = _table(path)
    ids = [pa.array(frame[_key(path, frame, kind)], pa.string()) for kind in (QUERY, DOCUMENT)]
    names = tuple(name for name in frame.columns if name not in (*QUERY, *DOCUMENT, *NO_FEATURES))
    if not names:
        raise ValueError(f"{path}: columns {texts.shown(frame.columns)}, expected a feature among them")
    pairs = qrels.find(numbers(ids[0], qrels.queries), numbers(ids[1], qrels.documents))
    judged = pairs >= 0
    _refuse_twice(path, frame, pairs)
    if not judged.any():
        raise ValueError(f"{path}: no pair of the qrels, expected ids as they have them")
    values = np.zeros((len(qrels.keys), len(names)), np.float32)
    for column, name in enumerate(names):
        values[pairs[judged], column] = _numbers(path, frame[name])[judged]
    has = np.zeros(len(values), bool)
    has[pairs[judged]] = True
    return Statistics(names, values, has)


def years(path: str | Path) -> dict[str, str] | None:
    """Query -> year, where the file has a column of that name.

    Parameters
    ----------
    path : file as `read` takes it

    Raises
    ------
    ValueError
        as `read`, or naming file and line: a query of two years.
    """
    frame = _table(path)
    if YEAR not in frame:
        return None
    queries = frame[_key(path, frame, QUERY)]
    first = frame[YEAR].groupby(queries).transform("first")
    contrary = frame.index[frame[YEAR] != first]
    if len(contrary):
        line = contrary[0]
        found = f"query {queries[line]} has year {frame[YEAR][line]}, and {first[line]} before"
        raise ValueError(f"{path}, line {line}: {found}, expected one year for each query")
    return dict(zip(queries, first, strict=True))


def _table(path: str | Path) -> pd.DataFrame:
    return texts.table(path, ",", ("query", "document", "…"))


def _key(path: str | Path, frame: pd.DataFrame, kind: tuple[str, ...]) -> str:
    found = [name for name in kind if name in frame]
    if len(found) != 1:
        raise ValueError(f"{path}: columns {texts.shown(frame.columns)}, expected one of {', '.join(kind)} among them")
    return found[0]


def _numbers(path: str | Path, column: pd.Series) -> np.ndarray:
    fits = column.str.fullmatch(NUMBER).to_numpy(bool)
    values = np.full(len(column), np.nan, np.float32)
    with np.errstate(over="ignore"):
        values[fits] = column[fits].astype(float)
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        found = texts.shown([column.iloc[wrong[0]]])
        raise ValueError(f"{path}, line {column.index[wrong[0]]}: {column.name} {found!r}, expected a finite number")
    return values


def _refuse_twice(path: str | Path, frame: pd.DataFrame, pairs: np.ndarray) -> None:
    twice = np.flatnonzero(pd.Series(pairs).duplicated() & (pairs >= 0))
    if len(twice):
        raise ValueError(f"{path}, line {frame.index[twice[0]]}: a pair that an earlier line has, expected each once")
