"""Quepid's export of a case: query, docid, rating; a query that has no rating has a row with empty cells."""

from __future__ import annotations

from helpers import checks
from helpers.judging.formats.parsed import Parsed, Wanted, frame
from helpers.judging.formats.source import Content

NAME = "quepid-case"
SAYS = "a Quepid case, one rating a pair"
NAMED = ()
COLUMNS = ["query", "docid", "rating"]


def recognise(content: Content) -> bool:
    """Whether the columns of the content are query, docid, rating."""
    return not content.is_json and content.table.header == COLUMNS


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a case by one assessor, who is called as the file is.

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        with the file: the columns are not query, docid, rating.
    """
    table = content.table.of_equal_rows()
    if table.header != COLUMNS:
        raise ValueError(f"{content.path}: columns {checks.some(table.header)}, expected {', '.join(COLUMNS)}")
    cells = [*map(table.ids, COLUMNS[:2]), table.column("rating")]
    rows = [
        (f"{table.word} {place}", query, doc, content.stem, grade)
        for place, query, doc, grade in zip(table.places, *cells, strict=True)
        if grade
    ]
    left_out = {"rows without rating": len(table.rows) - len(rows)}
    return Parsed(frame(rows), f"{len(table.rows)} {table.word}s", left_out, {"query": "query", "doc": "docid"})
