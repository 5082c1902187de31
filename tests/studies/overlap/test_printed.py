"""The paper's numbered tables and figures beside what is stored: whole, in its order, and as it prints them."""

import numpy as np
import pandas as pd
import pytest

from helpers.engine import results
from helpers.studies.overlap import printed

SIZES = {"Table 1": 9, "Table 2": 9, "Table 3": 8, "Table 4": 8, "Table 5": 4}


@pytest.fixture(scope="module")
def stored():
    return results.stored("01")


@pytest.mark.parametrize("table", SIZES)
def test_a_table_of_accuracy_is_whole_in_the_papers_order_and_has_ours_beside_it(stored, table):
    shown = printed.accuracy(stored, table)
    assert len(shown) == SIZES[table]
    assert (shown != printed.MISSING).all().all()
    ndcg = shown["NDCG@3", "printed"].str.rstrip("*").astype(float)
    assert ndcg.is_monotonic_decreasing
    assert ndcg.between(43, 50).all()


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


@pytest.mark.parametrize(("table", "settings"), [("Table 6", 9), ("Table 7", 9), ("Table 8", 4)])
def test_a_table_of_costs_is_whole(stored, table, settings):
    shown = printed.costs(stored, table)
    assert shown.shape == (settings, 6)
    assert not shown.isin(["nan"]).any().any()


def test_the_training_overhead_is_that_of_instances(stored):
    shown = printed.costs(stored, "Table 6")["training overhead"].astype(float)
    assert shown.loc["mv11"].tolist() == [1, 1]
    assert shown.loc["if-good-x3"].tolist() == [1.41, 1]  # weights cost nothing
    assert shown.loc["11-overlap"].tolist() == [11, 11]


def test_curves_have_every_k_of_the_paper_and_what_it_prints(stored):
    table = printed.curves(stored, results.stored("01/people"))
    first = table[table["data"] == "Figure 4: clean07"].set_index("k")
    assert first.index.tolist() == [1, 2, 3, 4, 5, 6, np.inf]
    assert first["printed"].dropna().to_dict() == pytest.approx({1: 0, 3: 0.0095, np.inf: 0.0062})
    assert {"esbm (real)", "target-types (real)"} < set(table["data"])
    assert table[table["data"] == "Figure 6: clean+"]["k"].tolist() == [1, 2, 3]


def test_figure_2_has_a_judge_a_grade_and_the_same_pairs_by_others(stored):
    panels = printed.featured(stored)
    for rows in panels.values():
        shares = rows.groupby("who")["share"].sum()
        assert shares.to_numpy() == pytest.approx(np.ones(5), abs=1e-5)
    assert isinstance(panels["a: the judge"], pd.DataFrame)
