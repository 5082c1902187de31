"""Doccano's JSONL: annotations with the numbers of labels and users, or the names of labels under ``label``."""

from __future__ import annotations

from collections.abc import Iterator

from helpers.judging.formats import scales
from helpers.judging.formats.parsed import Parsed, Wanted, frame, name_of, pair_keys, taken
from helpers.judging.formats.source import Content
from helpers.judging.formats.table import cell_text

NAME = "doccano"
SAYS = "an export of doccano"
NAMED = ("query", "doc")
ANNOTATION = {"label", "user", "id", "prob", "manual", "created_at", "updated_at", "document", "example"}
NOT_SHOWN = {"id", "annotations", "label", "annotation_approver", "Comments", "comments"}


def recognise(content: Content) -> bool:
    """Whether the first object of the content has a text, and annotations or a list of labels."""
    first = content.records[0][1] if content.is_json and content.records else {}
    return "text" in first and (isinstance(first.get("annotations"), list) or isinstance(first.get("label"), list))


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments by users; where the file names none, by one assessor, who is called as the file is.

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        also where labels are numbers and no grades are declared for them: what they mean is in label_config.json.
    """
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
            f"{scales.call(numbers)} with their grades"
        )
    judged = {row[1:3] for row in rows}
    pairs = [tuple(name_of(record, keys[role], where) for role in keys) for where, _, record in merged]
    shown = [{key: value for key, value in record.items() if key not in NOT_SHOWN} for _, record in content.records]
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
