"""A collection from which every ranker learns something."""

import numpy as np

from helpers.datasets.collection import Collection, offsets_of


def easy(rng, n_queries=40, n_docs=10):
    """Grades that follow the first of three features."""
    features = rng.random((n_queries * n_docs, 3))
    return Collection(features, np.digitize(features[:, 0], [0.6, 0.9]), offsets_of([n_docs] * n_queries), name="toy")
