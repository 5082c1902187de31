"""Judges of study 1: a pool fitted to the label ratios and costs that Yang et al. 2010 print, or a confusion matrix.

The fit looks at nothing that says how well a ranker does. Matrices are those kept with the project, by which all judges
may err in place of a pool.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.optimize import least_squares

from helpers import checks, paths
from helpers.datasets import portrait
from helpers.engine import results
from helpers.judging.confusion import load_confusions, probabilities
from helpers.judging.pool import COST, RATIO, AlikeJudges, Settings, expected

FOLDER = paths.project("data") / "results" / "01" / "judges"

_RATIOS = {RATIO: ("baseline", "mv3", "mv11", "highest-3"), COST: ("if-good-3", "good-till-bad")}
TARGETS = {
    "clean07": _RATIOS,
    "clean08": _RATIOS,
    "clean+": {RATIO: ("baseline", "if-good-2", "if-good-3"), COST: ("if-good-2", "if-good-3")},
}
"""What the settings are fitted to, of Tables 6 to 8. Table 8 has no majority, so that only two of them are free."""

START = Settings(leniency=0.0, noise_irrelevant=0.7, noise_relevant=0.7, appeal=0.5)


def printed() -> pd.DataFrame:
    """Tables 6 to 8: frame source, table, label_set, setting, labeling_overhead, training_overhead, ratio."""
    return pd.read_csv(paths.project("data") / "published" / "yang2010_costs.csv")


def grade_shares() -> np.ndarray:
    """(5,) shares of the grades among the documents that the pool labels: those of the MSLR sample."""
    return portrait.open("mslr-sample").grade_shares


def fit(label_set: str, start: Settings = START) -> Settings:
    """The settings nearest to what is printed of a label set, by least squares of the logarithms; of Clean+, whose
    numbers say no more than m_1 and m_2, leniency and one factor on both noises are fitted, from `start`.
    """
    wanted = _targets(label_set)
    names, whole = tuple(dict.fromkeys(setting for setting, _ in wanted)), label_set != "clean+"

    def make(x: np.ndarray) -> Settings:
        return _moved(start, *x) if whole else _moved(start, x[0], x[1], x[1], 0.0)

    def misses(x: np.ndarray) -> list[float]:
        found = expected(make(x), grade_shares(), names)
        return [np.log(found.loc[setting, column] / value) for (setting, column), value in wanted.items()]

    return make(least_squares(misses, np.zeros(4 if whole else 2), diff_step=1e-4).x)


def table(fitted: Mapping[str, Settings | AlikeJudges]) -> pd.DataFrame:
    """Printed beside what these judges come to: frame label_set, setting, quantity, printed, fitted, used (to fit
    them).
    """
    rows = []
    for label_set, judges in fitted.items():
        costs = printed().query("label_set == @label_set").set_index("setting")
        found, used = expected(judges, grade_shares(), tuple(costs.index)), _targets(label_set)
        for setting in costs.index:
            for column in (COST, RATIO):
                row = {"label_set": label_set, "setting": setting, "quantity": column}
                numbers = {"printed": costs.loc[setting, column], "fitted": found.loc[setting, column]}
                rows.append(row | numbers | {"used": (setting, column) in used})
    return pd.DataFrame(rows)


def stored() -> dict[str, Settings]:
    """The settings in `data/results/01/judges` by label set."""
    frame = pd.read_csv(FOLDER / "settings.csv", index_col="label_set")
    return {label_set: Settings(**row) for label_set, row in frame.to_dict(orient="index").items()}


def known() -> dict[str, np.ndarray]:
    """Name -> (n_grades, n_grades) chance of each label for a document of each true grade: the matrices of
    `data/confusion`, then those of the real judges that study 2 stores, summed over queries and ordered pairs of
    judges.
    """
    given = {name: matrix.probabilities for name, matrix in load_confusions().items()}
    stored = results.stored("02").items()
    return given | {name: probabilities(summed(tables["counts"])) for name, tables in stored if "counts" in tables}


def summed(counts: pd.DataFrame) -> np.ndarray:
    """(n_grades, n_grades) how often a label (column) was given to a document of a grade (row), all lines together.

    >>> summed(pd.DataFrame({"query": ["q", "r"], "0 0": [3, 1], "0 1": [1, 0], "1 0": [0, 2], "1 1": [5, 1]}))
    array([[4, 1],
           [2, 6]])
    """
    cells = counts.filter(regex=r"^\d+ \d+$").sum()
    cells.index = pd.MultiIndex.from_tuples(tuple(map(int, cell.split())) for cell in cells.index)
    return cells.unstack().to_numpy()


def chosen(name: str, n_grades: int, whose: str) -> np.ndarray:
    """The matrix of that name.

    >>> chosen("relish", 3, "ohsumed-portrait").round(2)
    array([[0.65, 0.28, 0.07],
           [0.2 , 0.57, 0.23],
           [0.05, 0.24, 0.71]])
    """
    matrices = known()
    if name in matrices and len(matrices[name]) == n_grades:
        return matrices[name]
    if name in matrices:
        found = f"a matrix of {len(matrices[name])} grades, but {whose} has {n_grades}"
    else:
        found = f"the name of no matrix; {whose} has {n_grades} grades"
    raise ValueError(f"judges is {name!r}, {found}: expected {fitting(n_grades, matrices)}")


def fitting(n_grades: int, matrices: Mapping[str, np.ndarray] | None = None) -> str:
    """The names of the matrices, known ones unless given, of so many grades, for a message.

    >>> fitting(5)
    'RAG25_NIST_vs_UMBRELA2, WEB5_truth_vs_worker, WEB5_worker_vs_worker_orderedpairs'
    >>> fitting(2)
    'another data set, as no matrix has 2 grades'
    """
    names = [name for name, matrix in (matrices or known()).items() if len(matrix) == n_grades]
    return ", ".join(names) or f"another data set, as no matrix has {n_grades} grades"


def _targets(label_set: str) -> dict[tuple[str, str], float]:
    """(setting, column) -> the printed number that the settings are fitted to."""
    checks.one_of("label_set", label_set, TARGETS)
    costs = printed().query("label_set == @label_set").set_index("setting")
    return {(name, column): costs.loc[name, column] for column, names in TARGETS[label_set].items() for name in names}


def _moved(start: Settings, leniency: float, *factors: float) -> Settings:
    """Settings whose leniency is so much more, and whose two noises and appeal are times the exponentials."""
    others = np.array([start.noise_irrelevant, start.noise_relevant, start.appeal]) * np.exp(factors)
    return Settings(float(start.leniency + leniency), *map(float, others))
