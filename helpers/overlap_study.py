"""The protocol of study 1: label sets, judges, labelling schemes, and one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from helpers import assessors, checks, depth, judge_fit, labeling, metrics, portrait, rankers
from helpers.collection import Collection
from helpers.judge_pool import N_GRADES, PER_PAIR, AlikeJudges, Pool
from helpers.rankers.base import mean_ndcg

CUTOFFS = (1, 2, 3, 5, 10)
MAIN = 3
"""The cut-off of the paper's tests."""

MORE = ("if-good-2", "if-good-4", "if-good-5", "if-good-6")
"""Beside the nine settings, those of Figures 4 and 5."""

MODERN = ("mean-3", "dawid-skene-3")
PLUS = ("baseline", "if-good-2", "if-good-3", "if-good-x3")
"""The settings of Table 5."""

RANKERS = ("LambdaRank", "LambdaMART")
"""What is run where no rankers are named; every other one can be."""

RATES = {"LambdaRank": (0.001, 0.0002), "LambdaMART": (0.05,)}
"""Learning rates, of which validation takes one: copies of a document make LambdaRank's steps longer, but not trees.

Rankers that are not here have their default settings: copies of documents change no step of theirs.
"""

LEAF = 100
"""Different documents that a leaf of a tree has at least."""

PORTRAIT = "mslr-sample"
VALIDATION_DOCS = 30


@dataclass(frozen=True)
class LabelSet:
    """One of the paper's label sets, by its printed sizes.

    Attributes
    ----------
    queries, docs : of training
    test_queries : of its test set
    settings : labelling schemes that it is tried with
    rankers : all that it can be tried with; on Clean+ the paper has one
    per_pair : most labels of a pair
    """

    queries: int
    docs: int
    test_queries: int
    settings: tuple[str, ...] = (*labeling.PAPER, *MORE, *MODERN)
    rankers: tuple[str, ...] = rankers.NAMES
    per_pair: int = PER_PAIR


LABEL_SETS = {
    "clean07": LabelSet(2071, 31_867, 5207),
    "clean08": LabelSet(1563, 28_790, 7260),
    "clean+": LabelSet(1000, 49_785, 11_898, PLUS, ("LambdaRank",), 3),
}
"""Clean08 has the documents that its misprint, 287,903, very likely stands for."""


@dataclass(frozen=True)
class Scale:
    """Sizes of one scale.

    Attributes
    ----------
    share : of a label set's training and test queries
    validation_queries : whose labels choose rounds and learning rates, one label a document
    test_docs : documents a test query, or 1.0 for all
    draws : of the labels
    label_sets : which are run
    settings : which of their labelling schemes; all where empty
    """

    share: float
    validation_queries: int
    test_docs: int | float
    draws: int
    label_sets: tuple[str, ...] = tuple(LABEL_SETS)
    settings: tuple[str, ...] = ()


SCALES = {
    "demo": Scale(0.15, 200, 20, 2, ("clean07",), labeling.PAPER),
    "study": Scale(1.0, 1000, 30, 10),
    "paper": Scale(1.0, 1000, 1.0, 10),
}
"""At scale "study" only the lists of test queries are shorter than the paper's."""


def scale_named(scale: str) -> Scale:
    """The sizes of a scale, or an error that lists the scales."""
    checks.one_of("scale", scale, SCALES)
    return SCALES[scale]


def parts(label_set: str, scale: Scale, rng: np.random.Generator) -> dict[str, Collection]:
    """SYNTHETIC `training`, `validation` and `test` queries of a label set's sizes, drawn from the MSLR portrait.

    Documents of a query are taken at random, in training as many on average as the label set has a query. Grades are
    the truth, which judges see through their own eyes.
    """
    sizes, source = LABEL_SETS[label_set], portrait.open(PORTRAIT)

    def drawn(n_queries: int, docs: int | float) -> Collection:
        return depth.sample_documents(portrait.draw(source, n_queries, rng), docs, rng)

    a_query = sizes.docs / sizes.queries / source.grade_counts.sum(axis=1).mean()
    return {
        "training": drawn(round(sizes.queries * scale.share), min(1.0, a_query)),
        "validation": drawn(scale.validation_queries, VALIDATION_DOCS),
        "test": drawn(round(sizes.test_queries * scale.share), scale.test_docs),
    }


def judges_named(name: str, label_set: str) -> Pool | AlikeJudges:
    """The pool fitted to a label set where name is empty, else judges who err by that matrix of `data/confusion`."""
    if not name:
        return Pool(judge_fit.stored()[label_set])
    known = {key: found for key, found in assessors.load().items() if found.counts.shape == (N_GRADES, N_GRADES)}
    if name not in known:
        raise ValueError(f"judges is {name!r}, expected a matrix of five grades: {', '.join(known)}")
    return AlikeJudges(known[name].probabilities)


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
        for draw in range(scale.draws)
    ]


def train_and_test(
    label_set: str,
    ranker: str,
    setting: str,
    draw: int,
    *,
    rng: np.random.Generator,
    training: Collection,
    validation: Collection,
    test: Collection,
    judges: Pool | AlikeJudges,
    seeds: np.ndarray,
) -> dict:
    """What a labelling scheme costs and how well a ranker does that trains on it: one run.

    Parameters
    ----------
    label_set, draw : tell runs apart
    ranker, setting : names from rankers.NAMES and of a labelling scheme
    rng : draws the ranker's own seed
    training, validation, test : as `parts` gives them
    judges : who label the training and, one label each, the validation documents; test grades are the truth
    seeds : of each draw, whose labels and whose order of judges are the same for every setting and ranker

    Returns
    -------
    dict : `labels` and `instances` a pair, `fair_to_good` (weight of the training labels below Good for each of the
        others), `ndcg@k` at CUTOFFS, means over the test queries that have a relevant document, and `per_query`,
        (n_queries,) NDCG@3, NaN where there is none
    """
    labels_rng = np.random.default_rng(seeds[draw])
    per_pair = LABEL_SETS[label_set].per_pair
    labels, who = judges.draw(training.grades, training.offsets, labels_rng, per_pair)
    watched, _ = judges.draw(validation.grades, validation.offsets, labels_rng, 1)
    sample = labeling.collect(setting, labels, labels_rng, judges=who)
    model = fitted(ranker, training, sample, validation.with_grades(watched[:, 0]), rng)
    return costs(sample) | tested(model, test)


def fitted(
    ranker: str,
    training: Collection,
    sample: labeling.LabelSample,
    validation: Collection,
    rng: np.random.Generator,
) -> rankers.Ranker:
    """The ranker trained on what a scheme collected, at the learning rate of RATES with the best validation NDCG@10.

    LightGBM counts instances: where a document has up to c of them, LambdaMART's truncation level and the least of a
    leaf are c times as high.
    """
    instances, weights = instances_of(ranker, training, sample)
    seed, settings = int(rng.integers(2**31)), {}
    if ranker == "LambdaMART":
        copies = int(np.bincount(sample.rows).max())
        level = rankers.make(ranker).lambdarank_truncation_level
        settings = {"lambdarank_truncation_level": copies * level, "min_data_in_leaf": copies * LEAF}
    choices = [settings | {"learning_rate": rate} for rate in RATES.get(ranker, ())] or [settings]
    models = [rankers.seeded(ranker, seed, sample.labels_per_grade, **choice) for choice in choices]
    for model in models:
        model.fit(instances.features, instances.grades, instances.group, sample_weight=weights, validation=validation)
    return max(models, key=lambda model: mean_ndcg(validation, model.predict(validation.features)))


def instances_of(
    ranker: str, training: Collection, sample: labeling.LabelSample
) -> tuple[Collection, np.ndarray | None]:
    """What a ranker trains on, and its weights (n_instances,).

    AdaRank, which weighs queries but no documents, gets an instance of weight w as w copies of weight 1.
    """
    instances = training.take_rows(sample.rows).with_grades(sample.grades)
    if ranker != "AdaRank":
        return instances, sample.weights
    if (sample.weights % 1).any():
        weight = sample.weights[sample.weights % 1 > 0][0]
        raise ValueError(f"AdaRank trains on copies of documents: a weight is {weight}, expected whole numbers")
    return instances.take_rows(np.repeat(np.arange(instances.n_docs), sample.weights.astype(int))), None


def costs(sample: labeling.LabelSample, good: int = labeling.GOOD) -> dict:
    """Labels and training instances a pair, and the ratio of Tables 6 to 8, of what a scheme collected."""
    good = sample.grades >= good * sample.labels_per_grade
    n_docs, above = len(sample.bought), float(sample.weights[good].sum())
    return {
        "labels": sample.labels_bought / n_docs,
        "instances": len(sample.rows) / n_docs,
        "fair_to_good": float(sample.weights[~good].sum()) / above if above else np.inf,
    }


def tested(model: rankers.Ranker, test: Collection) -> dict:
    """NDCG at CUTOFFS, means over test queries, and NDCG@3 of each."""
    scores = model.predict(test.features)
    by_query = {k: metrics.ndcg(test.grades, scores, test.offsets, k) for k in CUTOFFS}
    means = {f"ndcg@{k}": float(np.nanmean(values)) for k, values in by_query.items()}
    return means | {"per_query": np.round(by_query[MAIN], 5).tolist()}
