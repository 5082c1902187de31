"""Sentences of study 2 where they turn: what is stored, notebook 02 compares."""

import numpy as np
import pandas as pd
import pytest

from helpers.studies.bounds import findings
from helpers.studies.bounds.findings import ALL, MACHINE, SAME_QUERIES


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


def test_agreement_names_the_grades_on_which_queries_differ():
    table = pd.DataFrame({"grade": [0, 1], "agreement": [0.8, 0.4], "between_low": [0.1, -0.1]})
    assert findings.agreement(table).endswith("; queries differ in it on grade 0.")
    assert "no difference between queries is seen" in findings.agreement(table.assign(between_low=-0.1))


def needs(needed, low, high):
    small = {"ranker": ALL, "queries": 5, "needed": 10, "low": 10, "high": 10}
    return pd.DataFrame([small, small | {"queries": 42, "needed": needed, "low": low, "high": high}])


def test_what_machine_labels_are_worth_also_where_they_never_are_enough():
    assert findings.as_well(needs(84, 10, np.inf)) == (
        "42 queries that a person labelled train as well as 84 that a machine labelled "
        "(95 %: 10 or fewer to more than 424)"
    )
    assert findings.one_for_one(needs(84, 42, 168)).endswith("is worth 2.0 by a machine (95 %: 1.0 to 4.0).")
    never = findings.as_well(needs(np.inf, np.inf, np.inf))
    assert never == "No number of machine-labelled queries tried trains as well as 42 from a person"
    assert findings.as_well(needs(np.inf, 100, np.inf)).endswith("though 100 may do")
    assert "more than 10" in findings.one_for_one(needs(np.inf, 100, np.inf))


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
