"""A pilot: judgments of some queries, and the lists of two rankers that are to be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers import checks
from helpers.judging.judgments import without_missing

NOT = -1
"""In place of a label, or of a document, that is not there."""

FEWEST = 3
CUTOFF = 10


@dataclass(frozen=True, eq=False)
class Pilot:
    """Labels in the order of the pool, into which the two rankers put documents by turns, and what each ranks first.

    Attributes
    ----------
    labels : (n_queries, n_docs, n_judges) int8 what people said, NOT where there is no document or nobody judged it;
        a document with fewer labels than others has them again from the first
    machine : (n_queries, n_docs) int8 what a machine said, or None
    tops : (2, n_queries, cutoff) place in the pool of what each ranker lists at each rank, NOT where its list is over
    query_ids : (n_queries,) names
    name : of the data

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
        """(2,) share of what each ranker lists down to the cut-off that nobody judged, and that counts as grade 0."""
        listed = self.tops != NOT
        judged = np.take_along_axis(self.labels[None, :, :, 0] != NOT, np.maximum(self.tops, 0), axis=2)
        return (listed & ~judged).sum(axis=(1, 2)) / listed.sum(axis=(1, 2))


def pilot(
    judgments: pd.DataFrame,
    runs: Sequence[pd.DataFrame],
    machine: pd.DataFrame | None = None,
    *,
    cutoff: int = CUTOFF,
    name: str = "",
) -> Pilot:
    """A pilot of judgments and the lists of two rankers.

    A query has as many opinions a document as half of the judged documents have at least. What nobody judged counts as
    grade 0.

    Parameters
    ----------
    judgments : long frame query, doc, assessor, grade of people
    runs : two frames query, doc, score; documents of a query with equal scores are ranked in the order of their rows
    machine : frame query, doc, grade of a machine judge, or None
    cutoff : rank down to which nDCG is measured
    name : of the data

    Raises
    ------
    ValueError
        when the cutoff is no whole number of at least 1, there are not two runs, or fewer than three queries are
        judged and ranked by both.

    Examples
    --------
    >>> pairs = [(q, doc) for q in "xyz" for doc in "ab"]
    >>> said = pd.DataFrame([(*pair, judge, pair[1] == "a") for pair in pairs for judge in ("Ann", "Bob")])
    >>> said.columns = ["query", "doc", "assessor", "grade"]
    >>> runs = [pd.DataFrame(pairs, columns=["query", "doc"]).assign(score=score) for score in ([2, 1] * 3, [1, 2] * 3)]
    >>> pilot(said.astype({"grade": int}), runs, cutoff=2).labels.shape
    (3, 2, 2)
    """
    checks.cutoff("cutoff", cutoff, whole_list=False)
    if len(runs) != 2:
        raise ValueError(f"{len(runs)} runs, expected the two that are to be compared")
    judgments = without_missing(judgments)
    queries = [q for q in judgments["query"].unique() if all((run["query"] == q).any() for run in runs)]
    if len(queries) < FEWEST:
        raise ValueError(
            f"pilot: {len(queries)} judged {'query' if len(queries) == 1 else 'queries'} that both rankers list, "
            f"expected at least {FEWEST}: from one query nothing can be told of the next"
        )
    kept = [frame[frame["query"].isin(queries)] for frame in (judgments, *runs)]
    places = _places(*kept, cutoff)
    n_docs = int(places["place"].max()) + 1
    rows = {query: row for row, query in enumerate(queries)}
    return Pilot(
        _labels(kept[0], places, rows, n_docs),
        None if machine is None else _machine(without_missing(machine), places, rows, n_docs),
        np.stack([_top(places, column, rows, int(cutoff)) for column in ("first", "second")]),
        np.asarray(queries),
        name,
    )


def _places(judgments: pd.DataFrame, first: pd.DataFrame, second: pd.DataFrame, cutoff: int) -> pd.DataFrame:
    """Frame query, doc, first, second (ranks from 0, NaN where not listed) and place in the pool, judged last."""
    ranked = [_ranks(run, name) for run, name in ((first, "first"), (second, "second"))]
    both = ranked[0].join(ranked[1], how="outer")
    judged = pd.MultiIndex.from_frame(judgments[["query", "doc"]].drop_duplicates())
    shown = both[both.index.isin(judged) | (both.min(axis=1) < cutoff)]
    whole = shown.reindex(shown.index.union(judged, sort=False))
    turn = np.fmin(2 * whole["first"], 2 * whole["second"] + 1).fillna(np.inf)
    ordered = whole.assign(turn=turn).sort_values(["query", "turn"], kind="stable")
    return ordered.assign(place=ordered.groupby(level="query").cumcount()).drop(columns="turn").reset_index()


def _ranks(run: pd.DataFrame, name: str) -> pd.DataFrame:
    ordered = run.sort_values(["query", "score"], ascending=[True, False], kind="stable")
    return ordered.assign(**{name: ordered.groupby("query").cumcount()}).set_index(["query", "doc"])[[name]]


def _labels(judgments: pd.DataFrame, places: pd.DataFrame, rows: dict, n_docs: int) -> np.ndarray:
    ordered = judgments.sort_values("assessor", kind="stable")
    ordered = ordered.assign(slot=ordered.groupby(["query", "doc"], sort=False).cumcount())
    counts = ordered.groupby(["query", "doc"], sort=False)["slot"].max() + 1
    n_judges = int(counts.quantile(0.5, interpolation="lower"))
    placed = ordered.merge(places[["query", "doc", "place"]], on=["query", "doc"])
    placed = placed.merge(counts.rename("labels").reset_index(), on=["query", "doc"])
    found = np.full((len(rows), n_docs, n_judges), NOT, np.int8)
    row, place, grade = placed["query"].map(rows).to_numpy(), placed["place"].to_numpy(), placed["grade"].to_numpy()
    for slot in range(n_judges):
        mine = (placed["slot"] == slot % placed["labels"]).to_numpy()
        found[row[mine], place[mine], slot] = grade[mine]
    return found


def _machine(machine: pd.DataFrame, places: pd.DataFrame, rows: dict, n_docs: int) -> np.ndarray:
    placed = machine.merge(places[["query", "doc", "place"]], on=["query", "doc"])
    found = np.full((len(rows), n_docs), NOT, np.int8)
    found[placed["query"].map(rows), placed["place"]] = placed["grade"]
    return found


def _top(places: pd.DataFrame, column: str, rows: dict, cutoff: int) -> np.ndarray:
    listed = places[places[column] < cutoff]
    found = np.full((len(rows), cutoff), NOT, np.int64)
    found[listed["query"].map(rows), listed[column].astype(int)] = listed["place"]
    return found
