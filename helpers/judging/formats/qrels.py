"""TREC's qrels: lines of query, iteration, document, grade, parted by blanks or tabs. -1 is not judged, -2 is spam."""

from __future__ import annotations

import re

from helpers.judging.formats.parsed import Parsed, Wanted, frame
from helpers.judging.formats.source import Content

NAME = "qrels"
SAYS = "qrels of one assessor, who is called as the file is"
NAMED = ()
LOOKED_AT = 100
ITERATION = re.compile("q?0", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")
SPAM = {"-2": "0"}
UNJUDGED = "-1"


def recognise(content: Content) -> bool:
    """Whether nearly all of the first lines of the content are query, 0 or Q0, document, and a number."""
    if content.is_json or content.is_parquet:
        return False
    lines = [fields for line in content.lines[:LOOKED_AT] if (fields := _fields(line))]
    fitting = sum(len(f) == 4 and bool(ITERATION.fullmatch(f[1]) and NUMBER.fullmatch(f[3])) for f in lines)
    return fitting > 0.7 * len(lines)


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of one assessor, who is called as the file is.

    A grade of -1 says that nobody judged, -2 (spam) is read as 0, unless the user declares them.

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        with file and line: not four fields.
    """
    rows, unjudged, spam = [], 0, 0
    declared = wanted.grades or {}
    for number, line in enumerate(content.lines, 1):
        fields = _fields(line)
        if not fields:
            continue
        if len(fields) != 4:
            raise ValueError(
                f"{content.path}, line {number}: {line[:60]!r}, expected query, iteration, document, grade"
            )
        query, _, doc, grade = fields
        value = grade.split(".")[0] if re.fullmatch(r"-[12]\.0*", grade) else grade
        if value == UNJUDGED and value not in declared:
            unjudged += 1
            continue
        if value in SPAM and value not in declared:
            spam += 1
            grade = SPAM[value]
        rows.append((f"line {number}", query, doc, content.stem, grade))
    remarks = (f"{spam} grades of -2 (spam) are read as 0.",) if spam else ()
    return Parsed(
        frame(rows), f"{len(rows) + unjudged} lines", {"lines with -1 (not judged)": unjudged}, remarks=remarks
    )


def _fields(line: str) -> list[str]:
    return [field for field in line.replace("\t", " ").split(" ") if field]
