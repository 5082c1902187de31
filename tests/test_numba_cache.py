"""Compiled functions where neither the package nor a home can be written."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import helpers

COMPILED = """
from numba import njit

@njit(cache=True)
def double(number):
    return 2 * number
"""
PROGRAM = """
import os
from helpers import compiled
place = os.environ.get("NUMBA_CACHE_DIR", "")
print(compiled.double(4), place, any(os.scandir(place)) if place else "")
"""


@pytest.fixture
def read_only(tmp_path):
    """The package with one compiled function, and a home, in which no folder can be made.

    Rights would not keep an administrator out.
    """
    package = tmp_path / "installed" / "helpers"
    package.mkdir(parents=True)
    for module in ("__init__.py", "numba_cache.py"):
        shutil.copy(Path(helpers.__file__).with_name(module), package)
    (package / "compiled.py").write_text(COMPILED)
    (package / "__pycache__").touch()
    (tmp_path / "home").touch()
    (tmp_path / "temporary").mkdir()
    own = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "XDG", "LOCALAPPDATA"))}
    places = {"HOME": tmp_path / "home", "TMPDIR": tmp_path / "temporary", "PYTHONPATH": package.parent}
    return own | {name: str(place) for name, place in places.items()}


def run(tmp_path, environment):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    doubled, *place = done.stdout.split()
    assert doubled == "8"
    return place


@pytest.mark.skipif(os.name != "posix", reason="where homes and temporary folders stand is told as POSIX does")
def test_without_any_place_functions_are_kept_in_a_temporary_folder_that_goes(read_only, tmp_path):
    place, filled = run(tmp_path, read_only)
    assert Path(place).parent == tmp_path / "temporary"
    assert filled == "True"
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="where homes and temporary folders stand is told as POSIX does")
def test_a_home_that_can_be_written_is_left_to_numba(read_only, tmp_path):
    (tmp_path / "home").unlink()
    assert run(tmp_path, read_only) == []
    assert list((tmp_path / "home").rglob("*.nbi"))


def test_the_place_that_the_environment_names_is_taken(read_only, tmp_path):
    assert run(tmp_path, read_only | {"NUMBA_CACHE_DIR": str(tmp_path / "own")}) == [str(tmp_path / "own"), "True"]
