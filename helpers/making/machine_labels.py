"""What training on a machine's labels is worth where a person tests: the stored tables of study 2 on SynDL.

How far the rankers pass the limit of the machine's labels goes to the table of contrasts: a quarter of an hour on one
core.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from sklearn.isotonic import isotonic_regression

from helpers import metrics, paths, rankers
from helpers.datasets import catalog
from helpers.datasets.collection import Collection
from helpers.engine import results, sweep
from helpers.judging import formats
from helpers.making import common
from helpers.making.bounds import write_contrasts
from helpers.making.taught_trial import machine_taught
from helpers.making.worn_out import best_on_others
from helpers.metrics.significance import bootstrap_counts
from helpers.studies.bounds.findings import ALL, CHOSEN, MACHINE, PERSON, SAME_QUERIES, SIZES, TAUGHT

SEED = 2021
N_FOLDS = 5
REPEATS = 3
SAMPLES = 2000
KEYS = ["ranker", "labels", "queries", "repeat"]
BOUNDS = (2.5, 97.5)

YES_NO = "Llama 3.2, the same queries"
"""Labels of which only what they teach in all is asked, beside the limit that they set."""

FILES = {SAME_QUERIES: "umbrela-gpt4.dl21.txt", YES_NO: "binary-llama3.2.dl21.txt"}
"""Labels of NIST's own queries -> their file in the data directory."""

LIMITED = {
    CHOSEN: (SAME_QUERIES, SAME_QUERIES),
    "the best that learned a yes or no": (YES_NO, YES_NO),
    "the best that learned GPT-4's labels of 424 other queries": (MACHINE, SAME_QUERIES),
}
"""Who is held against a limit -> what they learned, a machine's labels, and those of NIST's queries that set it."""


def parts(rng: np.random.Generator) -> dict:
    """What every run shares, from the data directory: `labelled`, `tested` and `folds` of `machine_taught`."""
    machine, person = (catalog.load("syndl-dl21", 1, split) for split in ("train", "test"))
    folds = rng.permutation(np.arange(person.n_queries) % N_FOLDS + 1)
    labelled = {MACHINE: machine, PERSON: person}
    for name, file in FILES.items():
        labels = formats.read(paths.judgments("dl21-umbrela", file), "qrels", machines="*").frame
        labelled[name] = relabelled(person, labels.drop(columns="assessor"))
    return {"labelled": labelled, "tested": person, "folds": folds}


def relabelled(collection: Collection, labels: pd.DataFrame) -> Collection:
    """The same documents with the grades that somebody else gave, of a frame query, doc, grade; ValueError where one
    has none."""
    pairs = pd.DataFrame({"query": collection.query_ids[collection.query_index], "doc": collection.doc_ids})
    grades = pairs.merge(labels, on=["query", "doc"], how="left", validate="one_to_one")["grade"]
    if grades.isna().any():
        query, doc = pairs.loc[grades.isna().idxmax()]
        raise ValueError(f"labels: none for query {query}, document {doc}, expected one for every document")
    return collection.with_grades(grades.to_numpy().astype(np.int8))


def grid(names: Sequence[str] = rankers.NAMES) -> list[dict]:
    """Every ranker, kind of labels, number of queries and draw; a run for each fold where the tested queries train."""
    sizes = SIZES | {YES_NO: SIZES[SAME_QUERIES][-1:]}
    return [
        point
        for ranker in names
        for labels, queries in sizes.items()
        for point in sweep.grid(
            ranker=[ranker],
            labels=[labels],
            queries=queries,
            fold=[0] if labels == MACHINE else range(1, N_FOLDS + 1),
            repeat=range(REPEATS),
        )
    ]


def by_query(runs: pd.DataFrame, query_ids: np.ndarray) -> pd.DataFrame:
    """NDCG@10, folds put together: frame of KEYS, judgments, a column for each tested query."""
    values = pd.DataFrame(runs["per_query"].tolist(), columns=query_ids, index=runs.index).astype(float)
    joined = pd.concat([runs[[*KEYS, "judgments"]], values], axis=1).groupby(KEYS, sort=False)
    return joined.mean().reset_index()


def above_limits(by_query: pd.DataFrame, shared: Mapping, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """By how much rankers pass a ranking by the machine's labels themselves: those of LIMITED and each that learned
    UMBRELA's labels -> (n_repeats, n_queries) nDCG@10.
    """
    tested, found = shared["tested"], {}
    for words, (labels, limited_by) in LIMITED.items():
        limit = metrics.ndcg(tested.grades, shared["labelled"][limited_by].grades, tested.offsets, 10)
        own = by_query[by_query["labels"] == labels]
        own = own[own["queries"] == own["queries"].max()]
        scores = {ranker: rows[list(tested.query_ids)].to_numpy() for ranker, rows in own.groupby("ranker", sort=False)}
        found[words] = best_on_others(np.stack(list(scores.values()), axis=-1), rng) - limit
        if words == CHOSEN:
            found |= {ranker: values - limit for ranker, values in scores.items()}
    return found


def tables(by_query: pd.DataFrame, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """What the runs of `by_query` say of every ranker and of ALL, with 95 % bootstrap intervals over test queries and
    draws: "curves", "worth" (how many queries that the machine labelled train as well as so many that a person
    labelled), "differences" (from all labels of the machine, or its labels of the same queries, less the person's).
    """
    mean = by_query.groupby(KEYS[1:], sort=False).mean(numeric_only=True).reset_index()
    frames = [_of_ranker(ranker, own, rng) for ranker, own in by_query.groupby("ranker", sort=False)]
    frames.append(_of_ranker(ALL, mean, rng))
    return {name: pd.DataFrame([row for rows in frames for row in rows[name]]) for name in frames[0]}


def needed(sizes: Sequence[int], curve: np.ndarray, target: float) -> float:
    """How many queries reach a target by a learning curve that is made to rise: by the logarithm between sizes, the
    smallest size where that is enough already, infinite where the largest is not.

    >>> round(needed([10, 100, 1000], [0.25, 0.5, 0.75], 0.375), 12)  # halfway from 10 to 100, by the logarithm
    31.622776601684
    >>> needed([10, 100, 1000], [0.25, 0.5, 0.75], 0.125), needed([10, 100, 1000], [0.25, 0.5, 0.75], 0.875)
    (10.0, inf)
    """
    rising = isotonic_regression(np.asarray(curve, dtype=float))
    enough = np.flatnonzero(rising >= target)
    if len(enough) == 0:
        return np.inf
    last = enough[0]
    if last == 0:
        return float(sizes[0])
    around = slice(last - 1, last + 1)
    return float(np.exp(np.interp(target, rising[around], np.log(sizes[around]))))


def _of_ranker(ranker: str, own: pd.DataFrame, rng: np.random.Generator) -> dict[str, list[dict]]:
    """The rows of one ranker in the three tables; the first of its samples is what was observed."""
    tested = own.drop(columns=[*KEYS, "judgments"], errors="ignore").dropna(axis=1, how="all").columns
    runs, weights = dict(list(own.groupby(["labels", "queries"]))), _weights(len(tested), rng)
    drawn, curves = {labels: [] for labels in SIZES}, []
    for labels, queries in [(labels, queries) for labels, sizes in SIZES.items() for queries in sizes]:
        values = runs[labels, queries][tested].to_numpy()
        means = ((_weights(len(values), rng) @ values) * weights).sum(axis=1)
        drawn[labels].append(means)
        row = {"ranker": ranker, "labels": labels, "queries": queries}
        curves.append(row | {"judgments": runs[labels, queries]["judgments"].mean()} | _said("ndcg", means))
    worth = []
    for queries, target in zip(SIZES[PERSON], drawn[PERSON], strict=True):
        reached = [needed(SIZES[MACHINE], *pair) for pair in zip(np.stack(drawn[MACHINE], axis=1), target, strict=True)]
        worth.append({"ranker": ranker, "queries": queries} | _said("needed", reached))
    differences = [
        {"ranker": ranker, "question": asked} | _said("difference", drawn[asked][-1] - drawn[PERSON][-1])
        for asked in (MACHINE, SAME_QUERIES)
    ]
    return {"curves": curves, "worth": worth, "differences": differences}


def _weights(n: int, rng: np.random.Generator) -> np.ndarray:
    """(1 + SAMPLES, n) how much each of n counts: all alike, then as in bootstrap samples."""
    return np.vstack([np.full(n, 1 / n), bootstrap_counts(n, SAMPLES, rng) / n])


def _said(name: str, samples: Sequence[float]) -> dict[str, float]:
    low, high = np.percentile(samples[1:], BOUNDS, method="nearest")
    return {name: float(samples[0]), "low": float(low), "high": float(high)}


def _write() -> None:
    shared, rng = parts(np.random.default_rng(SEED)), np.random.default_rng(SEED)
    runs = common.run(machine_taught, grid(), shared, **common.kept(SEED, "02-machine-labels", 1))
    found = by_query(runs, shared["tested"].query_ids)
    above = above_limits(found, shared, np.random.default_rng(SEED))
    write_contrasts("syndl-dl21", {("M4", ranker): values for ranker, values in above.items()})
    made_by = {"seed": SEED, "dataset": "syndl-dl21", "folds": N_FOLDS, "repeats": REPEATS}
    results.write(common.RESULTS / "02" / TAUGHT, {"runs": found} | tables(found, rng), made_by)


TASKS = {TAUGHT: _write}
