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


def check_1(answer: Any) -> None:
    """Exercise 1: what two mistakes of the first judge, who gave 4, 2, 1, 3 and 0, leave of nDCG."""
    other, mistakes = np.array([3, 0, 2, 3, 1]), np.array([[0, 2, 1, 3, 4], [4, 1, 2, 3, 0]])
    left = [float(metrics.ndcg(other, ranked, offsets_of([5]))[0]) for ranked in mistakes]
    told(answer, left, within=6e-4, hint="change two of the numbers in the line `one =`, run the cell, and read nDCG.")


def check_2(answer: Any, both: pd.DataFrame) -> None:
    """Exercise 2: weighted kappa where the first judge is milder by a grade."""
    one, other = both.to_numpy().T
    chance = one.var() + other.var() + (one.mean() + 1 - other.mean()) ** 2
    kappa = 1 - np.mean((one + 1 - other) ** 2) / chance
    told(answer, kappa, within=6e-4, hint="set `milder = 1`, run the cell, and read kappa.")


def check_3(answer: Any, by_query: np.ndarray, seed: int) -> None:
    """Exercise 3: how wide an interval over a quarter of the queries is."""
    drawn = np.random.default_rng(seed).choice(by_query, (1000, len(by_query) // 4)).mean(axis=1)
    width = float(np.diff(np.quantile(drawn, [0.025, 0.975]))[0])
    told(answer, width, within=6e-4, hint="set `queries = len(by_query) // 4`, and read how wide it is.")


def check_4(answer: Any) -> None:
    """Exercise 4: of three people who said 3, 0 and 2, the share that each grade of a model wins against."""
    people = np.array([3, 0, 2])
    far = [np.sum((np.delete(people, j) - np.arange(4)[:, None]) ** 2, axis=1) for j in range(3)]
    shares = np.mean([of_grade <= of_grade[own] for of_grade, own in zip(far, people, strict=True)], axis=0)
    told(
        answer,
        shares.tolist(),
        within=6e-3,
        hint="run the cell with `model =` 0, 1, 2 and 3, and list the four shares.",
    )


def check_5(answer: Any, worth: np.ndarray) -> None:
    """Exercise 5: how many documents, those of most worth first, hold three quarters of what asking may gain."""
    needed = int(np.searchsorted(np.cumsum(worth), 3 / 4 * worth.sum() * (1 - 1e-9))) + 1
    told(answer, needed, hint="set `part = 3 / 4`, and run the cell.")


def _example() -> pd.DataFrame:
    return _both(protocol.example(np.random.default_rng(SEED)).frame, ("person 1", "person 5"))
