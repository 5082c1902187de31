"""What the runs of study 1 say: accuracy, comparisons, and what a label is worth."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labeling_by_hand import label_matrices
from overlap_by_hand import runs_of

from helpers.judging import crowd, judgments, pool, schemes
from helpers.judging.crowd import BestJudge
from helpers.judging.pool import AlikeJudges
from helpers.reporting import verdicts
from helpers.studies.overlap import crowds, judge_fit
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


def starred(by_setting, stars="stars"):
    return overlap.accuracy(runs_of(by_setting)).set_index("setting")[stars].to_dict()


def test_one_star_is_better_than_the_baseline_and_two_are_better_than_all():
    level = np.full((2, 10), 0.5)
    means = {"baseline": level, "mv3": level + 0.01, "if-good-3": level + 0.02, "highest-3": level - 0.01}
    expected = {"baseline": "", "mv3": "*", "if-good-3": "**", "highest-3": ""}
    assert starred(means) == starred(means, "stars_holm") == expected


def test_of_two_equal_best_settings_neither_has_two_stars():
    level = np.full((1, 10), 0.5)
    best = {"baseline": level, "mv3": level + 0.02, "if-good-3": level + 0.02}
    assert starred(best) == {"baseline": "", "mv3": "*", "if-good-3": "*"}


def test_the_baseline_too_can_be_better_than_all():
    assert starred({"baseline": np.full((1, 10), 0.5), "mv3": np.full((1, 10), 0.4)}) == {"baseline": "**", "mv3": ""}


def test_a_star_that_several_tests_take_away_is_missing_beside():
    level = np.full((1, 10), 0.5)
    means = {"baseline": level, "mv3": level, "if-good-3": level + 0.0085 + RAGGED}
    table = overlap.accuracy(runs_of(means)).set_index("setting")
    # t = 3 * .85 = 2.55 with 9 degrees of freedom: p = .0312, and of two tests .0624
    assert table.loc["if-good-3", ["p_value", "p_holm"]].tolist() == pytest.approx([0.0312, 0.0624], abs=1e-4)
    assert table.loc["if-good-3", ["stars", "stars_holm"]].tolist() == ["**", ""]
    assert table.loc["mv3", ["p_value", "p_holm"]].tolist() == [1, 1]
    assert table.loc["baseline", ["p_value", "p_holm"]].isna().all()


def test_stars_are_about_means_over_draws_and_about_queries_that_have_something_relevant():
    spread = [[0.3, np.nan, 0.7], [0.7, np.nan, 0.3]]
    better = [[0.7, np.nan, 0.5], [0.5, np.nan, 0.7]]
    assert starred({"baseline": spread, "mv3": better}) == {"baseline": "", "mv3": "**"}


def test_each_ranker_has_a_table_of_its_own():
    level = np.full((1, 10), 0.5)
    first = runs_of({"baseline": level, "mv3": level + 0.1})
    table = overlap.accuracy(pd.concat([first, runs_of({"baseline": level, "mv3": level - 0.1}, "LambdaMART")]))
    assert table[["ranker", "setting"]].to_numpy().tolist() == [
        ["LambdaRank", "mv3"],
        ["LambdaRank", "baseline"],
        ["LambdaMART", "baseline"],
        ["LambdaMART", "mv3"],
    ]


# beside the paper


def test_the_printed_tables_are_whole():
    printed = overlap.printed_accuracy().query("source == 'paper'")
    counts = printed.groupby(["label_set", "ranker"]).size().to_dict()
    assert counts == {
        ("clean+", "LambdaRank"): 4,
        ("clean07", "LambdaRank"): 9,
        ("clean07", "LambdaMART"): 8,
        ("clean08", "LambdaRank"): 9,
        ("clean08", "LambdaMART"): 8,
    }
    assert printed["ndcg@3"].between(0.43, 0.5).all()
    assert printed["stars"].isin(["", "*", "**"]).all()


def test_gains_stand_beside_the_printed_ones():
    ours = pd.DataFrame(
        {
            "ranker": "LambdaRank",
            "setting": ["baseline", "if-good-3", "mv3", "mean-3"],
            "ndcg@3": [0.5, 0.502, 0.499, 0.51],
        }
    )
    table = overlap.beside_printed(ours, "clean07").set_index("setting")
    assert table.index.tolist() == ["if-good-3", "mv3", "baseline"]  # the paper has no mean-3
    assert table["ours"].tolist() == pytest.approx([0.002, -0.001, 0])
    assert table["paper"].tolist() == pytest.approx([0.4955 - 0.4860, 0.4887 - 0.4860, 0])


def test_the_order_of_settings_is_compared_by_kendalls_tau():
    beside = pd.DataFrame({"ranker": "LambdaRank", "ours": [4, 3, 2, 1.0], "paper": [4, 3, 1, 2.0]})
    table = overlap.rank_correlation(beside.assign(slides=[1, 2, np.nan, 3.0])).set_index(["first", "second"])
    assert table["settings"].tolist() == [4, 3, 3]
    # of six pairs one is turned; of three pairs all are; of the pairs of 4, 3, 2 and 1, 2, 3 all are
    assert table["tau"].tolist() == pytest.approx([4 / 6, -1, -1])


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


def test_the_printed_ratios_of_good_till_bad_are_higher_than_its_cost_allows():
    table = overlap.till_bad_bound(judge_fit.printed()).set_index("label_set")
    assert table["highest"].to_dict() == pytest.approx({"clean07": 1 / 0.87, "clean08": 1 / 0.98})
    assert (table[pool.RATIO] > table["highest"]).all()


@settings(deadline=None)
@given(label_matrices(), st.integers(0, 2**32 - 1))
def test_no_labels_break_the_bound_of_good_till_bad(labels, seed):
    sample = schemes.collect("good-till-bad", labels, np.random.default_rng(seed))
    costs = schemes.costs(sample)
    assert (costs["labels"] - 1) * costs["fair_to_good"] <= 1 + 1e-12 or costs["labels"] == 1


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
        "cost of good-till-bad": ["labels a pair"],
    }


def test_of_settings_that_were_not_run_nothing_is_said(rng):
    assert questions(study.PLUS, rng) == {
        "if-good-3 or one label": ["if-good-3"],
        "if-good-2 or one label": ["if-good-2"],
        "tripled weights or none": ["if-good-x3"],
        "another setting or if-good-3": ["baseline", "if-good-x3"],
        "another k or if-good-3": ["if-good-2"],
        "cost of if-good-3": ["labels a pair"],
    }


def test_comparisons_are_the_first_less_the_second():
    level = np.full((1, 10), 0.5)
    table = compared(runs_of({"baseline": level, "mv3": level + 0.02, "3-overlap": level + 0.05, "if-good-3": level}))
    found = table["difference"].drop("cost of if-good-3", level="question")
    assert found["majority vote or all labels", "mv3"] == pytest.approx(-0.03)
    assert found["another setting or if-good-3", "3-overlap"] == pytest.approx(0.05)
    assert found["if-good-3 or one label", "if-good-3"] == 0


def test_p_values_are_corrected_over_the_settings_of_one_question():
    level = np.full((1, 10), 0.5)
    table = compared(
        runs_of({"if-good-3": level, "baseline": level, "if-good-4": level, "mv3": level + 0.0085 + RAGGED})
    )
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


def test_the_cost_of_good_till_bad_is_held_against_its_upper_bound():
    runs = runs_of({name: np.full((1, 10), 0.5) for name in ("baseline", "good-till-bad", "11-overlap")})
    runs["labels"] = runs["setting"].map({"baseline": 1.0, "good-till-bad": 1.9, "11-overlap": 11.0})
    cost = compared(runs.assign(fair_to_good=4.0)).loc[("cost of good-till-bad", "labels a pair")]
    # a fifth of the first labels is Good or above: 4/5 of the pairs have one label, 1/5 at most 11
    assert cost["difference"] == pytest.approx(1.9 - (0.8 + 0.2 * 11))


MAJORITY = pd.DataFrame({"m": [4, 5, 6], "agreement": [0.5, 0.6, 0.7], "low": [0.4, 0.5, 0.6], "high": [0.6, 0.7, 0.8]})
BOUGHT = pd.DataFrame({"setting": ["baseline", "if-good-3"], "bought": [100, 200], "labels": [1.0, 2.0]})
FEATURED = pd.DataFrame(
    {"featured": 0, "judge": 7, "by": ["judge"] * 2 + ["majority of the others"] * 2, "grade": [0, 1] * 2}
).assign(count=[80, 20, 50, 50], p_value=1e-5)


def judges(pairs, featured=FEATURED):
    best = BestJudge(3, pairs, naive=0.9, honest=0.5, majority=MAJORITY)
    return crowds.judge_comparisons("pool", best, BOUGHT, featured).set_index("question")


def test_more_than_five_judges_are_held_against_what_the_best_reaches_on_other_pairs():
    row = judges(10**9).loc["several judges or the best"]
    assert row[["ranker", "at", "difference", "low", "high"]].tolist() == [
        "pool", 6, *(pytest.approx(x, abs=1e-4) for x in (0.2, 0.1, 0.3))
    ]  # fmt: skip


def test_the_sampling_error_of_the_best_judge_counts():
    row = judges(100).loc["several judges or the best"]
    half = np.hypot(0.1, 1.96 * 0.05)  # the majority's, and 1.96 standard errors of .5 on 100 pairs
    assert row[["low", "high"]].tolist() == pytest.approx([0.2 - half, 0.2 + half], abs=1e-4)


def test_what_a_crowd_makes_if_good_3_cost_has_an_interval_over_pairs():
    row = judges(100).loc["cost of if-good-3"]
    half = 1.96 * 2 * 0.05  # half of 100 first labels are Good or above, each worth 2 labels more
    assert row[["difference", "low", "high"]].tolist() == pytest.approx([0.6, 0.6 - half, 0.6 + half], abs=1e-4)


def featured(*counts):
    """A judge's counts of two grades and the majority's, with the p-value of the two."""
    p_value = crowd.homogeneity(np.array([counts[:2], counts[2:]]))
    return judges(100, FEATURED.assign(count=counts, p_value=p_value)).loc["featured judges or the majority"]


def test_a_featured_judge_is_as_far_from_the_majority_as_two_samples_of_labels_say():
    """.8 less .5 of 100 each: 1.96 times the root of .8 x .2 / 100 + .5 x .5 / 100."""
    row = featured(80, 20, 50, 50)
    half = 1.96 * np.sqrt(0.0016 + 0.0025)
    assert (row["at"], row["difference"]) == (0, pytest.approx(0.3))
    assert row[["low", "high"]].tolist() == pytest.approx([0.3 - half, 0.3 + half], abs=1e-4)


@pytest.mark.parametrize(("total", "gives"), [(528, 528), (10_000, 9000), (10**6, 999_999)])
def test_however_small_the_p_value_of_a_featured_judge_the_interval_is_that_of_the_counts(total, gives):
    """The majority gives the grade to half: p-values of 1e-91 and of what a computer takes for 0."""
    row, share = featured(gives, total - gives, total // 2, total // 2), gives / total
    half = 1.96 * np.sqrt((share * (1 - share) + 0.25) / total)
    assert row[["low", "high"]].tolist() == pytest.approx([share - 0.5 - half, share - 0.5 + half], rel=1e-4)


def test_a_featured_judge_whom_the_test_does_not_tell_from_the_majority_may_be_the_same():
    """p is .16 with two grades, where the interval of the difference holds 0, and with five, where that would not."""
    assert featured(55, 45, 45, 55)["low"] < 0
    five = pd.DataFrame(
        {"featured": 0, "by": np.repeat(["judge", "majority of the others"], 5), "grade": [*range(5)] * 2}
    )
    counts = np.array([[23, 22, 22, 17, 16], [15, 18, 18, 24, 25]])
    row = judges(100, five.assign(count=counts.ravel(), p_value=crowd.homogeneity(counts)))
    assert row.loc["featured judges or the majority", "low"] == 0


# what is best for its labels


def test_the_front_has_what_nothing_beats_at_its_price():
    labels, accuracy = [1, 1, 2, 3, 3, 4], [0.4, 0.3, 0.4, 0.6, 0.6, 0.5]
    # of equal ones at 3 labels both stay; at 2 labels nothing is gained over 1
    assert overlap.efficient(labels, accuracy).tolist() == [True, False, False, True, True, False]


def slow_front(points):
    def beats(other, point):
        return other[0] <= point[0] and other[1] >= point[1] and other != point

    return [not any(beats(other, point) for other in points) for point in points]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_the_front_is_that_of_comparing_every_pair(points):
    assert overlap.efficient(*zip(*points, strict=True)).tolist() == slow_front(points)


def test_every_ranker_has_a_front_of_its_own_and_intervals_against_one_label(rng):
    def runs(ranker, gain):
        better = runs_of({"3-overlap": [[0.5 + gain] * 3]}, ranker, labels=3.0)
        return pd.concat([runs_of({"baseline": [[0.5] * 3]}, ranker), better])

    table = overlap.plane(pd.concat([runs("LambdaRank", 0.1), runs("LambdaMART", -0.1)]), rng)
    assert table["difference"].tolist() == pytest.approx([np.nan, 0.1, np.nan, -0.1], nan_ok=True)
    assert table.loc[1, ["low", "high"]].tolist() == pytest.approx([0.1, 0.1])
    assert table["labels"].tolist() == [1, 3, 1, 3]
    assert table["ndcg@3"].tolist() == pytest.approx([0.5, 0.6, 0.5, 0.4])
    assert table["efficient"].tolist() == [True, True, True, False]


def test_at_every_budget_a_scheme_is_held_against_one_label_for_more_queries(rng):
    def runs(budget, gain):
        costs = {"budget": budget, "spent": budget, "queries": int(100 * budget)}
        return runs_of({"baseline": [[0.5] * 4] * 2, "mv3": [[0.5 + gain] * 4] * 2}, **costs)

    table = overlap.budget_table(pd.concat([runs(0.5, -0.1), runs(1.0, 0.1)]), rng)
    assert table[["budget", "setting", "queries"]].to_numpy().tolist() == [
        [0.5, "baseline", 50],
        [0.5, "mv3", 50],
        [1.0, "baseline", 100],
        [1.0, "mv3", 100],
    ]
    assert table["difference"].tolist() == pytest.approx([np.nan, -0.1, np.nan, 0.1], nan_ok=True)
    assert (table["low"] <= table["difference"] + 1e-9).loc[[1, 3]].all()


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
    runs = runs.assign(person_labels=runs["route"].map({"person": 1.0, "machine": 0.0}))
    table = overlap.machine_table(runs, rng)
    assert table["setting"].tolist() == ["person", "machine"]
    assert table["person_labels"].tolist() == [1, 0]
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
    lower = overlap.machine_first(long(rows), "Ann", good=1).set_index("machine")
    assert lower.loc["M"].tolist() == pytest.approx([5, 4 / 5, 3 / 4, 3 / 4])


# claims


NOT_IN_THE_PAPER = {"the mean or all labels", "if-good-gain-3 or one label", "tripled weights or none"}
NOT_IN_THE_PAPER |= {"gain for a further label a pair"}


def test_every_claim_has_something_that_is_compared(rng):
    runs = any_runs_of(study.LABEL_SETS["clean07"].settings, rng)
    asked = {*overlap.comparisons(runs, rng)["question"], *judges(100).index}
    questions = set(verdicts.claims().query("study == '01'")["question"]) - {""}
    assert questions == asked - NOT_IN_THE_PAPER
