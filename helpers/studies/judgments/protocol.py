"""What study 6 works on: the judgments of a file as its tool wrote it, or synthetic ones, without names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers.judging import formats
from helpers.judging.coded import is_model
from helpers.studies.judgments.example import example

DRAWS = 1000
"""Bootstrap samples of the queries."""

CUTOFFS = (1, 5, 10)
"""Of nDCG, beside the reader's own."""

SHOWN = 10
"""Rows of a table in the notebook; all of them are written to CSV."""


@dataclass(frozen=True, eq=False)
class Given:
    """Judgments to be looked at.

    Attributes
    ----------
    frame : long frame of what judges said, without their names unless these were asked for
    everyone : the same and what models said
    reading : what `formats.read` returned, with the names
    data : what to call the data in figures and tables
    """

    frame: pd.DataFrame
    everyone: pd.DataFrame
    reading: formats.Reading
    data: str


def given(
    judgments: str,
    format: str = "",
    columns: str = "",
    grades: str = "",
    repeats: str = "refuse",
    *,
    names: bool = False,
    rng: np.random.Generator,
) -> Given:
    """The judgments of files, read as `formats.read` does, or SYNTHETIC ones where none are named.

    Parameters
    ----------
    judgments : path, or several separated by commas; "" for synthetic ones
    format, columns, grades : as for `formats.read`; "" is its None
    repeats : as for `formats.read`
    names : keep the names of judges; else they are called judge 1, judge 2, ...; models keep theirs
    rng : draws the synthetic judgments
    """
    if judgments:
        wanted = {"columns": columns or None, "grades": grades or None, "repeats": repeats}
        reading = formats.read(judgments, format or None, **wanted)
    else:
        reading = example(rng)
    frame = formats.pseudonyms(reading.frame, names)
    models = reading.apart[reading.apart["assessor"].map(is_model)]
    everyone = pd.concat([frame, models], ignore_index=True) if len(models) else frame
    return Given(frame, everyone, reading, "your judgments" if judgments else "SYNTHETIC judgments")
