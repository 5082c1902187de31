"""What study 5 says and draws of tables made by hand, and its exercises; nbval compares what it does of stored ones."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from drawn import dots, lines

from helpers.reporting.figures import budget as figures
from helpers.studies import budget
from helpers.studies.budget import exercises, findings, plans, stored, tables

pytestmark = pytest.mark.usefixtures("closed_figures")
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


# titles, and what stands below figures


def bench(half=0.04):
    """Two kinds of pilots held back, one of few pairs, and one on which the promise was built."""
    kinds = [("r", "held back", 25), ("d", "held back", 25), ("m", "shown only", 25), ("r", "built on", 25)]
    values = {"power": (0.75, 0.83, 0.6, 0.1), "cover": (0.94, 0.91, 0.8, 0.1), "cost": (1.1, 1.3, 2.0, 9.0)}
    values |= {"power, once": (0.77, 0.88, 0.6, 0.1), "cover, raw": (0.81, 0.82, 0.7, 0.1)}
    rows = [
        (*kind, how, what, kept - less, kept - less - half, kept - less + half, 960)
        for how, less in (("corrected", 0), ("as chosen", 0.1))
        for what, each in values.items()
        for kind, kept in zip(kinds, each, strict=True)
    ]
    columns = ["collection", "pairs", "pilot", "how", "what", "kept", "low", "high", "plans"]
    return tables.of_bench(pd.DataFrame(rows, columns=columns))


CURVE = pd.DataFrame({"budget": [200.0, 50.0, 100.0], "seen": [0.035, 0.07, 0.05], "low": 0.03, "high": 0.08,
                      "queries": 12, "depth": 10, "this": [False, False, True]})  # fmt: skip
PAIRS = pd.DataFrame({"first": list("aab"), "second": list("bcc"), "rho": [0.4, 0.8, 0.6], "below": [0.1, 0.3, 0.2],
                      "reversed": [True, False, False]})  # fmt: skip
TRAINED = pd.DataFrame({"collection": "a", "share": [0.1] * 3 + [0.2] * 3, "depth": [2, 8, 16] * 2,
                        "ndcg": [0.1, 0.3, 0.32, 0.2, 0.5, 0.46], "twice": [False, False, True] * 2})  # fmt: skip
CASES = [
    (findings.seen_by_budget, [CURVE, 100.0], "100 sees a difference of .050, 50 .070 and 200 .035"),
    (findings.worlds, [np.zeros(4), np.array([True, False, False, False]), 0.05, 0.2, 50],
     "50 queries see a difference of .050 in 25 % of 4 worlds; by the formula 41 %"),
    (findings.promised, [bench()], "Promised is a power of .80; kept are .75 to .83 corrected, .65 to .73 as chosen"),
    (findings.machine_price, [PAIRS, 0.2],
     "At 20 % of a person's price a machine judge pays for 1 of 3 pairs of systems, at 20 % for half of them"),
    (findings.machine_on_pairs, [PAIRS],
     "Over 3 pairs of systems the differences by the machine and by people correlate at .600 in the median (.420 to "
     ".780 in nine of ten). A free machine still leaves 64 % of people's queries to be judged in the median pair, and "
     "half or more for 67 % of the pairs. By the machine alone 1 pairs come out the other way."),
    (findings.trained, [TRAINED],
     "From 8 documents a query on, the median of 2 lines varies by .030 nDCG@10, the least by .020, the most by .040"),
]  # fmt: skip


@pytest.mark.parametrize(("finding", "given", "said"), CASES)
def test_what_is_said_of_a_table(finding, given, said):
    assert finding(*given) == said


def test_pairs_of_systems_that_never_differ_are_counted():
    assert findings.machine_on_pairs(PAIRS[:2]).endswith("Left out: 1 pair of systems that never differ.")


def test_kinds_of_pilots_that_miss_what_was_wanted_are_named():
    assert findings.wanted(bench()) == [
        "Wanted of power are .80 in its interval and .76 to .84. Of kinds of pilots held back it is kept: on queries "
        "drawn anew, 1 of 2, not r, 25 queries (.750); strictly, drawn without replacement, 1 of 2, not d, 25 queries "
        "(.880).",
        "Wanted of the share of intervals that hold the truth are .93 to .97. Of kinds of pilots held back it is kept: "
        "counting the error of the truth, 1 of 2, not d, 25 queries (.910); strictly, as if it had none, 0 of 2, not "
        "r, 25 queries (.810) and d, 25 queries (.820).",
        "What a difference of .05 is told to cost is 1.1 to 1.3 times the cheapest true price, in the medians.",
    ]
    assert (
        "anew, 0 of 2, not r, 25 queries (.750) and d, 25 queries (.830); strictly" in findings.wanted(bench(0.02))[0]
    )


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(0.001, 0.02, "is better"), (-0.02, -0.001, "is worse"), (-0.01, 0.01, "is no better"),
     (np.nan, np.nan, "is no better")],
)  # fmt: skip
def test_advice_to_train_is_better_only_where_the_interval_says_so(low, high, said):
    table = pd.DataFrame({"rule": [tables.TWICE, "advice"], "collections": 3, "regret": [0.01, 0.02], "low": 0.0})
    table = table.assign(high=0.02, more=0.0, more_low=[low, 0.0], more_high=[high, 0.0])
    assert said in findings.training(table)


# figures


@pytest.mark.parametrize("amount", [2000.0, 24.0])
def test_the_readers_budget_stands_on_the_line_of_all(amount):
    """Of 24 the least budgets buy nothing, and have no point."""
    costs, pilot = budget.Costs(5, 1, 0.02), stored.pilots()["dl21"]
    [ax] = figures.seen_by_budget(tables.seen_by_budget(pilot, costs, amount), 10, "").axes
    [line, *_] = lines(ax)
    [[(money, this)]] = [found for found in dots(ax) if len(found) == 1]
    assert (line[0, 0], money, line[-1, 0]) == pytest.approx((amount / (4 if amount > 24 else 2), amount, 4 * amount))
    plan = budget.plan(pilot, costs, amount).best
    assert [this, this] == pytest.approx([dict(line)[amount], plan["seen"]])
    assert ax.texts[0].get_text() == f"{plan['queries']:,} queries to depth {plan['depth']}"


def test_the_worlds_that_see_are_the_coloured_part_of_the_bars(rng):
    means = rng.normal(0.05, 0.03, 500)
    [ax] = figures.worlds(means, np.abs(means) > 0.05, 0.05, "").axes
    heights = [sum(bar.get_height() for bar in bars) for bars in ax.containers]
    assert heights == pytest.approx([(np.abs(means) <= 0.05).sum(), (np.abs(means) > 0.05).sum()])
    assert lines(ax)[0][:, 0].tolist() == [0.05, 0.05]


def test_what_pilots_keep_is_drawn_as_chosen_corrected_and_strictly():
    power_of, cover = figures.promised(bench(), "").axes
    names = [label.get_text() for label in power_of.get_yticklabels()]
    assert names == ["r, 25 queries", "d, 25 queries", "m, 25 queries (few pairs)"]
    kept = [found[:, 0].tolist() for ax in (power_of, cover) for found in dots(ax)]
    expected = [[0.65, 0.73, 0.5], [0.75, 0.83, 0.6], [0.77, 0.88, 0.6], [0.84, 0.81, 0.7], [0.94, 0.91, 0.8]]
    assert np.array(kept) == pytest.approx(np.array([*expected, [0.81, 0.82, 0.7]]))


def test_a_machine_pays_for_as_many_pairs_as_lie_right_of_its_price():
    [ax] = figures.machine_prices(PAIRS, 0.2, "").axes
    assert ax.lines[0].get_xydata() == pytest.approx(np.array([[0.1, 100], [0.2, 200 / 3], [0.3, 100 / 3]]))
    assert ax.lines[1].get_xdata()[0] == 0.2


def test_rings_stand_on_the_lines_of_their_collection():
    [ax] = figures.trained(TRAINED, "").axes
    assert sorted(map(tuple, dots(ax)[-1])) == [(16, 0.32), (16, 0.46)]
    assert {tuple(point) for line in lines(ax) for point in line} == set(
        map(tuple, TRAINED[["depth", "ndcg"]].to_numpy())
    )


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
