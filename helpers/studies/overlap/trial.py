"""The runs of study 1, each a pure function: labels are bought, a ranker is trained on them and tested.

Beyond the paper a budget is spent by a scheme, a machine and a person share the work, and so many labels are bought as
queries x documents x judges.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from helpers import checks, metrics, rankers
from helpers.datasets import sampling
from helpers.datasets.collection import Collection
from helpers.judging import schemes
from helpers.judging.confusion import draw_labels
from helpers.judging.pool import AlikeJudges, Pool, Settings, moments

CUTOFFS = (1, 2, 3, 5, 10)

MAIN = 3  # the cut-off of the paper's tests

FOLDS = 5  # of the queries of a judged collection

RATES = {"LambdaRank": (0.001, 0.0002), "LambdaMART": (0.05,)}
"""Learning rates, of which validation takes one: copies of a document make LambdaRank's steps longer, but not trees.

Rankers that are not here have their default settings: copies of documents change no step of theirs.
"""

LEAVES = (100, 300)
"""Different documents that a leaf of LambdaMART's trees has at least, of which validation takes one number.

Which is better depends on how noisy labels are and on how many of a document train: a number that suits one labelling
scheme would speak against the others.
"""

ROUTES = ("person", "machine", "machine, person where good", "both where good", "both")
"""By which a machine and a person can label."""

MOST = 4  # judges of a document that is bought


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

    A dict of `labels` and `instances` a pair, `fair_to_good` (weight of the training labels below Good for each of the
    others), `squared_error` of a pair's mean label, mean `ndcg@k` at CUTOFFS, and NDCG@3 `per_query`.
    """
    labels_rng = np.random.default_rng(seeds[draw])
    labels, who = judges.draw(training.grades, training.offsets, labels_rng, per_pair)
    watched, _ = judges.draw(validation.grades, validation.offsets, labels_rng, 1)
    sample = schemes.collect(setting, labels, labels_rng, judges=who, good=judges.good)
    model = fitted(ranker, training, sample, validation.with_grades(watched[:, 0]), rng)
    return schemes.costs(sample, judges.good) | label_error(sample, training.grades) | tested(model, test)


def spend(
    ranker: str,
    setting: str,
    budget: float,
    noise_irrelevant: float,
    noise_relevant: float,
    draw: int,
    *,
    rng: np.random.Generator,
    training: Collection,
    validation: Collection,
    test: Collection,
    known: Settings,
    shares: np.ndarray,
    seeds: np.ndarray,
) -> dict:
    """Test NDCG where a scheme labels as many queries as a budget pays for: one run, with `spent`, labels bought for
    each training document, and `queries`.
    """
    pool = Pool(replace(known, noise_irrelevant=noise_irrelevant, noise_relevant=noise_relevant))
    cost = schemes.expected_cost(setting, moments(pool.settings, shares))
    draw_rng = np.random.default_rng(seeds[draw])
    afforded = sampling.queries(training, min(1.0, budget / cost), draw_rng)
    labels, judges = pool.draw(afforded.grades, afforded.offsets, draw_rng)
    watched, _ = pool.draw(validation.grades, validation.offsets, draw_rng, 1)
    sample = schemes.collect(setting, labels, draw_rng, judges=judges)
    model = fitted(ranker, afforded, sample, validation.with_grades(watched[:, 0]), rng)
    spent = {"spent": sample.labels_bought / training.n_docs, "queries": afforded.n_queries}
    return spent | schemes.costs(sample) | tested(model, test)


def ask_machine(
    ranker: str,
    route: str,
    draw: int,
    *,
    rng: np.random.Generator,
    training: Collection,
    validation: Collection,
    test: Collection,
    pool: Pool,
    confusion: np.ndarray,
    seeds: np.ndarray,
) -> dict:
    """Test NDCG where a machine labels, or a person, or both, by one of ROUTES: one run, with `person_labels` for each
    training document.
    """
    checks.one_of("route", route, ROUTES)
    draw_rng = np.random.default_rng(seeds[draw])
    person, _ = pool.draw(training.grades, training.offsets, draw_rng, 1)
    machine = draw_labels(training.grades, confusion, draw_rng)[:, None]
    watched, _ = pool.draw(validation.grades, validation.offsets, draw_rng, 1)
    found = machine >= schemes.GOOD
    by_both = np.hstack([machine, person])
    scheme, labels, asked = {
        "person": ("baseline", person, np.ones_like(found)),
        "machine": ("baseline", machine, np.zeros_like(found)),
        "machine, person where good": ("baseline", np.where(found, person, machine), found),
        "both where good": ("if-good-2", by_both, found),
        "both": ("2-overlap", by_both, np.ones_like(found)),
    }[route]
    sample = schemes.collect(scheme, labels, None)
    model = fitted(ranker, training, sample, validation.with_grades(watched[:, 0]), rng)
    return {"person_labels": float(asked.mean())} | schemes.costs(sample) | tested(model, test)


def learn(
    ranker: str,
    queries: int,
    documents: int,
    labels: int,
    draw: int,
    *,
    rng: np.random.Generator,
    training: Collection,
    validation: Collection,
    test: Collection,
    judges: Pool | AlikeJudges,
    seeds: np.ndarray,
) -> dict:
    """Test NDCG of a ranker that learns from labels of a pool's judges: one run, with `spent`, labels bought.

    The labels, and the order in which queries, documents and judges are taken, are those of the draw, so that a smaller
    purchase is a part of every larger one. Validation has one label a document, which is not counted.
    """
    draw_rng = np.random.default_rng(seeds[draw])
    given, _ = judges.draw(training.grades, training.offsets, draw_rng, MOST)
    watched, _ = judges.draw(validation.grades, validation.offsets, draw_rng, 1)
    rows = _bought_rows(training, queries, documents, draw_rng)
    sample = schemes.collect(f"gain-{labels}", given[rows], None)
    model = fitted(ranker, training.take_rows(rows), sample, validation.with_grades(watched[:, 0]), rng)
    return {"spent": sample.labels_bought} | tested(model, test)


def learn_from_people(
    ranker: str,
    queries: int,
    documents: int,
    labels: int,
    draw: int,
    fold: int,
    *,
    rng: np.random.Generator,
    collection: Collection,
    given: np.ndarray,
    order: np.ndarray,
    seeds: np.ndarray,
) -> dict:
    """The same with the four judges of the Cystic Fibrosis collection, asked in random order, on one fold: one run."""
    draw_rng = np.random.default_rng([seeds[draw], fold])
    test, validation, learned = parts(order, fold)
    asked = draw_rng.permuted(given, axis=1)
    source, source_labels = collection.take_queries(learned), asked[rows_of(collection, learned)]
    rows = _bought_rows(source, queries, documents, draw_rng)
    sample = schemes.collect(f"gain-{labels}", source_labels[rows], None)
    watched = collection.take_queries(validation).with_grades(asked[rows_of(collection, validation), 0])
    model = fitted(ranker, source.take_rows(rows), sample, watched, rng)
    return {"spent": sample.labels_bought} | tested(model, collection.take_queries(test))


def fitted(
    ranker: str,
    training: Collection,
    sample: schemes.LabelSample,
    validation: Collection,
    rng: np.random.Generator,
) -> rankers.Ranker:
    """The ranker trained on what a scheme collected, by those of its `choices` that validate best (NDCG@10)."""
    instances, weights = instances_of(ranker, training, sample)
    seed, copies = int(rng.integers(2**31)), int(np.bincount(sample.rows).max())
    settings = [{"gains": sample.gains} | choice for choice in choices(ranker, copies)]
    return rankers.trained(ranker, instances, validation, seed, settings, weights=weights)


def choices(ranker: str, copies: int) -> list[dict]:
    """The settings of a ranker of which validation takes one; where a document has up to c copies, LambdaMART's
    truncation level and leaves are c times as high, as LightGBM counts instances.

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
    """What a ranker trains on, and its weights (n_instances,); AdaRank, which weighs no documents, gets copies for
    weights.
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

    >>> label_error(schemes.collect("if-good-3", np.array([[3, 2, 2], [1, 0, 0]]), None), np.array([2, 0]))
    {'squared_error': 0.5555555555555556}
    """
    grades = np.bincount(sample.rows, sample.meant * sample.weights) / np.bincount(sample.rows, sample.weights)
    return {"squared_error": float(np.mean((grades - truth) ** 2))}


def tested(model: rankers.Ranker, test: Collection) -> dict:
    """NDCG at CUTOFFS, means over test queries, and NDCG@3 of each."""
    scores = model.predict(test.features)
    by_query = {k: metrics.ndcg(test.grades, scores, test.offsets, k) for k in CUTOFFS}
    means = {f"ndcg@{k}": float(np.nanmean(values)) for k, values in by_query.items()}
    return means | {"per_query": np.round(by_query[MAIN], 5).tolist()}


def parts(order: np.ndarray, fold: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The queries that test, that validate and that train in a fold, each in rising order.

    >>> [part.tolist() for part in parts(np.array([9, 8, 7, 6, 5]), fold=1)]
    [[8], [7], [5, 6, 9]]
    """
    cut = np.array_split(order, FOLDS)
    test, validation, *training = (np.sort(cut[(fold + step) % FOLDS]) for step in range(FOLDS))
    return test, validation, np.sort(np.concatenate(training))


def rows_of(collection: Collection, queries: np.ndarray) -> np.ndarray:
    """The documents of these queries, in the order of the collection.

    >>> rows_of(Collection(np.zeros((4, 1)), [0, 1, 0, 1], [0, 1, 2, 4]), [2, 0])
    array([0, 2, 3])
    """
    return np.flatnonzero(np.isin(collection.query_index, queries))


def _bought_rows(collection: Collection, queries: int, documents: int, rng: np.random.Generator) -> np.ndarray:
    """The documents of a purchase, in the order of the collection: so many of each of so many queries, at random.

    With the same seed a smaller purchase is a part of a larger one.

    >>> c = Collection(np.zeros((6, 1)), [0, 1, 0, 1, 0, 1], [0, 2, 4, 6])
    >>> [_bought_rows(c, n, 1, np.random.default_rng(0)).tolist() for n in (1, 2, 3)]
    [[2], [2, 4], [1, 2, 4]]
    """
    query_rank = rng.permutation(collection.n_queries)[collection.query_index]
    document_rank = sampling.rank_within_query(rng.random(collection.n_docs), collection)
    return np.flatnonzero((query_rank < queries) & (document_rank < documents))
