import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pilots_by_hand import of

from helpers.metrics import ndcg, power
from helpers.studies import budget
from helpers.studies.budget import plans
from helpers.studies.budget.costs import shares
from helpers.studies.budget.pilot import NOT, voted
from helpers.studies.budget.resampling import LEAST_SLOPE, differences, interval, spread

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
COSTS = budget.Costs(5, 1, 0.02)


def tiny(rankers=((3, 2, 1), (1, 2, 3)), grades=((2, 0, 0), (2, 1, 0))):
    """Three documents, one query a row of grades, judged by one person."""
    pairs = [
        (f"q{q}", doc, "Ann", grade) for q, row in enumerate(grades) for doc, grade in zip("abc", row, strict=True)
    ]
    frame = pd.DataFrame(pairs, columns=["query", "doc", "assessor", "grade"])
    runs = {
        str(n): frame[["query", "doc"]].assign(score=np.tile(scores, len(grades)).astype(float))
        for n, scores in enumerate(rankers)
    }
    return budget.pilot(frame, runs, cutoff=3)


# the pilot


def test_the_pool_takes_documents_of_the_two_rankers_by_turns():
    """a b c and c b a: a, then c, then b."""
    found = tiny(grades=((2, 0, 1),) * 3)
    assert found.labels[0, :, 0].tolist() == [2, 1, 0]
    assert found.tops[:, 0].tolist() == [[0, 2, 1], [1, 2, 0]]


def test_a_difference_by_hand():
    """The relevant document first and last: 1 - 1 / log2(4)."""
    found = tiny(grades=((1, 0, 0),) * 3)
    assert differences(found, voted(found.labels), 3) == pytest.approx([0.5] * 3)


def test_what_was_not_judged_counts_as_grade_0():
    """b, the third of the pool, holds all relevance: to depth 2 nothing is seen."""
    found = tiny(rankers=((2, 3, 1), (1, 2, 3)), grades=((0, 2, 0),) * 3)
    assert differences(found, voted(found.labels), 1) == pytest.approx([1 - 1 / np.log2(3)] * 3)


def test_differences_are_those_of_ndcg(rng):
    judges = [(f"q{q}", f"d{d}", "Ann", int(rng.integers(4))) for q in range(9) for d in range(25)]
    frame = pd.DataFrame(judges, columns=["query", "doc", "assessor", "grade"])
    runs = {name: frame[["query", "doc"]].assign(score=rng.normal(size=len(frame))) for name in "ab"}
    found = budget.pilot(frame, runs, cutoff=7)
    offsets = np.arange(10) * 25
    first, second = (ndcg(frame["grade"], run["score"], offsets, 7, empty="zero") for run in runs.values())
    assert differences(found, voted(found.labels), 25) == pytest.approx(first - second)


def test_a_document_with_fewer_labels_has_them_again():
    said = [("a", "Ann", 2), ("a", "Bob", 1), ("b", "Ann", 3), ("c", "Bob", 0), ("c", "Eve", 1)]
    frame = pd.DataFrame([(q, *row) for q in "xyz" for row in said], columns=["query", "doc", "assessor", "grade"])
    runs = dict.fromkeys("ab", frame[["query", "doc"]].drop_duplicates().assign(score=[3.0, 2, 1] * 3))
    assert budget.pilot(frame, runs).labels[0].tolist() == [[2, 1], [3, 3], [0, 1]]


def test_documents_that_only_rankers_list_have_no_label():
    frame = pd.DataFrame([(f"q{n}", "a", "Ann", 1) for n in range(3)], columns=["query", "doc", "assessor", "grade"])
    rows = [(f"q{n}", d, -r) for n in range(3) for r, d in enumerate("xya")]
    runs = dict.fromkeys("ab", pd.DataFrame(rows, columns=["query", "doc", "score"]))
    assert budget.pilot(frame, runs).labels[0, :, 0].tolist() == [NOT, NOT, 1]


def test_a_pilot_of_one_query_is_refused():
    with pytest.raises(ValueError, match="pilot: 1 judged query that both rankers list, expected at least 3"):
        tiny(grades=((1, 0, 0),))


def test_a_pilot_has_two_rankers():
    frame = pd.DataFrame([("q", "a", "Ann", 1)], columns=["query", "doc", "assessor", "grade"])
    with pytest.raises(ValueError, match="1 runs, expected at least the two"):
        budget.pilot(frame, {"a": frame[["query", "doc"]].assign(score=1.0)})


# spread and its parts


def test_the_variance_of_one_opinion_is_that_of_drawing_a_judge_for_every_query(pilot, measured, rng):
    """The mean over draws of the variance over queries, which the closed form gives without drawing."""
    cell, found = measured.cell(10), spread(measured)
    by_judge = np.array([differences(pilot, voted(pilot.labels[:, :, [j]]), 10) for j in range(3)])
    drawn_judges = rng.integers(3, size=(20_000, pilot.n_queries))
    values = np.take_along_axis(by_judge.T[None], drawn_judges[:, :, None], axis=2)[..., 0]
    expected = values.var(axis=1, ddof=1).mean()
    assert (found.sd[cell, 0] * found.slope[cell, 0]) ** 2 == pytest.approx(expected, rel=0.01)


def test_all_people_and_documents_are_the_whole(measured):
    whole = [values[measured.cell(30, 3), 0] for values in spread(measured)]
    assert whole[:3] == pytest.approx([measured.whole.std(ddof=1), 1, 0])


# plans


def test_in_the_flat_case_a_plan_shows_what_the_textbook_says(rng):
    values = rng.normal(0, 1, 200)
    values = 0.2 * (values - values.mean()) / values.std(ddof=1)
    found = budget.plan(of({1: values}), budget.Costs(0, 1), 34).best
    assert found["apparent"] == pytest.approx(power.detectable(0.2, 34), rel=1e-8)
    assert found["low"] < found["apparent"] < found["seen"] < found["high"]


def test_a_plan_costs_no_more_than_the_budget_and_more_money_never_sees_less(measured):
    """At 1 a query and 2 a judgment 300 buys a machine nothing where people judge three queries to depth 25, twice."""
    seen = []
    for amount in (50, 100, 200, 300, 400, 800, 1600):
        for costs in (budget.Costs(1, 2, 0.0), COSTS):
            advice = budget.plan(measured, costs, amount)
            assert (advice.plans["cost"] <= amount + 1e-9).all()
            assert advice.plans["reach"].is_monotonic_increasing
        seen.append(advice.best["seen"])
    assert seen == sorted(seen, reverse=True)


@pytest.mark.parametrize("amount", [300, 2000, 9000])
def test_what_a_plan_sees_needs_its_budget(measured, amount):
    advice = budget.plan(measured, COSTS, amount)
    found = budget.needed(measured, COSTS, advice.best["seen"])
    assert found["seen"] <= advice.best["seen"]
    assert 0.95 * amount <= found["cost"] <= 1.002 * amount
    assert budget.plan(measured, COSTS, found["cost"]).best["seen"] == pytest.approx(found["seen"], rel=0.01)
    for end in ("low", "high"):  # half of a difference needs four times the queries
        assert found[f"cost_{end}"] / found["cost"] == pytest.approx((found[end] / found["seen"]) ** 2)
    assert found["cost_low"] < found["cost"] < found["cost_high"]


def test_dear_queries_are_judged_deeper(measured):
    depths = [budget.plan(measured, budget.Costs(price, 1), 3000).plans["depth"][0] for price in (0, 20, 200)]
    assert depths == sorted(depths)


@pytest.mark.parametrize(
    ("costs", "amount", "message"),
    [
        ((-1, 1), 100, "cost_query is -1, expected at least 0"),
        ((5, 1, -0.1), 100, "cost_machine is -0.1, expected at least 0"),
        ((5, float("nan")), 100, "cost_judgment is nan, expected at least 0"),
        ((0, 0), 100, "cost_query and cost_judgment are 0"),
        ((0, 1, 0), 100, "cost_query and cost_machine are 0"),
        ((5, 1), 5, "budget is 5, which buys no judgment: a query and one judgment cost 6"),
        ((5, 1), float("nan"), "budget is nan, which buys no judgment"),
        ((5, 1), float("inf"), "budget is inf, expected what there is to spend"),
        ((5, 1), 11, "budget is 11, too small for anything: a comparison needs 2 queries"),
    ],
)
def test_what_cannot_be_planned_is_one_clear_line(measured, costs, amount, message):
    with pytest.raises(ValueError, match=message) as caught:
        budget.plan(measured, budget.Costs(*costs), amount)
    assert "\n" not in str(caught.value)


def test_a_difference_of_nothing_is_refused(measured):
    with pytest.raises(ValueError, match="difference is 0, expected above 0"):
        budget.needed(measured, COSTS, 0)


# a bias that cannot be known


def test_a_depth_that_needs_one_of_two_queries_to_show_a_difference_is_no_plan_and_counted():
    """Without one of these nothing is known of the spread of depth 1, which has no standard error then."""
    measured = of({1: [0, 0.1, 0.3, 0], 5: [0.1, -0.2, 0.3, 0.05]})
    advice = budget.plan(measured, COSTS, 500)
    assert (advice.unknown, advice.plans["depth"].unique().tolist()) == (1, [5])
    assert budget.needed(measured, COSTS, 0.1)["depth"] == 5
    assert budget.plan(of({1: [0.1, 0.2, 0.3, 0], 5: [0.1, 0.2, 0.3, 0.05]}), COSTS, 500).unknown == 0


@pytest.mark.parametrize(
    ("grades", "same"),
    [
        (((0, 0, 0), (1, 1, 1)), "every query"),
        (((2, 0, 0), (1, 1, 1)), "all queries but one"),
        (((2, 0, 0),) * 2, "all queries but two"),
    ],
)
def test_rankers_that_differ_on_two_queries_are_refused(grades, same):
    with pytest.raises(ValueError, match=f"the same nDCG on {same}, so that nothing can be told"):
        budget.plan(tiny(grades=(*grades, (0, 0, 0))), COSTS, 1000)


@given(st.integers(0, 2**32 - 1), st.integers(3, 12), st.floats(0.05, 1))
@settings(deadline=None, max_examples=15)
def test_however_few_queries_differ_every_plan_promises_something(seed, queries, share):
    draw = np.random.default_rng(seed)
    whole = draw.normal(0, 0.2, queries) * (draw.random(queries) < share)
    shallow = whole * (draw.random(queries) < share)
    if np.count_nonzero(whole) < 3:
        return
    measured = of({1: shallow, 5: whole})
    advice, needed = budget.plan(measured, COSTS, 500), budget.needed(measured, COSTS, 0.05)
    frames = [advice.plans, needed.to_frame().T]
    assert all(np.isfinite(frame["seen"].astype(float)).all() for frame in frames)
    slopes = (shallow @ whole - shallow * whole) / (whole @ whole - whole**2)  # with each query left out
    assert advice.unknown == (np.count_nonzero(shallow) < 3 or slopes.min() <= LEAST_SLOPE)


# a machine first


def test_a_machine_that_agrees_judges_first_at_its_price_and_sees_what_the_regression_estimator_does(rng):
    """Of a query 1, of ten judgments by people 10, by the machine .2."""
    whole = rng.normal(0.03, 0.2, 60)
    machine = whole + rng.normal(0, 0.05, 60)
    measured = of({10: whole}, machine=machine)
    found = plans.for_budgets(measured, budget.Costs(1, 1, 0.02), (1000,)).iloc[0]
    people, everywhere, rho = found["queries"], found["machine_queries"], np.corrcoef(whole, machine)[0, 1]
    assert (found["who"], found["rho"]) == (plans.MACHINE, pytest.approx(rho))
    assert (people, everywhere) == shares(rho, 1000, 1.2, 10)
    assert found["cost"] == pytest.approx(10 * people + 1.2 * everywhere)
    assert 985 < found["cost"] <= 1000
    assert found["machine"] == pytest.approx(1 - people / everywhere)
    error = whole.std(ddof=1) * np.sqrt((1 - rho**2) / people + rho**2 / everywhere)
    assert found["apparent"] == pytest.approx(power.noncentrality(people - 2) * error)
    alone = plans.for_budgets(measured, budget.Costs(1, 1), (1000,)).iloc[0]
    assert (alone["who"], alone["queries"], alone["machine"]) == (plans.PEOPLE, 90, 0)


def test_the_best_shares_are_the_best_of_all():
    rho, machine, person, money = 0.7, 0.1, 1.0, 500.0
    people, everywhere = shares(rho, money, machine, person)
    n = np.arange(3, 450)
    total = (money - n * person) / machine
    variance = np.where(total >= n, (1 - rho**2) / n + rho**2 / np.maximum(total, 1), np.inf)
    assert (1 - rho**2) / people + rho**2 / everywhere == pytest.approx(variance.min(), rel=0.01)


@pytest.mark.parametrize(
    ("rho", "share"),
    [(0.3, 0.024), (0.5, 0.072), (0.7, 0.167), (0.8, 0.250), (0.9, 0.393), (1, 1), (np.nextafter(1, 2), 1)],
)
def test_a_machine_pays_below_the_share_of_the_price_that_one_correlation_says(rho, share):
    assert budget.machine_pays(rho, share - 0.001, 1.0)
    assert not budget.machine_pays(rho, share + 0.001, 1.0)


@pytest.mark.parametrize("rho", [0.0, -0.5, float("nan")])
def test_a_machine_without_correlation_does_not_pay(rho):
    assert not budget.machine_pays(rho, 0.001, 1.0)


@pytest.mark.parametrize(
    ("rho", "query", "person", "machine", "money", "people", "rest"),
    [(0.67, 0, 1, 0.05, 200, 166, 505), (0.8, 5, 20, 0.4, 5000, 148, 231), (0.9, 1, 10, 0.1, 1000, 59, 310)],
)
def test_shares_are_those_of_ppi_power(rho, query, person, machine, money, people, rest):
    """ppi_py 0.2.3: ppi_power(rho, query, person, machine, budget=money), whose N are the machine's without people's.

    It rounds where ours stays within the budget.
    """
    found = shares(rho, money, query + machine, person)
    assert found == (pytest.approx(people, abs=1), pytest.approx(people + rest, abs=2))
    assert budget.machine_pays(rho, machine, person, query)


def test_where_ppi_power_takes_people_alone_a_machine_does_not_pay():
    """ppi_py 0.2.3: ppi_power(.3, 5, 20, .4, budget=5000) is 200 queries of people and none of the machine."""
    assert not budget.machine_pays(0.3, 0.4, 20, 5)


@given(st.integers(3, 12), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=25)
def test_swapped_rankers_differ_by_the_sign_alone(depth, seed):
    draw = np.random.default_rng(seed)
    labels = draw.integers(0, 4, (4, 12, 1)).astype(np.int8)
    tops = np.array([[draw.permutation(12)[:5] for _ in range(4)] for _ in range(2)])
    one, other = (budget.Pilot(labels, None, order, np.arange(4)) for order in (tops, tops[::-1]))
    assert differences(one, labels[..., 0], depth) == pytest.approx(-differences(other, labels[..., 0], depth))


# coverage


def test_intervals_of_a_known_spread_cover(rng):
    """Normal differences, pilots of 25 queries: 95 % within four standard errors of the simulation."""
    draws = 4000 if LARGE else 300
    pilots = (of({1: rng.normal(0.02, 0.2, 25)}) for _ in range(draws))
    ends = [np.exp(interval(lambda found: np.log(found.sd[0, 0]), pilot)) for pilot in pilots]
    covered = [low <= 0.2 <= high for _, low, high in ends]
    assert np.mean(covered) == pytest.approx(0.95, abs=4 * np.sqrt(0.05 * 0.95 / draws))
