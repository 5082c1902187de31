"""The collection: what it holds, what it refuses, what is taken from it and sent, and rows of mapped files."""

import mmap
import os
import pickle
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from damage import damaged
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from plain_letor import assert_same

from helpers.datasets import collection as module
from helpers.datasets import letor
from helpers.datasets.collection import Collection, concatenate, offsets_of, open_saved, save, taken
from helpers.files import DEAD_AFTER

FEATURES = [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0], [5.0, 50.0], [6.0, 60.0]]

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
STATUS = Path("/proc/self/status")
SHAPE = (3 * module.BLOCK // (4 * 64), 64)  # of three blocks

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
    np.save(path, np.arange(np.prod(SHAPE), dtype=np.float32).reshape(SHAPE))
    return path


def pages_of_files():
    """Bytes of files that this process holds in memory."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("RssFile:"))
    return int(line.split()[1]) * 1024


@pytest.mark.parametrize("mode", ["r", "r+", "c"])
@settings(max_examples=20)
@given(seed=st.integers(0, 99), n=st.integers(0, 200))
def test_rows_taken_are_those_that_numpy_takes(file, mode, seed, n):
    mapped, rows = np.load(file, mmap_mode=mode), np.random.default_rng(seed).integers(-SHAPE[0], SHAPE[0], n)
    assert np.array_equal(taken(mapped, rows), mapped[rows])


def test_rows_of_views_and_of_one_dimension_are_those_that_numpy_takes(file):
    mapped = np.load(file, mmap_mode="r")
    rows = np.arange(SHAPE[0] - 5, 0, -2)
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


@told_by_the_system
def test_a_step_never_holds_more_than_a_block(file, monkeypatch):
    mapped, held = np.load(file, mmap_mode="r"), []

    class Asked:  # what is to be done with the pages of a step, once it has copied them
        def __getattr__(self, name):
            held.append(pages_of_files())
            return getattr(mmap, name)

    taken(mapped, np.arange(1))
    before = pages_of_files()
    monkeypatch.setattr(module, "mmap", Asked())
    taken(mapped, np.arange(len(mapped)))
    assert len(held) == 1 + 3  # it is asked before the first step whether the system has it
    assert max(held) - before < 1.5 * module.BLOCK


# What is saved, and what the cache keeps of files that were read

TWO_QUERIES = "2 qid:10 1:0.5 2:3 #docid = A\n0 qid:10 2:-0\n1 qid:a-b 1:12345678 #docid = C\n"


@pytest.fixture
def saved(three_queries, tmp_path):
    """The collection, and the folder where it is saved."""
    return three_queries, save(three_queries, tmp_path / "new" / "c")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    directory = tmp_path / "cache"
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(directory))
    return directory


def test_a_saved_collection_opens_as_it_was_and_mapped_and_gives_ordinary_arrays(saved):
    opened = open_saved(saved[1])
    assert_same(opened, saved[0])
    assert opened.name == "toy"
    for part in ("features", "grades", "offsets", "doc_ids"):
        assert isinstance(getattr(opened, part), np.memmap)
        assert not getattr(opened, part).flags.writeable
    taken = opened.take_queries([2])
    assert type(taken.features) is np.ndarray
    taken.features[0] = 0


@pytest.mark.parametrize("prepare", [lambda path: None, lambda path: path.mkdir(), lambda path: path.write_text("")])
def test_what_is_no_saved_collection_is_told(tmp_path, prepare):
    prepare(tmp_path / "c")
    with pytest.raises(FileNotFoundError, match=r"c: no saved collection here, expected collection\.json"):
        open_saved(tmp_path / "c")


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "features.npy").write_bytes(b""),
        lambda folder: (folder / "features.npy").write_bytes((folder / "features.npy").read_bytes()[:-1] + b"x"),
        lambda folder: (folder / "doc_ids.npy").unlink(),
        lambda folder: shutil.copy(folder / "grades.npy", folder / "more.npy"),
        lambda folder: np.save(folder / "name.npy", ["boy"]),
    ],
    ids=["emptied", "changed", "lost", "added", "renamed"],
)
def test_what_is_not_as_it_was_saved_is_refused(saved, change):
    change(saved[1])
    with pytest.raises(
        ValueError, match=r"c: not as it was saved, expected files whose checksums stand in collection\.js"
    ):
        open_saved(saved[1])


def test_an_opened_collection_is_sent_as_its_place_also_to_another_working_directory(saved, monkeypatch):
    monkeypatch.chdir(saved[1].parent)
    opened = open_saved("c")
    opened.name = "renamed"
    message = pickle.dumps(opened)
    assert len(message) < 1000
    monkeypatch.chdir("/")
    copy = pickle.loads(message)
    assert_same(copy, opened)
    assert copy.name == "renamed"
    assert isinstance(copy.features, np.memmap)


# What is cached


def entries(cache):
    return sorted(file.parent.name for file in cache.rglob("features.npy"))


def test_a_file_is_parsed_once_and_then_mapped_and_again_where_it_or_its_side_file_changes(put, cache, monkeypatch):
    parsed, read = [], letor.read
    monkeypatch.setattr(letor, "read", lambda path, *how: parsed.append(path) or read(path, *how))
    path = put("train.txt", "1 1:5\n1 1:6\n")
    put("train.txt.query", "2\n")
    for _ in range(3):
        collection = letor.cached(path)
        assert (collection.n_queries, collection.features.tolist()) == (1, [[5], [6]])
        assert Path(collection.features.filename).is_relative_to(cache)
    assert parsed == [path]
    put("train.txt.query", "1\n1\n")
    assert letor.cached(path).n_queries == 2
    put("train.txt", "1 1:5\n1 1:7\n")
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))
    assert letor.cached(path).features.tolist() == [[5], [7]]
    assert len(parsed) == 3


def while_read(monkeypatch, happens):
    """Let something happen while a file is read."""
    read = letor.read

    def read_meanwhile(path, n_features, base):
        monkeypatch.setattr(letor, "read", read)
        collection = read(path, n_features, base)
        happens()
        return collection

    monkeypatch.setattr(letor, "read", read_meanwhile)


def test_a_file_that_changes_while_it_is_read_is_not_cached(put, cache, monkeypatch):
    path = put("train.txt", "1 qid:1 1:5\n")
    while_read(monkeypatch, lambda: put("train.txt", "1 qid:1 1:5\n1 qid:1 1:6\n"))
    with pytest.raises(ValueError, match=r"train\.txt was changed while it was read"):
        letor.cached(path)
    assert entries(cache) == []


def test_two_processes_may_fill_the_cache_at_the_same_time(put, cache, monkeypatch):
    path = put("train.txt", TWO_QUERIES)
    while_read(monkeypatch, lambda: letor.cached(path))
    assert_same(letor.cached(path), letor.read(path))
    assert len(entries(cache)) == 1


def test_a_cache_damaged_anywhere_gives_the_same_collection(put, cache, monkeypatch):
    """Ten thousand caches under LABEL_STUDIES_TESTS=all."""
    rng = np.random.default_rng(33)
    path = put("train.txt", TWO_QUERIES)
    right = letor.read(path)
    entry = Path(letor.cached(path).features.filename).parent
    whole = {file: file.read_bytes() for file in sorted(entry.iterdir())}
    monkeypatch.setattr(os, "fsync", lambda _: None)
    for _ in range(10_000 if LARGE else 40):
        file = list(whole)[rng.integers(len(whole))]
        file.write_bytes(damaged(whole[file], rng))
        assert_same(letor.cached(path), right)
        for file, content in whole.items():
            file.write_bytes(content)


def test_what_is_cached_of_a_file_as_it_was_and_what_the_dead_left_goes_when_it_is_old(put, cache):
    path, other = put("train.txt", "1 qid:1 1:5\n"), put("other.txt", "1 qid:1 1:5\n")
    letor.cached(path)
    put("train.txt", "1 qid:1 1:6\n1 qid:1 1:7\n")
    letor.cached(other)
    new = Path(letor.cached(path).features.filename).parent
    dead = new.with_name(f".{'0' * 32}-all-x.unfinished")
    dead.mkdir()
    assert len(entries(cache)) == 3  # somebody may be using the old one
    long_ago = time.time() - DEAD_AFTER - 1
    for entry in cache.rglob("*"):
        os.utime(entry, (long_ago, long_ago))
    letor.cached(path, n_features=4)
    state = new.name.partition("-")[0]
    assert sorted(entry.name for entry in new.parent.iterdir()) == [f"{state}-4", f"{state}-all"]
    assert len(entries(cache)) == 3  # and that of the other file


def test_a_cache_that_cannot_be_written_is_told_with_what_to_set(put, cache):
    cache.write_text("in the way")
    with pytest.raises(OSError, match=r"cache.*: set LABEL_STUDIES_CACHE to a folder that can be written"):
        letor.cached(put("train.txt", TWO_QUERIES))
