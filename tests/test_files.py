import os
import stat
import time

import pandas as pd
import pytest

from helpers import files
from helpers.datasets import letor
from helpers.datasets.collection import Collection
from helpers.engine import results


@pytest.mark.parametrize(("before", "after"), [(None, 0o644), (0o600, 0o600), (0o640, 0o640)])
def test_a_file_is_replaced_whole_with_its_line_ends_and_permissions(tmp_path, before, after):
    path = tmp_path / "a.csv"
    if before:
        path.write_text("old")
        path.chmod(before)
    with files.replacing(path) as file:
        file.write("ä\r\nb\n")
        assert (path.read_text() if before else path.exists()) == ("old" if before else False)
    assert path.read_bytes() == "ä\r\nb\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == after


def write_half(path, error):
    with files.replacing(path, "wb") as file:
        file.write(b"half")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_is_interrupted_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.csv"
    path.write_text("old")
    with pytest.raises(error):
        write_half(path, error)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.csv"]


WRITERS = {
    "runs.txt": lambda path: letor.write(Collection([[0.5]], [1], [0, 1]), path),
    "t.csv": lambda path: results.write(path.parent, {"t": pd.DataFrame({"a": [2]})}),
}


@pytest.mark.parametrize("name", WRITERS)
def test_who_writes_over_a_file_and_cannot_leaves_the_old_one_and_nothing_else(tmp_path, monkeypatch, name):
    def fail(*_):
        raise OSError("disk full")

    (tmp_path / name).write_text("old")
    monkeypatch.setattr(files.os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        WRITERS[name](tmp_path / name)
    assert (tmp_path / name).read_text() == "old"
    assert os.listdir(tmp_path) == [name]


# Folders


def test_a_folder_is_there_whole_or_not_at_all(tmp_path):
    with files.new_folder(tmp_path / "above" / "new") as folder:
        (folder / "one.txt").write_text("one")
        assert not (tmp_path / "above" / "new").exists()
    assert [path.name for path in (tmp_path / "above").iterdir()] == ["new"]
    assert (tmp_path / "above" / "new" / "one.txt").read_text() == "one"


def test_a_folder_whose_block_is_interrupted_leaves_nothing(tmp_path):
    def write_half():
        with files.new_folder(tmp_path / "new") as folder:
            (folder / "one.txt").write_text("one")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_never_replaced(tmp_path):
    (tmp_path / "mine").mkdir()
    with pytest.raises(FileExistsError, match="mine: is there already"), files.new_folder(tmp_path / "mine"):
        pass


def test_the_folder_of_the_process_that_was_first_stays(tmp_path):
    with files.new_folder(tmp_path / "new") as second:
        with files.new_folder(tmp_path / "new") as first:
            (first / "name").write_text("first")
        (second / "name").write_text("second")
    assert (tmp_path / "new" / "name").read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_what_a_dead_process_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path):
    yesterday = time.time() - files.DEAD_AFTER - 1
    for name in (".new-dead.unfinished", ".new-alive.unfinished", ".other-dead.unfinished", ".new-mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "part").write_text("part")
        os.utime(tmp_path / name / "part", (yesterday, yesterday))
        os.utime(tmp_path / name, (yesterday, yesterday))
    (tmp_path / ".new-alive.unfinished" / "part").write_text("more")
    with files.new_folder(tmp_path / "new"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".new-alive.unfinished",
        ".new-mine",
        ".other-dead.unfinished",
        "new",
    ]
