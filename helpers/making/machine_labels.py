"""What training on a machine's labels is worth where a person tests: the stored tables of study 2 on SynDL.

    python -m helpers.making machine_labels

writes them to `data/results/02/machine-labels`, and how far the rankers pass the limit of the machine's labels to the
table of contrasts, in a quarter of an hour on one core; finished runs are kept in the user's cache.
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
from helpers.studies.bounds import findings
from helpers.studies.bounds.findings import ALL, CHOSEN, MACHINE, PERSON, SAME_QUERIES, SIZES

SEED = 2021
N_FOLDS = 5
REPEATS = 3
SAMPLES = 2000
KEYS = ("ranker", "labels", "queries", "judgments", "repeat")
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
    labelled |= {name: relabelled(person, _labels(file)) for name, file in FILES.items()}
    return {"labelled": labelled, "tested": person, "folds": folds}


def _labels(file: str) -> pd.DataFrame:
    """frame query, doc, grade"""
    return formats.read(paths.judgments("dl21-umbrela", file), "qrels", machines="*").frame.drop(columns="assessor")


def relabelled(collection: Collection, labels: pd.DataFrame) -> Collection:
    """The same documents with the grades that somebody else gave; ValueError where one has none."""
    pairs = pd.DataFrame({"query": collection.query_ids[collection.query_index], "doc": collection.doc_ids})
    grades = pairs.merge(labels, on=["query", "doc"], how="left", validate="one_to_one")["grade"]
    if grades.isna().any():
        query, doc = pairs.loc[grades.isna().idxmax()]
        raise ValueError(f"labels: none for query {query}, document {doc}, expected one for every document")
    return collection.with_grades(grades.to_numpy().astype(np.int8))


def grid(names: Sequence[str] = rankers.NAMES) -> list[dict]:
    """Every ranker, kind of labels, number of queries and draw; a run for each fold where the tested queries train."""
    kinds = [(labels, size) for labels, sizes in SIZES.items() for size in sizes]
    kinds.append((YES_NO, SIZES[SAME_QUERIES][-1]))
    return [
        {"ranker": ranker, "labels": labels, "queries": size, "fold": fold, "repeat": repeat}
        for ranker in names
        for labels, size in kinds
        for fold in ([0] if labels == MACHINE else range(1, N_FOLDS + 1))
        for repeat in range(REPEATS)
    ]


def by_query(runs: pd.DataFrame, query_ids: np.ndarray) -> pd.DataFrame:
    """NDCG@10, folds put together: frame ranker, labels, queries, judgments, repeat, a column for each tested query."""
    keys = ["ranker", "labels", "queries", "repeat"]
    found = sweep.succeeded(runs)
    values = pd.DataFrame(found["per_query"].tolist(), columns=query_ids, index=found.index).astype(float)
    joined = pd.concat([found[[*keys, "judgments"]], values], axis=1).groupby(keys, sort=False)
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
        whole = np.stack(list(scores.values()), axis=-1)
        found[words] = best_on_others(whole, rng) - limit
        if words == CHOSEN:
            found |= {ranker: values - limit for ranker, values in scores.items()}
    return found


def tables(by_query: pd.DataFrame, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """What the runs of `by_query` say of every ranker and of ALL, with 95 % bootstrap intervals over test queries and
    draws: "curves", "worth" (how many queries that the machine labelled train as well as so many that a person
    labelled), "differences" (from all labels of the machine, or its labels of the same queries, less the person's).
    """
    mean = by_query.groupby(["labels", "queries", "repeat"], sort=False).mean(numeric_only=True).reset_index()
    frames = [_of_ranker(own, rng) for _, own in by_query.groupby("ranker", sort=False)]
    frames.append(_of_ranker(mean.assign(ranker=ALL), rng))
    return {name: pd.concat([frame[name] for frame in frames], ignore_index=True) for name in frames[0]}


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


def _of_ranker(own: pd.DataFrame, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """The three tables of one ranker; the first of its samples is what was observed."""
    ranker, queries = {"ranker": own["ranker"].iloc[0]}, [column for column in own if column not in KEYS]
    runs = dict(list(own.groupby(["labels", "queries"])))
    known = [query for query in queries if own[query].notna().any()]
    weights = _weights(len(known), rng)
    drawn = {
        labels: {size: _means(runs[labels, size][known].to_numpy(), weights, rng) for size in sizes}
        for labels, sizes in SIZES.items()
    }
    machine = np.stack(list(drawn[MACHINE].values()), axis=1)
    last = {labels: list(samples.values())[-1] for labels, samples in drawn.items()}
    curves, worth = [], []
    for labels, by_size in drawn.items():
        for size, samples in by_size.items():
            row = ranker | {"labels": labels, "queries": size, "judgments": runs[labels, size]["judgments"].mean()}
            curves.append(row | _said("ndcg", samples))
    for size, target in drawn[PERSON].items():
        reached = [needed(SIZES[MACHINE], *pair) for pair in zip(machine, target, strict=True)]
        worth.append(ranker | {"queries": size} | _said("needed", reached))
    less = [
        ranker | {"question": asked} | _said("difference", last[asked] - last[PERSON])
        for asked in (MACHINE, SAME_QUERIES)
    ]
    return {"curves": pd.DataFrame(curves), "worth": pd.DataFrame(worth), "differences": pd.DataFrame(less)}


def _weights(n: int, rng: np.random.Generator) -> np.ndarray:
    """(1 + SAMPLES, n) how much each of n counts: all alike, then as in bootstrap samples."""
    return np.vstack([np.full(n, 1 / n), bootstrap_counts(n, SAMPLES, rng) / n])


def _means(values: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(1 + SAMPLES,) means of values (n_draws, n_queries) over resampled draws and queries."""
    return ((_weights(len(values), rng) @ values) * weights).sum(axis=1)


def _said(name: str, samples: Sequence[float]) -> dict[str, float]:
    low, high = np.percentile(samples[1:], BOUNDS, method="nearest")
    return {name: float(samples[0]), "low": float(low), "high": float(high)}


def main() -> None:
    """Make the runs and the tables made of them."""
    shared = parts(np.random.default_rng(SEED))
    runs = sweep.run(machine_taught, grid(), shared=shared, **common.kept(SEED, "02-machine-labels", 1))
    common.refuse(runs)
    found = by_query(runs, shared["tested"].query_ids)
    made_by = {"seed": SEED, "dataset": "syndl-dl21", "folds": N_FOLDS, "repeats": REPEATS}
    folder = common.RESULTS / "02" / findings.TAUGHT
    above = above_limits(found, shared, np.random.default_rng(SEED))
    write_contrasts("syndl-dl21", {("M4", ranker): values for ranker, values in above.items()})
    results.write(folder, {"runs": found} | tables(found, np.random.default_rng(SEED)), made_by)
