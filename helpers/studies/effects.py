"""The effects of every study on its collections, as `data/results/<study>/effects.csv` holds them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd

from helpers.engine import results
from helpers.reporting.verdicts import basis_of, from_comparisons
from helpers.studies.bounds import effects as bounds
from helpers.studies.depth import effects as depth
from helpers.studies.overlap import effects as overlap
from helpers.studies.robustness import effects as robustness


def stored(study: str) -> pd.DataFrame:
    """The effects that the stored comparisons of a study have: frame with the columns `verdicts.EFFECTS`.

    Parameters
    ----------
    study : number
    """
    frames = [
        from_comparisons(study, tables["comparisons"], name, basis_of(name))
        for name, tables in results.stored(study).items()
        if "comparisons" in tables
    ]
    return pd.concat(frames, ignore_index=True)


EFFECTS: dict[str, Callable[[], pd.DataFrame]] = {
    "01": overlap.effects,
    "02": bounds.effects,
    "03": robustness.effects,
    "04": depth.effects,
    **{study: partial(stored, study) for study in ("05", "06")},
}
"""Study -> the function that gives its effects from what is stored."""
