"""What the exact formula says of data sets, without a training: pNoise curves, and what makes a collection robust."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from helpers.datasets.collection import Collection
from helpers.judging import noise
from helpers.judging.noise import TURNING


def expected_curves(collections: dict[str, Collection], levels: Sequence[float]) -> pd.DataFrame:
    """Exact pNoise of uniform noise by dNoise: frame dataset, dnoise, pnoise.

    Parameters
    ----------
    collections : by name
    levels : of dNoise
    """
    counts = {name: c.grade_counts(1 + int(c.grades.max())) for name, c in collections.items()}
    rows = [(name, dnoise, noise.expected_pnoise(n, dnoise)) for name, n in counts.items() for dnoise in levels]
    return pd.DataFrame(rows, columns=["dataset", "dnoise", "pnoise"])


def dnoise_map(
    n_grades: Sequence[int], relevant: Sequence[float], docs: Sequence[int], pnoise: float = TURNING
) -> pd.DataFrame:
    """The dNoise at which queries of each shape reach a pNoise.

    Parameters
    ----------
    n_grades : numbers of grades
    relevant : shares of the documents above grade 0, spread evenly over the other grades
    docs : documents a query, of which each grade gets its share, rounded
    pnoise : what is to be reached

    Returns
    -------
    frame grades, relevant, documents, dnoise

    Examples
    --------
    >>> dnoise_map([2], [0.01, 0.5], [1000]).round(3)
       grades  relevant  documents  dnoise
    0       2      0.01       1000   0.039
    1       2      0.50       1000   0.400
    """
    shapes = [(grades, share, n) for grades in n_grades for share in relevant for n in docs]
    rows = [(*shape, noise.dnoise_at(_grade_counts(*shape), pnoise)) for shape in shapes]
    return pd.DataFrame(rows, columns=["grades", "relevant", "documents", "dnoise"])


def _grade_counts(n_grades: int, relevant: float, docs: int) -> np.ndarray:
    shares = np.full(n_grades, relevant / (n_grades - 1))
    shares[0] = 1 - relevant
    return np.diff(np.rint(docs * np.cumsum(shares)), prepend=0)
