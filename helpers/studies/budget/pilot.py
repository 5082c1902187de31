"""A pilot: judgments of some queries, and the lists of the rankers that are to be compared."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers import checks
from helpers.judging.aggregates import majority_vote
from helpers.judging.judgments import without_missing
from helpers.metrics.ranking import discounts, gains

NOT = -1
"""In place of a label, or of a document, that is not there."""

FEWEST = 3
CUTOFF = 10
LISTED = 100
"""Documents of a query that are taken of a run."""

TOP = 5
"""Runs that are compared where no two are named: the best by people's labels."""


@dataclass(frozen=True, eq=False)
class Pilot:
    """Labels in the order of the pool, into which the rankers put documents by turns, and what each ranks first.

    Attributes
    ----------
    labels : (n_queries, n_docs, n_judges) int8 what people said, NOT where there is no document or nobody judged it;
        a document with fewer labels than others has them again from the first
    machine : (n_queries, n_docs) int8 what a machine said, or None
    tops : (n_runs, n_queries, cutoff) place in the pool of what each ranker lists at each rank, NOT where it ends
    query_ids : (n_queries,) names
    name : of the data
    runs : (n_runs,) names of the rankers

    Examples
    --------
    Of three queries with two documents, each ranker lists one; nobody judged the second of each.

    >>> labels = np.array([[[1], [NOT]]] * 3, np.int8)
    >>> Pilot(labels, None, np.array([[[0]] * 3, [[1]] * 3]), np.arange(3)).unjudged
    array([0., 1.])
    """

    labels: np.ndarray
    machine: np.ndarray | None
    tops: np.ndarray
    query_ids: np.ndarray
    name: str = ""
    runs: tuple[str, ...] = ("first", "second")

    @property
    def n_queries(self) -> int:
        """Queries of the pilot."""
        return len(self.labels)

    @property
    def n_docs(self) -> int:
        """Documents of the longest query."""
        return self.labels.shape[1]

    @property
    def n_judges(self) -> int:
        """Opinions a document."""
        return self.labels.shape[2]

    @property
    def cutoff(self) -> int:
        """Of the nDCG that is compared."""
        return self.tops.shape[2]

    @property
    def unjudged(self) -> np.ndarray:
        """(n_runs,) share of what each lists down to the cut-off that nobody judged, and that counts as grade 0."""
        listed = self.tops != NOT
        judged = np.take_along_axis(self.labels[None, :, :, 0] != NOT, np.maximum(self.tops, 0), axis=2)
        return (listed & ~judged).sum(axis=(1, 2)) / listed.sum(axis=(1, 2))


def pilot(
    judgments: pd.DataFrame,
    runs: Mapping[str, pd.DataFrame],
    machine: pd.DataFrame | None = None,
    *,
    cutoff: int = CUTOFF,
    name: str = "",
    pair: tuple[str, str] | None = None,
) -> Pilot:
    """A pilot of judgments and of the lists of the rankers that are compared: of a pair, or of the TOP best.

    A query has as many opinions a document as half of the judged documents have at least. What nobody judged counts as
    grade 0.

    Parameters
    ----------
    judgments : long frame query, doc, assessor, grade of people
    runs : name -> frame query, doc, score; documents of a query with equal scores are ranked in the order of their rows
    machine : frame query, doc, grade of a machine judge, or None
    cutoff : rank down to which nDCG is measured
    name : of the data
    pair : names of the two runs that matter; without it the TOP best by mean nDCG of people's majority, best first

    Raises
    ------
    ValueError
        when the cutoff is no whole number of at least 1, there are fewer than two runs, the pair is not two of them, or
        fewer than three queries are judged and ranked by all.

    Examples
    --------
    >>> pairs = [(q, doc) for q in "xyz" for doc in "ab"]
    >>> said = pd.DataFrame([(*pair, judge, pair[1] == "a") for pair in pairs for judge in ("Ann", "Bob")])
    >>> said.columns = ["query", "doc", "assessor", "grade"]
    >>> runs = {"up": [2, 1] * 3, "down": [1, 2] * 3}
    >>> runs = {name: pd.DataFrame(pairs, columns=["query", "doc"]).assign(score=runs[name]) for name in runs}
    >>> pilot(said.astype({"grade": int}), runs, cutoff=2).labels.shape
    (3, 2, 2)
    """
    checks.cutoff("cutoff", cutoff, whole_list=False)
    if len(runs) < 2:
        raise ValueError(f"{len(runs)} runs, expected at least the two that are to be compared")
    if pair and (len(pair) != 2 or len({*pair} & {*runs}) != 2):
        raise ValueError(f"pair is {','.join(pair)}, expected two of {', '.join(runs)}")
    compared = {run: runs[run] for run in pair or runs}
    judgments = without_missing(judgments)
    found = _pilot(judgments, compared, machine, int(cutoff), name)
    if len(compared) == 2:
        return found
    means = scores(found, voted(found.labels), found.n_docs).mean(axis=1)
    best = {found.runs[row]: compared[found.runs[row]] for row in np.argsort(-means, kind="stable")[:TOP]}
    return _pilot(judgments, best, machine, int(cutoff), name)


def scores(pilot: Pilot, grades: np.ndarray, depth: int) -> np.ndarray:
    """(n_runs, n_queries) nDCG of each ranker, where only the first documents of the pool are judged."""
    gain = np.where(grades == NOT, 0.0, gains(np.maximum(grades, 0)))
    gain[:, depth:] = 0
    weights = discounts(pilot.cutoff)
    best = -np.sort(-gain, axis=1)[:, : pilot.cutoff]
    ideal = best @ weights[: best.shape[1]]
    listed = np.take_along_axis(gain[None], np.maximum(pilot.tops, 0), axis=2) * (pilot.tops != NOT)
    return np.divide(listed @ weights, ideal, out=np.zeros(pilot.tops.shape[:2]), where=ideal > 0)


def voted(labels: np.ndarray) -> np.ndarray:
    """(n_queries, n_docs) majority of labels (n_queries, n_docs, people), NOT where there is none."""
    flat = labels.reshape(-1, labels.shape[2])
    judged = flat[:, 0] != NOT
    found = np.full(len(flat), NOT, np.int8)
    if judged.any():
        found[judged] = majority_vote(flat[judged])
    return found.reshape(labels.shape[:2])


def _pilot(
    judgments: pd.DataFrame, runs: Mapping[str, pd.DataFrame], machine: pd.DataFrame | None, cutoff: int, name: str
) -> Pilot:
    common = set.intersection(*(set(run["query"]) for run in runs.values()))
    queries = [query for query in judgments["query"].unique() if query in common]
    if len(queries) < FEWEST:
        listed = "both rankers list" if len(runs) == 2 else "all rankers list"
        raise ValueError(
            f"pilot: {len(queries)} judged {'query' if len(queries) == 1 else 'queries'} that {listed}, "
            f"expected at least {FEWEST}: from one query nothing can be told of the next"
        )
    kept = judgments[judgments["query"].isin(queries)]
    places = _places(kept, [run[run["query"].isin(queries)] for run in runs.values()], cutoff)
    places["row"] = places.index.get_level_values("query").map({query: row for row, query in enumerate(queries)})
    shape, at = (len(queries), int(places["place"].max()) + 1), places[["row", "place"]]
    labels = kept.sort_values("assessor", kind="stable").join(at, on=["query", "doc"], how="inner")
    by_doc = labels.groupby(["row", "place"])["grade"]
    slot, given = by_doc.cumcount(), by_doc.transform("size")
    n_judges = int(by_doc.size().quantile(0.5, interpolation="lower"))
    ranked = [places[places[column] < cutoff].astype({column: int}) for column in range(len(runs))]
    by_machine = None if machine is None else without_missing(machine).join(at, on=["query", "doc"], how="inner")
    return Pilot(
        np.stack([_filled(shape, labels[slot == n % given]) for n in range(n_judges)], axis=2),
        by_machine if by_machine is None else _filled(shape, by_machine),
        np.stack([_filled((shape[0], cutoff), own, column, "place", np.int64) for column, own in enumerate(ranked)]),
        np.asarray(queries),
        name,
        tuple(runs),
    )


def _filled(
    shape: tuple[int, int], frame: pd.DataFrame, column: str | int = "place", value: str = "grade", kind: type = np.int8
) -> np.ndarray:
    """The values at the row and the column that a frame tells, NOT elsewhere."""
    found = np.full(shape, NOT, kind)
    found[frame["row"], frame[column]] = frame[value]
    return found


def _places(judgments: pd.DataFrame, runs: list[pd.DataFrame], cutoff: int) -> pd.DataFrame:
    """By query and doc: rank from 0 by each run in a column of its number, and place in the pool, judged last."""
    ranks = []
    for column, run in enumerate(runs):
        ordered = run.sort_values(["query", "score"], ascending=[True, False], kind="stable")
        ordered[column] = ordered.groupby("query").cumcount()
        ranks.append(ordered.set_index(["query", "doc"])[column])
    ranked = pd.concat(ranks, axis=1)
    judged = pd.MultiIndex.from_frame(judgments[["query", "doc"]].drop_duplicates())
    shown = ranked[ranked.index.isin(judged) | (ranked.min(axis=1) < cutoff)]
    whole = shown.reindex(shown.index.union(judged, sort=False))
    turns = len(runs) * whole + np.arange(len(runs))
    ordered = whole.assign(turn=turns.min(axis=1).fillna(math.inf)).sort_values(["query", "turn"], kind="stable")
    return ordered.assign(place=ordered.groupby(level="query").cumcount())
