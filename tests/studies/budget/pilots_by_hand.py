"""Pilots that are drawn, whose truth is known."""

import numpy as np
import pandas as pd

from helpers.studies import budget


def drawn(rng, queries=50, docs=30, judges=3, machine=True, cutoff=10):
    """Documents with grades 0 to 3 seen by judges, a machine and two rankers with errors of their own."""
    index = pd.MultiIndex.from_product([[f"q{q}" for q in range(queries)], [f"d{d}" for d in range(docs)]])
    pairs = index.to_frame(index=False, name=["query", "doc"])
    truth = rng.normal(0, 1, len(pairs)) + rng.normal(0, 0.5, queries).repeat(docs)

    def grades(error):
        return np.clip(np.round(truth + rng.normal(0, error, len(pairs))), 0, 3).astype(int)

    frame = pd.concat([pairs.assign(assessor=f"judge {j}", grade=grades(0.6)) for j in range(judges)])
    errors = {"good": 1.0, "worse": 1.3}
    runs = {name: pairs.assign(score=truth + rng.normal(0, error, len(pairs))) for name, error in errors.items()}
    labelled = pairs.assign(grade=grades(0.6)) if machine else None
    return budget.pilot(frame.reset_index(drop=True), runs, labelled, cutoff=cutoff, name="drawn")
