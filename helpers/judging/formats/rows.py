"""What a format finds in a file, which rows of it count, and what the judgments of any file are held to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers import checks, texts
from helpers.judging.formats.names import (
    HIGHEST,
    LONG,
    ROLES,
    SKIP,
    cuts_call,
    grades_call,
    key,
    recognised,
    whole_numbers,
)
from helpers.judging.formats.source import Content, Table
from helpers.judging.judgments import MODEL

COLUMNS = ("place", "query", "doc", "assessor", "grade", "seconds", "explanation", "apart")
REPEATS = ("refuse", "first")
TIME = r"[0-9]{1,12}(\.[0-9]*)?([eE][+-]?[0-9]{1,2})?"
PAIR = ["query", "doc", "assessor"]
TEST = "answers to test questions"
GOLDEN = "GOLDEN:"  # columns of Toloka with the answer that is expected to a test question
STATUSES = {
    "AssignmentStatus": {"Approved": "", "Submitted": "", "Rejected": "rejected assignments"},
    "ASSIGNMENT:status": {
        **{"APPROVED": "", "ACCEPTED": "", "SUBMITTED": "", "REJECTED": "rejected assignments"},
        **{"ACTIVE": "unfinished assignments", "SKIPPED": "skipped assignments", "EXPIRED": "expired assignments"},
    },
    "_golden": {"true": TEST, "false": "", "": ""},
    "_tainted": {"true": "answers of workers who failed the test questions (_tainted)", "false": "", "": ""},
}
"""Columns of Mechanical Turk, Toloka and Appen: for each status, why a row that has it does not count."""


@dataclass(frozen=True)
class Wanted:
    """What the user says of a file: names by role, and grade by value or cut points, None where nothing is declared."""

    columns: dict[str, list[str]] = field(default_factory=dict)
    grades: dict[str, int | None] | list[float] | None = None


class Format(NamedTuple):
    """A format: its name, what it is for people, the roles whose columns or keys a user may name, and its functions."""

    name: str
    says: str
    named: tuple[str, ...]
    recognise: Callable[[Content], bool]
    parse: Callable[[Content, Wanted], Parsed]
    of_json: bool = False


@dataclass(frozen=True)
class Parsed:
    """What a format finds in a file.

    rows is a frame of COLUMNS, a row a judgment: its place (as "line 3"), names and grade as texts, seconds and
    explanation, apart (True where no person judged); size what the file holds, as "8 rows"; left_out how many of what
    were left out; names what a column or key is called, by role; tasks the records that show a pair to a judge.
    """

    rows: pd.DataFrame
    size: str
    left_out: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    tasks: dict[tuple[str, str], dict] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def counting(table: Table, statuses: Mapping[str, Mapping[str, str]] = STATUSES) -> tuple[Table, Counter]:
    """The rows that count by the columns of statuses, and how many do not, by reason."""
    reasons = [""] * len(table.rows)
    for position, name in enumerate(table.header):
        if name not in statuses and not name.startswith(GOLDEN):
            continue
        known = {status.casefold(): reason for status, reason in statuses.get(name, {}).items()}
        for number, cell in enumerate(map(str.strip, table.cells(position))):
            if name in statuses and cell.casefold() not in known:
                found = f"is {cell!r}" if cell else "is not there"
                expected = ", ".join(status or "nothing" for status in statuses[name])
                raise ValueError(f"{table.path}, {table.places[number]}: {name} {found}, expected one of {expected}")
            reasons[number] = reasons[number] or (known[cell.casefold()] if name in statuses else TEST * bool(cell))
    if not any(reasons):
        return table, Counter()
    kept = [number for number, reason in enumerate(reasons) if not reason]
    rows, places = ([whole[number] for number in kept] for whole in (table.rows, table.places))
    return replace(table, rows=rows, places=places), Counter(filter(None, reasons))


def frame_of(table: Table, names: Mapping[str, str | list[str]], **missing: str | bool | None) -> pd.DataFrame:
    """Frame of `COLUMNS` from the columns of each role, those of several joined by a slash, and of what is missing."""
    values = {"place": table.places, "seconds": None, "explanation": None, "apart": False, **missing}
    for role, name in names.items():
        cells = [table.column(one) for one in ([name] if isinstance(name, str) else name)]
        values[role] = (
            cells[0] if len(cells) == 1 else ["/".join(map(str.strip, row)) for row in zip(*cells, strict=True)]
        )
        if role == "grade":
            values[role] = [cell.strip() for cell in values[role]]
        elif role in ("seconds", "explanation"):
            values[role] = [cell.strip() or None for cell in values[role]]
    return pd.DataFrame({column: values[column] for column in COLUMNS}, index=range(len(table.places)))


def graded(rows: pd.DataFrame, declared: dict[str, int | None] | list[float] | None) -> tuple[pd.DataFrame, list[str]]:
    """The rows with a column number, their grade (NaN for an empty one or one to skip), and a sentence on what is read
    as another grade."""
    spellings = {text: key(text) for text in rows["grade"].unique()}
    values = {value for value in spellings.values() if value}
    scale = _cut(values, declared) if isinstance(declared, list) else declared
    scale = recognised(values) if scale is None else scale
    if scale is None or values - set(scale):
        _refuse_unknown(rows, spellings, whole_numbers(values) if scale is None else scale, declared is None)
    used = {value: scale[value] for value in scale if value in values}
    numbers = {text: np.nan if used.get(value) is None else used[value] for text, value in spellings.items()}
    said = [f"{value} as {'no judgment' if grade is None else grade}" for value, grade in used.items()]
    if isinstance(declared, list):
        said = [f"below {declared[0]:g} as 0", *(f"from {cut:g} as {grade}" for grade, cut in enumerate(declared, 1))]
    elif all(value == str(grade) for value, grade in used.items()):
        said = []
    told = [f"Read as grades: {', '.join(said)}."] if said else []
    return rows.assign(number=rows["grade"].map(numbers).astype(float)), told


def _cut(values: Iterable[str], cuts: list[float]) -> dict[str, int]:
    """How many cut points each value that is a number has reached."""
    numbers = {value: float(value) for value in values if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?", value)}
    return {value: int(np.searchsorted(cuts, number, side="right")) for value, number in numbers.items()}


def without_blanks(rows: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The rows without blanks at the ends of names and grades, and a sentence on names that become one by that."""
    joined = {}
    for role in PAIR:
        raw = pd.Series(rows[role].unique())
        joined[role] = int(raw.str.strip().duplicated().sum())
    stripped = rows.assign(**{column: rows[column].str.strip() for column in LONG})
    said = _numbered(joined)
    return stripped, [f"With and without blanks at the ends, read as one: {said}."] if said else []


def alike(rows: pd.DataFrame) -> tuple[dict[str, list[tuple[str, str]]], list[str]]:
    """Names that are nearly alike, by role: of queries and documents those of different files or judges, of judges any
    two; and a sentence on how many, if any."""
    sources = rows.groupby(["file", "assessor"], sort=False).ngroup()
    found = {role: texts.alike(rows[role], sources) for role in PAIR[:2]}
    judges = rows["assessor"].unique()
    found["assessor"] = texts.alike(judges, judges)
    said = _numbered({role: len(pairs) for role, pairs in found.items()})
    return found, [f"Nearly alike (case, zeros, .0, accents) and read as different: {said}."] if said else []


def checked(rows: pd.DataFrame, repeats: str = "refuse") -> tuple[pd.DataFrame, dict[str, int]]:
    """Long frame of judgments, held to names, grades from 0 to 127, one judgment of a pair by an assessor; and what was
    left out."""
    for column in PAIR:
        if (empty := (rows[column] == "").to_numpy()).any():
            row = rows.iloc[int(empty.argmax())]
            raise ValueError(f"{row.file}, {row.place}: no {column}, expected a name")
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
    more = [column for column in ROLES[4:] if column in kept and kept[column].notna().any()]
    left_out = {"exact duplicates": int((second & same).sum()), "later grades of a repeat": int((second & ~same).sum())}
    return kept[[*LONG, *more]].reset_index(drop=True), left_out


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
    said = sorted((text for text, value in spellings.items() if value), key=key)
    reason = (
        "not whole numbers, and not all levels of a known scale from its lowest" if undeclared else "not all declared"
    )
    call = cuts_call(said) or (
        f"{grades_call(said, whole_numbers(known))} with their numbers, or {SKIP} for what is no judgment"
    )
    raise ValueError(
        f"{first.file}, {first.place}: grade {first.grade!r}; the grades here are {checks.some(said, 20)}: {reason}. "
        f"Add {call}"
    )


def _refuse_outside(rows: pd.DataFrame) -> None:
    numbers = rows["number"].to_numpy()
    wrong = ~((numbers >= 0) & (numbers <= HIGHEST) & (numbers == np.floor(numbers)))
    if wrong.any():
        row = rows.iloc[int(wrong.argmax())]
        levels = {f"{number:.0f}": HIGHEST >= number >= 0 for number in np.unique(numbers)}
        raise ValueError(
            f"{row.file}, {row.place}: grade {row.number:g}, expected a whole number from 0 to {HIGHEST}, or "
            f"what it stands for: {grades_call(levels, [level for level, fits in levels.items() if fits])}"
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


def marked(frame: pd.DataFrame, machines: Sequence[str]) -> pd.DataFrame:
    """The frame with the names of machines among its assessors as those of models."""
    for name in machines:
        checks.one_of("one of machines", name, frame["assessor"].unique())
    return frame.assign(assessor=frame["assessor"].map(lambda name: MODEL + name if name in machines else name))


def pseudonyms(frame: pd.DataFrame, names: bool = False) -> pd.DataFrame:
    """ "judge 1", "judge 2", ... for the assessors of a frame, by the order of their names, unless names are kept;
    models keep theirs."""
    if names:
        return frame
    people = sorted((a for a in frame["assessor"].unique() if not a.startswith(MODEL)), key=_natural)
    called = {name: f"judge {number}" for number, name in enumerate(people, start=1)}
    return frame.assign(assessor=frame["assessor"].map(lambda name: called.get(name, name)))


def _natural(name: str) -> tuple:
    """Numbers in names by their size, so that w9 is before w10."""
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split("([0-9]+)", name)], name
