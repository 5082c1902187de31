"""What every ranker shares: one interface, checked input, and NDCG@10 on a validation collection."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numba import njit
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from helpers import metrics
from helpers.datasets.collection import Collection, offsets_of

_START, _FACTOR, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93), np.uint64(32)


class OrderedLists(NamedTuple):
    """Judged documents of queries in one order. Features stay where they are: in memory that processes may share."""

    features: np.ndarray  # (n_docs, n_features) in the order in which they were given, not to be written
    order: np.ndarray  # (n_docs,) row of `features` that belongs to each document; unsigned, as numba likes it
    labels: Collection  # the documents' grades, without features
    weights: np.ndarray | None  # (n_docs,) of the documents, or None for 1


class Ranker(BaseEstimator, ABC):
    """A scikit-learn estimator that learns from judged documents, query by query.

    A ranker has its settings as fields of a dataclass, learns in `_fit` and scores in `_scores`; what users pass in is
    checked here, and put in one order (`in_one_order`): bit for bit, nothing that is learned depends on the order of a
    query's documents.

    Fitted attributes: `n_features_in_`, and `n_rounds_`, the trees, epochs, weak rankers or steps in use.

    >>> from helpers import rankers
    >>> ranker: Ranker = rankers.make("RankSVM")
    >>> ranker.fit([[-1.0], [1.0]], [0, 1], group=[2]).predict([[3.0], [2.0]]).argmax().item()
    0
    """

    _above: ClassVar[dict[str, float]] = {}  # what each numeric setting must be greater than

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        group: np.ndarray,
        *,
        sample_weight: np.ndarray | None = None,
        validation: Collection | None = None,
    ) -> Self:
        """Learn a scoring function from graded documents.

        Parameters
        ----------
        X : (n_docs, n_features) finite numbers, used as float32
        y : (n_docs,) relevance grades, whole numbers from 0 to 127
        group : (n_queries,) documents per query, in the order of the rows, as in LightGBM
        sample_weight : (n_docs,) what each document counts, in the way that each ranker says; None is 1 for all
        validation : queries whose mean NDCG@10 decides how many rounds are kept, or which setting; None decides nothing

        Raises
        ------
        ValueError
            when shapes do not fit together, group sizes do not add up to the rows of X, a number is not finite,
            a grade is not a whole number from 0 to 127, a weight is negative, or a setting is out of range.
        """
        self._check_settings()
        X, y = _checked_features(self, X, y)
        training = Collection(X, y, offsets_of(_checked_group(group, len(X))))
        self._check_labels(training)
        weights = _checked_weights(sample_weight, training.n_docs)
        if validation is not None:
            validation = in_one_order(_checked_validation(validation, training.n_features))
        self._check_training(training, weights)
        self._fit(in_one_order(training, weights), validation)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """(n_docs,) scores of the rows of X (n_docs, n_features): the higher, the nearer to the top.

        Raises
        ------
        NotFittedError
            before `fit`.
        ValueError
            when X has another number of features than `fit` saw, or a number that is not finite.
        """
        check_is_fitted(self)
        return self._scores(_checked_features(self, X, reset=False))

    @abstractmethod
    def _fit(self, training: OrderedLists, validation: OrderedLists | None) -> None:
        """Learn from checked input and set the fitted attributes."""

    @abstractmethod
    def _scores(self, features: np.ndarray) -> np.ndarray:
        """(n_docs,) scores of checked features."""

    def _check_training(self, training: Collection, weights: np.ndarray | None) -> None:
        """Refuse what only this ranker cannot learn from, with rows and queries numbered as they were given."""

    def _check_settings(self) -> None:
        for name, bound in self._above.items():
            value = getattr(self, name)
            if value is not None and not value > bound:
                raise ValueError(f"{type(self).__name__}: {name} is {value}, expected more than {bound}")
        per_grade, gains = getattr(self, "labels_per_grade", 1), getattr(self, "gains", None)
        if not per_grade >= 1 or per_grade % 1:
            raise ValueError(f"labels_per_grade is {per_grade}, expected a whole number of at least 1")
        if gains is not None and per_grade != 1:
            raise ValueError(f"labels_per_grade is {per_grade} and gains are given, expected one of the two")
        rising = np.asarray([0.0] if gains is None else gains, np.float64)
        if rising.ndim != 1 or not (np.isfinite(rising).all() and (np.diff(rising, prepend=-1e-300) > 0).all()):
            raise ValueError(f"gains is {gains}, expected numbers from 0 up that rise")

    def _check_labels(self, training: Collection) -> None:
        gains, highest = getattr(self, "gains", None), int(training.grades.max())
        if gains is not None and highest >= len(gains):
            raise ValueError(f"gains has {len(gains)} numbers, expected one of each label up to {highest}")

    def _kept(self, rounds: list) -> list:
        """The rounds up to the best by validation NDCG@10, or all without; `n_rounds_` is their number."""
        history = self.validation_ndcg_
        self.n_rounds_ = int(np.argmax(history)) + 1 if history else len(rounds)
        return rounds[: self.n_rounds_]

    def _goes_on(self, validation: OrderedLists, scores: np.ndarray, **fitted: Any) -> bool:
        """Keep what is fitted if an epoch's scores are the best so far, and say whether another is worth its time."""
        history = self.validation_ndcg_
        history.append(mean_ndcg(validation.labels, scores))
        best = int(np.argmax(history)) + 1
        if best == len(history):
            self.n_rounds_ = best
            vars(self).update(deepcopy(fitted))
        return len(history) - best < self.early_stopping


def mean_ndcg(collection: Collection, scores: np.ndarray) -> float:
    """Mean NDCG@10, by which rankers choose their rounds; queries without a relevant document count 0, never NaN."""
    return float(metrics.ndcg(collection.grades, scores, collection.offsets, 10, empty="zero").mean())


def gains_of(labels: np.ndarray, labels_per_grade: int = 1, gains: Sequence[float] | None = None) -> np.ndarray:
    """Gain of each label: 2^grade - 1 of grade label / labels_per_grade, or of these gains, float64 of its shape."""
    return metrics.gains(labels / labels_per_grade) if gains is None else np.asarray(gains, np.float64)[labels]


def relative_weights(weights: np.ndarray | None, n: int) -> np.ndarray:
    """(n,) weights divided by the largest, so that products of two stay in range; without any, 1 each."""
    return np.ones(n) if weights is None else weights / (weights.max() or 1.0)


def in_one_order(collection: Collection, weights: np.ndarray | None = None) -> OrderedLists:
    """The queries with their documents in an order that follows from these alone."""
    # by a hash of their features, which says nothing of their grades; where features are equal, by grade and weight;
    # where these are equal too, documents can be exchanged
    features = read_only(np.ascontiguousarray(collection.features))
    keys = [] if weights is None else [weights]
    order = np.lexsort((*keys, collection.grades, _hashes(features.view(np.uint32)), collection.query_index))
    labels = Collection(np.empty((collection.n_docs, 0), np.float32), collection.grades[order], collection.offsets)
    return OrderedLists(features, order.astype(np.uint32), labels, None if weights is None else weights[order])


def read_only(features: np.ndarray) -> np.ndarray:
    """The features, not to be written: arrays in memory and mapped files are then the same to numba, compiled once."""
    view = features.view(np.ndarray)
    view.flags.writeable = False
    return view


def as_they_stand(features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Features (n_docs, n_features), read-only, and (n_docs,) the numbers of their rows."""
    return read_only(features), np.arange(len(features), dtype=np.uint32)


def _checked_features(ranker: Ranker, X: np.ndarray, *y: np.ndarray, **options):
    """X as float32, and y if given; a number beyond float32 becomes infinite, and is refused as such."""
    with np.errstate(over="ignore"):
        return validate_data(ranker, X, *y, dtype=np.float32, order="C", **options)


def _checked_group(group: np.ndarray, n_docs: int) -> np.ndarray:
    group = np.asarray(group)
    if group.ndim != 1 or group.dtype.kind not in "iu" or (group < 1).any():
        raise ValueError(f"group is {group}, expected a number of documents, at least 1, for each query")
    if group.sum() != n_docs:
        raise ValueError(f"group adds up to {group.sum()} documents, expected the {n_docs} rows of X")
    return group


def _checked_weights(sample_weight: np.ndarray | None, n_docs: int) -> np.ndarray | None:
    if sample_weight is None:
        return None
    weights = check_array(sample_weight, dtype=np.float64, ensure_2d=False, input_name="sample_weight")
    if weights.shape != (n_docs,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n_docs},)")
    if (weights < 0).any():
        row = int(np.argmax(weights < 0))
        raise ValueError(f"sample_weight: row {row} has {weights[row]}, expected a number of at least 0")
    return weights


def _checked_validation(validation: Collection, n_features: int) -> Collection:
    if not isinstance(validation, Collection):
        raise ValueError(f"validation is a {type(validation).__name__}, expected a Collection")
    if validation.n_features != n_features:
        raise ValueError(f"validation has {validation.n_features} features, expected the {n_features} of X")
    features = check_array(validation.features, dtype=np.float32, order="C", input_name="validation")
    return Collection(features, validation.grades, validation.offsets)


@njit(cache=True)
def _hashes(words):
    """(n_rows,) hashes of the rows of 32-bit words (n_rows, n_words), each of which changes all 64 bits."""
    hashes = np.empty(len(words), np.uint64)
    for row in range(len(words)):
        value = _START
        for column in range(words.shape[1]):
            value = (value ^ np.uint64(words[row, column])) * _FACTOR
            value ^= value >> _HALF
        hashes[row] = value * _FACTOR
    return hashes
