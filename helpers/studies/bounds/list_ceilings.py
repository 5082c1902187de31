"""Ceilings of lists of any length, with several cut-offs and by three methods, and the time that each method takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from helpers.judging import ceilings
from helpers.studies.bounds.protocol import K, Scale, mean_of

FOLDER = "lengths"
CUTOFFS = (5, 10, 20, None)
LENGTHS = (10, 20, 50, 100, 200, 500, 1000)
PRECISION = 0.001  # standard error that a simulation is brought to, to be timed
REPEATS = 5


def drawn_profiles(shares: np.ndarray, n_docs: int, n_lists: int, rng: np.random.Generator) -> np.ndarray:
    """(n_lists, n_grades) grade counts of lists of n_docs documents, at least one of them above grade 0.

    Parameters
    ----------
    shares : (n_grades,) probability of each grade
    n_docs : documents of each list
    n_lists : how many lists
    rng : draws them

    >>> drawn_profiles([1, 0, 0], 5, 2, np.random.default_rng(0))
    array([[4, 1, 0],
           [4, 1, 0]])
    """
    profiles = rng.multinomial(n_docs, shares, size=n_lists)
    profiles[profiles[:, 0] == n_docs, :2] += [-1, 1]
    return profiles


def length_table(
    shares: np.ndarray, confusion: np.ndarray, scale: Scale, rng: np.random.Generator, lengths: Sequence[int] = LENGTHS
) -> pd.DataFrame:
    """Exact and approximate ceilings of lists of several lengths, with several cut-offs.

    Parameters
    ----------
    shares : (n_grades,) probability of each grade in the lists
    confusion : (n_grades, n_labels) probabilities
    scale : how many lists of each length
    rng : draws the lists
    lengths : documents of a list

    Returns
    -------
    frame length, cutoff ("none" for the whole list), list, exact, approximate
    """
    frames = []
    for length in lengths:
        profiles = drawn_profiles(shares, length, scale.lists, rng)
        for k in CUTOFFS:
            row = {"length": length, "cutoff": str(k or "none"), "list": range(scale.lists)}
            row["exact"] = ceilings.exact(profiles, confusion, k)
            row["approximate"] = ceilings.approximate(profiles, confusion, k)
            frames.append(pd.DataFrame(row))
    return pd.concat(frames, ignore_index=True)


def saved_by_length(table: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """How much smaller the approximation's error @10 is on lists ten times as long, with 95 % bootstrap intervals.

    Parameters
    ----------
    table : frame of `length_table`
    rng : draws bootstrap samples

    Returns
    -------
    frame length (of the longer lists), difference, low, high
    """
    error = (table["approximate"] - table["exact"]).abs()
    by_list = error[table["cutoff"] == str(K)].groupby(table["length"]).apply(np.asarray)
    pairs = [(n, 10 * n) for n in by_list.index if 10 * n in by_list.index]
    return pd.DataFrame([{"length": m} | mean_of(pd.Series(by_list[n] - by_list[m]), rng) for n, m in pairs])


def method_table(
    shares: np.ndarray, confusion: np.ndarray, rng: np.random.Generator, lengths: Sequence[int] = LENGTHS
) -> pd.DataFrame:
    """Time of one ceiling @10 by each method, on one list of each length: frame length, method, seconds, draws.

    Best of several runs. The simulation draws until its standard error is PRECISION.

    Parameters
    ----------
    shares, confusion, lengths : as in `length_table`
    rng : draws lists and labels
    """
    rows = []
    for length in lengths:
        profile = drawn_profiles(shares, length, 1, rng)[0]
        _, error = ceilings.simulated(profile, confusion, K, draws=1000, rng=rng)
        draws = max(2, int(np.ceil(1000 * (error / PRECISION) ** 2)))
        methods = {
            "exact": lambda p=profile: ceilings.exact(p, confusion, K),
            "approximate": lambda p=profile: ceilings.approximate(p, confusion, K),
            "simulated": lambda p=profile, n=draws: ceilings.simulated(p, confusion, K, draws=n, rng=rng),
        }
        for name, method in methods.items():
            seconds = min(_seconds(method) for _ in range(REPEATS))
            rows.append({"length": length, "method": name, "seconds": seconds, "draws": draws * (name == "simulated")})
    return pd.DataFrame(rows)


def _seconds(method: Callable[[], object]) -> float:
    start = time.perf_counter()
    method()
    return time.perf_counter() - start
