"""What study 6 works on: the judgments of a file as its tool wrote it, or synthetic ones, without names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers import checks
from helpers.judging import formats
from helpers.judging.coded import is_model
from helpers.judging.formats.people import MODEL
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
    frame : long frame of what people said, without their names unless these were asked for; where no document was
        judged by two people, but by a model too, what everyone said
    everyone : what people and models said
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
    machines: Sequence[str] = (),
    names: bool = False,
    rng: np.random.Generator,
) -> Given:
    """The judgments of files, read as `formats.read` does, or SYNTHETIC ones where none are named.

    Parameters
    ----------
    judgments : path, or several separated by commas; "" for synthetic ones
    format, columns, grades : as for `formats.read`; "" is its None
    repeats : as for `formats.read`
    machines : assessors who are models, though the file does not say so
    names : keep the names of judges; else they are called judge 1, judge 2, ...; models keep theirs
    rng : draws the synthetic judgments

    Raises
    ------
    OSError, ValueError
        as `formats.read`; ValueError also where nobody is called as one of the machines.
    """
    if judgments:
        wanted = {"columns": columns or None, "grades": grades or None, "repeats": repeats}
        reading = formats.read(judgments, format or None, **wanted)
    else:
        reading = example(rng)
    frame = formats.pseudonyms(_marked(reading.frame, machines), names)
    models = reading.apart[reading.apart["assessor"].map(is_model)]
    everyone = pd.concat([frame, models], ignore_index=True) if len(models) else frame
    people = frame[~frame["assessor"].map(is_model)].reset_index(drop=True)
    judged = everyone if _overlap(everyone) and not _overlap(people) else people
    return Given(judged, everyone, reading, "your judgments" if judgments else "SYNTHETIC judgments")


def _marked(frame: pd.DataFrame, machines: Sequence[str]) -> pd.DataFrame:
    """The frame with the names of machines as those of models."""
    for name in machines:
        checks.one_of("one of machines", name, frame["assessor"].unique())
    return frame.assign(assessor=frame["assessor"].map(lambda name: MODEL + name if name in machines else name))


def _overlap(frame: pd.DataFrame) -> bool:
    return bool(frame.duplicated(["query", "doc"]).any())
