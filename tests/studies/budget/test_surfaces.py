import numpy as np
import pandas as pd
import pytest

from helpers.engine import results
from helpers.studies.budget import surfaces, training
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.surfaces import STEPS, Surface

COSTS = Costs(5, 1)


def runs_of(formula, rng, noise=0.002, repeats=3):
    """Runs on every halving of 64 queries x 32 documents."""
    rows = [
        (q, d, formula(q, d) + rng.normal(0, noise))
        for q in (4, 8, 16, 32, 64)
        for d in (2, 4, 8, 16, 32)
        for _ in range(repeats)
    ]
    return pd.DataFrame(rows, columns=["queries", "documents", "ndcg"])


def flat(of_depth):
    """A surface without noise that only knows depth."""
    depths, queries = np.geomspace(2, 32, STEPS), np.geomspace(4, 64, STEPS)
    values = np.repeat(of_depth(depths)[:, None], STEPS, axis=1)
    return Surface(queries, depths, np.stack([values, values]))


def peak(depth):
    return lambda depths: -((np.log2(depths) - np.log2(depth)) ** 2)


def test_a_smooth_surface_is_found_again(rng):
    found = surfaces.fit(runs_of(lambda q, d: 0.3 + 0.03 * np.log2(q) + 0.01 * np.log2(d), rng), rng, 50)
    assert found.at(np.array([8.0]), np.array([16.0])).mean() == pytest.approx(0.45, abs=0.005)


def test_every_draw_rises_with_queries(rng):
    noisy = runs_of(lambda q, d: 0.5, rng, noise=0.05, repeats=2)
    assert (np.diff(surfaces.fit(noisy, rng, 40).values, axis=2) >= 0).all()


def test_few_allocations_give_no_surface(rng):
    runs = pd.DataFrame({"queries": [1, 2, 4], "documents": 2, "ndcg": 0.1})
    with pytest.raises(ValueError, match="3 allocations were run, expected at least 6"):
        surfaces.fit(runs, rng)


def test_allocations_cost_the_budget_and_lie_within_what_was_run():
    depths, queries = surfaces.allocations(flat(peak(8)), COSTS, 300)
    assert queries * (5 + depths) == pytest.approx(300)
    assert queries.min() >= 4 - 1e-6
    assert queries.max() <= 64 + 1e-6


def test_the_best_allocation_is_the_peak():
    found = surfaces.best(flat(peak(8)), COSTS, 300)
    assert (found["depth"], found["queries"]) == (pytest.approx(8), pytest.approx(300 / 13))


def test_a_budget_outside_what_was_run_is_refused():
    with pytest.raises(ValueError, match="budget is 1: no allocation of it was run"):
        surfaces.best(flat(peak(8)), COSTS, 1)


def test_losses_by_hand():
    """Peak at 8: depth 32 is two doublings away and loses 4."""
    lost = surfaces.losses(flat(peak(8)), COSTS, 300, {"deep": 32.0, "right": 8.0})
    assert lost["deep"] == pytest.approx([4, 4])
    assert lost["right"] == pytest.approx([0, 0])


def test_collections_alike_give_advice_without_regret():
    alike = {name: flat(peak(8)) for name in "abc"}
    table = surfaces.regret_table(surfaces.regrets(alike, COSTS, dict.fromkeys(alike, np.array([300.0]))))
    assert table.set_index("rule").loc["advice", "regret"] == pytest.approx(0)
    assert table.set_index("rule").loc[surfaces.DEEP, "saved"] == pytest.approx(4)


def test_advice_is_chosen_without_the_collection_it_is_tried_on():
    """The others peak at 2, the one left out at 32: the advice is wrong for it."""
    unlike = {"a": flat(peak(2)), "b": flat(peak(2)), "c": flat(peak(32))}
    regrets = surfaces.regrets(unlike, COSTS, dict.fromkeys(unlike, np.array([300.0])))
    advice = regrets[(regrets["rule"] == "advice") & (regrets["draw"] == 0)].set_index("collection")
    assert advice.loc["c", "depth"] == pytest.approx(2)
    assert advice.loc["c", "regret"] == pytest.approx(16)


def test_synthetic_collections_are_left_out_unless_asked_for():
    assert set(training.runs()) == {"mq2008", "clueweb09-webis"}
    assert set(training.runs(real=False)) - set(training.runs()) == {"mslr-sample-portrait"}


def test_the_same_surfaces_for_any_number_of_workers():
    pools = training.runs()
    one, two = (training.fitted(pools, "LambdaRank", np.random.default_rng(3), 5, n_jobs) for n_jobs in (1, 2))
    for name in pools:
        assert (one[name].values == two[name].values).all()


def test_stored_regrets_are_those_of_the_stored_runs():
    """With fewer draws: the means of the surfaces do not depend on them, but by chance."""
    stored = results.stored("05")["training"]["regret"].query("data == 'real'").set_index("rule")["regret"]
    fits = training.all_fitted(training.runs(), np.random.default_rng(5), 60)
    again = training.regret_table(fits, Costs(5, 1)).set_index("rule")["regret"]
    assert again[stored.index].to_numpy() == pytest.approx(stored.to_numpy(), abs=0.004)
