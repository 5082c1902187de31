"""Notebooks 02, 05 and 06 need neither LightGBM nor a cluster, nor another process or thread, as in a browser."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from helpers.command.notebooks import available

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
SCRIPT = Path(__file__).with_name("as_in_a_browser.py")
NOTEBOOKS = {study.number: study.path for study in available()}
IN_A_BROWSER = ("02", "05", "06")


def ran(what, *numbers):
    command = [sys.executable, SCRIPT, what, *(NOTEBOOKS[number] for number in numbers)]
    return subprocess.run(command, capture_output=True, text=True)


def test_imports_need_no_lightgbm_no_cluster_and_no_processes():
    done = ran("imports", *IN_A_BROWSER)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_trains_is_refused_so_that_these_tests_can_fail(tmp_path, monkeypatch):
    cell = nbformat.v4.new_code_cell("from lightgbm import train")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "trains.ipynb")
    monkeypatch.setitem(NOTEBOOKS, "trains", tmp_path / "trains.ipynb")
    done = ran("imports", "trains")
    assert done.returncode == 1
    assert "as in a browser" in done.stderr


@pytest.mark.skipif(not LARGE, reason="runs three notebooks: LABEL_STUDIES_TESTS=all")
@pytest.mark.parametrize("number", IN_A_BROWSER)
def test_every_cell_runs_in_one_process_and_one_thread(number):
    done = ran("cells", number)
    assert done.returncode == 0, done.stderr
