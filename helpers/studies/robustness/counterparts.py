"""Real collections of few relevant documents in place of TD2003, which is only at hand as a portrait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from helpers.studies import learnable
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness import tables as robustness

NAMES = ("robust04", "microblog", "dbpedia-entity")
LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
SCALE = study.Scale(documents=10**6, folds=5, levels=LEVELS, judged=(), draws=2, few_draws=2)
"""Whole collections in their official folds, at levels that all data sets of the study have."""

ALL, WITHOUT, INSTEAD, WITH_ALL = (
    "five data sets",
    "without TD2003",
    "real collections instead of TD2003",
    "all real collections instead of TD2003",
)
"""Which data sets one curve is fitted to; the last one takes the collections too on which a ranker gains nothing."""


def learned(compared: pd.DataFrame, names: Sequence[str] = NAMES) -> list[str]:
    """The collections on which some ranker that learns is better than the best single run.

    Where none is, what is learned is little, and noise can take little of it: such a collection says nothing of what
    makes a collection robust.

    Parameters
    ----------
    compared : of `learnable.compared`
    names : of collections

    Examples
    --------
    >>> compared = pd.DataFrame({"dataset": ["a", "b"], "ranker": "RankSVM", "over": "best run", "low": [0.01, -0.02]})
    >>> learned(compared, ["a", "b"])
    ['a']
    """
    gained = compared[(compared["over"] == learnable.BEST_RUN) & compared["ranker"].isin(learnable.RANKERS)]
    ahead = set(gained.loc[gained["low"] > 0, "dataset"])
    return [name for name in names if name in ahead]


def tables(
    uniform: pd.DataFrame,
    counterparts: pd.DataFrame,
    kept: Sequence[str],
    profiles: Mapping[str, np.ndarray],
    rng: np.random.Generator,
) -> dict[str, pd.DataFrame]:
    """What one curve explains with TD2003, without it, and with real collections in its place.

    All at the levels and with the rankers that the real collections have, so that only the data sets differ.

    Parameters
    ----------
    uniform : runs of the study's data sets, as `tables.cells` takes them
    counterparts : runs of the real collections
    kept : those of them that are `learned`
    profiles : as `tables.comparisons` takes them
    rng : draws bootstrap samples

    Returns
    -------
    dict : "falls" of the real collections, as `tables.falls` gives them; "explained" and "turning", as the functions of
        these names in `tables`, with a column `over`, one of ALL, WITHOUT, INSTEAD and WITH_ALL; "comparisons", of
        INSTEAD, as `tables.comparisons` gives what is fitted to several data sets
    """
    alike = uniform["level"].isin(counterparts["level"]) & uniform["ranker"].isin(counterparts["ranker"])
    cells = robustness.cells(pd.concat([uniform[alike], counterparts], ignore_index=True), rng)
    parts = {over: robustness.of_data_sets(cells, names) for over, names in _groups(cells, counterparts, kept).items()}
    explained = [robustness.explained(part).assign(over=over) for over, part in parts.items()]
    turning = [robustness.turning_points(robustness.curves(part)).assign(over=over) for over, part in parts.items()]
    falls = robustness.falls(cells)
    return {
        "falls": falls[falls["dataset"].isin(counterparts["dataset"])],
        "explained": pd.concat(explained, ignore_index=True),
        "turning": pd.concat(turning, ignore_index=True),
        "comparisons": robustness.fitted_comparisons(parts[INSTEAD], profiles),
    }


def _groups(cells: robustness.Cells, counterparts: pd.DataFrame, kept: Sequence[str]) -> dict[str, list[str]]:
    real = list(counterparts["dataset"].unique())
    five = [name for name in cells.datasets if name not in real]
    without = [name for name in five if not name.startswith(robustness.FRAGILE)]
    return {ALL: five, WITHOUT: without, INSTEAD: [*without, *kept], WITH_ALL: [*without, *real]}
