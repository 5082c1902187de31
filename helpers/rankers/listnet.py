"""ListNet: a linear ranker whose probabilities of being first come near to those of the labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from helpers.datasets.collection import Collection
from helpers.rankers.base import OrderedLists, Ranker, as_they_stand, gains_of, relative_weights
from helpers.rankers.linear import TopOneLists, feature_scales, linear_scores, top_one_epoch, top_one_probabilities


@dataclass(eq=False, repr=False)
class ListNet(Ranker):
    """A linear ranker trained by gradient descent on the top-one cross entropy (Cao et al. 2007).

    A document with score s = w·x is the first of its query with probability exp(s) / sum of exp(s) over the query, and
    by its grade g with probability exp(g) / sum of exp(g). Each query is one step down the gradient of the cross
    entropy between the two, in a new random order in each epoch, from w = 0 on. Features count in units of their
    spread, the root mean square distance from their mean in the query, and one that never varies within a query is
    ignored.

    Parameters
    ----------
    learning_rate : length of a step, the same for every query and epoch
    epochs : most passes over the queries; without a validation collection, exactly that many
    early_stopping : stop when validation NDCG@10 has not risen for so many epochs, and keep the best epoch's weights
    random_state : seed of the order of the queries
    labels_per_grade, gains : as in `LambdaRank`; a label of gain v stands for the grade log2(1 + v)

    Raises
    ------
    ValueError
        as `Ranker.fit`.

    Notes
    -----
    A document of `sample_weight` v counts as v copies of it: its probabilities are v exp(s) and v exp(g), made to sum
    to 1. A query whose documents all weigh 0 is left out.

    Fitted attributes: `coef_` (n_features,) for features in their own units, `n_rounds_` (epochs that made them) and
    `validation_ndcg_` (by epoch).

    Examples
    --------
    One pair, its documents 1 below and 1 above their mean. The first step has the length of the rate: labels give the
    better one 1/(1 + e^-1) = .7311 of being first, w = 0 gives it .5, and the two differ by 2 in the feature.

    >>> ListNet(learning_rate=1, epochs=1).fit([[-1.0], [1.0]], [0, 1], group=[2]).coef_.round(4)
    array([0.4621])
    """

    _above: ClassVar = {"learning_rate": 0, "epochs": 0, "early_stopping": 0}

    learning_rate: float = 0.001
    epochs: int = 100
    early_stopping: int = 15
    random_state: int = 0
    labels_per_grade: int = 1
    gains: Sequence[float] | None = None

    def _fit(self, training: OrderedLists, validation: OrderedLists | None) -> None:
        rng, features, order = np.random.default_rng(self.random_state), training.features, training.order
        lists = self._lists(training.labels, training.weights)
        queries = np.flatnonzero(np.add.reduceat(lists.weights, lists.offsets[:-1]) > 0)
        rates = self.learning_rate * feature_scales(features, order, lists.weights, lists.offsets) ** 2
        coef = np.zeros(features.shape[1])
        self.coef_, self.n_rounds_, self.validation_ndcg_ = coef, self.epochs, []
        for _ in range(self.epochs):
            top_one_epoch(features, order, lists, rng.permutation(queries), coef, rates)
            if validation is not None:
                watched = linear_scores(validation.features, validation.order, coef)
                if not self._goes_on(validation, watched, coef_=coef):
                    break

    def _lists(self, labels: Collection, weights: np.ndarray | None) -> TopOneLists:
        """The labels as probabilities of being first."""
        offsets, weights = np.array(labels.offsets), relative_weights(weights, labels.n_docs)
        fine = self.gains is None
        grades = labels.grades / self.labels_per_grade if fine else np.log2(1 + gains_of(labels.grades, 1, self.gains))
        return TopOneLists(offsets, top_one_probabilities(grades, weights, offsets), weights)

    def _scores(self, features: np.ndarray) -> np.ndarray:
        return linear_scores(*as_they_stand(features), self.coef_)
