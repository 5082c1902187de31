"""Best depth for a budget when a query costs something."""

import itertools

import numpy as np
import pandas as pd
import pytest

from helpers.studies.depth import allocation

QUERIES, DOCUMENTS = 2 ** np.arange(4, 9), 2 ** np.arange(1, 7)


def runs_on(surface, noise=0.0, rng=None, repeats=2, n_test=50):
    """Runs whose NDCG is that of the surface, with noise of its own in every test query."""
    rows = []
    for n, d, _ in itertools.product(QUERIES, DOCUMENTS, range(repeats)):
        per_query = np.full(n_test, surface(np.log2(n), np.log2(d)))
        if noise:
            per_query += rng.normal(0, noise, n_test)
        rows.append({"queries": int(n), "documents": int(d), "per_query": per_query.tolist()})
    return pd.DataFrame(rows)


def ridge(x, y):
    """Highest, along a fixed number of judgments x + y = s, at y = s / 2 - 1: queries weigh more than documents."""
    return 0.4 - 0.001 * (x - y - 2) ** 2 + 0.01 * (x + y)


def test_a_quadratic_is_recovered_exactly(rng):
    fitted = allocation.fit_surface(runs_on(ridge), rng, draws=5)
    assert fitted.residual < 1e-12
    assert fitted.ndcg(64, 16) == pytest.approx(ridge(6, 4), abs=1e-12)
    assert fitted.draws == pytest.approx(np.tile(fitted.coefficients, (5, 1)), abs=1e-10)


def test_nothing_is_read_off_outside_what_was_measured(rng):
    fitted = allocation.fit_surface(runs_on(ridge), rng, draws=2)
    assert np.isnan(fitted.ndcg(np.array([8, 512, 64]), np.array([4, 4, 128]))).all()
    assert not np.isnan(fitted.ndcg(np.array([16, 256]), np.array([2, 64]))).any()


def test_the_best_depth_without_a_cost_is_where_the_surface_has_it(rng):
    fitted = allocation.fit_surface(runs_on(ridge), rng, draws=20)
    best = allocation.best_depths(fitted, [1024], [0], margin=0.0039).iloc[0]
    assert best["documents"] == pytest.approx(2**4)
    assert best["queries"] == pytest.approx(2**6)
    assert best["low"] == best["high"] == pytest.approx(2**4)
    # along x + y = 10 the loss is .001 * (2 dy)^2, below .0039 up to dy = .987: the eighths up to .875
    assert (best["shallowest"], best["deepest"]) == pytest.approx((2**3.125, 2**4.875))


def test_a_dearer_query_never_asks_for_shallower_judging(rng):
    fitted = allocation.fit_surface(runs_on(ridge), rng, draws=5)
    depths = allocation.best_depths(fitted, [2048], [0, 1, 4, 16, 64], margin=0.005)["documents"]
    assert depths.is_monotonic_increasing
    assert depths.iloc[-1] > depths.iloc[0]


def test_a_budget_that_affords_nothing_measured_has_no_row(rng):
    fitted = allocation.fit_surface(runs_on(ridge), rng, draws=2)
    assert allocation.best_depths(fitted, [16], [64], margin=0.005).empty


def test_break_even_is_the_first_cost_at_which_deep_is_level(rng):
    fitted = allocation.fit_surface(runs_on(ridge), rng, draws=20)
    costs = np.arange(0, 65)
    found = allocation.break_even(fitted, 2048, shallow=8, deep=64, costs=costs)
    by_hand = [
        c
        for c in costs
        if 2048 / (c + 64) >= 16 and 2048 / (c + 8) <= 256
        and ridge(np.log2(2048 / (c + 64)), 6) >= ridge(np.log2(2048 / (c + 8)), 3)
    ]  # fmt: skip
    assert found["cost"] == by_hand[0]
    assert found["low"] == found["high"] == by_hand[0]


def test_break_even_tells_never_from_not_measured(rng):
    fitted = allocation.fit_surface(runs_on(lambda x, y: 0.3 + 0.01 * x), rng, draws=5)
    never = allocation.break_even(fitted, 2048, 8, 64, np.arange(0, 65))
    assert (never["cost"], never["last"], never["known"]) == (np.inf, 64, "above 64.0 (above 64.0 to above 64.0)")
    nowhere = allocation.break_even(fitted, 8, 8, 64, np.arange(0, 65))
    assert np.isnan(nowhere["cost"])
    assert nowhere["known"] == "not compared at any cost"


def test_a_break_even_at_the_first_cost_that_can_be_compared_is_a_bound(rng):
    fitted = allocation.fit_surface(runs_on(lambda x, y: 0.3 + 0.01 * y), rng, draws=5)  # deep is always ahead
    # 4,096 judgments buy more than the 256 queries that were measured where a query of 8 costs less than 8 more
    bound = allocation.break_even(fitted, 4096, 8, 64, np.arange(0, 65))
    assert (bound["cost"], bound["first"], bound["known"]) == (8, 8, "at most 8.0 (at most 8.0 to at most 8.0)")
    free = allocation.break_even(fitted, 2048, 8, 64, np.arange(0, 65))
    assert (free["first"], free["known"]) == (0, "0.0 (0.0 to 0.0)")


def test_noise_widens_the_interval(rng):
    fitted = allocation.fit_surface(runs_on(ridge, noise=0.1, rng=rng), rng, draws=100)
    best = allocation.best_depths(fitted, [1024], [0], margin=0.001).iloc[0]
    assert best["low"] < best["high"]


def test_losses_are_differences_to_the_best_measured_depth(rng):
    fitted = allocation.fit_surface(runs_on(ridge), rng, draws=5)
    table = allocation.losses({"LambdaRank": fitted}).query("budget == 1024 and cost == 0").set_index("documents")
    # along x + y = 10 the ridge is highest at y = 4, and falls by .001 (2 dy)^2
    assert table["loss"].to_dict() == pytest.approx({4.0: 0.016, 8.0: 0.004, 16.0: 0.0, 32.0: 0.004, 64.0: 0.016})
    assert table["low"].to_numpy() == pytest.approx(table["loss"].to_numpy())
    assert table["queries"].to_dict()[16.0] == 64


def test_too_few_cells_are_refused(rng):
    runs = runs_on(ridge)
    with pytest.raises(ValueError, match="runs has 5 cells"):
        allocation.fit_surface(runs[runs["documents"] == 2], rng)
