"""Which run wins by whom: scores, pairs, decisions and orders, by hand and beside scipy."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from helpers.judging import comparing
from helpers.judging.rankings import Scored
from helpers.metrics.power import powered_mean
from helpers.metrics.significance import holm, paired_t

NAMES = np.array(["a", "b", "c"])


def scored(judge, own, others=None):
    own = np.asarray(own, float)
    others = np.full_like(own, np.nan) if others is None else np.asarray(others, float)
    return Scored(judge, own, others, np.zeros(len(own)))


def around(means, spread, n=12):
    """(n_runs, n) values whose means are those, every difference of two runs with a spread."""
    wave = np.array([np.cos(np.arange(n) * (run + 1) * 2 * np.pi / n) for run in range(len(means))])
    return np.asarray(means)[:, None] + spread * wave


PEOPLE, ANN, BOB = around([0.9, 0.5, 0.1], 0.05), around([0.9, 0.5, 0.1], 0.05), around([0.8, 0.4, 0.2], 0.05)
MODEL = around([0.8, 0.2, 0.5], [[0.05], [0.05], [0.9]])
"""Puts c before b, and tells a from b alone."""


def compared(*scores):
    return comparing.compared(NAMES, scores, draws=200, rng=np.random.default_rng(0))


@pytest.fixture
def found():
    return compared(
        scored("people", PEOPLE), scored("Ann", ANN, BOB), scored("Bob", BOB, ANN), scored("model: m", MODEL, PEOPLE)
    )


def test_every_run_is_scored_by_people_each_person_each_model_and_both_the_best_first(found):
    table = found.runs
    assert table["by"].unique().tolist() == ["people", "Ann", "Bob", "model: m", "people with model: m"]
    assert table["kind"].unique().tolist() == ["people", "person", "model", "people with"]
    by_model = table[table["by"] == "model: m"]
    assert by_model["run"].tolist() == ["a", "c", "b"]
    assert by_model["ndcg"].tolist() == pytest.approx([0.8, 0.5, 0.2])
    assert (by_model["low"] < by_model["ndcg"]).all()
    both = table[table["by"] == "people with model: m"].set_index("run").loc["c"]
    expected = powered_mean(PEOPLE[2], MODEL[2], MODEL[2])
    assert both[["ndcg", "low", "high"]].tolist() == pytest.approx([expected.estimate, expected.low, expected.high])


def test_pairs_are_those_of_the_house_test_with_p_values_corrected_by_holm(found):
    own = found.pairs[found.pairs["by"] == "model: m"]
    assert own[["first", "second"]].agg("".join, axis=1).tolist() == ["ab", "ac", "bc"]
    tests = [paired_t(MODEL[i], MODEL[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert own[["difference", "low", "high"]].to_numpy() == pytest.approx(np.array([test[:3] for test in tests]))
    p_values = holm([stats.ttest_rel(MODEL[i], MODEL[j]).pvalue for i, j in ((0, 1), (0, 2), (1, 2))])
    assert own["p_value"].tolist() == pytest.approx(p_values)
    assert own["apart"].tolist() == [True, False, False]


def test_a_decision_is_kept_weaker_or_reversed(found):
    """People tell all three pairs apart; the model a from b, a from c less surely, and puts c before b."""
    row = found.decisions.set_index("by").loc["model: m"]
    assert row[["best", "beaten", "apart", "kept", "weaker", "reversed", "added"]].tolist() == ["a", 1, 3, 1, 1, 1, 0]
    assert found.decisions.set_index("by").loc["people", ["apart", "kept", "reversed"]].tolist() == [3, 3, 0]
    order = found.orders.iloc[0]
    assert order[["kept", "reversed"]].tolist() == pytest.approx([1 / 3, 1 / 3])
    assert order["tau"] == pytest.approx(1 / 3)


def test_pairs_by_both_are_the_powered_mean_of_their_differences():
    more = np.hstack([MODEL, MODEL + 0.1])
    people = np.hstack([PEOPLE, np.full_like(PEOPLE, np.nan)])
    found = compared(scored("people", people), scored("model: m", more, people))
    both, p_values = found.pairs[found.pairs["kind"] == "people with"], []
    for row, (i, j) in zip(both.itertuples(), ((0, 1), (0, 2), (1, 2)), strict=True):
        expected = powered_mean(PEOPLE[i] - PEOPLE[j], MODEL[i] - MODEL[j], more[i] - more[j])
        assert (row.difference, row.low, row.high) == pytest.approx(expected[:3])
        p_values.append(2 * stats.t.sf(abs(expected.estimate) / expected.error, 12 - 2))
    assert both["p_value"].tolist() == pytest.approx(holm(p_values))
    assert found.runs.drop_duplicates("by").set_index("by")["queries"].to_dict() == {
        "people": 12, "model: m": 24, "people with model: m": 24
    }  # fmt: skip


def test_what_is_still_needed_of_people_is_1_less_rho_squared_the_median_over_pairs(found):
    rhos = [np.corrcoef(PEOPLE[i] - PEOPLE[j], MODEL[i] - MODEL[j])[0, 1] for i, j in ((0, 1), (0, 2), (1, 2))]
    assert found.orders["needed"].iloc[0] == pytest.approx(np.median(1 - np.square(rhos)))


def test_of_a_model_that_says_the_same_no_less_than_nothing_is_needed_however_rho_is_rounded(rng):
    for people in rng.random((9, 3, 4)):
        found = compared(scored("people", people), scored("model: m", people, people))
        assert 0 <= found.orders["needed"].item() < 1e-12


def test_of_two_queries_it_is_not_known_what_is_needed_of_people():
    """Over two queries two differences always correlate perfectly."""
    found = compared(scored("people", PEOPLE[:, :2]), scored("model: m", MODEL[:, :2], PEOPLE[:, :2]))
    assert found.orders["tau"].notna().all()
    assert found.orders["needed"].isna().all()


def test_a_model_that_scores_nothing_decides_nothing():
    nothing = np.full_like(PEOPLE, np.nan)
    found = compared(scored("people", PEOPLE), scored("model: zero", nothing, PEOPLE))
    row = found.decisions.set_index("by").loc["model: zero"]
    assert row[["queries", "beaten", "kept", "weaker", "reversed", "added"]].tolist() == [0, 0, 0, 3, 0, 0]
    assert np.isnan(row["ndcg"])
    assert found.orders.empty


def test_of_one_query_and_without_people_there_are_scores_and_no_decisions():
    one = compared(scored("people", PEOPLE[:, :1]))
    assert one.runs[["low", "high"]].isna().all(axis=None)
    assert not one.pairs["apart"].any()
    models = compared(scored("model: m", MODEL), scored("model: n", PEOPLE))
    assert models.decisions["apart"].isna().all()
    assert models.decisions["best"].tolist() == ["a", "a"]


@pytest.mark.parametrize(
    ("model", "tau_ap"),
    [
        ([5, 4, 3, 2, 1], 1),
        ([1, 2, 3, 4, 5], -1),
        ([4, 5, 3, 2, 1], 2 * (0 + 1 + 1 + 1) / 4 - 1),
        ([5, 4, 3, 1, 2], 2 * (1 + 1 + 1 + 3 / 4) / 4 - 1),
        ([5, 5, 3, 2, 1], 1),
        ([5, 2, 4, 3, 1], 2 * (1 + 1 + 1 / 3 + 1) / 4 - 1),
    ],
)
def test_tau_ap_by_hand(model, tau_ap):
    assert comparing.rank_correlations([[5, 4, 3, 2, 1]], [model])[1] == pytest.approx(tau_ap)


def test_of_runs_that_people_tie_half_are_above_in_tau_ap():
    assert comparing.rank_correlations([[5, 5, 3]], [[5, 4, 3]])[1] == pytest.approx(2 * (1 / 2 + 1) / 2 - 1)


def test_tau_is_that_of_scipy_with_ties_and_without(rng):
    people, model = rng.integers(0, 6, (2, 40, 9))
    expected = [stats.kendalltau(one, other).statistic for one, other in zip(people, model, strict=True)]
    assert comparing.rank_correlations(people, model)[0] == pytest.approx(expected)
    assert np.isnan(comparing.rank_correlations([[1, 2]], [[3, 3]])).all()


def test_the_order_of_runs_and_of_judges_among_a_kind_changes_no_number(found):
    order = [2, 0, 1]
    scores = [scored("people", PEOPLE[order]), scored("model: m", MODEL[order], PEOPLE[order])]
    other = comparing.compared(NAMES[order], scores, draws=200, rng=np.random.default_rng(0))
    kept = found.runs[found.runs["by"].isin(["people", "model: m"])].reset_index(drop=True)
    again = other.runs[other.runs["by"].isin(["people", "model: m"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, again)
    pd.testing.assert_frame_equal(found.orders, other.orders)
