"""Assessors as confusion matrices: known ones, the labels they give, pools of judges, majorities of judges.

Everywhere ``confusion[i, j]`` is the probability that the *training* assessor says j about a document that the
*testing* assessor graded i; its rows sum to one. A row of NaN is a grade of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import gammaln

from helpers import paths, texts
from helpers.datasets.collection import majority_grade

GRADE = r"-?[0-9]{1,9}"
MOST = 2.0**53
ROUNDED = 0.02  # how far printed probabilities of a row may be from 1 together
COLUMNS = ["matrix", "testing", "training", "count", "source"]


def probabilities(counts: np.ndarray) -> np.ndarray:
    """Confusion matrices from counts (…, n_testing, n_training): each row divided by its sum, NaN where that is zero.

    >>> probabilities([[1, 3], [0, 0]])
    array([[0.25, 0.75],
           [ nan,  nan]])
    """
    counts = np.asarray(counts, dtype=np.float64)
    totals = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, totals, out=np.full_like(counts, np.nan), where=totals > 0)


def checked(confusion: np.ndarray) -> np.ndarray:
    """The confusion (…, n_testing, n_training) as float64; ValueError unless rows are probabilities or all NaN."""
    confusion = np.asarray(confusion, dtype=np.float64)
    if confusion.ndim < 2:
        raise ValueError(f"confusion has shape {confusion.shape}, expected (testing grades, training grades)")
    unknown = np.isnan(confusion).all(axis=-1)
    wrong = ~unknown & ~((confusion >= 0).all(axis=-1) & np.isclose(confusion.sum(axis=-1), 1, rtol=0, atol=1e-8))
    if wrong.any():
        row = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"confusion: row {row[-1] if len(row) == 1 else row} is {confusion[row].tolist()}, "
            "expected probabilities that sum to 1"
        )
    return confusion


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
    wrong = probabilities(np.where(step == 0, 0, 0.5 ** np.abs(step) * (1 + leniency * np.sign(step))))
    return accuracy * np.eye(n_grades) + (1 - accuracy) * wrong


@dataclass(frozen=True, eq=False)
class Confusion:
    """How often a training assessor said j where a testing assessor said i, with the scale of both and the source.

    Parameters
    ----------
    name : what to call the pair of assessors
    counts : (n_testing, n_training) documents, or probabilities where a source prints nothing else
    testing_grades, training_grades : what the source calls the grades, from the lowest up; row and column p is grade p
        of this project whatever its name there
    source : where the counts are from

    Examples
    --------
    >>> pair = Confusion("toy", np.array([[3, 1], [0, 2]]), (0, 1), (0, 1), "made up")
    >>> pair.probabilities
    array([[0.75, 0.25],
           [0.  , 1.  ]])
    """

    name: str
    counts: np.ndarray
    testing_grades: tuple[int, ...]
    training_grades: tuple[int, ...]
    source: str

    @property
    def probabilities(self) -> np.ndarray:
        """(n_testing, n_training) confusion matrix."""
        return probabilities(self.counts)


def load_confusions(path: str | Path | None = None) -> dict[str, Confusion]:
    """Confusion matrices by name, from a CSV file or a directory (path) of them; by default those of `data/confusion`.

    A file has one row a cell, columns matrix, testing, training, count, source. Counts may be probabilities: those of a
    testing grade add up to 1 within two hundredths, or all are 0 where nothing is known.

    Raises
    ------
    ValueError
        with file and line: an empty field, a grade that is no whole number, a count that is no number from 0 to 2^53, a
        cell given twice, probabilities that do not add up; with the matrix: a cell that is missing.

    Examples
    --------
    >>> load_confusions()["WEB5_truth_vs_worker"].counts[4]
    array([  88,   80,  120,  365, 2999])
    """
    path = paths.project("data") / "confusion" if path is None else Path(path)
    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    if not files:
        raise ValueError(f"{path}: no CSV file here, expected at least one with columns {', '.join(COLUMNS)}")
    return {confusion.name: confusion for file in files for confusion in _read(file)}


def _read(file: Path) -> list[Confusion]:
    frame = texts.table(file, ",", COLUMNS)
    texts.check_columns(file, list(frame), COLUMNS)
    if frame.empty:
        raise ValueError(f"{file}: no cell, expected a row for each, with {', '.join(COLUMNS)}")

    def refuse(wrong: pd.Series, column: str, expected: str) -> None:
        if wrong.any():
            line = frame.index[wrong.argmax()]
            raise ValueError(
                f"{file}, line {line}: {column} is {texts.shown([frame.loc[line, column]])}, expected {expected}"
            )

    for column in ("matrix", "source"):
        refuse(frame[column].str.strip() == "", column, "a name: it is empty")
    for column in ("testing", "training"):
        refuse(~frame[column].str.fullmatch(GRADE), column, "a whole number, the name of a grade")
    counts = pd.to_numeric(frame["count"], errors="coerce").astype(float)
    refuse(~counts.between(0, MOST), "count", "a number of at least 0 and at most 2^53")
    cells = frame.assign(count=counts).astype({"testing": int, "training": int})
    twice = cells.duplicated(["matrix", "testing", "training"])
    refuse(twice, "matrix", "each testing, training pair once: this one is given twice")
    return [_from_cells(file, str(name), own) for name, own in cells.groupby("matrix", sort=False)]


def _from_cells(file: Path, name: str, cells: pd.DataFrame) -> Confusion:
    table = cells.pivot(index="testing", columns="training", values="count")
    if table.isna().any(axis=None):
        testing, training = (int(i[0]) for i in np.nonzero(table.isna().to_numpy()))
        cell = f"{table.index[testing]}, {table.columns[training]}"
        raise ValueError(f"{file}: matrix {name} has no cell {cell}, expected every testing, training pair")
    counts, sums = table.to_numpy(), table.sum(axis=1)
    whole = (counts == np.floor(counts)).all()
    wrong = ~np.isclose(sums, 1, rtol=0, atol=ROUNDED) & (sums > 0).to_numpy()
    if not whole and wrong.any():
        testing = sums.index[wrong][0]
        line = cells.index[(cells["testing"] == testing).argmax()]
        raise ValueError(
            f"{file}, line {line}: matrix {name} has probabilities for testing {testing} that add up to "
            f"{sums[testing]:g}, expected 1"
        )
    sources = "; ".join(cells["source"].unique())
    counts = counts.astype(np.int64) if whole else counts
    return Confusion(name, counts, tuple(map(int, table.index)), tuple(map(int, table.columns)), sources)


def draw_labels(grades: np.ndarray, confusion: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int8 labels that an assessor, or every judge of a pool, gives to documents with these grades, independently.

    Parameters
    ----------
    grades : (…) the testing assessor's grades
    confusion : (n_testing, n_training), or (n_judges, n_testing, n_training) for a pool: the labels get one more axis
    rng : draws the labels

    Raises
    ------
    ValueError
        when a row is no distribution, or a grade has no row or one of NaN.

    Examples
    --------
    >>> draw_labels([0, 1, 1], [[0, 1], [1, 0]], np.random.default_rng(0))
    array([1, 0, 0], dtype=int8)
    """
    grades, confusion = np.asarray(grades), checked(confusion)
    known = ~np.isnan(confusion).any(axis=-1).reshape(-1, confusion.shape[-2]).any(axis=0)
    if grades.size and (grades.min() < 0 or grades.max() >= len(known)):
        raise ValueError(
            f"grades run from {grades.min()} to {grades.max()}, expected 0 to {len(known) - 1}: rows of confusion"
        )
    check_known("confusion", known, np.bincount(grades.ravel(), minlength=len(known)))
    position = rng.random(grades.shape + confusion.shape[:-2])
    labels = np.zeros(position.shape, dtype=np.int8)
    for border in np.moveaxis(confusion.cumsum(axis=-1)[..., :-1], -1, 0):
        labels += position >= border.T[grades]
    return labels


def draw_pool(
    confusion: np.ndarray, n: int, concentration: float | Sequence[float], rng: np.random.Generator
) -> np.ndarray:
    """(n, n_testing, n_training) matrices that differ, row i of each Dirichlet(concentration * row i of confusion).

    They stand for the judges of a pool, or for queries of different difficulty (`real_ceilings`). A cell c has the
    variance c (1 - c) / (concentration + 1) between them; concentration is a number above 0, or one for each row.
    """
    confusion = checked(confusion)
    parameters = np.asarray(concentration, dtype=np.float64)[..., None] * confusion
    if not np.all(np.asarray(concentration) > 0):
        raise ValueError(f"concentration is {concentration}, expected numbers above 0")
    rows = [np.full((n, len(row)), np.nan) if np.isnan(row).any() else rng.dirichlet(row, n) for row in parameters]
    return np.stack(rows, axis=1)


def check_known(argument: str, known: np.ndarray, documents: np.ndarray) -> None:
    """ValueError where there are documents (n_grades,) of a grade whose row is not known."""
    unknown = np.flatnonzero(~known & (documents > 0))
    if len(unknown):
        raise ValueError(f"{argument}: row {unknown[0]} is unknown (NaN), but documents have grade {unknown[0]}")


def ballots(m: int, n_grades: int) -> np.ndarray:
    """(n_ways, n_grades) every way to spread m votes over the grades."""
    cast = np.array(list(combinations_with_replacement(range(n_grades), m)))
    return (cast[:, :, None] == np.arange(n_grades)).sum(axis=1)


def majority(confusion: np.ndarray, m: int) -> np.ndarray:
    """Matrix of the majority of m judges who share a confusion (…, n_grades, n_grades) and err independently by it.

    Row i sums, over all ways to spread m votes over the grades, the multinomial probability of the votes under row i
    of the single judge; each goes to the column of its `majority_grade`. ValueError when a row is no distribution, or m
    no whole number from 1 up; rows of NaN stay NaN.

    Examples
    --------
    Two of three judges who are each right with probability .8: .8^3 + 3 * .8^2 * .2 = .896.

    >>> majority([[0.8, 0.2], [0.2, 0.8]], 3).round(4)
    array([[0.896, 0.104],
           [0.104, 0.896]])
    """
    confusion = checked(confusion)
    if m < 1 or m != int(m):
        raise ValueError(f"m is {m}, expected a whole number of judges of at least 1")
    n_grades = confusion.shape[-1]
    votes = ballots(int(m), n_grades)
    winners = np.eye(n_grades)[majority_grade(votes)]
    known = np.nan_to_num(confusion, nan=1 / n_grades)
    orders = np.exp(gammaln(m + 1) - gammaln(votes + 1).sum(axis=1))
    chances = orders * (known[..., None, :] ** votes).prod(axis=-1)
    return np.where(np.isnan(confusion), np.nan, probabilities(chances @ winners))
