"""Exercises of notebook 06: right answers are right on judgments of any shape, and nothing else is."""

import numpy as np
import pandas as pd
import pytest

from helpers.judging import aggregates, agreements, replacing
from helpers.studies.judgments import exercises


def said(capsys, check, *args):
    check(*args)
    return capsys.readouterr().out.strip().partition(":")[0]


def test_a_judge_who_is_milder_throughout_ranks_as_well(capsys):
    strict = np.repeat([0, 1, 2], 4)
    rows = [("q", doc, who, grade + mild) for who, mild in (("a", 0), ("b", 1)) for doc, grade in enumerate(strict)]
    frame = pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])
    assert said(capsys, exercises.check_1, replacing.crossed(frame).ndcg[0, 1, 0]) == "Right."
    assert said(capsys, exercises.check_1, 0.98) == "Not yet"


def test_the_highest_mean_among_people(capsys):
    judges = pd.DataFrame({"judge": ["model: m", "judge 2", "judge 1"], "mean": [2.0, 1.5, 0.5]})
    assert said(capsys, exercises.check_2, "judge 2", judges) == "Right."
    assert said(capsys, exercises.check_2, "model: m", judges) == "Not yet"


def test_kappa_of_two_who_agree_that_nothing_is_relevant(capsys):
    one, other = np.zeros(100, int), np.zeros(100, int)
    one[:5], other[5:10] = 1, 1
    rows = [("q", doc, who, grade) for who, of in (("a", one), ("b", other)) for doc, grade in enumerate(of)]
    found = agreements.by_judges(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]))
    assert said(capsys, exercises.check_3, found["kappa"].item()) == "Right."
    assert said(capsys, exercises.check_3, 0.9) == said(capsys, exercises.check_3, 0.053) == "Not yet"


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [([-0.2, 0.1, -0.1], [-0.1, 0.2, 0.1], 2), ([-0.1], [0.1], 0), ([np.nan], [np.nan], 0), ([], [], 0)],
)
def test_intervals_without_0_are_counted_on_either_side(capsys, low, high, shown):
    table = pd.DataFrame({"difference_low": low, "difference_high": high}, dtype=float)
    assert said(capsys, exercises.check_4, shown, table) == "Right."
    assert said(capsys, exercises.check_4, shown + 1, table) == "Not yet"


def test_what_a_free_machine_leaves_to_people(capsys):
    assert said(capsys, exercises.check_5, 0.64) == "Right."
    assert said(capsys, exercises.check_5, 0.4) == said(capsys, exercises.check_5, 64) == "Not yet"


def test_three_judges_give_the_lowest_grades_by_the_rule(capsys):
    drawn = np.random.default_rng(0).integers(0, 4, size=(10_000, 7))
    means = [aggregates.lowest_of_highest(drawn[:, :judges]).mean() for judges in range(1, 8)]
    assert said(capsys, exercises.check_6, int(np.argmin(means)) + 1) == "Right."
    assert said(capsys, exercises.check_6, 4) == "Not yet"


@pytest.mark.parametrize(
    ("expected", "half"),
    [([0.5, 0.3, 0.2], 1), ([0.3, 0.3, 0.2, 0.2], 2), ([0.1] * 10, 5), ([0.0, 0.0], 1), ([1.0], 1)],
)
def test_documents_that_hold_half_of_the_expected_change(capsys, expected, half):
    table = pd.DataFrame({"expected": expected})
    assert said(capsys, exercises.check_7, half, table) == "Right."
    assert said(capsys, exercises.check_7, half + 1, table) == "Not yet"
