"""SYNTHETIC judgments to try study 6 on: people who differ in severity, a machine, and what can go wrong."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.datasets.collection import offsets_of
from helpers.judging.confusion import draw_labels, ordinal_confusion
from helpers.judging.formats import Reading
from helpers.judging.pool import Pool, Settings

N_QUERIES, LENGTH, PER_PAIR, N_JUDGES = 60, 20, 3, 5
SHARES = (0.5, 0.2, 0.15, 0.1, 0.05)
"""Of the documents, by their true grade."""

PEOPLE = Settings(leniency=0.2, noise_irrelevant=0.7, noise_relevant=0.8, appeal=0.3)
MACHINE, ACCURACY, LENIENCY = "model: example", 0.6, 0.4
CARELESS, HURRIED = "careless", "hurried"
ALONE = "query 1"
"""Judged by one judge only."""


def example(rng: np.random.Generator) -> Reading:
    """Judgments of five people, three a document, and of a machine: SYNTHETIC, nothing is measured on them."""
    offsets = offsets_of(np.full(N_QUERIES, LENGTH))
    truth = rng.choice(len(SHARES), size=offsets[-1], p=SHARES)
    labels, judges = Pool(PEOPLE, N_JUDGES).draw(truth, offsets, rng, PER_PAIR)
    pair = np.repeat(np.arange(len(truth)), PER_PAIR)
    people = _frame(
        pair, [f"person {judge + 1}" for judge in judges.ravel()], labels.ravel(), rng.gamma(4, 5, pair.size)
    )
    alone = (people["query"] == ALONE) & (people["assessor"] != people.loc[0, "assessor"])
    some, others = (rng.choice(np.arange(LENGTH, len(truth)), 40, replace=False) for _ in range(2))
    # what can go wrong: always the same grade, two seconds each, and one query with a single judge
    careless = _frame(some, CARELESS, np.full(40, 2), rng.gamma(4, 5, 40))
    hurried = _frame(others, HURRIED, draw_labels(truth[others], ordinal_confusion(5, 0.4), rng), np.full(40, 2.0))
    said = draw_labels(truth, ordinal_confusion(5, ACCURACY, LENIENCY), rng)
    machine = _frame(np.arange(len(truth)), MACHINE, said, np.full(len(truth), np.nan))
    frame = pd.concat([people[~alone], careless, hurried], ignore_index=True)
    notes = ["SYNTHETIC judgments, made on the fly; `-p judgments FILE` takes yours."]
    return Reading(frame, "long", notes, machine, {"query": "query", "doc": "doc"})


def _frame(pair: np.ndarray, assessor: str | list[str], grade: np.ndarray, seconds: np.ndarray) -> pd.DataFrame:
    places = [divmod(number, LENGTH) for number in pair]
    names = {"query": [f"query {q + 1}" for q, _ in places], "doc": [f"doc {q + 1}-{d + 1}" for q, d in places]}
    given = {"assessor": assessor, "grade": np.asarray(grade, dtype=np.int64), "seconds": np.round(seconds, 1)}
    return pd.DataFrame(names | given)
