"""The collection: what it holds, what it refuses, what is taken from it and sent, and rows of mapped files."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from helpers.datasets import collection as module
from helpers.datasets.collection import Collection, concatenate, offsets_of, taken

FEATURES = [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0], [5.0, 50.0], [6.0, 60.0]]

STATUS = Path("/proc/self/status")
LARGE = (3 * module.BLOCK // (4 * 64), 64)  # of three blocks

told_by_the_system = pytest.mark.skipif(
    not STATUS.is_file(), reason="the system does not say how many pages of files a process holds"
)


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
    assert three_queries.query_index.tolist() == [0, 0, 1, 2, 2, 2]
    types = [three_queries.features.dtype, three_queries.grades.dtype, three_queries.offsets.dtype]
    assert types == [np.float32, np.int8, np.int64]


def test_a_grade_beyond_those_counted_is_refused(three_queries):
    with pytest.raises(ValueError, match="n_grades is 4, but the collection has grade 4: expected at least 5"):
        three_queries.grade_counts(4)


# What it refuses


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": [1.0, 2.0]}, "features has shape (2,), expected 2 dimensions"),
        ({"features": [[1.0]]}, "features has 1 rows, grades has 2: one of each a document"),
        ({"grades": [[0], [1]]}, "grades has shape (2, 1), expected one grade for each of at least one document"),
        ({"grades": []}, "grades has shape (0,), expected one grade for each of at least one document"),
        ({"grades": [0, 128]}, "grades: row 1 has 128, expected a whole number from 0 to 127"),
        ({"grades": [0, 0.5]}, "grades: row 1 has 0.5, expected a whole number from 0 to 127"),
        ({"grades": [np.nan, 0]}, "grades: row 0 has nan, expected a whole number from 0 to 127"),
        ({"offsets": [[0, 2]]}, "offsets has shape (1, 2), expected 1 dimension"),
        ({"offsets": [0, 0.5, 2]}, "offsets holds 0.5, expected whole numbers"),
        ({"offsets": [0, np.nan, 2]}, "offsets holds nan, expected whole numbers"),
        ({"offsets": []}, "offsets run from nothing, expected from 0 to the number of documents, 2"),
        ({"offsets": [1, 2]}, "offsets run from 1 to 2, expected from 0 to the number of documents, 2"),
        ({"offsets": [0, 3]}, "offsets run from 0 to 3, expected from 0 to the number of documents, 2"),
        ({"offsets": [0, 1, 1, 2]}, "offsets: query 1 runs from row 1 to 1, expected at least one document"),
        ({"query_ids": ["a", "b"]}, "query_ids has shape (2,), expected (1,)"),
        ({"doc_ids": ["a"]}, "doc_ids has shape (1,), expected (2,)"),
        ({"feature_names": ["a", "b"]}, "feature_names has shape (2,), expected (1,)"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011  the whole message is compared
        Collection(**{"features": [[1.0], [2.0]], "grades": [0, 1], "offsets": [0, 2]} | changes)
    assert str(refused.value) == message


# What is taken


def test_queries_are_taken_in_the_order_given_with_all_they_have(three_queries):
    taken = three_queries.take_queries([2, 0])
    assert rows_of(taken) == [4, 5, 6, 1, 2]
    assert taken.grades.tolist() == [0, 0, 4, 0, 2]
    assert taken.offsets.tolist() == [0, 3, 5]
    assert taken.query_ids.tolist() == ["c", "a"]
    assert taken.doc_ids.tolist() == list("DEFAB")
    assert taken.name == "toy"


@pytest.mark.parametrize(
    ("indices", "ids"),
    [
        *((own, "ac") for own in ([0, 2], [True, False, True], slice(None, None, 2), np.array([-3, -1]))),
        ([1, 1], "bb"),  # as a bootstrap does
    ],
)
def test_queries_may_be_named_by_numbers_mask_or_slice_and_taken_twice(three_queries, indices, ids):
    assert three_queries.take_queries(indices).query_ids.tolist() == list(ids)
    for nothing in ([], [False, False, False]):
        with pytest.raises(ValueError, match="take_queries: no query is left, expected at least one"):
            three_queries.take_queries(nothing)


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


# What is put together, and sent


def test_collections_are_put_one_after_the_other_and_sent_whole(three_queries):
    whole = concatenate([three_queries.take_queries([2]), three_queries.take_queries([0])])
    for one in (whole, pickle.loads(pickle.dumps(whole))):
        assert rows_of(one) == [4, 5, 6, 1, 2]
        assert one.offsets.tolist() == [0, 3, 5]
        assert (one.query_ids.tolist(), one.doc_ids.tolist(), one.name) == (["c", "a"], list("DEFAB"), "toy")
    with pytest.raises(ValueError, match=r"collections have \[1, 2\] features, expected one number"):
        concatenate([three_queries, Collection([[1]], [0], [0, 1])])


def test_names_of_features_go_wherever_the_features_go():
    named = Collection([[1.0, 2.0], [3.0, 4.0]], [0, 1], [0, 1, 2], feature_names=["bm25", "length"])
    sent = pickle.loads(pickle.dumps(named))
    for one in (named.with_grades([1, 0]), named.take_queries([1]), sent, concatenate([named, named])):
        assert one.feature_names.tolist() == ["bm25", "length"]
    unnamed = Collection([[1.0, 2.0]], [0], [0, 1])
    assert concatenate([named, unnamed]).feature_names is None


# Rows of mapped files, and what pages of these a process goes on holding


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("mapped") / "large.npy"
    np.save(path, np.arange(np.prod(LARGE), dtype=np.float32).reshape(LARGE))
    return path


def pages_of_files():
    """Bytes of files that this process holds in memory."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("RssFile:"))
    return int(line.split()[1]) * 1024


@pytest.mark.parametrize("mode", ["r", "r+", "c"])
@settings(max_examples=20)
@given(seed=st.integers(0, 99), n=st.integers(0, 200))
def test_rows_taken_are_those_that_numpy_takes(file, mode, seed, n):
    mapped, rows = np.load(file, mmap_mode=mode), np.random.default_rng(seed).integers(-LARGE[0], LARGE[0], n)
    assert np.array_equal(taken(mapped, rows), mapped[rows])


def test_rows_of_views_and_of_one_dimension_are_those_that_numpy_takes(file):
    mapped = np.load(file, mmap_mode="r")
    rows = np.arange(LARGE[0] - 5, 0, -2)
    for array in (np.asarray(mapped), mapped[3:], mapped.reshape(-1), mapped[:, ::2], mapped.T):
        some = rows[rows < len(array)]
        assert np.array_equal(taken(array, some), array[some])


def test_what_was_written_to_private_pages_is_not_lost(file):
    private = np.load(file, mmap_mode="c")
    private[0] = -1
    assert (taken(private, np.arange(len(private)))[0] == -1).all()
    assert (private[0] == -1).all()


@told_by_the_system
def test_pages_of_a_mapped_file_are_given_back_once_they_are_copied(file):
    mapped = np.load(file, mmap_mode="r")
    before = pages_of_files()
    mapped.sum()
    assert pages_of_files() - before > 0.9 * mapped.nbytes
    copy = taken(np.asarray(mapped), np.arange(len(mapped)))
    assert pages_of_files() - before < 0.1 * mapped.nbytes
    assert np.array_equal(copy, mapped)
