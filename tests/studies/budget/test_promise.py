"""What a plan promises: spreads of samples by hand, the choice drawn again, and several runs at once."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pilots_by_hand import of
from scipy import integrate, stats

from helpers.metrics import power
from helpers.studies import budget
from helpers.studies.budget import promise
from helpers.studies.budget.pilot import TOP
from helpers.studies.budget.resampling import jackknife, spread

COSTS = budget.Costs(5, 1)


def noisy(queries, noise, rng, depths=(5, 10, 20), pairs=1):
    """A pilot whose depths add noise of these standard deviations to differences that spread by .2."""
    whole = rng.normal(0.03, 0.2, (pairs, queries))
    return of({d: whole + rng.normal(0, sd, whole.shape) for d, sd in zip(depths, noise, strict=True)}, whole)


# spreads of samples


def test_the_spread_of_two_cells_on_four_queries_by_hand():
    """Half of every difference: slope 1/2, no bias and none to come. The other: .16 / .24, .1 / (2/3) - .2."""
    half = spread(of({5: [0.1, 0.2, 0.3, 0.0]}, [0.2, 0.4, 0.6, 0.0]))
    assert np.ravel(half[:4]) == pytest.approx([np.std([0.2, 0.4, 0.6, 0], ddof=1), 0.5, 0, 0])
    other = spread(of({5: [0.1, -0.1, 0.3, 0.1]}, [0.2, 0.0, 0.4, 0.2]))
    assert np.ravel(other[:3]) == pytest.approx([(0.08 / 3) ** 0.5 * 1.5, 2 / 3, -0.05])


def test_weights_are_how_often_a_query_is_in_a_sample(rng):
    own = of({5: rng.normal(0, 1, (2, 4))}, rng.normal(0, 1, (2, 4)))
    weighted = spread(own, np.array([[2, 1, 1, 0], [0, 1, 1, 1]]))
    for n, queries in enumerate(([0, 0, 1, 2], [1, 2, 3])):
        drawn = spread(own.take(np.array(queries)))
        assert all(many[..., n] == pytest.approx(one, nan_ok=True) for many, one in zip(weighted, drawn, strict=True))


@pytest.mark.parametrize("queries", [40, 400])
def test_the_error_of_the_bias_is_the_jackknifes(queries, rng):
    whole = rng.normal(0.05, 0.2, queries)
    own = of({5: 0.7 * whole + rng.normal(0, 0.1, queries)}, whole)
    _, error = jackknife(lambda found: found.bias[0, 0], own)
    assert spread(own).error.item() == pytest.approx(error, rel=4 / queries)


def test_where_one_query_alone_shows_a_difference_nothing_is_known():
    assert np.isnan(spread(of({5: [0.1, 0, 0]}, [0.1, 0.2, 0.1])).sd).all()


# the promise


@pytest.mark.parametrize(("error", "freedom"), [(0.1, 24), (0.3, 49), (0.3, 4)])
def test_at_the_margin_the_mean_power_is_what_is_promised(error, freedom):
    """The integral over Student's distribution of the power of the test of 200 queries (scipy's noncentral t)."""
    shift = float(promise.margin(np.array([error]), freedom)[0])
    seen = power.detectable(1.0, 200)
    found, _ = integrate.quad(
        lambda t: stats.t.pdf(t, freedom) * power.power(seen * np.exp(shift - t * error), 1.0, 200), -30, 30, limit=200
    )
    assert found == pytest.approx(0.8, abs=0.004)


def test_a_plan_that_nobody_chose_is_corrected_by_its_jackknife(rng):
    measured = noisy(30, (0.1, 0.1, 0.1), rng)
    found = promise.told(
        measured, {name: np.array([n]) for name, n in (("cell", 1), ("queries", 60), ("machine_queries", 0))}
    )

    def log_seen(queries):
        return np.log(power.detectable(spread(measured.take(queries)).sd[1, 0], 60))

    every = np.arange(30)
    without = np.array([log_seen(np.delete(every, n)) for n in every])
    middle = log_seen(every) - 29 * (without.mean() - log_seen(every))
    error = np.sqrt(29 / 30 * ((without - without.mean()) ** 2).sum())
    wide = stats.t.ppf(0.975, 29) * error
    assert np.log([found["low"][0], found["high"][0]]) == pytest.approx([middle - wide, middle + wide])
    assert np.log(found["seen"][0]) == pytest.approx(middle + promise.margin(np.array([error]), 29)[0])


@pytest.mark.parametrize(
    ("queries", "noise", "why"),
    [(49, (0.0, 0.9, 0.9), promise.FEW), (60, (0.25, 0.0, 0.3), promise.NO_GAIN), (60, (0.0, 0.5, 0.5), "")],
)
def test_the_fixed_plan_is_advised_where_queries_are_few_or_choosing_gains_nothing(queries, noise, why, rng):
    advice = budget.plan(noisy(queries, noise, rng), COSTS, 2000)
    assert advice.why == why
    assert advice.best["depth"] == (10 if why else 5)
    assert np.isnan(advice.gain) if why == promise.FEW else (advice.gain < 0) == (not why)


def test_only_what_was_chosen_is_corrected_for_the_choice(rng):
    """Five depths that are alike: the best of them by chance is not as good as it shows."""
    depths = np.array([8, 10, 11, 12, 13])
    measured = noisy(60, (0.2, 0.9, 0.2, 0.2, 0.2), rng, depths=depths)
    advice = budget.plan(measured, COSTS, 2000)
    own = advice.plans[advice.plans["depth"] == advice.best["depth"]].iloc[0]
    assert not advice.why
    assert advice.best["seen"] > own["seen"] > own["apparent"] == advice.best["apparent"]
    assert advice.best["high"] / advice.best["low"] == pytest.approx(own["high"] / own["low"])
    shapes = {"cell": np.arange(5), "queries": 2000 // (5 + depths), "machine_queries": np.zeros(5, int)}
    inside, outside = (promise.seen(part, shapes)[:, 0] for part in promise.samples(measured))
    told = np.flatnonzero(np.isfinite(inside[1] + outside[1]))  # samples in which depth 10 is a plan
    chosen = promise.reach(promise.samples(measured)[0], shapes).argmin(axis=0)[told]
    lost = np.log(outside[chosen, told] / outside[1, told]) - np.log(inside[chosen, told] / inside[1, told])
    assert np.log(advice.best["seen"] / own["seen"]) == pytest.approx(0.632 * lost.mean())


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=10)
def test_the_order_of_queries_and_of_runs_does_not_matter_nor_the_unit_of_prices(seed):
    draw = np.random.default_rng(seed)
    measured = noisy(55, (0.1, 0.2, 0.1), draw, pairs=3)
    one = budget.plan(measured, COSTS, 1000)
    turned = np.array([1, -1, 1])[:, None]
    swapped = {name: getattr(measured, name)[..., ::-1, :] * turned for name in ("y", "whole")}
    others = (
        budget.plan(measured.take(draw.permutation(55)), COSTS, 1000),
        budget.plan(replace(measured, **swapped, square=measured.square[:, ::-1]), COSTS, 1000),
        budget.plan(measured, budget.Costs(15, 3), 3000),
    )
    for other in others:
        told = ["depth", "seen", "low", "high", "apparent"]
        assert [*other.best[told], other.gain] == pytest.approx([*one.best[told], one.gain], rel=1e-9)
        assert other.apart == one.apart


def test_the_same_pilot_with_other_seeds_is_given_the_same_plan(pilot):
    costs = budget.Costs(5, 1, 0.02)
    first, second = (budget.plan(pilot, costs, 2000, seed=seed) for seed in (1, 2))
    pd.testing.assert_series_equal(first.best, second.best)


# several runs


def runs_of(scores, queries=4, docs="abcdef"):
    """Runs that list the documents by these scores, on every query."""
    pairs = pd.DataFrame([(f"q{q}", doc) for q in range(queries) for doc in docs], columns=["query", "doc"])
    return {name: pairs.assign(score=np.tile(values, queries)) for name, values in scores.items()}


def judged(queries=4, docs="abcdef", relevant="a"):
    rows = [(f"q{q}", doc, "Ann", int(doc == relevant) + (q == 0)) for q in range(queries) for doc in docs]
    return pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])


def test_three_runs_put_documents_into_the_pool_by_turns_the_best_first():
    """By the best c b a, then b a c, then a c b; c alone is relevant."""
    scores = {"last": [3, 1, 2], "best": [1, 2, 3], "middle": [2, 3, 1]}
    found = budget.pilot(judged(docs="abc", relevant="c"), runs_of(scores, docs="abc"), cutoff=3)
    assert found.runs == ("best", "last", "middle")
    assert found.tops[:, 1].tolist() == [[0, 2, 1], [1, 0, 2], [2, 1, 0]]


def test_of_many_runs_the_best_are_compared_or_the_pair_that_is_named():
    scores = {f"r{n}": [10 - n if doc == 0 else 10 - doc - 0.5 for doc in range(6)] for n in range(7)}
    found = budget.pilot(judged(), runs_of(scores), cutoff=4)
    assert len(found.runs) == TOP
    assert budget.pilot(judged(), runs_of(scores), cutoff=4, pair=("r5", "r3")).runs == ("r5", "r3")


def test_two_runs_that_never_differ_are_no_pair():
    scores = {"a": [3, 2, 1], "same": [3, 2, 1], "other": [1, 2, 3]}
    found = budget.measure(budget.pilot(judged(docs="abc"), runs_of(scores, docs="abc"), cutoff=3), None)
    assert found.pairs == (("a", "other"), ("same", "other"))
    assert found.y.shape[1:] == (2, 4)


def test_of_several_pairs_the_median_is_seen_and_those_that_differ_by_it_are_apart(rng):
    """Spreads as 1, 2 and 4; the first two pairs differ by far more than is seen of them, the last by nothing."""
    whole = rng.normal(0, 1, 60)
    whole = np.stack([s * (whole - whole.mean()) / whole.std(ddof=1) + m for s, m in ((0.1, 1), (0.2, 1), (0.4, 0))])
    advice = budget.plan(of({10: whole}), COSTS, 1500)
    assert advice.best["apparent"] == pytest.approx(power.detectable(0.2, 100), rel=1e-8)
    assert advice.apart == pytest.approx(2 / 3)


def test_runs_are_apart_from_what_is_promised_on_not_from_what_the_pilot_shows(rng):
    values = rng.normal(0, 1, 60)
    values = 0.2 * (values - values.mean()) / values.std(ddof=1)

    def told(mean):
        return budget.plan(of({10: values + mean}), COSTS, 1500)

    apparent, seen = told(0.0).best[["apparent", "seen"]]
    assert [told(mean).apart for mean in (apparent, (apparent + seen) / 2, seen + 1e-6)] == [0, 0, 1]
