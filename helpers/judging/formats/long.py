"""Tables with a judgment a row (CSV, TSV, parquet): columns known by their names, or named by the user."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from helpers import checks
from helpers.judging.formats import roles
from helpers.judging.formats.parsed import COLUMNS, Parsed, Wanted
from helpers.judging.formats.source import Content
from helpers.judging.formats.table import Table

NAME = "long"
SAYS = "a table with a judgment a row"
NAMED = roles.ROLES
ALL = "all"
BEIR = ["query-id", "corpus-id", "score"]
CROWDS = [{"task", "worker", "label"}, {"item", "worker", "label"}]


def recognise(content: Content) -> bool:
    """Whether a column of the content is known as the document, and one as the grade."""
    if content.is_json:
        return False
    header = content.table.header
    return header == BEIR or all(roles.candidates(role, header) for role in ("doc", "grade"))


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a long table; an empty grade is none, nor is a row that does not count (see `Table.counting`).

    A table of document and grade alone is of one query, "all"; one without assessors of one, who is called as the file
    is. Where more columns are there, one of them may be what is missing, so the user has to name the columns, doc and
    grade at least. Numbers name the columns of a table without header: "query=1,doc=2,grade=3".

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        with file and line: a row of another length; with the file: a column that is missing, or may be one of several.
    """
    if content.is_json:
        raise ValueError(f"{content.path}: JSON, expected a table (CSV, TSV, parquet)")
    whole = _headed(content.table, wanted).of_equal_rows()
    table, left_out = whole.counting()
    names = _names(table, wanted)
    cells = {role: (table.ids if role in roles.LONG[:3] else table.column)(name) for role, name in names.items()}
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
    canonical = {role: [role] for role in roles.LONG} if set(roles.LONG) <= set(header) else {}
    said = {**canonical, **wanted.columns}
    found = {role: name for role in roles.ROLES if (name := _chosen(table, role, said))}
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
    if role not in said and role not in roles.LONG and len(roles.candidates(role, table.header)) != 1:
        return None
    return roles.chosen(table.path, role, table.header, said)


def _call(found: Mapping[str, str]) -> str:
    return "add " + roles.call({role: found.get(role, "COLUMN") for role in roles.LONG})
