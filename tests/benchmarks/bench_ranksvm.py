"""RankSVM beside scikit-learn's LinearSVC on sampled difference vectors: time to one accuracy; growth and memory."""

import numpy as np
import pytest
from memory import peak_growth
from sklearn.svm import LinearSVC
from timing import best_in_turn, seconds

from helpers.datasets.collection import Collection, offsets_of
from helpers.rankers.ranksvm import _C_GRID, RankSVM

N_FEATURES, DOCS_PER_QUERY = 136, 100
GRADE_SHARES = [0.52, 0.32, 0.13, 0.02, 0.01]  # as in MSLR-WEB10K
N_PAIRS, N_TEST_PAIRS, C = 1_000_000, 200_000, 10.0
SAME_ACCURACY = 0.0005
FASTER_THAN_SKLEARN, SLOWER_ON_EIGHTFOLD, FEATURE_ARRAYS = 20, 10, 0.5

PREPARE = """
from bench_ranksvm import fit, mslr_shaped
from helpers import rankers
small, training = mslr_shaped(20), mslr_shaped(1000)
fit(rankers.make({name!r}), small, small)
"""


def mslr_shaped(n_queries, seed=2002):
    """Features as correlated as MSLR's and of very different spreads, grades that depend on ten of them."""
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((n_queries * DOCS_PER_QUERY, N_FEATURES), dtype=np.float32)
    mixing = mslr_mixing()
    for start in range(0, len(features), DOCS_PER_QUERY):
        features[start : start + DOCS_PER_QUERY] = features[start : start + DOCS_PER_QUERY] @ mixing
    quality = features[:, :10] @ (1 / np.linalg.norm(mixing[:, :10], axis=0)) + 3 * rng.normal(size=len(features))
    borders = np.quantile(quality, np.cumsum(GRADE_SHARES)[:-1])
    return Collection(features, np.searchsorted(borders, quality), offsets_of(np.full(n_queries, DOCS_PER_QUERY)))


def mslr_mixing():
    """(n_features, n_features) makes of independent features ones whose correlation matrix has MSLR's eigenvalues.

    Within the queries of MSLR-WEB10K, these fall from about a fifth of their sum to a ten-millionth.
    """
    rng = np.random.default_rng(10)
    axes = np.linalg.qr(rng.normal(size=(N_FEATURES, N_FEATURES)))[0]
    mixing = np.sqrt(np.geomspace(1, 1e-6, N_FEATURES))[:, None] * axes
    return (mixing * rng.lognormal(sigma=2, size=N_FEATURES)).astype(np.float32)


def fit(ranker, collection, validation=None):
    return ranker.fit(collection.features, collection.grades, collection.group, validation=validation)


def peak_beyond_features(name):
    """Peak memory that fitting 100,000 documents takes, in feature arrays, with validation."""
    growth = peak_growth(PREPARE.format(name=name), f"fit(rankers.make({name!r}), training, small)")
    return growth / (1000 * DOCS_PER_QUERY * N_FEATURES * np.dtype(np.float32).itemsize)


def test_fitting_is_faster_than_sklearn_on_sampled_differences():
    """Than with the solver that scikit-learn chooses; its coordinate descent is timed as well."""
    training, test = mslr_shaped(1000), mslr_shaped(1000, seed=2003)
    unseen = sampled_differences(test, N_TEST_PAIRS)
    wanted = accuracy(fit(RankSVM(C=C), training).coef_, unseen)  # compiles
    theirs = {dual: sklearn_seconds(dual, training, unseen, wanted) for dual in ("auto", True)}
    (ours,) = best_in_turn(3, lambda: fit(RankSVM(C=C), training))
    print(f"\nRankSVM on all pairs: {ours:.2f} s, pairwise accuracy {wanted:.4f}")
    for dual, taken in theirs.items():
        print(f"LinearSVC, dual={dual}: {taken:.2f} s, {taken / ours:.1f} times as long")
    assert theirs["auto"] / ours >= FASTER_THAN_SKLEARN


def sklearn_seconds(dual, training, unseen, wanted):
    """Time of LinearSVC with the loosest tolerance that brings it to the accuracy wanted."""
    spreads = training.features.std(axis=0)
    for tol in (1, 0.1, 0.01, 0.001):
        machine = LinearSVC(C=C / N_PAIRS, tol=tol, dual=dual, fit_intercept=False)
        taken = seconds(lambda machine=machine: fit_differences(machine, training, spreads))
        reached = accuracy(machine.coef_[0] / spreads, unseen)
        print(f"\nLinearSVC, dual={dual}, tol {tol}: {taken:.2f} s, pairwise accuracy {reached:.4f}", end="")
        if reached >= wanted - SAME_ACCURACY:
            return taken
    pytest.fail("LinearSVC did not reach the accuracy")


def test_time_grows_in_proportion_to_documents():
    validation = mslr_shaped(200, seed=2003)
    training, larger = mslr_shaped(1000), mslr_shaped(8000)
    fit(RankSVM(), training, validation)  # compiles
    few, many = best_in_turn(2, *(lambda c=c: fit(RankSVM(), c, validation) for c in (training, larger)))
    print(f"\n{len(_C_GRID)} C: {few:.2f} s for 100,000 documents, {many:.2f} s for 800,000: {many / few:.1f} times")
    assert many / few <= SLOWER_ON_EIGHTFOLD


def test_memory_beyond_the_features_stays_below_half_of_them():
    peak = peak_beyond_features("RankSVM")
    print(f"\npeak beyond the features: {peak:.2f} feature arrays")
    assert 0 < peak < FEATURE_ARRAYS


def sampled_differences(collection, n_pairs):
    """(n_pairs, n_features) features of the better document less those of the worse, of random pairs of one query."""
    rng = np.random.default_rng(7)
    left = rng.integers(collection.n_docs, size=4 * n_pairs)
    right = left // DOCS_PER_QUERY * DOCS_PER_QUERY + rng.integers(DOCS_PER_QUERY, size=len(left))
    better = np.flatnonzero(collection.grades[left] > collection.grades[right])[:n_pairs]
    return collection.features[left[better]] - collection.features[right[better]]


def fit_differences(machine, training, spreads):
    """Fit to differences in units of the features' spreads, every other one turned round to make two classes."""
    signs = np.resize(np.float32([1, -1]), N_PAIRS)
    differences = sampled_differences(training, N_PAIRS)
    differences *= signs[:, None] / spreads
    machine.fit(differences, signs)


def accuracy(weights, differences):
    """Share of the pairs that are in the right order."""
    return np.mean(differences @ weights > 0)
