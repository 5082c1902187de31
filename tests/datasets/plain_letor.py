"""LETOR text read by the book, a line at a time: slow, and independent of the reader that it is compared with."""

import re

import numpy as np

GRADE = re.compile(rb"\+?(\d+)(\.0*)?")
ENTRY = re.compile(rb"(\d+):([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
DOC_ID = re.compile(rb"#[ \t\r]*docid[ \t\r]*=[ \t\r]*([^ \t\r\n]*)")
HIGHEST_INDEX = 1_000_000


class RefusedError(Exception):
    """The number of the first line that says something else; none where it is the file as a whole."""

    def __init__(self, line=None):
        super().__init__(line)
        self.line = line


def read(text):
    """Rows (query id, grade, {index: float32}, document id or None), a query's together, in order of appearance."""
    queries = {}
    for number, line in enumerate(text.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        try:
            row = _row(line)
        except ValueError:
            raise RefusedError(number) from None
        if row:
            queries.setdefault(row[0], []).append(row)
    rows = [row for of_query in queries.values() for row in of_query]
    if not any(entries for _, _, entries, _ in rows):
        raise RefusedError
    return rows


def _row(line):
    if b"\0" in line:
        raise ValueError
    body, mark, comment = line.partition(b"#")
    grade, *rest = re.split(rb"[ \t\r]+", body.strip(b" \t\r"))
    if not grade:
        if rest:
            raise ValueError
        return None
    found = GRADE.fullmatch(grade)
    if not found or int(found[1]) > 127 or not rest or not rest[0].startswith(b"qid:") or rest[0] == b"qid:":
        raise ValueError
    doc_id = DOC_ID.match(mark + comment)
    return rest[0][4:].decode(), int(found[1]), _entries(rest[1:]), doc_id and doc_id[1].decode()


def _entries(tokens):
    entries = {}
    for token in tokens:
        found = ENTRY.fullmatch(token)
        with np.errstate(over="ignore"):
            value = np.float32(float(found[2])) if found else np.inf
        if not found or not 0 <= int(found[1]) <= HIGHEST_INDEX or int(found[1]) in entries or np.isinf(value):
            raise ValueError
        entries[int(found[1])] = value
    return entries


def assert_same(one, other):
    """The same collection to the last bit, -0.0 told from 0.0."""
    np.testing.assert_array_equal(one.features.view(np.uint32), other.features.view(np.uint32))
    for part in ("grades", "offsets", "query_ids", "doc_ids"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part))
