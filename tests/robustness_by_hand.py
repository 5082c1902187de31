"""Runs of study 3 with a chosen pNoise and a chosen share of the performance that they keep."""

import numpy as np
import pandas as pd

from helpers.studies.robustness.effects import FOUR

COLUMNS = ["dataset", "ranker", "fold", "level", "draw", "pnoise", "ndcg"]


def runs_of(kept, levels=(0, 0.1, 0.3, 0.5), rankers=FOUR, draws=2, folds=3, free=0.4, spread=0.0):
    """Runs of which kept[dataset](level) is the pNoise, and the share that they keep of an NDCG of `free` (each).

    Noise of that spread is added. MAP is half of it, and nothing is drawn twice where labels are clean.
    """
    free = free if isinstance(free, dict) else dict.fromkeys(kept, free)
    rows = [
        (name, ranker, fold, level, draw, kept[name](level)[0], free[name] * kept[name](level)[1])
        for name in kept
        for ranker in rankers
        for fold in range(1, folds + 1)
        for level in levels
        for draw in range(draws if level else 1)
    ]
    runs = pd.DataFrame(rows, columns=COLUMNS)
    runs["ndcg"] += spread * np.random.default_rng(0).standard_normal(len(runs))
    return runs.assign(map=runs["ndcg"] / 2, dnoise=runs["level"], judge="uniform")
