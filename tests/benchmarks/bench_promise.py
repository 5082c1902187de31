"""Plans of a label budget: how long they take, whether they keep their promise, and whose interval is ppi_py's."""

import time

import numpy as np
import pandas as pd
import pytest

from helpers.making import promised
from helpers.metrics import power
from helpers.studies import budget
from helpers.studies.budget import plans, promise, stored
from helpers.studies.budget.resampling import Measured, measure

QUERIES, DOCS, JUDGES = 50, 200, 5
COSTS = budget.Costs(5, 1)
NOISE = {4: 0.16, 6: 0.12, 10: 0.09, 20: 0.03}
"""Depth -> standard deviation of what judging so adds, of differences that spread by .2."""


def drawn_pilot():
    rng = np.random.default_rng(5)
    truth = rng.normal(0, 1, QUERIES * DOCS)
    pairs = pd.DataFrame(
        {
            "query": np.repeat([f"q{q}" for q in range(QUERIES)], DOCS),
            "doc": np.tile([f"d{d}" for d in range(DOCS)], QUERIES),
        }
    )
    grades = [np.clip(np.round(truth + rng.normal(0, 0.6, len(truth))), 0, 3).astype(int) for _ in range(JUDGES)]
    judgments = pd.concat([pairs.assign(assessor=f"judge {j}", grade=grade) for j, grade in enumerate(grades)])
    errors = {"good": 1.0, "worse": 1.3}
    runs = {name: pairs.assign(score=truth + rng.normal(0, error, len(truth))) for name, error in errors.items()}
    return budget.pilot(judgments.reset_index(drop=True), runs)


def seconds(what):
    """By the processor's time, as a busy machine takes longer by the clock."""
    start = time.process_time()
    what()
    return time.process_time() - start


def test_a_choice_takes_a_fiftieth_of_a_second_and_its_two_hundred_resamples_a_tenth():
    pilot = drawn_pilot()
    assert pilot.labels.shape == (QUERIES, DOCS, JUDGES)
    again = seconds(lambda: measure(pilot, np.random.default_rng(0)))
    for name, measured in {"five judges": measure(pilot, np.random.default_rng(0)), **stored.pilots()}.items():
        plans.plan(measured, COSTS, 1000)  # noncentralities are tabulated once
        promise.samples.cache_clear()
        drawn = seconds(lambda own=measured: promise.samples(own))
        choice = min(seconds(lambda own=measured: plans.plan(own, COSTS, 2000)) for _ in range(5))
        print(f"\n{name}, {len(measured.depths)} cells: resamples {drawn:.3f} s, a choice {choice:.4f} s", end="")
        assert drawn < 0.1
        assert choice < 0.02
    print(f"; judging again {again:.2f} s")


def drawn(rng, queries):
    whole = rng.normal(0.03, 0.2, queries)
    y = np.array([whole + rng.normal(0, sd, queries) for sd in NOISE.values()])[:, None]
    return Measured(np.array(list(NOISE)), np.ones(len(NOISE), int), y, y**2, whole[None], None, 10, 1)


@pytest.mark.parametrize("queries", [25, 50, 100])
def test_where_all_is_known_promises_are_kept(queries):
    """Differences and noise are normal: the power of a plan is that of the noncentral t."""
    rng = np.random.default_rng(queries)
    kept, covered = [], []
    for _ in range(400):
        best = plans.plan(drawn(rng, queries), COSTS, 2000).best
        sd = float(np.hypot(0.2, NOISE[best["depth"]]))
        kept.append(power.power(best["seen"], sd, best["queries"]))
        covered.append(best["low"] <= power.detectable(sd, best["queries"]) <= best["high"])
    print(f"\n{queries} queries: power {np.mean(kept):.3f}, covered {np.mean(covered):.3f}")
    assert np.mean(kept) == pytest.approx(0.8, abs=0.04)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.03)


def test_the_bench_of_a_pair_is_the_same_again_and_keeps_shares(real_data, monkeypatch):
    """A pair of the runs on which the promise was built, by few pilots."""
    monkeypatch.setattr(promised, "PAIRS", 1)
    monkeypatch.setattr(promised, "PILOTS", 5)
    [(first, second)], values = promised.values_of("robust04", promised.BUILT)
    one, other = (
        pd.DataFrame(promised.kept(first, second, 50, rng=np.random.default_rng(1), values=values)) for _ in range(2)
    )
    pd.testing.assert_frame_equal(one, other)
    shares = one.drop(columns=f"{promised.CORRECTED}, cost").stack()
    assert shares.dropna().between(0, 1).all()


def test_a_mean_that_a_machine_makes_more_precise_is_ppi_pys():
    """Random thirds of the queries of DL21 judged by people too: both intervals of the mean over all queries."""
    ppi_py = pytest.importorskip("ppi_py")
    systems = stored.tables("dl21")["systems"]
    people, machine = (systems.pivot(index="query", columns="system", values=name) for name in ("people", "machine"))
    rng, rows = np.random.default_rng(5), []
    for _ in range(400):
        one, other = rng.choice(people.shape[1], 2, replace=False)
        y, f = (table.to_numpy()[:, one] - table.to_numpy()[:, other] for table in (people, machine))
        world = rng.integers(len(y), size=400)
        own = world[:30]
        ours = power.powered_mean(y[own], f[own], f[world])
        low, high = (float(end[0]) for end in ppi_py.ppi_mean_ci(y[own], f[own], f[world[30:]], alpha=0.05))
        truth = y.mean()
        rows.append((ours.low <= truth <= ours.high, low <= truth <= high, ours.high - ours.low, high - low))
    ours, theirs, wide, their_width = np.mean(rows, axis=0)
    print(f"\ncovers {ours:.3f}, ppi_py's {theirs:.3f}; width {wide:.4f} and {their_width:.4f}")
    assert abs(ours - 0.95) <= abs(theirs - 0.95) + 0.01
    assert wide == pytest.approx(their_width, rel=0.15)
