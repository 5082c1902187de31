"""One run of study 1: labels are bought by a scheme, a ranker is trained on them and tested."""

from __future__ import annotations

import numpy as np

from helpers import metrics, rankers
from helpers.datasets.collection import Collection
from helpers.judging import schemes
from helpers.judging.pool import AlikeJudges, Pool
from helpers.rankers.base import mean_ndcg

CUTOFFS = (1, 2, 3, 5, 10)

MAIN = 3
"""The cut-off of the paper's tests."""

FOLDS = 5
"""Of the queries of a judged collection."""

RATES = {"LambdaRank": (0.001, 0.0002), "LambdaMART": (0.05,)}
"""Learning rates, of which validation takes one: copies of a document make LambdaRank's steps longer, but not trees.

Rankers that are not here have their default settings: copies of documents change no step of theirs.
"""

LEAVES = (100, 300)
"""Different documents that a leaf of LambdaMART's trees has at least, of which validation takes one number.

Which is better depends on how noisy labels are and on how many of a document train: a number that suits one labelling
scheme would speak against the others.
"""


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
    per_pair: int,
    seeds: np.ndarray,
) -> dict:
    """What a labelling scheme costs and how well a ranker does that trains on it: one run.

    Parameters
    ----------
    label_set, draw : tell runs apart
    ranker, setting : names from rankers.NAMES and of a labelling scheme
    rng : draws the ranker's own seed
    training, validation, test : as `protocol.parts` gives them
    judges : who label the training and, one label each, the validation documents; test grades are the truth
    per_pair : most labels of a training document
    seeds : of each draw, whose labels and whose order of judges are the same for every setting and ranker

    Returns
    -------
    dict : `labels` and `instances` a pair, `fair_to_good` (weight of the training labels below Good for each of the
        others), `squared_error` of a pair's mean training label, `ndcg@k` at CUTOFFS, means over the test queries that
        have a relevant document, and `per_query`, (n_queries,) NDCG@3, NaN where there is none
    """
    labels_rng = np.random.default_rng(seeds[draw])
    labels, who = judges.draw(training.grades, training.offsets, labels_rng, per_pair)
    watched, _ = judges.draw(validation.grades, validation.offsets, labels_rng, 1)
    sample = schemes.collect(setting, labels, labels_rng, judges=who, good=judges.good)
    model = fitted(ranker, training, sample, validation.with_grades(watched[:, 0]), rng)
    return schemes.costs(sample, judges.good) | label_error(sample, training.grades) | tested(model, test)


def fitted(
    ranker: str,
    training: Collection,
    sample: schemes.LabelSample,
    validation: Collection,
    rng: np.random.Generator,
) -> rankers.Ranker:
    """The ranker trained on what a scheme collected, with those of its `choices` that have the best validation NDCG@10.

    Parameters
    ----------
    ranker : a name from rankers.NAMES
    training : the collection that was labelled
    sample : what the scheme collected of it
    validation : its grades choose rounds, learning rate and leaf size
    rng : draws the ranker's own seed
    """
    instances, weights = instances_of(ranker, training, sample)
    seed, copies = int(rng.integers(2**31)), int(np.bincount(sample.rows).max())
    models = [rankers.seeded(ranker, seed, gains=sample.gains, **choice) for choice in choices(ranker, copies)]
    for model in models:
        model.fit(instances.features, instances.grades, instances.group, sample_weight=weights, validation=validation)
    return max(models, key=lambda model: mean_ndcg(validation, model.predict(validation.features)))


def choices(ranker: str, copies: int) -> list[dict]:
    """The settings of a ranker of which validation takes one: rates of RATES, and for LambdaMART leaves of LEAVES.

    LightGBM counts instances: where a document has up to c of them, LambdaMART's truncation level and the least of a
    leaf are c times as high.

    Parameters
    ----------
    ranker : a name from rankers.NAMES
    copies : most instances of one document

    >>> choices("LambdaRank", 3), choices("RankSVM", 3)
    ([{'learning_rate': 0.001}, {'learning_rate': 0.0002}], [{}])
    >>> [choice["min_data_in_leaf"] for choice in choices("LambdaMART", 3)]
    [300, 900]
    """
    rates = [{"learning_rate": rate} for rate in RATES.get(ranker, ())] or [{}]
    if ranker != "LambdaMART":
        return rates
    level = {"lambdarank_truncation_level": copies * rankers.make(ranker).lambdarank_truncation_level}
    return [rate | level | {"min_data_in_leaf": copies * leaf} for rate in rates for leaf in LEAVES]


def instances_of(
    ranker: str, training: Collection, sample: schemes.LabelSample
) -> tuple[Collection, np.ndarray | None]:
    """What a ranker trains on, and its weights (n_instances,).

    AdaRank, which weighs queries but no documents, gets an instance of weight w as w copies of weight 1.

    Parameters
    ----------
    ranker, training, sample : as in `fitted`

    Raises
    ------
    ValueError
        when AdaRank gets a weight that is no whole number.
    """
    instances = training.take_rows(sample.rows).with_grades(sample.grades)
    if ranker != "AdaRank":
        return instances, sample.weights
    if (sample.weights % 1).any():
        weight = sample.weights[sample.weights % 1 > 0][0]
        raise ValueError(f"AdaRank trains on copies of documents: a weight is {weight}, expected whole numbers")
    return instances.take_rows(np.repeat(np.arange(instances.n_docs), sample.weights.astype(int))), None


def label_error(sample: schemes.LabelSample, truth: np.ndarray) -> dict:
    """`squared_error`: how far the mean training label of a document lies from the truth, in grades squared.

    Parameters
    ----------
    sample : what a scheme collected
    truth : (n_docs,) grades

    >>> label_error(schemes.collect("if-good-3", np.array([[3, 2, 2], [1, 0, 0]]), None), np.array([2, 0]))
    {'squared_error': 0.5555555555555556}
    """
    grades = np.bincount(sample.rows, sample.meant * sample.weights) / np.bincount(sample.rows, sample.weights)
    return {"squared_error": float(np.mean((grades - truth) ** 2))}


def tested(model: rankers.Ranker, test: Collection) -> dict:
    """NDCG at CUTOFFS, means over test queries, and NDCG@3 of each.

    Parameters
    ----------
    model : a fitted ranker
    test : queries whose grades are the truth
    """
    scores = model.predict(test.features)
    by_query = {k: metrics.ndcg(test.grades, scores, test.offsets, k) for k in CUTOFFS}
    means = {f"ndcg@{k}": float(np.nanmean(values)) for k, values in by_query.items()}
    return means | {"per_query": np.round(by_query[MAIN], 5).tolist()}


def parts(order: np.ndarray, fold: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The queries that test, that validate and that train in a fold, each in rising order.

    Parameters
    ----------
    order : (n_queries,) the queries, to be cut into FOLDS parts
    fold : which part tests; the next one validates and the other three train

    >>> [part.tolist() for part in parts(np.array([9, 8, 7, 6, 5]), fold=1)]
    [[8], [7], [5, 6, 9]]
    """
    cut = np.array_split(order, FOLDS)
    test, validation, *training = (np.sort(cut[(fold + step) % FOLDS]) for step in range(FOLDS))
    return test, validation, np.sort(np.concatenate(training))


def rows_of(collection: Collection, queries: np.ndarray) -> np.ndarray:
    """The documents of these queries, in the order of the collection.

    Parameters
    ----------
    collection : whose documents
    queries : numbers of queries

    >>> rows_of(Collection(np.zeros((4, 1)), [0, 1, 0, 1], [0, 1, 2, 4]), [2, 0])
    array([0, 2, 3])
    """
    return np.flatnonzero(np.isin(collection.query_index, queries))
