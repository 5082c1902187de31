"""Does more training data make up for noise? The protocol of study 3 at several numbers of training queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from helpers import rankers
from helpers.datasets import portrait
from helpers.engine import sweep
from helpers.reporting.answers import listed, number, share
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness import tables as robustness
from helpers.studies.robustness import trial

PORTRAIT = study.PORTRAITS["mslr-web10k"]
SECONDS = ("RankSVM", "ListNet", "AdaRank")
"""Rankers that learn from the largest collection within seconds."""

RANKERS = {250: rankers.NAMES, 1500: rankers.NAMES, 6000: SECONDS}
"""Training queries -> the rankers that are trained on as many."""

LEVELS = (0.0, 0.2, 0.4)
DRAWS, VALIDATION, TEST = 3, 500, 1000
"""Collections that are drawn, and the most queries of each to choose rounds by and to test on."""


def folds(sizes: Sequence[int], rng: np.random.Generator, test: int = TEST) -> dict[int, list[trial.Fold]]:
    """Number of training queries -> training, validation and test queries of each drawn collection.

    The training queries of a smaller size are among those of a larger one, and the test queries of all sizes are the
    same, so that sizes differ by their queries' number alone. There is a validation query to three training queries,
    as in LETOR, up to VALIDATION.

    Parameters
    ----------
    sizes : numbers of training queries, each at least 3
    rng : draws DRAWS collections
    test : number of test queries
    """
    return _cut(sizes, [_drawn(max(sizes), test, rng) for _ in range(DRAWS)])


def runs(
    folds: Mapping[int, list[trial.Fold]],
    names: Mapping[int, Sequence[str]],
    *,
    store: str | Path,
    n_jobs: int,
    seed: int,
    levels: Sequence[float] = LEVELS,
) -> pd.DataFrame:
    """A run for each size, ranker, drawn collection and level: the frame of `sweep.run`, and a column `queries`.

    Parameters
    ----------
    folds : of this module's function of that name
    names : number of training queries -> rankers
    store, n_jobs, seed : as `sweep.run` takes them
    levels : of dNoise, 0 among them
    """
    options = {"store": store, "n_jobs": n_jobs, "seed": seed}
    frames = []
    for queries, parts in folds.items():
        scale = study.Scale(0, len(parts), tuple(levels), (), 1, 1)
        grid = study.uniform_grid(PORTRAIT, names[queries], scale)
        shared = {"folds": parts, "confusions": study.confusions([], study.n_grades(parts))}
        frames.append(sweep.run(trial.train_and_test, grid, shared=shared, **options).assign(queries=queries))
    return pd.concat(frames, ignore_index=True)


def table(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What each ranker keeps of its performance, by the number of training queries.

    Parameters
    ----------
    runs : of this module's function of that name; those of a ranker that failed at a size are left out there
    rng : draws bootstrap samples

    Returns
    -------
    frame queries, ranker, dnoise, pnoise, performance, relative, low, high, as `tables.falls` gives them for each size;
        intervals are over drawn collections
    """
    frames = []
    for queries, of_size in sweep.succeeded(runs).groupby("queries"):
        whole = of_size[of_size["ranker"].isin(robustness.complete(of_size))]
        if len(whole):
            frames.append(robustness.falls(robustness.cells(whole, rng)).assign(queries=queries))
    found = pd.concat(frames, ignore_index=True).drop(columns="dataset")
    return found[["queries", *found.columns.drop("queries")]]


def title(kept: pd.DataFrame) -> str:
    """What the median ranker keeps with the fewest and with the most training queries that each was trained on.

    Parameters
    ----------
    kept : frame of `table`
    """
    few, many, level = _ends(kept)
    ends = " and ".join(
        f"{share(rows['relative'].median())} with the {which} training queries"
        for which, rows in {"fewest": few, "most": many}.items()
    )
    return f"At a dNoise of {number(level, 1)} the median ranker keeps {ends}"


def in_words(kept: pd.DataFrame) -> str:
    """What each ranker keeps with the fewest and with the most training queries that it was trained on.

    Parameters
    ----------
    kept : frame of `table`
    """
    few, many, level = _ends(kept)
    change = (many["relative"] - few["relative"]).sort_values(ascending=False)
    said = listed(
        f"{name} {_change(few.loc[name], many.loc[name])} ({few.loc[name, 'queries']:,} to "
        f"{many.loc[name, 'queries']:,} queries)"
        for name in change.index
    )
    return f"Of its NDCG@10 without noise each ranker keeps, at a dNoise of {number(level, 1)}: {said}."


def _drawn(training: int, test: int, rng: np.random.Generator) -> trial.Fold:
    source = portrait.open(PORTRAIT.removesuffix(portrait.SUFFIX))
    sizes = (training, _validation(training), test)
    return tuple(portrait.draw(source, n, rng) for n in sizes)


def _cut(sizes: Sequence[int], drawn: Sequence[trial.Fold]) -> dict[int, list[trial.Fold]]:
    return {
        n: [
            (training.take_queries(np.arange(n)), validation.take_queries(np.arange(_validation(n))), test)
            for training, validation, test in drawn
        ]
        for n in sizes
    }


def _validation(training: int) -> int:
    return min(training // 3, VALIDATION)


def _ends(kept: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, float]:
    """The fewest and the most queries of each ranker, by ranker, at the highest level, and that level."""
    level = kept["dnoise"].max()
    rows = kept[kept["dnoise"] == level].sort_values("queries")
    few, many = (rows.drop_duplicates("ranker", keep=which).set_index("ranker") for which in ("first", "last"))
    return few, many.loc[few.index], level


def _change(few: pd.Series, many: pd.Series) -> str:
    return f"{share(few['relative'])}, then {share(many['relative'])}"
