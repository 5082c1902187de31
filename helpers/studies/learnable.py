"""How well rankers do on real collections, and what of runs can be learned: alone, as studies 2, 3 and 4 ask for it.

A study of rankers can say little on a collection where one that learns from all runs gains nothing over a single run.
"""

from __future__ import annotations

import pandas as pd

from helpers import paths
from helpers.reporting.answers import signed

# collections of runs with few relevant documents, in place of TD2003, which is only at hand as a portrait
COUNTERPARTS = ("robust04", "microblog", "dbpedia-entity")

RESULTS = paths.project("data") / "results"

# those by whose gain a collection is judged fit for a study; named before the others were trained
RANKERS = ("LambdaMART", "RankSVM")
BEST_RUN, FUSION = "best run", "CombSUM"
# trained on its own test queries: what a weighted sum of the features could reach there, not a fair competitor
SEEN = "RankSVM, test labels seen"
YARDSTICKS = (BEST_RUN, FUSION, SEEN)  # what rankers are held against


def baselines() -> pd.DataFrame:
    """Every ranker on the real collections: frame dataset, ranker, queries, ndcg, low, high, letor_map, letor_ndcg."""
    return pd.read_csv(RESULTS / "baselines" / "means.csv")


def stored() -> pd.DataFrame:
    """Systems on collections of runs, also less the best run and less fusion: frame dataset, ranker, over, queries,
    ndcg, low, high."""
    return pd.read_csv(RESULTS / "learnable" / "compared.csv", keep_default_na=False)


def learned() -> list[str]:
    """Those of COUNTERPARTS on which some of RANKERS beats the best single run: elsewhere noise takes little."""
    gained = stored().query("over == @BEST_RUN and ranker in @RANKERS and low > 0")["dataset"].unique()
    return [name for name in COUNTERPARTS if name in gained]


def most(compared: pd.DataFrame) -> str:
    """How far the best ranker is ahead of the best single run, over collections: a title."""
    fair = compared[(compared["over"] == BEST_RUN) & ~compared["ranker"].isin(YARDSTICKS)]
    best = fair.groupby("dataset")["ndcg"].max()
    return f"Learning to fuse runs gains {signed(best.min())} to {signed(best.max())} over the best single run"
