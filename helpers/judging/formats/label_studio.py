"""Label Studio's JSON export: tasks with annotations by people and predictions by models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from helpers.judging.formats import roles
from helpers.judging.formats.parsed import Parsed, Wanted, frame, name_of, pair_keys, taken
from helpers.judging.formats.source import Content
from helpers.judging.formats.table import cell_text

NAME = "label-studio"
SAYS = "a JSON export of Label Studio"
NAMED = ("query", "doc", "grade", "explanation")
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


def recognise(content: Content) -> bool:
    """Whether the first task of the content has data and annotations."""
    return content.is_json and bool(content.records) and {"data", "annotations"} <= set(content.records[0][1])


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a project; predictions are apart, their assessors called "model: VERSION".

    A judgment is a choice or a rating of the one control that has any (columns grade=NAME chooses among several);
    cancelled annotations, those of deleted users and those without an answer are left out. A text control gives the
    explanation, lead_time the seconds.

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        with file and task: a missing key, two answers to one control; with the file: several controls.
    """
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
        return roles.present(content.path, role, wanted.columns[role][0], names)
    if len(names) > 1 and role == "grade":
        raise ValueError(
            f"{content.path}: several controls are answered ({', '.join(names)}), expected one: add "
            f"{roles.call({'grade': names[0]})} with the one that holds the grades"
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
