"""Features joined with the labels of several people."""

import gzip
import re
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.datasets import catalog
from helpers.datasets.collection import Collection
from helpers.judging import judged

LABELS = {  # query, document -> what Ann, Bob and Cid say
    ("q", "a"): (2, 1, 1),
    ("q", "b"): (0, 0, 1),
    ("q", "c"): (0, 2, 0),
    ("r", "a"): (1, 0, 0),
    ("r", "d"): (0, 0, 0),
}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))


def letor(pairs):
    return "".join(f"2 qid:{query} 1:{n} #docid = {doc}\n" for n, (query, doc) in enumerate(pairs, start=1))


def table(labels, names=("Ann", "Bob", "Cid")):
    rows = [
        f"{query},{doc},{name},{grade}\n"
        for (query, doc), given in labels.items()
        for name, grade in zip(names, given, strict=True)
        if grade is not None
    ]
    return "query,doc,assessor,grade\n" + "".join(rows)


@pytest.fixture
def folder(put, tmp_path):
    put("mine/features.txt", letor(LABELS))
    put("mine/judgments.csv", table(LABELS))
    return tmp_path / "mine"


def test_labels_stand_beside_the_features_of_their_documents(folder):
    made = judged.read(folder)
    assert made.collection.doc_ids.tolist() == ["a", "b", "c", "a", "d"]
    assert made.collection.features[:, 0].tolist() == [1, 2, 3, 4, 5]
    assert made.labels.tolist() == [list(labels) for labels in LABELS.values()]
    assert made.collection.grades.tolist() == [1, 0, 0, 0, 0]  # the majority
    assert made.good == 1
    assert "labels in its own file are ignored" in made.notes[0]
    assert made.gains.tolist() == [3 + 1 + 1, 1, 3, 1, 0]  # tests go by the sum of the gains of all
    assert judged.read(folder, good=2).testable.tolist() == [True, False]


def test_judgments_apart_are_joined_with_any_data_set(put, folder):
    path = put("ratings.csv", "q,url,who,stars\n" + table(LABELS).partition("\n")[2])
    how = {"columns": "query=q,doc=url,assessor=who,grade=stars"}
    assert judged.read(folder / "features.txt", path, **how).labels.tolist() == judged.read(folder).labels.tolist()
    with pytest.raises(ValueError, match=r"expected no judgments.csv: judgments of several people stand in a folder"):
        catalog.splits(f"{folder / 'features.txt'},{folder / 'judgments.csv'}")
    with pytest.raises(ValueError, match="no judgments, expected files called judgments"):
        judged.read(folder / "features.txt")


def test_a_query_whose_documents_have_unequal_numbers_of_labels_is_tested_by_mean_gains(put, folder):
    put("mine/judgments.csv", table(LABELS | {("q", "b"): (None, 0, 1)}))
    made = judged.read(folder)
    assert made.gains.tolist() == [2 * 5, 3 * 1, 2 * 3, 1, 0]  # in sixths of a gain, and in thirds
    assert any("unequal numbers of labels: 1" in note for note in made.notes)


def test_a_tie_of_two_people_goes_to_the_more_relevant_grade(put, folder):
    put("mine/judgments.csv", table({pair: (a, b) for pair, (a, b, _) in LABELS.items()}, ("Ann", "Bob")))
    assert judged.read(folder).collection.grades.tolist() == [2, 0, 2, 1, 0]
    assert judged.load(folder).grades.tolist() == [2, 0, 2, 1, 0]


def test_who_tests_never_trains(folder):
    made = judged.read(folder, tested_by="Bob")
    assert made.labels.tolist() == [[a, c] for a, _, c in LABELS.values()]
    assert made.gains.tolist() == [1, 0, 3, 0, 0]
    assert made.testable.tolist() == [True, False]


def test_machines_are_left_out_and_counted(put, folder):
    put("mine/judgments.csv", table(LABELS, ("Ann", "model: m", "GPT")))
    with pytest.raises(ValueError, match="one label a pair everywhere"):
        judged.read(folder, machines=["GPT"])
    with pytest.raises(ValueError, match="GPT is called like a language model"):
        judged.read(folder)
    made = judged.read(folder, tested_by="model: m", machines="none")
    assert made.labels.tolist() == [[a, c] for a, _, c in LABELS.values()]
    assert "1 machine is left out, with 5 judgments." in judged.read(folder, machines="none").notes


def test_pairs_that_one_side_has_are_counted_and_named_and_near_ids_too(put, folder):
    put("mine/judgments.csv", table({**LABELS, ("q", "D2"): (1, 1, 1), ("s", "a"): (0, 0, 0)}))
    put("mine/features.txt", letor([*LABELS, ("q", "d2")]))
    notes = "\n".join(judged.read(folder).notes)
    assert "1 pairs are left out, as nobody judged them: q d2." in notes
    assert "2 pairs are left out, as mine has no features of them: q D2, s a." in notes
    assert "1 documents are written nearly alike, such as 'D2' and 'd2'" in notes


def test_a_person_who_judged_a_part_of_a_query_is_said_without_a_name(put, folder):
    put("mine/judgments.csv", table(LABELS | {("q", "a"): (2, 1, None), ("q", "b"): (0, 0, None)}))
    [note] = [note for note in judged.read(folder, persons="query").notes if "only a part" in note]
    assert note.startswith("1 of 6 times")
    assert "1 of 3 documents of query q" in note
    assert "Cid" not in note


def test_within_a_query_the_same_persons_are_asked_in_the_same_order(folder):
    made = [judged.read(folder, persons=persons) for persons in ("all", "query")]
    for seed, one in product(range(20), made):
        labels, judges = one.draw(np.random.default_rng(seed))
        for first, stop in ((0, 3), (3, 5)):
            given = np.array(list(LABELS.values()))[first:stop]
            assert any((labels[first:stop] == given[:, order]).all() for order in permutations(range(3)))
            assert (judges[first:stop] == judges[first]).all()
        assert one.persons == "all" or (judges == [0, 1, 2]).all()


def test_an_assessor_is_one_person_in_all_queries_or_in_none(folder):
    known, unknown = (judged.read(folder, persons=persons) for persons in ("all", "pair"))
    for seed in range(20):
        labels, judges = known.draw(np.random.default_rng(seed))
        assert (labels == np.take_along_axis(known.labels, judges, axis=1)).all()
    drawn = {unknown.draw(np.random.default_rng(seed))[0][:3].tobytes() for seed in range(60)}
    assert len(drawn) > 6  # orders of three persons


@given(st.data())
def test_a_draw_asks_everybody_once(data):
    n, m = data.draw(st.integers(1, 6)), data.draw(st.integers(2, 4))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    labels = rng.integers(0, 3, (n, m)).astype(np.int8)
    few = np.arange(m) >= rng.integers(1, m + 1, n)[:, None]
    labels[few] = -1
    judges = np.where(few, -1, rng.permuted(np.tile(np.arange(m), (n, 1)), axis=1))
    offsets = np.unique([0, n // 2, n])
    collection = Collection(np.zeros((n, 1)), np.zeros(n, int), offsets)
    persons = data.draw(st.sampled_from(judged.PERSONS))
    made = judged.JudgedCollection(collection, labels, judges, np.zeros(n), np.zeros(len(offsets) - 1), persons, 1, [])
    drawn, who = made.draw(rng)
    assert (np.sort(drawn, axis=1) == np.sort(labels, axis=1)).all()
    assert ((drawn < 0) == few).all()
    assert ((who < 0) == few).all()
    assert all(len(set(row[row >= 0])) == (row >= 0).sum() for row in who)


RUN = "q Q0 a 1 3 t\nq Q0 b 2 2 t\nr Q0 a 1 3 t\nr Q0 e 2 1 t\n"


@pytest.fixture
def fused(put, tmp_path):
    put("fused/judgments.csv", table(LABELS))
    put("fused/qrels.nist.txt", "q 0 a 3\nq 0 b 0\nr 0 a 0\nr 0 e 1\n")
    put("fused/runs/bm25.run", RUN)
    return tmp_path / "fused"


def test_features_may_be_those_of_runs_and_a_file_of_qrels_may_test(put, fused):
    made = judged.read(fused)
    assert made.collection.query_ids.tolist() == ["q", "r"]
    assert made.gains.tolist() == [5, 1, 1]
    tested = judged.read(fused, tested_by="NIST", persons="query")
    assert tested.gains.tolist() == [7, 0, 0]
    assert tested.labels.shape == (3, 3)
    put("fused/qrels.other.txt", "q 0 a 3\nq 0 b 0\n")
    assert judged.read(fused, tested_by="qrels.nist.txt").gains.tolist() == [7, 0, 0]
    with pytest.raises(
        ValueError, match="2 files of qrels and tested_by is '', expected one file, or in study 01 tested_by, one of"
    ):
        judged.read(fused)


def test_studies_that_want_one_grade_take_the_majority_and_say_so(put, tmp_path):
    labels = {(f"q{n}", doc): given for n in range(10) for doc, given in zip("ab", ((1, 1, 0), (0, 0, 1)), strict=True)}
    put("ten/features.txt.gz", "")
    (tmp_path / "ten/features.txt.gz").write_bytes(gzip.compress(letor(labels).encode()))
    put("ten/judgments.csv", table(labels))
    parts = judged.splits(tmp_path / "ten", 1, np.random.default_rng(0))
    assert [part.n_queries for part in parts] == [6, 2, 2]
    assert {part.name for part in parts} == {"ten (majority)"}
    assert parts[0].grades.tolist() == [1, 0] * 6
    assert "majority" in catalog.notes(tmp_path / "ten")[0]
    assert catalog.fold_numbers(tmp_path / "ten") == []
    catalog.check_one_assessor(tmp_path / "ten", "nothing")
    with pytest.raises(ValueError, match="ten is a judged collection"):
        catalog.load(tmp_path / "ten")
    with pytest.raises(ValueError, match=r"fold is 2, but .*ten has no folds"):
        judged.splits(tmp_path / "ten", 2)


BAD = {
    "one label a pair": ({"judgments.csv": table({p: g[:1] for p, g in LABELS.items()}, ("Ann",))}, {}, "one label a"),
    "no ids": ({"features.txt": "0 qid:q 1:1\n"}, {}, "mine: lines without a document id"),
    "an id missing": ({"features.txt": letor(LABELS) + "0 qid:q 1:1\n"}, {}, "mine: lines without a document id"),
    "twice in features": ({"features.txt": letor([*LABELS, ("q", "a")])}, {}, "document a stands twice in query q"),
    "twice by one": ({"judgments.csv": table(LABELS) + "q,a,Ann,0\n"}, {}, "judgments.csv, line 17"),
    "nothing in common": (
        {"features.txt": letor([("Q", "a")])},
        {},
        "no pair of query and document has both: features are of query Q, document a, judgments of query q, document "
        "a; 1 queries are written nearly alike",
    ),
    "nobody": ({}, {"tested_by": "Dan"}, "tested_by is 'Dan', expected one of Ann, Bob, Cid"),
    "named though nobody is known": (
        {},
        {"tested_by": "Ann", "persons": "query"},
        "persons is 'query', expected 'all'",
    ),
    "who is who": ({}, {"persons": "column"}, "persons is 'column', expected one of all, query, pair"),
    "good": ({}, {"good": 3}, "good is 3, expected 1 to 2"),
    "machines alone": ({}, {"machines": ["Ann", "Bob", "Cid"]}, "no judgment by a person"),
    "huge gains": (
        {"judgments.csv": table(LABELS | {("q", "a"): (16, 0, 0)})},
        {"grades": "0:0,1:1,2:2,16:16"},
        "add up to 65535, expected at",
    ),
}


@pytest.mark.parametrize(("files", "how", "said"), BAD.values(), ids=BAD)
def test_what_is_no_judged_collection_is_refused_in_a_line(put, folder, files, how, said):
    for name, text in files.items():
        put(f"mine/{name}", text)
    with pytest.raises(ValueError, match=re.escape(said)) as refused:
        judged.read(folder, **how)
    assert "\n" not in str(refused.value)
