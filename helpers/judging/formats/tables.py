"""Tables: a judgment a row, a column a judge, a book of Quepid, a batch of Mechanical Turk."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import count

import numpy as np
import pandas as pd

from helpers import checks, texts
from helpers.judging.formats.layouts import ALL, boxed, exploded
from helpers.judging.formats.names import (
    ROLES,
    TOOLS,
    candidates,
    chosen,
    columns_call,
    columns_like,
    plain,
    present,
    required,
)
from helpers.judging.formats.rows import STATUSES, TIME, Format, Parsed, Wanted, counting, frame_of, with_role
from helpers.judging.formats.source import Content, Table
from helpers.judging.judgments import LONG

BEIR = ["query-id", "corpus-id", "score"]
CROWDS = [{"task", "worker", "label"}, {"item", "worker", "label"}]


def _is_long(content: Content) -> bool:
    """Whether a column or key of the content is known as the document, and one as the grade."""
    return content.header == BEIR or all(candidates(role, content.header) for role in ("doc", "grade"))


def _long(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a long table, or of JSON read as one; an empty grade is none, nor is a row that does not count.

    One of document and grade alone is of one query and one assessor; where more columns are there, one of them may be
    what is missing, so the user has to name them. Numbers name the columns of a table without header.
    """
    if content.is_json:
        whole, names = _flat(content, wanted)
    else:
        whole = _headed(content, wanted)
        names = _names(whole, wanted)
    table, left_out = counting(whole)
    lacking = {role: value for role, value in (("query", ALL), ("assessor", content.stem)) if role not in names}
    frame = with_role(frame_of(table, (names, lacking)), "grade", left_out, "rows without grade")
    remarks = tuple(f"No column of {role}: all judgments are of one {role}." for role in lacking if len(table))
    pair = {role: name for role, name in names.items() if isinstance(name, str)}
    tasks = {} if content.is_json else _told_of_pairs(table, names, [])
    return Parsed(frame, f"{len(whole)} {whole.word}s", dict(left_out), pair, tasks, remarks)


def _told_of_pairs(
    table: Table, names: Mapping[str, str | list[str]], others: Collection[str]
) -> dict[tuple[str, str], dict]:
    """By pair, the cells of those columns that have no role, are no others, and say the same in all rows of a pair, as
    its title."""
    taken = {name for said in names.values() for name in ([said] if isinstance(said, str) else said)}
    taken |= {*STATUSES, *others, *(n for n in table.header if plain(n) in AGGREGATES or JUDGE.fullmatch(n))}
    columns = {name: table.cells[n] for n, name in enumerate(table.header) if name and name not in taken}
    told = pd.DataFrame({name: cells for name, cells in columns.items() if cells.dtype == "str"})
    if told.columns.empty:
        return {}
    shown = frame_of(table, ({role: names[role] for role in ("query", "doc") if role in names}, {"query": ALL}))
    pair, pairs = pd.MultiIndex.from_frame(shown[["query", "doc"]]).factorize()
    groups = told.groupby(pair)
    same = [name for name in told if groups[name].nunique().max() == 1]
    return dict(zip(pairs, groups[same].first().to_dict("records"), strict=True)) if same else {}


def _flat(content: Content, wanted: Wanted) -> tuple[Table, dict[str, str | list[str]]]:
    """JSON as a table with a row for each item of the lists that its roles stand in, and the column of each role."""
    kinds = content.names
    names = _names(Table.of(content.path, list(kinds), [], []), wanted)
    holder = names.get("time", "").rpartition(".")[0]
    if holder and "time" not in wanted.columns and not names["grade"].startswith(f"{holder}."):
        del names["time"]  # of something else in the record
    used = [name for said in names.values() for name in ([said] if isinstance(said, str) else said)]
    lists = sorted((n for n, several in kinds.items() if several and any(u.startswith(f"{n}.") for u in used)), key=len)
    steps, before = "", ""
    for name in lists:
        if not name.startswith(before):
            raise ValueError(
                f"{content.path}: {before.strip('.')} and {name} are lists beside each other, expected one in one"
            )
        steps, before = f"{steps}{name[len(before) :]}[].", f"{name}."
    shown = {name: name for name in [*used, *(n for n in kinds if n in STATUSES)]}
    table = exploded(content.path, content.records, steps, shown, Counter(), None)
    return replace(table, word="record"), names


def _headed(content: Content, wanted: Wanted) -> Table:
    """The table, its first line as a row where the user names the columns by numbers."""
    numbers = [name for names in wanted.columns.values() for name in names]
    if content.is_parquet or not numbers or not all(name.isdecimal() for name in numbers):
        return content.rows
    if set(numbers) <= set(content.header):
        raise ValueError(
            f"{content.path}: columns are {', '.join(numbers)}, numbers of columns or what the first line says, "
            "expected a header with other names"
        )
    return content.numbered


def _names(table: Table, wanted: Wanted) -> dict[str, str | list[str]]:
    """The column of each role that the table has; several where the user names several for the query."""
    header = table.header
    if not wanted.columns and header == BEIR:
        return dict(zip(("query", "doc", "grade"), BEIR, strict=True))
    canonical = {role: [role] for role in LONG} if set(LONG) <= set(header) else {}
    said = {**canonical, **wanted.columns}
    # seconds, explanations and times only where there is one, or the user says which
    roles = [role for role in ROLES if role in (*LONG, *said) or len(candidates(role, header)) == 1]
    found = {role: name for role in roles if (name := chosen(table.path, role, header, said))}
    call = f"add {columns_like((), found)}"
    for role in ("doc", "grade"):
        if role not in found:
            said = checks.some(header)
            raise ValueError(f"{table.path}: columns {said}, none is known as the {role}: {call}")
    several = [present(table.path, "query", name, header) for name in wanted.columns.get("query", [])]
    others = [name for name in header if name not in (*found.values(), *several)]
    unsaid = [role for role in ("query", "assessor") if role not in found]
    if unsaid and others and not {"doc", "grade"} <= set(wanted.columns) and set(header) not in CROWDS:
        raise ValueError(
            f"{table.path}: none of the columns is known as the {' or the '.join(unsaid)}, and one of "
            f"{checks.some(others)} may be: {call}, or without {' and '.join(unsaid)} where there is none"
        )
    return {**found, "query": several} if len(several) > 1 else found


JUDGE = re.compile(r"(.+?)[ _.-](?:rating|grade|label|judge?ment|relevance)", re.IGNORECASE)
AGGREGATES, NO_JUDGES = (set(TOOLS["columns"][kind].split()) for kind in ("aggregates", "no_judges"))


def _is_wide(content: Content) -> bool:
    """Whether the content has columns NAME_1_rating, NAME_2_rating (grade, label), a query and a document."""
    if not all(candidates(role, content.header) for role in ("query", "doc")):
        return False
    names = [match[1] for name in content.header if (match := JUDGE.fullmatch(name))]
    judges = [name for name in names if name.casefold() not in AGGREGATES]
    return len(judges) > 1 and len({re.sub("[0-9]+", "0", name) for name in judges}) == 1


def _wide(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a wide table; a column such as final_rating is apart, as it is no judge."""
    table = content.rows
    names = {role: required(content.path, role, table.header, wanted.columns) for role in ("query", "doc")}
    judges = [present(content.path, "grade", name, table.header) for name in wanted.columns.get("grade", [])]
    judges = judges or [name for name in table.header if JUDGE.fullmatch(name)]
    if not judges or len(set(table.header)) < len(table.header):
        raise ValueError(
            f"{content.path}: columns {checks.some(table.header)}, expected each once and NAME_rating for each judge: "
            f"add {columns_call({**names, 'grade': 'FIRST,grade=SECOND'})} with the names of the judges' columns"
        )
    called = {name: match[1] if (match := JUDGE.fullmatch(name)) else name for name in judges}
    of_judges = [name for name in table.header if any(judge in name for judge in called.values())]
    return replace(_of_judges(table, names, called, AGGREGATES), tasks=_told_of_pairs(table, names, of_judges))


def _of_judges(
    table: Table, names: dict[str, str], judges: Mapping[str, str], aggregates: Collection[str] = ()
) -> Parsed:
    """Judgments of a table by the judge of each column; an empty cell is none, and those of aggregates are apart."""
    counted, left_out = counting(table)
    items = [
        ({**names, "grade": column}, {"assessor": judge, "apart": judge.casefold() in aggregates})
        for column, judge in judges.items()
    ]
    frame = with_role(frame_of(counted, *items), "grade", left_out, "empty cells")
    return Parsed(frame, f"{len(table)} {table.word}s", dict(left_out), names)


RATING = re.compile(r"[0-9]{1,2}(\.0)?|")


def _is_quepid_book(content: Content) -> bool:
    """Whether the content has columns query, docid and others, of ratings as Quepid writes them (3.0, or 3 where a
    spreadsheet saved two judges or more) or empty."""
    judges = content.header[2:]
    if content.header[:2] != ["query", "docid"] or not judges or any(plain(judge) in NO_JUDGES for judge in judges):
        return False
    cells = content.table.cells.iloc[:, 2:]
    ratings = {"" if pd.isna(cell) else str(cell).strip() for name in cells for cell in cells[name].unique()}
    decimal = len(judges) > 1 or any("." in rating for rating in ratings)
    return decimal and any(ratings) and all(map(RATING.fullmatch, ratings))


def _quepid_book(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a book; of two judges with one name the second is called "NAME (2)"."""
    table, judges = content.rows, content.header[2:]
    if content.header[:2] != ["query", "docid"] or not judges or "" in judges:
        found = checks.some(content.header)
        raise ValueError(f"{content.path}: columns {found}, expected query, docid and a name a judge")
    called = {str(number): judge for number, judge in enumerate(_told_apart(judges))}
    return _of_judges(replace(table, header=["query", "docid", *called]), {"query": "query", "doc": "docid"}, called)


def _told_apart(names: list[str]) -> list[str]:
    """The names with a number behind every repeat, one that no other judge has."""
    found: list[str] = []
    for name in names:
        numbered = (f"{name} ({number})" for number in count(2))
        found.append(name if name not in found else next(n for n in numbered if n not in {*names, *found}))
    return found


REQUIRED = {"WorkerId", "AssignmentStatus"}
PREFIX = {"query": "Input.", "doc": "Input.", "grade": "Answer."}
TIMES = {"seconds": "WorkTimeInSeconds", "time": "SubmitTime"}
TASK_ANSWERS = "Answer.taskAnswers"
NUMBER = re.compile(r"[_.-]?[0-9]+$")


def _is_mturk(content: Content) -> bool:
    """Whether the content has columns WorkerId and AssignmentStatus."""
    return set(content.header) >= REQUIRED


def _mturk(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of workers whose assignment was not rejected; several items of a row part its time evenly."""
    if missing := REQUIRED - set(content.header):
        raise ValueError(f"{content.path}: no column {', '.join(sorted(missing))}, expected those of batch results")
    whole = content.rows
    table, left_out = counting(whole)
    table = _with_ticked(_with_task_answers(table))
    items = _items(table, wanted)
    times = {role: name for role, name in TIMES.items() if name in table.header}
    frame = frame_of(table, *(({**item, **times, "assessor": "WorkerId"}, {}) for item in items))
    names, tasks = {role: items[0][role].removeprefix(PREFIX[role]) for role in ("query", "doc")}, {}
    if len(items) > 1:
        shared = texts.changed(frame["seconds"], lambda t: str(float(t) / len(items)) if re.fullmatch(TIME, t) else t)
        frame = frame.assign(seconds=shared)
    else:
        shown = {name.removeprefix("Input."): table.column(name) for name in table.header if name.startswith("Input.")}
        pairs = zip(table.column(items[0]["query"]), table.column(items[0]["doc"]), strict=True)
        tasks = dict(zip(pairs, pd.DataFrame(shown).to_dict("records"), strict=True))
    frame = with_role(frame, "grade", left_out, "empty answers")
    return Parsed(frame, f"{len(whole)} rows", dict(left_out), names, tasks)


def _with_task_answers(table: Table) -> Table:
    """The table with a column for each answer of a form of crowd elements, which are JSON in one column."""
    if TASK_ANSWERS not in table.header:
        return table
    answers = []
    for place, cell in zip(table.places, table.column(TASK_ANSWERS), strict=True):
        try:
            (said,) = json.loads(cell or "[{}]")
            answers.append({name: _ticked(value) for name, value in said.items()})
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(
                f"{table.path}, {place}: {TASK_ANSWERS} is {cell[:60]!r}, expected [{{NAME: ANSWER}}]"
            ) from error
    names = dict.fromkeys(name for said in answers for name in said)
    columns = {f"Answer.{name}": [said.get(name, "") for said in answers] for name in names}
    return table.with_columns(columns, [TASK_ANSWERS])


def _ticked(value: object) -> str:
    """What an answer of a form says: the box that is ticked, or the label."""
    value = boxed(next(iter(value.values()))) if isinstance(value, dict) and list(value) == ["label"] else boxed(value)
    return "" if value is None or isinstance(value, dict) else str(value)


def _with_ticked(table: Table) -> Table:
    """The table with one column for all Answer.NAME.VALUE of a name that hold nothing but true and false."""
    groups: dict[str, list[str]] = {}
    for name in table.header:
        if name.startswith("Answer.") and name.count(".") > 1:
            groups.setdefault(name.rpartition(".")[0], []).append(name)
    for base, names in groups.items():
        cells = pd.DataFrame(
            {name: texts.changed(table.column(name), lambda c: c.strip().casefold()) for name in names}
        )
        if base in table.header or len(names) < 2 or not cells.isin(["true", "false"]).all(axis=None):
            continue
        ticks = (cells == "true").to_numpy()
        if (several := ticks.sum(axis=1) > 1).any():
            wrong = table.places[several.argmax()]
            raise ValueError(f"{table.path}, {wrong}: more than one of {', '.join(names)} is true, expected one")
        values = np.array([name[len(base) + 1 :] for name in names], dtype=object)
        table = table.with_columns({base: np.where(ticks.any(axis=1), values[ticks.argmax(axis=1)], "")}, names)
    return table


def _items(table: Table, wanted: Wanted) -> list[dict[str, str]]:
    """The columns of query, doc and grade for every item of a row; one query may be shared by all."""
    columns = {role: _numbered(table, role, wanted) for role in PREFIX}
    shared = columns["query"] if len(columns["query"]) == 1 else {}
    queries = dict.fromkeys(columns["grade"], *shared.values()) if shared else columns["query"]
    if not set(queries) == set(columns["doc"]) == set(columns["grade"]):
        found = ", ".join(name for names in columns.values() for name in names.values())
        raise ValueError(
            f"{table.path}: columns {found} of query, doc and grade, expected the same numbers behind them"
        )
    return [{"query": queries[n], "doc": columns["doc"][n], "grade": answer} for n, answer in columns["grade"].items()]


def _numbered(table: Table, role: str, wanted: Wanted) -> dict[str, str]:
    """The columns of a role by the number at their end, "" for one without."""
    bases = {name: NUMBER.sub("", name) for name in table.header if name.startswith(PREFIX[role])}
    known = list(dict.fromkeys(bases.values()))
    if role in wanted.columns:
        base = present(table.path, role, wanted.columns[role][0], list(dict.fromkeys([*known, *bases])))
    elif role == "grade" and len(known) == 1:
        base = known[0]
    else:
        base = PREFIX[role] + required(table.path, role, [name.removeprefix(PREFIX[role]) for name in known], {})
    if base in bases:
        return {"": base}
    return {name[len(base) :].strip("_.-"): name for name in bases if bases[name] == base}


LONG_TABLE = Format("long", "a table with a judgment a row", ROLES, _is_long, _long, None)
WIDE_TABLE = Format("wide", "a table with a column a judge", ("query", "doc", "grade"), _is_wide, _wide)
QUEPID_BOOK = Format("quepid-book", "a Quepid book, a column a judge", (), _is_quepid_book, _quepid_book)
MTURK = Format("mturk", "batch results of Mechanical Turk", ("query", "doc", "grade"), _is_mturk, _mturk)
