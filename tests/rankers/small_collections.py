"""Small collections for the tests of rankers."""

import itertools

import numpy as np
from hypothesis import strategies as st

from helpers.datasets.collection import Collection, offsets_of
from helpers.rankers.base import OrderedLists, as_they_stand


@st.composite
def collections(draw, longest=7, queries=5):
    """With queries of one document, equal labels, tied and constant features."""
    group = draw(st.lists(st.integers(1, longest), min_size=1, max_size=queries))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n_docs, n_features = sum(group), draw(st.integers(1, 4))
    features = rng.integers(0, draw(st.integers(1, 9)), size=(n_docs, n_features)) * 0.75
    grades = rng.integers(0, draw(st.integers(1, 5)), size=n_docs)
    return Collection(features, grades, offsets_of(group))


@st.composite
def weighted_collections(draw):
    """A collection as above, and weights of its documents, some of them 0, or None."""
    collection = draw(collections())
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n_docs = collection.n_docs
    return collection, rng.random(n_docs) * (rng.random(n_docs) < 0.9) if draw(st.booleans()) else None


def as_given(collection, weights=None):
    """The documents as a ranker gets them, but in the order in which they stand."""
    return OrderedLists(*as_they_stand(collection.features), collection, weights)


def judged(rng, n_queries=20):
    """Queries of 15 documents with features of very different spreads, the first of which tells the grade."""
    features = rng.normal(size=(15 * n_queries, 4)) * [1, 100, 0.01, 1]
    grades = np.digitize(features[:, 0] + rng.normal(size=len(features)), [0, 1, 2])
    return Collection(features, grades, offsets_of(np.full(n_queries, 15)))


def fitted(ranker, collection, sample_weight=None, validation=None):
    """The ranker, trained on a collection."""
    return ranker.fit(
        collection.features, collection.grades, collection.group, sample_weight=sample_weight, validation=validation
    )


def tied_by_rounding(scores, inputs):
    """Whether documents that differ have scores which only rounding tells apart, so that their order is anybody's."""
    pairs = itertools.combinations(range(len(scores)), 2)
    return any(abs(scores[i] - scores[j]) < 1e-9 and any(inputs[i] != inputs[j]) for i, j in pairs if np.any(scores))


def literal_scales(collection, weights):
    """1 / the spread within queries of each feature, 0 for one that does not vary there."""
    squares = np.zeros(collection.n_features)
    for start, stop in itertools.pairwise(collection.offsets):
        x, v = collection.features[start:stop].astype(float), weights[start:stop]
        if v.sum() > 0:
            squares += v @ (x - np.average(x, axis=0, weights=v)) ** 2
    spreads = np.sqrt(squares / (weights.sum() or 1.0))
    return np.where(spreads > 1e-12, 1 / np.where(spreads > 1e-12, spreads, 1), 0)
