"""Exports of labelling tools: Label Studio, Argilla, doccano."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from helpers import checks
from helpers.judging.formats.frame import Format, Parsed, Wanted, frame, name_of, pair_keys, taken
from helpers.judging.formats.names import columns_call, grades_call, present
from helpers.judging.formats.source import Content, cell_text

CONTROLS = ("choices", "rating", "textarea")


class Answer(NamedTuple):
    """An annotation or prediction: why it does not count, whose it is, type and value by control."""

    reason: str
    place: str
    pair: tuple[str, str]
    judge: str
    seconds: Any
    said: dict[str, tuple[str, str]]
    apart: bool = False


def _is_label_studio(content: Content) -> bool:
    """Whether the first task of the content has data and annotations."""
    return content.is_json and bool(content.records) and {"data", "annotations"} <= set(content.records[0][1])


def _label_studio(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a project; predictions are apart, their assessors called "model: VERSION"."""
    tasks = [
        (record, taken(record, "data", dict, f"{content.path}, {place}"), _place(record, place))
        for place, record in content.records
    ]
    keys = pair_keys(content.path, [data for _, data, _ in tasks], wanted)
    answers = [answer for task in tasks for answer in _answers(content, *task, keys)]
    controls = [_control(content, role, answers, wanted) for role in ("grade", "explanation")]
    rows, left_out = [], Counter()
    left_out["tasks without annotation"] = sum(
        not record["annotations"] and not record.get("predictions") for record, *_ in tasks
    )
    for answer in answers:
        grade, text = (answer.said.get(control, ("", ""))[1] for control in controls)
        if reason := answer.reason or ("" if grade else "annotations without an answer"):
            left_out[reason] += 1
        else:
            row = (answer.place, *answer.pair, answer.judge, grade, answer.seconds, text or None, answer.apart)
            rows.append(row)
    shown = {_pair(data, keys, f"{content.path}, {place}"): {"data": data} for _, data, place in tasks}
    return Parsed(frame(rows), f"{len(tasks)} tasks", dict(left_out), keys, shown)


def _answers(content: Content, record: dict, data: dict, place: str, keys: dict[str, str]) -> Iterator[Answer]:
    """Every annotation and prediction of a task."""
    where = f"{content.path}, {place}"
    annotations, predictions = taken(record, "annotations", list, where), record.get("predictions") or []
    if not isinstance(predictions, list):
        raise ValueError(f"{where}: 'predictions' is {predictions!r}, expected list")
    pair = _pair(data, keys, where) if annotations or predictions else ("", "")
    for annotation in annotations:
        by = taken(annotation, "completed_by", (int, str, dict, type(None)), where)
        cancelled = taken(annotation, "was_cancelled", bool, where)
        reason = "cancelled annotations" if cancelled else "annotations of deleted users" if by is None else ""
        said = _values(annotation, where) if not cancelled else {}
        yield Answer(reason, place, pair, _judge(by, where), annotation.get("lead_time"), said)
    for prediction in predictions:
        model = f"model: {name_of(prediction, 'model_version', where)}"
        yield Answer("", place, pair, model, None, _values(prediction, where), True)


def _values(annotation: Any, where: str) -> dict[str, tuple[str, str]]:
    """Type and value of every control that is answered."""
    found: dict[str, tuple[str, str]] = {}
    for result in taken(annotation, "result", list, where):
        kind = taken(result, "type", str, where)
        if kind in CONTROLS:
            key = "text" if kind == "textarea" else kind
            value = taken(taken(result, "value", dict, where), key, (list, str, int, float), where)
            values = value if isinstance(value, list) else [value]
            name = name_of(result, "from_name", where)
            if kind != "textarea" and (len(values) > 1 or name in found):
                raise ValueError(f"{where}: several answers to {name} in one annotation, expected one")
            found[name] = (kind, " ".join(cell_text(where, name, value) for value in values))
    return found


def _control(content: Content, role: str, answers: list[Answer], wanted: Wanted) -> str | None:
    """The one control that gives the grade, or the explanation."""
    kinds = CONTROLS[:2] if role == "grade" else CONTROLS[2:]
    names = list(dict.fromkeys(name for answer in answers for name, (kind, _) in answer.said.items() if kind in kinds))
    if role in wanted.columns:
        return present(content.path, role, wanted.columns[role][0], names)
    if len(names) > 1 and role == "grade":
        raise ValueError(
            f"{content.path}: several controls are answered ({', '.join(names)}), expected one: add "
            f"{columns_call({'grade': names[0]})} with the one that holds the grades"
        )
    return names[0] if len(names) == 1 else None


def _judge(by: int | str | dict | None, where: str) -> str:
    """Who annotated: the address of an object, or its id."""
    if isinstance(by, dict):
        return name_of(by, "email" if by.get("email") else "id", where)
    return "" if by is None else str(by)


def _place(record: dict, place: str) -> str:
    return f"task {record['id']}" if isinstance(record.get("id"), int | str) else place


def _pair(data: dict, keys: dict[str, str], where: str) -> tuple[str, str]:
    return name_of(data, keys["query"], where), name_of(data, keys["doc"], where)


ANSWERED = re.compile(r"(.+)\.responses")
ARGILLA_HIDDEN = re.compile(r".+\.(responses|suggestion)(\..*)?|status|_server_id")
STATUSES = ("submitted", "draft", "discarded", "pending")


def _is_argilla(content: Content) -> bool:
    """Whether the first record of the content has keys QUESTION.responses and QUESTION.responses.users."""
    return (
        content.is_json
        and bool(content.records)
        and any(ANSWERED.fullmatch(key) and f"{key}.users" in content.records[0][1] for key in content.records[0][1])
    )


def _argilla(content: Content, wanted: Wanted) -> Parsed:
    """Judgments that were submitted; suggestions are apart, their assessors called "model: AGENT"."""
    records = [record for _, record in content.records]
    question = _question(content, records, wanted)
    shown = [{key: value for key, value in record.items() if not ARGILLA_HIDDEN.fullmatch(key)} for record in records]
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
        return present(content.path, "grade", wanted.columns["grade"][0], questions)
    if len(questions) != 1:
        raise ValueError(
            f"{content.path}: questions with responses are {checks.some(questions) or 'not there'}, expected one: "
            f"add {columns_call({'grade': (questions or ['QUESTION'])[0]})} with the one that holds the grades"
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


ANNOTATION = {"label", "user", "id", "prob", "manual", "created_at", "updated_at", "document", "example"}
DOCCANO_HIDDEN = {"id", "annotations", "label", "annotation_approver", "Comments", "comments"}


def _is_doccano(content: Content) -> bool:
    """Whether the first object of the content has a text, and annotations or a list of labels."""
    first = content.records[0][1] if content.is_json and content.records else {}
    return "text" in first and (isinstance(first.get("annotations"), list) or isinstance(first.get("label"), list))


def _doccano(content: Content, wanted: Wanted) -> Parsed:
    """Judgments by users; where the file names none, by one assessor, who is called as the file is."""
    path, rows = content.path, []
    merged = [(f"{path}, {place}", place, {**_meta(record), **record}) for place, record in content.records]
    keys = pair_keys(path, [record for *_, record in merged], wanted)
    for where, place, record in merged:
        pair = [name_of(record, keys[role], where) for role in keys]
        rows += [(place, *pair, user, label) for label, user in _labels(record, content.stem, where)]
    if wanted.grades is None and "annotations" in merged[0][2]:
        numbers = sorted({label for *_, label in rows}, key=lambda label: (len(label), label))
        raise ValueError(
            f"{path}: its labels are numbers, named in doccano's label_config.json, and no grades: add "
            f"{grades_call(numbers)} with their grades"
        )
    judged = {row[1:3] for row in rows}
    pairs = [tuple(name_of(record, keys[role], where) for role in keys) for where, _, record in merged]
    shown = [
        {key: value for key, value in record.items() if key not in DOCCANO_HIDDEN} for _, record in content.records
    ]
    left_out = {"texts without annotation": sum(pair not in judged for pair in pairs)}
    return Parsed(frame(rows), f"{len(merged)} texts", left_out, keys, dict(zip(pairs, shown, strict=True)))


def _labels(record: dict, stem: str, where: str) -> Iterator[tuple[str, str]]:
    """Label and user of every annotation."""
    if "annotations" in record:
        for annotation in taken(record, "annotations", list, where):
            label, user = name_of(annotation, "label", where), name_of(annotation, "user", where)
            if others := set(annotation) - ANNOTATION:
                raise ValueError(f"{where}: an annotation with {', '.join(sorted(others))}, expected label and user")
            yield label, user
        return
    labels = taken(record, "label", list, where)
    if len(labels) > 1:
        raise ValueError(f"{where}: {len(labels)} labels, expected one")
    for label in labels:
        yield cell_text(where, "label", label), stem


def _meta(record: dict) -> dict:
    return record["meta"] if isinstance(record.get("meta"), dict) else {}


LABEL_STUDIO = Format(
    "label-studio",
    "a JSON export of Label Studio",
    ("query", "doc", "grade", "explanation"),
    _is_label_studio,
    _label_studio,
)
ARGILLA = Format("argilla", "flat records of Argilla", ("query", "doc", "grade"), _is_argilla, _argilla)
DOCCANO = Format("doccano", "an export of doccano", ("query", "doc"), _is_doccano, _doccano)
