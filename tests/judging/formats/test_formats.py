"""Every format's oddities, by small exports written here."""

import gzip
import json
import subprocess
import sys
import zipfile
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from export_samples import ESCI, LONG, SAMPLES, TABLE, refused, rows

from helpers.judging import formats
from helpers.judging.formats.names import TOOLS


@pytest.fixture
def write(put):
    return lambda text, name="judged.csv": put(name, text)


@pytest.fixture
def sample(put):
    return lambda name, change=lambda text: text: put(SAMPLES[name].name, change(SAMPLES[name].text))


def said(reading):
    """The judgments in a line."""
    return "; ".join("|".join(map(str, row)) for row in rows(reading))


@pytest.mark.parametrize("name", SAMPLES)
def test_each_format_is_recognised_read_and_told_in_at_most_five_lines_that_name_no_judge(sample, name):
    path, settings = sample(name), SAMPLES[name].settings
    reading = formats.read(path, **settings)
    assert reading.format == name.split()[0]
    assert rows(reading) == rows(formats.read(path, reading.format, **settings)) == list(SAMPLES[name].rows)
    assert reading.frame["grade"].dtype == "int64"
    assert all(type(value) is str for column in LONG[:3] for value in reading.frame[column])
    told = formats.describe(reading)
    assert 3 <= len(told.splitlines()) <= 5
    assert SAMPLES[name].name in told
    assert f"Judgments: {len(reading.frame)}, " in told
    assert not any(judge in told for judge in ("Carla", "1122", "ole@", "agent_1"))


def test_all_formats_are_registered_and_no_other_is_taken(sample):
    assert set(formats.FORMATS) == {name.split()[0] for name in SAMPLES}
    with pytest.raises(ValueError, match="format is 'quepid', expected one of opensearch, rank-eval"):
        formats.read(sample("qrels"), "quepid")
    default = TOOLS["default"]
    assert all(set(declared) <= {"name", "says", *default} for declared in TOOLS["format"])


LEFT_OUT = [
    ("quepid-book", "", "", "Left out: empty cells: 9."),
    ("quepid-case", "", "", "Left out: rows without rating: 1."),
    ("quepid-book json", "", "", "Left out: pairs without judgement: 1, judgements that are unrateable: 1."),
    ("label-studio", "", "", "Left out: tasks without annotation: 1, cancelled annotations: 1."),
    ("label-studio", '"completed_by": 1122', '"completed_by": null', "annotations of deleted or unknown users: 1"),
    ("label-studio", '"completed_by": 1122', '"id": 7', "annotations of deleted or unknown users: 1"),
    ("label-studio", '{"choices": ["Relevant"]}', '{"labels": ["x"]}', "annotations without an answer: 1"),
    ("argilla", "", "", "Left out: records without response: 1, responses that are draft: 1."),
    ("argilla 1", "", "", "Left out: responses that are draft: 1."),
    ("argilla nested", "", "", "Left out: records without response: 1."),
    ("doccano", "", "", "Left out: texts without annotation: 1."),
    ("mturk", "", "", "Left out: rejected assignments: 1, empty answers: 1."),
    ("umbrela", "", "", "Left out: answers that were not understood (result_status 0): 1."),
    ("prodigy", "", "", "Left out: answers that are ignore: 1."),
    ("es-ltr", "", "", "Left out: lines of comment: 2."),
    ("long", "", "", "Left out: rows without grade: 1."),
    ("opensearch", '"name": "n"', '"status": "ERROR"', "The status of the list is 'ERROR', not COMPLETED."),
    (
        *(
            "opensearch",
            '{"query": "jar"',
            '{"query": "x", "ratings": [], "failures": [{"docId": "d"}]}, {"query": "jar"',
        ),
        "Left out: documents that failed: 1, queries without ratings: 1.",
    ),
    ("rank-eval", '{"id": "jars"', '{"id": "x", "ratings": []}, {"id": "jars"', "requests without ratings: 1"),
]


@pytest.mark.parametrize(("name", "old", "new", "told"), LEFT_OUT)
def test_what_is_left_out_is_counted_and_told(sample, name, old, new, told):
    path = sample(name, lambda text: text.replace(old, new, 1) if old else text)
    assert told in formats.describe(formats.read(path, **SAMPLES[name].settings))


SUGGESTED = ["tea pot", "aa11", "model: m-1", 0]
APART = {
    "wide": [["tea pot", "aa11", "final", 3], ["tea pot", "bb22", "final", 0], ["jar", "cc33", "final", 1]],
    "label-studio": [["tea pot", "aa11", "model: m-1", 2]],
    **{key: [SUGGESTED] for key in ("argilla", "argilla nested", "argilla 1")},
}


@pytest.mark.parametrize("name", APART)
def test_final_ratings_predictions_and_suggestions_are_apart_whatever_the_question_is_called(sample, name):
    for question in ("rel", "rel (0-3)"):
        reading = formats.read(sample(name, lambda text, q=question: text.replace('"rel', f'"{q}')))
        assert reading.apart[LONG].to_numpy().tolist() == APART[name]
        assert rows(reading) == list(SAMPLES[name].rows)


def test_seconds_and_explanations_are_kept(sample):
    reading = formats.read(sample("label-studio"))
    assert reading.frame["seconds"].tolist() == [4.5, 2.0, 1.5]
    assert reading.frame["explanation"].fillna("").tolist() == ["a pot indeed", "", ""]
    assert formats.read(sample("mturk")).frame["seconds"].tolist() == [30.0, 12.0]
    assert formats.read(sample("umbrela")).frame["explanation"].tolist() == ["final: 3", "final: 0"]


CHANGED = [
    ("opensearch", '"rating": ', '"note": 1, "rating": ', "'note', 'rating'], expected the keys"),
    ("rank-eval", '"rating": ', '"note": 1, "rating": ', "'note', 'rating'], expected the keys"),
    ("opensearch", "100.000", "0.347", "judgmentRatings 1, ratings 1: grade '0.347'"),
    ("es-ltr", "# qid:2:", "# qid 2:", "line 8: qid 2 has no line"),
    (
        "label-studio",
        '"lead_time": 1.5',
        '"lead_time": "long"',
        "task 52, annotations 1: 'long' seconds, expected a nu",
    ),
    ("label-studio", '["Not relevant"]', '["Not relevant", "R"]', "task 52, annotations 1: several answers, Not rele"),
    ("label-studio", '"from_name": "rel"', '"from_name": "other"', "columns='grade=other"),
    ("label-studio", "Not relevant", "Unclear", "Unclear:?"),
    ("label-studio", '"query": "jar", ', "", "task 52, annotations 1: no query, expected a name"),
    ("label-studio", '"annotations": []', '"x": []', "task 53: no 'annotations' in ['id', 'data', 'x'], expected it"),
    ("argilla", '["draft", "submitted"]', '["draft"]', "record 2: 2 and 2 and 1 of rel.responses, users, status"),
    ("argilla", '"draft"', '"Sent"', "rel.responses.status is 'Sent', expected one of submitted, draft"),
    ("argilla", "responses.status", "responses.state", "record 1, rel.responses 1: rel.responses.status is not there"),
    ("argilla", '"id": "r3"', '"id": "r3", "style.responses": []', "columns='grade=rel"),
    ("doccano", '"user": 1122}, {"lab', '"u', "line 1, annotations 1: ['label', 'uel', 'user'], expected the keys"),
    ("mturk", '"Submitted"', '"Waiting"', "line 4: AssignmentStatus is 'Waiting', expected one of Approved"),
    ("mturk", '"12","jar, blue",', '"jar, blue",', "line 4: 6 fields, expected 9"),
    ("mturk", '"12"', '"12s"', "line 4: '12s' seconds, expected a number from 0"),
    ("umbrela", '"result_status": 0', '"x": 0', "line 2: result_status is not there, expected one of 0, 1"),
]


@pytest.mark.parametrize(("name", "old", "new", "message"), CHANGED)
def test_what_is_damaged_is_named_with_its_place(sample, name, old, new, message):
    settings = {key: value for key, value in SAMPLES[name].settings.items() if "0.347" not in new}
    refused(sample(name, lambda text: text.replace(old, new, 1)), message, **settings)


# how a file is called, what stands in it, and how it is read: its judgments, or why they are refused

JUDGES = "q;u;Ann;Bob;pages\nlamp;u1;2;;7\nlamp;u2;0;1;8\n"
RATED = "query,product_id,seller_rating,product_rating\nlamp,p1,4,2\n"
ITEMS = (
    "WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.query,Input.doc1,Input.doc2,Answer.rel1,Answer.rel2,Answer.no\n"
    "w,Approved,30,q,d1,d2,2,0,fine\nv,Approved,20,q,d1,d2,1,,\n"
)
BATCH = "WorkerId,AssignmentStatus,Input.a,Input.b,Answer.x,Answer.y\nw,Approved,q,d,2,0\n"
BOXES = "WorkerId,AssignmentStatus,Input.query,Input.doc,Answer.{}\nw,Approved,q,d,{}\n"
QRELS_LIKE, TABS = "q1 d1 7 3\nq1 d2 7 2\n", "q1\td1\t7\t3\nq1\td2\t8\t2\n"
PERSON = "query,doc,person,rating\nq,d,ann,2\n"
CARLA = (
    '{"id": 1, "text": "t", "label": ["Good"], "query": "q", "docid": "e"}\n'
    '{"id": 1, "text": "t", "label": ["Good"], "query": "q", "docid": "d"}\n'
    '{"id": 3, "text": "t", "label": [], "query": "q", "docid": "f"}\n'
)
FOUR = "query=1,doc=2,assessor=3,grade=4"
RATINGS = '{"judgmentRatings": [\n{"query": "TEXT", "ratings": [{"docId": "a", "rating": "1"}]}]}'
TOLOKA = "INPUT:query\tINPUT:doc\tASSIGNMENT:worker_id\tOUTPUT:{}\nlamp\tp0\tw0\t{}\n"
LIST, QRELS = SAMPLES["opensearch"], SAMPLES["qrels"]
FEW = LIST.text.replace("100.000", "2.000").replace("10.000", "3.000")
FOUND = json.dumps({"took": 1, "hits": {"total": 1, "hits": [{"_id": "x", "_source": json.loads(LIST.text)}]}})
GROUP = SAMPLES["rre"].text.replace("}}],", '}}, {"placeholders": {"$query": "x"}}],')
CONTROLS = SAMPLES["label-studio"].text.replace('"from_name": "rel"', '"from_name": "other"', 1)
STARS = SAMPLES["label-studio"].text
for words, number in (("Not relevant", 1), ("Partly relevant", 3), ("Relevant", 5)):
    value = f'"type": "choices", "value": {{"choices": ["{words}"]}}'
    STARS = STARS.replace(value, f'"type": "rating", "value": {{"rating": {number}}}')
READ = [
    *(
        ("x.csv", TABLE.replace(",2", f",{n}"), {}, "tea|d1|ann|2; tea|d2|ann|0")
        for n in ("2.0", "2.", "+2", "02", "2.000")
    ),
    *(
        ("x.csv", TABLE.replace(",2", f",{n}"), {"grades": f"{n}:5,0:0"}, "tea|d1|ann|5; tea|d2|ann|0")
        for n in ("-1", "128", "1000")
    ),
    ("x.csv", 'q,d,ann,"Partly, or: so"\n', {"columns": FOUR, "grades": "Partly, or: so:1,No:0"}, "q|d|ann|1"),
    ("dl20.ann.qrels.gz", gzip.compress(b"q 0 d 1\n"), {}, "q|d|dl20.ann|1"),
    ("x.json", RATINGS.replace("TEXT", "\\ud83d\\ude00"), {}, "\U0001f600|a|x|1"),
    ("x.json", RATINGS.replace("TEXT", "\\\\ud800"), {}, "\\ud800|a|x|1"),
    ("a.tsv", TOLOKA.format("result", 2), {}, "lamp|p0|w0|2"),
    (
        "list.json",
        LIST.text,
        {"grades": "0:0,1:1,10:10,100:100"},
        LIST.right.replace("|2", "|10").replace("|3", "|100"),
    ),
    ("list.json", FEW, {}, "tea pot|aa11|list|2; tea pot|bb22|list|0; jar|cc33|list|3; jar|dd44|list|1"),
    ("list.json", FOUND, {"grades": ESCI}, LIST.right),
    ("a.json", GROUP, {"columns": "query=topics.query_groups.name"}, "g|aa11|a|3; g|bb22|a|1; g|cc33|a|1"),
    ("a.json", STARS, {}, "tea pot|aa11|1122|5; tea pot|aa11|ole@example.org|3; jar|bb22|1122|1"),
    ("a.json", CONTROLS, {"columns": "grade=rel"}, "tea pot|aa11|ole@example.org|1; jar|bb22|1122|0"),
    (
        *("ann.qrels", QRELS.text, {"grades": "-2:skip,-1:0,0:1,1:2,2:3"}),
        "q11|aa11|ann|3; q11|bb22|ann|1; q22|cc33|ann|0; q22|dd44|ann|2",
    ),
    ("x.csv", "query,docid,A,A (2),A\nq,d,1.0,2.0,3.0\n", {}, "q|d|A|1; q|d|A (2)|2; q|d|A (3)|3"),
    ("x.csv", "query,docid,Max,Ann\nq,d,1.0,2.0\n", {}, "q|d|Max|1; q|d|Ann|2"),  # a person, no maximum
    ("x.csv", JUDGES, {"columns": "query=q,doc=u,grade=Ann,grade=Bob"}, "lamp|u1|Ann|2; lamp|u2|Ann|0; lamp|u2|Bob|1"),
    (
        "x.csv",
        JUDGES,
        {"columns": {"query": "q", "doc": "u", "grade": ["Bob", "pages"]}},
        "lamp|u1|pages|7; lamp|u2|Bob|1; lamp|u2|pages|8",
    ),
    ("x.csv", RATED, {"format": "wide"}, "lamp|p1|seller|4; lamp|p1|product|2"),
    ("ltr.txt", "3 qid:7 1:0.5 2:1.25 # d1 a title\n0 qid:7 # d2\n", {}, "7|d1|ltr|3; 7|d2|ltr|0"),
    ("carla.jsonl", CARLA, {"grades": "Good:1"}, "q|e|carla|1; q|d|carla|1"),
    ("x.csv", ITEMS, {}, "q|d1|w|2; q|d2|w|0; q|d1|v|1"),
    ("x.csv", ITEMS.replace(",30,", ",,"), {}, "q|d1|w|2; q|d2|w|0; q|d1|v|1"),
    ("x.csv", ITEMS.replace("Input.doc", "Input.doc_"), {}, "q|d1|w|2; q|d2|w|0; q|d1|v|1"),
    ("x.csv", BATCH, {"columns": "query=Input.a,doc=Input.b,grade=Answer.y"}, "q|d|w|0"),
    ("user.txt", QRELS_LIKE, {"columns": FOUR}, "q1|d1|7|3; q1|d2|7|2"),
    ("user.txt", QRELS_LIKE, {"columns": "query=1,query=3,doc=2,grade=4"}, "q1/7|d1|user|3; q1/7|d2|user|2"),
    ("user.tsv", TABS, {"columns": FOUR}, "q1|d1|7|3; q1|d2|8|2"),
    ("x.csv", "queryId,docId,WorkerId,label\nq1,d1,ann,3.0\nq1,d1,bob,2\n", {}, "q1|d1|ann|3; q1|d1|bob|2"),
    ("x.csv", "Topic,URL,Judge,Relevance\nq1,d1,ann,3.0\n", {}, "q1|d1|ann|3"),
    ("x.csv", "a,b,c,d,rating\nq,u,ann,2,9\n", {"columns": "query=a,doc=b,assessor=c,grade=d"}, "q|u|ann|2"),
    ("judged.csv", PERSON, {"columns": "query=query,doc=doc,grade=rating"}, "q|d|judged|2"),
    ("x.csv", "query_id,query,doc_id,doc,user,rating\n1,lamp,7,A lamp,ann,2\n", {}, "1|7|ann|2"),
    ("x.csv", "task,worker,label\nt,w,1\n", {}, "all|t|w|1"),
    ("test.tsv", "query-id\tcorpus-id\tscore\nq\td\t2\n", {}, "q|d|test|2"),
    *(("x.csv", f"query{s}doc{s}user{s}rating\nq{s}'d{s}ann{s}1\n", {}, "q|'d|ann|1") for s in ",;\t|"),
    ("x.csv", "BZh,doc,grade\nq,d,1\n", {"columns": "query=BZh"}, "q|d|x|1"),
]


@pytest.mark.parametrize(("name", "text", "how", "expected"), READ)
def test_a_file_is_read_as_it_is_meant(write, name, text, how, expected):
    assert said(formats.read(write(text, name), **how)) == expected


LOST = "query,doc,user,rating,ASSIGNMENT:status\nq,a,Ann,1,APPROVED\nq,b,Ann,1,LOST\n"
LISTS = '{"query": "q", "docs": [{"doc": "a"}], "votes": [{"user": "w", "grade": 1}]}\n'
FIRST = "first,second\n1,2\n"
REFUSED = [
    *((f"query,docid,{names}\nq,d,1.0,2.0\n", {}, "columns=") for names in ("Ann,position", "rating,Ann", "final,Ann")),
    (RATED, {}, "columns='query=query,doc=product_id,assessor=COLUMN,grade=COLUMN"),
    (ITEMS.replace("doc2", "doc3"), {}, "expected the same numbers behind them"),
    (BATCH, {}, "none of a, b is known as the query: add columns='query=NAME"),
    (BOXES.format("r.1,Answer.r.2", "true,true"), {}, "line 2: more than one of Answer.r.1, Answer.r.2 is true"),
    (BOXES.format("taskAnswers", "2"), {}, "line 2: Answer.taskAnswers is '2', expected [{NAME: ANSWER}]"),
    ("q 0 d -3\nq 0 e 1\n", {}, "line 1: grade -3, expected a whole number from 0 to 127"),
    (QRELS_LIKE, {}, "its second is neither 0 nor Q0: add columns='query=1,assessor=2,doc=3,grade=4' if it is a judge"),
    (QRELS_LIKE, {}, "columns='query=1,query=2,doc=3,grade=4' if a subtopic"),
    ("q1 7 d1 3\nq1 7 d2 2\n", {}, "or format='qrels' to read it as qrels"),
    (TABS, {}, f"columns='{FOUR}"),
    ("query,doc,user,rating,_golden\nq,a,A,1,true\n", {}, "no judgment in this file (long); answers to test quest"),
    (LOST, {}, "line 3: ASSIGNMENT:status is 'LOST', expected one of APPROVED, ACCEPTED, SUBMITTED, REJECTED"),
    ("a,b,c\nq,u,2\n", {"columns": "query=a,doc=b,grade=e"}, "grade (columns) is 'e', expected one of a, b, c"),
    ("1,2,3,4\nq,d,a,2\n", {"columns": "doc=2,assessor=3,grade=4"}, "expected a header with other names"),
    (PERSON, {}, "columns='query=query,doc=doc,assessor=COLUMN,grade=rating"),
    (PERSON, {"columns": "query=query"}, "none of the columns is known as the assessor"),
    ("query,url,product_id,user,rating\nq,u,p,ann,2\n", {}, "url and product_id may both be the doc"),
    ("query,doc,user,rating,label\nq,u,ann,2,1\n", {}, "rating and label may both be the grade"),
    (FIRST, {}, ", ".join(formats.FORMATS)),
    (FIRST, {}, "columns='query=COLUMN,doc=COLUMN,assessor=COLUMN,grade=COLUMN"),
    ('{"a": 1}', {}, "JSON with the keys a: add columns='query=COLUMN,doc=COLUMN,assessor=COLUMN,gra"),
    ('{"query": "q", "winner": "d1"}', {}, "winner may say which of two documents is better"),
    ("[]", {}, "no object"),
    ("just a text", {}, "'just a text', has no comma, semicolon, tab or bar"),
    (LISTS * 2, {}, "docs and votes are lists beside each other, expected one in one"),
    (GROUP, {}, "several answers, tea pot, x, expected one query: add columns='query=NAME' with a key of one"),
    (LIST.text, {}, "grades='0:0,1:1,10:2,100:3"),
    (SAMPLES["doccano"].text, {}, "grades='41:?,42:?,43:?'"),
    (SAMPLES["doccano"].text, {"grades": "41:0,42:1"}, "line 1, annotations 1: grade '43'"),
    (TOLOKA.format("result\tOUTPUT:sure", "2\t1"), {}, "assessor=ASSIGNMENT:worker_id,grade=COLUMN"),
    # files that are damaged
    ('[{"query": "q",}]', {}, "line 1: not valid JSON"),
    ('{"a": 1}\n{"b": 2\n', {}, "line 2: not valid JSON"),
    ('{"a": 1}\n[2]\n', {}, "line 2: '[2]', expected a JSON object"),
    ('{"query": 1, "query": 2}', {}, "the key 'query' stands twice in one object"),
    ("[" * 100_000, {}, "JSON nested too deeply"),
    ("[1, 2]", {}, "record 1: '1', expected a JSON object"),
    *((RATINGS.replace("TEXT", half), {}, "line 2: \\ud") for half in ("\\ud800", "\\ud83d x", "\\\\\\ud800")),
    (RATINGS.replace("TEXT", "\\uDC00"), {}, "line 2: \\uDC00"),
    ("PK\x03\x04rest", {}, "a zip archive or a spreadsheet (xlsx)"),
    (" \n\r\n", {}, "empty, expected judgments"),
    (",,,\n,,,\n", {}, "no field with a text in it"),
    (TABLE + "tea,d3,ann\n", {}, "line 4: 3 fields, expected 4 as in the first line"),
    (TABLE + "tea,d3,ann,1,0\n", {}, "line 4: 5 fields, expected 4 as in the first line"),
    (TABLE + '"tea,d3,ann,1\ntea,d4,ann,1\n', {}, "line 4: unexpected end of data"),
    (TABLE + '"tea"s,d3,ann,1\n', {}, "line 4: ',' expected after '\"'"),
    (TABLE + "tea,,ann,1\n", {}, "line 4: no doc, expected a name"),
    (TABLE + "tea,d3,,1\n", {}, "line 4: no assessor"),
    (TABLE.replace("query,doc", "doc,doc"), {}, "two columns are called 'doc'"),
    ("query,doc,assessor,grade\n", {}, "no judgment in this file (long)"),
    ("query,doc,assessor,grade\nq,d,a,\n", {}, "no judgment in this file (long)"),
    # grades that are none
    (TABLE.replace(",2", ",-1"), {}, "line 2: grade -1, expected a whole number from 0 to 127"),
    *((TABLE.replace(",2", f",{n}"), {}, f"line 2: grade {n}, expected grades from 0 to 10") for n in (128, 1000)),
    *(
        (
            f"query,doc,assessor,grade\nq,a,a,{high}\nq,b,a,{low}\n",
            {},
            "not all levels of a known scale from its lowest",
        )
        for high, low in (("Perfect", "Bad"), ("Good", "Fair"), ("Relevant", "Not relevant"), ("Bad", "1"))
    ),
    (TABLE, {"grades": "2:1"}, "line 3: grade '0'; the grades here are 0, 2: not all declared. Add grades='0:?,2:2'"),
    # settings that say nothing
    (FIRST, {"columns": "quest=a"}, "a role in columns is 'quest', expected one of query, doc, assessor, grade"),
    (FIRST, {"columns": "query"}, "columns has no name for query"),
    (FIRST, {"columns": "doc=a,doc=b"}, "columns has doc as a, b, expected one name"),
    ("q 0 d 1\n", {"format": "qrels", "columns": "doc=x"}, "columns has doc=x, but the doc is fixed in qrels"),
    (
        "query,doc,a,b,c\nq,d,x,1,2\n",
        {"columns": "assessor=a,grade=b,grade=c"},
        "columns has assessor=a, but the assessor is fixed in wide: expected query, doc, grade",
    ),
    (TABLE, {"grades": "0.3,0.3"}, "grades has the cut points 0.3,0.3, expected"),
    (TABLE, {"grades": "2"}, "grades has '2', expected value:grade"),
    (TABLE, {"grades": "2:x"}, "grades has '2:x', expected value:grade"),
    (TABLE, {"grades": "2:128"}, "grades has 128 for 2, expected a whole number from 0 to 127"),
    (TABLE, {"grades": "2:1,2.0:0"}, "grades has two grades for 2.0"),
    (TABLE, {"grades": {"2": -1}}, "grades has -1 for 2"),
]


@pytest.mark.parametrize(("text", "how", "message"), REFUSED)
def test_what_may_mean_several_things_or_none_or_is_damaged_is_refused_with_what_to_add(write, text, how, message):
    refused(write(text), message, **how)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.csv"):
        formats.read(tmp_path / "none.csv")


def test_what_was_read_tells_of_items_of_a_row_texts_and_missing_judges(write):
    assert formats.read(write(ITEMS)).frame["seconds"].tolist() == [15.0, 15.0, 10.0]
    assert "texts without annotation: 1" in formats.describe(formats.read(write(CARLA, "c.jsonl"), grades="Good:1"))
    alone = formats.read(write(PERSON), columns="query=query,doc=doc,grade=rating")
    assert "No column of assessor: all judgments are of one assessor." in formats.describe(alone)
    quoted = formats.read(write('query;doc;user;rating;comment\nq;d;ann;1;"so; so"\n'))
    assert quoted.frame["explanation"].tolist() == ["so; so"]


# samples read in another way


def test_spam_is_grade_0_and_what_is_not_judged_is_left_out_unless_declared(sample):
    told = formats.describe(formats.read(sample("qrels")))
    assert "lines with -1 (not judged): 1" in told
    assert "1 grades of -2 (spam) are read as 0." in told
    by_judge = formats.read(sample("qrels"), grades="ann=-2:skip,-1:0,0:1,1:2,2:3")
    assert "grades to skip: 1" in formats.describe(by_judge)


def test_several_qrels_are_an_assessor_each(write):
    first, second = write("q 0 d 1\nq 0 e 0\n", "ann.qrels"), write("q 0 d 2\n", "bob.txt")
    reading = formats.read(f"{first}, {second}")
    assert rows(reading) == [("q", "d", "ann", 1), ("q", "e", "ann", 0), ("q", "d", "bob", 2)]
    assert formats.describe(reading).startswith("ann.qrels, bob.txt: qrels")
    with pytest.raises(ValueError, match="two files are called ann, expected a name for each"):
        formats.read(f"{first},{write('q 0 d 1', 'ann.txt')}")
    case = write("query,docid,rating\nq,d,1\n", "case.csv")
    with pytest.raises(
        ValueError, match=r"ann.qrels is qrels, .*case.csv is quepid-case: expected files of one format"
    ):
        formats.read(f"{first},{case}")


STATUSES = [
    ("AssignmentStatus", "Approved", "Rejected", "rejected assignments: 1"),
    ("ASSIGNMENT:status", "ACCEPTED", "REJECTED", "rejected assignments: 1"),
    ("ASSIGNMENT:status", "submitted", "SKIPPED", "skipped assignments: 1"),
    ("ASSIGNMENT:status", "APPROVED", "EXPIRED", "expired assignments: 1"),
    ("GOLDEN:result", "", "1", "answers to test questions: 1"),
    ("_golden", "false", "TRUE", "answers to test questions: 1"),
    ("_tainted", "", "true", "answers of workers who failed the test questions (_tainted): 1"),
]


@pytest.mark.parametrize(("column", "counts", "does_not", "told"), STATUSES)
def test_rows_that_do_not_count_are_left_out_and_counted(write, column, counts, does_not, told):
    wide = column.startswith("_")
    header, row = ("query,doc,Ann,Bob", "q,{},1,2") if wide else ("query,doc,user,rating", "q,{},Ann,1")
    lines = [f"{header},{column}", f"{row.format('a')},{counts}", f"{row.format('b')},{does_not}"]
    path = write("\n".join(lines) + "\n")
    reading = formats.read(path, columns="query=query,doc=doc,grade=Ann,grade=Bob" if wide else None)
    assert reading.frame["doc"].unique().tolist() == ["a"]
    assert f"Left out: {told}." in formats.describe(reading)
    assert "2 lines. People: " in reading.notes[0]


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(
    ("one", "other"), [("Lamp", "lamp"), ("1", "01"), ("123", "123.0"), ("caf\u00e9", "cafe\u0301")]
)
def test_names_that_nearly_match_are_read_apart_and_told(write, one, other, several):
    header, ann, bob = "query,doc,user,rating\n", f"{one},{one},Ann,1\n", f"{other},{other},Bob,1\n"
    paths = [write(header + ann, "a.csv"), write(header + bob, "b.csv")] if several else [write(header + ann + bob)]
    reading = formats.read(",".join(map(str, paths)))
    assert len(reading.frame[["query", "doc"]].drop_duplicates()) == 2
    said = "Nearly alike (case, zeros, .0, accents) and read as different: queries: 1, documents: 1."
    assert (said in " ".join(reading.notes), repr(one) in " ".join(reading.notes)) == (True, False)
    assert repr(one) in formats.describe(reading)


def test_names_that_a_judge_tells_apart_are_not_told_and_of_judges_no_name(write):
    reading = formats.read(write("query,doc,user,rating\nq,a,Ann,1\nq,A,Ann,0\nq,a,Bob,1\nq,A,Bob,0\n"))
    assert (reading.alike, len(reading.notes)) == ({"query": [], "doc": [], "assessor": []}, 3)
    told = formats.describe(formats.read(write("query,doc,user,rating\nq,a,Ann,1\nq,a,ann,0\n")))
    assert "read as different: judges: 1." in told
    assert "ann" not in told.lower()


@pytest.mark.parametrize("packed", [False, True])
def test_blanks_at_the_ends_are_taken_away_and_names_that_become_one_are_counted(write, tmp_path, packed):
    table = pd.DataFrame({"query": ["q", "q "], "doc": ["a", "a"], "user": ["Ann", "Bob"], "rating": ["1", "0"]})
    table.to_parquet(tmp_path / "t") if packed else table.to_csv(tmp_path / "t", index=False)
    reading = formats.read(tmp_path / "t")
    assert rows(reading) == [("q", "a", "Ann", 1), ("q", "a", "Bob", 0)]
    assert "With and without blanks at the ends, read as one: queries: 1." in formats.describe(reading)


def test_a_parquet_file_is_read_as_a_table_of_the_columns_that_are_wanted(tmp_path):
    path = tmp_path / "judged.parquet"
    table = pd.DataFrame({"query": [1, 1], "doc": ["a", "b"], "user": ["w", "w"], "rating": [2.0, None]})
    times, vectors = pd.to_datetime(["2026-01-01", "2026-01-02"]), [[0.5, 1.5], [2.5]]
    table.assign(when=times, vector=vectors, raw=[b"\xff", b""]).to_parquet(path)
    reading = formats.read(path)
    assert said(reading) == "1|a|w|2"
    assert "rows without grade: 1" in formats.describe(reading)
    table.assign(rating=[Decimal("2.0"), Decimal("1.0")]).to_parquet(path)
    assert said(formats.read(path)) == "1|a|w|2; 1|b|w|1"
    for rating, message in ((times, "row 0: 'timestamp["), ([2.0, 1.5], "row 1: grade '1.5'")):
        table.assign(rating=rating).to_parquet(path)
        refused(path, message)
    path.write_bytes(path.read_bytes()[:-30])
    refused(path, "cannot be read as parquet")


def test_a_parquet_file_is_read_without_threads_that_outlive_the_process(tmp_path):
    """Such a thread of pyarrow's ended the process with code 134, in one run of sixty."""
    path = tmp_path / "judged.parquet"
    pd.DataFrame({"query": ["q"] * 9, "doc": list("abcdefghi"), "user": ["w"] * 9, "rating": [0.5] * 9}).to_parquet(
        path
    )
    code = (
        "import os, sys; from helpers.judging import formats\n"
        "def threads(): return len(os.listdir('/proc/self/task'))\n"
        "before = threads()\n"
        "try: formats.read(sys.argv[1])\n"
        "except ValueError: pass\n"
        "else: sys.exit(3)\n"
        "sys.exit(4 if threads() > before else 0)\n"
    )
    if not Path("/proc/self/task").is_dir():
        pytest.skip("the system does not count threads in /proc")
    assert subprocess.run([sys.executable, "-c", code, path], check=False).returncode == 0


# what public reports of trouble hold

WORDS = {"grades": "Relevant:1,Not relevant:0,irrelevant:0"}
WIDE = "query=query,doc=doc,grade=rater-a,grade=rater-b"
REPORTS = {
    "appen_full.csv": ({}, "long", [2, 3, 3]),
    "argilla_nested.json": ({}, "argilla", [2, 4, 6]),
    "argilla_v1.json": ({}, "argilla", [2, 4, 6]),
    "book_export_1.json.zip": ({}, "quepid-book", [2, 7, 2, 5]),
    "groundtruth.manifest": ({"columns": "doc=source,grade=rel"}, "long", [2, 2, 1]),
    "half_grades.csv": ({"columns": WIDE, "grades": "2,3"}, "wide", [3, 4, 9]),
    "hf_dict.json": ({}, "qrels", [1, 1, 1]),
    "ls_889_imported.json": (WORDS, "label-studio", [7, 3]),
    "ls_min.json": (WORDS, "long", [4, 8]),
    "mistakes/m07.jsonl": ({}, "long", [478, 27, 68, 627]),
    "mteb.jsonl": ({}, "long", [5, 4]),
    "mturk_radio_columns.csv": ({}, "mturk", [5, 5, 5]),
    "mturk_taskanswers.csv": (WORDS, "mturk", [4, 11]),
    "potato_annotated.jsonl": (WORDS, "potato", [0, 5]),
    "potato_user_state.json": ({}, "potato", [3, 2]),
    "prodigy.jsonl": ({}, "prodigy", [4, 7]),
    "qrels_diversity.txt": ({"columns": "query=1,query=2,doc=3,grade=4"}, "long", [10, 14]),
    "qrels_iteration_is_judge.txt": ({"columns": "query=1,assessor=2,doc=3,grade=4"}, "long", [8, 2, 6]),
    "quepid_book_export.json": ({}, "quepid-book", [2, 7, 2, 5]),
    "quepid_book_ints.csv": ({}, "quepid-book", [2, 3, 4, 1]),
    "quepid_rre.json": ({}, "rre", [1, 1, 1, 1]),
    "rre_ratings.json": ({}, "rre", [1, 0, 2, 1]),
    "srw_126_decimals.json": ({"grades": "0.25,0.5,0.75"}, "opensearch", [5, 4, 9, 6]),
    "srw_64_scores.json": ({}, "opensearch", [1, 1]),
    "srw_ubi_clicks.json": ({"grades": "0.25,0.5,0.75"}, "opensearch", [14, 9, 15, 22]),
    "toloka.tsv": (WORDS, "long", [8, 7]),
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_file_after_a_public_report_is_read_as_its_tool_means_it(real_data, name):
    how, format, grades = REPORTS[name]
    reading = formats.read(real_data / "reports" / name, **how)
    assert reading.format == format
    assert np.bincount(reading.frame["grade"]).tolist() == grades


def test_decimals_are_cut_at_the_points_that_the_message_proposes(write):
    text = "query,doc,user,rating\n" + "".join(f"q,d{n},ann,{n / 10}\n" for n in range(13))
    refused(write(text), "Add grades='0.3,0.6,0.9' or other points at which grades 1, 2, 3 begin")
    reading = formats.read(write(text), grades="0.3,0.6,0.9")
    assert np.bincount(reading.frame["grade"]).tolist() == [3, 3, 3, 4]
    assert "Read as grades: below 0.3 as 0, from 0.3 as 1, from 0.6 as 2, from 0.9 as 3." in reading.notes


def test_one_file_in_a_zip_archive_is_read_and_several_are_refused(tmp_path):
    path = tmp_path / "judged.zip"
    for names, found in ((["a.csv"], None), (["a.csv", "b.csv"], "archive of a.csv, b.csv, expected one file in it")):
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, "query,docid,rating\nq,d,3\n")
        if found:
            refused(path, found)
        else:
            assert rows(formats.read(path)) == [("q", "d", "judged", 3)]
