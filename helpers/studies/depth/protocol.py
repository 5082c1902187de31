"""The protocol of study 4: which collections, and which grids of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Training, validation and test queries."""
        return self.training_queries, self.validation_queries, self.test_queries


EXPERIMENTS = ("percent", "pool", "choice")  # the paper's two, and which documents are judged
PAPER = "LambdaRank"  # the ranker of the paper
SHARES = (5, 10, 20, 50, 100)

# at "study" half of the paper's queries and half of its draws: intervals count test queries and draws both
SCALES = {
    "demo": Scale(128, 64, 256, 128, 32, (10, 25, 50, 100), 4, 2),
    "study": Scale(1000, 400, 1200, 512, 128, SHARES, 5, 3),
    "paper": Scale(2000, 1000, 2000, 1024, 128, tuple(range(5, 101, 5)), 10, 10),
}


STUDY = SCALES["study"]


@dataclass(frozen=True)
class Plan:
    """What is run on one collection at scale "study"."""

    rankers: tuple[str, ...]
    scale: Scale = STUDY
    dataset: str = ""  # portrait that it is drawn from, or the collection's own name where empty
    copies: int = 1  # of a portrait, how many times the documents of each grade that the portrayed queries have
    experiments: tuple[str, ...] = EXPERIMENTS


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
_TEN, _FIVE = replace(STUDY, percent_repeats=10, paper_repeats=20), replace(STUDY, paper_repeats=10)
_FEW = replace(STUDY, percent_repeats=2, training_queries=500, validation_queries=150, test_queries=600)
COLLECTIONS = {
    DEFAULT: Plan(rankers.NAMES),
    "mslr-sample-portrait": Plan(LAMBDAS),
    "mq2008": Plan(rankers.NAMES, _TEN),
    "ohsumed": Plan(rankers.NAMES, _TEN),
    "clueweb09-webis": Plan(rankers.NAMES, _TEN),
    "mq2007-part": Plan(rankers.NAMES, _TEN),
    "microblog": Plan(rankers.NAMES, _FIVE),
    "robust04": Plan((*LAMBDAS, "RankSVM"), _FIVE),
    DEEP: Plan(LAMBDAS, _FEW, "mslr-sample-portrait", 3, ("percent",)),
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
    drawn = [portrait.draw(source, n, rng, slopes=slopes) for n in scale.sizes]
    lengths = np.sort(source.grade_counts.sum(axis=1))
    deepest = int(lengths[-min(POOLED, len(lengths))])
    shape = sampling.pool_shape(np.full(scale.pool_queries, deepest), scale.pool_docs)
    deep = portrait.draw(source, shape[0], rng, min_docs=shape[1], slopes=slopes)
    return _named(*drawn, sampling.fixed_pool(deep, *shape, rng))


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
    kept = {
        fold: [sampling.queries(part, n, rng) for part, n in zip(split, scale.sizes, strict=True)]
        for fold, split in splits.items()
    }
    lengths = [np.sort(training.group)[::-1] for training, _, _ in kept.values()]
    shortest = np.min([group[: min(map(len, lengths))] for group in lengths], axis=0)
    shape = sampling.pool_shape(shortest, scale.pool_docs)
    return {fold: _named(*split, sampling.fixed_pool(split[0], *shape, rng)) for fold, split in kept.items()}


def _named(training: Collection, validation: Collection, test: Collection, pool: Collection) -> Parts:
    return {"training": training, "pool": pool, "validation": validation, "test": test}


def grids(names: Sequence[str], scale: Scale, n_queries: int, n_docs: int) -> dict[str, list[dict]]:
    """The runs of each experiment, its pool of so many queries and documents of each.

    "percent" is p % of the queries, or p % of the documents of each; 100 % is both. "pool" is every halving of the
    queries, down to 16 as in the paper or an eighth of a small pool, with every halving of the documents: the paper ran
    the two edges, all queries or all documents; the inner cells are what a budget is read from. "choice" has judged
    documents from the top of a first-stage ranker, or half from there, by depth.
    """
    for name in names:
        rankers.make(name)  # an unknown name is refused before anything is trained
    draws, of_pool = (dict.fromkeys(names, n) for n in (scale.percent_repeats, scale.pool_repeats))
    draws |= {name: max(n, scale.paper_repeats) for name, n in draws.items() if name == PAPER}
    shares, fewest = [p / 100 for p in scale.percents], max(1, min(16, n_queries // 8))
    halvings = [(n, d) for n in sampling.halvings(n_queries, fewest) for d in sampling.halvings(n_docs, 2)]
    whole = [(n_queries, d) for d in sampling.halvings(n_docs // 2, 2)]
    sampled = [(p, 1.0) for p in shares] + [(1.0, p) for p in shares if p < 1]
    return {
        "percent": _grid("training", sampled, ["random"], draws),
        "pool": _grid("pool", halvings, ["random"], of_pool),
        "choice": _grid("pool", whole, ["top", "mixed"], of_pool),
    }


def trainings(scale: str, settings: Mapping[str, Any]) -> int:
    """Trainings of the sweeps with these parameters of the notebook, of its pool the largest."""
    sizes = scale_named(scale)
    made = grids(settings["rankers"], sizes, sizes.pool_queries, sizes.pool_docs)
    return len(made["percent"]) + len(made["pool"])


def _grid(source: str, cells: list[tuple], choices: list[str], draws: Mapping[str, int]) -> list[dict]:
    return [
        {"ranker": name, "source": source, "queries": n, "documents": d, "choice": choice, "repeat": repeat}
        for name, repeats in draws.items()
        for n, d in cells
        for choice in choices
        for repeat in range(repeats)
    ]
