"""Quepid's export of a book: query, docid, and a column for each judge, empty where the judge did not rate.

Quepid puts a blank before a text that begins with = + - or @. A judge without an account is called Anonymous.
"""

from __future__ import annotations

import re

from helpers import checks
from helpers.judging.formats.parsed import Parsed, Wanted
from helpers.judging.formats.roles import plain
from helpers.judging.formats.source import Content
from helpers.judging.formats.wide import melted

NAME = "quepid-book"
SAYS = "a Quepid book, a column a judge"
NAMED = ()
RATING = re.compile(r"[0-9]{1,2}\.0|")
NO_JUDGES = (
    *("rating", "grade", "label", "score", "position", "rank", "relevance", "final", "mean", "median", "average"),
    *("gold", "truth", "title", "name", "description", "id", "price", "year", "count", "clicks"),
)


def recognise(content: Content) -> bool:
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


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a book; of two judges with one name the second is called "NAME (2)".

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        with the file: the columns are not query, docid and a name for each judge.
    """
    table = content.table.of_equal_rows()
    if table.header[:2] != ["query", "docid"] or len(table.header) < 3 or "" in table.header:
        found = checks.some(table.header)
        raise ValueError(f"{content.path}: columns {found}, expected query, docid and a name a judge")
    judges = _told_apart(table.header[2:])
    return melted(table, {"query": "query", "doc": "docid"}, dict(enumerate(judges, start=2)))


def _told_apart(names: list[str]) -> list[str]:
    """The names with a number behind every repeat, one that no other judge has.

    >>> _told_apart(["Ann", "Bob", "Ann", "Ann"])
    ['Ann', 'Bob', 'Ann (2)', 'Ann (3)']
    """
    taken, found = set(names), []
    for position, name in enumerate(names):
        number = names[: position + 1].count(name)
        while number > 1 and f"{name} ({number})" in taken:
            number += 1
        found.append(name if number == 1 else f"{name} ({number})")
        taken.add(found[-1])
    return found
