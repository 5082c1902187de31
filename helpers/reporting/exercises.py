"""Exercises in a notebook: whether an answer is right, and what is wrong with it, without giving the right one away."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from numbers import Real
from types import ModuleType
from typing import Any

import numpy as np

NO_ANSWER, RIGHT, NOT_YET = "No answer yet.", "Right.", "Not yet"

# by this share of what is expected a number may be off, as its last digits depend on the order of a sum
ROUNDING = 1e-9

_ANSWERS = re.compile(r"^\s*(answer_\d+)\s*=(?!=)", re.MULTILINE)
_COMMA, _PER_CENT = re.compile(r"\s*[-+]?\d*,\d+\s*%?\s*"), re.compile(r".*\d\s*%\s*")


def told(answer: Any, expected: Any, within: float = 0.0, hint: str = "") -> None:
    """Print "Right.", "Not yet: <what is wrong, or the hint>", or "No answer yet." where the answer is still `...`."""
    print(_said(answer, expected, within, hint))


def checks(module: ModuleType) -> dict[int, Callable[..., None]]:
    """The functions `check_<number>` of a study's exercises, by number."""
    return {int(name[6:]): found for name, found in sorted(vars(module).items()) if re.fullmatch(r"check_\d+", name)}


def forget(shell: Any) -> None:
    """Have a notebook's shell forget the answers of a cell that failed, for no old one to be checked."""

    def after(result: Any) -> None:
        if not result.success and result.info.raw_cell:
            shell.user_ns.update(dict.fromkeys(_ANSWERS.findall(result.info.raw_cell), ...))

    shell.events.register("post_run_cell", after)


if "IPython" in sys.modules and (_shell := sys.modules["IPython"].get_ipython()):
    forget(_shell)


def _said(answer: Any, expected: Any, within: float, hint: str) -> str:
    if answer is ...:
        return NO_ANSWER
    if isinstance(expected, (set, frozenset)):
        listed = not isinstance(answer, str) and _parts(answer).ndim == 1
        right = listed and {_plain(part) for part in _parts(answer)} == {_plain(part) for part in expected}
        slip = "" if listed else "the answer is to be a list or a set."
    else:
        right = _kind(answer) == _kind(expected) and _same(answer, expected, within)
        slip = "" if right else _slip(answer, expected, within)
    return RIGHT if right else f"{NOT_YET}: {slip or hint}" if slip or hint else f"{NOT_YET}."


def _slip(answer: Any, expected: Any, within: float) -> str:
    """What is wrong with an answer of another kind, with a number written as something else, or in per cent."""
    kind, text = _kind(expected), answer if isinstance(answer, str) else ""
    if kind != _kind(answer) and kind == "a number":
        pair = isinstance(answer, tuple) and len(answer) == 2 and all(isinstance(part, int) for part in answer)
        if pair or _COMMA.fullmatch(text):
            return "a number has a decimal point here, as 0.5, and no comma."
        if _PER_CENT.fullmatch(text):
            return "write the share itself, as 0.5 for 50 %, without the sign and without quotes."
        if any(map(str.isdigit, text)):
            return "write the number without quotes."
    if kind != _kind(answer):
        return f"the answer is to be {kind}."
    if kind != "a number" or not expected:
        return ""
    if abs(expected) <= 1 < abs(answer) and _same(answer / 100, expected, max(within, 0.005)):
        return "a share of 1 is asked, not per cent: divide by 100."
    return "per cent are asked, not a share: times 100." if _same(100 * answer, expected, within) else ""


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
