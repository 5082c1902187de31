"""What to say of a file that no format recognises."""

from __future__ import annotations

import re

from helpers.judging.formats import roles
from helpers.judging.formats.source import Content

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")


def refusal(content: Content, formats: list[str]) -> ValueError:
    """The error for a file: which formats were tried, what it holds, and the call that reads it.

    Parameters
    ----------
    content : the file
    formats : names of the formats that were tried
    """
    say = _json if content.is_json else _table
    return ValueError(f"{content.path}: read as none of {', '.join(formats)}. {say(content)}")


def _json(content: Content) -> str:
    keys = list(content.records[0][1]) if content.records else []
    return f"It is JSON with the keys {', '.join(keys[:20]) or 'of no object'}; -p format NAME says which format it is"


def _table(content: Content) -> str:
    header = content.table.header
    if len(header) == 1:
        fields = header[0].split()
        said = "; -p format qrels reads such lines as query, iteration, document, grade" if len(fields) == 4 else ""
        return f"Its first line, {header[0][:60]!r}, has no comma, semicolon, tab or bar{said}"
    found = {role: fitting[0] for role in roles.LONG if (fitting := roles.candidates(role, header))}
    if not found and any(NUMBER.fullmatch(cell) for cell in header):
        numbers = range(1, 5) if len(header) == 4 else ["NUMBER"] * 4
        return (
            f"Its first line, {', '.join(header)}, names no columns: if it is a judgment, add "
            f"{roles.call(dict(zip(roles.LONG, numbers, strict=True)))} with the numbers of the columns"
        )
    said = (
        f"Its columns are {', '.join(header[:20])}: add {roles.call({r: found.get(r, 'COLUMN') for r in roles.LONG})}"
    )
    if header[:2] == ["query", "docid"]:
        said += ", or -p format quepid-book if all columns behind docid are judges"
    return f"{said}; several grade=COLUMN are a column a judge, numbers the columns of a table without header"
