"""The stored effects of each study, and the verdicts on all claims; short, as each study computes its own effects."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd

from helpers.engine import results
from helpers.making import common
from helpers.reporting.verdicts import basis_of, from_comparisons
from helpers.studies import ledger
from helpers.studies.bounds import effects as bounds
from helpers.studies.depth import effects as depth
from helpers.studies.overlap import effects as overlap
from helpers.studies.robustness import effects as robustness


def stored(study: str) -> pd.DataFrame:
    """The effects that the stored comparisons of a study have: frame with the columns `verdicts.EFFECTS`."""
    frames = [
        from_comparisons(study, tables["comparisons"], name, basis_of(name))
        for name, tables in results.stored(study).items()
        if "comparisons" in tables
    ]
    return pd.concat(frames, ignore_index=True)


# study -> the function that gives its effects from what is stored
EFFECTS: dict[str, Callable[[], pd.DataFrame]] = {
    "01": overlap.effects,
    "02": bounds.effects,
    "03": robustness.effects,
    "04": depth.effects,
    **{study: partial(stored, study) for study in ("05", "06")},
}


def _write_effects(study: str) -> None:
    common.write(study, {"effects": EFFECTS[study]()})


def _write_verdicts() -> None:
    common.write("", {"verdicts": ledger.judged(ledger.effects())})


TASKS = {study: partial(_write_effects, study) for study in EFFECTS} | {"verdicts": _write_verdicts}
