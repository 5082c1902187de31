"""Fixtures that tests of several commands share."""

from pathlib import Path

import pytest
import tiny_notebooks

from helpers import paths
from helpers.command import executing
from helpers.command.placing import Told
from helpers.studies import ledger

NONE = ledger.stored().iloc[:0]
LINK = '<a href="02_none.ipynb">two</a>'


@pytest.fixture
def studies_folder(tmp_path, monkeypatch):
    """Folder of the studies, empty as yet; the working directory is another one, and so is the cache.

    No study has settled results.
    """
    folder, elsewhere = tmp_path / "notebooks", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(paths, "project", lambda part: folder)
    monkeypatch.setattr(ledger, "stored", lambda *studies: NONE)
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    return folder


@pytest.fixture
def executed(monkeypatch):
    """The settings of every notebook that is executed; instead of a kernel stands a function that fails at 13 draws."""
    settings = []

    def report(job, board, stop):
        settings.append(job.settings)
        board.started(job)
        draws = job.settings.get("draws", 2)
        error = "cell [4] raised AssertionError: unlucky" if draws == 13 else None
        tables = tiny_notebooks.leave(job.study, job.out, job.settings, LINK, bool(error))
        (tables / "claims.csv").write_text(tiny_notebooks.CLAIM.format(measured=draws / 10))
        (tables / "values.csv").write_text(f"cost,seed,value\n1.5,7,{draws}\n2.5,7,{-draws}\n")
        outcome = executing.Outcome(1.25, error, Path(f"{tables}.html"), Told(tables / "none"))
        board.ended(job, outcome)
        return outcome

    monkeypatch.setattr(executing, "report", report)
    return settings
