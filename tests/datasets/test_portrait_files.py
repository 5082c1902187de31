"""Portrait files: which data sets they are, and that a damaged one is never drawn from."""

import io
import os
import re
from dataclasses import asdict, replace

import numpy as np
import pytest
from damage import damaged

from helpers.datasets import portrait

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
MUTANTS = 10_000 if LARGE else 40


@pytest.fixture(scope="module")
def small():
    """A portrait of few numbers, so that most of its file is structure."""
    own = portrait.open("ohsumed")
    return replace(own, grade_counts=own.grade_counts[:12])


@pytest.fixture(scope="module")
def content(small, tmp_path_factory):
    return portrait.save(small, tmp_path_factory.mktemp("whole") / "own.npz").read_bytes()


def changed_inside(content, rng):
    """One value of one array is another, or no number; the archive is whole, and has the old checksum or none."""
    with np.load(io.BytesIO(content)) as parts:
        arrays = dict(parts)
    name = rng.choice([name for name, array in arrays.items() if array.dtype.kind == "f" and array.size])
    values = arrays[name] = np.atleast_1d(arrays[name]).copy()
    values.flat[int(rng.integers(values.size))] = rng.choice([np.nan, np.inf, 0.123, -4.0])
    arrays[name] = values if values.size > 1 else values[0]
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue() + content[-64:] * int(rng.integers(2))


def equal(first, second):
    pairs = zip(asdict(first).values(), asdict(second).values(), strict=True)
    return all(np.array_equal(mine, other) for mine, other in pairs)


def test_a_mutated_portrait_is_the_same_or_refused_by_name(small, content, tmp_path):
    rng, path, n_refused = np.random.default_rng(2012), tmp_path / "mutant.npz", 0
    for number in range(MUTANTS):
        path.write_bytes((damaged, damaged, changed_inside)[number % 3](content, rng))
        try:
            assert equal(portrait.load(path), small)
        except ValueError as error:
            message = str(error)
            assert message.startswith(f"{path}: expected a portrait") and "\n" not in message  # noqa: PT018
            n_refused += 1
    assert n_refused > 0.9 * MUTANTS


def test_parts_of_another_release_are_refused(small, tmp_path, monkeypatch):
    monkeypatch.setattr("helpers.datasets.portrait.files.asdict", lambda p: asdict(p) | {"new": np.zeros(1)})
    path = portrait.save(small, tmp_path / "own.npz")
    monkeypatch.undo()
    with pytest.raises(ValueError, match=re.escape(f"{path}: expected a portrait of this release") + ".*'new'"):
        portrait.load(path)


def test_numpy_opens_a_portrait(small, content):
    with np.load(io.BytesIO(content)) as parts:
        assert set(parts.files) == set(asdict(small)) - {"name", "source"} | {"texts"}
        assert (parts["grade_counts"] == small.grade_counts).all()


def test_a_path_names_a_portrait(small, tmp_path, monkeypatch):
    path = portrait.save(small, tmp_path / "mine.npz")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert equal(portrait.named(str(path)), small)
    assert equal(portrait.named("~/mine.npz"), small)
    assert portrait.named(str(path.with_suffix(".txt"))) is None
    with pytest.raises(FileNotFoundError, match=r"nowhere\.npz"):
        portrait.named("nowhere.npz")
