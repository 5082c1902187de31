"""The paper's numbers beside what is stored, as it prints them; nbval compares the whole tables."""

import pytest

from helpers.engine import results
from helpers.studies.overlap import printed


@pytest.fixture(scope="module")
def stored():
    return results.stored("01")


def test_a_setting_that_was_not_run_has_a_dash(stored):
    some = {"clean+": {"accuracy": stored["clean+"]["accuracy"].query("setting != 'if-good-2'")}}
    shown = printed.accuracy(some, "Table 5")
    assert (shown.xs("ours", axis=1, level=1).loc["if-good-2"] == printed.MISSING).all()


def test_gains_are_over_the_baseline_of_each_source(stored):
    table = printed.gains(stored, "Table 1").set_index("setting")
    assert table.loc["mv3", ["paper", "slides"]].tolist() == pytest.approx([0.4887 - 0.4860] * 2)
    assert table.loc["11-overlap", "slides"] == pytest.approx(0.4869 - 0.4860)  # the slides have mv11's number
    assert table.loc["baseline", ["ours", "paper"]].tolist() == [0, 0]
    assert "mean-3" not in table.index  # which the paper has not
