"""How well every ranker does on the real collections, fold by fold: the yardstick for ceilings and published figures.

The collections are taken from the data directory. Rankers are imported only where one is named or trained: notebook 02,
which reads the stored figures, has no other use for LightGBM.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from helpers import metrics, paths
from helpers.datasets import catalog, sampling
from helpers.datasets.collection import Collection
from helpers.metrics import significance

Parts = dict[str, Collection]

FOLDS = {"ohsumed": 5, "mq2008": 5, "clueweb09-webis": 5, "mslr-sample": 1}
SEED = 2012
DRAWS = 2000  # bootstrap samples
# collections without validation queries: every run draws its own, a quarter of the training queries
UNDIVIDED = ("mslr-sample",)
FOLDER = paths.project("data") / "results" / "baselines"


def grid(names: Sequence[str] | None = None) -> list[dict]:
    """Every ranker of those names, or each there is, on every fold of every collection."""
    from helpers import rankers

    return [
        {"dataset": dataset, "fold": fold, "ranker": name}
        for dataset, folds in FOLDS.items()
        for fold in range(1, folds + 1)
        for name in names or rankers.NAMES
    ]


def parts(names: Sequence[str] = tuple(FOLDS)) -> dict[str, dict[int, Parts]]:
    """The queries of every fold of these collections: name -> fold -> "train", "validation" and "test"."""
    return {
        name: {
            fold: {
                split: catalog.load(name, fold, split)
                for split in ("train", "validation", "test")
                if not (split == "validation" and name in UNDIVIDED)
            }
            for fold in range(1, FOLDS[name] + 1)
        }
        for name in names
    }


def train_and_test(
    dataset: str, fold: int, ranker: str, *, rng: np.random.Generator, parts: dict[str, dict[int, Parts]]
) -> dict:
    """One ranker on one fold: trained on its training queries, rounds or C chosen on its validation queries."""
    from helpers import rankers

    found = parts[dataset][fold]
    training, validation, test = found["train"], found.get("validation"), found["test"]
    if validation is None:
        training, validation = sampling.divide(training, (0.75, 0.25), rng)
    scores = rankers.trained(ranker, training, validation).predict(test.features)
    per_query = metrics.ndcg(test.grades, scores, test.offsets, 10)
    precision = metrics.average_precision(test.grades, scores, test.offsets, **metrics.LETOR_MAP)
    return {
        "ndcg": float(np.nanmean(per_query)),
        "letor_map": float(precision.mean()),
        "letor_ndcg": float(metrics.ndcg(test.grades, scores, test.offsets, 10, **metrics.LETOR).mean()),
        "per_query": per_query.tolist(),
    }


def means(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Means over folds: frame dataset, ranker, queries, ndcg, low, high, letor_map, letor_ndcg."""
    rows = []
    for (dataset, ranker), found in runs.groupby(["dataset", "ranker"], sort=False):
        values = np.concatenate(found["per_query"].map(np.asarray).tolist()).astype(float)
        low, high = significance.bootstrap_interval(values, draws=DRAWS, rng=rng)
        row = {"dataset": dataset, "ranker": ranker, "queries": int(np.isfinite(values).sum())}
        row |= {"ndcg": float(np.nanmean(values)), "low": low, "high": high}
        rows.append(row | found[["letor_map", "letor_ndcg"]].mean().to_dict())
    return pd.DataFrame(rows)


def beside_published(means: pd.DataFrame) -> pd.DataFrame:
    """The LETOR figures of `means` beside those that others printed (`data/published/letor_rankers.csv`): frame
    dataset, ranker, letor_map, published_map, letor_ndcg, published_ndcg, source."""
    published = pd.read_csv(paths.project("data") / "published" / "letor_rankers.csv")
    keys = ["dataset", "ranker", "source"]
    printed = published.groupby(keys, sort=False)[["letor_map", "letor_ndcg"]].mean().reset_index()
    both = printed.merge(means, on=["dataset", "ranker"], suffixes=("_printed", ""))
    names = {"letor_map_printed": "published_map", "letor_ndcg_printed": "published_ndcg"}
    columns = ["dataset", "ranker", "letor_map", "published_map", "letor_ndcg", "published_ndcg", "source"]
    return both.rename(columns=names)[columns].round(4)


def stored() -> pd.DataFrame:
    """The frame of `means` kept with the project."""
    return pd.read_csv(FOLDER / "means.csv")
