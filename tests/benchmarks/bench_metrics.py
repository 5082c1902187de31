"""nDCG of 2,000 queries of 120 documents beside scikit-learn, which averages ties too: time, and the same values."""

import numpy as np
import pytest
from sklearn.metrics import ndcg_score
from timing import best_in_turn

from helpers.datasets.collection import offsets_of
from helpers.metrics import ndcg

N_QUERIES, N_DOCS = 2000, 120
FASTER_THAN_SKLEARN = 5


@pytest.mark.parametrize("k", [None, 10])
@pytest.mark.parametrize("scores", ["untied", "tied"])
def test_ndcg_is_faster_than_sklearn_with_equal_values(scores, k):
    rng = np.random.default_rng(20)
    grades = rng.integers(5, size=(N_QUERIES, N_DOCS))
    scored = rng.normal(size=grades.shape).round(1 if scores == "tied" else 15)
    gains = 2.0**grades - 1
    flat = grades.ravel(), scored.ravel(), offsets_of(np.full(N_QUERIES, N_DOCS))

    assert ndcg(*flat, k).mean() == pytest.approx(ndcg_score(gains, scored, k=k), abs=1e-9)  # compiles
    ours, theirs = best_in_turn(10, lambda: ndcg(*flat, k), lambda: ndcg_score(gains, scored, k=k))
    print(f"\n{scores}, k = {k}: metrics.ndcg {1e3 * ours:.1f} ms, scikit-learn {1e3 * theirs:.1f} ms", end="")
    print(f", {theirs / ours:.1f} times as fast")
    assert theirs / ours >= FASTER_THAN_SKLEARN
