"""How well every ranker does on the real collections, and how much of collections of runs can be learned, as stored.

A study of rankers can say little on a collection where one that learns from all runs gains nothing over a single run.
"""

from __future__ import annotations

import pandas as pd

from helpers import paths
from helpers.reporting.answers import interval, listed, signed

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


def in_words(compared: pd.DataFrame) -> list[str]:
    """For each collection who clearly gains and loses against its best run, and what one that saw the labels does."""
    over = compared[compared["over"] == BEST_RUN]
    return [_words(dataset, own.set_index("ranker")) for dataset, own in over.groupby("dataset", sort=False)]


def most(compared: pd.DataFrame) -> str:
    """How far the best ranker is ahead of the best single run, over collections: a title."""
    fair = compared[(compared["over"] == BEST_RUN) & ~compared["ranker"].isin(YARDSTICKS)]
    best = fair.groupby("dataset")["ndcg"].max()
    return f"Learning to fuse runs gains {signed(best.min())} to {signed(best.max())} over the best single run"


def _words(dataset: str, own: pd.DataFrame) -> str:
    """The sentences on one collection; own : frame ndcg, low, high by ranker, differences to the best run."""
    fair = own.drop(index=list(YARDSTICKS), errors="ignore").sort_values("ndcg", ascending=False)
    ahead, behind = fair[fair["low"] > 0], fair[fair["high"] < 0]
    most = f" ({ahead.index[0]} by {_gain(ahead.iloc[0])})" if len(ahead) else ""
    verb = "are" if len(ahead) > 1 else "is"
    said = f"On {dataset} {_names(ahead)} {verb} clearly ahead of the best single run{most}, and "
    seen = "".join(_of_seen(row) for _, row in own.filter([SEEN], axis=0).iterrows())
    return f"{said}{_names(behind)} clearly behind.{seen}"


def _of_seen(row: pd.Series) -> str:
    """What the test labels add, and what that says of the features."""
    clear = row["low"] > 0
    holds = "the features hold more than was learned" if clear else "a weighted sum of the features has little to gain"
    verb = "is ahead" if clear else "differs from it"
    return f" A RankSVM that has seen the test labels {verb} by {_gain(row)}: {holds}."


def _gain(row: pd.Series) -> str:
    return f"{signed(row['ndcg'])}, {interval(row['low'], row['high'])}"


def _names(rows: pd.DataFrame) -> str:
    return listed(list(rows.index)) if len(rows) else "no ranker"
