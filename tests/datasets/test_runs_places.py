"""Qrels and runs where a data set goes: folders, lists of paths, official folds, the cache."""

import json
from itertools import chain

import numpy as np
import pytest

from helpers.datasets import catalog, sources
from helpers.datasets.runs import joining

N = 10


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    """An empty data directory and an empty cache."""
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))


def qrels(queries):
    return "".join(f"{query} 0 d{d} {d % 2}\n" for query in queries for d in range(3))


def run(queries, n_docs=3):
    return "".join(f"{query} Q0 d{d} {d} {1 / (d + 1)} t\n" for query in queries for d in range(n_docs))


QUERIES = [f"q{number}" for number in range(N)]


@pytest.fixture
def folder(put, tmp_path):
    """A folder with qrels of ten queries and two runs, and a hidden file among these."""
    put("mine/qrels.txt", qrels(QUERIES))
    put("mine/runs/b.run", run(QUERIES))
    put("mine/runs/a.run", run(QUERIES, 2))
    put("mine/runs/.DS_Store", "\0")
    return tmp_path / "mine"


def ids(parts):
    return [part.query_ids.tolist() for part in parts]


def split(dataset, fold=1, seed=0):
    return catalog.splits(dataset, fold, np.random.default_rng(seed))


def test_a_folder_and_a_list_of_paths_are_the_same_collection_drawn_by_query_and_seed(folder):
    parts = split(folder)
    assert [part.n_queries for part in parts] == [6, 2, 2]
    assert sorted(chain(*ids(parts))) == QUERIES
    assert parts[0].name == "mine"
    assert parts[0].feature_names.tolist()[::3] == ["a score", "b score"]
    assert ids(split(f"{folder}/qrels.txt, {folder}/runs/")) == ids(parts) == ids(split(folder))
    assert ids(split(folder, seed=1)) != ids(parts)
    assert catalog.fold_numbers(folder) == []
    with pytest.raises(ValueError, match="fold is 2, but mine has no folds, only 1"):
        split(folder, 2)


def test_what_was_left_out_is_told_also_where_the_collection_comes_from_the_cache(folder, put):
    before, drawn = catalog.notes(str(folder)), ids(split(folder))
    put("mine/qrels.txt", qrels(QUERIES[::-1]) + "q0 0 d9 -2\n")
    assert ids(split(folder)) == drawn  # whatever the order of lines
    [told] = set(catalog.notes(str(folder))) - set(before)
    assert "qrels.txt" in told
    assert catalog.notes(str(put("own.txt", "1 qid:1 1:0\n"))) == []


def test_a_list_is_told_from_a_path_with_a_comma(folder, put, monkeypatch):
    there = put("a,b.txt", "")
    assert sources.is_list("a.txt,b/")
    assert not sources.is_list(there)
    monkeypatch.chdir(folder)
    assert sources.absolute("qrels.txt, runs") == f"{folder}/qrels.txt,{folder}/runs"


@pytest.mark.parametrize("named", [False, True], ids=["folder", "list"])
def test_one_assessor_labels_for_training_and_another_for_testing(put, tmp_path, named):
    train, test = put("two/qrels.train.txt", qrels(QUERIES[:8])), put("two/qrels.test.gpt", qrels(QUERIES[8:]))
    put("two/runs/a.run", run(QUERIES))
    parts = split(f"{train},{test},{tmp_path}/two/runs" if named else tmp_path / "two")
    assert [part.n_queries for part in parts] == [6, 2, 2]
    assert parts[2].query_ids.tolist() == QUERIES[8:]
    assert catalog.fold_numbers(tmp_path / "two") == []


TRAIN, DEV, TEST = QUERIES[:5], QUERIES[5:8], QUERIES[8:]


@pytest.mark.parametrize(
    ("file", "fold"),
    [
        ("folds.json", {"train_qids": TRAIN, "predict": {"dev": DEV, "test": TEST}}),
        ("folds.json", {"train": TRAIN, "validation": DEV, "test": TEST}),
        ("folds/all_queries.json", {"training": TRAIN + DEV, "testing": TEST}),
    ],
    ids=["capreolus", "plain", "DBpedia-Entity"],
)
def test_official_folds_are_those_of_a_file(folder, put, file, fold):
    other = {"training": QUERIES[2:], "testing": [*QUERIES[:2], "of no judgment"]}
    put(f"mine/{file}", json.dumps({"s1": fold, "s2": other}))
    parts = split(folder)
    assert parts[2].query_ids.tolist() == TEST
    if "training" not in fold:
        assert ids(parts)[:2] == [TRAIN, DEV]
    assert sorted(chain(*ids(parts))) == QUERIES
    assert split(folder, 2)[2].query_ids.tolist() == QUERIES[:2]
    assert catalog.fold_numbers(folder) == [1, 2]
    listed = f"{folder}/qrels.txt,{folder}/runs,{folder}/{file}"
    assert ids(split(listed)) == ids(parts)
    with pytest.raises(ValueError, match=r"fold is 3, but mine has folds \[1, 2\]"):
        split(folder, 3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"1": {"train": ["q1"], "test": ["q2"]}}', "0 of the splits train, test have query q0, expected each query"),
        (json.dumps({"1": {"train": QUERIES, "test": ["q2"]}}), "2 of the splits train, test have query q2"),
        (json.dumps({"1": {"train": QUERIES, "test": ["x"]}}), "no test query is in mine, expected one"),
        ('{"1": {"train": [1], "test": [2]}}', "fold '1': train is no list of texts, expected query ids"),
        ('{"1": {"train": ["q1"]}}', "fold '1' has train, expected lists of query ids for train and test"),
        ('{"1": 3}', "fold '1' is int, expected an object of lists"),
        ("[]", "list, expected an object of folds"),
        ("[" * 100_000, "no JSON .* expected an object of folds"),
    ],
)
def test_a_file_of_folds_that_is_none_is_refused(folder, put, content, message):
    put("mine/folds.json", content)
    with pytest.raises(ValueError, match=rf"folds\.json: {message}"):
        split(folder)


def test_every_year_of_the_features_is_tested_once(folder, put):
    year = {query: 2011 + number % 4 for number, query in enumerate(QUERIES)}
    lines = "".join(f"{query},d0,{own},7\n" for query, own in year.items())
    put("mine/features.csv", "query,doc,year,length\n" + lines)
    assert catalog.fold_numbers(folder) == [1, 2, 3, 4]
    parts = [split(folder, fold) for fold in (1, 2, 3, 4)]
    years = [[sorted({year[query] for query in own}) for own in ids(fold)] for fold in parts]
    assert years[0] == [[2012, 2013], [2014], [2011]]
    assert years[2] == [[2011, 2014], [2012], [2013]]
    assert [own[2] for own in years] == [[2011], [2012], [2013], [2014]]
    assert parts[0][0].feature_names.tolist()[-1] == "length"
    for few, found in (("1", "2011"), ("2", "2011 or 2012")):
        own = "".join(f"{query},d0,{2011 + number % int(few)},7\n" for number, query in enumerate(QUERIES))
        put("mine/features.csv", "query,doc,year,length\n" + own)
        with pytest.raises(ValueError, match=rf"features.csv: year is {found} in every line, expected three years at"):
            catalog.splits(folder)
    put("mine/features.csv", "query,doc,year,length\n" + lines + "q0,d1,2012,7\n")
    with pytest.raises(ValueError, match=r"features.csv, line 12: query q0 has year 2012, and 2011 before"):
        split(folder)


SEVERAL = "expected one file of qrels, or qrels.train and qrels.test"
ODD = r"dataset is '.*', expected qrels.txt,runs/ or train.qrels,test.qrels,runs/"


@pytest.mark.parametrize(
    ("files", "dataset", "message"),
    [
        (["qrels.a", "qrels.b"], "", f"found qrels.a, qrels.b, {SEVERAL}"),
        (["qrels.train", "qrels.b"], "", f"found qrels.b, qrels.train, {SEVERAL}"),
        (["qrels.train", "qrels.test"], "", r"qrels.test, line 1: query q0 is in .*qrels.train as well"),
        (["qrels"], "qrels,qrels", ODD),
        (["qrels"], "runs,runs", ODD),
        (["qrels"], "qrels,qrels,qrels,runs", ODD),
        (["qrels"], "qrels.tsv,runs", r"qrels.tsv: no such file or folder, expected qrels.txt,runs/ or"),
        (["../alone/qrels.txt"], "../alone", r"or qrels\* and runs/, found qrels.txt"),
    ],
)
def test_what_is_no_collection_of_runs_is_told_what_is_missing(put, tmp_path, files, dataset, message):
    for name in files:
        put(f"odd/{name}", qrels(QUERIES))
    put("odd/runs/a.run", run(QUERIES))
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        split(",".join(f"{tmp_path}/odd/{part}" for part in dataset.split(",")))


def test_files_are_read_once_and_again_when_one_of_them_changes(folder, put, monkeypatch):
    reads, read = [], joining._read
    monkeypatch.setattr(joining, "_read", lambda *files: reads.append(files) or read(*files))
    for _ in range(2):
        split(folder)
    assert len(reads) == 1
    assert split(f"{folder}/qrels.txt,{folder}/runs")[0].name == "qrels.txt"
    assert len(reads) == 2  # another name, another collection
    for name, text in (
        ("runs/c.run", run(QUERIES)),
        ("qrels.txt", qrels(QUERIES[1:])),
        ("runs/b.run", run(QUERIES, 1)),
    ):
        before = len(reads)
        put(f"mine/{name}", text)
        split(folder)
        assert len(reads) == before + 1
    assert split(folder)[0].n_features == 9
    folder.joinpath("runs/c.run").unlink()
    assert split(folder)[0].n_features == 6


def test_a_named_set_of_two_qrels_and_one_of_a_single_file(put):
    put("data/SynDL-DL21/qrels.gpt4.txt", qrels(QUERIES[:7]))
    put("data/SynDL-DL21/qrels.nist.txt", qrels(QUERIES[7:]))
    put("data/SynDL-DL21/qrels.gpt4.dl22.txt", qrels(["x"]))
    put("data/SynDL-DL21/runs/a.run", run(QUERIES))
    put("data/MQ2007-part/mq2007-59135rows.txt", "".join(f"1 qid:{q} 1:2\n0 qid:{q} 1:1\n" for q in range(5)))
    assert split("syndl-dl21")[2].query_ids.tolist() == QUERIES[7:]
    assert catalog.load("syndl-dl21", split="test").name == "syndl-dl21"
    assert catalog.load("syndl-dl21").n_queries == N
    assert [part.n_queries for part in split("mq2007-part")] == [3, 1, 1]
    assert catalog.load("mq2007-part").name == "mq2007-part"
    with pytest.raises(ValueError, match="split is 'test', expected one of whole in mq2007-part"):
        catalog.load("mq2007-part", split="test")
