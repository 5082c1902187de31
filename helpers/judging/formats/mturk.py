"""Mechanical Turk's batch results: a row an assignment, ``Input.*`` and ``Answer.*`` columns, one item or several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from helpers.judging.formats import roles
from helpers.judging.formats.parsed import Parsed, Wanted, frame
from helpers.judging.formats.source import Content
from helpers.judging.formats.table import Table

NAME = "mturk"
SAYS = "batch results of Mechanical Turk"
NAMED = ("query", "doc", "grade")
REQUIRED = {"WorkerId", "AssignmentStatus"}
DECISIONS = ("Approve", "Reject")
PREFIX = {"query": "Input.", "doc": "Input.", "grade": "Answer."}
SECONDS = "WorkTimeInSeconds"


def recognise(content: Content) -> bool:
    """Whether the content has columns WorkerId and AssignmentStatus."""
    return not content.is_json and set(content.table.header) >= REQUIRED


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of workers whose assignment was not rejected; an empty answer is none.

    A row with several items (Input.doc1, Answer.relevance1, ...) gives a judgment for each; its time is parted evenly.

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        with file and line: a row shorter than the header by more than Approve and Reject, an unknown status; with the
        file: columns of query, doc and answer that are not numbered alike.
    """
    table = _padded(content.table)
    if missing := REQUIRED - set(table.header):
        raise ValueError(f"{content.path}: no column {', '.join(sorted(missing))}, expected those of batch results")
    items = _items(table, wanted)
    size = f"{len(table.rows)} rows"
    table, rejected = table.counting()
    rows, left_out, tasks = [], Counter(rejected), {}
    for place, record in _assignments(table):
        seconds = _seconds(record.get(SECONDS, ""), len(items), f"{content.path}, {place}")
        for item in items:
            pair, grade = (record[item["query"]], record[item["doc"]]), record[item["grade"]]
            tasks[pair] = {name[len("Input.") :]: record[name] for name in record if name.startswith("Input.")}
            if grade:
                rows.append((place, *pair, record["WorkerId"], grade, seconds))
            else:
                left_out["empty answers"] += 1
    names = {role: items[0][role].removeprefix(PREFIX[role]) for role in ("query", "doc")}
    return Parsed(frame(rows), size, dict(left_out), names, tasks if len(items) == 1 else {})


def _padded(table: Table) -> Table:
    """The table with rows as long as the header, which may have Approve and Reject where the rows end before."""
    width = len(table.header)
    short = width - len(DECISIONS) if tuple(table.header[-len(DECISIONS) :]) == DECISIONS else width
    for place, row in zip(table.places, table.rows, strict=True):
        if len(row) not in (width, short):
            raise ValueError(
                f"{table.path}, {table.word} {place}: {len(row)} fields, expected {width} as in the first, without "
                f"{' and '.join(DECISIONS)} or with them"
            )
    rows = [row + [""] * (width - len(row)) for row in table.rows]
    return Table(table.path, table.header, rows, table.places, table.word)


def _assignments(table: Table) -> Iterator[tuple[str, dict[str, str]]]:
    """Place and cells of every row, of those columns that are read."""
    columns = {name: table.ids(name) for name in table.header if name.startswith("Input.") or name == "WorkerId"}
    columns |= {name: table.column(name) for name in table.header if name.startswith("Answer.") or name == SECONDS}
    for number, place in enumerate(table.places):
        yield f"{table.word} {place}", {name: cells[number] for name, cells in columns.items()}


def _items(table: Table, wanted: Wanted) -> list[dict[str, str]]:
    """The columns of query, doc and grade for every item of a row; one query may be shared by all.

    Raises
    ------
    ValueError
        when documents and answers are not numbered alike.
    """
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
        base = roles.present(table.path, role, wanted.columns[role][0], list(dict.fromkeys([*bases, *names])))
    elif role == "grade" and len(bases) == 1:
        base = bases[0]
    else:
        known = roles.required(table.path, role, [name.removeprefix(PREFIX[role]) for name in bases], {})
        base = PREFIX[role] + known
    if base in names:
        return {"": base}
    return {name[len(base) :].strip("_.-"): name for name in names if _base(name) == base}


def _base(name: str) -> str:
    return re.sub(r"[_.-]?[0-9]+$", "", name)


def _seconds(text: str, items: int, where: str) -> float | None:
    """The time of one item of an assignment."""
    if not text:
        return None
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        raise ValueError(f"{where}: {SECONDS} is {text!r}, expected a number")
    return float(text) / items
