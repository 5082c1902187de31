"""Judges without their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from helpers import checks

MODEL = "model: "


def marked(frame: pd.DataFrame, machines: Sequence[str]) -> pd.DataFrame:
    """The frame with the names of machines among its assessors as those of models.

    Parameters
    ----------
    frame : long frame with a column assessor
    machines : names of assessors

    Raises
    ------
    ValueError
        where nobody is called as one of the machines.
    """
    for name in machines:
        checks.one_of("one of machines", name, frame["assessor"].unique())
    return frame.assign(assessor=frame["assessor"].map(lambda name: MODEL + name if name in machines else name))


def pseudonyms(frame: pd.DataFrame, names: bool = False) -> pd.DataFrame:
    """The frame with "judge 1", "judge 2", ... for the assessors, by the order of their names; models keep theirs.

    Whoever writes or shows judgments passes them through this, so that no name or address of a person is told. The
    order of the rows makes no difference.

    Parameters
    ----------
    frame : long frame with a column assessor
    names : keep the names

    Examples
    --------
    >>> frame = pd.DataFrame({"assessor": ["w10", "w9", "model: m", "w10"]})
    >>> pseudonyms(frame)["assessor"].tolist()
    ['judge 2', 'judge 1', 'model: m', 'judge 2']
    """
    if names:
        return frame
    people = sorted((a for a in frame["assessor"].unique() if not a.startswith(MODEL)), key=_natural)
    called = {name: f"judge {number}" for number, name in enumerate(people, start=1)}
    return frame.assign(assessor=frame["assessor"].map(lambda name: called.get(name, name)))


def _natural(name: str) -> tuple:
    """Numbers in names by their size, so that w9 is before w10."""
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split("([0-9]+)", name)], name
