"""What a frame of judgments is held to, wherever it was read."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import Path

import numpy as np
import pandas as pd

from helpers import checks, texts

LONG = ["query", "doc", "assessor", "grade"]
ALIASES = {"task": "doc", "worker": "assessor", "label": "grade"}
"""What crowd-kit calls the columns."""

HIGHEST = np.iinfo(np.int8).max
OUTSIDE = ("refuse", "drop")
REPEATS = ("refuse", "first")
WHOLE = re.compile(r"([+-]?)0*(\d+)(\.0*)?", re.ASCII)
LINE_END = re.compile(r"[\r\n]")


def checked(
    frame: pd.DataFrame,
    source: str | Path,
    lines: Sequence[int] | None = None,
    *,
    n_grades: int | None = None,
    outside: str = "refuse",
    repeats: str = "refuse",
) -> pd.DataFrame:
    """The judgments of a frame that was read from a file, or one error that says where the first wrong one stands.

    Parameters
    ----------
    frame : query, doc, grade and, where they are of several, assessor; grades may be numbers or text
    source : the file, for messages
    lines : (n_rows,) where each row stands in the file; None where it has no lines: messages then count rows from 0
    n_grades : size of the scale, grades 0 to n_grades - 1; None is the widest, 0 to 127
    outside : "refuse" a whole number outside the scale, or "drop" such judgments
    repeats : "refuse" a second judgment of a document by the same assessor for the same query, or keep the "first"

    Returns
    -------
    frame of the same columns in the order of LONG: names as str, grades as int64

    Raises
    ------
    ValueError
        naming the source and line or row: an empty field, a name with a line end, a grade that is no whole number or
        outside the scale, a repeat; naming the source: no judgment at all.

    Examples
    --------
    >>> frame = pd.DataFrame({"query": ["q", "q"], "doc": ["a", "b"], "grade": ["2", "1e300"]})
    >>> checked(frame, "mine.qrels", [1, 3])
    Traceback (most recent call last):
        ...
    ValueError: mine.qrels, line 3: grade 1e300, expected a whole number from 0 to 127
    """
    checks.one_of("outside", outside, OUTSIDE)
    checks.one_of("repeats", repeats, REPEATS)
    if frame.empty:
        raise ValueError(f"{source}: no judgment, expected at least one")
    columns = [column for column in LONG if column in frame]
    names = columns[:-1]
    rows = _Rows(frame[columns].reset_index(drop=True), source, lines)
    frame = rows.frame
    _check_names(rows, names)
    top = min(n_grades or HIGHEST + 1, HIGHEST + 1) - 1
    grades = frame["grade"].map({value: _whole(value) for value in frame["grade"].unique()}).astype(float)
    inside = grades.between(0, top)
    wrong = grades.isna() if outside == "drop" else ~inside
    rows.refuse(wrong, lambda row: f"grade {texts.shown([row['grade']])}, expected a whole number from 0 to {top}")
    second = frame.duplicated(names)
    if repeats == "refuse":
        rows.refuse(second, lambda row: _repeated(rows, names, row))
    kept = frame.assign(grade=grades)[inside & ~second]
    return kept.astype({"grade": np.int64}).reset_index(drop=True)


def without_missing(frame: pd.DataFrame) -> pd.DataFrame:
    """The judgments of a long frame: a row whose grade is missing is none. Whole grades become int64.

    Parameters
    ----------
    frame : query, doc, grade and, where they are of several, assessor; NaN, None and NA are missing

    Raises
    ------
    ValueError
        when a judgment has no query, document or assessor, or a grade that is no finite number.

    Examples
    --------
    >>> rows = [("q", "a", "Ann", 2), ("q", "a", "Bob", None), ("q", "b", "Bob", 0)]
    >>> without_missing(pd.DataFrame(rows, columns=LONG))["grade"].tolist()
    [2, 0]
    """
    given = frame["grade"].notna()
    kept = frame if given.all() else frame[given]
    for name in (name for name in LONG[:-1] if name in kept):
        if (missing := kept[name].isna()).any():
            raise ValueError(f"frame: row {kept.index[missing.argmax()]} has no {name}, expected one for each grade")
    if isinstance(kept["grade"].dtype, np.dtype) and kept["grade"].dtype.kind in "iu":
        return kept
    grades = pd.to_numeric(kept["grade"], errors="coerce").to_numpy(np.float64, na_value=np.nan)
    if not (finite := np.isfinite(grades)).all():
        row = int(np.argmin(finite))
        raise ValueError(f"frame: row {kept.index[row]} has grade {kept['grade'].iloc[row]}, expected a number")
    return kept.assign(grade=grades.astype(np.int64) if (grades == np.floor(grades)).all() else grades)


def summary(frame: pd.DataFrame) -> str:
    """What a long frame holds, in one line; a reader sees there whether a file was understood.

    >>> summary(pd.DataFrame([("q", "a", "Ann", 2), ("q", "a", "Bob", 1), ("q", "b", "Bob", 0)], columns=LONG))
    "3 judgments: 1 query ('q'), 2 pairs of query and document, 2 judges, grades 0-2"
    """
    frame = without_missing(frame)
    queries = frame["query"].unique()
    counted = f"{len(queries):,} queries" if len(queries) > 1 else f"1 query ({queries[0]!r})"
    pairs, judges = len(frame.drop_duplicates(["query", "doc"])), frame["assessor"].nunique()
    return (
        f"{_number(len(frame), 'judgment')}: {counted}, {_number(pairs, 'pair')} of query and document, "
        f"{_number(judges, 'judge')}, grades {frame['grade'].min()}-{frame['grade'].max()}"
    )


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of a frame, its file, and in which line of it each row stands, None where it has no lines."""

    frame: pd.DataFrame
    source: str | Path
    lines: Sequence[int] | None

    def place(self, row: int) -> str:
        return f"row {row}" if self.lines is None else f"line {self.lines[row]}"

    def refuse(self, wrong: pd.Series, say: Callable[[pd.Series], str]) -> None:
        """ValueError with the place of the first row that is wrong, and what is said of it."""
        if wrong.any():
            row = int(np.argmax(wrong))
            raise ValueError(f"{self.source}, {self.place(row)}: {say(self.frame.loc[row])}")


def _check_names(rows: _Rows, names: Sequence[str]) -> None:
    """Make the names text, or ValueError where a field is empty or a name has a line end."""
    expected = ", ".join(rows.frame)
    rows.refuse(
        _empty(rows.frame),
        lambda row: f"an empty field in {texts.shown(row)}, expected {expected}: leave out what nobody judged",
    )
    rows.frame[names] = rows.frame[names].astype(str)
    for name in names:
        rows.refuse(
            rows.frame[name].str.contains(LINE_END),
            lambda row, name=name: f"a line end in {name} {row[name]!r:.80}, expected quotes that are closed in a line",
        )


def _repeated(rows: _Rows, names: Sequence[str], row: pd.Series) -> str:
    same = int(np.argmax((rows.frame[names] == row[names]).all(axis=1)))
    of = ", ".join(f"{name} {texts.shown([row[name]])}" for name in names)
    return f"a second judgment of {of}, expected one ({rows.place(same)} has it; repeats can be 'first')"


def _number(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _empty(frame: pd.DataFrame) -> pd.Series:
    """(n_rows,) whether a field is missing or blank."""
    blank = frame.apply(lambda column: column.astype(str).str.strip() == "")
    return (frame.isna() | blank).any(axis=1)


def _whole(value: Hashable) -> float:
    """The grade as a number that keeps its place on any scale: -1 below all, 128 above all, NaN where not whole."""
    if isinstance(value, Real):
        return float(max(-1, min(value, HIGHEST + 1))) if float(value).is_integer() else np.nan
    match = WHOLE.fullmatch(str(value).strip(" \t"))
    if not match:
        return np.nan
    sign, digits, _ = match.groups()
    number = HIGHEST + 1 if len(digits) > len(str(HIGHEST)) else min(int(digits), HIGHEST + 1)
    return float(max(-number, -1) if sign == "-" else number)
