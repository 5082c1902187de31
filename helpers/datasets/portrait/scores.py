"""Normal scores of feature values, with ties broken as the other features suggest."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from helpers.datasets.portrait.curves import POINT_MASS, ranges, score

SWEEPS = 10
RIDGE = 1e-3  # keeps the precision matrix finite where one feature repeats another


def normal_scores(
    features: np.ndarray, context: np.ndarray, graded: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Latent scores (n_docs, n_features) whose order within a feature agrees with that of its values.

    A document among many with the same value, zero say, could have any score of a range. It is drawn from that range
    given the document's other scores, feature by feature, as in the extended rank likelihood of Hoff (2007): a
    document whose title holds no query word is low in every feature of the title.

    Parameters
    ----------
    features : (n_docs, n_features)
    context : (n_docs, any) columns known of each document, here its grade
    graded : (n_features,) mask of the features whose ties are to be broken; the others score the middle
    rng : draws the scores of tied documents
    """
    low, high = (np.column_stack(side) for side in zip(*map(ranges, features.T), strict=True))
    scores = ndtri((low + high) / 2)
    known = np.column_stack([scores, context - context.mean(axis=0)])
    tied = [np.flatnonzero(high[:, j] - low[:, j] >= POINT_MASS) for j in range(features.shape[1])]
    limits = [score(np.array([low[rows, j], high[rows, j]])) for j, rows in enumerate(tied)]
    for _ in range(SWEEPS):
        precision = np.linalg.inv(np.cov(known.T, bias=True) + RIDGE * np.eye(known.shape[1]))
        for j in np.flatnonzero(graded):
            known[tied[j], j] = _redrawn(known[tied[j]], j, precision[j], limits[j], rng)
    return known[:, : features.shape[1]]


def _redrawn(
    known: np.ndarray, j: int, precision: np.ndarray, limits: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Column j drawn from its normal distribution given the other columns, cut off at the limits."""
    spread = precision[j] ** -0.5
    centre = known[:, j] - known @ precision / precision[j]
    low, high = ndtr((limits - centre) / spread)
    drawn = centre + spread * ndtri(np.clip(low + (high - low) * rng.random(len(known)), 1e-9, 1 - 1e-9))
    return np.clip(drawn, *limits)
