"""How much of a collection of runs can be learned: rankers beside the best single run and beside fusion without labels.

A study of rankers can say little on a collection where one that learns from all runs gains nothing over a single run.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from helpers import metrics, paths
from helpers.datasets import catalog
from helpers.datasets.collection import Collection, concatenate
from helpers.metrics import significance
from helpers.reporting.answers import interval, listed, signed
from helpers.studies.baselines import DRAWS, Parts, train_and_test

FOLDS = {"robust04": 5, "microblog": 4, "syndl-dl21": 1, "dbpedia-entity": 5}
# those by whose gain a collection is judged fit for a study; named before the others were trained
RANKERS = ("LambdaMART", "RankSVM")

BEST_RUN, FUSION = "best run", "CombSUM"
# trained on its own test queries: what a weighted sum of the features could reach there, not a fair competitor
SEEN = "RankSVM, test labels seen"
YARDSTICKS = (BEST_RUN, FUSION, SEEN)  # what rankers are held against
SEED = 2014
FOLDER = paths.project("data") / "results" / "learnable"
PLACE, SCORE = " reciprocal rank", " score"


def grid(rankers: Sequence[str], names: Sequence[str] = tuple(FOLDS)) -> list[dict]:
    """The best run, fusion, every ranker and the one that saw the test labels, on every fold of every collection."""
    systems = (BEST_RUN, FUSION, *rankers, SEEN)
    return [
        {"dataset": name, "fold": fold, "ranker": system}
        for name in names
        for fold in range(1, FOLDS[name] + 1)
        for system in systems
    ]


def parts(names: Sequence[str] = tuple(FOLDS)) -> dict[str, dict[int, Parts]]:
    """The queries of every fold: name -> fold -> "train", "validation" and "test", drawn where they are not given."""
    given = {
        name: {fold: catalog.splits(name, fold, np.random.default_rng([SEED, fold])) for fold in range(1, n + 1)}
        for name, n in FOLDS.items()
        if name in names
    }
    splits = ("train", "validation", "test")
    return {
        name: {number: dict(zip(splits, fold, strict=True)) for number, fold in of_set.items()}
        for name, of_set in given.items()
    }


def on_fold(
    dataset: str, fold: int, ranker: str, *, rng: np.random.Generator, parts: dict[str, dict[int, Parts]]
) -> dict:
    """One system on the test queries of a fold."""
    chosen, per_query = "", []
    own = parts[dataset][fold]
    if ranker == BEST_RUN:
        chosen = best_run(concatenate([own["train"], own["validation"]]))
        per_query = ndcg(own["test"], places(own["test"])[chosen]).tolist()
    elif ranker == FUSION:
        per_query = ndcg(own["test"], fused(own["test"])).tolist()
    elif ranker == SEEN:
        seen = {dataset: {fold: dict.fromkeys(own, own["test"])}}
        per_query = train_and_test(dataset, fold, "RankSVM", rng=rng, parts=seen)["per_query"]
    else:
        per_query = train_and_test(dataset, fold, ranker, rng=rng, parts=parts)["per_query"]
    return {"chosen": chosen, "ndcg": float(np.nanmean(per_query)), "per_query": per_query}


def best_run(collection: Collection) -> str:
    """The name of the run with the highest mean NDCG@10; of equal ones, the first."""
    means = {run: float(np.nanmean(ndcg(collection, scores))) for run, scores in places(collection).items()}
    return max(means, key=means.get)


def places(collection: Collection) -> dict[str, np.ndarray]:
    """Run -> (n_docs,) reciprocal ranks, by which documents stand as in the run, those not retrieved last."""
    return _columns(collection, PLACE)


def fused(collection: Collection) -> np.ndarray:
    """(n_docs,) CombSUM: the sum of the scores that all runs give, each scaled to 0 to 1 (Fox and Shaw 1994)."""
    return np.sum(list(_columns(collection, SCORE).values()), axis=0)


def ndcg(collection: Collection, scores: np.ndarray) -> np.ndarray:
    """(n_queries,) NDCG@10, NaN where no document is relevant."""
    return metrics.ndcg(collection.grades, scores, collection.offsets, 10)


def compared(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Every system, and every other one less the best run and less fusion, over the test queries of all folds: frame
    dataset, ranker, over ("" for the system itself), queries, ndcg (a difference where `over` is set), low, high: 95 %
    bootstrap interval over queries.
    """
    rows = []
    for dataset, own in runs.groupby("dataset", sort=False):
        values = {ranker: _joined(found) for ranker, found in own.groupby("ranker", sort=False)}
        rows += [_row(dataset, ranker, "", of_ranker, rng) for ranker, of_ranker in values.items()]
        pairs = [(ranker, over) for over in (BEST_RUN, FUSION) for ranker in values if ranker != over]
        rows += [_row(dataset, ranker, over, values[ranker] - values[over], rng) for ranker, over in pairs]
    return pd.DataFrame(rows)


def stored() -> pd.DataFrame:
    """The frame of `compared` kept with the project."""
    return pd.read_csv(FOLDER / "compared.csv", keep_default_na=False)


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


def _joined(runs: pd.DataFrame) -> np.ndarray:
    """(n_queries,) values of the test queries of all folds, in the order of the folds."""
    return np.concatenate(runs.sort_values("fold")["per_query"].map(np.asarray).tolist()).astype(float)


def _row(dataset: str, ranker: str, over: str, values: np.ndarray, rng: np.random.Generator) -> dict:
    low, high = significance.bootstrap_interval(values, draws=DRAWS, rng=rng)
    row = {"dataset": dataset, "ranker": ranker, "over": over, "queries": int(np.isfinite(values).sum())}
    return row | {"ndcg": float(np.nanmean(values)), "low": low, "high": high}


def _columns(collection: Collection, kind: str) -> dict[str, np.ndarray]:
    """Run -> (n_docs,) one of its features."""
    names = collection.feature_names
    if names is None:
        raise ValueError(f"{collection.name}: features have no names, expected a collection of runs")
    retrieved = {name.removesuffix(" retrieved") for name in names if name.endswith(" retrieved")}
    runs = {name.removesuffix(kind): column for column, name in enumerate(names) if name.endswith(kind)}
    return {run: collection.features[:, column] for run, column in runs.items() if run in retrieved}
