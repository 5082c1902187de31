"""What arguments are held to, with one wording for each refusal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any


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


def cutoff(argument: str, value: Any, *, whole_list: bool = True) -> None:
    """Raise ValueError where a cut-off is no number of ranks.

    Parameters
    ----------
    argument : what the caller calls it
    value : what was given
    whole_list : whether None stands for as many ranks as there are

    Examples
    --------
    >>> cutoff("k", 2.5)
    Traceback (most recent call last):
        ...
    ValueError: k is 2.5, expected a whole number of at least 1, or None for the whole list
    """
    if value is None and whole_list:
        return
    if isinstance(value, bool) or not isinstance(value, Real) or not 1 <= value < math.inf or value % 1:
        expected = f"a whole number of at least 1{', or None for the whole list' * whole_list}"
        raise ValueError(f"{argument} is {value!r}, expected {expected}")
