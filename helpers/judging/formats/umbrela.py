"""UMBRELA's answers, a JSON object a line: model, query, passage, judgment, and whether the answer could be parsed."""

from __future__ import annotations

from helpers.judging.formats import roles
from helpers.judging.formats.parsed import Parsed, Wanted, frame, name_of, taken
from helpers.judging.formats.source import Content

NAME = "umbrela"
SAYS = "judgments by UMBRELA, its passages as documents"
NAMED = ("query", "doc")
KEYS = {"judgment", "passage", "prediction"}


def recognise(content: Content) -> bool:
    """Whether the first object of the content has judgment, passage and prediction."""
    return content.is_json and bool(content.records) and set(content.records[0][1]) >= KEYS


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments by models, named by the file; a judgment with result_status 0 is none, the answer was not understood.

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        with file and line: a key is missing, or result_status is neither 0 nor 1.
    """
    path, rows = content.path, []
    names = {role: wanted.columns.get(role, [key])[0] for role, key in [("query", "query"), ("doc", "passage")]}
    for place, record in content.records:
        where = f"{path}, {place}"
        status = taken(record, "result_status", (int, bool), where)
        if status not in (0, 1):
            raise ValueError(f"{where}: result_status is {status}, expected 0 or 1")
        if status:
            pair = [name_of(record, names[role], where) for role in roles.LONG[:2]]
            grade = str(taken(record, "judgment", (int, float, str), where))
            said = taken(record, "prediction", str, where)
            rows.append((place, *pair, name_of(record, "model", where), grade, None, said))
    left_out = {"answers that were not understood (result_status 0)": len(content.records) - len(rows)}
    return Parsed(frame(rows), f"{len(content.records)} answers", left_out, names)
