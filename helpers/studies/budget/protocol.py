"""What study 5 works on: a pilot of the reader's, or the stored one as a worked example, and the prices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from helpers import checks
from helpers.datasets.runs import Lists, note_of_unjudged, read_runs
from helpers.judging import formats
from helpers.judging.judgments import MODEL, are_models, is_model, machines_of
from helpers.reporting.answers import listed
from helpers.studies.budget import stored
from helpers.studies.budget.costs import Costs, check_budget
from helpers.studies.budget.pilot import CUTOFF, LISTED, pilot
from helpers.studies.budget.resampling import Measured, measure

DEFAULT = "dl21"
EXAMPLE = (
    "The example is TREC Deep Learning 2021, shipped as numbers by query. For a plan of yours bring "
    "judgments of some queries and the runs that are to be compared: `judgments mine.csv`, `runs a.run,b.run` or a "
    "folder of them. Judgments alone do not tell how much rankers differ."
)
ALL_JUDGED = (
    "all queries that the runs share were judged, so that nothing is left to list: expected runs of more queries, or a "
    "plan without --list"
)
READING = ("format", "columns", "grades", "repeats", "machines", "names")


@dataclass(frozen=True, eq=False)
class Given:
    """A pilot that was measured, the median seconds of a judgment where its export has them, and what was read.

    Of the worked example `counts` is empty, and there is no run.
    """

    measured: Measured
    seconds: float
    notes: tuple[str, ...]
    counts: dict[str, str | int]
    reading: formats.Reading | None = None
    runs: tuple[Lists, ...] = ()


def given(
    judgments: str,
    runs: str,
    cutoff: int,
    rng: np.random.Generator,
    *,
    pair: str = "",
    listing: bool = False,
    **how: Any,
) -> Given:
    """The pilot of a reader's judgments and runs; without runs the stored one of DL21, as a worked example.

    How judgments are read is said as for `formats.read`, without names unless these are asked for, runs as for
    `read_runs`; the first of the machines judges.
    Where what to judge is to be listed, ValueError before anything is measured if nothing can be.
    """
    if listing and not runs:
        raise ValueError("a list of what to judge is of your runs, expected judgments and runs")
    if not judgments:
        for name, value in {"runs": runs, "pair": pair}.items():
            if value:
                raise ValueError(f"{name} is {value}, but judgments is empty, expected those that runs are compared by")
    if pair and not runs:
        raise ValueError(f"pair is {pair}, but runs is empty, expected a folder or files with these two")
    reading = formats.read(judgments, **{"names": False} | how) if judgments else None
    if not runs:
        return _example(cutoff, reading)
    read = read_runs(runs)
    if listing and set().union(*(run.queries.dictionary.to_pylist() for run in read)) <= set(reading.everyone["query"]):
        raise ValueError(ALL_JUDGED)
    people = reading.frame[~are_models(reading.frame["assessor"])].sort_values(["query", "doc", "assessor"])
    if people.empty:
        raise ValueError("judgments: models alone, expected people's, by which runs are compared")
    found = pilot(
        people,
        {run.name: run.frame(max(LISTED, cutoff)) for run in read},
        machine_of(reading.everyone, how.get("machines", ())),
        cutoff=cutoff,
        pair=tuple(name.strip() for name in pair.split(",")) if pair else None,
    )
    found = replace(found, name=f"your pilot, {listed(found.runs)}")
    compared = [run for name in found.runs for run in read if run.name == name]
    best = f"Compared are the best {len(compared)} of {len(read)} runs: {listed(found.runs)}."
    shares = list(zip(found.runs, found.unjudged, strict=True))
    told = (*[best] * (not pair), *(note for run in compared for note in run.notes))
    notes = (*reading.notes, *told, note_of_unjudged(shares, cutoff))
    seconds = reading.frame["seconds"].median() if "seconds" in reading.frame else float("nan")
    return Given(measure(found, rng), float(seconds), notes, reading.counts, reading, tuple(compared))


def _example(cutoff: int, reading: formats.Reading | None) -> Given:
    if cutoff != CUTOFF:
        raise ValueError(
            f"cutoff is {cutoff}, expected {CUTOFF}, that of the worked example, or judgments and runs of yours"
        )
    told = ("Runs are not there, and no plan is made of your judgments.",) if reading else ()
    return Given(stored.pilots()[DEFAULT], float("nan"), (*told, EXAMPLE), {}, reading)


def machine_of(opinions: pd.DataFrame, machines: str | Sequence[str]) -> pd.DataFrame | None:
    """What the machine says that would judge first: frame query, doc, grade; None where no model judged.

    ValueError where several did and it is not said which.
    """
    models = [name for name in opinions["assessor"].unique() if is_model(name)]
    said = [name for name in machines_of(machines) if name.casefold() != "none"]
    meant = formats.named(said[0], models) if said else models
    if len(meant) > 1:
        names = [name.removeprefix(MODEL) for name in meant]
        first = f"machines is {said[0]!r}, which are" if said else "machines is empty, but judgments are by"
        raise ValueError(
            f"{first} {len(names)} models, {checks.some(names, 10)}: which of them would judge first? Name it first, "
            f"as in {checks.advice('machines', ','.join(names))}"
        )
    return opinions.loc[opinions["assessor"].isin(meant), ["query", "doc", "grade"]] if meant else None


def costs(query: float, judgment: float, machine: float, timed: bool, given: Given) -> Costs:
    """The prices; where timed, that of a judgment is the seconds it took."""
    if timed:
        if np.isnan(given.seconds):
            raise ValueError("timed is True, but the pilot has no seconds a judgment, expected an export that has")
        judgment = given.seconds
    return Costs(query, judgment, machine)


def check_given(settings: dict) -> None:
    """Hold costs and budget to what `plan` needs, and read the pilot, before a notebook runs."""
    prices = [settings[f"cost_{name}"] for name in ("query", "judgment", "machine")]
    if not settings["timed"]:
        check_budget(settings["budget"], Costs(*prices))
    how = {name: settings[name] for name in ("pair", *READING)}
    what = (settings[name] for name in ("judgments", "runs", "cutoff"))
    pilot_given = given(*what, np.random.default_rng(settings["seed"]), **how)
    check_budget(settings["budget"], costs(*prices, settings["timed"], pilot_given))
