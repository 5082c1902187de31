"""The protocol of study 4: which collections, and which grids of runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from helpers import rankers
from helpers.datasets import catalog, portrait, sampling
from helpers.datasets.collection import Collection
from helpers.studies import scales


@dataclass(frozen=True)
class Scale:
    """Sizes of one scale: the highest number of queries in each part, and the grid of runs."""

    training_queries: int
    validation_queries: int
    test_queries: int
    pool_queries: int
    pool_docs: int
    percents: tuple[int, ...]
    percent_repeats: int
    pool_repeats: int


SCALES = {
    "demo": Scale(128, 64, 256, 128, 32, (10, 25, 50, 100), 4, 2),
    "study": Scale(2000, 1000, 2000, 1024, 128, (5, 10, 20, 30, 50, 75, 100), 10, 5),
    "paper": Scale(2000, 1000, 2000, 1024, 128, tuple(range(5, 101, 5)), 10, 10),
}


def scale_named(scale: str) -> Scale:
    """The sizes of a scale, as `scales.named` says."""
    return scales.named(scale, SCALES)


def parts(dataset: str, scale: Scale, fold: int, rng: np.random.Generator) -> dict[str, Collection]:
    """What all runs share: `training`, the fixed `pool`, `validation` and `test` queries.

    Parameters
    ----------
    dataset : a portrait as `portrait.named` takes it, drawn at the scale's sizes, its pool no deeper than the longest
        portrayed query; or a name or path that `catalog.splits` takes, of which at most as many queries are kept, and
        whose training queries give the largest pool that they allow
    scale : how many queries and documents
    fold : which one of the collections that have folds
    rng : draws what is drawn
    """
    sizes = (scale.training_queries, scale.validation_queries, scale.test_queries)
    source = portrait.named(dataset)
    if source:
        training, validation, test = (portrait.draw(source, n, rng) for n in sizes)
        longest = int(source.grade_counts.sum(axis=1).max())
        shape = sampling.pool_shape(np.full(scale.pool_queries, longest), scale.pool_docs)
        deep = portrait.draw(source, shape[0], rng, min_docs=shape[1])
    else:
        splits = catalog.splits(dataset, fold, rng)
        training, validation, test = (sampling.queries(part, n, rng) for part, n in zip(splits, sizes, strict=True))
        deep, shape = training, sampling.pool_shape(training.group, scale.pool_docs)
    pool = sampling.fixed_pool(deep, *shape, rng)
    return {"training": training, "pool": pool, "validation": validation, "test": test}


def percent_grid(names: list[str], scale: Scale) -> list[dict]:
    """Runs of the first experiment: p % of the queries, or p % of the documents of each; 100 % is both.

    Parameters
    ----------
    names : rankers
    scale : of which the shares and repeats are taken
    """
    shares = [p / 100 for p in scale.percents]
    cells = [(p, 1.0) for p in shares] + [(1.0, p) for p in shares if p < 1]
    return _grid(names, "training", cells, ["random"], scale.percent_repeats)


def pool_grid(names: list[str], scale: Scale, n_queries: int, n_docs: int) -> list[dict]:
    """Runs of the second experiment: every halving of the queries with every halving of the documents.

    The paper ran the two edges, all queries or all documents; the inner cells are what a budget is read from.

    Parameters
    ----------
    names : rankers
    scale : of which the repeats are taken
    n_queries, n_docs : size of the pool
    """
    cells = [(n, d) for n in sampling.halvings(n_queries, _fewest(n_queries)) for d in sampling.halvings(n_docs, 2)]
    return _grid(names, "pool", cells, ["random"], scale.pool_repeats)


def _fewest(n_queries: int) -> int:
    """Queries of the smallest sample: 16 as in the paper, or an eighth of a small pool."""
    return max(1, min(16, n_queries // 8))


def choice_grid(names: list[str], scale: Scale, n_queries: int, n_docs: int) -> list[dict]:
    """Runs with judged documents from the top of a first-stage ranker, or half from there, by depth.

    Parameters
    ----------
    names : rankers
    scale : of which the repeats are taken
    n_queries, n_docs : size of the pool
    """
    cells = [(n_queries, d) for d in sampling.halvings(n_docs // 2, 2)]
    return _grid(names, "pool", cells, ["top", "mixed"], scale.pool_repeats)


def _grid(names: list[str], source: str, cells: list[tuple], choices: list[str], repeats: int) -> list[dict]:
    for name in names:
        rankers.make(name)  # an unknown name is refused before anything is trained
    return [
        {"ranker": name, "source": source, "queries": n, "documents": d, "choice": choice, "repeat": repeat}
        for name in names
        for n, d in cells
        for choice in choices
        for repeat in range(repeats)
    ]
