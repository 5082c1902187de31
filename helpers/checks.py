"""What arguments are held to, one wording for each refusal and its way out: alone, as it loads next to nothing."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import click

RUN, BATCH, READING = "run", "batch", ("judgments", "collection", "plan")
"""Commands by how they take a parameter: as -p, as a line of a file, and as an option of its name."""


def advice(parameter: str, value: str, command: str | None = None) -> str:
    """What gives a parameter that value in a command, for a message that says what to add to it."""
    if command is None:
        context = click.get_current_context(silent=True)
        command = context.info_name if context else ""
    if command == RUN:
        return f"-p {parameter} {shlex.quote(value)}"
    if command in READING:
        return f"--{parameter} {shlex.quote(value)}"
    if command == BATCH:
        return f"the line `{parameter}: {json.dumps(value, ensure_ascii=False)}`"
    return f"{parameter}={value!r}"


def one_of(argument: str, value: Any, choices: Iterable) -> None:
    """Raise ValueError where the value is none of the choices."""
    choices = list(choices)
    if value not in choices:
        raise ValueError(f"{argument} is {value!r}, expected one of {some(choices)}")


def each_once(argument: str, values: Sequence) -> None:
    """Raise ValueError at the first value that comes again."""
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"{argument} has {value!r} twice, expected each once")


def cutoff(argument: str, value: Any, *, whole_list: bool = True) -> None:
    """Raise ValueError where a cut-off is no number of ranks."""
    if value is None and whole_list:
        return
    if isinstance(value, bool) or not isinstance(value, Real) or not 1 <= value < math.inf or value % 1:
        expected = f"a whole number of at least 1{', or None for the whole list' * whole_list}"
        raise ValueError(f"{argument} is {value!r}, expected {expected}")


def some(values: Iterable, most: int = 50) -> str:
    """The first of the values for a message, parted by commas, and how many more there are."""
    values = [str(value) for value in values]
    return ", ".join(values[:most]) + (f" and {len(values) - most} more" if len(values) > most else "")
