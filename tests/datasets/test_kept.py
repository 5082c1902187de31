"""Collections saved and mapped again, here and in another process, and what the cache keeps of files that were read."""

import os
import pickle
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from damage import damaged
from plain_letor import assert_same

from helpers.datasets import letor
from helpers.datasets.collection import Collection, open_saved, save
from helpers.files import DEAD_AFTER

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
TWO_QUERIES = "2 qid:10 1:0.5 2:3 #docid = A\n0 qid:10 2:-0\n1 qid:a-b 1:12345678 #docid = C\n"


@pytest.fixture
def saved(tmp_path):
    """A collection of queries a (rows 0-1), b (2), c (3-5), and the folder where it is saved."""
    features = np.arange(12).reshape(6, 2)
    made = Collection(features, [0, 2, 1, 0, 0, 4], [0, 2, 3, 6], list("abc"), list("ABCDEF"), "toy")
    return made, save(made, tmp_path / "new" / "c")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    directory = tmp_path / "cache"
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(directory))
    return directory


# What is saved


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
