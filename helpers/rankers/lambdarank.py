"""LambdaRank: a two-layer net trained on lambda gradients, one step for each query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from helpers import checks, metrics
from helpers.datasets.collection import Collection
from helpers.rankers.base import OrderedLists, Ranker, as_they_stand, gains_of
from helpers.rankers.lambda_net import JudgedLists, initial_net, score_rows, train_epoch


@dataclass(eq=False, repr=False)
class LambdaRank(Ranker):
    """A net with one layer of tanh units and a linear output, trained on lambdas (Burges, Ragno and Le 2006).

    For each pair of documents of a query with grades l_i > l_j and scores s_i, s_j, the lambda

        |ΔNDCG@k| / (1 + exp(s_i - s_j)),    |ΔNDCG@k| = |(2^l_i - 2^l_j) (d_i - d_j)| / ideal DCG@k

    pushes i up and j down: RankNet's gradient times what swapping the two would change; d = 1/log2(1 + rank).
    Every query is one gradient step, in a new random order in each epoch; a query whose labels are all equal has no
    pair and changes nothing. Features are standardised by the training rows' mean and standard deviation, and one
    that is constant there is ignored.

    Parameters
    ----------
    hidden_units : number of tanh units
    learning_rate : length of a step, the same for every query and epoch
    epochs : most passes over the queries; without a validation collection, exactly that many
    k : cut-off of the NDCG that is improved; None is the whole list
    early_stopping : stop when validation NDCG@10 has not risen for so many epochs, and keep the best epoch's net
    random_state : seed of the initial weights and of the order of the queries
    labels_per_grade : how many training labels one grade is divided into: label l stands for grade
        l / labels_per_grade and has the gain 2^(l / labels_per_grade) - 1, so that the mean of k judges can be kept as
        the sum of their labels; validation grades are whole grades
    gains : gain of each label from 0 up, rising, in place of labels_per_grade, such as means of judges' gains

    Raises
    ------
    ValueError
        as `Ranker.fit`, and when k is no whole number of at least 1, or weights overflow.

    Notes
    -----
    `sample_weight` multiplies the lambda of a document, summed over its pairs, as in LightGBM. The output weights
    start at 0 and the hidden ones near it, so that the net begins as a linear ranker.

    Fitted attributes: `net_` (a `Net`), `n_rounds_` (epochs that made it) and `validation_ndcg_` (by epoch).

    Examples
    --------
    Two queries, and the document with the higher feature is the better one in both.

    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> scores = LambdaRank(epochs=5).fit(X, y, group=[2, 2]).predict(X)
    >>> bool(scores[0] < scores[1] and scores[2] < scores[3])
    True
    """

    _above: ClassVar = {"hidden_units": 0, "learning_rate": 0, "epochs": 0, "early_stopping": 0}

    hidden_units: int = 10
    learning_rate: float = 0.005
    epochs: int = 100
    k: int | None = None
    early_stopping: int = 15
    random_state: int = 0
    labels_per_grade: int = 1
    gains: Sequence[float] | None = None

    def _fit(self, training: OrderedLists, validation: OrderedLists | None) -> None:
        rng = np.random.default_rng(self.random_state)
        net = initial_net(training.features, training.order, self.hidden_units, rng)
        lists = judged_lists(training.labels, training.weights, self.k, self.labels_per_grade, self.gains)
        queries = np.flatnonzero(lists.lower[lists.offsets[:-1]] < lists.offsets[1:])
        self.net_, self.n_rounds_, self.validation_ndcg_ = net, self.epochs, []
        for _ in range(self.epochs):
            queue = rng.permutation(queries)
            train_epoch(training.features, training.order, lists, queue, net, self.learning_rate)
            if not (np.isfinite(net.hidden).all() and np.isfinite(net.output).all()):
                why = f"learning_rate {self.learning_rate} or a sample weight is too high"
                raise ValueError(f"LambdaRank: weights overflow, {why}")
            if validation is not None:
                watched = score_rows(validation.features, validation.order, net)
                if not self._goes_on(validation, watched, net_=net):
                    break

    def _scores(self, features: np.ndarray) -> np.ndarray:
        return score_rows(*as_they_stand(features), self.net_)


def judged_lists(
    collection: Collection,
    weights: np.ndarray | None,
    k: int | None,
    labels_per_grade: int = 1,
    gains: Sequence[float] | None = None,
) -> JudgedLists:
    """The collection's labels as the lambdas use them."""
    checks.cutoff("k", k)
    key = 128 * collection.query_index - collection.grades
    places = np.argsort(key, kind="stable").astype(np.uint32)
    ends = np.append(np.flatnonzero(np.diff(key[places])) + 1, len(places))
    lower = np.repeat(ends, np.diff(ends, prepend=0))
    discounts = metrics.discounts(int(collection.group.max()))
    if k is not None:
        discounts[int(min(k, len(discounts))) :] = 0
    worth = gains_of(collection.grades[places], labels_per_grade, gains)
    weights = np.ones(len(places)) if weights is None else weights[places]
    worth = _normalised_gains(worth, collection.offsets, discounts)
    return JudgedLists(places, collection.offsets, worth, lower, weights, discounts)


def _normalised_gains(gains: np.ndarray, offsets: np.ndarray, discounts: np.ndarray) -> np.ndarray:
    """Gains that fall within each query, divided by its ideal DCG; 0 where that is 0."""
    group = np.diff(offsets)
    rank = np.arange(len(gains)) - np.repeat(offsets[:-1], group)
    ideal = np.add.reduceat(gains * discounts[rank], offsets[:-1])
    return gains / np.repeat(np.where(ideal > 0, ideal, 1), group)
