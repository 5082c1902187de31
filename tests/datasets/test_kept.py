"""Collections saved and mapped again, here and in another process, and what the cache keeps of files that were read."""

import os
import pickle
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from damage import damaged

from helpers.datasets import letor
from helpers.datasets.collection import Collection, open_saved, save
from helpers.files import DEAD_AFTER

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
TWO_QUERIES = "2 qid:10 1:0.5 2:3 #docid = A\n0 qid:10 2:-0\n1 qid:a-b 1:12345678 #docid = C\n"


@pytest.fixture
def three_queries():
    """Queries a (rows 0-1), b (2), c (3-5)."""
    features = np.arange(12).reshape(6, 2)
    return Collection(features, [0, 2, 1, 0, 0, 4], [0, 2, 3, 6], list("abc"), list("ABCDEF"), "toy")


@pytest.fixture
def put(tmp_path):
    """Puts text into a file and gives its path."""

    def put(content, name="train.txt"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return put


@pytest.fixture
def cache(tmp_path, monkeypatch):
    directory = tmp_path / "cache"
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(directory))
    return directory


def assert_same(one, other):
    """The same collection to the last bit, -0.0 told from 0.0."""
    np.testing.assert_array_equal(one.features.view(np.uint32), other.features.view(np.uint32))
    for part in ("grades", "offsets", "query_ids", "doc_ids"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part))
    assert one.name == other.name


def assert_two_queries(collection):
    assert collection.features.tolist() == [[0.5, 3], [0, 0], [12345678, 0]]
    assert collection.grades.tolist() == [2, 0, 1]
    assert (collection.query_ids.tolist(), collection.doc_ids.tolist()) == (["10", "a-b"], ["A", "", "C"])


# What is saved


def test_a_saved_collection_opens_as_it_was_and_mapped(three_queries, tmp_path):
    opened = open_saved(save(three_queries, tmp_path / "new" / "toy"))
    assert_same(opened, three_queries)
    for part in ("features", "grades", "offsets", "doc_ids"):
        assert isinstance(getattr(opened, part), np.memmap)
        assert not getattr(opened, part).flags.writeable


def test_taking_from_an_opened_collection_gives_ordinary_arrays(three_queries, tmp_path):
    taken = open_saved(save(three_queries, tmp_path / "c")).take_queries([2])
    assert type(taken.features) is np.ndarray
    taken.features[0] = 0


@pytest.mark.parametrize("prepare", [lambda path: None, lambda path: path.mkdir(), lambda path: path.write_text("")])
def test_what_is_no_saved_collection_is_told(tmp_path, prepare):
    prepare(tmp_path / "c")
    with pytest.raises(FileNotFoundError, match=r"c: no saved collection here, expected collection\.json"):
        open_saved(tmp_path / "c")


@pytest.mark.parametrize("part", ["features.npy", "doc_ids.npy"])
@pytest.mark.parametrize("damage", [lambda raw: b"", lambda raw: raw[:-1], lambda raw: raw[:-1] + bytes([raw[-1] ^ 1])])
def test_an_array_that_is_not_as_it_was_saved_is_refused(three_queries, tmp_path, part, damage):
    path = save(three_queries, tmp_path / "c") / part
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(
        ValueError, match=r"c: not as it was saved, expected files whose checksums stand in collection\.js"
    ):
        open_saved(tmp_path / "c")


@pytest.mark.parametrize("change", [lambda folder: (folder / "doc_ids.npy").unlink(),
                                    lambda folder: shutil.copy(folder / "grades.npy", folder / "more.npy"),
                                    lambda folder: (folder / "collection.json").write_text(
                                        (folder / "collection.json").read_text().replace("toy", "boy"))])  # fmt: skip
def test_a_lost_an_added_and_a_renamed_part_are_refused(three_queries, tmp_path, change):
    change(save(three_queries, tmp_path / "c"))
    with pytest.raises(ValueError, match="c: not as it was saved"):
        open_saved(tmp_path / "c")


def test_an_opened_collection_is_sent_as_its_place(rng, tmp_path):
    features = rng.random((1000, 10))
    saved = save(Collection(features, np.zeros(1000), [0, 1000]), tmp_path / "c")
    opened = open_saved(saved)
    opened.name = "renamed"
    message = pickle.dumps(opened)
    assert len(message) < 1000
    copy = pickle.loads(message)
    assert_same(copy, opened)
    assert isinstance(copy.features, np.memmap)


def test_an_opened_collection_arrives_where_the_working_directory_is_another(three_queries, tmp_path, monkeypatch):
    save(three_queries, tmp_path / "c")
    monkeypatch.chdir(tmp_path)
    message = pickle.dumps(open_saved("c"))
    monkeypatch.chdir("/")
    assert_same(pickle.loads(message), three_queries)


# What is cached


@pytest.fixture
def reads(monkeypatch):
    """The files that were parsed."""
    parsed, read = [], letor.read
    monkeypatch.setattr(letor, "read", lambda path, *how: parsed.append(path) or read(path, *how))
    return parsed


def test_a_file_is_parsed_once_and_then_mapped(put, cache, reads):
    path = put(TWO_QUERIES)
    for _ in range(3):
        collection = letor.cached(path)
        assert_two_queries(collection)
        assert isinstance(collection.features, np.memmap)
        assert Path(collection.features.filename).is_relative_to(cache)
    assert reads == [path]


def test_a_changed_file_is_parsed_again(put, cache):
    path = put("1 qid:1 1:5\n")
    assert letor.cached(path).features.tolist() == [[5]]
    put("1 qid:1 1:6\n")
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))
    assert letor.cached(path).features.tolist() == [[6]]


def test_a_changed_side_file_is_parsed_again(put, cache):
    path = put("1 1:5\n1 1:6\n")
    put("2\n", "train.txt.query")
    assert letor.cached(path).n_queries == 1
    put("1\n1\n", "train.txt.query")
    assert letor.cached(path).n_queries == 2


def test_a_file_that_changes_while_it_is_read_is_not_cached(put, cache, monkeypatch):
    path, read = put("1 qid:1 1:5\n"), letor.read

    def read_and_append(path, n_features, base):
        collection = read(path, n_features)
        put("1 qid:1 1:5\n1 qid:1 1:6\n")
        return collection

    monkeypatch.setattr(letor, "read", read_and_append)
    with pytest.raises(ValueError, match=r"train\.txt was changed while it was read"):
        letor.cached(path)
    assert list(cache.rglob("*.npy")) == []


def test_two_processes_may_fill_the_cache_at_the_same_time(put, cache, monkeypatch):
    path, read = put(TWO_QUERIES), letor.read

    def read_second(path, n_features, base):
        monkeypatch.setattr(letor, "read", read)
        assert_two_queries(letor.cached(path, n_features))  # the other process, from start to end
        return read(path, n_features)

    monkeypatch.setattr(letor, "read", read_second)
    assert_two_queries(letor.cached(path))
    assert len(list(cache.rglob("features.npy"))) == 1


def test_a_cache_damaged_anywhere_gives_the_same_collection(put, cache, monkeypatch):
    """Ten thousand caches under LABEL_STUDIES_TESTS=all."""
    rng = np.random.default_rng(33)
    path = put(TWO_QUERIES)
    right = letor.read(path)
    entry = Path(letor.cached(path).features.filename).parent
    whole = {file: file.read_bytes() for file in sorted(entry.iterdir())}
    monkeypatch.setattr(os, "fsync", lambda _: None)
    for _ in range(10_000 if LARGE else 40):
        file = list(whole)[rng.integers(len(whole))]
        file.write_bytes(damaged(whole[file], rng))
        found = letor.cached(path)
        assert_same(found, right)
        assert found.name == right.name
        del found
        for file, content in whole.items():
            file.write_bytes(content)


def test_what_is_cached_of_a_file_as_it_was_goes_when_it_is_old(put, cache):
    path = put("1 qid:1 1:5\n")
    of_old, of_new = "1 qid:1 1:5\n", "1 qid:1 1:6\n1 qid:1 1:7\n"
    other = put("1 qid:1 1:5\n", "other.txt")
    for text in (of_old, of_new):
        put(text)
        letor.cached(path)
    letor.cached(other)
    assert len(list(cache.rglob("features.npy"))) == 3  # somebody may be using the old one
    long_ago = time.time() - DEAD_AFTER - 1
    for entry in cache.rglob("*"):
        os.utime(entry, (long_ago, long_ago))
    letor.cached(path, n_features=4)
    assert sorted(Path(file).stat().st_size for file in cache.rglob("grades.npy")) == [129, 130, 130]
    assert len(list(cache.rglob("features.npy"))) == 3  # of the new text with and without four features, and of other


def test_what_a_dead_process_left_in_the_cache_goes(put, cache):
    path = put(TWO_QUERIES)
    entry = Path(letor.cached(path).features.filename).parent
    dead = entry.with_name(f".{'0' * 32}-all-x.unfinished")
    dead.mkdir()
    os.utime(dead, (0, 0))
    letor.cached(path, n_features=5)
    assert sorted(folder.name for folder in entry.parent.iterdir()) == sorted(
        [entry.name, entry.name.replace("all", "5")]
    )


def test_a_cache_that_cannot_be_written_is_told_with_what_to_set(put, cache):
    cache.write_text("in the way")
    with pytest.raises(OSError, match=r"cache.*: set LABEL_STUDIES_CACHE to a folder that can be written"):
        letor.cached(put(TWO_QUERIES))
