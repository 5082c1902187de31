"""Tables: a judgment a row, a column a judge, a book of Quepid, a batch of Mechanical Turk."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from helpers import checks, texts
from helpers.judging.formats.layouts import ALL, boxed, exploded
from helpers.judging.formats.names import (
    LONG,
    ROLES,
    candidates,
    chosen,
    columns_call,
    columns_like,
    plain,
    present,
    required,
)
from helpers.judging.formats.rows import COLUMNS, STATUSES, TIME, Format, Parsed, Wanted, counting, frame_of
from helpers.judging.formats.source import Content, Table

BEIR = ["query-id", "corpus-id", "score"]
CROWDS = [{"task", "worker", "label"}, {"item", "worker", "label"}]


def header(content: Content) -> list[str]:
    """The names of columns, or of all keys of JSON."""
    return list(content.names) if content.is_json else content.table.header


def _is_long(content: Content) -> bool:
    """Whether a column or key of the content is known as the document, and one as the grade."""
    names = header(content)
    return names == BEIR or all(candidates(role, names) for role in ("doc", "grade"))


def _long(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a long table, or of JSON read as one; an empty grade is none, nor is a row that does not count.

    One of document and grade alone is of one query and one assessor; where more columns are there, one of them may be
    what is missing, so the user has to name them. Numbers name the columns of a table without header.
    """
    if content.is_json:
        whole, names = _flat(content, wanted)
    else:
        whole = _headed(content.table, wanted).of_equal_rows()
        names = _names(whole, wanted)
    table, left_out = counting(whole)
    missing = {role: value for role, value in (("query", ALL), ("assessor", content.stem)) if role not in names}
    frame = frame_of(table, names, **missing)
    judged = frame["grade"] != ""
    left_out["rows without grade"] = int((~judged).sum())
    remarks = tuple(f"No column of {role}: all judgments are of one {role}." for role in missing if len(frame))
    pair = {role: name for role, name in names.items() if isinstance(name, str)}
    tasks = {} if content.is_json else _told_of_pairs(table, frame, names.values())
    return Parsed(frame[judged], f"{len(whole)} {whole.word}s", dict(left_out), pair, tasks, remarks)


def _told_of_pairs(table: Table, frame: pd.DataFrame, used: Iterable[str | list[str]]) -> dict[tuple[str, str], dict]:
    """By pair, the cells of those columns that have no role and say the same in all rows of a pair, as its title."""
    taken = {name for said in used for name in ([said] if isinstance(said, str) else said)} | {*STATUSES}
    taken |= {name for name in table.header if plain(name) in AGGREGATES or JUDGE.fullmatch(name)}
    columns = {name: table.cells[n] for n, name in enumerate(table.header) if name not in taken}
    texts = {name: cells for name, cells in columns.items() if name and cells.dtype == "str"}
    if not texts:
        return {}
    pair, pairs = pd.MultiIndex.from_frame(frame[["query", "doc"]]).factorize()
    groups = pd.DataFrame(texts).groupby(pair)
    same = [name for name in texts if groups[name].nunique().max() == 1]
    return dict(zip(pairs, groups[same].first().to_dict("records"), strict=True)) if same else {}


def _flat(content: Content, wanted: Wanted) -> tuple[Table, dict[str, str | list[str]]]:
    """JSON as a table with a row for each item of the lists that its roles stand in, and the column of each role."""
    kinds = content.names
    names = _names(Table.of(content.path, list(kinds), [], []), wanted)
    if "time" in names and "time" not in wanted.columns and not str(names["grade"]).startswith(_holder(names["time"])):
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


def _holder(name: str) -> str:
    """What a nested name stands in."""
    return name[: name.rfind(".") + 1]


def _headed(table: Table, wanted: Wanted) -> Table:
    """The table, its first line as a row where the user names the columns by numbers."""
    numbers = [name for names in wanted.columns.values() for name in names]
    if not numbers or not all(name.isdecimal() for name in numbers):
        return table
    if set(numbers) <= set(table.header) and table.word == "line":
        raise ValueError(
            f"{table.path}: columns are {', '.join(numbers)}, numbers of columns or what the first line says, "
            "expected a header with other names"
        )
    return table if table.word == "row" else table.without_header()


def _names(table: Table, wanted: Wanted) -> dict[str, str | list[str]]:
    """The column of each role that the table has; several where the user names several for the query."""
    header = table.header
    if not wanted.columns and header == BEIR:
        return dict(zip(("query", "doc", "grade"), BEIR, strict=True))
    canonical = {role: [role] for role in LONG} if set(LONG) <= set(header) else {}
    said = {**canonical, **wanted.columns}
    found = {role: name for role in ROLES if (name := _chosen(table, role, said))}
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


def _chosen(table: Table, role: str, said: Mapping[str, list[str]]) -> str | None:
    """The column of a role; seconds and explanations only where there is one, or the user says which."""
    if role not in said and role not in LONG and len(candidates(role, table.header)) != 1:
        return None
    return chosen(table.path, role, table.header, said)


JUDGE = re.compile(r"(.+?)[ _.-](?:rating|grade|label|judge?ment|relevance)", re.IGNORECASE)
AGGREGATES = (
    *("final", "mean", "median", "majority", "consensus", "average", "avg", "aggregate", "gold", "truth", "overall"),
    *("max", "min"),
)


def _is_wide(content: Content) -> bool:
    """Whether the content has columns NAME_1_rating, NAME_2_rating (grade, label), a query and a document."""
    if content.is_json or not all(candidates(role, content.table.header) for role in ("query", "doc")):
        return False
    names = [match[1] for name in content.table.header if (match := JUDGE.fullmatch(name))]
    judges = [name for name in names if name.casefold() not in AGGREGATES]
    return len(judges) > 1 and len({re.sub("[0-9]+", "0", name) for name in judges}) == 1


def _wide(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a wide table; a column such as final_rating is apart, as it is no judge."""
    if content.is_json:
        raise ValueError(
            f"{content.path}: JSON, expected a table (CSV, TSV, parquet) where grades have a column a judge"
        )
    table = content.table.of_equal_rows()
    names = {role: required(content.path, role, table.header, wanted.columns) for role in ("query", "doc")}
    judges = [present(content.path, "grade", name, table.header) for name in wanted.columns.get("grade", [])]
    judges = judges or [name for name in table.header if JUDGE.fullmatch(name)]
    if not judges or len(set(table.header)) < len(table.header):
        raise ValueError(
            f"{content.path}: columns {checks.some(table.header)}, expected each once and NAME_rating for each judge: "
            f"add {columns_call({**names, 'grade': 'FIRST,grade=SECOND'})} with the names of the judges' columns"
        )
    called = {name: match[1] if (match := JUDGE.fullmatch(name)) else name for name in judges}
    melted = _melted(table, names, {table.header.index(name): judge for name, judge in called.items()}, AGGREGATES)
    of_judges = [name for name in table.header if any(judge in name for judge in called.values())]
    tasks = _told_of_pairs(
        table, frame_of(table, {**names, "grade": judges[0]}, assessor=""), [*names.values(), *of_judges]
    )
    return replace(melted, tasks=tasks)


def _melted(
    table: Table, names: Mapping[str, str], judges: Mapping[int, str], aggregates: Collection[str] = ()
) -> Parsed:
    """Judgments of a table by the judge of each column; an empty cell is none, and those of aggregates are apart."""
    size = f"{len(table)} {table.word}s"
    table, left_out = counting(table)
    cells = np.array([texts.changed(table.texts(position), str.strip) for position in judges], dtype=object)
    cells = cells.reshape(len(judges), len(table)).T
    rows, columns = np.nonzero(cells != "")
    assessors = np.array(list(judges.values()), dtype=object)[columns]
    place, query, doc = (
        np.array(texts, dtype=object)[rows]
        for texts in (table.places, *(table.column(name) for name in names.values()))
    )
    apart = np.array([judge.casefold() in aggregates for judge in assessors], dtype=bool)
    values = [place, query, doc, assessors, cells[rows, columns], *[None] * len(ROLES[4:]), apart]
    left_out["empty cells"] = int((cells == "").sum())
    return Parsed(pd.DataFrame(dict(zip(COLUMNS, values, strict=True))), size, dict(left_out), dict(names))


RATING = re.compile(r"[0-9]{1,2}(\.0)?|")
NO_JUDGES = (
    *("rating", "grade", "label", "score", "position", "rank", "relevance", "final", "mean", "median", "average"),
    *("gold", "truth", "title", "name", "description", "id", "price", "year", "count", "clicks", "pages", "views"),
)


def _is_quepid_book(content: Content) -> bool:
    """Whether the content has columns query, docid and others, of ratings as Quepid writes them (3.0, or 3 where a
    spreadsheet saved two judges or more) or empty."""
    if content.is_json or content.table.header[:2] != ["query", "docid"]:
        return False
    judges = content.table.header[2:]
    cells = content.table.cells.iloc[:, 2:]
    ratings = {"" if pd.isna(cell) else str(cell).strip() for name in cells for cell in cells[name].unique()}
    return (
        bool(judges)
        and not any(plain(judge) in NO_JUDGES for judge in judges)
        and any(ratings)
        and all(map(RATING.fullmatch, ratings))
        and (len(judges) > 1 or any("." in rating for rating in ratings))
    )


def _quepid_book(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a book; of two judges with one name the second is called "NAME (2)"."""
    if content.is_json:
        raise ValueError(f"{content.path}: JSON without query_doc_pairs, expected a book of Quepid")
    table = content.table.of_equal_rows()
    if table.header[:2] != ["query", "docid"] or len(table.header) < 3 or "" in table.header:
        found = checks.some(table.header)
        raise ValueError(f"{content.path}: columns {found}, expected query, docid and a name a judge")
    judges = _told_apart(table.header[2:])
    return _melted(table, {"query": "query", "doc": "docid"}, dict(enumerate(judges, start=2)))


def _told_apart(names: list[str]) -> list[str]:
    """The names with a number behind every repeat, one that no other judge has."""
    taken, found = set(names), []
    for position, name in enumerate(names):
        number = names[: position + 1].count(name)
        while number > 1 and f"{name} ({number})" in taken:
            number += 1
        found.append(name if number == 1 else f"{name} ({number})")
        taken.add(found[-1])
    return found


REQUIRED = {"WorkerId", "AssignmentStatus"}
PREFIX = {"query": "Input.", "doc": "Input.", "grade": "Answer."}
TIMES = {"seconds": "WorkTimeInSeconds", "time": "SubmitTime"}
TASK_ANSWERS = "Answer.taskAnswers"


def _is_mturk(content: Content) -> bool:
    """Whether the content has columns WorkerId and AssignmentStatus."""
    return not content.is_json and set(content.table.header) >= REQUIRED


def _mturk(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of workers whose assignment was not rejected; several items of a row part its time evenly."""
    if content.is_json or (missing := REQUIRED - set(content.table.header)):
        missing = ", ".join(sorted(REQUIRED if content.is_json else missing))
        raise ValueError(f"{content.path}: no column {missing}, expected those of batch results")
    whole = content.table.of_equal_rows()
    table, left_out = counting(whole)
    table = _with_ticked(_with_task_answers(table))
    items = _items(table, wanted)
    shown = [name for name in table.header if name.startswith("Input.")]
    times = {role: name for role, name in TIMES.items() if name in table.header}
    frames, tasks = [], {}
    for item in items:
        frames.append(frame_of(table, {**item, **times, "assessor": "WorkerId"}))
        inputs = zip(*(table.column(name) for name in shown), strict=True)
        records = [dict(zip((name[len("Input.") :] for name in shown), cells, strict=True)) for cells in inputs]
        tasks |= dict(
            zip(zip(table.column(item["query"]), table.column(item["doc"]), strict=True), records, strict=True)
        )
    frame = pd.concat(frames).sort_index(kind="stable", ignore_index=True)
    if len(items) > 1:
        shared = texts.changed(frame["seconds"], lambda t: str(float(t) / len(items)) if re.fullmatch(TIME, t) else t)
        frame = frame.assign(seconds=shared)
    answered = frame["grade"] != ""
    left_out["empty answers"] = int((~answered).sum())
    names = {role: items[0][role].removeprefix(PREFIX[role]) for role in ("query", "doc")}
    return Parsed(frame[answered], f"{len(whole)} rows", dict(left_out), names, tasks if len(items) == 1 else {})


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
        cells = [[cell.strip().casefold() for cell in table.column(name)] for name in names]
        if (
            base in table.header
            or len(names) < 2
            or not {cell for column in cells for cell in column} <= {"true", "false"}
        ):
            continue
        ticked = [
            [name[len(base) + 1 :] for name, tick in zip(names, row, strict=True) if tick == "true"]
            for row in zip(*cells, strict=True)
        ]
        if wrong := next((place for place, said in zip(table.places, ticked, strict=True) if len(said) > 1), ""):
            raise ValueError(f"{table.path}, {wrong}: more than one of {', '.join(names)} is true, expected one")
        table = table.with_columns({base: ["".join(said) for said in ticked]}, names)
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
    names = [name for name in table.header if name.startswith(PREFIX[role])]
    bases = list(dict.fromkeys(_base(name) for name in names))
    if role in wanted.columns:
        base = present(table.path, role, wanted.columns[role][0], list(dict.fromkeys([*bases, *names])))
    elif role == "grade" and len(bases) == 1:
        base = bases[0]
    else:
        known = required(table.path, role, [name.removeprefix(PREFIX[role]) for name in bases], {})
        base = PREFIX[role] + known
    if base in names:
        return {"": base}
    return {name[len(base) :].strip("_.-"): name for name in names if _base(name) == base}


def _base(name: str) -> str:
    return re.sub(r"[_.-]?[0-9]+$", "", name)


LONG_TABLE = Format("long", "a table with a judgment a row", ROLES, _is_long, _long)
WIDE_TABLE = Format("wide", "a table with a column a judge", ("query", "doc", "grade"), _is_wide, _wide)
QUEPID_BOOK = Format("quepid-book", "a Quepid book, a column a judge", (), _is_quepid_book, _quepid_book)
MTURK = Format("mturk", "batch results of Mechanical Turk", ("query", "doc", "grade"), _is_mturk, _mturk)
