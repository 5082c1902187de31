"""Pilots whose truth is known: drawn, and of differences that are given."""

import numpy as np
import pandas as pd

from helpers.studies import budget
from helpers.studies.budget.resampling import Measured


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


def of(cells, whole=None, machine=None, name="by hand"):
    """Depth -> differences of one pair or several to it, by one person; the deepest are the whole, if none is given."""
    y = np.stack([np.atleast_2d(np.asarray(values, float)) for values in cells.values()])
    whole, f = y[-1] if whole is None else np.atleast_2d(whole), machine if machine is None else machine[None, None]
    pairs = tuple((f"a{n}", f"b{n}") for n in range(y.shape[1]))
    return Measured(np.array(list(cells)), np.ones(len(y), int), y, y**2, whole, f, 10, 1, name, pairs)
