"""What a scheme costs and collects, by the moments of how likely a judge says Good or above, or of labels at hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import comb

from helpers.judging.schemes.collecting import ASK_IF_GOOD, GOOD, UNLIMITED, Scheme, checked, collect, costs, parse

OWN = (
    "baseline",
    "3-overlap",
    "mv3",
    "highest-3",
    "if-good-2",
    "if-good-3",
    "if-good-x3",
    "good-till-bad",
    "gain-3",
    "dawid-skene-3",
)


def moments(labels: np.ndarray, *, good: int = GOOD) -> np.ndarray:
    """(n_judges,) m_1, m_2, …: the chance that t judges of a pair, drawn without replacement, all say Good or above.

    A pair with g such labels among n says so with probability C(g, t) / C(n, t), and m_t is the mean over pairs. Where
    judges are exchangeable and a pair's chance of such a label is p, it estimates E[p^t] without bias. Where pairs have
    more labels or fewer, m_t is m_(t-1) times the ratio of the two means over pairs of at least t labels: right where
    the number of a pair's labels has nothing to do with what they say, too high where good ones were asked again.

    Parameters
    ----------
    labels : (n_docs, n_judges), -1 where there is no label
    good : lowest grade of "Good or above"

    Examples
    --------
    One pair with two such labels of three, one with none: m_1 = (2/3 + 0) / 2, m_2 = (1/3 + 0) / 2.

    >>> moments([[3, 2, 1], [0, 0, 1]]).round(4)
    array([0.3333, 0.1667, 0.    ])
    """
    labels, _ = checked(labels)
    given, found = (labels >= 0).sum(axis=1), (labels >= good).sum(axis=1)
    kinds, pairs = np.unique(np.stack([given, found]), axis=1, return_counts=True)
    known = [1.0]
    for t in range(1, int(given.max()) + 1):
        enough = kinds[0] >= t
        (n, g), weights = kinds[:, enough], pairs[enough]
        before, now = (weights @ (comb(g, size) / comb(n, size)) for size in (t - 1, t))
        known.append(known[-1] * now / before if before else 0.0)
    return np.array(known[1:])


def expected_cost(scheme: str, moments: np.ndarray) -> float:
    """Labels a pair that a scheme buys where there are enough, on average over the order in which judges are asked.

    if-good-k and if-good-gain-k buy 1 + (k - 1) m_1; good-till-bad asks judge t + 1 where t said Good or above, so at
    most k it buys 1 + m_1 + … + m_(k-1); any other scheme buys a fixed number. Yang et al. 2010, section 5.2, has the
    first in another form, n/(r + 1) + nrk/(r + 1) with m_1 = r/(r + 1), and for the second the same as an upper bound.

    Parameters
    ----------
    scheme : as in `collect`
    moments : (n,) m_1, …, m_n as `moments` gives them; without a limit, good-till-bad has that of n judges

    Raises
    ------
    ValueError
        when there is no such scheme, moments are not probabilities that fall, or more of them are needed.

    Examples
    --------
    With a chance of one half for every pair m_t = 1/2^t: 1 + 2/2, and 1 + 1/2 + 1/4.

    >>> expected_cost("if-good-3", [0.5, 0.25]), expected_cost("good-till-bad-3", [0.5, 0.25])
    (2.0, 1.75)
    """
    settings, moments = parse(scheme), _checked_moments(moments)
    if settings.kind in ASK_IF_GOOD:
        return float(1 + (settings.k - 1) * moments[0])
    if settings.kind == "till-bad":
        return float(1 + _up_to(moments, _most(settings, moments) - 1).sum())
    return float(settings.k)


def cost_among_many(scheme: str, moments: np.ndarray) -> tuple[float, bool]:
    """Labels a pair that a scheme buys where judges are as many as it asks, and whether that is only a lower limit.

    As `expected_cost`, but good-till-bad goes on behind the judges whose labels there are. From m_1, …, m_n its cost is
    at least 1 + m_1 + … + m_n, and no more than that where m_n is 0: nobody would be asked further.
    """
    settings, moments = parse(scheme), _checked_moments(moments)
    known = len(moments) + 1
    if settings.kind != "till-bad" or settings.k <= known:
        return expected_cost(scheme, moments), False
    return expected_cost(f"good-till-bad-{known}", moments), bool(moments[-1] > 0)


def expected_good_share(scheme: str, moments: np.ndarray) -> float:
    """Share of Good or above among the training labels of a scheme, by weight; ValueError where moments do not tell."""
    settings, moments = parse(scheme), _checked_moments(moments)
    k, first = settings.k, moments[0]
    if settings.kind == "overlap":
        return float(first)
    if settings.kind == "weighted":
        return float(settings.weight * first / (1 + (settings.weight - 1) * first))
    if settings.kind == "if-good":
        return float((first + (k - 1) * _up_to(moments, min(k, 2))[-1]) / (1 + (k - 1) * first))
    if settings.kind == "till-bad":
        most = _most(settings, moments)
        return float(_up_to(moments, most).sum() / (1 + _up_to(moments, most - 1).sum()))
    if settings.kind == "highest":
        j = np.arange(1, k + 1)  # E[1 - (1 - p)^k]: not all k judges say less
        return float(((-1.0) ** (j + 1) * comb(k, j) * _up_to(moments, k)).sum())
    raise ValueError(f"scheme is {scheme!r}, whose share of Good or above is no sum of moments")


def _most(scheme: Scheme, moments: np.ndarray) -> int:
    return len(moments) if scheme.k == UNLIMITED else scheme.k


def _up_to(moments: np.ndarray, n: int) -> np.ndarray:
    if n > len(moments):
        raise ValueError(f"moments has {len(moments)} numbers, expected m_1 to m_{n}")
    return moments[:n]


def _checked_moments(moments: np.ndarray) -> np.ndarray:
    moments = np.asarray(moments, dtype=np.float64)
    if moments.ndim != 1 or not len(moments) or not np.all(np.diff(moments, prepend=1, append=0) <= 1e-9):
        raise ValueError(f"moments is {moments.tolist()}, expected m_1, m_2, … that fall from at most 1 to at least 0")
    return moments


def own_costs(
    labels: np.ndarray, judges: np.ndarray, rng: np.random.Generator | None, *, good: int = GOOD
) -> pd.DataFrame:
    """What each scheme of OWN would have bought of these labels, and what it costs where judges are as many as it asks.

    Parameters
    ----------
    labels, judges : (n_pairs, m) grades and who gave them, -1 where a pair has fewer, as `judgments.Coded.labels`
    rng : draws the order in which judges are asked; None asks them in the order of the file
    good : lowest grade of "Good or above"

    Returns
    -------
    frame setting, bought (labels), labels (a pair), expected (a pair), at_least, instances (a pair), fair_to_good
        expected and at_least are those of `cost_among_many`: where at_least is True pairs have too few labels to say
        more than that a scheme costs at least so much

    Examples
    --------
    >>> labels, judges = np.array([[3, 2, 0], [1, -1, -1]]), np.array([[0, 1, 2], [0, -1, -1]])
    >>> own_costs(labels, judges, None).set_index("setting").loc[["if-good-2", "if-good-3"], "bought"].tolist()
    [3, 4]
    """
    known = moments(labels, good=good)
    rows = []
    for setting in OWN:
        sample = collect(setting, labels, rng, judges=judges, good=good)
        expected, at_least = cost_among_many(setting, known)
        row = {"setting": setting, "bought": sample.labels_bought, "expected": expected, "at_least": at_least}
        rows.append(row | costs(sample, good))
    return pd.DataFrame(rows)[["setting", "bought", "labels", "expected", "at_least", "instances", "fair_to_good"]]
