"""Fixtures that tests of several commands share."""

import pytest

from helpers import paths
from helpers.studies import ledger

NONE = ledger.stored().iloc[:0]


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
