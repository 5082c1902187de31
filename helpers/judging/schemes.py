"""Labelling schemes: their names, what each buys of the labels that there are, what rankers train on, what it costs.

Label matrices are (n_docs, n_judges) grades from 0 that judges give to pairs of query and document, -1 where none.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import comb

from helpers.judging.aggregates import aggregate, checked_labels, mean, rounded
from helpers.judging.aggregates import dawid_skene as dawid_skene

GOOD = 2
"""The lowest grade of "Good or above" on Yang's scale from 0 (Bad) to 4 (Perfect)."""

PAPER = (
    "baseline",
    "3-overlap",
    "11-overlap",
    "mv3",
    "mv11",
    "highest-3",
    "if-good-3",
    "if-good-x3",
    "good-till-bad",
)
"""The nine settings of Yang et al. 2010, section 6.3."""

UNLIMITED = sys.maxsize
KINDS = {
    "baseline": "overlap",
    "k-overlap": "overlap",
    "mvk": "majority",
    "highest-k": "highest",
    "gain-k": "gain",
    "round-k": "round",
    "dawid-skene-k": "dawid-skene",
    "if-good-k": "if-good",
    "if-good-gain-k": "if-good-gain",
    "if-good-xθ": "weighted",
    "good-till-bad": "till-bad",
    "good-till-bad-k": "till-bad",
}
"""Name of a scheme, with a number for k or θ -> what kind of scheme it is."""

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
"""What is computed of a reader's own labels."""

ASK_IF_GOOD = ("if-good", "if-good-gain")
"""Kinds that ask k - 1 judges more where the first says Good or above."""

GAINED = ("gain", "if-good-gain")
"""Kinds whose training label stands for the mean gain of a pair's labels."""

AGGREGATED = {"majority": "majority", "highest": "highest", "round": "mean", "dawid-skene": "Dawid-Skene"}
"""Kinds that make one training label of those of a pair -> the rule of `aggregates`; others train on each of them."""


class Scheme(NamedTuple):
    """A labelling scheme: its kind, of KINDS; k, most labels of one pair; the weight of Good or above."""

    kind: str
    k: int
    weight: float = 1.0


def current(name: str) -> str:
    """The scheme that took the place of mean-k and if-good-mean-k, as stored rows still have it; any other as it is."""
    return re.sub(r"^(if-good-)?mean-(?=\d+\Z)", r"\1gain-", name, flags=re.ASCII)


def parse(name: str) -> Scheme:
    """The scheme of that name; ValueError when there is none, or it would ask no judge."""
    for pattern, kind in KINDS.items():
        pattern = re.sub("^k|k$", r"(?P<k>\\d+)", pattern).replace("θ", r"(?P<weight>\d+(\.\d+)?)")
        if match := re.fullmatch(pattern, name, re.ASCII):
            found = match.groupdict()
            k = int(found.get("k", UNLIMITED if kind == "till-bad" else 1))
            weight = float(found.get("weight", 1))
            if 0 < k <= UNLIMITED and weight > 0:
                return Scheme(kind, k, weight)
    if current(name) != name:
        raise ValueError(f"scheme is {name!r}, which is now {current(name)}: the mean gain, not the gain of the mean")
    *names, last = KINDS
    raise ValueError(f"scheme is {name!r}, expected {', '.join(names)} or {last} with a number for k or θ")


@dataclass(frozen=True, eq=False)
class LabelSample:
    """What a scheme bought, and the training instances that it makes of it.

    Attributes
    ----------
    rows : (n_instances,) the pair of each training instance, in rising order
    grades : (n_instances,) int8, its training label
    weights : (n_instances,) its training weight
    labels_bought : labels of all pairs together
    bought : (n_docs,) labels of each pair
    gains : (n_labels,) gain that each training label stands for; None for 2^grade - 1

    Examples
    --------
    A gain of 3 is that of grade 2, as 2^2 - 1 = 3.

    >>> two = np.arange(2)
    >>> LabelSample(rows=two, grades=two, weights=np.ones(2), labels_bought=3, bought=1 + two, gains=(0, 3)).meant
    array([0., 2.])
    """

    rows: np.ndarray
    grades: np.ndarray
    weights: np.ndarray
    labels_bought: int
    bought: np.ndarray
    gains: tuple[float, ...] | None = None

    @property
    def meant(self) -> np.ndarray:
        """(n_instances,) the grade that each training label stands for, fractions too: of a gain v, log2(1 + v)."""
        if self.gains is None:
            return self.grades
        return np.log2(1 + np.asarray(self.gains))[self.grades]


def collect(
    scheme: str,
    labels: np.ndarray,
    rng: np.random.Generator | None,
    *,
    judges: np.ndarray | None = None,
    good: int = GOOD,
) -> LabelSample:
    """Training labels by a scheme of Yang et al. 2010, or one that is not in it.

    Of every pair the judges are asked in random order; the first label is the one that the baseline has. A scheme with
    the same seed asks the same judges first, so that schemes can be compared on the same labels.

    ===================  ==========================================  =======================================
    scheme               buys of a pair                              trains on
    ===================  ==========================================  =======================================
    baseline             1 label                                     it
    k-overlap            k                                           all of them, an instance each
    mvk                  k                                           their majority vote
    highest-k            k                                           the highest
    if-good-k            1, and k - 1 more if it is Good or above    all of them, an instance each
    if-good-xθ           1                                           it, with weight θ if Good or above
    good-till-bad        until one is below Good                     all of them, an instance each
    good-till-bad-k      the same, at most k                         the same
    gain-k               k                                           their mean gain, exactly
    if-good-gain-k       as if-good-k                                the same
    round-k              k                                           their mean, rounded, halves up
    dawid-skene-k        k                                           the most probable grade (`dawid_skene`)
    ===================  ==========================================  =======================================

    The labels of gain-k and if-good-gain-k are numbers of the mean gains that occur, from the lowest: see `gains`.

    Where a pair has fewer labels than a scheme asks for, all of them are bought, and no more.

    Parameters
    ----------
    scheme : a name of this table, with any numbers for k and θ
    labels : (n_docs, n_judges) whole numbers from 0, -1 where there is no label; every pair has one
    rng : draws the order of the judges of every pair; None asks them in the order of the columns
    judges : (n_docs, n_judges) who gives each label, for dawid-skene-k; None where a column is a judge
    good : lowest grade of "Good or above"

    Raises
    ------
    ValueError
        when there is no such scheme, labels are not as above, judges have another shape, or there are more different
        mean gains than int8 has numbers.

    Examples
    --------
    The paper's example of if-good-3: (Excellent, Good, Fair), (Bad), of which two more labels are not bought.

    >>> sample = collect("if-good-3", np.array([[3, 2, 1], [0, 2, 2]]), None)
    >>> sample.rows, sample.grades, sample.labels_bought
    (array([0, 0, 0, 1]), array([3, 2, 1, 0], dtype=int8), 4)

    The same labels, used in another way: one instance a pair; of the gains 7, 3 and 1 the mean is 11/3.

    >>> sample = collect("if-good-gain-3", np.array([[3, 2, 1], [0, 2, 2]]), None)
    >>> sample.rows, sample.grades, np.round(sample.gains, 2), sample.labels_bought
    (array([0, 1]), array([1, 0], dtype=int8), array([0.  , 3.67]), 4)
    """
    kind, k, weight = parse(scheme)
    labels, judges = checked_labels(labels, judges)
    keys = np.zeros(labels.shape) if rng is None else rng.random(labels.shape)
    order = np.argsort(np.where(labels < 0, 2, keys), axis=1, kind="stable")
    asked, judges = (np.take_along_axis(given, order, axis=1) for given in (labels, judges))
    bought = np.minimum(_wanted(kind, k, asked >= good), (asked >= 0).sum(axis=1))
    seen = np.where(np.arange(asked.shape[1]) < bought[:, None], asked, -1).astype(np.int8)
    rows, gains = np.arange(len(seen)), None
    if kind in GAINED:
        gains, grades = _mean_gains(seen, scheme)
    elif kind in AGGREGATED:
        grades = rounded(aggregate(AGGREGATED[kind], seen, judges))
    else:
        rows, grades = np.nonzero(seen >= 0)[0], seen[seen >= 0]
    weights = np.where((grades >= good) & (kind == "weighted"), weight, 1.0)
    return LabelSample(rows, grades.astype(np.int8), weights, int(bought.sum()), bought, gains)


def _wanted(kind: str, k: int, is_good: np.ndarray) -> np.ndarray:
    """(n_docs,) labels that a scheme asks for, of whether each label (n_docs, n_judges) in turn is Good or above."""
    if kind in ASK_IF_GOOD:
        return np.where(is_good[:, 0], k, 1)
    if kind == "till-bad":
        return np.minimum(np.logical_and.accumulate(is_good, axis=1).sum(axis=1) + 1, k)
    return np.full(len(is_good), k)


def _mean_gains(labels: np.ndarray, scheme: str) -> tuple[tuple[float, ...], np.ndarray]:
    """The mean gains that occur, rising, and (n_docs,) the number of each pair's."""
    gains, numbers = np.unique(mean(labels, np.exp2(labels, dtype=np.float64) - 1), return_inverse=True)
    if len(gains) > np.iinfo(np.int8).max + 1:
        raise ValueError(f"scheme is {scheme!r}, with {len(gains)} different mean gains, expected at most 128")
    return tuple(gains.tolist()), numbers


def costs(sample: LabelSample, good: int = GOOD) -> dict:
    """Labels and training instances a pair, and the ratio of Tables 6 to 8 of Yang et al., of what a scheme collected.

    Parameters
    ----------
    sample : of `collect`
    good : lowest grade of "Good or above"

    Returns
    -------
    dict : `labels` and `instances` a pair, `fair_to_good`, weight of the training labels below Good for each of the
        others, infinite where there is none

    Examples
    --------
    >>> costs(collect("if-good-2", np.array([[3, 1], [0, 2]]), None))
    {'labels': 1.5, 'instances': 1.5, 'fair_to_good': 2.0}
    """
    above = sample.meant >= good
    n_docs, weight = len(sample.bought), float(sample.weights[above].sum())
    return {
        "labels": sample.labels_bought / n_docs,
        "instances": len(sample.rows) / n_docs,
        "fair_to_good": float(sample.weights[~above].sum()) / weight if weight else np.inf,
    }


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
    labels, _ = checked_labels(labels)
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
    (kind, k, _), moments = parse(scheme), _checked_moments(moments)
    if kind in ASK_IF_GOOD:
        return float(1 + (k - 1) * moments[0])
    if kind == "till-bad":
        return float(1 + _up_to(moments, _most(k, moments) - 1).sum())
    return float(k)


def cost_among_many(scheme: str, moments: np.ndarray) -> tuple[float, bool]:
    """Labels a pair that a scheme buys where judges are as many as it asks, and whether that is only a lower limit.

    As `expected_cost`, but good-till-bad goes on behind the judges whose labels there are. From m_1, …, m_n its cost is
    at least 1 + m_1 + … + m_n, and no more than that where m_n is 0: nobody would be asked further.
    """
    (kind, k, _), moments = parse(scheme), _checked_moments(moments)
    if kind != "till-bad" or k <= len(moments) + 1:
        return expected_cost(scheme, moments), False
    return float(1 + moments.sum()), bool(moments[-1] > 0)


def expected_good_share(scheme: str, moments: np.ndarray) -> float:
    """Share of Good or above among the training labels of a scheme, by weight; ValueError where moments do not tell."""
    (kind, k, weight), moments = parse(scheme), _checked_moments(moments)
    first = moments[0]
    if kind == "overlap":
        return float(first)
    if kind == "weighted":
        return float(weight * first / (1 + (weight - 1) * first))
    if kind == "if-good":
        return float((first + (k - 1) * _up_to(moments, min(k, 2))[-1]) / (1 + (k - 1) * first))
    if kind == "till-bad":
        most = _most(k, moments)
        return float(_up_to(moments, most).sum() / (1 + _up_to(moments, most - 1).sum()))
    if kind == "highest":
        j = np.arange(1, k + 1)  # E[1 - (1 - p)^k]: not all k judges say less
        return float(((-1.0) ** (j + 1) * comb(k, j) * _up_to(moments, k)).sum())
    raise ValueError(f"scheme is {scheme!r}, whose share of Good or above is no sum of moments")


def _most(k: int, moments: np.ndarray) -> int:
    return len(moments) if k == UNLIMITED else k


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
    known, rows = moments(labels, good=good), []
    for setting in OWN:
        sample = collect(setting, labels, rng, judges=judges, good=good)
        (expected, at_least), paid = cost_among_many(setting, known), costs(sample, good)
        row = {"setting": setting, "bought": sample.labels_bought, "labels": paid["labels"]}
        rows.append(row | {"expected": expected, "at_least": at_least} | paid)
    return pd.DataFrame(rows)
