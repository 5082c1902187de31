"""The collection: what it holds, what it refuses, what is taken from it, saved and sent."""

import json
import os
import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from helpers.datasets.collection import Collection, concatenate, offsets_of
from helpers.metrics.ranking import checked_offsets

FEATURES = [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0], [5.0, 50.0], [6.0, 60.0]]


@pytest.fixture
def three_queries():
    """Queries a (rows 0-1), b (2), c (3-5)."""
    return Collection(FEATURES, [0, 2, 1, 0, 0, 4], [0, 2, 3, 6], list("abc"), list("ABCDEF"), "toy")


@st.composite
def numbered(draw):
    """A collection whose only feature is the row number."""
    group = np.array(draw(st.lists(st.integers(1, 6), min_size=1, max_size=8)))
    n_docs = int(group.sum())
    grades = draw(arrays(np.int8, n_docs, elements=st.integers(0, 4)))
    return Collection(np.arange(n_docs)[:, None], grades, offsets_of(group), doc_ids=np.arange(n_docs))


def rows_of(collection):
    return collection.features[:, 0].astype(int).tolist()


# What it holds


def test_counts_and_types(three_queries):
    assert (three_queries.n_queries, three_queries.n_docs, three_queries.n_features) == (3, 6, 2)
    assert three_queries.group.tolist() == [2, 1, 3]
    assert three_queries.query_index.tolist() == [0, 0, 1, 2, 2, 2]
    assert [three_queries.features.dtype, three_queries.grades.dtype, three_queries.offsets.dtype] == [
        np.float32,
        np.int8,
        np.int64,
    ]


def test_arrays_of_the_right_type_are_shared_not_copied():
    features, grades, offsets = np.ones((2, 1), np.float32), np.zeros(2, np.int8), np.array([0, 2])
    collection = Collection(features, grades, offsets)
    assert collection.features is features
    assert collection.grades is grades
    assert collection.offsets is offsets


def test_queries_without_ids_are_numbered_from_1():
    assert Collection([[1], [2]], [0, 1], [0, 1, 2]).query_ids.tolist() == ["1", "2"]


def test_ids_become_strings():
    collection = Collection([[1], [2]], [0, 1], [0, 2], query_ids=[7], doc_ids=[8, 9])
    assert (collection.query_ids.tolist(), collection.doc_ids.tolist()) == (["7"], ["8", "9"])


def test_whole_grades_of_any_type_are_taken():
    for grades in ([1.0, 127.0], np.array([1, 127], np.uint64), [True, False]):
        assert Collection([[1], [2]], grades, [0, 2]).grades.tolist() == [int(grade) for grade in grades]


def test_grades_are_counted_in_every_query(three_queries):
    assert three_queries.grade_counts(5).tolist() == [[1, 0, 1, 0, 0], [0, 1, 0, 0, 0], [2, 0, 0, 0, 1]]


@given(numbered())
def test_grade_counts_add_up_to_documents_and_to_queries(collection):
    counts = collection.grade_counts(7)
    assert counts.sum(axis=1).tolist() == collection.group.tolist()
    assert counts.sum(axis=0).tolist() == np.bincount(collection.grades, minlength=7).tolist()


def test_a_grade_beyond_those_counted_is_refused(three_queries):
    with pytest.raises(ValueError, match="n_grades is 4, but the collection has grade 4: expected at least 5"):
        three_queries.grade_counts(4)


def test_it_says_what_it_is(three_queries):
    assert repr(three_queries) == "Collection 'toy': 3 queries, 6 documents, 2 features, grades 0-4"


# What it refuses


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": [1.0, 2.0]}, "features has shape (2,), expected 2 dimensions"),
        ({"features": [[1.0]]}, "features has 1 rows, grades has 2: one of each a document"),
        ({"grades": [[0], [1]]}, "grades has shape (2, 1), expected one grade for each of at least one document"),
        ({"grades": []}, "grades has shape (0,), expected one grade for each of at least one document"),
        ({"grades": [0, 128]}, "grades: row 1 has 128, expected a whole number from 0 to 127"),
        ({"grades": [-1, 0]}, "grades: row 0 has -1, expected a whole number from 0 to 127"),
        ({"grades": [0, 0.5]}, "grades: row 1 has 0.5, expected a whole number from 0 to 127"),
        ({"grades": [np.nan, 0]}, "grades: row 0 has nan, expected a whole number from 0 to 127"),
        ({"offsets": [[0, 2]]}, "offsets has shape (1, 2), expected 1 dimension"),
        ({"offsets": [0, 0.5, 2]}, "offsets holds 0.5, expected whole numbers"),
        ({"offsets": [0, np.nan, 2]}, "offsets holds nan, expected whole numbers"),
        ({"offsets": [0, 3]}, "offsets run from 0 to 3, expected from 0 to the number of documents, 2"),
        ({"query_ids": ["a", "b"]}, "query_ids has shape (2,), expected (1,)"),
        ({"doc_ids": ["a"]}, "doc_ids has shape (1,), expected (2,)"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011  the whole message is compared
        Collection(**{"features": [[1.0], [2.0]], "grades": [0, 1], "offsets": [0, 2]} | changes)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([], "offsets run from nothing, expected from 0 to the number of documents, 5"),
        ([0], "offsets run from 0 to 0, expected from 0 to the number of documents, 5"),
        ([1, 5], "offsets run from 1 to 5, expected from 0 to the number of documents, 5"),
        ([0, 4], "offsets run from 0 to 4, expected from 0 to the number of documents, 5"),
        ([0, 2, 2, 5], "offsets: query 1 runs from row 2 to 2, expected at least one document"),
        ([0, 4, 3, 5], "offsets: query 1 runs from row 4 to 3, expected at least one document"),
    ],
)
def test_offsets_must_rise_from_0_to_the_number_of_documents(offsets, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011  the whole message is compared
        checked_offsets(np.array(offsets), 5)
    assert str(refused.value) == message


@given(st.lists(st.integers(1, 50), min_size=1))
def test_offsets_hold_what_the_group_says(group):
    offsets = offsets_of(group)
    checked_offsets(offsets, sum(group))
    assert np.diff(offsets).tolist() == group


# What is taken


def test_queries_are_taken_in_the_order_given_with_all_they_have(three_queries):
    taken = three_queries.take_queries([2, 0])
    assert rows_of(taken) == [4, 5, 6, 1, 2]
    assert taken.grades.tolist() == [0, 0, 4, 0, 2]
    assert taken.offsets.tolist() == [0, 3, 5]
    assert taken.query_ids.tolist() == ["c", "a"]
    assert taken.doc_ids.tolist() == list("DEFAB")
    assert taken.name == "toy"


def test_a_query_may_be_taken_twice_as_a_bootstrap_does(three_queries):
    taken = three_queries.take_queries([1, 1])
    assert (taken.query_ids.tolist(), rows_of(taken)) == (["b", "b"], [3, 3])


@pytest.mark.parametrize("indices", [[0, 2], [True, False, True], slice(None, None, 2), np.array([-3, -1])])
def test_queries_may_be_named_by_numbers_mask_or_slice(three_queries, indices):
    assert three_queries.take_queries(indices).query_ids.tolist() == ["a", "c"]


def test_rows_are_taken_in_the_order_given_within_the_old_order_of_queries(three_queries):
    taken = three_queries.take_rows([5, 1, 3, 0])
    assert rows_of(taken) == [2, 1, 6, 4]
    assert taken.offsets.tolist() == [0, 2, 4]
    assert taken.query_ids.tolist() == ["a", "c"]
    assert taken.doc_ids.tolist() == list("BAFD")


def test_rows_may_be_named_by_a_mask(three_queries):
    mask = three_queries.grades > 0
    assert rows_of(three_queries.take_rows(mask)) == [2, 3, 6]


def test_a_collection_without_document_ids_stays_without():
    collection = Collection([[1], [2]], [0, 1], [0, 1, 2])
    assert collection.take_rows([1]).doc_ids is None
    assert collection.take_queries([1]).doc_ids is None


@pytest.mark.parametrize("nothing", [[], [False, False, False]])
def test_taking_no_query_is_refused(three_queries, nothing):
    with pytest.raises(ValueError, match="take_queries: no query is left, expected at least one"):
        three_queries.take_queries(nothing)


def test_taking_no_row_is_refused(three_queries):
    with pytest.raises(ValueError, match="take_rows: no document is left, expected at least one"):
        three_queries.take_rows([False] * 6)


@given(numbered(), st.data())
def test_taking_queries_is_taking_the_rows_they_own(collection, data):
    mask = data.draw(arrays(bool, collection.n_queries).filter(np.any))
    by_query, by_row = collection.take_queries(mask), collection.take_rows(mask[collection.query_index])
    for part in ("features", "grades", "offsets", "query_ids", "doc_ids"):
        np.testing.assert_array_equal(getattr(by_query, part), getattr(by_row, part))


@given(numbered(), st.data())
def test_a_shuffle_of_the_queries_can_be_undone(collection, data):
    order = np.array(data.draw(st.permutations(range(collection.n_queries))))
    back = collection.take_queries(order).take_queries(np.argsort(order))
    assert rows_of(back) == rows_of(collection)
    assert back.query_ids.tolist() == collection.query_ids.tolist()


def test_other_grades_share_the_features(three_queries):
    graded = three_queries.with_grades([1] * 6)
    assert graded.grades.tolist() == [1] * 6
    assert three_queries.grades.tolist() == [0, 2, 1, 0, 0, 4]
    assert graded.features is three_queries.features
    assert (graded.doc_ids.tolist(), graded.name) == (list("ABCDEF"), "toy")


# What is put together


def test_collections_are_put_one_after_the_other(three_queries):
    whole = concatenate([three_queries.take_queries([2]), three_queries.take_queries([0])])
    assert rows_of(whole) == [4, 5, 6, 1, 2]
    assert whole.offsets.tolist() == [0, 3, 5]
    assert (whole.query_ids.tolist(), whole.doc_ids.tolist(), whole.name) == (["c", "a"], list("DEFAB"), "toy")


def test_document_ids_are_kept_only_where_all_have_them(three_queries):
    assert concatenate([three_queries, Collection([[1, 2]], [0], [0, 1])]).doc_ids is None


def test_collections_of_different_width_do_not_go_together(three_queries):
    with pytest.raises(ValueError, match=r"collections have \[1, 2\] features, expected one number"):
        concatenate([three_queries, Collection([[1]], [0], [0, 1])])


# What is saved and sent


def assert_same(one, other):
    for part in ("features", "grades", "offsets", "query_ids", "doc_ids"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part))
    assert one.name == other.name


def test_a_saved_collection_opens_as_it_was_and_mapped(three_queries, tmp_path):
    opened = Collection.open(three_queries.save(tmp_path / "new" / "toy"))
    assert_same(opened, three_queries)
    for part in ("features", "grades", "offsets", "doc_ids"):
        assert isinstance(getattr(opened, part), np.memmap)
        assert not getattr(opened, part).flags.writeable


def test_a_collection_without_document_ids_is_saved_without(tmp_path):
    assert Collection.open(Collection([[1]], [0], [0, 1]).save(tmp_path / "c")).doc_ids is None


def test_taking_from_an_opened_collection_gives_ordinary_arrays(three_queries, tmp_path):
    taken = Collection.open(three_queries.save(tmp_path / "c")).take_queries([2])
    assert type(taken.features) is np.ndarray
    taken.features[0] = 0


def test_saving_that_fails_leaves_nothing(three_queries, tmp_path, monkeypatch):
    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(json, "dumps", fail)
    with pytest.raises(KeyboardInterrupt):
        three_queries.save(tmp_path / "c")
    assert list(tmp_path.iterdir()) == []


def test_saving_over_another_collection_is_refused_and_leaves_it(three_queries, tmp_path):
    directory = three_queries.save(tmp_path / "c")
    with pytest.raises(FileExistsError, match="c: is there already"):
        three_queries.take_queries([0]).save(directory)
    assert_same(Collection.open(directory), three_queries)
    assert list(tmp_path.iterdir()) == [directory]


@pytest.mark.skipif(os.name != "posix", reason="rights of other users are POSIX's")
def test_a_saved_collection_has_the_rights_of_any_new_folder(three_queries, tmp_path):
    ordinary = tmp_path / "ordinary"
    ordinary.mkdir()
    assert three_queries.save(tmp_path / "c").stat().st_mode == ordinary.stat().st_mode


@pytest.mark.parametrize("prepare", [lambda path: None, lambda path: path.mkdir(), lambda path: path.write_text("")])
def test_what_is_no_saved_collection_is_told(tmp_path, prepare):
    prepare(tmp_path / "c")
    with pytest.raises(FileNotFoundError, match=r"c: no saved collection here, expected collection\.json"):
        Collection.open(tmp_path / "c")


@pytest.mark.parametrize("part", ["features.npy", "grades.npy", "offsets.npy", "query_ids.npy", "doc_ids.npy"])
@pytest.mark.parametrize("damage", [lambda raw: b"", lambda raw: raw[:-1], lambda raw: raw[:-1] + bytes([raw[-1] ^ 1])])
def test_an_array_that_is_not_as_it_was_saved_is_refused(three_queries, tmp_path, part, damage):
    path = three_queries.save(tmp_path / "c") / part
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(
        ValueError, match=r"c: not as it was saved, expected files whose checksums stand in collection\.js"
    ):
        Collection.open(tmp_path / "c")


@pytest.mark.parametrize("old", ["", "{", "[]", '{"name": "toy"}'])
def test_a_head_that_is_not_as_it_was_saved_is_refused(three_queries, tmp_path, old):
    (three_queries.save(tmp_path / "c") / "collection.json").write_text(old)
    with pytest.raises(ValueError, match="c: not as it was saved"):
        Collection.open(tmp_path / "c")


@pytest.mark.parametrize("change", [lambda folder: (folder / "doc_ids.npy").unlink(),
                                    lambda folder: shutil.copy(folder / "grades.npy", folder / "more.npy"),
                                    lambda folder: (folder / "collection.json").write_text(
                                        (folder / "collection.json").read_text().replace("toy", "boy"))])  # fmt: skip
def test_a_lost_an_added_and_a_renamed_part_are_refused(three_queries, tmp_path, change):
    change(three_queries.save(tmp_path / "c"))
    with pytest.raises(ValueError, match="c: not as it was saved"):
        Collection.open(tmp_path / "c")


def test_a_copy_in_memory_is_sent_whole(three_queries):
    assert_same(pickle.loads(pickle.dumps(three_queries)), three_queries)


def test_an_opened_collection_is_sent_as_its_place(rng, tmp_path):
    features = rng.random((1000, 10))
    saved = Collection(features, np.zeros(1000), [0, 1000]).save(tmp_path / "c")
    opened = Collection.open(saved)
    opened.name = "renamed"
    message = pickle.dumps(opened)
    assert len(message) < 1000
    copy = pickle.loads(message)
    assert_same(copy, opened)
    assert isinstance(copy.features, np.memmap)


def test_an_opened_collection_arrives_in_a_process_with_another_working_directory(three_queries, tmp_path, monkeypatch):
    three_queries.save(tmp_path / "c")
    monkeypatch.chdir(tmp_path)
    message = pickle.dumps(Collection.open("c"))
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    done = subprocess.run([sys.executable, "-c", program], input=message, capture_output=True, check=True, cwd="/")
    assert done.stdout.decode().strip() == repr(three_queries)


def test_names_of_features_go_wherever_the_features_go():
    named = Collection([[1.0, 2.0], [3.0, 4.0]], [0, 1], [0, 1, 2], feature_names=["bm25", "length"])
    for one in (named.with_grades([1, 0]), named.take_queries([1]), pickle.loads(pickle.dumps(named))):
        assert one.feature_names.tolist() == ["bm25", "length"]
    assert concatenate([named, named]).feature_names.tolist() == ["bm25", "length"]
    unnamed = Collection([[1.0, 2.0]], [0], [0, 1])
    assert concatenate([named, unnamed]).feature_names is None
    with pytest.raises(ValueError, match=r"feature_names has shape \(1,\), expected \(2,\)"):
        Collection([[1.0, 2.0]], [0], [0, 1], feature_names=["bm25"])


def test_names_of_features_belong_to_the_contents_where_there_are_any():
    """So what was computed of a collection without names stays valid."""
    assert "feature_names" not in Collection([[1.0]], [0], [0, 1]).contents()
    assert "feature_names" in Collection([[1.0]], [0], [0, 1], feature_names=["bm25"]).contents()
