"""The paper's numbers beside what is stored, as it prints them; nbval compares the whole tables."""

import pytest

from helpers.engine import results
from helpers.studies.overlap import printed


@pytest.fixture(scope="module")
def stored():
    return results.stored("01")


def test_a_row_is_as_the_paper_prints_it(stored):
    row = printed.accuracy(stored, "Table 1").loc["if-good-3"]
    assert row.xs("printed", level=1).tolist() == ["49.55**", "46.23", "47.80", "51.81", "55.38"]
    ours = stored["clean07"]["accuracy"].set_index(["ranker", "setting"]).loc[("LambdaRank", "if-good-3")]
    assert row["NDCG@5", "ours"] == f"{100 * ours['ndcg@5']:.2f}"


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


def test_the_training_overhead_is_that_of_instances(stored):
    shown = printed.costs(stored, "Table 6")["training overhead"].astype(float)
    assert shown.loc["mv11"].tolist() == [1, 1]
    assert shown.loc["if-good-x3"].tolist() == [1.41, 1]  # weights cost nothing
    assert shown.loc["11-overlap"].tolist() == [11, 11]


def test_points_of_figure_4_are_those_that_are_printed(stored):
    table = printed.curves(stored, {}).query("data == 'Figure 4: clean07'").set_index("k")
    assert table["printed"].dropna().to_dict() == pytest.approx({1: 0, 3: 0.0095, float("inf"): 0.0062})
