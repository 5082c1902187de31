import os
import stat

import pytest

from helpers import files


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old")
    with files.replacing(path) as file:
        file.write("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"


def write_half(path, error):
    with files.replacing(path) as file:
        file.write("half")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_is_interrupted_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.csv"
    path.write_text("old")
    with pytest.raises(error):
        write_half(path, error)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.csv"]


def test_line_ends_are_written_as_they_are(tmp_path):
    with files.replacing(tmp_path / "a.csv") as file:
        file.write("ä\r\nb\n")
    assert (tmp_path / "a.csv").read_bytes() == "ä\r\nb\n".encode()


@pytest.mark.parametrize(("before", "after"), [(None, 0o644), (0o600, 0o600)])
def test_permissions_are_those_of_the_file_that_was_there(tmp_path, before, after):
    path = tmp_path / "a.bin"
    if before:
        path.touch()
        path.chmod(before)
    with files.replacing(path, "wb") as file:
        file.write(b"\0")
    assert stat.S_IMODE(path.stat().st_mode) == after
