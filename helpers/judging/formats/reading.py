"""Reads judgments from the files that tools write, says what was read and left out, and writes pairs to ask again."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from helpers import checks, files, texts
from helpers.judging import questions
from helpers.judging.formats import tables
from helpers.judging.formats.layouts import LAYOUTS, Layout
from helpers.judging.formats.names import (
    LAST,
    candidates,
    columns_call,
    columns_like,
    declared_columns,
    declared_grades,
    plain,
)
from helpers.judging.formats.rows import (
    REPEATS,
    Format,
    Parsed,
    Wanted,
    alike,
    checked,
    graded,
    repeated,
    without_blanks,
)
from helpers.judging.formats.source import Content
from helpers.judging.judgments import LONG, are_models, machines_of, reported

REGISTRY: tuple[Format | Layout, ...] = (
    *LAYOUTS,
    tables.MTURK,
    tables.WIDE_TABLE,
    tables.LONG_TABLE,
    tables.QUEPID_BOOK,
)
"""The first that recognises a file reads it; a tool's exports have one name."""

FORMATS = {name: [kind for kind in REGISTRY if kind.name == name] for name in dict.fromkeys(k.name for k in REGISTRY)}
CSV = {"index": False, "lineterminator": "\n"}
PAIRWISE = ("winner", "preferred", "preference", "chosen", "rejected")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")


@dataclass(frozen=True, eq=False)
class Reading:
    """The judgments of one or more files.

    Attributes
    ----------
    frame : query, doc, assessor (str), grade (int64); seconds, explanation and time (of judging, in s since 1970)
        where the files have them
    format : the format's name
    notes : at most five sentences: what was recognised, read, left out and why; no judge is named
    apart : frame like the first, of grades that are no judge's: predictions and suggestions (assessor "model: NAME"),
        and final ratings
    names : by role, what the column or key is called in the files
    tasks : by pair of query and document, the record that shows it to a judge, where the format has one
    alike : by role, pairs of names that different judges write nearly alike, as `texts.alike` tells them
    as_written : whether grades are the numbers in the files, so that they can be given others
    repeated : long frame of all grades that a judge gave to a pair more than once, where these are not refused
    """

    frame: pd.DataFrame
    format: str
    notes: list[str]
    apart: pd.DataFrame
    names: dict[str, str] = field(default_factory=dict)
    tasks: dict[tuple[str, str], dict] = field(default_factory=dict)
    alike: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    as_written: bool = False
    repeated: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=LONG))

    @cached_property
    def scales(self) -> pd.DataFrame:
        """The scale of each judge, as `questions.by_judge` tells it."""
        return questions.by_judge(self.everyone)

    @cached_property
    def everyone(self) -> pd.DataFrame:
        """The judgments of people and models, also of those that the files keep apart."""
        models = self.apart[are_models(self.apart["assessor"])]
        if models.empty:
            return self.frame
        return pd.concat([self.frame, models], ignore_index=True).drop_duplicates(["query", "doc", "assessor"])

    @property
    def counts(self) -> dict[str, str | int]:
        """What may be told of the files to anybody: format, and numbers of judgments, pairs, queries and judges."""
        pairs = self.frame[["query", "doc"]].drop_duplicates()
        counted = {"judgments": self.frame, "pairs": pairs, "queries": pairs["query"].unique()}
        counted |= {"judges": self.frame["assessor"].unique()}
        return {"format": self.format} | {what: len(values) for what, values in counted.items()}


def describe(reading: Reading) -> str:
    r"""What a reading took from a file, what it left out, and what is to be asked of judges' scales, for a terminal.

    It names no judge.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "mine.csv").write_text("query,doc,assessor,grade\nq,a,Ann,1\nq,a,Bob,0\n")
    ...     print(describe(read(f"{folder}/mine.csv", names=False)))
    1 file: a table with a judgment a row; 2 lines. People: 2, machines: none.
    Judgments: 2, pairs: 1, queries: 1, judges: 2; grades 0: 1, 1: 1.
    Left out: nothing.
    """
    pairs = {role: found[0] for role in ("query", "doc") if (found := reading.alike.get(role))}
    examples = "; ".join(f"{role} {texts.shown(map(repr, pair))}" for role, pair in pairs.items())
    near = [f"Nearly alike are {examples}."] if examples else []
    return "\n".join([*reading.notes, *near, *questions.asked(reading.scales, reading.as_written)])


def read(
    path: str | Path,
    format: str | None = None,
    *,
    columns: str | Mapping[str, str] | None = None,
    grades: str | Mapping[str, int | str] | None = None,
    repeats: str = "refuse",
    machines: str | Sequence[str] = (),
    names: bool = True,
) -> Reading:
    r"""Judgments from a tool's export, or from several files of one format separated by commas.

    Parameters
    ----------
    path : the files; gzip, bzip2, xz and a zip archive of one file are unpacked
    format : one of `FORMATS`; None or "" to recognise it by what the files hold
    columns : which column or key is what, "query=query_id,doc=url,assessor=user,grade=rating", keys of JSON with dots,
        "query=task.query"; several grades are columns of a judge each, several queries (as a topic and its subtopic)
        are one, with a slash; None or "" where they are known by their names
    grades : what stands for which grade, "0:0,1:1,10:2,100:3" or "Good:1,Bad:0,Can't tell:skip", or the points at which
        grades 1, 2, ... begin, "0.25,0.5,0.75"; either by judge where judges differ, "ben=25,50,75;default=0:0,1:3", or
        {"ben": "25,50,75"}; None or "" where they are whole numbers from 0 to 10, or words of a known scale
    repeats : "refuse" a second judgment by the same assessor with another grade, keep the "first", or take the "mean"
        of all, rounded to a whole grade, halves up
    machines : assessors who are models, though the files do not say so, by name or pattern, "gpt*,llama 3"; "none"
        where nobody is one, though a name is like a model's; they are called "model: NAME"
    names : keep the names of people; else they are called judge 1, judge 2, ..., and the notes name no file

    Returns
    -------
    reading : the long frame, what is apart, and notes; rows that say the same twice count once

    Raises
    ------
    OSError
        when a file cannot be read.
    ValueError
        with file and line: what is wrong there; with the file: that no format is recognised, that a name is like a
        model's and nothing is said of machines, or what to add so that the file can be read. No grade, no column and
        no machine is guessed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "mine.csv").write_text("query,doc,assessor,grade\nq,a,Ann,1\nq,a,Bob,0\n")
    ...     read(f"{folder}/mine.csv").frame
      query doc assessor  grade
    0     q   a      Ann      1
    1     q   a      Bob      0
    """
    if format:
        checks.one_of("format", format, FORMATS)
    checks.one_of("repeats", repeats, REPEATS)
    machines = machines_of(machines)
    wanted = Wanted(declared_columns(columns), declared_grades(grades), machines)
    contents = [Content(file) for file in texts.named(path)]
    kinds = [_format_of(content, format, wanted, repeats) for content in contents]
    if len({kind.name for kind in kinds}) > 1:
        said = ", ".join(f"{content.path} is {kind.name}" for content, kind in zip(contents, kinds, strict=True))
        raise ValueError(f"{said}: expected files of one format")
    stems = [content.stem for content in contents]
    for stem in stems:
        if stems.count(stem) > 1:
            raise ValueError(f"two files are called {stem}, expected a name for each, as it may be the assessor's")
    parsed = [_parsed(content, kind, wanted) for content, kind in zip(contents, kinds, strict=True)]
    reading = _joined(contents, kinds[0], parsed, wanted, repeats, names)
    kept = reading.frame, reading.repeated, reading.apart
    frame, again, told = reported(*kept, machines, str(path), names)
    first, *others = reading.notes
    return replace(reading, frame=frame, notes=[f"{first} {told}", *others], repeated=again)


def _format_of(content: Content, format: str | None, wanted: Wanted, repeats: str) -> Format:
    """What reads a file: that of the format named, that for columns that a user names, or the first to recognise it."""
    alike = [kind for kind in FORMATS.get(format, REGISTRY) if kind.of_json in (None, content.is_json)]
    if wanted.columns and not format and not content.is_json and not tables.MTURK.recognise(content):
        return tables.WIDE_TABLE if len(wanted.columns.get("grade", [])) > 1 else tables.LONG_TABLE
    for kind in alike:
        if kind.recognise(content):
            return kind
    if format:
        return [*alike, *FORMATS[format]][0]
    if {"doc", "grade"} <= set(wanted.columns):
        return tables.LONG_TABLE
    raise _refusal(content, wanted, repeats)


def _reads(format: str, content: Content, wanted: Wanted, repeats: str) -> bool:
    """Whether a format that does not recognise a file reads it all the same."""
    try:
        kind = _format_of(content, format, wanted, repeats)
        _joined([content], kind, [_parsed(content, kind, wanted)], wanted, repeats, names=False)
    except ValueError:
        return False
    return True


def _parsed(content: Content, kind: Format, wanted: Wanted) -> Parsed:
    for role in wanted.columns:
        if role not in kind.named:
            raise ValueError(
                f"columns has {role}={wanted.columns[role][0]}, but the {role} is fixed in {kind.name}: expected "
                f"{', '.join(kind.named) or 'no columns'}"
            )
    return kind.parse(content, wanted)


def _joined(
    contents: list[Content], kind: Format, parsed: list[Parsed], wanted: Wanted, repeats: str, names: bool
) -> Reading:
    """One reading of several files."""
    paths = [str(content.path) for content in contents]
    of_file = np.repeat(np.arange(len(paths)), [len(part.rows) for part in parsed])
    rows = pd.concat([part.rows for part in parsed], ignore_index=True)
    rows["file"] = pd.Categorical.from_codes(of_file, paths)
    if rows.empty:
        counts = [f"; {what}: {n}" for part in parsed for what, n in part.left_out.items() if n]
        raise ValueError(
            f"{contents[0].path}: no judgment in this file ({kind.name}){''.join(counts)}, expected at least one"
        )
    rows, spoken = without_blanks(rows)
    rows, read_as = graded(rows, wanted)
    judged = rows[rows["number"].notna()].astype({"apart": bool})
    (frame, left_out), (apart, also) = (checked(judged[judged["apart"] == side], repeats) for side in (False, True))
    if frame.empty:
        raise ValueError(f"{contents[0].path}: no judgment by a person or judge here ({kind.name}), expected one")
    near, told = alike(judged)
    if "time" in frame:
        days = pd.to_datetime(frame["time"].agg(["min", "max"]), unit="s").dt.strftime("%Y-%m-%d")
        told = [*told, f"Times of judging from {days['min']} to {days['max']}."]
    tasks = {tuple(map(str.strip, pair)): task for part in parsed for pair, task in part.tasks.items()}
    of_judges = judged[~judged["apart"] | are_models(judged["assessor"])]
    again = repeated(of_judges if repeats != "refuse" else of_judges[:0])
    reading = Reading(frame, kind.name, [], apart, parsed[0].names, tasks, near, not read_as, again)
    more = " and more" * (len(parsed) > 3)
    files = ", ".join(content.path.name for content in contents[:3]) + more
    sizes = ", ".join(part.size for part in parsed[:3]) + more
    given = ", ".join(f"{what}: {n}" for what, n in list(reading.counts.items())[1:])
    grades = ", ".join(f"{grade}: {n}" for grade, n in frame["grade"].value_counts().sort_index().items())
    parts = [*(part.left_out for part in parsed), left_out, also, {"grades to skip": len(rows) - len(judged)}]
    lost = ", ".join(f"{what}: {n}" for what, n in sum(map(Counter, parts), Counter()).items())
    remarks = [*dict.fromkeys(remark for part in parsed for remark in part.remarks), *spoken, *told, *read_as]
    called = f"{len(parsed)} file{'s' * (len(parsed) > 1)}"
    notes = [
        f"{files if names else called}: {kind.says}; {sizes}.",
        f"{given.capitalize()}; grades {grades}.",
        f"Left out: {lost or 'nothing'}.",
        *([" ".join(remarks)] if remarks else []),
    ]
    if len(apart):
        models = ", ".join(sorted(apart["assessor"].unique())[:5])
        notes.append(f"Apart, as they are of no person: {len(apart)} grades ({models}).")
    return replace(reading, notes=notes)


def _refusal(content: Content, wanted: Wanted, repeats: str) -> ValueError:
    """The error for a file: which formats were tried, what it holds, and the call that reads it."""
    header = content.header
    if pairwise := [name for name in header if plain(LAST.sub("", name)) in PAIRWISE]:
        said = f"{', '.join(pairwise)} may say which of two documents is better"
        return ValueError(f"{content.path}: {said}: preferences between two are not read, expected a grade a document")
    fitting = [name for name in FORMATS if _reads(name, content, wanted, repeats)]
    said = _said_of(content, header, "".join(f", or {checks.advice('format', n)} to read it as {n}" for n in fitting))
    return ValueError(f"{content.path}: read as none of {', '.join(FORMATS)}. {said}")


def _said_of(content: Content, header: list[str], also: str) -> str:
    """What a file holds, and what to add so that it is read."""
    if content.is_json:
        keys = ", ".join(header[:20]) or "of no object"
        call = columns_like(header)
        return f"It is JSON with the keys {keys}: add {call}, without query and assessor where there are none{also}"
    if len(header) == 1:
        return f"Its first line, {header[0][:60]!r}, has no comma, semicolon, tab or bar between columns{also}"
    if content.table.separator == " ":
        judge, topic = (
            columns_call({"query": f"1{said}", "doc": 3, "grade": 4}) for said in (",assessor=2", ",query=2")
        )
        return (
            f"Of four fields its second is neither 0 nor Q0: add {judge} if it is a judge, {topic} if a subtopic{also}"
        )
    if not any(candidates(role, header) for role in LONG) and any(NUMBER.fullmatch(cell) for cell in header):
        numbers = range(1, 5) if len(header) == 4 else ["NUMBER"] * 4
        return (
            f"Its first line, {', '.join(header)}, names no columns: if it is a judgment, add "
            f"{columns_call(dict(zip(LONG, numbers, strict=True)))} with the numbers of the columns{also}"
        )
    return (
        f"Its columns are {', '.join(header[:20])}: add {columns_like(header)}{also}; several grade=COLUMN are a "
        "column a judge, numbers the columns of a table without header"
    )


def write_like(reading: Reading, pairs: pd.DataFrame, path: str | Path) -> None:
    r"""Write pairs to ask again in the format that the judgments came in.

    Quepid's books and cases: CSV query, docid, rating (empty). Mechanical Turk with one item a row: the CSV of a new
    batch. Label Studio: JSON tasks. Argilla: JSON records; doccano: JSONL, all without what judges said. Others: CSV
    of the columns of query and document, and of those that say the same in all rows of a pair. What the export shows to
    judges (a document's text) is kept.

    Parameters
    ----------
    reading : what `read` returned
    pairs : frame with columns query, doc
    path : the file to be written

    Raises
    ------
    OSError
        when the folder cannot be written.

    Notes
    -----
    In a CSV that people may open in a spreadsheet a text that begins with one of `files.FORMULA` gets a blank before
    it, as Quepid does; `read` takes it away. A new batch of Mechanical Turk goes to a program and stays as it is.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "mine.csv").write_text("query,doc,assessor,grade\nq,a,Ann,1\nq,a,Bob,0\n")
    ...     reading = read(f"{folder}/mine.csv")
    ...     write_like(reading, pd.DataFrame({"query": ["q"], "doc": ["a"]}), f"{folder}/again.csv")
    ...     Path(folder, "again.csv").read_text().split()
    ['query,doc', 'q,a']
    """
    frame = pairs[["query", "doc"]].reset_index(drop=True)
    rows = list(frame.itertuples(index=False, name=None))
    known = [reading.tasks.get(row) for row in rows]
    whole = [task or _new(reading, row) for task, row in zip(known, rows, strict=True)]
    own = list(next(iter(reading.tasks.values()), {}))
    if reading.format in ("label-studio", "argilla"):
        text = json.dumps(whole, ensure_ascii=False, indent=1)
    elif reading.format == "doccano":
        text = "".join(json.dumps(task, ensure_ascii=False) + "\n" for task in whole)
    elif reading.format == "mturk" and own:
        text = pd.DataFrame(whole, columns=own).to_csv(**CSV)
    elif reading.format.startswith("quepid"):
        text = frame.set_axis(["query", "docid"], axis=1).assign(rating="").map(_escaped).to_csv(**CSV)
    else:
        called = reading.names if reading.format in ("long", "wide") else {}
        columns = [n if candidates(r, [n := called.get(r, r)]) else r for r in ("query", "doc")]
        told = pd.DataFrame([[(task or {}).get(name, "") for name in own] for task in known], columns=own)
        text = pd.concat([frame.set_axis(columns, axis=1), told], axis=1).map(_escaped).to_csv(**CSV)
    with files.replacing(path) as file:
        file.write(text)


def _escaped(text: str) -> str:
    """The text with a blank before it where a spreadsheet would take it for a formula."""
    return f" {text}" if text.startswith(files.FORMULA) else text


def _new(reading: Reading, pair: tuple[str, str]) -> dict:
    """A record with a new pair where the names of its roles say."""
    record: dict = {}
    for role, value in zip(("query", "doc"), pair, strict=True):
        *outer, last = reading.names.get(role, role).split(".")
        inner = record
        for key in outer:
            inner = inner.setdefault(key, {})
        inner[last] = value
    return record
