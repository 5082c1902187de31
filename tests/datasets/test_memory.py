"""Rows of arrays in memory and of mapped files, and what pages of these a process goes on holding."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.datasets import memory

STATUS = Path("/proc/self/status")
LARGE = (3 * memory.BLOCK // (4 * 64), 64)  # of three blocks

told_by_the_system = pytest.mark.skipif(
    not STATUS.is_file(), reason="the system does not say how many pages of files a process holds"
)


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
@given(seed=st.integers(0, 99), n=st.integers(0, 200))
def test_rows_taken_are_those_that_numpy_takes(file, mode, seed, n):
    mapped, rows = np.load(file, mmap_mode=mode), np.random.default_rng(seed).integers(-LARGE[0], LARGE[0], n)
    assert np.array_equal(memory.taken(mapped, rows), mapped[rows])


def test_rows_of_views_and_of_one_dimension_are_those_that_numpy_takes(file):
    mapped = np.load(file, mmap_mode="r")
    rows = np.arange(LARGE[0] - 5, 0, -2)
    for array in (np.asarray(mapped), mapped[3:], mapped.reshape(-1), mapped[:, ::2], mapped.T):
        some = rows[rows < len(array)]
        assert np.array_equal(memory.taken(array, some), array[some])


def test_what_was_written_to_private_pages_is_not_lost(file):
    private = np.load(file, mmap_mode="c")
    private[0] = -1
    owned = memory.zeros(LARGE, np.float32)
    owned[0] = -1
    for array in (private, owned):
        assert (memory.taken(array, np.arange(len(array)))[0] == -1).all()
        assert (array[0] == -1).all()


@told_by_the_system
def test_pages_of_a_mapped_file_are_given_back_once_they_are_copied(file):
    mapped = np.load(file, mmap_mode="r")
    before = pages_of_files()
    mapped.sum()
    assert pages_of_files() - before > 0.9 * mapped.nbytes
    copy = memory.taken(np.asarray(mapped), np.arange(len(mapped)))
    assert pages_of_files() - before < 0.1 * mapped.nbytes
    assert np.array_equal(copy, mapped)


@told_by_the_system
def test_a_step_never_holds_more_than_a_block(file, monkeypatch):
    mapped, held = np.load(file, mmap_mode="r"), []

    class Counting:
        def madvise(self, _):
            held.append(pages_of_files())
            mapped.base.madvise(memory.mmap.MADV_DONTNEED)

    memory.taken(mapped, np.arange(1))
    before = pages_of_files()
    monkeypatch.setattr(memory, "_read_only_file", lambda _: Counting())
    memory.taken(mapped, np.arange(len(mapped)))
    assert len(held) == 3
    assert max(held) - before < 1.5 * memory.BLOCK
