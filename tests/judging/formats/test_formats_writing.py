"""Pairs to ask again, in the format of the export that came in."""

import csv
import json

import pandas as pd
import pytest
from export_samples import SAMPLES

from helpers.judging import formats


@pytest.fixture
def again(tmp_path):
    def again(name, pairs):
        """What is written for pairs after the sample of a format is read."""
        path, out = tmp_path / SAMPLES[name].name, tmp_path / "again"
        path.write_text(SAMPLES[name].text, encoding="utf-8")
        reading = formats.read(path, **SAMPLES[name].settings)
        formats.write_like(reading, pd.DataFrame(pairs, columns=["query", "doc"]), out)
        return out.read_text(encoding="utf-8")

    return again


@pytest.mark.parametrize("name", ["quepid-book", "quepid-case"])
def test_quepid_takes_pairs_with_empty_ratings(again, name):
    assert again(name, [("jar, blue", "cc33"), ("-5 sensor", "=x")]) == (
        'query,docid,rating\n"jar, blue",cc33,\n -5 sensor, =x,\n'
    )


def test_a_batch_of_mechanical_turk_has_the_inputs_of_the_last(again):
    assert again("mturk", [("jar, blue", "bb22"), ("-5 sensor", "new")]) == (
        'query,doc\n"jar, blue",bb22\n-5 sensor,new\n'
    )


def test_tasks_of_label_studio_show_what_they_showed_and_no_judgment(again):
    assert json.loads(again("label-studio", [("tea pot", "aa11"), ("new", "dd44")])) == [
        {"data": {"query": "tea pot", "docid": "aa11", "doc": "A pot"}},
        {"data": {"query": "new", "docid": "dd44"}},
    ]


def test_records_of_argilla_show_what_they_showed_and_no_judgment(again):
    assert json.loads(again("argilla", [("jar", "bb22"), ("new", "dd44")])) == [
        {"id": "r2", "query": "jar", "document": "A cup", "docid": "bb22"},
        {"query": "new", "docid": "dd44"},
    ]


def test_texts_of_doccano_show_what_they_showed_and_no_judgment(again):
    lines = again("doccano", [("jar", "cc33")]).splitlines()
    assert [json.loads(line) for line in lines] == [
        {"text": "jar: A jar", "meta": {"query": "jar", "docid": "cc33"}},
    ]


@pytest.mark.parametrize("name", ["wide", "opensearch", "rank-eval", "es-ltr", "umbrela", "qrels", "long"])
def test_other_formats_get_a_csv_of_query_and_document(again, name):
    assert again(name, [("tea", "aa11"), ("@home", "b,c")]) == 'query,doc\ntea,aa11\n @home,"b,c"\n'


def test_escaped_texts_are_read_back_as_they_were(again, tmp_path):
    texts = ["=1+1", "+12 volt", "-5 sensor", "@work", "＝1", "＋1", "－1", "＠a", "plain"]
    written = list(csv.reader(again("long", [(text, text) for text in texts]).splitlines()))
    assert [row[0] for row in written[1:]] == [f" {text}" for text in texts[:-1]] + ["plain"]
    path = tmp_path / "judged.csv"
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([*[written[0] + ["grade"]], *[[*row, 1] for row in written[1:]]])
    assert formats.read(path).frame["doc"].tolist() == texts


def test_nothing_is_left_where_writing_fails(tmp_path):
    path = tmp_path / "a.qrels"
    path.write_text("q 0 d 1\n")
    with pytest.raises(FileNotFoundError):
        formats.write_like(formats.read(path), pd.DataFrame({"query": ["q"], "doc": ["d"]}), tmp_path / "no" / "x.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["a.qrels"]
