"""Whether a judge says the same again: of a document that was asked twice, and from the first judgment to the last."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from helpers.datasets.collection import majority_grade, offsets_of
from helpers.judging.agreements import MEASURES, kappas, met
from helpers.judging.judgments import Coded, are_models, coded, without_missing
from helpers.metrics.significance import jackknife_variance, t_half

ENOUGH = 10
"""Documents below which no drift is looked for, and queries below which it has no interval."""

ITSELF = ["judge", "documents", "answers", *MEASURES]
CALIBRATION = ["judge", "documents", "unanimous", "right", "right_else", "difference", "low", "high"]
DRIFT = ["judge", "documents", "queries"]
DRIFT += [name + end for name in ("severity", "agreement") for end in ("", "_low", "_high")]


def with_itself(repeated: pd.DataFrame) -> pd.DataFrame:
    """Agreement of every judge with itself, of documents that it graded more than once, most documents first.

    Every two answers on a document count, either way round, and a document counts once however many there are. What
    equal, chance, kappa and weighted_kappa are is said in `agreements.by_judges`.

    Parameters
    ----------
    repeated : long frame query, doc, assessor, grade of all grades of a judge for a document, `Reading.repeated`

    Returns
    -------
    frame judge, documents, answers, equal, chance, kappa, weighted_kappa

    Examples
    --------
    Of two documents Ann says 0 and 1 of the one, and 1 twice of the other: equal in half; a quarter of the answers are
    0, so that 1/16 + 9/16 would be chance.

    >>> rows = [("q", "a", "Ann", 0), ("q", "a", "Ann", 1), ("q", "b", "Ann", 1), ("q", "b", "Ann", 1)]
    >>> found = with_itself(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]))
    >>> found[["judge", "documents", "equal", "chance"]].to_numpy().tolist()
    [['Ann', 2, 0.5, 0.625]]
    """
    if repeated.empty:
        return pd.DataFrame(columns=ITSELF)
    votes = _answers(repeated, ["assessor", "query", "doc"])
    judges, documents = np.unique(votes.index.get_level_values("assessor"), return_counts=True)
    given = votes.to_numpy()
    k, offsets = given.sum(axis=1, keepdims=True), offsets_of(documents)
    counts = met(given, offsets, given / (k * (k - 1)))
    table = {"judge": judges, "documents": documents, "answers": np.add.reduceat(k[:, 0], offsets[:-1])}
    table |= kappas(counts, votes.columns.to_numpy())
    return pd.DataFrame(table).sort_values("documents", ascending=False, kind="stable", ignore_index=True)


def calibration(repeated: pd.DataFrame, judged: pd.DataFrame) -> pd.DataFrame:
    """Whether a model is right more often where all of its answers are equal, most documents first.

    It says what most of its answers say, at a tie what `collection.majority_grade` takes, and right is the share of a
    document's people who say that. The interval of the difference is of the jackknife over queries.

    Parameters
    ----------
    repeated : as `with_itself` takes it
    judged : long frame of judgments of people, and of others, which are left out

    Returns
    -------
    frame judge, documents (that people judged, too), unanimous (of these), right (where it is unanimous), right_else,
        difference, low, high; NaN where there is nothing to compare

    Examples
    --------
    >>> rows = [("q", d, "model: m", g) for d, gs in {"a": (2, 2), "b": (1, 0), "c": (0, 0)}.items() for g in gs]
    >>> columns = ["query", "doc", "assessor", "grade"]
    >>> people = pd.DataFrame([("q", d, "Ann", g) for d, g in zip("abc", (2, 0, 1))], columns=columns)
    >>> found = calibration(pd.DataFrame(rows, columns=columns), people)
    >>> found[["documents", "unanimous", "right", "right_else", "difference"]].to_numpy().tolist()
    [[3.0, 2.0, 0.5, 0.0, 0.5]]
    """
    people = judged[~are_models(judged["assessor"])]
    of_models = repeated[are_models(repeated["assessor"])]
    if people.empty or of_models.empty:
        return pd.DataFrame(columns=CALIBRATION)
    said = _answers(without_missing(people), ["query", "doc"])
    rows = []
    for judge, own in of_models.groupby("assessor"):
        votes = _answers(own, ["query", "doc"])
        votes = votes[votes.index.isin(said.index)]
        if votes.empty:
            continue
        mostly = votes.columns[majority_grade(votes.to_numpy())]
        theirs = said.loc[votes.index].reindex(columns=said.columns.union(votes.columns), fill_value=0)
        right = theirs.to_numpy()[np.arange(len(votes)), theirs.columns.get_indexer(mostly)] / theirs.sum(axis=1)
        sure = (votes.to_numpy() > 0).sum(axis=1) == 1
        terms = np.stack([sure, ~sure, sure * right, ~sure * right], axis=1)
        query = pd.factorize(votes.index.get_level_values("query"))[0]
        whole = terms.sum(axis=0)
        means = [whole[2 + n] / whole[n] if whole[n] else np.nan for n in (0, 1)]
        rows.append((judge, len(votes), int(sure.sum()), *means, *_over_queries(terms, query, _apart, 2)))
    table = pd.DataFrame(rows, columns=CALIBRATION)
    return table.sort_values("documents", ascending=False, kind="stable", ignore_index=True)


def drift(judged: pd.DataFrame) -> pd.DataFrame:
    """Whether a judge grades higher or lower, or agrees more or less, from the first judgment to the last.

    severity is how much the judge's grade less the mean of the other people's rises over its judgments, from the first
    to the last, by least squares on their order; agreement how much the share of others rises who say the same.
    Intervals are of the jackknife over queries, of which ENOUGH are asked for.

    Parameters
    ----------
    judged : long frame of judgments with a column time, numbers or times, missing where it is not known

    Returns
    -------
    frame judge, documents (with a time, that other people judged), queries, severity, severity_low, severity_high,
        agreement, agreement_low, agreement_high; no row of judges with fewer than ENOUGH documents or one time alone

    Examples
    --------
    Bob begins as Ann does, and is a grade higher in the second half.

    >>> said = {"Ann": [0, 1] * 10, "Bob": [0, 1] * 5 + [1, 2] * 5}
    >>> rows = [(f"q{d}", d, who, g, float(d)) for who, grades in said.items() for d, g in enumerate(grades)]
    >>> found = drift(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade", "time"]))
    >>> found[["judge", "severity", "agreement"]].round(2).to_numpy().tolist()
    [['Ann', -1.43, -1.43], ['Bob', 1.43, -1.43]]
    """
    frame = without_missing(judged)
    if "time" not in frame or frame["time"].isna().all():
        return pd.DataFrame(columns=DRIFT)
    labels, time = coded(frame), frame["time"].rank().to_numpy(np.float64)
    higher, same = _beside_others(labels)
    known, rows = np.flatnonzero(np.isfinite(higher) & np.isfinite(time)), []
    known = known[np.argsort(labels.judge[known], kind="stable")]
    for own in np.split(known, 1 + np.flatnonzero(np.diff(labels.judge[known]))):
        if len(own) < ENOUGH or np.ptp(time[own]) == 0:
            continue
        x = (rankdata(time[own]) - 1) / (len(own) - 1)
        query, queries = pd.factorize(labels.of_query[labels.pair[own]])
        slopes = []
        for y in (higher[own], same[own]):
            slopes += _over_queries(np.stack([np.ones(len(x)), x, y, x * x, x * y], axis=1), query, _slope, ENOUGH)
        rows.append((labels.judges[labels.judge[own[0]]], len(own), len(queries), *slopes))
    return pd.DataFrame(rows, columns=DRIFT)


def _answers(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """How often each grade was given, a row for each of `by`, in their order, a column a grade."""
    return frame.groupby([*by, "grade"]).size().unstack(fill_value=0)


def _beside_others(labels: Coded) -> tuple[np.ndarray, np.ndarray]:
    """(n,) of every judgment: grade less the mean of the other people's, and the share of them who say the same."""
    people, own = labels.people.any(), (np.arange(len(labels.pair)), labels.level)
    others = (labels.votes_of_people if people else labels.votes)[labels.pair]
    others[own] -= labels.people[labels.judge] if people else 1
    number = others.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return labels.grade - others @ labels.values / number, others[own] / number


def _over_queries(
    terms: np.ndarray, query: np.ndarray, of: Callable[[np.ndarray], np.ndarray], fewest: int
) -> list[float]:
    """What `of` makes of the sums of terms (n, m), and its interval by the jackknife over queries, of `fewest`."""
    sums = np.stack([np.bincount(query, term) for term in terms.T], axis=1)
    whole = sums.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        found, error = float(of(whole)), np.sqrt(jackknife_variance(of(whole - sums)))
    half = t_half(error, len(sums) - 1) if len(sums) >= fewest else np.nan
    return [round(found, 12), *(float(end) for end in np.round([found - half, found + half], 12))]


def _slope(sums: np.ndarray) -> np.ndarray:
    """Least squares from the sums of 1, x, y, x x, x y along the last axis."""
    n, x, y, xx, xy = np.moveaxis(sums, -1, 0)
    return (n * xy - x * y) / (n * xx - x * x)


def _apart(sums: np.ndarray) -> np.ndarray:
    """Difference of two means, from their numbers and sums along the last axis."""
    first, second, of_first, of_second = np.moveaxis(sums, -1, 0)
    return of_first / first - of_second / second
