"""Finished runs on disk: damage, superseded code, sweeps side by side, and folders that cannot be written."""

import importlib
import os
import resource
import sys
import threading
import time
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import stored_runs
from damage import damaged
from stored_runs import assert_identical

from helpers.engine import store, sweep

GRID = sweep.grid(percent=[5, 50, 100], repeat=[0, 1])
LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
MUTATIONS = 10_000 if LARGE else 40


def draw(percent, repeat, rng):
    return {"ndcg": percent * rng.random(), "n": repeat + 1, "curve": rng.random(3), "best": None}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The table of a sweep and its file of rows."""
    folder = tmp_path_factory.mktemp("finished")
    return sweep.run(draw, GRID, store=folder), stored_runs.file(folder)


# damage


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line.replace(b'"n": 1', b'"n": 2'),
        lambda line: line[17:],
        lambda line: b"",
        lambda line: b"\xff\x00" + line,
    ],
)
def test_a_damaged_row_is_run_again_with_a_note(tmp_path, finished, damage):
    table, file = finished
    lines = file.read_bytes().splitlines()
    lines[2] = damage(lines[2])
    (tmp_path / file.name).write_bytes(b"\n".join(lines) + b"\n")
    with pytest.warns(RuntimeWarning, match=r"\.rows, line 3: damaged, what is missing is run again"):
        again = sweep.run(draw, GRID, store=tmp_path)
    assert_identical(again, table)
    assert len(stored_runs.rows(tmp_path)) == len(GRID)
    with warnings.catch_warnings(action="error"):
        assert_identical(sweep.run(draw, GRID, store=tmp_path), table)


def test_a_damaged_row_of_another_grid_is_taken_out(tmp_path, traced):
    traced([0, 1])
    file = stored_runs.file(tmp_path / "store")
    file.write_bytes(file.read_bytes().replace(b'"value": 0.', b'"value": 1.', 1))
    with pytest.warns(RuntimeWarning, match=f"{file.name}, line 1: damaged"):
        assert traced([0, 1, 2])[1] == [0, 2]
    assert len(file.read_bytes().splitlines()) == 1


def test_rows_of_other_runs_are_no_rows_of_these(tmp_path, traced):
    traced([0, 1], folder="a")
    traced([0, 1], folder="b", seed=1)
    stored_runs.file(tmp_path / "a").write_bytes(stored_runs.file(tmp_path / "b").read_bytes())
    assert traced([0, 1], folder="a")[1] == [0, 1]


def test_a_store_damaged_in_any_way_leads_to_the_same_table(tmp_path, finished, monkeypatch):
    table, file = finished
    content, rng, noted = file.read_bytes(), np.random.default_rng(11), 0
    monkeypatch.setattr(store.os, "fsync", lambda handle: None)
    monkeypatch.setattr(sweep, "threadpool_limits", lambda limits: warnings.catch_warnings())
    for _ in range(MUTATIONS):
        mutated = content
        for _ in range(rng.integers(1, 4)):
            mutated = damaged(mutated or b" ", rng)
        (tmp_path / file.name).write_bytes(mutated)
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            assert_identical(sweep.run(draw, GRID, store=tmp_path), table)
        noted += bool(notes)
        assert all(str(note.message).endswith("damaged, what is missing is run again") for note in notes)
    assert noted > MUTATIONS / 2


# what is no longer of use

MODULE = "GAIN = 1\ndef measure(k, rng, data=None): return {'gain': k + GAIN + (data or 0)}"


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module and sweeps its `measure` in the folder "store"."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def run(source=MODULE, name="gains", ks=(1, 2), **options):
        (tmp_path / f"{name}.py").write_text(source)
        sys.modules.pop(name, None)
        importlib.invalidate_caches()
        measure = importlib.import_module(name).measure
        return sweep.run(measure, sweep.grid(k=list(ks)), store=tmp_path / "store", **options)["gain"].tolist()

    yield run
    for name in ("gains", "losses"):
        sys.modules.pop(name, None)


def test_rows_of_superseded_code_are_dropped_and_all_others_kept(tmp_path, module):
    others = [
        {"seed": 1},
        {"shared": {"data": 5}},
        {"ks": [7]},
        {"name": "losses"},
    ]
    for other in others:
        module(**other)
    kept = {file.name for file in stored_runs.files(tmp_path / "store")}
    old = next(iter(kept)).split("-")[2]
    assert len(kept) == 4

    assert module(MODULE.replace("GAIN = 1", "GAIN = 2")) == [3, 4]
    files = stored_runs.files(tmp_path / "store")
    assert len(files) == 2  # the new one, and that of another function of the same name
    assert len(stored_runs.rows(tmp_path / "store")) == 4
    assert sum(file.name.split("-")[2] == old for file in files) <= 1
    assert {path.suffix for path in (tmp_path / "store").iterdir()} == {".rows", ".lock"}


def test_superseded_rows_of_a_sweep_that_is_going_on_are_left_alone(tmp_path, module):
    module()
    old = stored_runs.file(tmp_path / "store")
    with store.FileLock(old.with_suffix(".lock")):
        module(MODULE.replace("GAIN = 1", "GAIN = 2"))
        assert old in stored_runs.files(tmp_path / "store")
    module(MODULE.replace("GAIN = 1", "GAIN = 3"))
    assert old not in stored_runs.files(tmp_path / "store")


def test_taking_damage_out_loses_nothing_when_it_is_interrupted(tmp_path, traced, monkeypatch):
    traced()
    file = stored_runs.file(tmp_path / "store")
    file.write_bytes(cut_off := file.read_bytes()[:-30])
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            traced()
    assert file.read_bytes() == cut_off
    assert traced()[1] == [100]


def interrupted(*_):
    raise KeyboardInterrupt


def test_what_a_killed_sweep_left_is_removed_and_what_is_not_ours_stays(tmp_path, traced):
    traced([0])
    rows, folder = stored_runs.file(tmp_path / "store"), tmp_path / "store"
    another = folder / f"other{'-0123456789abcdef' * 4}.rows"
    gone = [rows.with_suffix(".999999999.shared"), folder / f".{rows.name}-abc_12", another.with_suffix(".1.shared")]
    other = [another, *(folder / name for name in (".gitkeep", "notes.shared", "runs.rows", ".rows-abc"))]
    for file in gone + other:
        file.touch()
    traced([0, 1])
    assert not any(file.exists() for file in gone)
    assert all(file.exists() for file in other)


# side by side


def test_the_same_sweep_waits_with_a_message_and_runs_nothing_twice_and_others_never_wait(tmp_path, traced, capfd):
    first, _ = traced([0, 1])
    file, said, found = stored_runs.file(tmp_path / "store"), "", []
    rows = file.read_bytes()
    file.write_bytes(b"")
    with store.FileLock(file.with_suffix(".lock")):  # it is under way
        for numbers, seed in (([2], 0), ([0, 1], 1), ([1, 2], 0)):
            assert traced(numbers, seed=seed)[0]["error"].isna().all()
        assert "under way" not in capfd.readouterr().err
        thread = threading.Thread(target=lambda: found.append(traced([0, 1])))
        thread.start()
        deadline = time.monotonic() + 60
        while "the same sweep is under way elsewhere, waiting for it to end" not in said:
            assert time.monotonic() < deadline
            said += capfd.readouterr().err
            time.sleep(0.01)
        file.write_bytes(rows)
    thread.join()
    [(table, run)] = found
    assert run == []
    assert_identical(table, first)


# folders that cannot be written


def refuse(*_, **__):
    raise OSError(30, "Read-only file system")


def test_a_complete_store_is_only_read(tmp_path, traced, monkeypatch):
    first, _ = traced()
    for lock in (tmp_path / "store").glob("*.lock"):
        lock.unlink()
    (tmp_path / "store").chmod(0o555)
    for name in ("FileLock", "_tidy"):
        monkeypatch.setattr(store, name, refuse)
    monkeypatch.setattr(Path, "mkdir", refuse)
    again, run = traced()
    assert run == []
    assert_identical(again, first)
    assert stored_runs.left(tmp_path / "store") == {"rows"}


def test_a_store_that_cannot_be_written_or_is_no_folder_is_named(tmp_path, traced, monkeypatch):
    traced([0])
    with monkeypatch.context() as patch:
        patch.setattr(store.FileLock, "acquire", refuse)
        with pytest.raises(OSError, match=r"store: the store of finished runs cannot be used: Read-only file system$"):
            traced([0, 1])
    (tmp_path / "file").touch()
    for folder, reason in (("file", "File exists"), ("file/in", "Not a directory")):
        with pytest.raises(OSError, match=rf"{folder}: the store of finished runs cannot be used: {reason}$"):
            sweep.run(draw, GRID, store=tmp_path / folder)


@pytest.fixture
def full_disk():
    """Lets files grow to so many bytes while the block lasts."""

    @contextmanager
    def limit(size):
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            with pytest.raises(OSError, match=r"the store of finished runs cannot be used: File too large$"):
                yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    return limit


def test_a_disk_that_is_full_in_mid_sweep_is_named_and_what_was_done_is_kept(tmp_path, traced, full_disk):
    with full_disk(500):
        traced()
    assert [row["parameters"]["i"] for row in stored_runs.rows(tmp_path / "store")] == [5, 50]
    assert stored_runs.left(tmp_path / "store") == {"rows", "lock"}
    table, run = traced()
    assert run == [100]
    assert_identical(table, traced(folder="other")[0])
    with full_disk(5000):
        sweep.run(draw, GRID, store=tmp_path / "data", shared={"data": np.ones(10_000)})
    assert stored_runs.left(tmp_path / "data") == {"rows", "lock"}
