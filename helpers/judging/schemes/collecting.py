"""What a labelling scheme buys of the labels that there are, and what rankers train on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from helpers.datasets.collection import majority_grade
from helpers.judging.schemes.dawid_skene import dawid_skene
from helpers.judging.schemes.matrix import checked, votes
from helpers.judging.schemes.names import ASK_IF_GOOD, GAINED, GOOD, Scheme, parse


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


@dataclass(frozen=True, eq=False)
class _Asked:
    """Labels (n_docs, n_judges) in the order in which judges are asked, -1 where there is none, and who gives them."""

    labels: np.ndarray
    judges: np.ndarray


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
    mvk                  k                                           their majority vote (`majority_vote`)
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
    settings = parse(scheme)
    asked = _asked(*checked(labels, judges), rng)
    bought = np.minimum(_wanted(settings, asked.labels, good), (asked.labels >= 0).sum(axis=1))
    seen = np.where(np.arange(asked.labels.shape[1]) < bought[:, None], asked.labels, -1).astype(np.int8)
    gains = None
    if settings.kind in GAINED:
        gains, grades = _mean_gains(seen, scheme)
        rows = np.arange(len(seen))
    elif settings.kind in AGGREGATES:
        grades = AGGREGATES[settings.kind](_Asked(seen, asked.judges), settings)
        rows = np.arange(len(seen))
    else:
        rows, grades = np.nonzero(seen >= 0)[0], seen[seen >= 0]
    weights = np.where((grades >= good) & (settings.kind == "weighted"), settings.weight, 1.0)
    return LabelSample(rows, grades.astype(np.int8), weights, int(bought.sum()), bought, gains)


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


def majority_vote(labels: np.ndarray) -> np.ndarray:
    """(n_docs,) int8 majority of the labels (n_docs, n_judges) of each pair; -1 is no label.

    Of grades that are as frequent, sorted from the most to the least relevant, the one in the middle, of two middle
    ones the more relevant (Yang et al. 2010, section 4.1.2).

    Their example, two Good, two Fair and one Bad:

    >>> majority_vote([[2, 2, 1, 1, 0]])
    array([2], dtype=int8)
    """
    labels, _ = checked(labels)
    return majority_grade(votes(labels)).astype(np.int8)


def _wanted(scheme: Scheme, labels: np.ndarray, good: int) -> np.ndarray:
    """(n_docs,) labels that the scheme asks for."""
    if scheme.kind in ASK_IF_GOOD:
        return np.where(labels[:, 0] >= good, scheme.k, 1)
    if scheme.kind == "till-bad":
        leading = np.logical_and.accumulate(labels >= good, axis=1).sum(axis=1)
        return np.minimum(leading + 1, scheme.k)
    return np.full(len(labels), scheme.k)


def _asked(labels: np.ndarray, judges: np.ndarray, rng: np.random.Generator | None) -> _Asked:
    keys = np.zeros(labels.shape) if rng is None else rng.random(labels.shape)
    order = np.argsort(np.where(labels < 0, 2, keys), axis=1, kind="stable")
    return _Asked(np.take_along_axis(labels, order, axis=1), np.take_along_axis(judges, order, axis=1))


def _majority(asked: _Asked, scheme: Scheme) -> np.ndarray:
    return majority_grade(votes(asked.labels))


def _highest(asked: _Asked, scheme: Scheme) -> np.ndarray:
    return asked.labels.max(axis=1)


def _rounded(asked: _Asked, scheme: Scheme) -> np.ndarray:
    given = asked.labels >= 0
    total, n = np.where(given, asked.labels, 0).sum(axis=1), given.sum(axis=1)
    return (2 * total + n) // (2 * n)


def _mean_gains(labels: np.ndarray, scheme: str) -> tuple[tuple[float, ...], np.ndarray]:
    """The mean gains that occur, rising, and (n_docs,) the number of each pair's."""
    given = labels >= 0
    means = np.where(given, np.exp2(np.maximum(labels, 0)) - 1, 0).sum(axis=1) / given.sum(axis=1)
    gains, numbers = np.unique(means, return_inverse=True)
    if len(gains) > np.iinfo(np.int8).max + 1:
        raise ValueError(f"scheme is {scheme!r}, with {len(gains)} different mean gains, expected at most 128")
    return tuple(gains.tolist()), numbers


def _dawid_skene(asked: _Asked, scheme: Scheme) -> np.ndarray:
    return dawid_skene(asked.labels, asked.judges, int(asked.labels.max()) + 1).argmax(axis=1)


AGGREGATES: dict[str, Callable[[_Asked, Scheme], np.ndarray]] = {
    "majority": _majority,
    "highest": _highest,
    "round": _rounded,
    "dawid-skene": _dawid_skene,
}
"""Schemes that make one training label of those of a pair; the others train on each of them."""
