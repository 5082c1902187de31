"""Assessors of the same documents whose rankings can be tested against each other: real ones, and simulated ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from helpers import assessors, judgments, paths, portrait
from helpers.assessors import Confusion

T = TypeVar("T")


@dataclass(frozen=True)
class Judges:
    """Assessors of the same documents, which pairs of them are compared, and a confusion matrix from elsewhere.

    Attributes
    ----------
    frame : long frame of their judgments
    pairs : (testing, training) names
    n_grades : size of their scale
    elsewhere : what other people did on a scale of the same size
    """

    frame: pd.DataFrame
    pairs: tuple[tuple[str, str], ...]
    n_grades: int
    elsewhere: Confusion


def cystic_fibrosis() -> Judges:
    """The four judges of the Cystic Fibrosis collection, every ordered pair, from the data directory.

    From elsewhere: NIST and expert reviewers on newspaper articles.
    """
    frame = judgments.read_cystic_fibrosis(data_file("cystic-fibrosis", "cfquery"))
    pairs = tuple(itertools.permutations(judgments.CYSTIC_FIBROSIS_JUDGES, 2))
    return Judges(frame, pairs, 3, assessors.load()["NYT_NIST_vs_expertReviewer_firstpass"])


def llmjudge() -> Judges:
    """NIST, testing, and 33 automatic judges on TREC Deep Learning 2023 (LLMJudge), from the data directory.

    Three labels off the scale of 0 to 3 are left out. From elsewhere: NIST and a language model two years before.
    """
    scores = sorted(data_file("llmjudge", "scores").glob("*.txt"))
    files = {"NIST": data_file("llmjudge", "llmjudge_test_qrel_idx.txt")} | {file.stem: file for file in scores}
    frame = judgments.read_assessors(files, 4, outside="drop")
    pairs = tuple(("NIST", file.stem) for file in scores)
    return Judges(frame, pairs, 4, assessors.load()["DL21_NIST_vs_UMBRELA_GPT4o"])


REAL: dict[str, Callable[[], Judges]] = {"cystic-fibrosis": cystic_fibrosis, "llmjudge": llmjudge}


def here(sources: Mapping[str, Callable[[], T]]) -> dict[str, T]:
    """What the sources give, such as REAL, of those whose files are in the data directory."""
    found = {}
    for name, read in sources.items():
        with suppress(FileNotFoundError):
            found[name] = read()
    return found


ACCURACY = {"gold": 0.85, "silver": 0.7, "bronze": 0.55}
"""How often the simulated assessors are right: chosen so that they differ, not measured."""


def simulated(
    n_queries: int,
    rng: np.random.Generator,
    *,
    counts: np.ndarray | None = None,
    concentration: float | None = None,
) -> Judges:
    """SYNTHETIC gold, silver and bronze assessors, who grade around a hidden truth by an `ordinal_confusion` each.

    Parameters
    ----------
    counts : (any, n_grades) numbers of documents by their true grade, of which every query has one at random; None is
        those of the MSLR sample's queries
    concentration : how alike the queries are: every query has matrices of its own, drawn around those of the
        assessors (`assessors.draw_pool`); None is the same matrices in all

    From elsewhere: web-search crowd workers, on a scale of five grades.
    """
    counts = portrait.open("mslr-sample").grade_counts if counts is None else np.atleast_2d(counts)
    n_grades = counts.shape[1]
    frames = []
    for query, profile in enumerate(counts[rng.integers(len(counts), size=n_queries)]):
        truth = np.repeat(np.arange(n_grades), profile)
        for name, accuracy in ACCURACY.items():
            matrix = ordinal_confusion(n_grades, accuracy)
            if concentration is not None:
                matrix = assessors.draw_pool(matrix, 1, concentration, rng)[0]
            labels = assessors.draw_labels(truth, matrix, rng).astype(np.int64)
            judged = {"query": str(query), "doc": np.arange(len(truth)).astype(str), "assessor": name, "grade": labels}
            frames.append(pd.DataFrame(judged))
    pairs = tuple(itertools.permutations(ACCURACY, 2))
    return Judges(pd.concat(frames, ignore_index=True), pairs, n_grades, assessors.load()["WEB5_truth_vs_worker"])


def ordinal_confusion(n_grades: int, accuracy: float, leniency: float = 0.0) -> np.ndarray:
    """(n_grades, n_grades) matrix of an assessor who errs by small steps.

    Right with probability `accuracy`; of the wrong grades, each step further off is half as probable, and those above
    the right one are (1 + leniency) / (1 - leniency) times as probable as those below.

    >>> ordinal_confusion(3, 0.7).round(2)
    array([[0.7 , 0.2 , 0.1 ],
           [0.15, 0.7 , 0.15],
           [0.1 , 0.2 , 0.7 ]])

    Raises
    ------
    ValueError
        when accuracy is not a probability, or leniency not between -1 and 1.
    """
    if not 0 <= accuracy <= 1 or not -1 < leniency < 1:
        raise ValueError(
            f"accuracy is {accuracy} and leniency {leniency}, expected a probability, and more than -1 and less than 1"
        )
    step = np.arange(n_grades) - np.arange(n_grades)[:, None]
    wrong = assessors.probabilities(np.where(step == 0, 0, 0.5 ** np.abs(step) * (1 + leniency * np.sign(step))))
    return accuracy * np.eye(n_grades) + (1 - accuracy) * wrong


def data_file(*parts: str) -> Path:
    """A file or folder of judgments in the data directory, or FileNotFoundError that says where to find it."""
    path = paths.user_data().joinpath("judgments", *parts)
    if not path.exists():
        raise FileNotFoundError(f"{path} is not here: data/README.md says where these judgments come from")
    return path
