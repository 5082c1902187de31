"""A plan of a label budget for a pilot of 50 queries of 200 documents and 5 judges."""

import time

import numpy as np
import pandas as pd

from helpers.studies import budget

QUERIES, DOCS, JUDGES = 50, 200, 5
SECONDS = 2.0


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


def test_a_plan_of_a_large_pilot_takes_two_seconds():
    """By the processor's time, as a busy machine takes longer by the clock."""
    pilot = drawn_pilot()
    assert pilot.labels.shape == (QUERIES, DOCS, JUDGES)
    start = time.process_time()
    advice = budget.plan(pilot, budget.Costs(5, 1), 2000)
    seconds = time.process_time() - start
    print(f"\n{QUERIES} queries, {DOCS} documents, {JUDGES} judges: {len(advice.plans)} plans in {seconds:.2f} s")
    assert seconds < SECONDS
