"""LambdaMART, as LightGBM grows it: boosted regression trees on lambda gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import lightgbm as lgb
import numpy as np

from helpers.datasets.collection import Collection, taken
from helpers.rankers.base import OrderedLists, Ranker, gains_of, mean_ndcg

LONGEST_QUERY = 10_000  # LightGBM refuses more documents
_FIXED = {
    "objective": "lambdarank", "metric": "None", "num_threads": 1, "deterministic": True, "force_row_wise": True,
    "verbosity": -1,
}  # fmt: skip
_SETTINGS = "learning_rate", "num_leaves", "min_data_in_leaf", "lambdarank_truncation_level"  # named as LightGBM does


@dataclass(eq=False, repr=False)
class LambdaMART(Ranker):
    """Gradient boosted trees whose gradients are lambdas (Wu, Burges, Svore and Gao 2010), by LightGBM.

    One thread, deterministic, silent. Where nothing can be learned all scores are equal. With a validation collection,
    the trees up to its best NDCG@10 are used, the mean over all orders of tied documents: LightGBM's own keeps these
    in input order, and finds a nearly constant first tree perfect where the best documents stand first.

    Parameters
    ----------
    num_iterations, learning_rate, num_leaves, min_data_in_leaf : as in LightGBM
    lambdarank_truncation_level : pairs count that have a document among this many first; it is a number of list
        positions, so where a document stands k times in a list, it should be k times as high
    early_stopping : stop when validation NDCG@10 has not risen for so many trees
    random_state : seed of the rows from which LightGBM finds its bins; below 200,000 rows it takes all of them
    labels_per_grade, gains : as in `LambdaRank`

    Raises
    ------
    ValueError
        as `Ranker.fit`, and when a training query has more than 10,000 documents.

    Notes
    -----
    `sample_weight` multiplies the lambda of a document, summed over its pairs, and its second derivative.
    Fitted attributes: `booster_`, the LightGBM model, and `n_rounds_`, the trees in use.

    Examples
    --------
    In each of ten queries, the document with feature 1 is the better of two.

    >>> ranker = LambdaMART(num_iterations=5, min_data_in_leaf=5).fit([[0.0], [1.0]] * 10, [0, 1] * 10, [2] * 10)
    >>> low, high = ranker.predict([[0.0], [1.0]])
    >>> bool(low < high)
    True
    """

    _above: ClassVar = dict.fromkeys((*_SETTINGS, "num_iterations", "early_stopping"), 0) | {"num_leaves": 1}

    num_iterations: int = 300
    learning_rate: float = 0.1
    num_leaves: int = 31
    min_data_in_leaf: int = 20
    lambdarank_truncation_level: int = 30
    early_stopping: int = 25
    random_state: int = 0
    labels_per_grade: int = 1
    gains: Sequence[float] | None = None

    def _check_training(self, training: Collection, weights: np.ndarray | None) -> None:
        longest = int(training.group.argmax())
        if training.group[longest] > LONGEST_QUERY:
            found = f"query {longest} has {training.group[longest]} documents"
            raise ValueError(f"group: {found}, LightGBM takes at most {LONGEST_QUERY}")

    def _fit(self, training: OrderedLists, validation: OrderedLists | None) -> None:
        labels, params = training.labels, self._params(int(training.labels.grades.max()))
        features = taken(training.features, training.order)
        data = lgb.Dataset(features, labels.grades, group=labels.group, weight=training.weights, params=params)
        data.construct()
        del features  # it has its bins, a quarter of them

        def quality(scores: np.ndarray, _: lgb.Dataset) -> tuple[str, float, bool]:
            return "ndcg@10", mean_ndcg(validation.labels, scores[validation.order]), True

        watch = {}
        if validation is not None:  # binned as the training data
            stop = lgb.early_stopping(self.early_stopping, verbose=False)
            watch = {"valid_sets": [data.create_valid(validation.features)], "feval": quality, "callbacks": [stop]}
        self.booster_ = lgb.train(params, data, self.num_iterations, **watch)
        self.n_rounds_ = self.booster_.best_iteration or self.booster_.current_iteration()

    def _scores(self, features: np.ndarray) -> np.ndarray:
        return self.booster_.predict(features, num_iteration=self.n_rounds_, num_threads=1)

    def _params(self, highest_label: int) -> dict:
        """LightGBM's parameters; it knows the gains of whole grades below 31 only, so gains are spelled out."""
        gains = gains_of(np.arange(highest_label + 1), self.labels_per_grade, self.gains).tolist()
        settings = {name: getattr(self, name) for name in _SETTINGS}
        return _FIXED | settings | {"label_gain": gains, "seed": self.random_state}
