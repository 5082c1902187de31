"""People of whom nobody knows who is who: what one teaches for another, on four sets that several people judged.

It takes about ten minutes on one core. Who trains and who tests is drawn anew in every query, or for every document, so
that M3 is not asked of them.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from helpers import paths
from helpers.engine import sweep
from helpers.judging import ceilings, judged
from helpers.judging.aggregates import votes
from helpers.judging.agreements import met
from helpers.judging.confusion import probabilities
from helpers.judging.judged import JudgedCollection
from helpers.making import common
from helpers.making.bounds import MADE_BY, write_contrasts
from helpers.making.taught_trial import CUTOFFS, by_person, person_taught
from helpers.making.worn_out import best_on_others
from helpers.metrics.significance import crossed_effect, crossed_means
from helpers.rankers import NAMES
from helpers.studies.bounds import judges
from helpers.studies.bounds import protocol as study
from helpers.studies.bounds.findings import CHOSEN

SEED = 2012
FOLDS = 5
DRAWS = 10
"""Times that people are drawn whose labels train."""

PAIRS = 100
"""Times that two people are drawn for every query, of whom one ranks and one tests."""


def read(name: str) -> JudgedCollection:
    """One of `judges.EXCHANGEABLE`, from the data directory."""
    folder = paths.user_data() / "multi-judge" / name
    if not folder.exists():
        raise FileNotFoundError(f"{folder} is not here: data/README.md says where these judgments come from")
    return judged.read(folder, persons=judges.EXCHANGEABLE[name][0])


def pair_counts(people: JudgedCollection) -> np.ndarray:
    """(n_queries, n_grades, n_grades) how often grades of two people of a document met, both ways, by query."""
    return met(votes(people.labels), people.collection.offsets)


def limits(people: JudgedCollection, counts: np.ndarray, rng: np.random.Generator) -> pd.DataFrame:
    """A ranking by one person, tested by another, and what the matrix of all other queries (`counts`) predicts for it.
    Frame cutoff, testing, training, query, real, pooled, approximate."""
    others = np.nan_to_num(probabilities(counts.sum(axis=0) - counts), nan=1 / counts.shape[-1])
    group, starts = people.collection.group, people.collection.offsets[:-1]
    grades, frames = np.arange(counts.shape[-1]), []
    for number, own in enumerate(rng.spawn(PAIRS)):
        labels, _ = people.draw(own)
        one, other = labels[:, 0].astype(float), labels[:, [1]]
        profiles = np.add.reduceat(other == grades, starts, dtype=int)
        for k in CUTOFFS:
            frame = {"cutoff": k, "testing": "one person", "training": f"another, draw {number}"}
            frame |= {"query": range(len(group)), "real": by_person(other, group, one, k)}
            frame["pooled"] = ceilings.exact(profiles, others, k)
            frame["approximate"] = ceilings.approximate(profiles, others, k)
            frames.append(pd.DataFrame(frame))
    return pd.concat(frames, ignore_index=True)


def _learned(people: JudgedCollection, name: str) -> pd.DataFrame:
    """The runs of every ranker, draw of people and fold: frame ranker, draw, fold, per_query."""
    rng = np.random.default_rng(SEED)
    folds = rng.permutation(np.arange(people.collection.n_queries) % FOLDS)
    labels = np.stack([people.draw(own)[0] for own in rng.spawn(DRAWS)])
    shared = {"collection": people.collection, "labels": labels, "folds": folds}
    grid = sweep.grid(ranker=list(NAMES), draw=range(DRAWS), fold=range(FOLDS))
    return common.run(person_taught, grid, shared, **common.kept(SEED, f"02-{name}", 1))


def _of_cutoff(
    drawn: pd.DataFrame, runs: pd.DataFrame, k: int, rng: np.random.Generator
) -> tuple[dict, dict, list[dict]]:
    """What one cut-off says of queries in which a person of every draw found something: means, contrasts of claims, a
    row a ranker; the learner is the one that other queries choose.
    """
    values = np.array([by_cutoff[str(k)] for by_cutoff in runs["per_query"]], dtype=float)
    of_folds = values.reshape(len(NAMES), DRAWS, FOLDS, -1)  # in the order of the grid
    scores = dict(zip(NAMES, np.fmax.reduce(of_folds, axis=2), strict=True))
    means = drawn.groupby("query")[["real", "pooled", "approximate"]].mean()
    whole = np.stack(list(scores.values()), axis=-1)
    has = means.notna().all(axis=1).to_numpy() & ~np.isnan(whole).any(axis=(0, 2))
    (real, exact, closed), whole = means[has].to_numpy().T, whole[:, has]
    chosen = best_on_others(whole, rng)
    row = {"cutoff": k, "queries": has.sum(), "real": real.mean(), "exact": exact.mean(), "closed": closed.mean()}
    row |= {"learned": chosen.mean()} | _interval("above", chosen - real) | _interval("room", exact - chosen)
    rankers = [
        {"cutoff": k, "ranker": ranker, "ndcg": values.mean()} | _interval("above", values - real)
        for ranker, values in zip(scores, np.moveaxis(whole, -1, 0), strict=True)
    ]
    off = (closed - exact) * np.sign((closed - exact).mean())
    contrasts = {"M1": 1 - real, ("M4", CHOSEN): chosen - real, "M6": off}
    return row, contrasts | dict.fromkeys(("M5a", "M5b"), exact - chosen), rankers


def _interval(name: str, values: np.ndarray) -> dict[str, float]:
    found = crossed_effect(*crossed_means(values))
    return {name: found.effect, f"{name}_low": found.low, f"{name}_high": found.high}


def _write(name: str) -> None:
    """Store what one set says: tables of means alone, and contrasts by query in shuffled order."""
    people = read(name)
    runs, rng, counts = _learned(people, name), np.random.default_rng(SEED), pair_counts(people)
    rows, rankers, shares, contrasts = [], [], {}, {}
    for k, drawn in limits(people, counts, rng).groupby("cutoff"):
        row, contrasts[k], own = _of_cutoff(drawn, runs, k, rng)
        shares[k] = study.shares_within(drawn, rng)
        rows.append(row | {"within": shares[k].set_index("within").loc[study.WITHIN[1], "share"]})
        rankers += own
    cells = [{"testing": i, "training": j, "pairs": n} for (i, j), n in np.ndenumerate(counts.sum(axis=0))]
    tables = {"people": pd.DataFrame(rows), "rankers": pd.DataFrame(rankers), "confusion": pd.DataFrame(cells)}
    made_by = MADE_BY | {"folds": FOLDS, "draws": DRAWS, "pairs": PAIRS}
    common.write(f"02/{name}", tables | {"shares": shares[study.K]}, made_by)
    write_contrasts(name, contrasts[study.K])


TASKS = {name: partial(_write, name) for name in judges.EXCHANGEABLE}
