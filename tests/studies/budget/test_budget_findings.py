"""The sentences of study 5, and its exercises."""

import re

import numpy as np
import pandas as pd
import pytest

from helpers.studies import budget
from helpers.studies.budget import exercises, findings, stored, tables
from helpers.studies.budget.costs import Costs

COSTS = Costs(5, 1, 0.02)
PLAN = {
    "budget": 100.0, "who": "people", "queries": 1200, "machine_queries": 0, "depth": 10, "opinions": 3, "cost": 99.0,
    "seen": 0.05, "low": 0.04, "high": 0.07, "bias": 0.01, "bias_low": -0.02, "bias_high": 0.03, "rho": 0.5,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "judge 1,200 queries to depth 10 with three people each"),
        ({"opinions": 1}, "judge 1,200 queries to depth 10 with one person each"),
        (
            {"who": "machine first", "machine_queries": 5000},
            "let the machine judge 5,000 queries to depth 10, and judge 1,200 queries to depth 10 with three people "
            "each among them",
        ),
    ],
)
def test_a_plan_is_an_instruction(change, said):
    assert findings.what_to_do(pd.Series(PLAN | change)) == said


def three(**change):
    rows = [PLAN | {"budget": money, "seen": seen} for money, seen in ((50.0, 0.07), (100.0, 0.05), (200.0, 0.035))]
    return pd.DataFrame(rows).assign(this=[False, True, False], **change)


def test_the_answer_is_of_this_budget_and_tells_the_bias_in_a_sentence_of_its_own(measured):
    assert findings.answer(three(), measured) == (
        "**Judge 1,200 queries to depth 10 with three people each.** For 100 you then see a difference of .050 nDCG@10 "
        "(.040 to .070) with power .8; for half of it .070, for twice of it .035. Judging no deeper shifts differences "
        "by .010 (-.020 to .030). A machine that judges first does not pay."
    )


def test_three_budgets_stand_beside_each_other():
    table = findings.budgets(three())
    assert list(table) == ["for", "50", "100", "200"]
    assert table.set_index("for").loc[["to depth", "difference seen", "costs"], "100"].tolist() == [
        "10", ".050 (.040 to .070)", "99",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(0.001, 0.02, "is better"), (-0.02, -0.001, "is worse"), (-0.01, 0.01, "is no better"),
     (np.nan, np.nan, "is no better")],
)  # fmt: skip
def test_advice_to_train_is_better_only_where_the_interval_says_so(low, high, said):
    table = pd.DataFrame({"rule": [tables.TWICE, "advice"], "collections": 3, "regret": [0.01, 0.02], "low": 0.0})
    table = table.assign(high=0.02, more=0.0, more_low=[low, 0.0], more_high=[high, 0.0])
    assert said in findings.training(table)


def test_the_stored_rule_to_train_is_as_good_as_the_advice():
    said = findings.training(tables.regrets())
    assert said.startswith("**To train, judge to twice the depth of the page**")
    assert "is no better" in said


# exercises

PILOT = stored.pilots()["dl21"]


@pytest.mark.parametrize(
    ("number", "right", "wrong", "given"),
    [
        (1, 1 - 1 / 2, 0.62, ()),  # to depth 2 gains 7 and 0: the first list has the 7 first, the second third
        (2, 787, 128, ()),
        (3, 0.45, 0.8, (5,)),
        (4, 0.44 + 0.0592 / 0.0556 * (4.85 / 9 - 0.47), 0.452, ()),  # covariance over the variance of the machine
        (5, 10, 16, ()),
    ],
)
def test_exercises_by_hand(capsys, number, right, wrong, given):
    for answer in (right, wrong, ...):
        getattr(exercises, f"check_{number}")(answer, *given)
    assert re.fullmatch(r"Right\.\nNot yet: .*\nNo answer yet\.\n", capsys.readouterr().out)


def test_the_best_of_plans_that_are_all_alike_promises_the_more_the_more_there_are():
    (few, kept), (many, lost) = exercises.chosen(2, 5), exercises.chosen(50, 5)
    assert few > many
    assert 0.8 > kept > lost


def test_the_depth_at_cheap_queries(capsys, measured):
    cheap = budget.plan(measured, budget.Costs(0.5, 1), 2000).best["depth"]
    for answer in (cheap, cheap + 1):
        exercises.check_6(answer, measured, budget.Costs(5, 1), 2000)
    assert capsys.readouterr().out.startswith("Right.\nNot yet")
