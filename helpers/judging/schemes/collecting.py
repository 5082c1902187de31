"""Labelling schemes: their names, what each buys of the labels that there are, and what rankers train on.

Label matrices are (n_docs, n_judges) grades from 0 that judges give to pairs of query and document, -1 where none.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import softmax

from helpers.datasets.collection import majority_grade
from helpers.judging.confusion import probabilities

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
PATTERNS = {
    "overlap": r"(?P<k>\d+)-overlap",
    "majority": r"mv(?P<k>\d+)",
    "highest": r"highest-(?P<k>\d+)",
    "gain": r"gain-(?P<k>\d+)",
    "round": r"round-(?P<k>\d+)",
    "dawid-skene": r"dawid-skene-(?P<k>\d+)",
    "if-good": r"if-good-(?P<k>\d+)",
    "if-good-gain": r"if-good-gain-(?P<k>\d+)",
    "weighted": r"if-good-x(?P<weight>\d+(\.\d+)?)",
    "till-bad": r"good-till-bad(-(?P<k>\d+))?",
}
EXPECTED = (
    "baseline, k-overlap, mvk, highest-k, gain-k, round-k, dawid-skene-k, if-good-k, if-good-gain-k, if-good-xθ, "
    "good-till-bad or good-till-bad-k with a number for k or θ"
)


ASK_IF_GOOD = ("if-good", "if-good-gain")
"""Kinds that ask k - 1 judges more where the first says Good or above."""

GAINED = ("gain", "if-good-gain")
"""Kinds whose training label stands for the mean gain of a pair's labels."""


RENAMED = re.compile(r"(if-good-)?mean-(\d+)", re.ASCII)

SMOOTHING = 1.0  # labels of each true grade that a judge is lent, spread as those of all judges together
TOLERANCE = 1e-3  # of a posterior probability
MAX_ITERATIONS = 50


@dataclass(frozen=True)
class Scheme:
    """A labelling scheme: its kind, a key of PATTERNS; k, most labels of one pair; the training weight of Good or
    above."""

    kind: str
    k: int
    weight: float = 1.0


def current(name: str) -> str:
    """The scheme that took the place of mean-k and if-good-mean-k, as stored rows still have it; any other as it is."""
    return RENAMED.sub(r"\1gain-\2", name) if RENAMED.fullmatch(name) else name


def parse(name: str) -> Scheme:
    """The scheme of that name; ValueError when there is none, or it would ask no judge."""
    if name == "baseline":
        return Scheme("overlap", 1)
    for kind, pattern in PATTERNS.items():
        if match := re.fullmatch(pattern, name, re.ASCII):
            found = match.groupdict()
            k = int(found.get("k") or (1 if kind == "weighted" else UNLIMITED))
            weight = float(found.get("weight") or 1)
            if 0 < k <= UNLIMITED and weight > 0:
                return Scheme(kind, k, weight)
    if current(name) != name:
        raise ValueError(f"scheme is {name!r}, which is now {current(name)}: the mean gain, not the gain of the mean")
    raise ValueError(f"scheme is {name!r}, expected {EXPECTED}")


def checked(labels: np.ndarray, judges: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The labels as int8 and who gave each (None is the number of the column), or ValueError where they are no such
    matrix."""
    labels = np.asarray(labels)
    if labels.ndim != 2 or labels.size == 0:
        raise ValueError(f"labels has shape {labels.shape}, expected (n_docs, n_judges), at least one of each")
    wrong = np.argwhere(~((labels >= -1) & (labels <= 127) & (labels == np.floor(labels))))
    if len(wrong):
        raise ValueError(f"labels: pair {wrong[0][0]} has {labels[tuple(wrong[0])]}, expected -1 or a grade to 127")
    empty = np.flatnonzero((labels < 0).all(axis=1))
    if len(empty):
        raise ValueError(f"labels: pair {empty[0]} has no label, expected at least one")
    judges = np.broadcast_to(np.arange(labels.shape[1]), labels.shape) if judges is None else np.asarray(judges)
    if judges.shape != labels.shape:
        raise ValueError(f"judges has shape {judges.shape}, expected that of labels, {labels.shape}")
    return labels.astype(np.int8, copy=False), judges


def votes(labels: np.ndarray, n_grades: int | None = None) -> np.ndarray:
    """(n_docs, n_grades) how often each grade is among the labels of a pair; None is up to the highest label."""
    highest = int(labels.max(initial=-1))
    n_grades = highest + 1 if n_grades is None else n_grades
    if highest >= n_grades:
        raise ValueError(f"labels go up to {highest}, expected at most {n_grades - 1}: n_grades is {n_grades}")
    return np.stack([(labels == grade).sum(axis=1) for grade in range(n_grades)], axis=1)


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
    asked, judges = _asked(*checked(labels, judges), rng)
    bought = np.minimum(_wanted(settings, asked, good), (asked >= 0).sum(axis=1))
    seen = np.where(np.arange(asked.shape[1]) < bought[:, None], asked, -1).astype(np.int8)
    gains = None
    if settings.kind in GAINED:
        gains, grades = _mean_gains(seen, scheme)
        rows = np.arange(len(seen))
    elif settings.kind in AGGREGATES:
        grades = AGGREGATES[settings.kind](seen, judges)
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
    """(n_docs,) int8 majority of the labels (n_docs, n_judges) of each pair, as `collection.majority_grade` has it.

    The example of Yang et al. 2010, section 4.1.2, two Good, two Fair and one Bad:

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


def _asked(labels: np.ndarray, judges: np.ndarray, rng: np.random.Generator | None) -> tuple[np.ndarray, np.ndarray]:
    """Labels and judges in the order in which they are asked, -1 where there is none."""
    keys = np.zeros(labels.shape) if rng is None else rng.random(labels.shape)
    order = np.argsort(np.where(labels < 0, 2, keys), axis=1, kind="stable")
    return np.take_along_axis(labels, order, axis=1), np.take_along_axis(judges, order, axis=1)


def _rounded(labels: np.ndarray) -> np.ndarray:
    given = labels >= 0
    total, n = np.where(given, labels, 0).sum(axis=1), given.sum(axis=1)
    return (2 * total + n) // (2 * n)


def _mean_gains(labels: np.ndarray, scheme: str) -> tuple[tuple[float, ...], np.ndarray]:
    """The mean gains that occur, rising, and (n_docs,) the number of each pair's."""
    given = labels >= 0
    means = np.where(given, np.exp2(np.maximum(labels, 0)) - 1, 0).sum(axis=1) / given.sum(axis=1)
    gains, numbers = np.unique(means, return_inverse=True)
    if len(gains) > np.iinfo(np.int8).max + 1:
        raise ValueError(f"scheme is {scheme!r}, with {len(gains)} different mean gains, expected at most 128")
    return tuple(gains.tolist()), numbers


AGGREGATES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "majority": lambda labels, judges: majority_grade(votes(labels)),
    "highest": lambda labels, judges: labels.max(axis=1),
    "round": lambda labels, judges: _rounded(labels),
    "dawid-skene": lambda labels, judges: dawid_skene(labels, judges, int(labels.max()) + 1).argmax(axis=1),
}
"""Schemes that make one training label of those of a pair, from labels and judges; others train on each of them."""


def dawid_skene(
    labels: np.ndarray, judges: np.ndarray | None, n_grades: int, *, max_iterations: int = MAX_ITERATIONS
) -> np.ndarray:
    """Probabilities of the true grade of each pair, by expectation maximisation (Dawid and Skene 1979).

    A pair has true grade t with probability p_t, and then judge j says l with probability π_j(l | t), independently of
    the other judges. From the shares of the votes q_i(t), two steps alternate until no q changes by 0.001:

        p_t = mean of q_i(t)    π_j(l | t) = (n_j(l, t) + w π(l | t)) / (Σ_l n_j(l, t) + w)
        q_i(t) ∝ p_t Π_j π_j(l_ij | t)

    n_j(l, t) is the sum of q_i(t) over the pairs to which j gives l, and π(l | t) the share of l among all judges'
    labels of true grade t. The weight w is that of one label, so that a judge of few labels counts as an average one
    and has no chance of 0 where others have more. It is not in the paper, which has w = 0.

    Parameters
    ----------
    labels : (n_docs, m) grades from 0 to n_grades - 1, -1 where there is no label; every pair has one
    judges : (n_docs, m) who gives each label; None where a column is a judge
    n_grades : size of the scale
    max_iterations : most times that the two steps are done

    Returns
    -------
    (n_docs, n_grades) float64, rows of sum 1

    Raises
    ------
    ValueError
        when a pair has no label, a label is not on the scale, or shapes do not fit together.

    Examples
    --------
    Two judges agree and the third says the opposite; so its 1, where it is alone, stands for a 0.

    >>> labels = [[0, 0, 1], [1, 1, 0]] * 50 + [[-1, -1, 1]]
    >>> dawid_skene(labels, None, 2)[[0, 1, -1]].round(1)
    array([[1., 0.],
           [0., 1.],
           [1., 0.]])
    """
    given = _given(*checked(labels, judges), n_grades)
    votes = given @ np.tile(np.eye(n_grades), (given.shape[1] // n_grades, 1))
    posterior = votes / votes.sum(axis=1, keepdims=True)
    for _ in range(max_iterations):
        previous, posterior = posterior, _expectation(given, *_maximisation(given, posterior))
        if np.abs(posterior - previous).max() < TOLERANCE:
            break
    return posterior


def _given(labels: np.ndarray, judges: np.ndarray, n_grades: int) -> csr_array:
    """(n_docs, n_judges * n_grades) how often each judge gives each grade to a pair."""
    wrong = np.argwhere(labels >= n_grades)
    if len(wrong):
        raise ValueError(f"labels: pair {wrong[0][0]} has {labels[tuple(wrong[0])]}, expected less than {n_grades}")
    given = labels >= 0
    names, judge = np.unique(judges[given], return_inverse=True)
    ends = np.append(0, given.sum(axis=1).cumsum())
    columns = judge * n_grades + labels[given]
    return csr_array((np.ones(len(columns)), columns, ends), shape=(len(labels), len(names) * n_grades))


def _maximisation(given: csr_array, posterior: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n_grades,) prior and (n_judges, n_grades, n_grades) confusion matrices, rows are true grades; 0 for none."""
    n_grades = posterior.shape[1]
    counts = (given.T @ posterior).reshape(-1, n_grades, n_grades).swapaxes(1, 2)
    pooled = np.nan_to_num(probabilities(counts.sum(axis=0)))
    return posterior.mean(axis=0), np.nan_to_num(probabilities(counts + SMOOTHING * pooled))


def _expectation(given: csr_array, prior: np.ndarray, confusion: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):  # what never happens has the logarithm -inf
        log_prior, log_confusion = np.log(prior), np.log(confusion)
    by_label = log_confusion.swapaxes(1, 2).reshape(-1, len(prior))
    return softmax(given @ by_label + log_prior, axis=1)
