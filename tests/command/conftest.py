"""Fixtures that tests of several commands share."""

import json

import pytest

from helpers import paths
from helpers.studies import ledger

NONE = ledger.stored().iloc[:0]
LINK = '<a href="02_none.ipynb">two</a>'
CLAIMS = """\
claim,words,measure,value,measured,low,high,verdict,rests_on
X1,deep beats shallow,NDCG,0.0,{measured},0.1,0.3,holds,real
"""


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
    from helpers.command import executing, html
    from helpers.command.placing import Told

    settings = []

    def report(job, board, stop):
        study, given, out = job.study, job.settings, job.out
        settings.append(given)
        board.started(job)
        draws, tables = given.get("draws", 2), out / study.name
        error = "cell [4] raised AssertionError: unlucky" if draws == 13 else None
        tables.mkdir(exist_ok=True)
        run = {"parameters": given, "end_time": "2026-11-28T12:00:00+00:00", "duration": 1.25}
        (out / study.path.name).write_text(json.dumps({"metadata": {"papermill": run}}))
        _, page, _ = study.failed if error else study.report
        (out / page).write_text(html.framed("T", html.to_reports(LINK)))
        (tables / "claims.csv").write_text(CLAIMS.format(measured=draws / 10))
        (tables / "values.csv").write_text(f"cost,seed,value\n1.5,7,{draws}\n2.5,7,{-draws}\n")
        board.ended(job, outcome := executing.Outcome(1.25, error, out / page, Told(tables / "none")))
        return outcome

    monkeypatch.setattr(executing, "report", report)
    return settings
