"""Sentences of study 2 say what their tables say, also where these say the opposite."""

import numpy as np
import pandas as pd
import pytest

from helpers.studies.bounds import findings
from helpers.studies.bounds.machine_labels import ALL, MACHINE, PERSON, SAME_QUERIES


def pool(judges, difference, low, high, **others):
    row = {"judges": judges, "pairs": 6, "queries": 40, "real": 0.7, "pooled": 0.75, "own": 0.71}
    return row | {"difference": difference, "low": low, "high": high} | others


def test_each_pool_is_named_with_the_side_that_its_interval_lies_on():
    table = pd.DataFrame([pool("A", 0.02, 0.01, 0.03), pool("B", -0.02, -0.03, -0.01), pool("C", 0.0, -0.01, 0.01)])
    better, worse, undecided = findings.own_matrix(table).split(". ")
    assert better == "The query's own matrix comes closer to what rankings reach for A (+.020, .010 to .030)"
    assert worse == "One matrix for all queries comes closer for B (-.020, -.030 to -.010)"
    assert undecided.startswith("Which comes closer is undecided for C")


def test_with_one_pool_or_none_the_words_change():
    assert findings.own_matrix(pd.DataFrame([pool("B", -0.02, -0.03, -0.01)])).startswith("One matrix for all queries")
    assert findings.own_matrix(pd.DataFrame([pool("A", 0, 0, 0)]).iloc[:0]) == "No judges were measured."


def test_pairs_that_pass_are_counted():
    row = pd.Series(pool("A", 0, 0, 0, pairs=33, passed_pooled=31, passed_own=2))
    assert "passed by 31 of 33 pairs, that of the query's own matrix by 2" in findings.passed(row)


def test_the_bias_has_its_sign():
    table = pd.DataFrame([pool("A", 0, 0, 0), pool("B", 0, 0, 0, real=0.8)])
    assert findings.bias(table).endswith("-.050 for A and +.050 for B.")


def test_losses_are_listed_with_their_intervals():
    table = pd.DataFrame({"question": ["x", "loss by disagreement"], "difference": [9, 0.2], "low": 0.1, "high": 0.3})
    assert findings.disagreement({"A": table}, 5).endswith("loses with another .200 (.100 to .300) among A.")
    assert "nDCG@5" in findings.disagreement({"A": table}, 5)


def test_one_query_says_how_far_draws_spread_and_how_near_their_mean_is():
    draws = np.linspace(0.2, 0.6, 1001)
    assert findings.one_query(draws, 0.35, 7) == (
        "95 % of single labellings reach an nDCG@7 of .21 to .59; the mean of 1,001 is .0500 from the exact .350"
    )


@pytest.mark.parametrize(("k", "ranks"), [(1, [1, 4]), (2, [1, 2, 4]), (4, [1, 4]), (50, [1, 4])])
def test_cutoffs_are_named_once_each(k, ranks):
    said = findings.by_cutoff([0.1, 0.2, 0.3, 0.4], k)
    assert [word for word in said.replace(",", "").split() if word.isdigit()] == [str(rank) for rank in ranks]


def errors(pooled, varying):
    return pd.DataFrame({"bias": {"pooled": pooled, "varying": varying}})


def test_rankings_end_above_or_below_the_ceiling_as_the_bias_says():
    said = findings.habits(errors(-0.02, 0), errors(0.04, 0))
    assert ".020 below its ceiling where judges are alike" in said
    assert ".040 above where each query" in said
    opposite = findings.habits(errors(0.02, 0), errors(-0.04, 0))
    assert ".020 above its ceiling" in opposite
    assert ".040 below where" in opposite


def test_varying_matrices_repair_the_ceiling_or_do_not():
    assert "which is smaller than" in findings.varying(errors(0.04, -0.01))
    assert "which is no smaller than" in findings.varying(errors(0.01, -0.04))


CEILINGS = {"a": pd.DataFrame({"matrix": ["x", "y", "z"], "exact": [0.9, 0.52, 0.3]})}


def test_room_is_counted_beside_the_best_ranker():
    learned = pd.DataFrame({"dataset": ["a", "a", "b"], "ndcg": [0.4, 0.5, 0.9]})
    said = findings.room(CEILINGS, learned)
    assert "room under 1 of 3 matrices, it is within .05 of the ceiling under 1, and past it under 1" in said


def test_without_learned_rankers_the_span_of_the_ceilings_is_said():
    learned = pd.DataFrame({"dataset": [], "ndcg": []})
    assert "On a alone ceilings run from .300 to .900" in findings.room(CEILINGS, learned)


def worth(needed, low, high):
    small = {"ranker": ALL, "queries": 5, "needed": 10, "low": 10, "high": 10}
    return pd.DataFrame([small, {"ranker": ALL, "queries": 42, "needed": needed, "low": low, "high": high}])


def test_what_machine_labels_are_worth_also_where_they_never_are_enough():
    assert findings.worth(worth(84, 10, np.inf)) == (
        "42 queries that a person labelled train as well as 84 that a machine labelled "
        "(95 %: 10 or fewer to more than 424)"
    )
    assert findings.one_for_one(worth(84, 42, 168)).endswith("is worth 2.0 by a machine (95 %: 1.0 to 4.0).")
    never = findings.worth(worth(np.inf, np.inf, np.inf))
    assert never == "No number of machine-labelled queries tried trains as well as 42 from a person"
    assert findings.worth(worth(np.inf, 100, np.inf)).endswith("though 100 may do")
    assert "more than 10" in findings.one_for_one(worth(np.inf, 100, np.inf))


@pytest.mark.parametrize(
    ("difference", "low", "high", "words"),
    [(0.02, 0.01, 0.03, "better"), (-0.02, -0.03, -0.01, "worse"), (0.0, -0.01, 0.01, "not told apart")],
)
def test_all_labels_are_compared_by_their_interval(difference, low, high, words):
    rows = [
        {"ranker": ALL, "question": question, "difference": difference, "low": low, "high": high}
        for question in (MACHINE, SAME_QUERIES)
    ]
    assert findings.all_labels(pd.DataFrame(rows)).count(f"train rankers that are {words} (") == 2


def test_what_more_labels_teach_is_the_last_less_the_first():
    rows = [
        {"ranker": ALL, "labels": labels, "queries": n, "ndcg": ndcg}
        for labels, n, ndcg in [(PERSON, 42, 0.6), (PERSON, 5, 0.5), (MACHINE, 10, 0.6), (MACHINE, 424, 0.55)]
    ]
    said = findings.learnable(pd.DataFrame(rows))
    assert "+.100 from 5 to 42 (NIST)" in said
    assert "-.050 from 10 to 424" in said


def test_agreement_names_the_grades_on_which_queries_differ():
    table = pd.DataFrame({"grade": [0, 1], "agreement": [0.8, 0.4], "between_low": [0.1, -0.1]})
    assert findings.agreement(table).endswith(
        "agree 80 % of the time on grade 0 and 40 % of the time on grade 1; queries differ in it on grade 0."
    )
    assert "no difference between queries is seen" in findings.agreement(table.assign(between_low=-0.1))
