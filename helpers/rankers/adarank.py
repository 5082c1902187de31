"""AdaRank: boosted features, over a distribution of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from helpers import checks
from helpers.datasets.collection import Collection
from helpers.rankers.base import OrderedLists, Ranker, mean_ndcg, relative_weights
from helpers.rankers.feature_orders import Measure, by_feature, by_scores, measure

_ROUNDING = 1e-9  # differences of measures below this are none
_METRICS = "MAP", "NDCG"


@dataclass(eq=False, repr=False)
class AdaRank(Ranker):
    """Boosting of single features as weak rankers, by their measure E on weighted queries (Xu and Li 2007).

    In each round, the feature x_k with the largest sum of P(q) E(q, x_k) over the queries q joins the scores s:

        s = s + alpha x_k,    alpha = 1/2 ln(sum P(q) (1 + E(q, x_k)) / sum P(q) (1 - E(q, x_k)))

    and P(q) is proportional to P_1(q) exp(-E(q, s)), so that badly ranked queries count more; at first all count the
    same. Printed like this, the algorithm chooses one strong feature again and again. So a feature that does not
    raise the training measure, sum of P_1(q) E(q, s), is taken back, and left out from then on.

    Parameters
    ----------
    metric : E, "MAP" (average precision, a grade of 1 or more is relevant) or "NDCG" (NDCG@10)
    rounds : most features that join; with a validation collection, as many are kept as its mean NDCG@10 is best with
    patience : stop when so many features in a row have been taken back, or all there are
    labels_per_grade, gains : as in `LambdaRank`; a label of gain 1 or more is relevant

    Raises
    ------
    ValueError
        as `Ranker.fit`, when metric is unknown, and when documents of a query have different sample weights.

    Notes
    -----
    As in the paper, a feature ranks by falling values only. Tied documents count with the mean E over all their
    orders. Queries for which E is the same in every order are left out. Where a feature is perfect, alpha is that of a
    weighted sum of 1 - 1e-9. Of equally good features, the first is chosen. `sample_weight` weighs queries: P_1(q) is
    proportional to the weight that all documents of q share.

    Fitted attributes: `features_` and `alphas_` of the rounds kept, `n_rounds_` and `validation_ndcg_`, by round.

    Examples
    --------
    Average precision is 1 for the second feature's order, whose alpha is 1/2 ln((2 - 1e-9) / 1e-9).

    >>> ranker = AdaRank().fit([[1.0, 0.0], [0.0, 1.0]], [0, 1], group=[2])
    >>> ranker.features_, ranker.alphas_.round(2)
    (array([1]), array([10.71]))
    """

    _above: ClassVar = {"rounds": 0, "patience": 0}

    metric: str = "MAP"
    rounds: int = 100
    patience: int = 5
    labels_per_grade: int = 1
    gains: Sequence[float] | None = None

    def _check_settings(self) -> None:
        super()._check_settings()
        checks.one_of("AdaRank: metric", self.metric, _METRICS)

    def _check_training(self, training: Collection, weights: np.ndarray | None) -> None:
        if weights is None:
            return
        of_query = weights[training.offsets[:-1]][training.query_index]
        if (weights != of_query).any():
            row = int((weights != of_query).argmax())
            found = f"row {row} has {weights[row]}, the first row of its query {of_query[row]}"
            raise ValueError(f"sample_weight: {found}: expected one weight in a query, as AdaRank weighs queries")

    def _fit(self, training: OrderedLists, validation: OrderedLists | None) -> None:
        labels, starts = training.labels, training.labels.offsets[:-1]
        of_query = None if training.weights is None else training.weights[starts]
        weights = relative_weights(of_query, labels.n_queries)
        judged = measure(labels, self.metric, self.labels_per_grade, self.gains)
        first, last = (extreme.reduceat(judged.gains, starts) for extreme in (np.minimum, np.maximum))
        weights = np.where(first < last, weights, 0.0)
        self.validation_ndcg_, chosen = [], []
        if weights.any():
            chosen = self._boost(training, judged, weights / weights.sum(), validation)
        kept = self._kept(chosen)
        self.features_ = np.array([feature for feature, _ in kept], dtype=np.int64)
        self.alphas_ = np.array([alpha for _, alpha in kept], dtype=np.float64)

    def _boost(
        self, training: OrderedLists, judged: Measure, initial: np.ndarray, validation: OrderedLists | None
    ) -> list[tuple[int, float]]:
        """Features and their alphas by round; initial (n_queries,) is P_1."""
        strengths = by_feature(training, judged)
        scores, watched = np.zeros(len(training.order)), np.zeros(0 if validation is None else len(validation.order))
        chosen, refused, in_a_row, distribution, reached = [], [], 0, initial, -1.0
        while len(chosen) < self.rounds and in_a_row < self.patience and len(refused) < len(strengths):
            weak = _strongest(strengths @ distribution, refused)
            raised = _added(scores, training.features[training.order, weak[0]], weak[1])
            values = by_scores(training.labels, judged, raised)
            if values @ initial <= reached + _ROUNDING:
                refused.append(weak[0])
                in_a_row += 1
                continue
            scores, reached, in_a_row = raised, values @ initial, 0
            distribution = initial * np.exp(-values)
            distribution /= distribution.sum()
            chosen.append(weak)
            if validation is not None:
                watched = _added(watched, validation.features[validation.order, weak[0]], weak[1])
                self.validation_ndcg_.append(mean_ndcg(validation.labels, watched))
        return chosen

    def _scores(self, features: np.ndarray) -> np.ndarray:
        scores = np.zeros(len(features))
        for feature, alpha in zip(self.features_, self.alphas_, strict=True):
            scores = _added(scores, features[:, feature], alpha)
        return scores


def _strongest(strengths: np.ndarray, refused: list[int]) -> tuple[int, float]:
    """The first of the best features, of weighted measures (n_features,), without those refused; and its alpha."""
    open_to = strengths.copy()
    open_to[refused] = -1
    feature = int(np.argmax(open_to > open_to.max() - _ROUNDING))
    return feature, float(np.arctanh(min(open_to[feature], 1 - _ROUNDING)))


def _added(scores: np.ndarray, column: np.ndarray, alpha: float) -> np.ndarray:
    return scores + alpha * column.astype(np.float64)
