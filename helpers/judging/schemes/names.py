"""Labelling schemes by name: how many judges each asks, and what it makes of their labels."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

GOOD = 2
"""The lowest grade of "Good or above" on Yang's scale from 0 (Bad) to 4 (Perfect)."""

PAPER = (
    "baseline",
    "3-overlap",
    "11-overlap",
    "mv3",
    "mv11",
    "highest-3",
    "if-good-3",
    "if-good-x3",
    "good-till-bad",
)
"""The nine settings of Yang et al. 2010, section 6.3."""

UNLIMITED = sys.maxsize
PATTERNS = {
    "overlap": r"(?P<k>\d+)-overlap",
    "majority": r"mv(?P<k>\d+)",
    "highest": r"highest-(?P<k>\d+)",
    "gain": r"gain-(?P<k>\d+)",
    "round": r"round-(?P<k>\d+)",
    "dawid-skene": r"dawid-skene-(?P<k>\d+)",
    "if-good": r"if-good-(?P<k>\d+)",
    "if-good-gain": r"if-good-gain-(?P<k>\d+)",
    "weighted": r"if-good-x(?P<weight>\d+(\.\d+)?)",
    "till-bad": r"good-till-bad(-(?P<k>\d+))?",
}
EXPECTED = (
    "baseline, k-overlap, mvk, highest-k, gain-k, round-k, dawid-skene-k, if-good-k, if-good-gain-k, if-good-xθ, "
    "good-till-bad or good-till-bad-k with a number for k or θ"
)


ASK_IF_GOOD = ("if-good", "if-good-gain")
"""Kinds that ask k - 1 judges more where the first says Good or above."""

GAINED = ("gain", "if-good-gain")
"""Kinds whose training label stands for the mean gain of a pair's labels."""


RENAMED = re.compile(r"(if-good-)?mean-(\d+)", re.ASCII)


@dataclass(frozen=True)
class Scheme:
    """A labelling scheme.

    Attributes
    ----------
    kind : a key of PATTERNS
    k : most labels of one pair
    weight : training weight of labels of grade Good or above, where others weigh 1
    """

    kind: str
    k: int
    weight: float = 1.0


def current(name: str) -> str:
    """The scheme that took the place of mean-k and if-good-mean-k, as stored rows still have it; any other as it is.

    They trained on the gain of the mean grade, where gain-k and if-good-gain-k train on the mean gain.

    >>> current("if-good-mean-3"), current("mv3")
    ('if-good-gain-3', 'mv3')
    """
    return RENAMED.sub(r"\1gain-\2", name) if RENAMED.fullmatch(name) else name


def parse(name: str) -> Scheme:
    """The scheme of that name.

    >>> parse("baseline"), parse("if-good-x2.5")
    (Scheme(kind='overlap', k=1, weight=1.0), Scheme(kind='weighted', k=1, weight=2.5))

    Raises
    ------
    ValueError
        when there is no such scheme, or it would ask no judge.
    """
    if name == "baseline":
        return Scheme("overlap", 1)
    for kind, pattern in PATTERNS.items():
        if match := re.fullmatch(pattern, name, re.ASCII):
            found = match.groupdict()
            k = int(found.get("k") or (1 if kind == "weighted" else UNLIMITED))
            weight = float(found.get("weight") or 1)
            if 0 < k <= UNLIMITED and weight > 0:
                return Scheme(kind, k, weight)
    if current(name) != name:
        raise ValueError(f"scheme is {name!r}, which is now {current(name)}: the mean gain, not the gain of the mean")
    raise ValueError(f"scheme is {name!r}, expected {EXPECTED}")
