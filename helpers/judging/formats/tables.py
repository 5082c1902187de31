"""Tables: a judgment a row, a column a judge, a book of Quepid, a batch of Mechanical Turk."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

import numpy as np
import pandas as pd

from helpers import checks
from helpers.judging.formats.frame import COLUMNS, Format, Parsed, Wanted, frame
from helpers.judging.formats.names import LONG, ROLES, candidates, chosen, columns_call, plain, present, required
from helpers.judging.formats.source import Content, Table

ALL = "all"
BEIR = ["query-id", "corpus-id", "score"]
CROWDS = [{"task", "worker", "label"}, {"item", "worker", "label"}]


def _is_long(content: Content) -> bool:
    """Whether a column of the content is known as the document, and one as the grade."""
    if content.is_json:
        return False
    header = content.table.header
    return header == BEIR or all(candidates(role, header) for role in ("doc", "grade"))


def _long(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a long table; an empty grade is none, nor is a row that does not count.

    One of document and grade alone is of one query and one assessor; where more columns are there, one of them may be
    what is missing, so the user has to name them. Numbers name the columns of a table without header.
    """
    if content.is_json:
        raise ValueError(f"{content.path}: JSON, expected a table (CSV, TSV, parquet)")
    whole = _headed(content.table, wanted).of_equal_rows()
    table, left_out = whole.counting()
    names = _names(table, wanted)
    cells = {role: (table.ids if role in LONG[:3] else table.column)(name) for role, name in names.items()}
    missing = {"query": ALL, "assessor": content.stem, "seconds": None, "explanation": None, "apart": False}
    values = {**missing, **cells, "place": [f"{table.word} {place}" for place in table.places]}
    frame = pd.DataFrame({column: values[column] for column in COLUMNS}, index=range(len(table.rows)))
    frame["seconds"] = frame["seconds"].replace("", None)
    judged = frame["grade"] != ""
    left_out["rows without grade"] = int((~judged).sum())
    remarks = tuple(
        f"No column of {role}: all judgments are of one {role}."
        for role in ("query", "assessor")
        if role not in names and len(frame)
    )
    return Parsed(frame[judged], f"{len(whole.rows)} {table.word}s", left_out, names, remarks=remarks)


def _headed(table: Table, wanted: Wanted) -> Table:
    """The table, its first line as a row where the user names the columns by numbers."""
    numbers = [name for names in wanted.columns.values() for name in names]
    if not numbers or not all(name.isdecimal() for name in numbers):
        return table
    if set(numbers) <= set(table.header):
        raise ValueError(
            f"{table.path}: columns are {', '.join(numbers)}, numbers of columns or what the first line says, "
            "expected a header with other names"
        )
    return table.without_header()


def _names(table: Table, wanted: Wanted) -> dict[str, str]:
    """The column of each role that the table has."""
    header = table.header
    if not wanted.columns and header == BEIR:
        return dict(zip(("query", "doc", "grade"), BEIR, strict=True))
    canonical = {role: [role] for role in LONG} if set(LONG) <= set(header) else {}
    said = {**canonical, **wanted.columns}
    found = {role: name for role in ROLES if (name := _chosen(table, role, said))}
    for role in ("doc", "grade"):
        if role not in found:
            said = checks.some(header)
            raise ValueError(f"{table.path}: columns {said}, none is known as the {role}: {_call(found)}")
    others = [name for name in header if name not in found.values()]
    unsaid = [role for role in ("query", "assessor") if role not in found]
    if unsaid and others and not {"doc", "grade"} <= set(wanted.columns) and set(header) not in CROWDS:
        raise ValueError(
            f"{table.path}: none of the columns is known as the {' or the '.join(unsaid)}, and one of "
            f"{checks.some(others)} may be: {_call(found)}, or without {' and '.join(unsaid)} where there is none"
        )
    return found


def _chosen(table: Table, role: str, said: Mapping[str, list[str]]) -> str | None:
    """The column of a role; seconds and explanations only where there is one, or the user says which."""
    if role not in said and role not in LONG and len(candidates(role, table.header)) != 1:
        return None
    return chosen(table.path, role, table.header, said)


def _call(found: Mapping[str, str]) -> str:
    return "add " + columns_call({role: found.get(role, "COLUMN") for role in LONG})


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
    table = content.table.of_equal_rows()
    names = {role: required(content.path, role, table.header, wanted.columns) for role in ("query", "doc")}
    chosen = [present(content.path, "grade", name, table.header) for name in wanted.columns.get("grade", [])]
    chosen = chosen or [name for name in table.header if JUDGE.fullmatch(name)]
    if not chosen or len(set(table.header)) < len(table.header):
        raise ValueError(
            f"{content.path}: columns {checks.some(table.header)}, expected each once and NAME_rating for each judge: "
            f"add {columns_call({**names, 'grade': 'FIRST,grade=SECOND'})} with the names of the judges' columns"
        )
    return _melted(table, names, {table.header.index(name): _judge(name) for name in chosen}, AGGREGATES)


def _melted(
    table: Table, names: Mapping[str, str], judges: Mapping[int, str], aggregates: Collection[str] = ()
) -> Parsed:
    """Judgments of a table by the judge of each column; an empty cell is none, and those of aggregates are apart."""
    size = f"{len(table.rows)} {table.word}s"
    table, left_out = table.counting()
    cells = np.array([[cell.strip() for cell in table.cells(position)] for position in judges], dtype=object)
    cells = cells.reshape(len(judges), len(table.rows)).T
    rows, columns = np.nonzero(cells != "")
    assessors = np.array(list(judges.values()), dtype=object)[columns]
    pair = {role: np.array(table.ids(name), dtype=object) for role, name in names.items()}
    places = np.array([f"{table.word} {place}" for place in table.places], dtype=object)
    values = [places[rows], pair["query"][rows], pair["doc"][rows], assessors, cells[rows, columns], None, None]
    apart = [judge.casefold() in aggregates for judge in assessors]
    frame = pd.DataFrame(dict(zip(COLUMNS, [*values, np.array(apart, dtype=bool)], strict=True)))
    left_out["empty cells"] = int((cells == "").sum())
    return Parsed(frame, size, left_out, dict(names))


def _judge(name: str) -> str:
    fitting = JUDGE.fullmatch(name)
    return fitting[1] if fitting else name


RATING = re.compile(r"[0-9]{1,2}\.0|")
NO_JUDGES = (
    *("rating", "grade", "label", "score", "position", "rank", "relevance", "final", "mean", "median", "average"),
    *("gold", "truth", "title", "name", "description", "id", "price", "year", "count", "clicks"),
)


def _is_quepid_book(content: Content) -> bool:
    """Whether the content has columns query, docid and others, of ratings as Quepid writes them (3.0) or empty."""
    if content.is_json:
        return False
    table = content.table
    judges = table.header[2:]
    ratings = ["" if cell is None else str(cell).strip() for row in table.rows for cell in row[2:]]
    return (
        table.header[:2] == ["query", "docid"]
        and bool(judges)
        and not any(plain(judge) in NO_JUDGES for judge in judges)
        and any(ratings)
        and all(map(RATING.fullmatch, ratings))
    )


def _quepid_book(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a book; of two judges with one name the second is called "NAME (2)"."""
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
DECISIONS = ("Approve", "Reject")
PREFIX = {"query": "Input.", "doc": "Input.", "grade": "Answer."}
SECONDS = "WorkTimeInSeconds"


def _is_mturk(content: Content) -> bool:
    """Whether the content has columns WorkerId and AssignmentStatus."""
    return not content.is_json and set(content.table.header) >= REQUIRED


def _mturk(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of workers whose assignment was not rejected; several items of a row part its time evenly."""
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


def _seconds(text: str, items: int, where: str) -> float | None:
    """The time of one item of an assignment."""
    if not text:
        return None
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        raise ValueError(f"{where}: {SECONDS} is {text!r}, expected a number")
    return float(text) / items


LONG_TABLE = Format("long", "a table with a judgment a row", ROLES, _is_long, _long)
WIDE_TABLE = Format("wide", "a table with a column a judge", ("query", "doc", "grade"), _is_wide, _wide)
QUEPID_BOOK = Format("quepid-book", "a Quepid book, a column a judge", (), _is_quepid_book, _quepid_book)
MTURK = Format("mturk", "batch results of Mechanical Turk", ("query", "doc", "grade"), _is_mturk, _mturk)
