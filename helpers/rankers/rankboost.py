"""RankBoost: boosted thresholds on single features, over a distribution of pairs that is never written out."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from helpers.datasets.collection import Collection
from helpers.rankers.base import Ranker, mean_ndcg, relative_weights
from helpers.rankers.boosting_scan import BINS, JudgedDocuments, bin_numbers, potentials, strongest
from helpers.rankers.row_order import OrderedLists

ROUNDING = 1e-12  # r nearer than this to 0 counts as 0, nearer to 1 as 1


class RankBoost(Ranker):
    """Boosting of weak rankers that are 1 where a feature exceeds a threshold, else 0 (Freund et al. 2003).

    The distribution D lies on the pairs of documents i, j of a query with grades l_i > l_j; at first all weigh the
    same. In each round, the weak ranker h with the largest r, where

        r = sum over pairs D(i, j) (h(i) - h(j)),    alpha = 1/2 ln((1 + r) / (1 - r))        (the "third method")

    is added to the scores, times alpha, and D(i, j) is proportional to exp(s_j - s_i) of the new scores s. This is a
    product of a factor for i and one for j, so that r of all weak rankers follows from sums by grade and by feature
    value, in time proportional to the documents.

    Parameters
    ----------
    rounds : most weak rankers; with a validation collection, as many are kept as its mean NDCG@10 is best with
    both_directions : whether the largest |r| is chosen, so that high values may also push documents down; else
        scores rise with every feature, which on most LETOR collections ranks new queries better

    Raises
    ------
    ValueError
        as `Ranker.fit`.

    Notes
    -----
    Thresholds are all values of a feature on the training rows but the largest, or, of more than 256 values, those
    that divide the rows into 256 parts of equal size as nearly as ties allow. Boosting ends before its time when no
    weak ranker has an edge (r = 0; scores are all 0 if that is so at once), and when one is right about all pairs
    (r = 1), whose alpha would be infinite and is that of r = 1 - 1e-12.

    `sample_weight`: a document of weight w counts as w copies of it, so that a pair weighs the product of the two. Of
    labels only the order matters, so that they may be finer than grades.

    Fitted attributes: `features_`, `thresholds_` and `alphas_` of the weak rankers kept, `n_rounds_`, their number,
    and `validation_ndcg_`, by round.

    Examples
    --------
    One pair of documents; the threshold 0 parts them.

    >>> ranker = RankBoost().fit([[0.0], [1.0]], [0, 1], group=[2])
    >>> ranker.thresholds_, ranker.predict([[0.0], [1.0]]).round(2)
    (array([0.], dtype=float32), array([ 0.  , 14.16]))
    """

    _above: ClassVar = {"rounds": 0}

    def __init__(self, rounds: int = 300, both_directions: bool = False):
        self.rounds = rounds
        self.both_directions = both_directions

    def _fit(self, training: OrderedLists, validation: OrderedLists | None) -> None:
        thresholds, bins = binned(training.features, training.order)
        documents = judged_documents(training.labels, training.weights)
        scores, watched = np.zeros(bins.shape[1]), np.zeros(0 if validation is None else len(validation.order))
        chosen, self.validation_ndcg_ = [], []
        while len(chosen) < self.rounds:
            feature, t, r = strongest(bins, potentials(scores, documents), self.both_directions)
            if abs(r) < ROUNDING:
                break
            weak = feature, thresholds[feature][t], np.arctanh(np.clip(r, ROUNDING - 1, 1 - ROUNDING))
            chosen.append(weak)
            scores += weak[2] * (bins[feature] > t)
            if validation is not None:
                _add(watched, validation.features[validation.order, feature], *weak[1:])
                self.validation_ndcg_.append(mean_ndcg(validation.labels, watched))
            if abs(r) > 1 - ROUNDING:
                break
        kept = self._kept(chosen)
        self.features_ = np.array([feature for feature, _, _ in kept], dtype=np.int64)
        self.thresholds_ = np.array([threshold for _, threshold, _ in kept], dtype=np.float32)
        self.alphas_ = np.array([alpha for _, _, alpha in kept], dtype=np.float64)

    def _scores(self, features: np.ndarray) -> np.ndarray:
        scores = np.zeros(len(features))
        for feature, *weak in zip(self.features_, self.thresholds_, self.alphas_, strict=True):
            _add(scores, features[:, feature], *weak)
        return scores


def _add(scores: np.ndarray, column: np.ndarray, threshold: np.float32, alpha: float) -> None:
    scores += alpha * (column > threshold)


def binned(features: np.ndarray, order: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Thresholds of each feature, rising, and (n_features, n_docs) uint8, how many of them each value exceeds.

    Parameters
    ----------
    features : (n_docs, n_features)
    order : (n_docs,) row of each document

    >>> binned(np.array([[3.0], [1.0], [2.0], [1.0]], dtype=np.float32), np.array([3, 2, 1, 0]))
    ([array([1., 2.], dtype=float32)], array([[0, 1, 0, 2]], dtype=uint8))
    """
    thresholds, bins = [], np.empty(features.shape[::-1], dtype=np.uint8)
    for feature, numbers in enumerate(bins):
        column = features[order, feature]
        thresholds.append(_thresholds(column))
        bin_numbers(column, thresholds[-1], numbers)
    return thresholds, bins


def _thresholds(column: np.ndarray) -> np.ndarray:
    ordered = np.sort(column)
    distinct = np.unique(ordered)
    if len(distinct) > BINS:
        quantiles = ordered[np.arange(1, BINS) * len(ordered) // BINS - 1]
        distinct = np.append(np.unique(quantiles[quantiles < distinct[-1]]), distinct[-1])
    return distinct[:-1]


def judged_documents(collection: Collection, weights: np.ndarray | None) -> JudgedDocuments:
    """The collection's labels as the pair distribution uses them; weights (n_docs,), or None for 1."""
    levels, grades = np.unique(collection.grades, return_inverse=True)
    weights = relative_weights(weights, collection.n_docs)
    return JudgedDocuments(grades.astype(np.uint8), len(levels), weights, np.array(collection.offsets))
