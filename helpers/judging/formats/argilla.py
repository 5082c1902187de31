"""Argilla 2's flat records (``records.to_list(flatten=True)``): ``QUESTION.responses`` beside users and statuses."""

from __future__ import annotations

import re
from collections import Counter

from helpers import checks
from helpers.judging.formats import roles
from helpers.judging.formats.parsed import Parsed, Wanted, frame, name_of, pair_keys, taken
from helpers.judging.formats.source import Content
from helpers.judging.formats.table import cell_text

NAME = "argilla"
SAYS = "flat records of Argilla"
NAMED = ("query", "doc", "grade")
ANSWERED = re.compile(r"(.+)\.responses")
NOT_SHOWN = re.compile(r".+\.(responses|suggestion)(\..*)?|status|_server_id")
STATUSES = ("submitted", "draft", "discarded", "pending")


def recognise(content: Content) -> bool:
    """Whether the first record of the content has keys QUESTION.responses and QUESTION.responses.users."""
    return (
        content.is_json
        and bool(content.records)
        and any(ANSWERED.fullmatch(key) and f"{key}.users" in content.records[0][1] for key in content.records[0][1])
    )


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments that were submitted; suggestions are apart, their assessors called "model: AGENT".

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        with file and record: a missing key, users or statuses that are not as many as the responses, a status that
        Argilla does not have; with the file: several questions.
    """
    records = [record for _, record in content.records]
    question = _question(content, records, wanted)
    shown = [{key: value for key, value in record.items() if not NOT_SHOWN.fullmatch(key)} for record in records]
    keys = pair_keys(content.path, shown, wanted)
    rows, left_out = [], Counter()
    for place, record in content.records:
        where = f"{content.path}, {place}"
        pair = [name_of(record, keys[role], where) for role in keys]
        responses = _responses(record, question, where)
        left_out["records without response"] += not responses
        for value, user, status in responses:
            if status == "submitted":
                rows.append((place, *pair, user, cell_text(where, question, value)))
            else:
                left_out[f"responses that are {status}"] += 1
        if (suggestion := record.get(f"{question}.suggestion")) is not None:
            agent = name_of(record, f"{question}.suggestion.agent", where)
            grade = cell_text(where, question, suggestion)
            rows.append((place, *pair, f"model: {agent}", grade, None, None, True))
    tasks = {(str(task[keys["query"]]), str(task[keys["doc"]])): task for task in shown}
    return Parsed(frame(rows), f"{len(records)} records", dict(left_out), keys, tasks)


def _question(content: Content, records: list[dict], wanted: Wanted) -> str:
    """The one question, or the one that the user names as grade."""
    keys = list(dict.fromkeys(key for record in records for key in record))
    questions = [match[1] for key in keys if (match := ANSWERED.fullmatch(key))]
    if "grade" in wanted.columns:
        return roles.present(content.path, "grade", wanted.columns["grade"][0], questions)
    if len(questions) != 1:
        raise ValueError(
            f"{content.path}: questions with responses are {checks.some(questions) or 'not there'}, expected one: "
            f"add {roles.call({'grade': (questions or ['QUESTION'])[0]})} with the one that holds the grades"
        )
    return questions[0]


def _responses(record: dict, question: str, where: str) -> list[tuple]:
    """Value, user and status of every response."""
    endings = ("", ".users", ".status")
    parts = [taken(record, f"{question}.responses{end}", (list, type(None)), where) or [] for end in endings]
    if len({len(part) for part in parts}) > 1:
        raise ValueError(f"{where}: {' and '.join(str(len(part)) for part in parts)} responses, users and statuses")
    for status in parts[2]:
        checks.one_of(f"{where}: a status", status, STATUSES)
    return [(value, cell_text(where, "a user", user), status) for value, user, status in zip(*parts, strict=True)]
