"""What arguments are held to, with one wording for each refusal."""

from __future__ import annotations

from collections.abc import Iterable
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
