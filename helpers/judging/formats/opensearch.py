"""Judgment lists of OpenSearch's search relevance plugin: ``judgmentRatings``, ratings as texts."""

from __future__ import annotations

from typing import Any

from helpers import checks
from helpers.judging.formats.parsed import Parsed, Wanted, frame, name_of, taken, with_keys
from helpers.judging.formats.scales import key
from helpers.judging.formats.source import Content
from helpers.judging.formats.table import cell_text

NAME = "opensearch"
SAYS = "a judgment list of OpenSearch"
NAMED = ()
COMPLETED = "COMPLETED"
GAINS = {"0", "1", "10", "100"}


def recognise(content: Content) -> bool:
    """Whether the content is a list of judgmentRatings, alone or in the answer to a search."""
    return content.is_json and "judgmentRatings" in _stored(content.document)


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of one assessor, who is called as the file is.

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        also where the ratings are the gains 0, 1, 10, 100 and no grades are declared for them.
    """
    path, stored, rows, failures, without = content.path, _stored(content.document), [], 0, 0
    for number, group in enumerate(taken(stored, "judgmentRatings", list, str(path)), 1):
        place = f"judgmentRatings {number}"
        query = name_of(group, "query", f"{path}, {place}")
        ratings = taken(group, "ratings", list, f"{path}, {place}")
        failed = taken({"failures": None, **group}, "failures", (list, type(None)), f"{path}, {place}") or []
        without, failures = without + (not ratings), failures + len(failed)
        for rating in ratings:
            with_keys(rating, ("docId", "rating"), f"{path}, {place}")
            value = taken(rating, "rating", (str, int, float, type(None)), f"{path}, {place}")
            doc = name_of(rating, "docId", f"{path}, {place}")
            rows.append((f"{place}, docId {doc}", query, doc, content.stem, cell_text(path, place, value)))
    judged = [row for row in rows if row[4]]
    values = {key(row[4]) for row in judged}
    if wanted.grades is None and values <= GAINS and values & {"10", "100"}:
        raise ValueError(
            f"{path}: its ratings are gains ({', '.join(sorted(values, key=int))}) and no grades: add "
            f"{checks.advice('grades', '0:0,1:1,10:2,100:3')} to read them as grades from 0 to 3, or "
            f"{checks.advice('grades', '0:0,1:1,10:10,100:100')} to keep them"
        )
    left_out = {"ratings without value": len(rows) - len(judged), "documents that failed": failures}
    left_out["queries without ratings"] = without
    status = stored.get("status", COMPLETED)
    remarks = () if status == COMPLETED else (f"The status of the list is {str(status)[:40]!r}, not {COMPLETED}.",)
    return Parsed(frame(judged), f"{len(rows)} ratings", left_out, remarks=remarks)


def _stored(document: Any) -> dict:
    """The judgment list itself, where the file is the answer to a search for one."""
    for step in ("hits", "hits", 0, "_source"):
        if isinstance(document, dict) and "judgmentRatings" in document:
            return document
        inside = document.get(step) if isinstance(document, dict) else document
        document = inside[0] if step == 0 and isinstance(inside, list) and len(inside) == 1 else inside
    return document if isinstance(document, dict) else {}
