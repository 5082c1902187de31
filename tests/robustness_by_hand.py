"""Runs of study 3 with a chosen pNoise and a chosen share of the performance that they keep."""

import pandas as pd

from helpers.studies.robustness.effects import FOUR

COLUMNS = ["dataset", "ranker", "fold", "level", "draw", "pnoise", "ndcg"]


def runs_of(kept, levels=(0, 0.1, 0.3, 0.5), rankers=FOUR, draws=2):
    """Runs in three folds of which kept[dataset](level) is the pNoise, and the share that they keep of an NDCG of .4,
    and of a MAP of .2."""
    rows = [
        (name, ranker, fold, level, draw, kept[name](level)[0], 0.4 * kept[name](level)[1])
        for name in kept
        for ranker in rankers
        for fold in range(3)
        for level in levels
        for draw in range(draws)
    ]
    return pd.DataFrame(rows, columns=COLUMNS).assign(map=lambda frame: frame["ndcg"] / 2)
