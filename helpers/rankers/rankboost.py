"""RankBoost: boosted thresholds on single features, over a distribution of pairs that is never written out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit

from helpers.rankers.base import OrderedLists, Ranker, mean_ndcg
from helpers.rankers.rank_pairs import graded_lists

_BINS = 256  # so many values are distinguished in a feature: what a byte can number
_LOWEST = -600.0  # a score further below its query's best counts as this, so that no exponential is 0 or infinite
_ROUNDING = 1e-12  # r nearer than this to 0 counts as 0, nearer to 1 as 1


@dataclass(eq=False, repr=False)
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
    that divide the rows into 256 parts of equal size as nearly as ties allow. Boosting ends when no weak ranker has an
    edge (r = 0), and when one is right about all pairs (r = 1), whose alpha is that of r = 1 - 1e-12. A document of
    `sample_weight` w counts as w copies of it. Of labels only the order matters.

    Fitted attributes: `features_`, `thresholds_` and `alphas_` of the weak rankers kept, `n_rounds_` and
    `validation_ndcg_`, by round.

    Examples
    --------
    One pair of documents; the threshold 0 parts them.

    >>> ranker = RankBoost().fit([[0.0], [1.0]], [0, 1], group=[2])
    >>> ranker.thresholds_, ranker.predict([[0.0], [1.0]]).round(2)
    (array([0.], dtype=float32), array([ 0.  , 14.16]))
    """

    _above: ClassVar = {"rounds": 0}

    rounds: int = 300
    both_directions: bool = False

    def _fit(self, training: OrderedLists, validation: OrderedLists | None) -> None:
        thresholds, bins = _binned(training.features, training.order)
        documents = graded_lists(training.labels, training.weights)
        scores, watched = np.zeros(bins.shape[1]), np.zeros(0 if validation is None else len(validation.order))
        chosen, self.validation_ndcg_ = [], []
        while len(chosen) < self.rounds:
            feature, t, r = _strongest(bins, _potentials(scores, documents), self.both_directions)
            if abs(r) < _ROUNDING:
                break
            weak = feature, thresholds[feature][t], np.arctanh(np.clip(r, _ROUNDING - 1, 1 - _ROUNDING))
            chosen.append(weak)
            scores += weak[2] * (bins[feature] > t)
            if validation is not None:
                _add(watched, validation.features[validation.order, feature], *weak[1:])
                self.validation_ndcg_.append(mean_ndcg(validation.labels, watched))
            if abs(r) > 1 - _ROUNDING:
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


def _binned(features: np.ndarray, order: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Thresholds of each feature, rising, and (n_features, n_docs) uint8, how many of them each value exceeds."""
    thresholds, bins = [], np.empty(features.shape[::-1], dtype=np.uint8)
    for feature, numbers in enumerate(bins):
        column = features[order, feature]
        thresholds.append(_thresholds(column))
        numbers[:] = np.searchsorted(thresholds[-1], column)
    return thresholds, bins


def _thresholds(column: np.ndarray) -> np.ndarray:
    ordered = np.sort(column)
    distinct = np.unique(ordered)
    if len(distinct) > _BINS:
        quantiles = ordered[np.arange(1, _BINS) * len(ordered) // _BINS - 1]
        distinct = np.append(np.unique(quantiles[quantiles < distinct[-1]]), distinct[-1])
    return distinct[:-1]


# compiled; no sum is reordered (no fastmath, one thread), so equal input gives equal weak rankers, bit for bit


@njit(cache=True, error_model="numpy")
def _potentials(scores, documents):
    """(n_docs,) share of the pair distribution in which a document is the better one, less that in which the worse."""
    values, total = np.empty(len(scores)), 0.0
    for q in range(len(documents.offsets) - 1):
        part = slice(documents.offsets[q], documents.offsets[q + 1])
        total += _query_potentials(
            scores[part], documents.levels[part], documents.weights[part], documents.n_levels, values[part]
        )
    return values / total if total > 0 else np.zeros(len(scores))


@njit(cache=True, error_model="numpy")
def _query_potentials(scores, grades, weights, n_grades, values):
    """Fill the potentials of a query before they are normalised, and return the weight of all its pairs."""
    # a pair with grades l_i > l_j weighs w_i exp(-s_i) * w_j exp(s_j), a product: sums of both factors by grade do
    rising, falling, best = np.empty(len(scores)), np.empty(len(scores)), scores.max()
    above, below = np.zeros(n_grades), np.zeros(n_grades)
    for d in range(len(scores)):
        strength = np.exp(max(scores[d] - best, _LOWEST))
        rising[d], falling[d] = weights[d] * strength, weights[d] / strength
        above[grades[d]] += falling[d]
        below[grades[d]] += rising[d]
    total = _to_strict_sums(above, below)
    for d in range(len(scores)):
        values[d] = falling[d] * below[grades[d]] - rising[d] * above[grades[d]]
    return total


@njit(cache=True, error_model="numpy")
def _to_strict_sums(above, below):
    """Turn sums by grade into sums over all higher and over all lower grades; return the sum over pairs of grades."""
    total, lower, higher = 0.0, 0.0, 0.0
    for grade in range(len(below)):
        total += above[grade] * lower
        below[grade], lower = lower, lower + below[grade]
    for grade in range(len(above) - 1, -1, -1):
        above[grade], higher = higher, higher + above[grade]
    return total


@njit(cache=True, error_model="numpy")
def _strongest(bins, potentials, both_directions):
    """Feature, threshold number t and r of the weak ranker with the largest r, or |r|: 1 for bins above t, else 0."""
    feature, threshold, strength = 0, 0, 0.0
    for first in range(0, len(bins), 4):
        histograms = _histograms(bins[first : first + 4], potentials)
        for f in range(min(4, len(bins) - first)):
            r = 0.0
            for t in range(_BINS - 2, -1, -1):
                r += histograms[f, t + 1]
                if (abs(r) if both_directions else r) > abs(strength):
                    feature, threshold, strength = first + f, t, r
    return feature, threshold, strength


@njit(cache=True, error_model="numpy")
def _histograms(bins, potentials):
    """(4, _BINS) sums of the potentials in each bin of up to four features: at once, in half the time of one by one."""
    sums, last = np.zeros((4, _BINS)), len(bins) - 1
    first, second, third, fourth = bins[0], bins[min(1, last)], bins[min(2, last)], bins[last]
    of_first, of_second, of_third, of_fourth = sums[0], sums[1], sums[2], sums[3]
    for d in range(len(potentials)):
        potential = potentials[d]
        of_first[first[d]] += potential
        of_second[second[d]] += potential
        of_third[third[d]] += potential
        of_fourth[fourth[d]] += potential
    return sums
