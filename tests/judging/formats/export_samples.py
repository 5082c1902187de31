"""Small exports of every format, each grade marked by « and », which are not in the file; what is read, or refused."""

# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest

from helpers.judging import formats

LONG = ["query", "doc", "assessor", "grade"]
TABLE = "query,doc,assessor,grade\ntea,d1,ann,2\ntea,d2,ann,0\n"
ESCI = "0:0,1:1,10:2,100:3"
LABELS = "41:0,42:1,43:2"


@dataclass(frozen=True)
class Sample:
    """One export: its marked text, the file's name, how it is read, and the right reading."""

    marked: str
    name: str
    right: str
    settings: dict = field(default_factory=dict)

    @property
    def rows(self):
        """The right reading: query, document, assessor, grade of each judgment."""
        parts = (row.split("|") for row in self.right.split("; "))
        return tuple((*names, int(grade)) for *names, grade in parts)

    @property
    def text(self):
        return re.sub("[«»]", "", self.marked)

    def grade_spans(self):
        """Where grades stand in the bytes of the text."""
        spans, position = [], 0
        for part in re.split("([«»])", self.marked):
            if part == "«":
                spans.append([position])
            elif part == "»":
                spans[-1].append(position)
            else:
                position += len(part.encode())
        return spans


def rows(reading):
    return [tuple(row) for row in reading.frame[LONG].to_numpy().tolist()]


def refused(path, message, **settings):
    """A line that says this, and names the file unless it begins with a setting."""
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        formats.read(path, **settings)
    assert path.name in str(error.value) or str(error.value).startswith(
        ("a role in columns", "columns has", "grades has")
    )
    assert "\n" not in str(error.value)


def read_or_refused(path, format=None, **settings):
    """The reading, or None where it is refused with the file's name."""
    try:
        return formats.read(path, format, **settings)
    except (ValueError, OSError) as error:
        if path.name not in str(error):
            raise
        return None


def grades(sample):
    """The right reading as {(query, doc, assessor): grade}."""
    return {row[:3]: row[3] for row in sample.rows}


SAMPLES = {
    "quepid-book": Sample(
        "query,docid,Carla Diaz,Ole Berg,Anonymous,Carla Diaz\n"
        "tea pot,aa11,«3.0»,,,«2.0»\n"
        " +12 volt pump,bb22,,«0.0»,«1.0»,\n"
        '"jar, blue",cc33,«1.0»,«1.0»,,«0.0»\n'
        " @work sign,dd44,,,,\n",
        "book_9.csv",
        "tea pot|aa11|Carla Diaz|3; tea pot|aa11|Carla Diaz (2)|2; +12 volt pump|bb22|Ole Berg|0; "
        "+12 volt pump|bb22|Anonymous|1; jar, blue|cc33|Carla Diaz|1; jar, blue|cc33|Ole Berg|1; "
        "jar, blue|cc33|Carla Diaz (2)|0",
    ),
    "quepid-case": Sample(
        'query,docid,rating\ntea pot,aa11,«3»\ntea pot,bb22,«0»\nnothing rated,,\n"jar, blue",cc33,«1»\n -5 sensor,dd44,«2»',
        "case 7.csv",
        "tea pot|aa11|case 7|3; tea pot|bb22|case 7|0; jar, blue|cc33|case 7|1; -5 sensor|dd44|case 7|2",
    ),
    "wide": Sample(
        "query,docid,title,agent_1_rating,agent_2_rating,final_rating\n"
        'tea pot,aa11,"Pot, ""small""",«3»,«2»,«3»\n'
        "tea pot,bb22,Cup,«0»,,«0»\n"
        "jar,cc33,,,«1»,«1»\n",
        "chorus.csv",
        "tea pot|aa11|agent_1|3; tea pot|aa11|agent_2|2; tea pot|bb22|agent_1|0; jar|cc33|agent_2|1",
    ),
    "opensearch": Sample(
        '{"name": "n", "type": "IMPORT_JUDGMENT", "judgmentRatings": [\n'
        ' {"query": "tea pot", "ratings": [{"docId": "aa11", "rating": "«100.000»"},\n'
        '  {"docId": "bb22", "rating": "«0.000»"}]},\n'
        ' {"query": "jar", "ratings": [{"docId": "cc33", "rating": "«10.000»"}, {"docId": "dd44", "rating": "«1.000»"}]}]}\n',
        "list.json",
        "tea pot|aa11|list|3; tea pot|bb22|list|0; jar|cc33|list|2; jar|dd44|list|1",
        {"grades": ESCI},
    ),
    "rank-eval": Sample(
        '{"requests": [{"id": "pots", "request": {"query": {"match": {"t": "tea pot"}}},\n'
        ' "ratings": [{"_index": "shop", "_id": "aa11", "rating": «3»}, {"_index": "shop", "_id": "b/22 ö", "rating": «0»}]},\n'
        ' {"id": "jars", "request": {}, "ratings": [{"_index": "shop", "_id": "aa11", "rating": «1»}]}],\n'
        ' "metric": {"precision": {"k": 5}}}\n',
        "body.json",
        "pots|aa11|body|3; pots|b/22 ö|body|0; jars|aa11|body|1",
    ),
    "es-ltr": Sample(
        "# qid:1: tea pot\n# qid:2: +12 volt pump\n#\n\n«4»\tqid:1 #\t7101\tA pot\n«0»\tqid:1 #\t7202\tCup #2\n# pumps\n"
        "«2»\tqid:2 #\t7303\tPump\n",
        "judged.txt",
        "tea pot|7101|judged|4; tea pot|7202|judged|0; +12 volt pump|7303|judged|2",
    ),
    "label-studio": Sample(
        '[{"id": 51, "data": {"query": "tea pot", "docid": "aa11", "doc": "A pot"}, "annotations": [\n'
        '  {"completed_by": 1122, "was_cancelled": false, "lead_time": 4.5, "result": [\n'
        '   {"from_name": "note", "type": "textarea", "value": {"text": ["a pot indeed"]}},\n'
        '   {"from_name": "rel", "type": "choices", "value": {"choices": ["«Relevant»"]}}]},\n'
        '  {"completed_by": {"id": 3344, "email": "ole@example.org"}, "was_cancelled": false, "lead_time": 2, "result": [\n'
        '   {"from_name": "rel", "type": "choices", "value": {"choices": ["«Partly relevant»"]}}]}],\n'
        ' "predictions": [{"model_version": "m-1", "result": [\n'
        '   {"from_name": "rel", "type": "choices", "value": {"choices": ["«Relevant»"]}}]}]},\n'
        ' {"id": 52, "data": {"query": "jar", "docid": "bb22", "doc": "A cup"}, "annotations": [\n'
        '  {"completed_by": 1122, "was_cancelled": false, "lead_time": 1.5, "result": [\n'
        '   {"from_name": "rel", "type": "choices", "value": {"choices": ["«Not relevant»"]}}]},\n'
        '  {"completed_by": 5566, "was_cancelled": true, "lead_time": 9, "result": [\n'
        '   {"from_name": "rel", "type": "choices", "value": {"choices": ["«Relevant»"]}}]}], "predictions": []},\n'
        ' {"id": 53, "data": {"query": "jar", "docid": "cc33", "doc": "A jar"}, "annotations": []}]\n',
        "project.json",
        "tea pot|aa11|1122|2; tea pot|aa11|ole@example.org|1; jar|bb22|1122|0",
    ),
    "argilla": Sample(
        '[{"id": "r1", "status": "completed", "query": "tea pot", "document": "A pot", "docid": "aa11",\n'
        ' "rel.responses": ["«2»", "«1»"], "rel.responses.users": ["u-1122", "u-3344"],\n'
        ' "rel.responses.status": ["submitted", "submitted"],\n'
        ' "rel.suggestion": "«0»", "rel.suggestion.score": NaN, "rel.suggestion.agent": "m-1"},\n'
        ' {"id": "r2", "status": "pending", "query": "jar", "document": "A cup", "docid": "bb22",\n'
        ' "rel.responses": ["«1»", "«0»"], "rel.responses.users": ["u-1122", "u-3344"],\n'
        ' "rel.responses.status": ["draft", "submitted"],\n'
        ' "rel.suggestion": null, "rel.suggestion.score": null, "rel.suggestion.agent": null},\n'
        ' {"id": "r3", "status": "pending", "query": "jar", "document": "A jar", "docid": "cc33",\n'
        ' "rel.responses": null, "rel.responses.users": null, "rel.responses.status": []}]\n',
        "records.json",
        "tea pot|aa11|u-1122|2; tea pot|aa11|u-3344|1; jar|bb22|u-3344|0",
    ),
    "doccano": Sample(
        '{"id": 1, "text": "tea pot: A pot", "annotations": [{"label": «43», "user": 1122}, {"label": «42», "user": 3344}], '
        '"meta": {"query": "tea pot", "docid": "aa11"}}\n'
        '{"id": 2, "text": "jar: A cup", "annotations": [{"label": «41», "user": 1122}], '
        '"meta": {"query": "jar", "docid": "bb22"}}\n'
        '{"id": 3, "text": "jar: A jar", "annotations": [], "meta": {"query": "jar", "docid": "cc33"}}\n',
        "all.jsonl",
        "tea pot|aa11|1122|2; tea pot|aa11|3344|1; jar|bb22|1122|0",
        {"grades": LABELS},
    ),
    "mturk": Sample(
        '"HITId","WorkerId","AssignmentStatus","WorkTimeInSeconds","Input.query","Input.doc","Answer.rel","Approve","Reject"\n'
        '"H1","W1122","Approved","30","tea pot","aa11","«2»"\n'
        '"H1","W3344","Rejected","1","tea pot","aa11","«0»"\n'
        '"H2","W1122","Submitted","12","jar, blue","bb22","«1»"\n'
        '"H2","W5566","Approved","9","jar, blue","bb22",""\n',
        "batch.csv",
        "tea pot|aa11|W1122|2; jar, blue|bb22|W1122|1",
    ),
    "umbrela": Sample(
        '{"model": "m-1", "query": "tea pot", "passage": "A pot.", "prediction": "final: 3", "judgment": «3», '
        '"result_status": 1}\n'
        '{"model": "m-1", "query": "jar", "passage": "A cup.", "prediction": "It is", "judgment": «0», '
        '"result_status": 0}\n'
        '{"model": "m-1", "query": "jar", "passage": "A jar.", "prediction": "final: 0", "judgment": «0», '
        '"result_status": 1}\n',
        "answers.jsonl",
        "tea pot|A pot.|m-1|3; jar|A jar.|m-1|0",
    ),
    "qrels": Sample(
        "q11 0 aa11 «2»\nq11\tQ0\tbb22\t«0»\n\nq22  0  cc33  «-1»\nq22 0 <ä> «-2»\nq22 0 dd44 «1.0»\n",
        "ann.qrels",
        "q11|aa11|ann|2; q11|bb22|ann|0; q22|<ä>|ann|0; q22|dd44|ann|1",
    ),
    "long": Sample(
        "query_id;doc_id;user;rating\ntea pot;aa11;W1122;«Good»\ntea pot;aa11;W3344;«Fair»\njar, blue;bb22;W1122;«Bad»\n"
        "jar, blue;cc33;W3344;\n",
        "export.csv",
        "tea pot|aa11|W1122|2; tea pot|aa11|W3344|1; jar, blue|bb22|W1122|0",
    ),
    "opensearch scores": Sample(
        '{"name": "n", "judgmentScores": {"tea pot": [{"docId": "aa11", "score": "«1.0»"}, {"docId": "bb22", "score": "«0.0»"}],\n'
        ' "jar": [{"docId": "cc33", "score": "«2.0»"}]}}\n',
        "scores.json",
        "tea pot|aa11|scores|1; tea pot|bb22|scores|0; jar|cc33|scores|2",
    ),
    "rre": Sample(
        '{"index": "shop", "topics": [{"description": "t", "query_groups": [{"name": "g",\n'
        ' "queries": [{"template": "t.json", "placeholders": {"$query": "tea pot"}}],\n'
        ' "relevant_documents": {"«3»": ["aa11"], "«1»": ["bb22", "cc33"]}}]}]}\n',
        "ratings.json",
        "tea pot|aa11|ratings|3; tea pot|bb22|ratings|1; tea pot|cc33|ratings|1",
    ),
    "rre quepid": Sample(
        '{"id_field": "id", "index": "shop", "queries": [{"placeholders": {"$query": "tea pot"},\n'
        ' "relevant_documents": {"aa11": {"gain": «3»}, "bb22": {"gain": «0»}}},\n'
        ' {"placeholders": {"$query": "jar"}, "relevant_documents": {"cc33": {"gain": «2»}}}]}\n',
        "case.json",
        "tea pot|aa11|case|3; tea pot|bb22|case|0; jar|cc33|case|2",
    ),
    "quepid-book json": Sample(
        '{"name": "b", "scale": [0, 1, 2, 3], "query_doc_pairs": [{"query_text": "tea pot", "doc_id": "aa11", "judgements": [\n'
        '  {"rating": «3.0», "unrateable": false, "judge_later": false, "user_email": "ole@example.org", "explanation": "so"},\n'
        '  {"rating": «2.0», "unrateable": false, "judge_later": false, "explanation": null},\n'
        '  {"rating": null, "unrateable": true, "judge_later": false, "user_email": "c1122@example.org"}]},\n'
        ' {"query_text": "jar", "doc_id": "bb22", "judgements": []}]}\n',
        "book.json",
        "tea pot|aa11|ole@example.org|3; tea pot|aa11|Anonymous|2",
    ),
    "argilla nested": Sample(
        '[{"id": "r1", "status": "completed", "fields": {"query": "tea pot", "document": "A pot"}, "metadata": {"doc_id": "aa11"},\n'
        ' "responses": {"rel": [{"value": «2», "user_id": "u-1122"}, {"value": «1», "user_id": "u-3344"}]},\n'
        ' "suggestions": {"rel": {"value": «0», "agent": "m-1"}}},\n'
        ' {"id": "r2", "status": "pending", "fields": {"query": "jar", "document": "A cup"}, "metadata": {"doc_id": "bb22"},\n'
        ' "suggestions": {}, "responses": {}}]\n',
        "nested.json",
        "tea pot|aa11|u-1122|2; tea pot|aa11|u-3344|1",
    ),
    "argilla 1": Sample(
        '[{"fields": {"query": "tea pot", "document": "A pot"}, "metadata": {"doc_id": "aa11"}, "responses": [\n'
        '  {"user_id": "u-1122", "status": "submitted", "values": {"rel": {"value": «2»}}},\n'
        '  {"user_id": "u-3344", "status": "draft", "values": {"rel": {"value": «1»}}}],\n'
        ' "suggestions": [{"question_name": "rel", "value": «0», "agent": "m-1"}]}]\n',
        "first.json",
        "tea pot|aa11|u-1122|2",
    ),
    "prodigy": Sample(
        '{"text": "A pot", "query": "tea pot", "doc_id": "aa11", "accept": ["«1»"], "answer": "accept", "_input_hash": 1, '
        '"_annotator_id": "rel-1122"}\n'
        '{"text": "A pot", "query": "tea pot", "doc_id": "aa11", "accept": [], "answer": "ignore", "_input_hash": 1, '
        '"_annotator_id": "rel-3344"}\n'
        '{"text": "A cup", "query": "jar", "doc_id": "bb22", "accept": ["«0»"], "answer": "accept", "_input_hash": 2, '
        '"_annotator_id": "rel-1122"}\n',
        "prodigy.jsonl",
        "tea pot|aa11|rel-1122|1; jar|bb22|rel-1122|0",
    ),
    "potato": Sample(
        '{"id": "aa11", "displayed_text": "tea pot: A pot", "label_annotations": {"rel": {"«Good»": "3"}}}\n'
        '{"id": "bb22", "displayed_text": "jar: A cup", "label_annotations": {"rel": {"«Bad»": "1"}}}\n',
        "annotated.jsonl",
        "all|aa11|annotated|1; all|bb22|annotated|0",
        {"grades": "Good:1,Bad:0"},
    ),
    "potato state": Sample(
        '{"user_id": "p-1122", "instance_id_to_label_to_value": {\n'
        ' "aa11": [[{"schema": "rel", "name": "«1»"}, "true"]],\n "bb22": [[{"schema": "rel", "name": "«0»"}, "true"]]}}\n',
        "state.json",
        "all|aa11|p-1122|1; all|bb22|p-1122|0",
    ),
    "qrels object": Sample(
        '{"q1": {"d1": «1», "d2": «0»},\n "q2": {"d3": «2»}}\n',
        "object.json",
        "q1|d1|object|1; q1|d2|object|0; q2|d3|object|2",
    ),
    "long json": Sample(
        '{"task": {"query": "tea pot", "id": 1}, "hits": [{"doc_id": "aa11", "votes": [{"user": "W1122", "rating": «2»}]}]}\n'
        '{"task": {"query": "jar", "id": 2}, "hits": [{"doc_id": "bb22", "votes": [{"user": "W1122", "rating": «0»}]}]}\n',
        "votes.jsonl",
        "tea pot|aa11|W1122|2; jar|bb22|W1122|0",
    ),
}
