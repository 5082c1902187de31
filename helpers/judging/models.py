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
from helpers.metrics.significance import bootstrap_counts

NEARLY_ALL = 0.9
"""Share of people's labels of one grade from which on kappa says little, and AC1 stands beside it."""

SLIPS = 0.01
"""Share of a model's grades above people's highest up to which they are slips."""

PEOPLE = "one person, another"
"""The row of people among themselves."""

MEASURES = ["kappa", "weighted_kappa", "ac1", "bias", "error", "mapped_error", "mended", "behind"]
COLUMNS = ["judge", "documents", "queries"]
COLUMNS += [name + end for name in MEASURES for end in ("", "_low", "_high")] + ["failures"]
BY_GRADE = ["judge", "grade", "documents", "bias", "low", "high"]
MAPS = ["judge", "grade", "documents", "mapped"]


class Page(NamedTuple):
    """What `page` finds.

    table : a row a model, best first: judge, documents, queries, MEASURES with _low and _high, failures ("" for none)
    people : a row like these of people among themselves; none where no two judged the same document
    by_grade : judge, grade (of people), documents, bias, low, high
    maps : judge, grade (of the model), documents, mapped (what people's grade then is to be expected)
    """

    table: pd.DataFrame
    people: pd.DataFrame
    by_grade: pd.DataFrame
    maps: pd.DataFrame


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
    n_queries, votes = len(labels.queries), votes_of_people(labels)
    by_name = np.argsort(labels.queries.astype(str), kind="stable")  # so that the order of rows decides nothing
    weights = np.ones((1 + draws, n_queries))
    weights[1:, by_name] = bootstrap_counts(n_queries, draws, sample)
    order = by_name[halves.permutation(n_queries)]
    found, rows, grades, maps = {}, {}, [], []
    for model in np.flatnonzero(~labels.people):
        own, judge = labels.judge == model, labels.judges[model]
        counts = confusions(labels, votes, own)
        if counts.any():
            squares = weights @ _squares(counts, labels.values, order)
            found[judge] = measured(np.tensordot(weights, counts, axes=1), squares, labels.values)
            rows[judge] = _sizes(counts) | {"failures": _failures(labels, votes, own)}
            grades.append(_bias_by_grade(counts, weights, labels.values).assign(judge=judge))
            maps.append(_map(counts.sum(axis=0), labels.values).assign(judge=judge))
    kappas_of = {judge: np.nan_to_num(values["weighted_kappa"][0], nan=-np.inf) for judge, values in found.items()}
    best_first = sorted(found, key=lambda judge: (-kappas_of[judge].round(12), judge))
    for judge in best_first:
        found[judge]["behind"] = found[best_first[0]]["weighted_kappa"] - found[judge]["weighted_kappa"]
    table = pd.DataFrame([_row(judge, found[judge], rows[judge]) for judge in best_first], columns=COLUMNS)
    among = _among(votes, labels.offsets)
    one = measured(np.tensordot(weights, among, axes=1), np.full(1 + draws, np.nan), labels.values)
    people = [_row(PEOPLE, one, _sizes(among))] if among.any() else []
    people = pd.DataFrame(people, columns=COLUMNS)
    return Page(table, people, _stacked(grades, BY_GRADE, best_first), _stacked(maps, MAPS, best_first))


def votes_of_people(labels: Coded) -> np.ndarray:
    """(n_pairs, n_grades) how often people gave each grade to a pair."""
    given = labels.people[labels.judge]
    shape = len(labels.pairs), len(labels.values)
    return np.bincount(labels.pair[given] * shape[1] + labels.level[given], minlength=np.prod(shape)).reshape(shape)


def confusions(labels: Coded, votes: np.ndarray, own: np.ndarray) -> np.ndarray:
    """(n_queries, n_grades, n_grades) documents by people's grade (row) and the model's, whose judgments are `own`."""
    pair, level = labels.pair[own], labels.level[own]
    judged = votes[pair].any(axis=1)
    pair, level = pair[judged], level[judged]
    shares = votes[pair] / votes[pair].sum(axis=1, keepdims=True)
    shape = len(labels.queries), len(labels.values)
    cells = labels.of_query[pair] * shape[1] + level
    by_grade = [np.bincount(cells, share, minlength=np.prod(shape)).reshape(shape) for share in shares.T]
    return np.stack(by_grade, axis=1)


def _among(votes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """(n_queries, n_grades, n_grades) documents by the grade of one person and of another, either way round."""
    number = votes.sum(axis=1, keepdims=True)
    return met(votes, offsets, votes / np.maximum(number * (number - 1), 1))


def _sizes(counts: np.ndarray) -> dict[str, int]:
    return {"documents": round(counts.sum()), "queries": int(counts.any(axis=(1, 2)).sum())}


def measured(drawn: np.ndarray, squares: np.ndarray, values: np.ndarray) -> dict[str, np.ndarray]:
    """MEASURES but the last, (1 + draws,) each, of confusions summed over queries: what was found, and other draws.

    drawn is (1 + draws, n_grades, n_grades), squares (1 + draws,) sums of squared differences of people's grades from
    mapped ones.
    """
    equal, _, kappa, weighted = kappas(drawn, values)
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


def _row(judge: str, found: dict[str, np.ndarray], sizes: dict) -> dict:
    """A row of a table, from what `measured` found."""
    row = {"judge": judge, "failures": ""} | sizes
    for name, values in found.items():
        low, high = _ends(values[1:]) if sizes["queries"] > 1 else (np.nan, np.nan)
        row |= {name: round(float(values[0]), 12), f"{name}_low": low, f"{name}_high": high}
    return row


def _ends(drawn: np.ndarray) -> tuple[float, float]:
    """Ends of the interval of what was drawn; NaN where nothing is known."""
    known = drawn[np.isfinite(drawn)]
    low, high = np.quantile(known, [0.025, 0.975]).round(12) + 0.0 if len(known) else (np.nan, np.nan)
    return float(low), float(high)


def _bias_by_grade(counts: np.ndarray, weights: np.ndarray, values: np.ndarray) -> pd.DataFrame:
    """The frame `by_grade` of one model."""
    off, documents = (counts * np.subtract.outer(values, values).T).sum(axis=2), counts.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = (weights @ off) / (weights @ documents)
    rows = []
    for g in np.flatnonzero(documents.any(axis=0)):
        ends = _ends(drawn[1:, g]) if np.count_nonzero(documents[:, g]) > 1 else (np.nan, np.nan)
        rows.append((values[g], round(documents[:, g].sum(), 6), drawn[0, g], *ends))
    return pd.DataFrame(rows, columns=BY_GRADE[1:])


def _map(counts: np.ndarray, values: np.ndarray) -> pd.DataFrame:
    """The frame `maps` of one model, from its documents by people's grade (row) and its own, of all queries."""
    documents, seen = counts.sum(axis=0).round(6), counts.any(axis=0)
    return pd.DataFrame({"grade": values, "documents": documents, "mapped": _mapped(counts, values)})[seen]


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


def _failures(labels: Coded, votes: np.ndarray, own: np.ndarray) -> str:
    """What fails by name: one grade for everything, never the highest, beyond it, no answers."""
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


def _stacked(frames: list[pd.DataFrame], columns: list[str], judges: list[str]) -> pd.DataFrame:
    """The frames of all models, in the order of the judges."""
    by_judge = {frame["judge"].iloc[0]: frame for frame in frames}
    frames = [by_judge[judge] for judge in judges] or [pd.DataFrame(columns=columns)]
    return pd.concat(frames, ignore_index=True)[columns]
