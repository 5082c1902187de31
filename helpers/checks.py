"""What arguments are held to, with one wording for each refusal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


def one_of(argument: str, value: Any, choices: Iterable) -> None:
    """Raise ValueError where the value is none of the choices.

    Parameters
    ----------
    argument : what the caller calls it
    value : what was given
    choices : what is allowed, in the order in which they are listed

    Examples
    --------
    >>> one_of("scale", "stduy", ["demo", "study"])
    Traceback (most recent call last):
        ...
    ValueError: scale is 'stduy', expected one of demo, study
    """
    choices = list(choices)
    if value not in choices:
        raise ValueError(f"{argument} is {value!r}, expected one of {', '.join(map(str, choices))}")


def check_offsets(offsets: np.ndarray, n_docs: int) -> None:
    """Raise ValueError unless offsets rise strictly from 0 to n_docs."""
    if len(offsets) < 2 or offsets[0] != 0 or offsets[-1] != n_docs:
        ends = f"{offsets[0]} to {offsets[-1]}" if len(offsets) else "nothing"
        raise ValueError(f"offsets run from {ends}, expected from 0 to the number of documents, {n_docs}")
    falls = np.flatnonzero(np.diff(offsets) <= 0)
    if len(falls):
        q = int(falls[0])
        raise ValueError(
            f"offsets: query {q} runs from row {offsets[q]} to {offsets[q + 1]}, expected at least one document"
        )
