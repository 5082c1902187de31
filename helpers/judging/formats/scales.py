"""Grades as tools write them, "3.0" or "Good", as whole numbers: by what the user declares, or by a known scale."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from helpers import checks

SKIP = "skip"
HIGHEST = 127
WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:\.0*)?")
DECLARED = re.compile(r"\s*(.+?)\s*:\s*([0-9]{1,3}|skip)\s*(?:,|$)")
SCALES = (
    ("bad", "fair", "good", "excellent", "perfect"),
    ("not relevant", "partly relevant", "relevant"),
    ("not relevant", "partially relevant", "relevant"),
    ("not relevant", "somewhat relevant", "relevant"),
    ("irrelevant", "partly relevant", "relevant"),
    ("irrelevant", "partially relevant", "relevant"),
    ("irrelevant", "somewhat relevant", "relevant"),
    ("irrelevant", "related", "highly relevant", "perfectly relevant"),
    ("irrelevant", "complement", "substitute", "exact"),
    ("i", "c", "s", "e"),
    ("no", "yes"),
    ("false", "true"),
)


def key(value: str) -> str:
    """What a value is known by as a grade: a whole number without zeros around it, a word without case and blanks.

    >>> key("100.000"), key(" Partly  Relevant"), key("2.5")
    ('100', 'partly relevant', '2.5')
    """
    whole = WHOLE.fullmatch(value.strip())
    return str(int(whole[1])) if whole else " ".join(value.casefold().split())


def declared(grades: str | Mapping[str, int | str | None] | None) -> dict[str, int | None] | None:
    """Grade by key from what a user says, "0:0,1:1,10:2,100:3", or a mapping; None for what is no judgment ("skip").

    Raises
    ------
    ValueError
        when a part is no value:grade, a grade is not from 0 to 127, or a value has two grades.

    Examples
    --------
    >>> declared("Relevant:1,Not relevant:0,Can't tell:skip")
    {'relevant': 1, 'not relevant': 0, "can't tell": None}
    """
    if grades is None:
        return None
    pairs = [(str(value), grade) for value, grade in grades.items()] if isinstance(grades, Mapping) else _pairs(grades)
    found: dict[str, int | None] = {}
    for value, grade in pairs:
        number = None if grade in (SKIP, None) else _grade(value, grade)
        if found.setdefault(key(value), number) != number:
            raise ValueError(f"grades has two grades for {value}, expected one")
    return found


def recognised(values: Iterable[str]) -> dict[str, int | None] | None:
    """Grade by key of all values, or None where that would be a guess.

    Whole numbers are themselves. Words are known where they are the lowest levels of one of `SCALES`, with none left
    out between: what a judge of the scale never said cannot change the grades of the rest.

    Parameters
    ----------
    values : the keys in a file, as `key` returns them

    Examples
    --------
    >>> recognised(["fair", "bad", "good"])
    {'bad': 0, 'fair': 1, 'good': 2}
    >>> recognised(["good", "bad"]) is None
    True
    """
    values = set(values)
    if values == whole(values):
        return {value: int(value) for value in sorted(values, key=int)}
    for scale in SCALES:
        if values == set(scale[: len(values)]):
            return dict(zip(scale, range(len(values)), strict=False))
    return None


def whole(values: Iterable[str]) -> set[str]:
    """Those of the values, which are keys, that are whole numbers."""
    return {value for value in values if re.fullmatch("-?[0-9]{1,9}", value)}


def call(values: Iterable[str], known: Collection[str] = ()) -> str:
    """What to add to a command, or a call, with a question mark for each grade that the user has to say.

    Parameters
    ----------
    values : as they stand in the file
    known : keys of values that are grades themselves

    Examples
    --------
    >>> call(["1", "so so"], known=["1"])
    "grades='1:1,so so:?'"
    """
    pairs = (f"{value}:{key(value) if key(value) in known else '?'}" for value in values)
    return checks.advice("grades", ",".join(pairs))


def _pairs(grades: str) -> list[tuple[str, str]]:
    found, end = [], 0
    while end < len(grades):
        match = DECLARED.match(grades, end)
        if not match:
            raise ValueError(
                f"grades has {grades[end:]!r}, expected value:grade,... as 0:0,1:1,10:2 or Can't tell:skip"
            )
        found.append((match[1], match[2]))
        end = match.end()
    if not found:
        raise ValueError("grades is empty, expected value:grade,... as 0:0,1:1,10:2")
    return found


def _grade(value: str, grade: int | str) -> int:
    if not re.fullmatch("[0-9]{1,3}", str(grade)) or int(grade) > HIGHEST:
        raise ValueError(f"grades has {grade} for {value}, expected a whole number from 0 to {HIGHEST}, or {SKIP}")
    return int(grade)
