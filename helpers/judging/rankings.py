"""Rankings of judged documents, those of runs or imagined ones where there are none, scored by every judge's labels.

A run is scored as trec_eval does: what a judge did not judge counts as grade 0, and a query of which a run lists
nothing is 0. Imagined rankings are of the documents that people judged, scored by those that both sides judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa

from helpers import checks, metrics, texts
from helpers.datasets.collection import majority_grade
from helpers.datasets.runs import Lists
from helpers.datasets.runs.trec import nearly_joined
from helpers.judging.judgments import Coded, as_coded
from helpers.judging.replacing import most_in_common, queries_of
from helpers.metrics.power import FEWEST_CORRECTED, Powered, powered_mean

RANKINGS = 20
"""How many are imagined."""

NOISES = (0.25, 1.5)
"""Of the imagined rankings, in standard deviations of people's mean grades, from the best to the worst."""

QUANTILE = 0.95
OVER, NOT = -1, -2
"""In place of a document that is listed: where a list is over, and where nobody judged it."""

CALLED: Mapping[str, Mapping[str, str]] = {}

ALL = "people"
"""In place of a judge: the majority of people's grades, of two as frequent the higher."""


@dataclass(frozen=True, eq=False)
class Rankings:
    """Rankings of the pairs of `labels`, by the first documents of runs, or SYNTHETIC ones by scores of documents."""

    labels: Coded  # that they are scored by
    names: np.ndarray  # (n_rankings,)
    k: int | None  # cut-off
    tops: np.ndarray | None = None  # (n_rankings, n_queries, k or fewer) positions of pairs, OVER or NOT; of runs
    scores: np.ndarray | None = None  # (n_rankings, n_pairs), NaN where no person judged; of imagined ones
    notes: Sequence[str] = ()  # on how runs were read, and on ids that the judgments write otherwise

    @property
    def imagined(self) -> bool:
        """Whether they are SYNTHETIC."""
        return self.tops is None

    def ndcg(self, grades: np.ndarray) -> np.ndarray:
        """(n_rankings, n_queries) nDCG by grades (n_pairs,), -1 for none; NaN where nothing can be gained or is listed.

        Of imagined rankings a grade is of a document that they rank.
        """
        found = np.full((len(self.names), len(self.labels.queries)), np.nan)
        pair = np.flatnonzero(grades >= 0)
        if not len(pair):
            return found
        queries, offsets = queries_of(self.labels.of_query[pair])
        if self.imagined:
            every = (offsets[:-1] + len(pair) * np.arange(len(found))[:, None]).ravel()
            scores, repeated = self.scores[:, pair], np.tile(grades[pair], len(found))
            values = metrics.ndcg(repeated, scores.ravel(), np.append(every, scores.size), self.k)
            found[:, queries] = values.reshape(len(found), -1)
            return found
        gain, width = metrics.gains(np.arange(1 + grades.max())), self.tops.shape[2]
        discount = metrics.discounts(min(self.k, max(width, int(np.diff(offsets).max()))))
        cells = self.labels.of_query[pair] * len(gain) + grades[pair]
        counts = np.bincount(cells, minlength=found.shape[1] * len(gain)).reshape(-1, len(gain))
        ideal, gain = ideal_dcg(counts, gain, discount), np.append(gain[np.maximum(grades, 0)], 0.0)
        scored = (ideal > 0) & (self.tops != OVER).any(axis=(0, 2))
        found[:, scored] = gain[np.where(self.tops < 0, -1, self.tops)][:, scored] @ discount[:width] / ideal[scored]
        return found

    def unjudged(self, grades: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """(n_rankings,) share of what runs list down to the cut-off for the queries that has none of the grades."""
        tops = self.tops[:, queries]
        judged = (tops >= 0) & (np.append(grades, -1)[np.maximum(tops, -1)] >= 0)
        listed = (tops != OVER).sum(axis=(1, 2))
        return np.divide(listed - judged.sum(axis=(1, 2)), listed, out=np.full(len(tops), np.nan), where=listed > 0)


def ideal_dcg(counts: np.ndarray, gain: np.ndarray, discount: np.ndarray) -> np.ndarray:
    """(…) the highest DCG of so many documents (…, n_grades) of each grade."""
    summed = np.append(0.0, discount.cumsum())
    ends = np.minimum(counts[..., ::-1].cumsum(axis=-1), len(discount))
    within = np.diff(summed[ends], axis=-1, prepend=0.0)
    return within @ gain[::-1]


def of_runs(
    judged: pd.DataFrame | Coded, runs: Sequence[Lists], k: int, called: Mapping[str, Mapping[str, str]] = CALLED
) -> Rankings:
    """The first k documents that runs list for judged queries; called is by role, query or doc, the name in the
    judgments of one in the files, where that is another. ValueError when an assessor is called ALL, the runs list no
    judged query, or none of its documents down to the cut-off was judged."""
    checks.cutoff("k", k, whole_list=False)
    labels, k = as_coded(judged), int(k)
    if ALL in labels.judges:
        raise ValueError(f"an assessor is called {ALL!r}, as all of them together are, expected another name")
    listed = pd.concat([run.frame(k).assign(run=number) for number, run in enumerate(runs)], ignore_index=True)
    listed["rank"] = listed.groupby(["run", "query"], sort=False).cumcount()
    ids = listed[["query", "doc"]].iloc[0]
    notes = _nearly(listed, labels, called)
    for role, names in called.items():
        listed[role] = listed[role].map(names)
    query = pd.Index(labels.queries).get_indexer(listed["query"])
    listed, query = listed[query >= 0], query[query >= 0]
    pairs = labels.pairs.assign(pair=np.arange(len(labels.pairs)))
    pair = listed.merge(pairs, "left", ["query", "doc"])["pair"].fillna(NOT).to_numpy(np.int64)
    if not (pair >= 0).any():
        role = "doc" if len(listed) else "query"
        own = next(iter(called.get(role, {})), labels.pairs[role].iloc[0])
        what = f"documents of judged queries down to rank {k}" if len(listed) else "queries"
        raise ValueError(f"runs: no judged {what}, expected ids such as {own}, found ids such as {ids[role]}")
    tops = np.full((len(runs), len(labels.queries), 1 + listed["rank"].max()), OVER)
    tops[listed["run"], query, listed["rank"]] = pair
    lists = (tops != OVER).any(axis=2)
    missing = lists.any(axis=0).sum() - lists.sum(axis=1)
    unlisted = [
        f"{run.name} lists nothing for {n:,} of {lists.any(axis=0).sum():,} judged queries, which count as 0."
        for run, n in zip(runs, missing, strict=True)
        if n
    ]
    notes = [*(note for run in runs for note in run.notes), *notes, *unlisted]
    return Rankings(labels, np.array([run.name for run in runs]), k, tops, notes=notes)


def _nearly(listed: pd.DataFrame, labels: Coded, called: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Notes on ids that runs and judgments write nearly alike."""
    own, judged = [], []
    for role in ("query", "doc"):
        ids = pa.array(called.get(role) or labels.pairs[role].astype(str).unique(), pa.string())
        own.append(pa.array(listed[role].astype(str).unique(), pa.string()))
        judged.append((ids, texts.folded(ids)))
    return nearly_joined("The runs", "the judgments", own, judged)


def among(rankings: Rankings, labels: Coded) -> Rankings:
    """Runs as rankings of the pairs of other labels of the same queries, NOT where these have no such pair."""
    if labels is rankings.labels:
        return rankings
    place = pd.MultiIndex.from_frame(labels.pairs).get_indexer(pd.MultiIndex.from_frame(rankings.labels.pairs))
    queries = pd.Index(rankings.labels.queries).get_indexer(labels.queries)
    tops = rankings.tops[:, queries]
    return replace(rankings, labels=labels, tops=np.where(tops < 0, tops, np.where(place < 0, NOT, place)[tops]))


def imagined(judged: pd.DataFrame | Coded, k: int | None, *, rng: np.random.Generator) -> Rankings:
    """RANKINGS SYNTHETIC rankings: the mean of people's grades plus normal noise, of the sizes NOISES.

    They are there because judgments alone hold no ranker, and lie between near perfect and poor.
    """
    checks.cutoff("k", k)
    labels = as_coded(judged)
    votes = labels.votes_of_people
    with np.errstate(invalid="ignore"):
        means = votes @ labels.values / votes.sum(axis=1)
    spread = np.nanstd(means) if votes.any() else 0.0
    sizes = np.linspace(*NOISES, RANKINGS)[:, None] * max(spread, 1e-9)
    scores = means + sizes * rng.standard_normal((RANKINGS, len(means)))
    return Rankings(labels, np.arange(1, RANKINGS + 1).astype(str), k and int(k), scores=scores)


@dataclass(frozen=True, eq=False)
class Scored:
    """(n_rankings, n_queries) nDCG of rankings by a judge, or ALL people, and by the majority of the other people.

    NaN where nothing can be gained; unjudged : (n_rankings,) share of what is listed that the judge did not judge.
    """

    judge: str
    own: np.ndarray
    others: np.ndarray
    unjudged: np.ndarray

    @property
    def known(self) -> np.ndarray:
        """(n_queries,) whether the judge's labels score it."""
        return np.isfinite(self.own[0])

    @property
    def shared(self) -> np.ndarray:
        """(n_queries,) whether those of the other people do, too."""
        return self.known & np.isfinite(self.others[0])

    @property
    def mean(self) -> np.ndarray:
        """(n_rankings,) mean over the queries that the judge's labels score, NaN where there are none."""
        return self.own[:, self.known].mean(axis=1) if self.known.any() else np.full(len(self.own), np.nan)

    def powered(self, of: Callable[[np.ndarray], np.ndarray] = np.asarray) -> Powered:
        """What the other people's labels and the judge's say together `of` both sides, on FEWEST_CORRECTED queries."""
        own, others = of(self.own), of(self.others)
        return powered_mean(others[:, self.shared], own[:, self.shared], own[:, self.known])


def scored(rankings: Rankings) -> list[Scored]:
    """Rankings scored by every judge, of many those of `most_in_common`, and of runs by ALL people, if any, first."""
    labels, imagined = rankings.labels, rankings.imagined
    votes = labels.votes_of_people
    everyone = _majority(labels, votes)

    def by(judge: str, grades: np.ndarray, others: np.ndarray) -> Scored:
        own = rankings.ndcg(grades)
        unjudged = np.full(len(own), np.nan) if imagined else rankings.unjudged(grades, np.isfinite(own[0]))
        return Scored(judge, own, rankings.ndcg(others), unjudged)

    found = [by(ALL, everyone, np.full_like(everyone, -1))] if votes.any() and not imagined else []
    for judge in most_in_common(labels):
        own = labels.judge == judge
        pair, grades, others = labels.pair[own], np.full_like(everyone, -1), everyone.copy()
        grades[pair] = labels.grade[own]
        if labels.people[judge]:
            left = votes[pair]
            left[np.arange(len(pair)), labels.level[own]] -= 1
            others[pair] = _majority(labels, left)
        if imagined:
            both = (grades >= 0) & (others >= 0)
            grades, others = (np.where(both, side, -1) for side in (grades, others))
        found.append(by(labels.judges[judge], grades, others))
    return found


def moved(scores: Sequence[Scored]) -> pd.DataFrame:
    """Frame judge, queries, moved: how far the difference of two rankings moves when the other people's labels score
    them in the place of the judge's, the QUANTILE over pairs of rankings."""
    rows = []
    for found in (found for found in scores if found.shared.any()):
        means = (values[:, found.shared].mean(axis=1) for values in (found.own, found.others))
        first, second = np.triu_indices(len(found.own), 1)
        own, others = (mean[first] - mean[second] for mean in means)
        rows.append((found.judge, found.shared.sum(), np.quantile(np.abs(own - others), QUANTILE)))
    return pd.DataFrame(rows, columns=["judge", "queries", "moved"])


def corrected(rankings: Rankings, scores: Sequence[Scored]) -> pd.DataFrame:
    """A row a judge and ranking: judge, ranking, by_judge (mean by the judge's labels alone), then the fields of
    `Powered`: what the other people's labels and the judge's say together, if they share FEWEST_CORRECTED queries."""
    frames = [
        pd.DataFrame({"judge": found.judge, "ranking": rankings.names, "by_judge": found.mean}).assign(
            **found.powered()._asdict()
        )
        for found in scores
        if found.shared.sum() >= FEWEST_CORRECTED
    ]
    columns = ["judge", "ranking", "by_judge", *Powered._fields]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _majority(labels: Coded, votes: np.ndarray) -> np.ndarray:
    """(n_pairs,) the majority of the votes of each pair, -1 where there is none."""
    return np.where(votes.any(axis=1), labels.values[majority_grade(votes)], -1)
