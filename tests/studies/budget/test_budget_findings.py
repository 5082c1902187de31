"""The sentences of study 5, and its exercises."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from helpers.studies import budget
from helpers.studies.budget import exercises, findings, plans, tables
from helpers.studies.budget.costs import Costs

COSTS = Costs(5, 1, 0.02)
PLAN = {
    "budget": 100.0, "who": "people", "queries": 1200, "machine_queries": 0, "depth": 10, "opinions": 3, "cost": 99.0,
    "seen": 0.05, "low": 0.04, "high": 0.07, "bias": 0.01, "bias_low": -0.02, "bias_high": 0.03, "rho": 0.5,
    "machine": 0.0,
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
    return pd.DataFrame(rows).assign(**change)


def advice(why="", apart=0.3, unknown=0, **change):
    return plans.Advice(pd.Series(PLAN | change), pd.DataFrame(), -0.1, why, apart, unknown)


def test_the_answer_is_of_this_budget_and_tells_the_bias_in_a_sentence_of_its_own(measured):
    assert findings.answer(three(), advice(), 100.0, measured) == (
        "**Judge 1,200 queries to depth 10 with three people each.** For 100 you then see a difference of .050 nDCG@10 "
        "(.040 to .070) with power .8; half of it sees .070, twice of it .035. In the pilot the two runs lie that far "
        "apart. Judging no deeper shifts a difference by +.010 (-.020 to .030). A machine that judges first does not "
        "pay; its differences correlate with people's at .50. The pilot: 50 queries of drawn."
    )


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (advice("few queries"), "each: a pilot of 50 queries cannot tell more.**"),
        (advice("no gain"), "each: the pilot cannot tell more.**"),
        (
            advice("no gain"),
            "Whether a machine that judges first pays, the pilot cannot tell; its differences correlate with people's "
            "at .50. The pilot",
        ),
        (advice(rho=float("nan")), "Whether a machine pays is not known: the pilot has no labels of one."),
        (advice(who="machine first", machine_queries=5000), "A machine that judges first pays; its differences"),
        (advice(apart=0.0), "In the pilot the two runs lie less than that far apart."),
    ],
)
def test_what_the_pilot_cannot_tell_is_said(measured, found, said):
    assert said in findings.answer(three(), found, 100.0, measured)


def test_of_several_pairs_it_is_said_how_many_the_plan_tells_apart(measured):
    ten = replace(measured, pairs=measured.pairs * 10)
    assert "In the pilot 3 of 10 pairs of runs lie that far apart." in findings.answer(three(), advice(), 100.0, ten)
    assert "In the pilot none of 10 pairs" in findings.answer(three(), advice(apart=0.0), 100.0, ten)


def test_half_of_a_budget_that_buys_nothing_is_not_spoken_of(measured):
    assert "with power .8; twice of it .035. In" in findings.answer(three().iloc[1:], advice(), 100.0, measured)


def test_ways_to_judge_of_which_nothing_is_known_are_counted(measured):
    assert findings.left_out(advice(), measured) == []
    [said] = findings.left_out(advice(unknown=2), measured)
    assert said.startswith(f"Left out: 2 of {len(measured.depths)} depths and numbers of people")


def test_three_budgets_stand_beside_each_other():
    table = findings.budgets(three(machine=[0.0, 0.25, 0.5], bias=-0.006)).set_index("budget")
    assert list(table) == ["50", "100", "200"]
    shown = ["depth", "by a machine alone", "difference seen", "shifted by judging no deeper", "costs"]
    assert table.loc[shown, "100"].tolist() == ["10", "25 %", ".050 (.040 to .070)", "-.006", "99"]
    alone = findings.budgets(three(bias=-0.006))
    assert set(table.index) - set(alone["budget"]) == {"by a machine alone"}


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
