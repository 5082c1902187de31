"""Formats of one grade a pair: lists of search engines, qrels, learning to rank, umbrela, a case of Quepid."""

from __future__ import annotations

import re
from typing import Any

from helpers import checks, texts
from helpers.datasets.runs.trec import QRELS_FIELDS, QRELS_READ
from helpers.judging.formats.frame import Format, Parsed, Wanted, frame, name_of, taken, with_keys
from helpers.judging.formats.names import LONG, key
from helpers.judging.formats.source import Content, cell_text

COMPLETED = "COMPLETED"
GAINS = {"0", "1", "10", "100"}


def _is_opensearch(content: Content) -> bool:
    """Whether the content is a list of judgmentRatings, alone or in the answer to a search."""
    return content.is_json and "judgmentRatings" in _stored(content.document)


def _opensearch(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of one assessor, who is called as the file is; gains (0, 1, 10, 100) have to be declared."""
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


def _is_rank_eval(content: Content) -> bool:
    """Whether the content has a list of requests."""
    return content.is_json and isinstance(content.document, dict) and "requests" in content.document


def _rank_eval(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of one assessor, who is called as the file is; the id of a request is the query."""
    path, rows, indices, without = content.path, [], {}, 0
    for number, request in enumerate(taken(content.document, "requests", list, str(path)), 1):
        query = name_of(request, "id", f"{path}, request {number}")
        ratings = taken(request, "ratings", list, f"{path}, request {query}")
        without += not ratings
        for rating in ratings:
            with_keys(rating, ("_index", "_id", "rating"), f"{path}, request {query}")
            doc = name_of(rating, "_id", f"{path}, request {query}")
            place = f"request {query}, _id {doc}"
            index = name_of(rating, "_index", f"{path}, {place}")
            if indices.setdefault((query, doc), index) != index:
                raise ValueError(f"{path}, {place}: rated in {indices[query, doc]} and in {index}, expected one _index")
            value = taken(rating, "rating", (int, float, str), f"{path}, {place}")
            rows.append((place, query, doc, content.stem, str(value)))
    return Parsed(frame(rows), f"{len(rows)} ratings", {"requests without ratings": without})


KEYS = {"judgment", "passage", "prediction"}


def _is_umbrela(content: Content) -> bool:
    """Whether the first object of the content has judgment, passage and prediction."""
    return content.is_json and bool(content.records) and set(content.records[0][1]) >= KEYS


def _umbrela(content: Content, wanted: Wanted) -> Parsed:
    """Judgments by models; one with result_status 0 is none, as the answer was not understood."""
    path, rows = content.path, []
    names = {role: wanted.columns.get(role, [key])[0] for role, key in [("query", "query"), ("doc", "passage")]}
    for place, record in content.records:
        where = f"{path}, {place}"
        status = taken(record, "result_status", (int, bool), where)
        if status not in (0, 1):
            raise ValueError(f"{where}: result_status is {status}, expected 0 or 1")
        if status:
            pair = [name_of(record, names[role], where) for role in LONG[:2]]
            grade = str(taken(record, "judgment", (int, float, str), where))
            said = taken(record, "prediction", str, where)
            rows.append((place, *pair, name_of(record, "model", where), grade, None, said))
    left_out = {"answers that were not understood (result_status 0)": len(content.records) - len(rows)}
    return Parsed(frame(rows), f"{len(content.records)} answers", left_out, names)


LOOKED_AT = 100
ITERATION = re.compile("q?0", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")
SPAM = {"-2": "0"}
UNJUDGED = "-1"


def _is_qrels(content: Content) -> bool:
    """Whether nearly all of the first lines of the content are query, 0 or Q0, document, and a number."""
    if content.is_json or content.is_parquet:
        return False
    lines = [fields for line in content.lines[:LOOKED_AT] if (fields := texts.fields_of(line))]
    fitting = sum(len(f) == 4 and bool(ITERATION.fullmatch(f[1]) and NUMBER.fullmatch(f[3])) for f in lines)
    return fitting > 0.7 * len(lines)


def _qrels(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of one assessor, called as the file; -1 is not judged, -2 (spam) is 0, unless they are declared."""
    rows, unjudged, spam = [], 0, 0
    declared = wanted.grades or {}
    lines = texts.Lines(content.path, QRELS_FIELDS, QRELS_READ, texts.with_line_feeds(content.text))
    columns = (lines.columns[name].to_pylist() for name in QRELS_READ)
    for number, query, doc, grade in zip(lines.line_numbers(), *columns, strict=True):
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


QUERY = re.compile(r"#\s*qid:(\S+?):\s+(.*\S)\s*")
JUDGMENT = re.compile(r"(\S+)\s+qid:(\S+)(?:\s+[0-9]+:\S+)*\s*#\s*([^\t]*?)\s*(?:\t.*)?")


def _is_es_ltr(content: Content) -> bool:
    """Whether the first line of the content that is no comment is a grade, a qid and a document behind #."""
    if content.is_json or content.is_parquet:
        return False
    first = next((line for line in content.lines if line.strip() and not line.lstrip().startswith("#")), "")
    return bool(JUDGMENT.fullmatch(first.strip()))


def _es_ltr(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of one assessor, who is called as the file is; a query has its text where the file says it."""
    called, rows, comments = _queries(content), [], 0
    for number, line in enumerate(content.lines, 1):
        place = f"line {number}"
        if not line.strip() or line.lstrip().startswith("#"):
            comments += bool(line.strip()) and not QUERY.fullmatch(line.strip())
            continue
        match = JUDGMENT.fullmatch(line.strip())
        if not match:
            raise ValueError(f"{content.path}, {place}: {line[:60]!r}, expected GRADE qid:NUMBER # DOC")
        if called and match[2] not in called:
            raise ValueError(
                f"{content.path}, {place}: qid {match[2]} has no line '# qid:{match[2]}: TEXT' as others have"
            )
        doc = match[3] if "\t" in line else match[3].split(" ")[0]
        rows.append((place, called.get(match[2], match[2]), doc, content.stem, match[1]))
    return Parsed(frame(rows), f"{len(rows)} lines of judgments", {"lines of comment": comments})


def _queries(content: Content) -> dict[str, str]:
    """The text of each qid."""
    called: dict[str, str] = {}
    for number, line in enumerate(content.lines, 1):
        match = QUERY.fullmatch(line.strip())
        if match and (match[1] in called or match[2] in called.values()):
            raise ValueError(f"{content.path}, line {number}: a second {match[0]!r}, expected one text for each qid")
        if match:
            called[match[1]] = match[2]
    return called


CASE = ["query", "docid", "rating"]


def _is_quepid_case(content: Content) -> bool:
    """Whether the columns of the content are query, docid, rating."""
    return not content.is_json and content.table.header == CASE


def _quepid_case(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a case by one assessor, who is called as the file is."""
    table = content.table.of_equal_rows()
    if table.header != CASE:
        raise ValueError(f"{content.path}: columns {checks.some(table.header)}, expected {', '.join(CASE)}")
    cells = [*map(table.ids, CASE[:2]), table.column("rating")]
    rows = [
        (f"{table.word} {place}", query, doc, content.stem, grade)
        for place, query, doc, grade in zip(table.places, *cells, strict=True)
        if grade
    ]
    left_out = {"rows without rating": len(table.rows) - len(rows)}
    return Parsed(frame(rows), f"{len(table.rows)} {table.word}s", left_out, {"query": "query", "doc": "docid"})


OPENSEARCH = Format("opensearch", "a judgment list of OpenSearch", (), _is_opensearch, _opensearch)
RANK_EVAL = Format("rank-eval", "a body of _rank_eval, its requests' ids as queries", (), _is_rank_eval, _rank_eval)
UMBRELA = Format("umbrela", "judgments by UMBRELA, its passages as documents", ("query", "doc"), _is_umbrela, _umbrela)
QRELS = Format("qrels", "qrels of one assessor, who is called as the file is", (), _is_qrels, _qrels)
ES_LTR = Format("es-ltr", "judgments for Elasticsearch LTR", (), _is_es_ltr, _es_ltr)
QUEPID_CASE = Format("quepid-case", "a Quepid case, one rating a pair", (), _is_quepid_case, _quepid_case)
