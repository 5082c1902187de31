"""What was read, and how it is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from helpers import texts
from helpers.judging.formats.parsed import Parsed
from helpers.judging.formats.source import Content


@dataclass(frozen=True, eq=False)
class Reading:
    """The judgments of one or more files.

    Attributes
    ----------
    frame : query, doc, assessor (str), grade (int64); seconds and explanation where the files have them
    format : the format's name
    notes : at most five sentences: what was recognised, read, left out and why; no judge is named
    apart : frame like the first, of grades that are no judge's: predictions and suggestions (assessor "model: NAME"),
        and final ratings
    names : by role, what the column or key is called in the files
    tasks : by pair of query and document, the record that shows it to a judge, where the format has one
    alike : by role, pairs of names that different judges write nearly alike, as `texts.alike` tells them
    """

    frame: pd.DataFrame
    format: str
    notes: list[str]
    apart: pd.DataFrame
    names: dict[str, str] = field(default_factory=dict)
    tasks: dict[tuple[str, str], dict] = field(default_factory=dict)
    alike: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, str | int]:
        """What may be told of the files to anybody: format, and numbers of judgments, pairs, queries and judges."""
        pairs = self.frame[["query", "doc"]].drop_duplicates()
        counted = {"judgments": self.frame, "pairs": pairs, "queries": pairs["query"].unique()}
        counted |= {"judges": self.frame["assessor"].unique()}
        return {"format": self.format} | {what: len(values) for what, values in counted.items()}


def describe(reading: Reading) -> str:
    """What a reading took from a file and what it left out, in at most six lines, for a terminal; it names no judge."""
    pairs = {role: found[0] for role in ("query", "doc") if (found := reading.alike.get(role))}
    examples = "; ".join(f"{role} {texts.shown(map(repr, pair))}" for role, pair in pairs.items())
    return "\n".join([*reading.notes, *([f"Nearly alike are {examples}."] if examples else [])])


def told(
    contents: list[Content],
    says: str,
    parsed: list[Parsed],
    frame: pd.DataFrame,
    apart: pd.DataFrame,
    counts: list[dict[str, int]],
    used: dict[str, int | None],
    more: Sequence[str] = (),
) -> list[str]:
    """At most five sentences on what was read.

    Parameters
    ----------
    contents : the files that may be named; none where only their number is to be told
    parsed : what was found in each file
    says : what the format is
    frame, apart : judgments, and grades that are no judge's
    counts : numbers of what was left out, by reason
    used : the grade of each value in the files
    more : further sentences
    """
    files = ", ".join(content.path.name for content in contents[:3]) + (" and more" if len(contents) > 3 else "")
    files = files or f"{len(parsed)} file{'s' * (len(parsed) > 1)}"
    pairs = len(frame[["query", "doc"]].drop_duplicates())
    left_out = sum((Counter(count) for count in counts), Counter())
    remarks = [*dict.fromkeys(remark for part in parsed for remark in part.remarks), *more]
    if any(value != str(grade) for value, grade in used.items()):
        remarks.append(f"Read as grades: {', '.join(f'{value} as {_said(grade)}' for value, grade in used.items())}.")
    notes = [
        f"{files}: {says}; {', '.join(part.size for part in parsed[:3])}{' and more' * (len(parsed) > 3)}.",
        f"Judgments: {len(frame)}, pairs: {pairs}, queries: {frame['query'].nunique()}, judges: "
        f"{frame['assessor'].nunique()}; grades {_counted(frame['grade'])}.",
        "Left out: " + (", ".join(f"{what}: {n}" for what, n in left_out.items()) or "nothing") + ".",
        *([" ".join(remarks)] if remarks else []),
    ]
    if len(apart):
        names = ", ".join(sorted(apart["assessor"].unique())[:5])
        notes.append(f"Apart, as they are of no person: {len(apart)} grades ({names}).")
    return notes


def _counted(grades: pd.Series) -> str:
    """How often each grade stands.

    >>> _counted(pd.Series([2, 0, 2]))
    '0: 1, 2: 2'
    """
    counts = grades.value_counts().sort_index()
    return ", ".join(f"{grade}: {count}" for grade, count in counts.items())


def _said(grade: int | None) -> str:
    return "no judgment" if grade is None else str(grade)
