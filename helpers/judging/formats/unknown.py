"""What to say of a file that no format recognises."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from helpers import checks
from helpers.judging.formats import roles
from helpers.judging.formats.source import Content

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")


def refusal(content: Content, formats: Iterable[str], reads: Callable[[str], bool]) -> ValueError:
    """The error for a file: which formats were tried, what it holds, and the call that reads it.

    Parameters
    ----------
    content : the file
    formats : names of the formats that were tried
    reads : whether the format of a name reads the file where it is told to
    """
    fitting = [name for name in formats if reads(name)]
    say = _json if content.is_json else _table
    return ValueError(f"{content.path}: read as none of {', '.join(formats)}. {say(content, fitting)}")


def _json(content: Content, fitting: list[str]) -> str:
    keys = list(content.records[0][1]) if content.records else []
    held = f"It is JSON with the keys {', '.join(keys[:20]) or 'of no object'}"
    if fitting:
        return f"{held}: add {' or '.join(checks.advice('format', name) for name in fitting)}"
    return f"{held}, expected an export of one of these, or a table (CSV) with the columns {', '.join(roles.LONG)}"


def _table(content: Content, fitting: list[str]) -> str:
    header = content.table.header
    also = "".join(f", or {checks.advice('format', name)} to read it as {name}" for name in fitting)
    if len(header) == 1:
        return f"Its first line, {header[0][:60]!r}, has no comma, semicolon, tab or bar between columns{also}"
    found = {role: names[0] for role in roles.LONG if (names := roles.candidates(role, header))}
    if not found and any(NUMBER.fullmatch(cell) for cell in header):
        numbers = range(1, 5) if len(header) == 4 else ["NUMBER"] * 4
        return (
            f"Its first line, {', '.join(header)}, names no columns: if it is a judgment, add "
            f"{roles.call(dict(zip(roles.LONG, numbers, strict=True)))} with the numbers of the columns{also}"
        )
    call = roles.call({role: found.get(role, "COLUMN") for role in roles.LONG})
    return (
        f"Its columns are {', '.join(header[:20])}: add {call}{also}; several grade=COLUMN are a column a judge, "
        "numbers the columns of a table without header"
    )
