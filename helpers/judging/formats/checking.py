"""What judgments are held to, whatever file they come from."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from helpers import checks, texts
from helpers.judging.formats import roles, scales

REPEATS = ("refuse", "first")
TIME = r"[0-9]{1,12}(\.[0-9]*)?([eE][+-]?[0-9]{1,2})?"
PAIR = ["query", "doc", "assessor"]


def graded(rows: pd.DataFrame, declared: dict[str, int | None] | None) -> tuple[pd.DataFrame, dict[str, int | None]]:
    """The rows with a column number, their grade as a float, and the grades by their spelling in the file.

    Parameters
    ----------
    rows : frame file, place, query, doc, assessor, grade; a grade is a text, "" where there is none
    declared : what `scales.declared` returns; None to recognise the grades

    Returns
    -------
    rows : as given, number NaN for a grade that is empty or declared to be none
    used : the grade of each value found

    Raises
    ------
    ValueError
        with file and place of the first grade that is not declared, or not recognised.
    """
    spellings = {text: scales.key(text) for text in rows["grade"].unique()}
    values = {value for value in spellings.values() if value}
    scale = scales.recognised(values) if declared is None else declared
    if scale is None or values - set(scale):
        _refuse_unknown(rows, spellings, scales.whole(values) if scale is None else scale, declared is None)
    used = {value: scale[value] for value in scale if value in values}
    numbers = {text: np.nan if used.get(value) is None else used[value] for text, value in spellings.items()}
    return rows.assign(number=rows["grade"].map(numbers).astype(float)), used


def without_blanks(rows: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The rows without blanks at the ends of names and grades, and a sentence on names that become one by that.

    Parameters
    ----------
    rows : frame query, doc, assessor, grade and more, all of these texts
    """
    joined = {}
    for role in PAIR:
        raw = pd.Series(rows[role].unique())
        joined[role] = int(raw.str.strip().duplicated().sum())
    stripped = rows.assign(**{column: rows[column].str.strip() for column in roles.LONG})
    said = _numbered(joined)
    return stripped, [f"With and without blanks at the ends, read as one: {said}."] if said else []


def alike(rows: pd.DataFrame) -> dict[str, list[tuple[str, str]]]:
    """Names in rows, a frame file, query, doc, assessor, that are nearly alike, by role, as `texts.alike` tells them.

    Of queries and documents those in different files or of different judges; of judges any two.
    """
    sources = rows.groupby(["file", "assessor"], sort=False).ngroup()
    found = {role: texts.alike(rows[role], sources) for role in PAIR[:2]}
    judges = rows["assessor"].unique()
    return found | {"assessor": texts.alike(judges, judges)}


def told_alike(pairs: dict[str, list[tuple[str, str]]]) -> list[str]:
    """A sentence on how many names are nearly alike, if any; pairs are what `alike` returns."""
    said = _numbered({role: len(found) for role, found in pairs.items()})
    return [f"Nearly alike (case, zeros, .0, accents) and read as different: {said}."] if said else []


def checked(rows: pd.DataFrame, repeats: str = "refuse") -> tuple[pd.DataFrame, dict[str, int]]:
    """Long frame of judgments: names that are not empty, grades from 0 to 127, one judgment of a pair by an assessor.

    Parameters
    ----------
    rows : frame file, place, query, doc, assessor (str), number (the grade), and more columns, which are kept
    repeats : "refuse" a second judgment of a pair by the same assessor with another grade, or keep the "first"

    Returns
    -------
    frame : query, doc, assessor, grade (int64) and what else there was
    left_out : how many rows were left out, by the reason

    Raises
    ------
    ValueError
        with file and place: an empty name, a grade outside 0 to 127 or no whole number, a contradicting repeat.

    Examples
    --------
    >>> rows = pd.DataFrame({"file": "a.csv", "place": ["line 2", "line 3"], "query": "q", "doc": "d",
    ...                      "assessor": "Ann", "number": [1.0, 2.0]})
    >>> checked(rows)
    Traceback (most recent call last):
        ...
    ValueError: a.csv, line 3: Ann gave query q, doc d grade 2, and grade 1 in a.csv, line 2: expected one judgment \
(repeats='first' keeps the first)
    """
    checks.one_of("repeats", repeats, REPEATS)
    _refuse_empty(rows)
    _refuse_outside(rows)
    second = rows.duplicated(PAIR)
    same = rows.duplicated([*PAIR, "number"])
    if repeats == "refuse" and (second & ~same).any():
        _refuse_contradiction(rows, int(np.argmax(second & ~same)))
    kept = (
        rows[~second]
        .assign(**_seconds(rows[~second]))
        .astype({"number": np.int64})
        .rename(columns={"grade": "text", "number": "grade"})
    )
    more = [column for column in roles.ROLES[4:] if column in kept and kept[column].notna().any()]
    left_out = {"exact duplicates": int((second & same).sum()), "later grades of a repeat": int((second & ~same).sum())}
    return kept[[*roles.LONG, *more]].reset_index(drop=True), left_out


def _seconds(rows: pd.DataFrame) -> dict[str, pd.Series]:
    """The column seconds as floats, where there is one; ValueError with file and place where it is no time."""
    if "seconds" not in rows:
        return {}
    given = rows["seconds"].notna()
    times = rows["seconds"].astype(str)
    wrong = given & ~times.str.fullmatch(TIME)
    if wrong.any():
        row = rows.loc[wrong.idxmax()]
        raise ValueError(f"{row.file}, {row.place}: {row.seconds!r} seconds, expected a number from 0")
    return {"seconds": times.where(given).astype(float)}


def _refuse_unknown(rows: pd.DataFrame, spellings: dict[str, str], known: Collection[str], undeclared: bool) -> None:
    """ValueError at the first grade that is not known, with all grades of the file."""
    unknown = set(spellings.values()) - {"", *known}
    first = rows[rows["grade"].map(spellings).isin(unknown)].iloc[0]
    said = sorted((text for text, value in spellings.items() if value), key=scales.key)
    reason = (
        "not whole numbers, and not all levels of a known scale from its lowest" if undeclared else "not all declared"
    )
    here = checks.some(said, 20)
    raise ValueError(
        f"{first.file}, {first.place}: grade {first.grade!r}; the grades here are {here}: {reason}. Add "
        f"{scales.call(said[:20], scales.whole(known))} with their numbers, or {scales.SKIP} for what is no judgment"
    )


def _refuse_empty(rows: pd.DataFrame) -> None:
    for column in PAIR:
        empty = (rows[column] == "").to_numpy()
        if empty.any():
            row = rows.iloc[int(empty.argmax())]
            raise ValueError(f"{row.file}, {row.place}: no {column}, expected a name")


def _refuse_outside(rows: pd.DataFrame) -> None:
    numbers = rows["number"].to_numpy()
    wrong = ~((numbers >= 0) & (numbers <= scales.HIGHEST) & (numbers == np.floor(numbers)))
    if wrong.any():
        row = rows.iloc[int(wrong.argmax())]
        levels = {f"{number:.0f}": scales.HIGHEST >= number >= 0 for number in np.unique(numbers)}
        raise ValueError(
            f"{row.file}, {row.place}: grade {row.number:g}, expected a whole number from 0 to {scales.HIGHEST}, or "
            f"what it stands for: {scales.call(levels, [level for level, fits in levels.items() if fits])}"
        )


def _refuse_contradiction(rows: pd.DataFrame, position: int) -> None:
    row = rows.iloc[position]
    first = rows[(rows[PAIR] == row[PAIR]).all(axis=1)].iloc[0]
    raise ValueError(
        f"{row.file}, {row.place}: {row.assessor} gave query {row['query']}, doc {row.doc} grade {row.number:g}, and "
        f"grade {first.number:g} in {first.file}, {first.place}: expected one judgment "
        f"({checks.advice('repeats', 'first')} keeps the first)"
    )


def _numbered(counts: dict[str, int]) -> str:
    """The counts of queries, docs and judges that are not 0."""
    called = {"query": "queries", "doc": "documents", "assessor": "judges"}
    return ", ".join(f"{called[role]}: {n}" for role, n in counts.items() if n)
