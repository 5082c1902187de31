"""The protocol of study 4: which collections, and which grids of runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from helpers import rankers
from helpers.datasets import catalog, portrait, sampling
from helpers.datasets.collection import Collection
from helpers.judging import judged
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
    percent_repeats: int  # draws of each share
    pool_repeats: int  # draws of each cell of the pool
    paper_repeats: int = 0  # draws of each share with the paper's ranker, where these are more

    def draws(self, ranker: str) -> int:
        """Draws of each share: `paper_repeats` with the paper's ranker where these are more."""
        return max(self.percent_repeats, self.paper_repeats if ranker == PAPER else 0)


EXPERIMENTS = ("percent", "pool", "choice")  # the paper's two, and which documents are judged
PAPER = "LambdaRank"  # the ranker of the paper
SHARES = (5, 10, 20, 50, 100)

# at "study" half of the paper's queries and half of its draws: intervals count test queries and draws both
SCALES = {
    "demo": Scale(128, 64, 256, 128, 32, (10, 25, 50, 100), 4, 2),
    "study": Scale(1000, 400, 1200, 512, 128, SHARES, 5, 3),
    "paper": Scale(2000, 1000, 2000, 1024, 128, tuple(range(5, 101, 5)), 10, 10),
}


@dataclass(frozen=True)
class Plan:
    """What is run on one collection at scale "study"."""

    rankers: tuple[str, ...]
    percent_repeats: int = 0  # as the scale has them where 0, like the other two
    pool_repeats: int = 0
    paper_repeats: int = 0
    dataset: str = ""  # portrait that it is drawn from, or the collection's own name where empty
    copies: int = 1  # of a portrait, how many times the documents of each grade that the portrayed queries have
    experiments: tuple[str, ...] = EXPERIMENTS
    sizes: tuple[int, ...] = ()  # training, validation and test queries; as the scale has them where empty

    @property
    def scale(self) -> Scale:
        """The sizes and grids of its runs."""
        study = SCALES["study"]
        sizes = dict(zip(("training_queries", "validation_queries", "test_queries"), self.sizes, strict=False))
        repeats = {"percent_repeats": self.percent_repeats, "pool_repeats": self.pool_repeats}
        repeats |= {"paper_repeats": self.paper_repeats}
        return replace(study, **sizes, **{name: n for name, n in repeats.items() if n})


FLOOR = 8  # documents a query below which the paper drops queries rather than documents
MARGIN = 0.005  # NDCG that counts as no difference
LAMBDAS = (PAPER, "LambdaMART")
DEEP = "mslr-sample-350-portrait"  # about 350 documents a query, as in the paper, of which half are 175
POOLED = 20  # portrayed queries that are as long as a pool is deep, so that it does not repeat a few

# the portrait that is run where no data set is named; `data/README.md` says why it is this one
DEFAULT = "mq2007-part-portrait"

# Collection -> what is run on it, over all its folds. The longer a training takes, the fewer draws; the paper's ranker
# has twice as many on what is real, as intervals count draws and test queries both. dbpedia-entity is left out, as
# nothing can be learned on it that its best run does not have (`studies.learnable`), and syndl-dl21, as it is tested on
# 53 queries alone.
COLLECTIONS = {
    DEFAULT: Plan(rankers.NAMES, 5, 3),
    "mslr-sample-portrait": Plan(LAMBDAS),
    "mq2008": Plan(rankers.NAMES, 10, 3, 20),
    "ohsumed": Plan(rankers.NAMES, 10, 3, 20),
    "clueweb09-webis": Plan(rankers.NAMES, 10, 3, 20),
    "mq2007-part": Plan(rankers.NAMES, 10, 3, 20),
    "microblog": Plan(rankers.NAMES, 5, 3, 10),
    "robust04": Plan((*LAMBDAS, "RankSVM"), 5, 3, 10),
    DEEP: Plan(LAMBDAS, 2, dataset="mslr-sample-portrait", copies=3, experiments=("percent",), sizes=(500, 150, 600)),
}

scale_named = partial(scales.named, sizes=SCALES)


Parts = dict[str, Collection]
Split = tuple[Collection, Collection, Collection]


def parts(
    dataset: str, scale: Scale, fold: int, rng: np.random.Generator, *, slopes: float = 1.0, copies: int = 1
) -> Parts:
    """What all runs share: `training`, the fixed `pool`, `validation` and `test` queries.

    A portrait is drawn at the scale's sizes, its pool no deeper than POOLED of the portrayed queries are long; of what
    `judged.splits` takes, at most as many queries are kept, and training queries give the largest pool they allow.
    """
    source = portrait.named(dataset)
    if source is None:
        return _of_splits({fold: judged.splits(dataset, fold, rng)}, scale, rng)[fold]
    source = replace(source, grade_counts=copies * source.grade_counts)
    sizes = (scale.training_queries, scale.validation_queries, scale.test_queries)
    training, validation, test = (portrait.draw(source, n, rng, slopes=slopes) for n in sizes)
    lengths = np.sort(source.grade_counts.sum(axis=1))
    deepest = int(lengths[-min(POOLED, len(lengths))])
    shape = sampling.pool_shape(np.full(scale.pool_queries, deepest), scale.pool_docs)
    deep = portrait.draw(source, shape[0], rng, min_docs=shape[1], slopes=slopes)
    return _named(training, sampling.fixed_pool(deep, *shape, rng), validation, test)


def every_fold(dataset: str, scale: Scale, seed: int, *, copies: int = 1) -> dict[int, Parts]:
    """The `parts` of every fold of a collection, their pools of one shape; a portrait has a single fold.

    Without official folds, fifths of the queries drawn at random take their turns as in LETOR.
    """
    rng = np.random.default_rng(seed)
    if portrait.named(dataset):
        return {1: parts(dataset, scale, 1, rng, copies=copies)}
    numbers = catalog.fold_numbers(dataset)
    if numbers:
        return _of_splits({fold: judged.splits(dataset, fold, rng) for fold in numbers}, scale, rng)
    return _of_splits(dict(enumerate(sampling.fifths(judged.load(dataset), rng), start=1)), scale, rng)


def _of_splits(splits: dict[int, Split], scale: Scale, rng: np.random.Generator) -> dict[int, Parts]:
    """The parts of folds, with at most as many queries as the scale has, and the largest pool that all folds allow."""
    sizes = (scale.training_queries, scale.validation_queries, scale.test_queries)
    kept = {
        fold: [sampling.queries(part, n, rng) for part, n in zip(split, sizes, strict=True)]
        for fold, split in splits.items()
    }
    lengths = [np.sort(training.group)[::-1] for training, _, _ in kept.values()]
    shortest = np.min([group[: min(map(len, lengths))] for group in lengths], axis=0)
    shape = sampling.pool_shape(shortest, scale.pool_docs)
    return {
        fold: _named(training, sampling.fixed_pool(training, *shape, rng), validation, test)
        for fold, (training, validation, test) in kept.items()
    }


def _named(training: Collection, pool: Collection, validation: Collection, test: Collection) -> Parts:
    return {"training": training, "pool": pool, "validation": validation, "test": test}


def percent_grid(names: list[str], scale: Scale) -> list[dict]:
    """Runs of the first experiment: p % of the queries, or p % of the documents of each; 100 % is both."""
    shares = [p / 100 for p in scale.percents]
    cells = [(p, 1.0) for p in shares] + [(1.0, p) for p in shares if p < 1]
    return [run for name in names for run in _grid([name], "training", cells, ["random"], scale.draws(name))]


def pool_grid(names: list[str], scale: Scale, n_queries: int, n_docs: int) -> list[dict]:
    """Runs of the second experiment: every halving of the queries with every halving of the documents.

    The paper ran the two edges, all queries or all documents; the inner cells are what a budget is read from.
    """
    cells = [(n, d) for n in sampling.halvings(n_queries, _fewest(n_queries)) for d in sampling.halvings(n_docs, 2)]
    return _grid(names, "pool", cells, ["random"], scale.pool_repeats)


def trainings(scale: str, settings: Mapping[str, Any]) -> int:
    """Trainings of the sweeps with these parameters of the notebook, of its pool the largest."""
    sizes, names = scale_named(scale), settings["rankers"]
    return len(percent_grid(names, sizes)) + len(pool_grid(names, sizes, sizes.pool_queries, sizes.pool_docs))


def _fewest(n_queries: int) -> int:
    """Queries of the smallest sample: 16 as in the paper, or an eighth of a small pool."""
    return max(1, min(16, n_queries // 8))


def choice_grid(names: list[str], scale: Scale, n_queries: int, n_docs: int) -> list[dict]:
    """Runs with judged documents from the top of a first-stage ranker, or half from there, by depth."""
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
