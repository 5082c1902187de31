"""What study 6 works on: the judgments of a file as its tool wrote it, or synthetic ones, without names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from helpers import checks
from helpers.datasets.collection import offsets_of
from helpers.datasets.runs import read_runs
from helpers.judging import formats, rankings
from helpers.judging.confusion import draw_labels, ordinal_confusion
from helpers.judging.formats.rows import REPEATS, checked, repeated
from helpers.judging.judgments import Coded, are_models, coded, machines_of, reported, without_missing
from helpers.judging.pool import Pool, Settings

DRAWS = 1000
"""Bootstrap samples of the queries."""

CUTOFFS = (1, 5, 10)
"""Of nDCG, beside the reader's own."""

FEW = 10
"""Queries below which an interval over queries says little, and documents, or times that a grade was given, below which
two judges or a grade are not spoken of."""

SHOWN = 10
"""Rows of a table in the notebook; all of them are written to CSV."""

ID = re.compile(r"(?=.*[0-9])[!-~]+")
"""A name that is no text: printable ASCII without a blank, with a digit in it."""

MACHINE, SYNTHETIC = "model: example", "SYNTHETIC judgments"
_LENGTH = 20


@dataclass(frozen=True, eq=False)
class Given:
    """Judgments to be looked at, without names of judges, and without texts, unless these were asked for."""

    frame: pd.DataFrame  # what people said; where nobody but models judged, what these said
    everyone: pd.DataFrame  # what people and models said
    reading: formats.Reading
    data: str  # what to call them in figures and tables
    called: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # role -> text -> number in the frames

    def with_texts(self, frame: pd.DataFrame) -> pd.DataFrame:
        """A frame with columns query, or doc, or both of these judgments, these called as in the files."""
        texts = {role: {name: text for text, name in of.items()} for role, of in self.called.items() if role in frame}
        return frame.assign(**{role: frame[role].map(of.__getitem__) for role, of in texts.items()})


def given(judgments: str | Path | pd.DataFrame, *, names: bool = False, rng: np.random.Generator, **how: Any) -> Given:
    """The judgments of files, read as `formats.read` does, of a long frame, or SYNTHETIC ones where none are named.

    Unless names are kept judges are called judge 1, judge 2, ..., models keep theirs, and query 1, document 1, ...
    stand in the place of queries and documents that are not all an `ID`.
    """
    data = "your judgments"
    if isinstance(judgments, pd.DataFrame):
        reading = _of_frame(judgments, names, **how)
    elif judgments:
        reading = formats.read(judgments, names=names, **how)
    else:
        reading, names, data = example(rng), True, SYNTHETIC
    everyone = reading.everyone
    called = {} if names else _called(everyone)
    everyone = everyone.assign(**{role: everyone[role].map(of) for role, of in called.items()})
    people = everyone[~are_models(everyone["assessor"])].reset_index(drop=True)
    return Given(people if len(people) else everyone, everyone, reading, data, called)


def _of_frame(
    frame: pd.DataFrame, names: bool, repeats: str = "refuse", machines: str | Sequence[str] = (), **of_files: str
) -> formats.Reading:
    """A long frame as if it were read, with one grade of a judge for a pair, as `repeats` says."""
    for name, value in of_files.items():
        if value:
            raise ValueError(f"{name} is {value!r}, expected nothing, as that is of files and judgments are a frame")
    checks.one_of("repeats", repeats, REPEATS)
    said = without_missing(frame).reset_index(drop=True)
    said = said.astype(dict.fromkeys(("query", "doc", "assessor"), str))
    again = said.loc[[], ["query", "doc", "assessor", "grade"]]
    if repeats != "refuse":
        rows = said.assign(number=said["grade"], file="judgments", place=[f"row {row}" for row in said.index])
        said, again = checked(rows, repeats)[0], repeated(rows)
    said, again, told = reported(said, again, said[:0], machines_of(machines), "judgments", names)
    return formats.Reading(said, "long", [told], said[:0], {"query": "query", "doc": "doc"}, repeated=again)


def ranked(given: Given, everyone: Coded, runs: str, cutoff: int, *, rng: np.random.Generator) -> rankings.Rankings:
    """The rankings of runs, as `runs.read_runs` takes them; imagined ones without."""
    if not runs:
        return rankings.imagined(everyone, cutoff, rng=rng)
    if given.data == SYNTHETIC:
        raise ValueError(f"runs is {runs!r}, but judgments is empty, expected those that the runs are compared by")
    return rankings.of_runs(everyone, read_runs(runs), cutoff, given.called)


def check_given(settings: Mapping[str, Any]) -> None:
    """Read the judgments and the runs that are compared by them, before a notebook runs."""
    how = {name: settings[name] for name in ("format", "columns", "grades", "repeats", "machines", "names")}
    rng = np.random.default_rng(settings["seed"])
    read = given(settings["judgments"], **how, rng=rng)
    ranked(read, coded(read.everyone), settings["runs"], settings["cutoff"], rng=rng)


def _called(frame: pd.DataFrame) -> dict[str, dict[str, str]]:
    """By role, the name in the frame -> "query 1" or "document 1", in its order, where these are not all an ID."""
    words = {"query": "query", "doc": "document"}
    by_role = {role: frame[role].unique() for role in words}
    return {
        role: {name: f"{words[role]} {number}" for number, name in enumerate(sorted(names), start=1)}
        for role, names in by_role.items()
        if not all(map(ID.fullmatch, names))
    }


def example(rng: np.random.Generator) -> formats.Reading:
    """Judgments of five people, three a document, and of a machine: SYNTHETIC, nothing is measured on them."""
    offsets = offsets_of(np.full(60, _LENGTH))
    truth = rng.choice(5, size=offsets[-1], p=(0.5, 0.2, 0.15, 0.1, 0.05))
    pool = Pool(Settings(leniency=0.2, noise_irrelevant=0.7, noise_relevant=0.8, appeal=0.3), 5)
    labels, judges = pool.draw(truth, offsets, rng, 3)
    pair, names = np.repeat(np.arange(len(truth)), 3), [f"person {judge + 1}" for judge in judges.ravel()]
    people = _frame(pair, names, labels.ravel(), rng.gamma(4, 5, pair.size))
    # what can go wrong: one query with a single judge, always the same grade, two seconds each
    alone = (people["query"] == "query 1") & (people["assessor"] != people.loc[0, "assessor"])
    some, others = (rng.choice(np.arange(_LENGTH, len(truth)), 40, replace=False) for _ in range(2))
    careless = _frame(some, "careless", np.full(40, 2), rng.gamma(4, 5, 40))
    hurried = _frame(others, "hurried", draw_labels(truth[others], ordinal_confusion(5, 0.4), rng), np.full(40, 2.0))
    said = draw_labels(truth, ordinal_confusion(5, 0.6, 0.4), rng)
    machine = _frame(np.arange(len(truth)), MACHINE, said, np.full(len(truth), np.nan))
    frame = pd.concat([people[~alone], careless, hurried], ignore_index=True)
    notes = ["SYNTHETIC judgments, made on the fly; `-p judgments FILE` takes yours."]
    return formats.Reading(frame, "long", notes, machine, {"query": "query", "doc": "doc"})


def _frame(pair: np.ndarray, assessor: str | list[str], grade: np.ndarray, seconds: np.ndarray) -> pd.DataFrame:
    places = [divmod(number, _LENGTH) for number in pair]
    names = {"query": [f"query {q + 1}" for q, _ in places], "doc": [f"doc {q + 1}-{d + 1}" for q, d in places]}
    given = {"assessor": assessor, "grade": np.asarray(grade, dtype=np.int64), "seconds": np.round(seconds, 1)}
    return pd.DataFrame(names | given)
