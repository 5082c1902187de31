"""The marginal distribution of a feature, as a rising curve from a normal score to a value."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

LEVELS = np.concatenate([[0.001, 0.0025, 0.005], np.arange(1, 100) / 100, [0.995, 0.9975, 0.999]])
POINT_MASS = 0.005  # a value that this share of the documents has is a step of the curve
POOLED = 5  # documents behind the mean that stands for an extreme, and beyond the outermost quantile
FARTHEST = 4.5  # score that stands for infinity


def curve(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Knots (scores, values) of a marginal distribution: quantiles, and both ends of every point mass.

    >>> scores, values = curve(np.repeat([0.0, 1.0], 10))
    >>> values
    array([0., 0., 1., 1.])
    >>> scores + 0.0
    array([-4.5,  0. ,  0. ,  4.5])
    """
    ordered = np.sort(np.asarray(values, dtype=float))
    masses, low, high = _point_masses(ordered)
    levels = LEVELS[np.minimum(LEVELS, 1 - LEVELS) * len(ordered) >= POOLED]
    within_mass = ((levels[:, None] >= low) & (levels[:, None] <= high)).any(axis=1)
    levels = levels[~within_mass]
    ends, extremes = _extremes(ordered, low, high)
    shares = np.sort(np.concatenate([levels, low, high, ends]))
    knots = np.sort(np.concatenate([np.quantile(ordered, levels), masses, masses, extremes]))
    return score(shares), knots


def score(share: np.ndarray) -> np.ndarray:
    """The normal score that a share of the documents stays below, within ±FARTHEST."""
    return np.clip(ndtri(share), -FARTHEST, FARTHEST)


def ranges(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Share of documents below, and up to, the value of each document.

    Parameters
    ----------
    values : (n_docs,) of one feature

    >>> ranges(np.array([3.0, 1.0, 3.0, 3.0]))
    (array([0.25, 0.  , 0.25, 0.25]), array([1.  , 0.25, 1.  , 1.  ]))
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    upto = np.cumsum(counts) / len(values)
    return (upto - counts / len(values))[place], upto[place]


def _point_masses(ordered: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values that many documents share, with the share of documents below and up to each."""
    values, counts = np.unique(ordered, return_counts=True)
    upto = np.cumsum(counts) / len(ordered)
    heavy = counts >= max(POINT_MASS * len(ordered), POOLED)
    return values[heavy], (upto - counts / len(ordered))[heavy], upto[heavy]


def _extremes(ordered: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[list[float], list[float]]:
    """Ends of the curve, 0 or 1, that no point mass reaches, and the mean of the outermost documents there."""
    ends, extremes = [], []
    if not len(low) or low[0] > 0:
        ends.append(0.0)
        extremes.append(ordered[:POOLED].mean())
    if not len(high) or high[-1] < 1:
        ends.append(1.0)
        extremes.append(ordered[-POOLED:].mean())
    return ends, extremes
