"""Each model beside people: how it agrees with them, where it errs, what its map to their grades mends, how it fails.

A model's grade of a document is held against the grades of all people who judged it, one of n people for 1 / n, so that
a document counts once; with one person, against that person. Queries are resampled, the same for all models.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.isotonic import IsotonicRegression

from helpers.judging.agreements import kappas, met
from helpers.judging.judgments import Coded, as_coded
from helpers.metrics.significance import bootstrap_counts, ends

NEARLY_ALL = 0.9
"""Share of people's labels of one grade from which on kappa says little, and AC1 stands beside it."""

SLIPS = 0.01
"""Share of a model's grades above people's highest up to which they are slips."""

PEOPLE = "one person, another"
"""The row of people among themselves."""

MEASURES = ["kappa", "weighted_kappa", "ac1", "bias", "error", "mapped_error", "mended", "behind"]
COLUMNS = ["judge", "documents", "queries"]
COLUMNS += [name + end for name in MEASURES for end in ("", "_low", "_high")] + ["failures"]
DIGITS = 12
BY_GRADE = ["judge", "grade", "documents", "bias", "low", "high"]
MAPS = ["judge", "grade", "documents", "mapped"]


class Page(NamedTuple):
    """What `page` finds."""

    table: pd.DataFrame  # a row a model, best first: judge, documents, queries, MEASURES with _low and _high, failures
    people: pd.DataFrame  # a row like these of people among themselves; none where no two judged the same document
    by_grade: pd.DataFrame  # judge, grade (of people), documents, bias, low, high
    maps: pd.DataFrame  # judge, grade (of the model), documents, mapped (what people's grade then is to be expected)


def page(judged: pd.DataFrame | Coded, *, draws: int, rng: np.random.Generator) -> Page:
    """Every model held against people, best by weighted kappa first.

    kappa and weighted_kappa are those of `agreements.by_judges`, and behind is how much weighted_kappa is below that of
    the first; ac1 is Gwet's (2008), (equal - e) / (1 - e) with e = sum of p (1 - p) / (grades - 1) over grades of mean
    share p, and is there where people give one grade to NEARLY_ALL. bias is the mean of a model's grade less a
    person's, and error the root of the mean of its square. The map to people's grades is their isotonic regression on
    the model's. mapped_error is the error of what is mapped, the map fitted on a random half of the queries for the
    other half, and the other way round; mended is error less mapped_error.

    Parameters
    ----------
    judged : long frame of judgments, or what `judgments.coded` made of it; models are called "model: ..."
    draws : bootstrap samples of the queries, at least 2
    rng : draws these, and halves the queries

    Returns
    -------
    Page, its tables without rows where no model and person judged the same document; below two queries intervals are
        NaN, and what is mapped

    Raises
    ------
    ValueError
        as `judgments.coded`.

    Examples
    --------
    The model is one grade higher throughout, which the map takes back.

    >>> rows = [(q, d, who, d + (who != "Ann")) for q in "abcd" for d in (0, 1) for who in ("Ann", "model: m")]
    >>> frame = pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])
    >>> found = page(frame, draws=20, rng=np.random.default_rng(0))
    >>> found.table[["judge", "documents", "weighted_kappa", "bias", "error", "mapped_error"]].round(3).values.tolist()
    [['model: m', 8, 0.333, 1.0, 1.0, 0.0]]
    >>> found.maps[["grade", "mapped"]].values.tolist()
    [[1.0, 0.0], [2.0, 1.0]]
    """
    labels = as_coded(judged)
    sample, halves = rng.spawn(2)
    n_queries, values = len(labels.queries), labels.values
    by_name = np.argsort(labels.queries.astype(str), kind="stable")  # so that the order of rows decides nothing
    weights = np.ones((1 + draws, n_queries))
    weights[1:, by_name] = bootstrap_counts(n_queries, draws, sample)
    order = by_name[halves.permutation(n_queries)]
    models = {labels.judges[model]: model for model in np.flatnonzero(~labels.people)}
    counts = {judge: confusions(labels, model) for judge, model in models.items()}
    found = {
        judge: measured(np.tensordot(weights, own, axes=1), weights @ _squares(own, values, order), values)
        for judge, own in counts.items()
        if own.any()
    }
    kappas_of = {judge: np.nan_to_num(drawn["weighted_kappa"][0], nan=-np.inf) for judge, drawn in found.items()}
    best_first = sorted(found, key=lambda judge: (-kappas_of[judge].round(12), judge))
    rows, grades, maps = [], [], []
    for judge in best_first:
        own, behind = counts[judge], found[best_first[0]]["weighted_kappa"] - found[judge]["weighted_kappa"]
        failures = _failures(labels, models[judge])
        rows.append(_row(judge, found[judge] | {"behind": behind}, own) | {"failures": failures})
        grades += [(judge, *row) for row in _bias_by_grade(own, weights, values)]
        whole = own.sum(axis=0)
        documents = whole.sum(axis=0)
        own = zip(values, documents.round(6), _mapped(whole, values), strict=True)
        maps += [(judge, *row) for row, seen in zip(own, documents > 0, strict=True) if seen]
    votes = labels.votes_of_people
    number = votes.sum(axis=1, keepdims=True)
    among = met(votes, labels.offsets, votes / np.maximum(number * (number - 1), 1))
    one = measured(np.tensordot(weights, among, axes=1), np.full(1 + draws, np.nan), values)
    people = [_row(PEOPLE, one, among) | {"failures": ""}] if among.any() else []
    found = zip((rows, people, grades, maps), (COLUMNS, COLUMNS, BY_GRADE, MAPS), strict=True)
    return Page(*(pd.DataFrame(table, columns=columns) for table, columns in found))


def confusions(labels: Coded, model: int) -> np.ndarray:
    """(n_queries, n_grades, n_grades) documents by people's grade (row) and that of a model, its position in judges."""
    own, votes = labels.judge == model, labels.votes_of_people
    pair, level = labels.pair[own], labels.level[own]
    judged = votes[pair].any(axis=1)
    pair, level = pair[judged], level[judged]
    shares = votes[pair] / votes[pair].sum(axis=1, keepdims=True)
    shape = len(labels.queries), len(labels.values)
    cells = labels.of_query[pair] * shape[1] + level
    by_grade = [np.bincount(cells, share, minlength=np.prod(shape)).reshape(shape) for share in shares.T]
    return np.stack(by_grade, axis=1)


def measured(drawn: np.ndarray, squares: np.ndarray, values: np.ndarray) -> dict[str, np.ndarray]:
    """MEASURES but the last, (1 + draws,) each, of confusions summed over queries: what was found, and other draws.

    drawn is (1 + draws, n_grades, n_grades), squares (1 + draws,) sums of squared differences of people's grades from
    mapped ones.
    """
    equal, _, kappa, weighted = kappas(drawn, values).values()
    apart = np.subtract.outer(values, values).T
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = drawn / drawn.sum(axis=(1, 2), keepdims=True)
        p = (shares.sum(axis=1) + shares.sum(axis=2)) / 2
        by_chance = (p * (1 - p)).sum(axis=1) / max(np.count_nonzero(p[0]) - 1, 1)
        ac1 = (equal - by_chance) / (1 - by_chance)
        mapped_error = np.sqrt(squares / drawn.sum(axis=(1, 2)))
    if shares[0].sum(axis=1).max() < NEARLY_ALL:
        ac1 = np.full(len(drawn), np.nan)
    error = np.sqrt((shares * apart**2).sum(axis=(1, 2)))
    bias = (shares * apart).sum(axis=(1, 2))
    values_of = kappa, weighted, ac1, bias, error, mapped_error, error - mapped_error
    return dict(zip(MEASURES, values_of, strict=False))


def _row(judge: str, found: dict[str, np.ndarray], counts: np.ndarray) -> dict:
    """A row of a table, from what `measured` found of confusions."""
    row = {"judge": judge, "documents": round(counts.sum()), "queries": int(counts.any(axis=(1, 2)).sum())}
    for name, values in found.items():
        low, high = ends(values[1:]).round(DIGITS) + 0.0 if row["queries"] > 1 else (np.nan, np.nan)
        row |= {name: round(float(values[0]), DIGITS), f"{name}_low": low, f"{name}_high": high}
    return row


def _bias_by_grade(counts: np.ndarray, weights: np.ndarray, values: np.ndarray) -> list[tuple]:
    """The rows of `by_grade` of one model, without its name."""
    off, documents = (counts * np.subtract.outer(values, values).T).sum(axis=2), counts.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = (weights @ off) / (weights @ documents)
    low, high = np.where((documents > 0).sum(axis=0) > 1, ends(drawn[1:]).round(DIGITS) + 0.0, np.nan)
    rows = zip(values, documents.sum(axis=0).round(6), drawn[0], low, high, strict=True)
    return [row for row, seen in zip(rows, documents.any(axis=0), strict=True) if seen]


def _mapped(counts: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(n_grades,) what each grade of the model is mapped to."""
    documents = counts.sum(axis=0)
    seen = documents > 0
    isotonic = IsotonicRegression(out_of_bounds="clip")
    isotonic.fit(values[seen], values @ counts[:, seen] / documents[seen], sample_weight=documents[seen])
    return isotonic.predict(values)


def _squares(counts: np.ndarray, values: np.ndarray, order: np.ndarray) -> np.ndarray:
    """(n_queries,) sums of squared differences from what is mapped as the other half of the queries says, these halved
    in the given order; NaN below two queries."""
    own = order[counts.any(axis=(1, 2))[order]]
    squares = np.zeros(len(counts)) if len(own) > 1 else np.full(len(counts), np.nan)
    for half, other in ((own[::2], own[1::2]), (own[1::2], own[::2])) if len(own) > 1 else ():
        mapped = _mapped(counts[other].sum(axis=0), values)
        squares[half] = (counts[half] * np.subtract.outer(values, mapped) ** 2).sum(axis=(1, 2))
    return squares


def _failures(labels: Coded, model: int) -> str:
    """What fails by name: one grade for everything, never the highest, beyond it, no answers."""
    own, votes = labels.judge == model, labels.votes_of_people
    grades, asked = labels.grade[own], votes.any(axis=1)
    highest = labels.values[votes.any(axis=0)][-1]
    silent, above = int(asked.sum() - asked[labels.pair[own]].sum()), int((grades > highest).sum())
    said = []
    if len(np.unique(grades)) == 1:
        said.append(f"{grades[0]} for all {len(grades):,} documents")
    elif grades.max() < highest:
        said.append(f"never the highest grade, {highest}")
    if above > SLIPS * len(grades):
        said.append(f"above people's highest grade, {highest}, for {above:,} of {len(grades):,} documents")
    if silent:
        said.append(f"no answer for {silent:,} of {asked.sum():,} documents")
    return "; ".join(said)
