"""The sentences of study 5, its exercises and its sliders."""

import os
import re
from dataclasses import replace

import nbformat
import numpy as np
import pandas as pd
import pytest

from helpers import paths
from helpers.reporting import answers
from helpers.reporting.figures import budget as figures
from helpers.studies import budget
from helpers.studies.budget import exercises, findings, rules, sliders, tables
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.habits import USUAL

COSTS = Costs(5, 1, 0.02)
LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"


def test_the_answer_names_the_plan_and_the_usual_one(measured):
    advice = budget.plan(measured, COSTS, 2000)
    report = findings.measuring(advice, COSTS, 0.05, measured, 2000)
    first = report.loc[0, "answer"]
    assert f"{advice.best['queries']:,} queries to depth {advice.best['depth']}" in first
    assert first.endswith(f"would see {answers.number(advice.rules.set_index('rule').loc[USUAL, 'detectable'])}.")


def test_a_budget_too_small_for_the_usual_plan_says_so(measured):
    report = findings.measuring(budget.plan(measured, COSTS, 300), COSTS, 0.05, measured, 300)
    assert "cost more than that" in report.loc[0, "answer"]


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(0.001, 0.02, "advice is better"), (-0.02, -0.001, "advice is worse"), (-0.01, 0.01, "advice is no better"),
     (np.nan, np.nan, "advice is no better")],
)  # fmt: skip
def test_advice_is_better_only_where_the_interval_says_so(low, high, said):
    table = pd.DataFrame({"rule": ["eight", "advice"], "collections": 3, "regret": [0.01, 0.01], "low": 0.0})
    table = table.assign(high=0.02, more=0.0, more_low=[low, 0.0], more_high=[high, 0.0])
    assert said in findings.advice_against_rules(table)


def test_a_rule_that_few_collections_could_follow_is_not_the_best_rule():
    table = pd.DataFrame({"rule": ["fifty", "eight", "advice"], "collections": [1, 3, 3], "regret": [0.0, 0.01, 0.02]})
    table = table.assign(low=0.0, high=0.1, more=0.0, more_low=-0.1, more_high=0.1)
    assert "*eight*" in findings.advice_against_rules(table)


BESTS = pd.DataFrame(
    {"ranker": "X", "collection": ["a", "b"], "who": ["people", "machine"], "queries": [40.0, 60.0],
     "depth": [8.0, 16.0], "cost": [100.0, 50.0], "shallowest": [4.0, 8.0], "deepest": [16.0, 32.0]}
)  # fmt: skip


def test_what_is_best_to_train_is_said_over_surfaces():
    said = findings.best_to_train(BESTS)
    assert "median of 2 surfaces" in said
    assert "50 queries to depth 12; the best depth is 8 to 16" in said
    assert "known to a factor of 4.0" in findings.how_sure(BESTS)
    assert "On 1 of 2 surfaces a machine's labels train best, for 50" in findings.machine_to_train(BESTS)
    assert "On none of 1 surface" in findings.machine_to_train(BESTS.iloc[:1])


def test_a_budget_that_nobody_ran_says_so_in_every_answer_to_train():
    none, table = BESTS.iloc[:0], pd.DataFrame({"rule": ["eight", "advice"], "collections": 3, "regret": 0.0})
    table = table.assign(low=0.0, high=0.1, more=0.0, more_low=-0.1, more_high=0.1)
    report = findings.training(none, pd.DataFrame(columns=["rule", "loss"]), table, 3.0)
    assert report["answer"].iloc[0] == "No collection was run with such a budget."
    assert "Stored runs on none" in report["answer"].iloc[-1]


def test_rules_that_were_not_asked_are_named():
    table = pd.DataFrame({"rule": ["kappa", "fifty"], "collection": "a", "verdict": [rules.NOT_ASKED, "holds"]})
    assert "*kappa* on a" in findings.not_asked(table)
    assert "could be asked" in findings.not_asked(table.iloc[1:])


def test_without_runs_to_train_the_goals_are_not_compared():
    table = pd.DataFrame({"cost": [0, 1], "goal": "measure", "depth": [4, 8]})
    assert "cannot be compared" in findings.both_goals(table)
    both = pd.concat([table, table.assign(goal="train", depth=[8, 4])])
    assert "At 1 of 2 prices" in findings.both_goals(both)


def test_a_price_that_cannot_be_told_takes_no_other_answer_with_it(measured):
    shallow = replace(measured, cells=[cell for cell in measured.cells if cell.depth < measured.docs])
    advice = budget.plan(shallow, COSTS, 2000)
    whole, less = (findings.measuring(advice, COSTS, seen, shallow, 2000)["answer"] for seen in (0.5, 1e-9))
    assert less.iloc[4].startswith("This pilot cannot tell: difference is 1e-09: at every depth")
    assert less.drop(4).tolist() == whole.drop(4).tolist()


def test_prices_beyond_a_budget_are_left_out_and_counted(measured):
    table = tables.depths({"a": measured}, {}, COSTS, 20)
    assert table["cost"].tolist() == [0, 1, 2, 5]
    both = pd.concat([table, table.assign(goal="train")])
    assert findings.both_goals(both).endswith(" For 3 higher prices the budget is too small.")


GOALS = [("measure", "training.fitted"), *([("train", "plan")] if LARGE else [])]  # the second fits all surfaces


@pytest.mark.parametrize(("goal", "needed"), GOALS)
def test_the_answer_asked_for_stands_where_the_other_fails(goal, needed, tmp_path, monkeypatch):
    """The cells of notebook 05 up to its answer, while all that the other goal needs fails."""

    def fail(*_, **__):
        raise RuntimeError("this goal fails")

    monkeypatch.setattr(f"helpers.studies.budget.{needed}", fail)
    notebook = nbformat.read(paths.project("notebooks") / "05_label_budget.ipynb", 4)
    cells = {cell.id: cell.source for cell in notebook.cells}
    made = {}
    with pd.option_context("display.precision", 6, "display.max_colwidth", 50):  # what the notebook sets ends here
        exec(cells["cell-02"], made)
        made |= {"goal": goal, "results_dir": str(tmp_path / "out")}
        for cell in ("cell-04", "cell-06"):
            exec(cells[cell], made)
    assert (tmp_path / "out" / "report.txt").read_text() == findings.text(made["report"])
    with pytest.raises(RuntimeError, match="this goal fails"):
        made["to_train" if goal == "measure" else "to_measure"]()


# exercises

GRADES, FIRST, SECOND = np.array([3, 0, 2, 1, 3, 0]), np.array([0, 2, 4, 3]), np.array([1, 4, 0, 5])
LISTS = [0.2, 0.4, 0.6], [0.3, 0.5, 0.7], [0.3, 0.5, 0.7, 0.7, 0.8]
SYSTEMS = pd.DataFrame({"system": list("aabb"), "query": [1, 2, 1, 2], "people": [0.2, 0.6, 0.4, 0.9]})
LOSSES = pd.DataFrame({"rule": ["deep", "deep", "shallow"], "loss": [0.1, 0.3, 0.15]})


@pytest.mark.parametrize(
    ("number", "right", "wrong", "given"),
    [
        (1, 1 - 1 / 2, 0.62, (GRADES, FIRST, SECOND)),  # to depth 2 gains 7 and 0: the first list has the 7 first
        (2, 787, 128, ()),
        (3, 0.5, 0.4, LISTS),
        (4, 0.25, 0.4, ()),
        (5, 2, 3, (SYSTEMS,)),  # v_e / v_s x 19 = .0025 / .03 x 19 = 1.6, where v_s = (2 x .03125 - .0025) / 2
        (6, "shallow", "deep", (LOSSES,)),
        (6, "none", "deep", (LOSSES.iloc[:0],)),
    ],
)
def test_exercises_by_hand(capsys, number, right, wrong, given):
    for answer in (right, wrong, ...):
        getattr(exercises, f"check_{number}")(answer, *given)
    assert re.fullmatch(r"Right\.\nNot yet: .*\nNo answer yet\.\n", capsys.readouterr().out)


def test_the_depth_at_cheap_queries(capsys, measured):
    cheap = budget.plan(measured, budget.Costs(0.5, 1), 2000).best["depth"]
    for answer in (cheap, cheap + 1):
        exercises.check_7(answer, measured, budget.Costs(5, 1), 2000)
    assert capsys.readouterr().out.startswith("Right.\nNot yet")


# sliders


def test_a_moved_slider_draws_the_plans_anew(monkeypatch, measured, closed_figures):
    seen, drawing = [], figures.budget_lines

    def watched(curve, best, money, *others):
        seen.append((round(money), best["queries"], curve["budget"].max()))
        return drawing(curve, best, money, *others)

    monkeypatch.setattr(figures, "budget_lines", watched)
    monkeypatch.setattr(sliders, "display", lambda figure: None)
    box = sliders.sliders(measured, 2000, budget.Costs(5, 1, 0.02), 3)
    money, query, machine = box.children[:3]
    said = ["budget", "a query's price", "a machine's price"]
    assert [slider.description for slider in (money, query, machine)] == said
    assert [slider.value for slider in (money, query, machine)] == [2000, 5, 0.02]
    money.value = 4000
    query.value = 50
    machine.value = 0.5
    assert [row[0] for row in seen] == [2000, 4000, 4000, 4000]
    assert [row[2] for row in seen[:2]] == pytest.approx([20_000, 40_000])
    assert seen[2][1] < seen[1][1]  # dear queries: fewer of them
