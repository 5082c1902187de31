"""What the runs of study 1 say: accuracy, comparisons, and what a label is worth."""

import numpy as np
import pandas as pd
import pytest
from overlap_by_hand import runs_of

from helpers.judging import judgments, pool, schemes
from helpers.judging.pool import AlikeJudges
from helpers.reporting import verdicts
from helpers.studies.overlap import judge_fit
from helpers.studies.overlap import protocol as study
from helpers.studies.overlap import tables as overlap

RAGGED = np.resize([0.01, -0.01], 10)
"""Ten differences of standard deviation .0105, so that t of their mean plus m hundredths is 3 m, with 9 degrees."""

# accuracy


def test_accuracy_is_the_mean_over_draws_and_the_best_stands_first():
    runs = runs_of({"baseline": [[0.2, 0.4], [0.4, 0.6]], "mv3": [[0.5, 0.7], [0.5, 0.9]]})
    table = overlap.accuracy(runs)
    assert table["setting"].tolist() == ["mv3", "baseline"]
    assert table["ndcg@3"].tolist() == pytest.approx([0.65, 0.4])
    assert table["ndcg@10"].tolist() == pytest.approx([0.72, 0.47])


LEVEL = np.full((2, 10), 0.5)


@pytest.mark.parametrize(
    ("means", "expected"),
    [
        (
            {"baseline": LEVEL, "mv3": LEVEL + 0.01, "if-good-3": LEVEL + 0.02, "highest-3": LEVEL - 0.01},
            ["", "*", "**", ""],
        ),
        ({"baseline": LEVEL, "mv3": LEVEL + 0.02, "if-good-3": LEVEL + 0.02}, ["", "*", "*"]),
        ({"baseline": LEVEL, "mv3": LEVEL - 0.1}, ["**", ""]),
        # of means over draws, and of queries that have something relevant
        (
            {"baseline": [[0.3, np.nan, 0.7], [0.7, np.nan, 0.3]], "mv3": [[0.7, np.nan, 0.5], [0.5, np.nan, 0.7]]},
            ["", "**"],
        ),
    ],
)
def test_one_star_is_better_than_the_baseline_and_two_are_better_than_all(means, expected):
    assert overlap.accuracy(runs_of(means)).set_index("setting")["stars"].reindex(list(means)).tolist() == expected


def test_a_star_that_several_tests_take_away_is_missing_beside():
    level = np.full((1, 10), 0.5)
    means = {"baseline": level, "mv3": level, "if-good-3": level + 0.0085 + RAGGED}
    table = overlap.accuracy(runs_of(means)).set_index("setting")
    # t = 3 * .85 = 2.55 with 9 degrees of freedom: p = .0312, and of two tests .0624
    assert table.loc["if-good-3", ["p_value", "p_holm"]].tolist() == pytest.approx([0.0312, 0.0624], abs=1e-4)
    assert table.loc["if-good-3", ["stars", "stars_holm"]].tolist() == ["**", ""]
    assert table.loc["mv3", ["p_value", "p_holm"]].tolist() == [1, 1]
    assert table.loc["baseline", ["p_value", "p_holm"]].isna().all()


# beside the paper


def test_costs_as_drawn_stand_beside_the_fitted_and_the_printed():
    runs = pd.concat([runs_of({"if-good-3": [[0.5]]}, labels=labels) for labels in (1.40, 1.44)])
    runs = pd.concat([runs, runs_of({"mean-3": [[0.5]]})])
    table = overlap.cost_table(runs, "clean07", study.judges_named("", "clean07")).set_index("quantity")
    assert table["setting"].tolist() == ["if-good-3"] * 2
    assert table.loc[pool.COST, ["drawn", "fitted", "printed"]].tolist() == pytest.approx([1.42, 1.425, 1.41], abs=1e-3)
    assert table.loc[pool.RATIO, ["drawn", "printed"]].tolist() == [3, 2.24]


def test_costs_of_other_judges_are_those_of_their_matrix_and_not_of_the_fitted_pool():
    matrix = np.eye(5)
    matrix[4] = [1, 0, 0, 0, 0]  # Perfect is called Bad
    good = judge_fit.grade_shares()[2:4].sum()
    runs = runs_of({"if-good-3": [[0.5]]}, labels=1.7)
    table = overlap.cost_table(runs, "clean07", AlikeJudges(matrix)).set_index("quantity")
    assert "fitted" not in table
    assert table["exact"].to_dict() == pytest.approx({pool.COST: 1 + 2 * good, pool.RATIO: (1 - good) / (3 * good)})
    assert table.loc[pool.COST, ["drawn", "printed"]].tolist() == [1.7, 1.41]


# comparisons


def compared(runs):
    table = overlap.comparisons(runs, np.random.default_rng(0))
    return table.set_index(["question", "at"])


def test_a_difference_is_between_the_same_draws():
    """Draws differ by .4, yet every draw of the one setting is .01 above the same draw of the other."""
    level = np.repeat([[0.2], [0.4], [0.6]], 10, axis=1)
    runs = runs_of({"baseline": level, "if-good-3": level + 0.01})
    row = compared(runs).loc[("if-good-3 or one label", "if-good-3")]
    assert row[["difference", "low", "high"]].tolist() == pytest.approx([0.01] * 3)
    assert compared(runs).loc[("another setting or if-good-3", "baseline"), "difference"] == pytest.approx(-0.01)


def test_an_interval_is_over_draws_as_well_as_queries():
    alike, apart = ([[0.5] * 10, [0.5 + away] * 10, [0.5 - away] * 10] for away in (0, 0.1))
    table = compared(runs_of({"baseline": alike, "if-good-3": apart}))
    row = table.loc[("if-good-3 or one label", "if-good-3")]
    assert row["difference"] == pytest.approx(0)
    assert row["low"] < -0.05
    assert row["high"] > 0.05


def any_runs_of(names, rng):
    runs = runs_of({name: rng.random((2, 10)) for name in names})
    return runs.assign(labels=np.where(runs["setting"].isin(["baseline", "if-good-x3"]), 1.0, 2.0))


def questions(names, rng):
    table = overlap.comparisons(any_runs_of(names, rng), rng)
    return {question: rows["at"].tolist() for question, rows in table.groupby("question")}


def test_the_settings_of_clean07_are_compared_as_the_paper_does(rng):
    others = [name for name in schemes.PAPER if name != "if-good-3"]
    assert questions(study.LABEL_SETS["clean07"].settings, rng) == {
        "if-good-3 or one label": ["if-good-3"],
        "if-good-2 or one label": ["if-good-2"],
        "tripled weights or none": ["if-good-x3"],
        "another setting or if-good-3": others,
        "majority vote or all labels": ["mv3", "mv11"],
        "another k or if-good-3": ["if-good-2", "good-till-bad", "if-good-4", "if-good-6"],
        "the mean or all labels": ["gain-3", "if-good-gain-3"],
        "if-good-gain-3 or one label": ["if-good-gain-3"],
        "gain for a further label a pair": [name for name in others if name not in ("baseline", "if-good-x3")],
        "cost of if-good-3": ["labels a pair"],
    }


def test_of_settings_that_were_not_run_nothing_is_said(rng):
    found = questions(study.PLUS, rng)
    assert len(found) == 6
    assert found["another setting or if-good-3"] == ["baseline", "if-good-x3"]
    assert {at for places in found.values() for at in places} == {*study.PLUS, "labels a pair"}


def test_p_values_are_corrected_over_the_settings_of_one_question():
    level = np.full((1, 10), 0.5)
    settings = {"if-good-3": level, "baseline": level, "if-good-4": level, "mv3": level + 0.0085 + RAGGED}
    table = compared(runs_of(settings))
    rows = table.loc["another setting or if-good-3"]
    assert rows.loc["mv3", ["p_value", "p_holm"]].tolist() == pytest.approx([0.0312, 0.0624], abs=1e-4)
    assert table.loc[("another k or if-good-3", "if-good-4"), "p_holm"] == 1


def test_the_cost_of_if_good_3_is_how_far_it_lies_from_what_the_paper_says():
    runs = runs_of({"if-good-3": np.full((3, 10), 0.5)}).assign(labels=[1.38, 1.41, 1.49])
    cost = compared(runs).loc[("cost of if-good-3", "labels a pair")]
    assert cost[["difference", "low", "high"]].tolist() == pytest.approx([0.04, 0.01, 0.09])
    assert np.isnan(cost["p_holm"])


def test_the_gain_of_a_setting_is_that_of_each_further_label_that_it_takes():
    level = np.repeat([[0.2], [0.4], [0.6]], 10, axis=1)
    runs = runs_of({"baseline": level, "if-good-3": level + 0.02, "mv3": level + 0.04})
    runs["labels"] = runs["setting"].map({"baseline": 1.0, "if-good-3": 1.5, "mv3": 3.0})
    row = compared(runs).loc[("gain for a further label a pair", "mv3")]
    assert row[["difference", "low", "high"]].tolist() == pytest.approx([0.02 - 0.04] * 3)  # .04 / 2 less .02 / .5


def test_every_ranker_and_budget_is_held_against_its_own_baseline(rng):
    def runs(ranker, gain, **more):
        better = runs_of({"3-overlap": [[0.5 + gain] * 3]}, ranker, labels=3.0, **more)
        return pd.concat([runs_of({"baseline": [[0.5] * 3]}, ranker, **more), better])

    table = overlap.against_baseline(
        pd.concat([runs("LambdaRank", 0.1), runs("LambdaMART", -0.1)]), ["ranker"], ["labels"], rng
    )
    assert table["difference"].tolist() == pytest.approx([np.nan, 0.1, np.nan, -0.1], nan_ok=True)
    assert table.loc[1, ["low", "high"]].tolist() == pytest.approx([0.1, 0.1])
    assert table["labels"].tolist() == [1, 3, 1, 3]
    budgets = pd.concat([runs("LambdaRank", gain, budget=b, spent=b, queries=9) for b, gain in ((0.5, -0.1), (1, 0.1))])
    assert overlap.against_baseline(budgets, ["ranker", "budget"], ["spent"], rng)[
        "difference"
    ].dropna().tolist() == pytest.approx([-0.1, 0.1])


def mapped(by_cell, rng):
    """The map of cells noise -> {setting: NDCG@3 by query of one draw}."""
    runs = [
        runs_of({setting: [values] for setting, values in found.items()}, noise_irrelevant=noise, noise_relevant=1.0)
        for noise, found in by_cell.items()
    ]
    return overlap.map_table(pd.concat(runs), rng).set_index(["noise_irrelevant", "setting"])


def test_the_best_of_a_cell_wins_and_is_clear_where_its_interval_says_so(rng):
    level, unclear = np.full(10, 0.5), np.resize([0.4, -0.38], 10)
    table = mapped(
        {
            0.25: {"baseline": level, "mv3": level + 0.1, "mean-3": level + 0.2},
            0.5: {"baseline": level, "mv3": level + unclear, "mean-3": level - 0.1},
            0.75: {"baseline": level, "mv3": level - 0.1, "mean-3": level - 0.2},
            1.0: {"baseline": level, "mv3": level - unclear, "mean-3": level - 0.2},
        },
        rng,
    )
    wins = table.index[table["wins"]].tolist()
    assert wins == [(0.25, "mean-3"), (0.5, "mv3"), (0.75, "baseline"), (1.0, "baseline")]
    # at .25 mv3 is clearly better than the baseline too, but does not win
    assert table.index[table["clear"].astype(bool)].tolist() == [(0.25, "mean-3"), (0.75, "baseline")]


def test_routes_are_held_against_a_person_alone(rng):
    runs = runs_of({"person": [[0.5] * 4], "machine": [[0.4] * 4]}).rename(columns={"setting": "route"})
    table = overlap.machine_table(runs.assign(person_labels=runs["route"].map({"person": 1.0, "machine": 0.0})), rng)
    assert table[["setting", "person_labels"]].to_numpy().tolist() == [["person", 1], ["machine", 0]]
    assert table["difference"].tolist() == pytest.approx([np.nan, -0.1], nan_ok=True)


def long(rows):
    return pd.DataFrame(rows, columns=judgments.LONG)


def test_what_a_person_sees_of_what_a_machine_finds():
    person, machine, other = [3, 2, 2, 0, 1], [2, 3, 1, 2, 0], [0, 0, 0, 2, 2]
    rows = [("q", f"d{i}", "Ann", grade) for i, grade in enumerate(person)]
    rows += [("q", f"d{i}", "M", grade) for i, grade in enumerate(machine)]
    rows += [("q", f"d{i}", "N", grade) for i, grade in enumerate(other) if i > 0]
    table = overlap.machine_first(long(rows), "Ann").set_index("machine")
    # M shows d0, d1 and d3, of which Ann finds two Good, of three; N shows two, both wrong
    assert table.loc["M"].tolist() == pytest.approx([5, 3 / 5, 2 / 3, 2 / 3])
    assert table.loc["N"].tolist() == pytest.approx([4, 2 / 4, 0, 0])


# the doublings


def purchases(gain_of, queries=(2, 4, 8), documents=(4, 8), labels=(1, 2)):
    """Runs of two draws whose NDCG@3 is the same for all queries: `gain_of` that purchase."""
    frames = [
        runs_of({"": [[gain_of(q, d, k)] * 3] * 2}, queries=q, documents=d, spent=q * d * k).assign(labels=k)
        for q in queries
        for d in documents
        for k in labels
    ]
    return pd.concat(frames, ignore_index=True)


def by_question(table):
    return table.set_index("question")["difference"].round(6).to_dict()


def test_a_doubling_is_compared_with_the_others_of_the_same_price(rng):
    """NDCG@3 rises by .03 with each doubling of queries, by .01 with that of documents, by .02 with that of labels."""
    table = overlap.three_ways(
        purchases(lambda q, d, k: 0.3 + 0.03 * np.log2(q) + 0.01 * np.log2(d) + 0.02 * np.log2(k)), rng
    )
    assert table["at"].unique().tolist() == ["4 documents, 1 label"]
    assert by_question(table) == {
        "another query": 0.03,
        "another document": 0.01,
        "another judge": 0.02,
        "another judge or another query": -0.01,
        "another judge or another document": 0.01,
        "another document or another query": -0.02,
    }
    assert table["low"].to_numpy() == pytest.approx(table["high"].to_numpy())


def test_differences_are_means_over_the_numbers_of_queries_that_can_be_doubled(rng):
    """A second judge gains .1 at 2 queries and .3 at 4; at 8 queries nothing is known of a doubling."""
    worth = {2: 0.1, 4: 0.3, 8: 0.9}
    table = overlap.three_ways(purchases(lambda q, d, k: 0.05 + worth[q] * (k - 1) / 2), rng)
    assert by_question(table)["another judge"] == pytest.approx((0.1 + 0.3) / 2 / 2)


def test_where_a_run_failed_its_purchase_is_left_out(rng):
    runs = purchases(lambda q, d, k: 0.1 * k)
    fewer = runs[(runs["queries"] != 2) | (runs["labels"] != 2)]
    assert by_question(overlap.three_ways(fewer, rng))["another judge"] == pytest.approx(0.1)
    assert overlap.three_ways(runs[runs["labels"] == 1], rng).empty


# claims


NO_CLAIM = {"the mean or all labels", "if-good-gain-3 or one label", "tripled weights or none"}
NO_CLAIM |= {"gain for a further label a pair"}
"""What the paper does not say."""

OF_JUDGES = {"several judges or the best", "cost of if-good-3", "featured judges or the majority"}


def test_every_claim_has_something_that_is_compared(rng):
    runs = any_runs_of(study.LABEL_SETS["clean07"].settings, rng)
    asked = {*overlap.comparisons(runs, rng)["question"], *OF_JUDGES}
    questions = set(verdicts.claims().query("study == '01'")["question"]) - {""}
    assert questions == asked - NO_CLAIM
