"""A pool of judges with individual severity and reliability, who label the documents of a query together.

SYNTHETIC. A document of grade g looks to judge j as relevant as

    g + leniency + appeal * u + noise(g) * (sqrt(1/2) * b_j + sqrt(1/2) * r_j * e)

and gets the label whose whole number is nearest, from 0 to the highest grade. u, one number a document, is what all
judges see in it beyond its grade; b_j is the judge's own leniency; e, one number a label, is a slip, of a size r_j of
the judge's own. u, b_j and e are standard normal. Noise differs between relevant documents (Good or above) and others.

What Yang et al. 2010 print fixes leniency, appeal and the two noises (`judge_fit`), as those decide how the labels of
one document are distributed. It does not tell a severe judge from a slip: that half of the noise is the judge, and
that the sizes of slips differ by a factor of about e^.3 between judges, is an assumption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.polynomial.hermite_e import hermegauss
from scipy.stats import norm

from helpers.judging import schemes
from helpers.judging.confusion import draw_labels, majority
from helpers.judging.schemes import GOOD
from helpers.metrics.ranking import checked_offsets

N_GRADES = 5
N_JUDGES = 120
PER_PAIR = 11
MIXED = 364 / 2093
"""Share of the queries whose documents do not all have the same judges (Yang et al. 2010, section 6.1)."""

PERSONAL = 0.5
RELIABILITY = 0.3
BORDERS = np.arange(N_GRADES - 1) + 0.5

NODES = 15  # of the quadrature over what all judges see in a document

RATIO, COST = "fair_to_good_ratio", "labeling_overhead"


@dataclass(frozen=True)
class Settings:
    """How the judges of a pool see documents, in grades.

    leniency is how much too good a document looks to the mean judge; noise how far judges scatter about documents below
    Good (irrelevant) and about the others; appeal how far documents of one grade differ in what all judges see.
    """

    leniency: float
    noise_irrelevant: float
    noise_relevant: float
    appeal: float

    def noise(self, grades: np.ndarray) -> np.ndarray:
        """The scatter of judges about documents of these grades."""
        return np.where(np.asarray(grades) >= GOOD, self.noise_relevant, self.noise_irrelevant)


@dataclass(frozen=True)
class Pool:
    """Judges whose severities and reliabilities are quantiles of their distributions, so that every pool is alike.

    Parameters
    ----------
    settings : what they have in common
    n_judges : how many there are
    personal : share of the noise that is the judge's own severity
    reliability : how far judges differ in the size of their slips, in the logarithm

    Examples
    --------
    Three judges stand at the quantiles 1/6, 1/2 and 5/6 of a normal distribution.

    >>> Pool(Settings(leniency=0.1, noise_irrelevant=0.7, noise_relevant=0.9, appeal=0.5), 3).severity.round(3)
    array([-0.967,  0.   ,  0.967])
    """

    settings: Settings
    n_judges: int = N_JUDGES
    personal: float = PERSONAL
    reliability: float = RELIABILITY

    @property
    def good(self) -> int:
        """Lowest grade of "Good or above"."""
        return GOOD

    @cached_property
    def severity(self) -> np.ndarray:
        """(n_judges,) from the most severe, below 0, to the most lenient; mean 0."""
        return norm.ppf((np.arange(self.n_judges) + 0.5) / self.n_judges)

    @cached_property
    def slip(self) -> np.ndarray:
        """(n_judges,) size of each judge's slips, mean square 1; in an order that has nothing to do with severity."""
        size = np.exp(self.reliability * np.random.default_rng(0).permutation(self.severity))
        return size / np.sqrt(np.mean(size**2))

    def label_chances(self, grades: np.ndarray, appeal: np.ndarray) -> np.ndarray:
        """(n_docs, n_judges, 5) chance of each label for documents of these grades that appeal so much to everybody."""
        grades = np.asarray(grades)
        centre = grades + self.settings.leniency + self.settings.appeal * np.asarray(appeal)
        noise = self.settings.noise(grades)[:, None]
        seen = centre[:, None] + noise * np.sqrt(self.personal) * self.severity
        below = norm.cdf((BORDERS - seen[..., None]) / (noise * np.sqrt(1 - self.personal) * self.slip)[..., None])
        return np.diff(below, axis=-1, prepend=0, append=1)

    def draw(
        self, grades: np.ndarray, offsets: np.ndarray, rng: np.random.Generator, per_pair: int = PER_PAIR
    ) -> tuple[np.ndarray, np.ndarray]:
        """Labels of every document, and who gave them, both (n_docs, per_pair): `assign`, then `label`; ValueError as
        these."""
        checked_offsets(offsets, len(grades))
        judges = self.assign(offsets, rng, per_pair)
        return self.label(grades, judges, rng), judges

    def assign(self, offsets: np.ndarray, rng: np.random.Generator, per_pair: int = PER_PAIR) -> np.ndarray:
        """(n_docs, per_pair) different judges: the same for all documents of a query, but in MIXED of the queries;
        ValueError where the pool has fewer."""
        if per_pair > self.n_judges:
            raise ValueError(f"per_pair is {per_pair}, expected at most the {self.n_judges} judges of the pool")
        offsets = checked_offsets(offsets)
        group = np.diff(offsets)
        mixed = rng.random(len(group)) < MIXED
        first = np.isin(np.arange(offsets[-1]), offsets[:-1])
        teams = np.cumsum(np.repeat(mixed, group) | first) - 1
        drawn = rng.permuted(np.tile(np.arange(self.n_judges), (teams[-1] + 1, 1)), axis=1)[:, :per_pair]
        return drawn[teams]

    def label(self, grades: np.ndarray, judges: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """(n_docs, per_pair) int8 labels that these judges, of `assign`, give to documents of these grades."""
        appeal, noise = rng.standard_normal(len(grades)), self.settings.noise(grades)[:, None]
        slips = self.slip[judges] * rng.standard_normal(judges.shape)
        scatter = noise * (np.sqrt(self.personal) * self.severity[judges] + np.sqrt(1 - self.personal) * slips)
        centre = np.asarray(grades) + self.settings.leniency + self.settings.appeal * appeal
        return np.searchsorted(BORDERS, centre[:, None] + scatter).astype(np.int8)


@dataclass(frozen=True, eq=False)
class AlikeJudges:
    """Judges who all err by one confusion matrix (n_grades, n_grades), in place of a pool."""

    confusion: np.ndarray

    @property
    def good(self) -> int:
        """Lowest grade of "Good or above", where the upper half of the scale begins: 2 of five grades, as in a Pool."""
        return len(self.confusion) // 2

    def draw(
        self, grades: np.ndarray, offsets: np.ndarray, rng: np.random.Generator, per_pair: int = PER_PAIR
    ) -> tuple[np.ndarray, np.ndarray]:
        """Labels and judges as `Pool.draw` gives them."""
        checked_offsets(offsets, len(grades))
        alike = np.broadcast_to(self.confusion, (per_pair, *self.confusion.shape))
        labels = draw_labels(grades, alike, rng)
        return labels, np.broadcast_to(np.arange(per_pair), labels.shape)


def expected(judges: Settings | AlikeJudges, shares: np.ndarray, names: Sequence[str]) -> pd.DataFrame:
    """Frame of labels a pair (COST), and Fair- for each of Good or above among training labels (RATIO), by scheme.

    Exactly, but for the quadrature over a pool's appeal; of schemes whose training labels are single labels, the
    highest or the majority, for documents with these shares (5,) of grades.
    """
    chances, weights = _kinds(judges, shares)
    known, rows = moments(judges, shares), {}
    for name in names:
        scheme = schemes.parse(name)
        if scheme.kind == "majority":
            found = weights @ majority(chances, scheme.k)[:, GOOD:].sum(axis=1)
        else:
            found = schemes.expected_good_share(name, known)
        rows[name] = {COST: schemes.expected_cost(name, known), RATIO: (1 - found) / found}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("setting")


def moments(judges: Settings | AlikeJudges, shares: np.ndarray) -> np.ndarray:
    """(11,) m_1, m_2, … of `schemes.moments` for the labels that judges give to documents of these shares of grades."""
    chances, weights = _kinds(judges, shares)
    return weights @ chances[:, GOOD:].sum(axis=1)[:, None] ** np.arange(1, PER_PAIR + 1)


def _kinds(judges: Settings | AlikeJudges, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Chance of each label (n_kinds, 5), and share (n_kinds,), of kinds of documents: their grade and their appeal."""
    if isinstance(judges, AlikeJudges):
        return judges.confusion, np.asarray(shares)
    nodes, weights = hermegauss(NODES)
    grades = np.repeat(np.arange(N_GRADES), NODES)
    chances = Pool(judges).label_chances(grades, np.tile(nodes, N_GRADES)).mean(axis=1)
    return chances, np.outer(shares, weights / weights.sum()).ravel()
