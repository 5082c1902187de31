"""What a format finds in a file, which rows of it count, and what the judgments of any file are held to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers import checks, texts
from helpers.judging.aggregates import rounded
from helpers.judging.formats.names import (
    DEFAULT,
    FEW,
    ROLES,
    SKIP,
    TOOLS,
    Scale,
    cuts_call,
    grades_call,
    key,
    parted,
    recognised,
    whole_numbers,
)
from helpers.judging.formats.source import Content, Table
from helpers.judging.judgments import HIGHEST, LONG, NUMBERED, by_number, named, pattern_of

COLUMNS = ("place", *ROLES, "apart")
REPEATS = ("refuse", "first", "mean")
STAMPS = ("ISO8601", "%a %b %d %H:%M:%S %Y", "%m/%d/%Y %H:%M:%S")
"""How times are written: as Mechanical Turk does without its zone, and as Appen does, too."""

TIME = r"[0-9]{1,12}(\.[0-9]*)?([eE][+-]?[0-9]{1,2})?"
PAIR = LONG[:3]
GOLDEN = "GOLDEN:"  # columns of Toloka with the answer that is expected to a test question
STATUSES = TOOLS["statuses"]
SLIPS = 0.05
"""Share of grades off the scale below which they are slips and no scale of their own."""

EPOCH = pd.Timestamp(0, tz="UTC")


@dataclass(frozen=True)
class Wanted:
    """What the user says of a file: names by role, what grades stand for by judge, and who is a model."""

    columns: dict[str, list[str]] = field(default_factory=dict)
    grades: dict[str, Scale] = field(default_factory=dict)
    machines: tuple[str, ...] = ()


class Format(NamedTuple):
    """A format: its name, what it is for people, the roles whose columns or keys a user may name, its functions, and
    whether it is of JSON, None where it may be."""

    name: str
    says: str
    named: tuple[str, ...]
    recognise: Callable[[Content], bool]
    parse: Callable[[Content, Wanted], Parsed]
    of_json: bool | None = False


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
    reasons = np.full(len(table), "", dtype=object)
    for position, name in enumerate(table.header):
        if name not in statuses and not name.startswith(GOLDEN):
            continue
        known = {status.casefold(): reason for status, reason in statuses.get(name, {}).items()}
        which, cells = pd.factorize(table.texts(position))
        for number, cell in enumerate(map(str.strip, cells)):
            rows = which == number
            if name in statuses and cell.casefold() not in known:
                found = f"is {cell!r}" if cell else "is not there"
                expected = ", ".join(status or "nothing" for status in statuses[name])
                place = table.places[rows.argmax()]
                raise ValueError(f"{table.path}, {place}: {name} {found}, expected one of {expected}")
            reasons[rows & (reasons == "")] = (
                known[cell.casefold()] if name in statuses else STATUSES["_golden"]["true"] * bool(cell)
            )
    kept = reasons == ""
    cells, places = (whole[kept].reset_index(drop=True) for whole in (table.cells, table.places))
    return replace(table, cells=cells, places=places), Counter(reasons[~kept])


def frame_of(table: Table, *items: tuple[Mapping[str, str | list[str]], Mapping[str, str | bool]]) -> pd.DataFrame:
    """Frame of `COLUMNS` with a row for each item of a row of the table: the column of each role, those of several
    joined by a slash, and what all rows of the item have."""
    frames = []
    for names, same in items:
        values = {"place": table.places, **dict.fromkeys(ROLES), "apart": False, **same}
        for role, name in names.items():
            if isinstance(name, str):
                values[role] = table.column(name)
            else:
                first, *others = (texts.changed(table.column(one), str.strip) for one in name)
                values[role] = first.str.cat(others, sep="/")
            if role == "grade" or role in ROLES[4:]:
                nothing = "" if role == "grade" else None
                values[role] = texts.changed(values[role], lambda cell, nothing=nothing: cell.strip() or nothing)
        frames.append(pd.DataFrame({column: values[column] for column in COLUMNS}, index=table.cells.index))
    return pd.concat(frames).sort_index(kind="stable", ignore_index=True)


def with_role(frame: pd.DataFrame, role: str, left_out: Counter, reason: str) -> pd.DataFrame:
    """The rows of a frame of `COLUMNS` where a role is not empty; the others are counted for a reason."""
    empty = frame[role] == ""
    left_out[reason] += int(empty.sum())
    return frame[~empty]


def graded(rows: pd.DataFrame, wanted: Wanted) -> tuple[pd.DataFrame, list[str]]:
    """The rows with a column number, their grade (NaN for an empty one or one to skip), and a sentence on what is read
    as another grade, for each judge of whom it is said."""
    if set(wanted.grades) <= {DEFAULT}:
        return _graded(rows, wanted.grades.get(DEFAULT))
    people = rows.loc[~rows["apart"].astype(bool), "assessor"].unique()
    judge, parts, told = _judges_said(rows, people, wanted), [], []
    for name, some in rows.groupby(judge, sort=False):
        part, said = _graded(some, wanted.grades.get(name), "" if name == DEFAULT else name)
        parts.append(part)
        told += [f"Of {'the others' if name == DEFAULT else 'one judge'}, r{line[1:]}" for line in said]
    made = pd.concat(parts).sort_index()
    silent = set(by_number(people, wanted.machines)) - set(made.loc[made["number"].notna(), "assessor"])
    if numbered := [said for said in wanted.grades if silent and said.startswith(NUMBERED)]:
        raise ValueError(
            f"grades names {numbered[0]}, whose number changes as {checks.some(silent, 5)} has no grade then: expected "
            "the name in the file"
        )
    return made, told


def _judges_said(rows: pd.DataFrame, people: Iterable[str], wanted: Wanted) -> pd.Series:
    """(n_rows,) by which name of the declared grades a judge's are read: the judge's, a pattern, or, as reports call
    people, judge 1."""
    judges = list(rows["assessor"].unique())
    numbers = {number: name for name, number in by_number(people, wanted.machines).items()}
    called = dict.fromkeys(judges, DEFAULT)
    for said in wanted.grades:
        found = named(said, judges)
        if said in numbers and found not in ([], [numbers[said]]):
            raise ValueError(
                f"grades names {said}, in the file {found[0]}, in reports {numbers[said]}: expected a name"
            )
        found = found or [numbers[name] for name in [said] if name in numbers]
        if not found and said != DEFAULT:
            checks.one_of("a judge in grades", said, [*judges, DEFAULT])
        called |= dict.fromkeys(found, said)
    return rows["assessor"].map(called)


def _graded(rows: pd.DataFrame, declared: Scale | None, judge: str = "") -> tuple[pd.DataFrame, list[str]]:
    """As `graded`, of what is declared for all of these rows, which are of a judge where one is named."""
    which, grades = pd.factorize(rows["grade"])
    spellings = {text: key(text) for text in grades}
    values = {value for value in spellings.values() if value}
    scale = _cut(values, declared) if isinstance(declared, list) else declared
    scale = recognised(values) if scale is None else scale
    if scale is None or values - set(scale):
        _refuse_unknown(rows, spellings, whole_numbers(values) if scale is None else scale, declared is None, judge)
    used = {value: scale[value] for value in scale if value in values}
    numbers = {text: np.nan if used.get(value) is None else used[value] for text, value in spellings.items()}
    said = [f"{value} as {'no judgment' if grade is None else grade}" for value, grade in used.items()]
    if isinstance(declared, list):
        said = [f"below {declared[0]:g} as 0", *(f"from {cut:g} as {grade}" for grade, cut in enumerate(declared, 1))]
    elif all(value == str(grade) for value, grade in used.items()):
        said = []
    told = [f"Read as grades: {', '.join(said)}."] if said else []
    rows = rows.assign(number=np.array([numbers[text] for text in grades], dtype=float)[which])
    if declared is None:
        _refuse_wide(rows)
    return rows, told


def _cut(values: Iterable[str], cuts: list[float]) -> dict[str, int]:
    """How many cut points each value that is a number has reached."""
    numbers = {value: float(value) for value in values if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?", value)}
    return {value: int(np.searchsorted(cuts, number, side="right")) for value, number in numbers.items()}


def without_blanks(rows: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The rows without blanks at the ends of names and grades, and a sentence on names that become one by that."""
    said = _numbered({role: int(pd.Series(rows[role].unique()).str.strip().duplicated().sum()) for role in PAIR})
    stripped = rows.assign(**{column: rows[column].str.strip() for column in LONG})
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
        _refuse(rows, rows[column] == "", lambda row, column=column: f"no {column}, expected a name")
    within = rows["number"].between(0, HIGHEST)
    _refuse(rows, ~within | (rows["number"] % 1 != 0), lambda row: _outside(row, rows["number"]))
    second = rows.duplicated(PAIR)
    same = rows.duplicated([*PAIR, "number"]) if second.any() else second
    if repeats == "refuse":
        _refuse(rows, second & ~same, lambda row: _contradiction(row, rows))
    once = rows[~second]
    left_out = {"exact duplicates": int((second & same).sum()), "later grades of a repeat": int((second & ~same).sum())}
    if repeats == "mean":
        left_out = {"further grades, in the mean of a repeat (halves up)": int(second.sum())}
        means = rows.groupby(PAIR, sort=False)["number"].transform("mean")
        once = once.assign(number=rounded(means[~second].to_numpy()))
    more = [role for role in ROLES[4:] if role in once and once[role].notna().any()]
    if "seconds" in more:
        once = once.assign(seconds=_seconds(once))
    if "time" in more:
        times = _times(once["time"])
        left_out["times that are not understood"] = int((times.isna() & once["time"].notna()).sum())
        once = once.assign(time=times)
    kept = once.assign(grade=once["number"].astype(np.int64))
    return kept[[*LONG, *(role for role in more if kept[role].notna().any())]].reset_index(drop=True), left_out


def repeated(rows: pd.DataFrame) -> pd.DataFrame:
    """Long frame of all grades that a judge gave to a pair more than once, in their order."""
    several = rows[rows.duplicated(PAIR, keep=False)]
    return several[PAIR].assign(grade=several["number"].astype(np.int64)).reset_index(drop=True)


def _seconds(rows: pd.DataFrame) -> pd.Series:
    given, times = rows["seconds"].notna(), rows["seconds"].astype(str)
    wrong = given & ~times.str.fullmatch(TIME)
    _refuse(rows, wrong, lambda row: f"{row.seconds!r} seconds, expected a number from 0")
    return times.where(given).astype(float)


def _times(said: pd.Series) -> pd.Series:
    """Times as seconds since 1970, NaN where they are not understood."""
    said = said.astype(str).str.replace(r" [A-Z]{3,4}(?= [0-9]{4}$)", "", regex=True)
    found = pd.to_numeric(said, errors="coerce").astype(np.float64)
    for stamp in STAMPS:
        read = pd.to_datetime(said.where(found.isna()), format=stamp, utc=True, errors="coerce")
        found = found.fillna((read - EPOCH).dt.total_seconds())
    return found


def _refuse(rows: pd.DataFrame, wrong: pd.Series, said: Callable[[pd.Series], str]) -> None:
    """ValueError with what is said of the first row that is wrong, and its place."""
    if wrong.any():
        row = rows.iloc[int(wrong.to_numpy().argmax())]
        raise ValueError(f"{row.file}, {row.place}: {said(row)}")


def _refuse_wide(rows: pd.DataFrame) -> None:
    """ValueError where judges grade on a slider, from 0 to 100, with the points that part it into as many grades as the
    others have."""
    highest = rows.groupby("assessor", sort=False)["number"].max()
    wide, others = highest.index[highest > FEW], highest[(highest > 1) & (highest <= FEW)]
    if wide.empty:
        return
    known = int(others.median()) if len(others) else 3
    given = rows[rows["number"].notna()]
    of_wide = given[given["assessor"].isin(wide)]
    if (of_wide["number"] > FEW).mean() < SLIPS:
        call = ",".join(f"{n:g}:{SKIP if n > FEW else f'{n:g}'}" for n in np.unique(given["number"]))
    elif len(wide) == len(highest):
        call = parted(given["number"], known)
    else:
        by_judge = of_wide.groupby("assessor", sort=False)["number"]
        call = ";".join(f"{pattern_of(judge)}={parted(numbers, known)}" for judge, numbers in by_judge)
    others_to = "" if len(wide) == len(highest) else f", where others go up to {others.max():g}"
    _refuse(
        rows,
        rows["number"] == highest.max(),
        lambda row: (
            f"grade {row.number:g}{f' of {row.assessor}' if others_to else ''}{others_to}, expected grades from 0 to "
            f"{FEW}, or the points at which grades 1, 2, ... begin: add {checks.advice('grades', call)} or others"
        ),
    )


def _refuse_unknown(
    rows: pd.DataFrame, spellings: dict[str, str], known: Collection[str], undeclared: bool, judge: str
) -> None:
    """ValueError at the first grade that is not known, with all grades of the file."""
    said = sorted((text for text, value in spellings.items() if value), key=key)
    reason = (
        "not whole numbers, and not all levels of a known scale from its lowest" if undeclared else "not all declared"
    )
    call = cuts_call(said, judge) or (
        f"{grades_call(said, whole_numbers(known), judge)} with their numbers, or {SKIP} for what is no judgment"
    )
    wrong = ~rows["grade"].map(spellings).isin({"", *known})
    _refuse(
        rows,
        wrong,
        lambda row: f"grade {row.grade!r}; the grades here are {checks.some(said, 20)}: {reason}. Add {call}",
    )


def _outside(row: pd.Series, numbers: pd.Series) -> str:
    levels = {f"{number:.0f}": HIGHEST >= number >= 0 for number in np.unique(numbers)}
    call = grades_call(levels, [level for level, fits in levels.items() if fits])
    return f"grade {row.number:g}, expected a whole number from 0 to {HIGHEST}, or what it stands for: {call}"


def _contradiction(row: pd.Series, rows: pd.DataFrame) -> str:
    first = rows[(rows[PAIR] == row[PAIR]).all(axis=1)].iloc[0]
    ways = f"{checks.advice('repeats', 'first')} keeps the first, {checks.advice('repeats', 'mean')} their mean"
    return (
        f"{row.assessor} gave query {row['query']}, doc {row.doc} grade {row.number:g}, and grade {first.number:g} in "
        f"{first.file}, {first.place}: expected one judgment ({ways})"
    )


def _numbered(counts: dict[str, int]) -> str:
    """The counts of queries, docs and judges that are not 0."""
    called = {"query": "queries", "doc": "documents", "assessor": "judges"}
    return ", ".join(f"{called[role]}: {n}" for role, n in counts.items() if n)
