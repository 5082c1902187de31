"""Exercises in a notebook: whether an answer is right, said without giving the right one away."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

NO_ANSWER, RIGHT, NOT_YET = "No answer yet.", "Right.", "Not yet"

# by this share of what is expected a number may be off, as its last digits depend on the order of a sum
ROUNDING = 1e-9


def told(answer: Any, expected: Any, within: float = 0.0, hint: str = "") -> None:
    """Print "Right.", "Not yet: <hint>", or "No answer yet." where the answer is still `...`."""
    print(_said(answer, expected, within, hint))


def _said(answer: Any, expected: Any, within: float, hint: str) -> str:
    if answer is ...:
        return NO_ANSWER
    if isinstance(expected, (set, frozenset)):
        return _said_of_set(answer, expected, hint)
    if _kind(answer) != _kind(expected):
        return _not_yet(f"the answer is to be {_kind(expected)}.")
    return RIGHT if _same(answer, expected, within) else _not_yet(hint)


def _said_of_set(answer: Any, expected: set | frozenset, hint: str) -> str:
    if isinstance(answer, str) or np.ndim(_parts(answer)) != 1:
        return _not_yet("the answer is to be a list or a set.")
    return RIGHT if {_plain(part) for part in _parts(answer)} == {_plain(part) for part in expected} else _not_yet(hint)


def _not_yet(why: str) -> str:
    return f"{NOT_YET}: {why}" if why else f"{NOT_YET}."


def _parts(value: Any) -> np.ndarray:
    """The value as an array of objects, whatever it holds."""
    return np.asarray(list(value) if isinstance(value, (set, frozenset)) else value, dtype=object)


def _kind(value: Any) -> str:
    """What a value is, in words that a reader is told: two of a kind can be compared."""
    parts = _parts(value)
    kinds = {_kind_of_one(part) for part in parts.ravel()}
    if not parts.ndim:
        return kinds.pop()
    of = "numbers" if kinds <= {"a number"} else "texts" if kinds == {"a text in quotes"} else "other things"
    return f"{' by '.join(map(str, parts.shape))} {of}"


def _kind_of_one(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "True or False"
    if isinstance(value, str):
        return "a text in quotes"
    return "a number" if isinstance(value, Real) else f"no {type(value).__name__}"


def _same(answer: Any, expected: Any, within: float) -> bool:
    """Whether two values of a kind are the same; numbers up to `within` and the rounding of their last digits."""
    if "number" in _kind(expected):
        off = np.asarray(answer, float), np.asarray(expected, float)
        return bool(np.isclose(*off, rtol=ROUNDING, atol=within, equal_nan=True).all())
    return [_plain(part) for part in _parts(answer).ravel()] == [_plain(part) for part in _parts(expected).ravel()]


def _plain(value: Any) -> Any:
    return value.strip().casefold() if isinstance(value, str) else value
