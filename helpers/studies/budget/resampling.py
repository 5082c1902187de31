"""What a pilot says of judging less: each of its queries judged again with fewer people and fewer documents.

y is the difference of two rankers in nDCG by the labels of o people for the first d documents of the pool, r that by
all people and documents, f that by a machine's labels of the same d documents. All subsets of o people are gone through
where they are few, so that the mean over them is exact. Judged less, a difference shrinks, y = slope x r + error, so
that its spread in units of the whole judgment is sd(y) / slope: a query judged to a depth at which that is 1.4 times
the whole one's is worth half a query.

Samples of the queries are weights: how often each of them is in the sample. The jackknife's are 1 but for a single 0.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from helpers.metrics.significance import jackknife_variance, t_half
from helpers.studies.budget.pilot import Pilot, scores, voted

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200)
_MOST_SUBSETS = 20
OPINIONS = (1, 2, 3, 5)
FEWEST = 3
"""Queries on which two rankers differ, from which it can be told how much the next one may, and how surely."""

LEAST_SLOPE = 0.05
"""Below which judging shows next to nothing of a difference, and is no plan."""


@dataclass(frozen=True, eq=False)
class Measured:
    """A pilot judged again in every way, a cell each: values by cell, pair of rankers and query."""

    depths: np.ndarray  # (n_cells,) documents of a query
    opinions: np.ndarray  # (n_cells,) people a document
    y: np.ndarray  # (n_cells, n_pairs, n_queries) mean over subsets of people
    square: np.ndarray  # (n_cells, n_pairs, n_queries) mean of the squares over them
    whole: np.ndarray  # (n_pairs, n_queries) r
    machine: np.ndarray | None  # (n_cells, n_pairs, n_queries) f
    cutoff: int
    judges: int  # opinions a document of the pilot
    name: str = ""
    pairs: tuple[tuple[str, str], ...] = (("first", "second"),)  # of rankers that are compared

    @property
    def n_queries(self) -> int:
        """Queries of the pilot."""
        return self.whole.shape[1]

    @property
    def docs(self) -> int:
        """Documents of a query, at most: the deepest cell."""
        return int(self.depths.max())

    def cell(self, depth: int, opinions: int = 1) -> int:
        """The number of that of a depth and opinions which were measured."""
        return int(np.flatnonzero((self.depths == depth) & (self.opinions == opinions))[0])

    def take(self, queries: np.ndarray) -> Measured:
        """The same of these queries, row numbers."""
        names = ("y", "square", "whole", "machine")
        values = {name: getattr(self, name) for name in names}
        return replace(self, **{name: v if v is None else v[..., queries] for name, v in values.items()})


def measure(
    pilot: Pilot, rng: np.random.Generator, depths: Sequence[int] = DEPTHS, opinions: Sequence[int] = OPINIONS
) -> Measured:
    """A cell for every depth up to the pilot's, and every number of people up to its judges, of every two rankers.

    Rankers that have the same nDCG on all queries but two are no pair: nothing can be told of them.
    """
    longest = pilot.n_docs
    depths = sorted({*(d for d in depths if d < longest), longest})
    pairs = np.array(list(itertools.combinations(range(len(pilot.tops)), 2)))

    def between(grades: np.ndarray, depth: int) -> np.ndarray:
        found = scores(pilot, grades, depth)
        return found[pairs[:, 0]] - found[pairs[:, 1]]

    whole = between(voted(pilot.labels), longest)
    differ = np.count_nonzero(whole, axis=1)
    told = differ >= FEWEST
    if not told.any():
        same = ("every query", "all queries but one", "all queries but two")[differ.max()]
        who = "the two rankers have" if len(pairs) == 1 else "any two rankers have"
        raise ValueError(f"pilot: {who} the same nDCG on {same}, so that nothing can be told")
    pairs, whole = pairs[told], whole[told]
    opinions, found = [people for people in opinions if people <= pilot.n_judges], []
    for people in opinions:
        grades = [voted(pilot.labels[:, :, subset]) for subset in _subsets(pilot.n_judges, people, rng)]
        for depth in depths:
            values = np.array([between(grade, depth) for grade in grades])
            found.append((values.mean(axis=0), (values**2).mean(axis=0)))
    y, square = map(np.stack, zip(*found, strict=True))
    by_machine = [] if pilot.machine is None else [between(pilot.machine, depth) for depth in depths] * len(opinions)
    names = tuple((pilot.runs[one], pilot.runs[other]) for one, other in pairs)
    return Measured(
        np.tile(depths, len(opinions)), np.repeat(opinions, len(depths)), y, square, whole,
        np.stack(by_machine) if by_machine else None, pilot.cutoff, pilot.n_judges, pilot.name, names,
    )  # fmt: skip


def differences(pilot: Pilot, grades: np.ndarray, depth: int) -> np.ndarray:
    """(n_queries,) first ranker's nDCG minus the second's, where only the first documents of the pool are judged."""
    first, second = scores(pilot, grades, depth)[:2]
    return first - second


def _subsets(judges: int, people: int, rng: np.random.Generator) -> list[list[int]]:
    """All subsets of so many judges, or random ones where there are too many."""
    if math.comb(judges, people) <= _MOST_SUBSETS:
        return [list(subset) for subset in itertools.combinations(range(judges), people)]
    return [list(rng.permutation(judges)[:people]) for _ in range(_MOST_SUBSETS)]


class Spread(NamedTuple):
    """Of a pilot, and of samples of its queries: arrays (n_cells, n_pairs, ...), NaN where queries do not tell."""

    sd: np.ndarray  # standard deviation between queries in units of the whole judgment
    slope: np.ndarray  # what is seen of a difference
    bias: np.ndarray  # mean of y / slope - r
    error: np.ndarray  # standard error of the bias
    rho: np.ndarray  # correlation of y and f over queries; NaN without a machine


def spread(measured: Measured, weights: np.ndarray | None = None) -> Spread:
    """The spread of every cell in samples of the queries: weights (..., n_queries), how often each is in each sample.

    The error of the bias is that of the infinitesimal jackknife (Jaeckel 1972). NaN stands where the samples show a
    difference at this depth on a single query or none: the bias cannot be known.
    """
    y, r = measured.y, np.broadcast_to(measured.whole, measured.y.shape)
    weights = np.ones(y.shape[-1]) if weights is None else np.asarray(weights, float)
    n = weights.sum(axis=-1)
    terms = np.stack([y, y * r, r**2, r])
    sums = terms @ weights.T
    squares = (terms[:, None] * terms) @ weights.T
    # the variance over queries of one subset of people, averaged over subsets drawn for each query by itself
    within = measured.square @ weights.T - squares[0, 0]
    total = (squares[0, 0] + within - (sums[0] ** 2 + within) / n) / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = sums[1] / sums[2]
        bias = (sums[0] / slope - sums[3]) / n
        # the influence of a query on the bias is `parts` times its terms, less the bias
        pull = sums[0] / slope / sums[2]
        parts = np.stack([1 / slope, -pull / slope, pull, -np.ones_like(pull)])
        around = np.einsum("i...,ij...,j...->...", parts, squares, parts) - n * bias**2
        error = np.sqrt(np.maximum(around, 0) / (n * (n - 1)))
        rho = np.full_like(slope, np.nan)
        if measured.machine is not None:
            f = measured.machine
            own, square, common = (values @ weights.T for values in (f, f**2, y * f))
            rho = (common - sums[0] * own / n) / (n - 1) / np.sqrt(total * (square - own**2 / n) / (n - 1))
        known = ((y != 0) @ (weights > 0).T.astype(float)) >= FEWEST - 1
        sd = np.sqrt(np.maximum(total, 0)) / slope
    return Spread(*(np.where(known, values, np.nan) for values in (sd, slope, bias, error, rho)))


@functools.lru_cache(maxsize=256)
def spreads(measured: Measured) -> tuple[Spread, Spread]:
    """The spread of a pilot, and of samples (..., n_queries) that leave one of its queries out."""
    return spread(measured), spread(measured, 1 - np.eye(measured.n_queries))


def jackknife(of: Callable[[Spread], np.ndarray], measured: Measured) -> tuple[float, float]:
    """What a function makes of a pilot's spread, and its jackknife error (Miller 1974)."""
    with np.errstate(divide="ignore", invalid="ignore"):  # where hardly a query differs there is no interval: NaN
        value, without = map(of, spreads(measured))
        return float(value), float(np.sqrt(jackknife_variance(without)))


def interval(of: Callable[[Spread], np.ndarray], measured: Measured) -> tuple[float, float, float]:
    """The value of `jackknife` and the ends of its 95 % interval."""
    value, error = jackknife(of, measured)
    wide = t_half(error, measured.n_queries - 1)
    return value, value - wide, value + wide
