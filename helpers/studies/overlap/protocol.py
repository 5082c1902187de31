"""The protocol of study 1: label sets, judges, scales, and the grid of its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from helpers import rankers
from helpers.datasets import portrait, sampling
from helpers.datasets.collection import Collection
from helpers.judging import judged, schemes
from helpers.judging.aggregates import votes
from helpers.judging.confusion import probabilities
from helpers.judging.judged import JudgedCollection
from helpers.judging.pool import N_GRADES, PER_PAIR, AlikeJudges, Pool
from helpers.studies import scales
from helpers.studies.overlap import judge_fit

MORE = ("if-good-2", "if-good-4", "if-good-6")
"""Beside the nine settings, those of Figures 4 and 5 but k = 5, which lies between its neighbours."""

MEANS = ("gain-3", "if-good-gain-3")  # not in the paper: what several labels are worth where they are not copies

PLUS = ("baseline", "if-good-2", "if-good-3", "if-good-x3")  # the settings of Table 5

RANKERS = ("LambdaRank", "LambdaMART")  # what is run where no rankers are named; every other one can be

PORTRAIT = "mslr-sample"  # what all queries of the stored runs are drawn from

DATASET = PORTRAIT + portrait.SUFFIX  # the same, as a data set is named

VALIDATION_DOCS = 30  # a query

PARTS = ("training", "validation", "test")


@dataclass(frozen=True)
class LabelSet:
    """One of the paper's label sets: its printed numbers of training queries, documents and test queries, the schemes
    and rankers that it is tried with, and the most labels of a pair.
    """

    queries: int
    docs: int
    test_queries: int
    settings: tuple[str, ...] = (*schemes.PAPER, *MORE, *MEANS)
    rankers: tuple[str, ...] = rankers.NAMES
    per_pair: int = PER_PAIR


LABEL_SETS = {
    "clean07": LabelSet(2071, 31_867, 5207),
    "clean08": LabelSet(1563, 28_790, 7260),
    "clean+": LabelSet(1000, 49_785, 11_898, PLUS, ("LambdaRank",), 3),
}
"""Clean08 has the documents that its misprint, 287,903, very likely stands for."""


FEW_DRAWS = ("LambdaMART",)  # rankers whose labels are drawn less often


@dataclass(frozen=True)
class Scale:
    """Sizes of one scale: the share of a label set's queries, validation queries of one label a document, documents a
    test query (1.0 is all), draws of the labels, few for FEW_DRAWS, and which label sets and schemes (all where empty).
    """

    share: float
    validation_queries: int
    test_docs: int | float
    draws: int
    few_draws: int
    label_sets: tuple[str, ...] = tuple(LABEL_SETS)
    settings: tuple[str, ...] = ()


SCALES = {
    "demo": Scale(0.1, 200, 20, 2, 2, ("clean07",), ("baseline", "3-overlap", "mv3", "if-good-3", "gain-3")),
    "study": Scale(1.0, 1000, 30, 4, 2),
    "paper": Scale(1.0, 1000, 1.0, 10, 10),
}
"""At scale "study" the lists of test queries are shorter than the paper's, and labels are drawn four times, not ten, or
twice for LambdaMART, whose trainings take as long as all others together.
"""

scale_named = partial(scales.named, sizes=SCALES)


def parts(
    label_set: str, scale: Scale, rng: np.random.Generator, dataset: str | JudgedCollection = DATASET
) -> dict[str, Collection]:
    """`training`, `validation` and `test` queries of a label set's sizes, by default SYNTHETIC, documents at random, in
    training as many on average as the label set has a query. Grades are the truth, which judges see in their own way.
    """
    sizes, source = LABEL_SETS[label_set], _portrait(dataset)
    own = None if source else dict(zip(PARTS, judged.splits(dataset, 1, rng), strict=True))
    lengths = source.grade_counts.sum(axis=1) if source else own["training"].group

    def drawn(part: str, n_queries: int, docs: int | float) -> Collection:
        if source:
            queries = portrait.draw(source, n_queries, rng)
        else:
            queries = sampling.queries(own[part], min(n_queries, own[part].n_queries), rng)
        return sampling.documents(queries, docs, rng)

    a_query = sizes.docs / sizes.queries / lengths.mean()
    n_queries = (round(sizes.queries * scale.share), scale.validation_queries, round(sizes.test_queries * scale.share))
    docs = (min(1.0, a_query), VALIDATION_DOCS, scale.test_docs)
    return {part: drawn(part, *amount) for part, *amount in zip(PARTS, n_queries, docs, strict=True)}


def n_grades(dataset: str | JudgedCollection) -> int:
    """How many grades a data set has, from 0 to the highest that a document of it has, or that a person gave.

    >>> n_grades(DATASET), n_grades("ohsumed-portrait")
    (5, 3)
    """
    if isinstance(dataset, JudgedCollection):
        return 1 + int(dataset.labels.max())
    if source := _portrait(dataset):
        return source.grade_counts.shape[1]
    return 1 + max(int(part.grades.max()) for part in judged.splits(dataset, 1, np.random.default_rng(0)))


def judges_named(name: str, label_set: str, dataset: str | JudgedCollection = DATASET) -> Pool | AlikeJudges:
    """The pool fitted to a label set where name is empty, else judges who all err by that matrix; of a judged
    collection and no name they err as its people differ from their majority.
    """
    found = n_grades(dataset)
    if name:
        return AlikeJudges(judge_fit.chosen(name, found, str(dataset)))
    if isinstance(dataset, JudgedCollection):
        of_grade = (dataset.labels[dataset.collection.grades == grade] for grade in range(found))
        counts = np.stack([votes(labels, found).sum(axis=0) for labels in of_grade])
        there = counts.sum(axis=1, keepdims=True) > 0  # who errs nowhere is the majority of nobody
        return AlikeJudges(probabilities(np.where(there, counts, np.eye(found, dtype=int))))
    if found != N_GRADES:
        raise ValueError(
            f"judges is empty, the pool fitted to {label_set}, which knows {N_GRADES} grades, but {dataset} has "
            f"{found}: expected {judge_fit.fitting(found)}"
        )
    return Pool(judge_fit.stored()[label_set])


def _portrait(dataset: str | JudgedCollection) -> portrait.Portrait | None:
    return None if isinstance(dataset, JudgedCollection) else portrait.named(dataset)


def grid(label_set: str, scale: Scale, names: Sequence[str] = RANKERS) -> list[dict]:
    """Runs of a label set: every labelling scheme, ranker of its and draw; ValueError where a ranker is unknown."""
    for name in names:
        rankers.make(name)
    chosen = LABEL_SETS[label_set]
    settings = [setting for setting in chosen.settings if not scale.settings or setting in scale.settings]
    return [
        {"label_set": label_set, "ranker": ranker, "setting": setting, "draw": draw}
        for ranker in names
        if ranker in chosen.rankers
        for setting in settings
        for draw in range(scale.few_draws if ranker in FEW_DRAWS else scale.draws)
    ]


def trainings(scale: str, settings: Mapping[str, Any]) -> int:
    """Trainings of the sweeps with the synthetic judges, with these parameters of the notebook."""
    sizes = scale_named(scale)
    return sum(len(grid(name, sizes, settings["rankers"])) for name in sizes.label_sets)
