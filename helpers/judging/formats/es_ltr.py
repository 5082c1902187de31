"""Judgment files of the Elasticsearch learning to rank plugin: ``4 qid:1 # 7555``, and ``# qid:1: rambo`` on top."""

from __future__ import annotations

import re

from helpers.judging.formats.parsed import Parsed, Wanted, frame
from helpers.judging.formats.source import Content

NAME = "es-ltr"
SAYS = "judgments for Elasticsearch LTR"
NAMED = ()
QUERY = re.compile(r"#\s*qid:(\S+?):\s+(.*\S)\s*")
JUDGMENT = re.compile(r"(\S+)\s+qid:(\S+)(?:\s+[0-9]+:\S+)*\s*#\s*([^\t]*?)\s*(?:\t.*)?")


def recognise(content: Content) -> bool:
    """Whether the first line of the content that is no comment is a grade, a qid and a document behind #."""
    if content.is_json or content.is_parquet:
        return False
    first = next((line for line in content.lines if line.strip() and not line.lstrip().startswith("#")), "")
    return bool(JUDGMENT.fullmatch(first.strip()))


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of one assessor, who is called as the file is; a query has its text where the file says it.

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        with file and line: neither comment nor judgment, a qid without text where others have one, or with two, a text
        of two qids.
    """
    texts, rows, comments = _queries(content), [], 0
    for number, line in enumerate(content.lines, 1):
        place = f"line {number}"
        if not line.strip() or line.lstrip().startswith("#"):
            comments += bool(line.strip()) and not QUERY.fullmatch(line.strip())
            continue
        match = JUDGMENT.fullmatch(line.strip())
        if not match:
            raise ValueError(f"{content.path}, {place}: {line[:60]!r}, expected GRADE qid:NUMBER # DOC")
        if texts and match[2] not in texts:
            raise ValueError(
                f"{content.path}, {place}: qid {match[2]} has no line '# qid:{match[2]}: TEXT' as others have"
            )
        doc = match[3] if "\t" in line else match[3].split(" ")[0]
        rows.append((place, texts.get(match[2], match[2]), doc, content.stem, match[1]))
    return Parsed(frame(rows), f"{len(rows)} lines of judgments", {"lines of comment": comments})


def _queries(content: Content) -> dict[str, str]:
    """The text of each qid."""
    texts: dict[str, str] = {}
    for number, line in enumerate(content.lines, 1):
        match = QUERY.fullmatch(line.strip())
        if match and (match[1] in texts or match[2] in texts.values()):
            raise ValueError(f"{content.path}, line {number}: a second {match[0]!r}, expected one text for each qid")
        if match:
            texts[match[1]] = match[2]
    return texts
