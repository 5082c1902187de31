"""Numbers, intervals, counts and names as words, and sentences and tables for a notebook."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from IPython.display import Markdown

UNKNOWN = "unknown"  # what stands for a number that could not be computed


def number(value: float, digits: int = 3) -> str:
    """A number without a zero in front of its point, or "unknown" for NaN.

    Parameters
    ----------
    value : any number
    digits : after the point; one fewer where the number is 1 or more in size

    Examples
    --------
    >>> number(0.0213), number(-0.5), number(0.213, 2), number(1.4142), number(-0.0001), number(float("nan"))
    ('.021', '-.500', '.21', '1.41', '.000', 'unknown')
    """
    if math.isnan(value):
        return UNKNOWN
    shown = f"{value:,.{digits if abs(value) < 1 else digits - 1}f}"
    return re.sub(r"^(-?)0\.", r"\1.", shown) if float(shown.replace(",", "")) else shown.lstrip("-")[1:]


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign, which one that is rounded to nothing has not.

    Parameters
    ----------
    value, digits : as in `number`

    Examples
    --------
    >>> signed(0.0213), signed(-0.0213), signed(0.0001)
    ('+.021', '-.021', '.000')
    """
    shown = number(value, digits)
    return f"+{shown}" if value > 0 and shown.strip(".0") else shown


def interval(low: float, high: float, digits: int = 3) -> str:
    """The ends of an interval, or that there is none where one of them is NaN.

    Parameters
    ----------
    low, high : ends
    digits : as in `end`

    Examples
    --------
    >>> interval(0.0101, 0.0324), interval(float("nan"), 0.1)
    ('.010 to .032', 'no interval')
    """
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    return f"{end(low, digits)} to {end(high, digits)}"


def ranged(value: float, low: float, high: float, digits: int = 3) -> str:
    """A difference with its sign and its interval.

    >>> ranged(0.0213, 0.0101, 0.0324)
    '+.021 (.010 to .032)'
    """
    return f"{signed(value, digits)} ({interval(low, high, digits)})"


def end(value: float, digits: int = 3) -> str:
    """An end of an interval as `number` has it; one that would be rounded to 0 with a digit more, as its side decides.

    >>> end(0.0213), end(-0.0003), end(0.00002), end(0)
    ('.021', '-.0003', '.000', '.000')
    """
    shown = number(value, digits)
    return shown if shown.strip("-.0") else number(value, digits + (round(value, digits + 1) != 0))


def listed(names: Iterable[str]) -> str:
    """Names as a sentence lists them, "none" where there is none.

    Parameters
    ----------
    names : in the order in which they are listed

    Examples
    --------
    >>> listed(["A", "B", "C"]), listed(["A"]), listed([])
    ('A, B and C', 'A', 'none')
    """
    *others, last = list(names) or ["none"]
    return f"{', '.join(others)} and {last}" if others else last


def counted(count: int, one: str, many: str = "") -> str:
    """A count and what is counted."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def share(value: float, digits: int = 0) -> str:
    """A share in per cent, or "unknown" for NaN.

    Parameters
    ----------
    value : a share of 1
    digits : after the point

    Examples
    --------
    >>> share(0.384), share(0.0153, 1)
    ('38 %', '1.5 %')
    """
    return UNKNOWN if math.isnan(value) else f"{100 * value:.{digits}f} %"


def show(*sentences: str) -> Markdown | None:
    """The sentences, or a table in Markdown, as what a notebook's cell ends with: each that says something a paragraph.

    >>> show("This is so.", "That is not.").data
    'This is so.\\n\\nThat is not.'
    """
    from IPython.display import Markdown

    said = "\n\n".join(filter(None, sentences))
    return Markdown(said) if said else None


def markdown(table: pd.DataFrame, plain: bool = True) -> str:
    """A frame of texts as a table in Markdown, which takes its colours from the page that it stands on.

    Parameters
    ----------
    table : a text in every cell
    plain : whether the texts are shown as they are; else they are Markdown, with links

    Examples
    --------
    >>> print(markdown(pd.DataFrame({"verdict": ["a | b"]})))
    | verdict |
    | :-- |
    | a \\| b |
    """
    shown = table.map(_plain) if plain else table
    heads, rules = [str(head) for head in table.columns], [":--"] * len(table.columns)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, rules, *shown.to_numpy().tolist()])


def _plain(text: str) -> str:
    """The text with a backslash before each sign that Markdown, or a formula, would take for its own."""
    return re.sub(r"([|$*_<`\\])", r"\\\1", text)
