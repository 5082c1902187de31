"""The stored effects and verdicts of all studies: what they come from, and that one makes the other."""

import pandas as pd
import pytest

from helpers import paths
from helpers.datasets import portrait
from helpers.making.verdicts import EFFECTS
from helpers.reporting import verdicts
from helpers.reporting.verdicts import basis_of
from helpers.studies import ledger


@pytest.mark.parametrize("study", ledger.NUMBERS)
def test_the_stored_effects_are_what_the_stored_runs_give(study):
    again = EFFECTS[study]().round(6).reset_index(drop=True)
    pd.testing.assert_frame_equal(ledger.effects(study), again, check_dtype=False)


def test_the_stored_verdicts_are_what_the_stored_effects_come_to():
    again = ledger.judged(ledger.effects())
    kept = ledger.stored()
    numbers = kept.select_dtypes("number").columns
    pd.testing.assert_frame_equal(kept[numbers], again[numbers].round(6), check_dtype=False)
    texts = [column for column in kept if column not in numbers]
    assert kept[texts].to_dict() == again[texts].fillna("").to_dict()


def test_no_portrait_is_called_real():
    assert portrait.SUFFIX in verdicts.DRAWN
    found = ledger.effects("02", "03", "04")
    portraits = found["collection"].map(basis_of) == verdicts.PORTRAIT
    assert not (found[portraits]["basis"] == verdicts.REAL).any()


def test_every_claim_says_where_the_paper_makes_it():
    claims = verdicts.claims()
    of_papers = claims[claims["kind"] == verdicts.PAPER]
    assert of_papers["where"].str.contains(r"Table|Figure|section|text|page|abstract").all()
    assert (of_papers["scope"] != "").all()


def test_a_damaged_table_of_verdicts_is_named(tmp_path, monkeypatch):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "verdicts.csv").write_text("claim\nR1\n")
    monkeypatch.setattr(paths, "project", lambda part: tmp_path)
    with pytest.raises(ValueError, match=r"verdicts\.csv: no column 'study'"):
        ledger.stored()
