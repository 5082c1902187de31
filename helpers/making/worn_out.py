"""Is a collection worn out? Runs against the nDCG that a ranking which is perfect for one person has with another.

TREC Deep Learning 2019, passages: eight people in four pairs judged again what NIST had judged, five machines judged
it too, and 61 runs from 2019 to language models that rank can be scored by each of them. A run is scored as trec_eval
does: by the documents that it put first, those that the judges did not see counting nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers import metrics, paths
from helpers.datasets import runs
from helpers.datasets.collection import offsets_of
from helpers.judging import formats
from helpers.judging.confusion import load_confusions
from helpers.studies.bounds.findings import PEOPLE, WORN_OUT
from helpers.studies.bounds.judges import Judges
from helpers.studies.bounds.protocol import K, mean_of

SPLITS = 200
SOURCE = "github.com/Parry-Parry/sigir25-annotation, github.com/Narabzad/llm-relevance-judgement-comparison"
NIST = "NIST"
# who tests -> the scale, never pooled with another's, and the name in the file
_JUDGES = {
    PEOPLE: ("0-3", ""),
    NIST: ("0-3", "NIST"),
    "UMBRELA, GPT-4": ("0-3", "model: umbrela-gpt4"),
    "EXAM, GPT-4": ("0-5", "model: exam-gpt4"),
    "yes or no, GPT-4": ("0-1", "model: bin-gpt4"),
    "yes or no, GPT-4o": ("0-1", "model: bin-gpt4o"),
    "yes or no, Llama 3.2": ("0-1", "model: bin-llama32"),
}
JUDGES = {name: scale for name, (scale, _) in _JUDGES.items()}
PAIRS = tuple((f"person {n}", f"person {n + 1}") for n in (1, 3, 5, 7))
LANGUAGE_MODELS, CROSS_ENCODERS = "language model ranks", "cross-encoder"
PLACE = " reciprocal rank"


class Passages(NamedTuple):
    """Passages that two people judged, once for each of the two.

    `grades`: query, person, learned (that person's grade), a column for each of JUDGES, PEOPLE the other's; `ranks` of
    the same rows, a column a run, infinite where it has no such passage; `families`: run -> what kind of ranker.
    """

    grades: pd.DataFrame
    ranks: pd.DataFrame
    families: Mapping[str, str]


def read() -> Passages:
    """The passages, from the data directory."""
    folder = paths.judgments(WORN_OUT)
    judged = _long(folder).pivot(index=["query", "doc"], columns="assessor", values="grade")
    by_person = [
        judged.assign(person=one, learned=judged[one], **{PEOPLE: judged[other]}).dropna(subset=["learned", PEOPLE])
        for pair in PAIRS
        for one, other in itertools.permutations(pair)
    ]
    grades = pd.concat(by_person).rename(columns={file: name for name, (_, file) in _JUDGES.items()}).reset_index()
    grades = grades.sort_values(["query", "person"], kind="stable", ignore_index=True)
    found = runs.read(folder / "qrels.nist.txt", sorted((folder / "runs").glob("*.run")), pairs="judged")
    index = pd.MultiIndex.from_arrays([found.query_ids[found.query_index], found.doc_ids])
    features = pd.DataFrame(found.features.astype(float), index, [str(name) for name in found.feature_names])
    reciprocal = features.filter(regex=f"{PLACE}$").rename(columns=lambda name: name.removesuffix(PLACE))
    with np.errstate(divide="ignore"):
        ranks = np.round(1 / reciprocal.loc[pd.MultiIndex.from_frame(grades[["query", "doc"]])])
    families = pd.read_csv(folder / "families.csv").set_index("run")["family"].to_dict()
    kept = ["query", "person", "learned", *JUDGES]
    return Passages(grades[kept].astype(dict.fromkeys(kept[2:], np.int64)), ranks.reset_index(drop=True), families)


def people() -> Judges:
    """The eight people as a pool, both ways within each pair; from elsewhere: NIST and a model two years later."""
    frame = _long(paths.judgments(WORN_OUT))
    pairs = tuple(ordered for pair in PAIRS for ordered in itertools.permutations(pair))
    return Judges(frame, pairs, 4, load_confusions()["DL21_NIST_vs_UMBRELA_GPT4o"])


def _long(folder: Path) -> pd.DataFrame:
    return formats.read(str(folder / "judgments.csv")).frame


def by_query(passages: Passages, tested_by: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """nDCG@10 by query, tested by one of JUDGES: of rankings that are perfect for each of them, and of each run."""
    # means over the people who judged a query; PEOPLE is the person who does not test
    grades, ranks = passages.grades, passages.ranks
    units = grades.groupby(["query", "person"], sort=False)
    offsets, tested = offsets_of(units.size().to_numpy()), grades[tested_by].to_numpy()
    learned = {PEOPLE: "learned"} | {name: name for name in JUDGES if name not in (PEOPLE, tested_by)}
    ceilings = {name: metrics.ndcg(tested, grades[column], offsets, K) for name, column in learned.items()}
    best = units[tested_by].rank(method="first", ascending=False)
    place = np.minimum(np.column_stack([best, ranks]), K + 1).astype(int) - 1
    gained = metrics.gains(tested)[:, None] * np.append(metrics.discounts(K), 0.0)[place]
    dcg = np.add.reduceat(gained, offsets[:-1])
    with np.errstate(invalid="ignore"):
        scores = dcg[:, 1:] / dcg[:, :1]
    queries = units["query"].first().to_numpy()
    tables = pd.DataFrame(ceilings), pd.DataFrame(scores, columns=ranks.columns)
    means = [table.groupby(queries).mean().dropna() for table in tables]
    return means[0], means[1]


def chosen_on_others(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n_queries, n_runs) how often each run is the best on the half of SPLITS halvings that the query is not in: no
    run owes its lead to the queries that it is held against.

    >>> chosen_on_others(np.array([[0.5, 0.25], [1.0, 0.0], [0.5, 0.0]]), np.random.default_rng(0)).tolist()
    [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    """
    taken = np.zeros(scores.shape)
    for _ in range(SPLITS):
        first = rng.permutation(len(scores)) < len(scores) // 2
        for half in (first, ~first):
            taken[half, scores[~half].sum(axis=0).argmax()] += 1 / SPLITS
    return taken.round(12)


def best_on_others(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(…, n_queries) the nDCG of the run that other queries choose, by means, of scores (…, n_queries, n_runs)."""
    scores = np.asarray(scores, dtype=np.float64)
    means = scores.mean(axis=tuple(range(scores.ndim - 2)))
    return (scores * chosen_on_others(means, rng)).sum(axis=-1)


def tables(passages: Passages, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """The stored tables, nothing of a single passage or query in them; who tests stands in column tested_by. "perfect":
    rankings that are perfect for one, beside the best run on other queries; "runs" and "families": each less a person's
    ranking; "own_kind": language models that rank less cross-encoders, and how much more that is than with NIST.
    """
    found = {judge: by_query(passages, judge) for judge in JUDGES}
    family, rows = pd.Series(passages.families), {"perfect": [], "runs": [], "families": [], "own_kind": []}
    means = {judge: scores.T.groupby(family, sort=False).mean().T for judge, (_, scores) in found.items()}
    lifted = {judge: own[LANGUAGE_MODELS] - own[CROSS_ENCODERS] for judge, own in means.items()}
    for judge, (perfect, scores) in found.items():
        tested, scale, limit = {"tested_by": judge}, {"scale": JUDGES[judge]}, perfect[PEOPLE]
        for learned in perfect:
            common = perfect[learned].dropna()
            best = best_on_others(scores.loc[common.index], rng)
            row = tested | scale | {"learned_from": learned, "queries": len(common), "ceiling": common.mean()}
            rows["perfect"].append(row | {"best": best.mean()} | mean_of(best - common, rng))
        for run in scores:
            row = tested | {"run": run, "family": family[run], "ndcg": scores[run].mean()}
            rows["runs"].append(row | mean_of(scores[run] - limit, rng))
        for name, own in means[judge].items():
            row = tested | {"family": name, "runs": int((family == name).sum()), "ndcg": own.mean()}
            rows["families"].append(row | mean_of(own - limit, rng))
        row = tested | scale | mean_of(lifted[judge], rng)
        if judge != NIST and JUDGES[judge] == JUDGES[NIST]:
            more = mean_of(lifted[judge] - lifted[NIST], rng)
            row |= dict(zip(("beyond", "beyond_low", "beyond_high"), more.values(), strict=True))
        rows["own_kind"].append(row)
    return {name: pd.DataFrame(table) for name, table in rows.items()}
