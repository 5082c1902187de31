"""Confusion matrices that are known: with their scales and sources, in files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from helpers import texts
from helpers.judging.confusion._matrices import probabilities
from helpers.paths import project

GRADE = r"-?[0-9]{1,9}"
MOST = 2.0**53
ROUNDED = 0.02  # how far printed probabilities of a row may be from 1 together
COLUMNS = ["matrix", "testing", "training", "count", "source"]


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
    """Confusion matrices by name, from a CSV file or a directory of them; by default those of ``data/confusion``.

    A file has one row a cell, columns matrix, testing, training, count, source. Counts may be probabilities: those of a
    testing grade add up to 1, or all are 0 where nothing is known.

    Parameters
    ----------
    path : CSV file, or directory of CSV files

    Raises
    ------
    ValueError
        naming file and line: text that `texts.table` refuses, a field that is empty, a grade that is no whole number, a
        count that is no number from 0 to 2^53, a cell given twice; naming file and matrix: a cell that is missing,
        probabilities that do not add up to 1 within two hundredths.
    OSError
        when there is no such file.

    Examples
    --------
    >>> load_confusions()["WEB5_truth_vs_worker"].counts[4]
    array([  88,   80,  120,  365, 2999])
    """
    path = project("data") / "confusion" if path is None else Path(path)
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
