"""What notebook 06 lets its reader change, and what it says of the answers: alone, as it is in every study."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from helpers import metrics
from helpers.datasets.collection import offsets_of
from helpers.judging.judgments import are_models
from helpers.reporting.exercises import told
from helpers.studies.judgments import protocol
from helpers.studies.judgments.asked import Answers
from helpers.studies.judgments.protocol import FEW

SEED = 6  # of the synthetic example
MILDER = 1
"""Grades that the first judge adds, of exercise 2."""

TWO = np.array([4, 2, 1, 3, 0]), np.array([3, 0, 2, 3, 1])
"""Grades of two judges on five documents, of exercise 1; its two mistakes change the first judge's."""

MISTAKES = np.array([[0, 2, 1, 3, 4], [4, 1, 2, 3, 0]])

GRADES, ROOM = range(4), np.array([3, 0, 2])
"""What a model may say, and what three people said of a document, of exercise 4."""

FEWER, DRAWS = 4, 1000
"""By which the queries are divided, and bootstrap samples, of exercise 3."""

PART = 3 / 4
"""Of what asking again may gain, of exercise 5."""


def two_judges(found: Answers) -> pd.DataFrame:
    """Grades of the documents that two judges both judged, a column each, of queries with two such documents or more.

    The two people who share most documents; where no two share FEW queries the person of most judgments and the best
    model; and where there is neither two of the SYNTHETIC example.
    """
    people = found.judges.loc[~are_models(found.judges["judge"]), "judge"]
    pairs = [tuple(pair) for pair in found.agreement[["first", "second"]].head(1).to_numpy()]
    pairs += list(zip(people.head(1), found.models["judge"].head(1), strict=False))
    for both in (_both(found.given.everyone, pair) for pair in pairs):
        if both.index.get_level_values("query").nunique() >= FEW and (both.nunique() > 1).all():
            return both
    return _example().rename(columns=lambda judge: f"SYNTHETIC {judge}")


def _both(frame: pd.DataFrame, pair: tuple[str, str]) -> pd.DataFrame:
    """What the pair said of the documents of both."""
    own = frame[frame["assessor"].isin(pair)]
    both = own.pivot(index=["query", "doc"], columns="assessor", values="grade")[list(pair)].dropna().astype(int)
    return both[both.groupby(level="query")[pair[0]].transform("size") > 1]


def kappa(one: np.ndarray, other: np.ndarray) -> float:
    """Weighted kappa of two judges' grades, as the notebook computes it.

    >>> kappa(np.array([0, 1, 2]), np.array([0, 1, 2])), round(kappa(np.array([0, 0, 1]), np.array([0, 1, 1])), 3)
    (1.0, 0.4)
    """
    chance = one.var() + other.var() + (one.mean() - other.mean()) ** 2
    return float(1 - np.mean((one - other) ** 2) / chance)


def ndcg(ranked: np.ndarray, scored: np.ndarray) -> float:
    """nDCG of a ranking by one judge's grades of a query, no two of which are equal, by another's."""
    return float(metrics.ndcg(scored, ranked, offsets_of([len(ranked)]))[0])


def wins(model: int, people: np.ndarray) -> float:
    """Share of the people who, left out, are no nearer to the others than the model is.

    >>> wins(2, np.array([3, 0, 2])), wins(0, np.array([3, 0, 2]))
    (1.0, 0.6666666666666666)
    """
    rest = [np.delete(people, left_out) for left_out in range(len(people))]
    far = [[np.sum((others - grade) ** 2) for grade in (model, own)] for others, own in zip(rest, people, strict=True)]
    return float(np.mean([of_model <= of_person for of_model, of_person in far]))


def width(by_query: np.ndarray, queries: int, seed: int) -> float:
    """How wide the interval of a mean over so many queries is, by samples of those that there are."""
    drawn = np.random.default_rng(seed).choice(by_query, (DRAWS, queries)).mean(axis=1)
    return float(np.diff(np.quantile(drawn, [0.025, 0.975]))[0])


def check_1(answer: Any) -> None:
    """Exercise 1: what two mistakes of the first judge leave of nDCG."""
    left = [ndcg(ranked, TWO[1]) for ranked in MISTAKES]
    told(answer, left, within=6e-4, hint="change two of the numbers in the line `one =`, run the cell, and read nDCG.")


def check_2(answer: Any, both: pd.DataFrame) -> None:
    """Exercise 2: weighted kappa where the first judge is milder by a grade."""
    one, other = both.to_numpy().T
    told(answer, kappa(one + MILDER, other), within=6e-4, hint="set `milder = 1`, run the cell, and read kappa.")


def check_3(answer: Any, by_query: np.ndarray, seed: int) -> None:
    """Exercise 3: how wide an interval over a quarter of the queries is."""
    expected = width(by_query, len(by_query) // FEWER, seed)
    told(answer, expected, within=6e-4, hint="set `queries = len(by_query) // 4`, and read how wide it is.")


def check_4(answer: Any) -> None:
    """Exercise 4: how often each grade of a model wins."""
    shares = [wins(grade, ROOM) for grade in GRADES]
    told(answer, shares, within=6e-3, hint="run the cell with `model =` 0, 1, 2 and 3, and list the four shares.")


def check_5(answer: Any, worth: np.ndarray) -> None:
    """Exercise 5: how many documents, those of most worth first, hold three quarters of what asking may gain."""
    needed = int(np.searchsorted(np.cumsum(worth), PART * worth.sum() * (1 - 1e-9))) + 1
    told(answer, needed, hint="set `part = 3 / 4`, and run the cell.")


def _example() -> pd.DataFrame:
    return _both(protocol.example(np.random.default_rng(SEED)).frame, ("person 1", "person 5"))
