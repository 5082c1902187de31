"""What study 5 works on: a pilot of the reader's, or a stored real one, and how much is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from helpers import files, paths
from helpers.datasets.runs import note_of_unjudged, read_runs
from helpers.engine import results
from helpers.judging import formats
from helpers.judging.judgments import is_model
from helpers.studies.budget import findings, real, rules, stored
from helpers.studies.budget.costs import Costs, check, check_budget
from helpers.studies.budget.pilot import Pilot, imagined, pilot
from helpers.studies.budget.resampling import Measured, measure

DEFAULT = "dl21"
SEEN = 0.05
"""Difference in nDCG whose price is told."""


@dataclass(frozen=True)
class Scale:
    """Draws of surfaces, and of samples for coverage; budgets on a curve."""

    draws: int
    samples: int
    budgets: int


SCALES = {"demo": Scale(200, 200, 25), "study": Scale(400, 2000, 60), "paper": Scale(2000, 10_000, 100)}


@dataclass(frozen=True, eq=False)
class Given:
    """A pilot that was measured, the median seconds of a judgment where its export has them, and what was read.

    `counts` is empty, and `notes` name the pilot, where it is a stored one.
    """

    measured: Measured
    seconds: float
    notes: list[str]
    counts: dict[str, str | int]


def given(
    judgments: str,
    runs: str,
    cutoff: int,
    scale: str,
    rng: np.random.Generator,
    *,
    format: str = "",
    columns: str = "",
    grades: str = "",
    repeats: str = "refuse",
    machines: Sequence[str] = (),
    names: bool = False,
) -> Given:
    """The pilot of a reader's export; without one the stored pilot of DL21, measured again at any scale but demo.

    How the export is read is said as for `formats.read`; the first of the machines, or else the first model of the
    export, is the pilot's machine. Without runs, as `read_runs` takes them, rankers are
    SYNTHETIC.
    """
    if runs and not judgments:
        raise ValueError(f"runs is {runs}, but judgments is empty, expected those that the runs are compared by")
    if not judgments:
        return Given(_stored(cutoff, scale, rng), float("nan"), ["TREC Deep Learning 2021, a stored pilot"], {})
    how = {"columns": columns, "grades": grades, "repeats": repeats, "machines": machines, "names": names}
    reading = formats.read(judgments, format, **how)
    found, told = _pilot(reading, machines, runs, cutoff, rng)
    seconds = reading.frame["seconds"].median() if "seconds" in reading.frame else float("nan")
    return Given(replace(measure(found, rng), notes=told), float(seconds), reading.notes, reading.counts)


def pilots(given: Given) -> dict[str, Measured]:
    """The stored pilots, and the reader's: collection -> what was measured on it."""
    return stored.pilots() | ({given.measured.name: given.measured} if given.counts else {})


def costs(query: float, judgment: float, machine: float, timed: bool, given: Given) -> Costs:
    """The prices; where timed, that of a judgment is the seconds it took."""
    if timed:
        if np.isnan(given.seconds):
            raise ValueError("timed is True, but the pilot has no seconds a judgment, expected an export that has")
        judgment = given.seconds
    found = Costs(query, judgment, machine)
    check(found)
    return found


def check_given(settings: dict) -> None:
    """Read the pilot, and hold costs and budget to what `plan` needs, before a notebook runs."""
    what = (settings[name] for name in ("judgments", "runs", "cutoff", "scale"))
    how = {name: settings[name] for name in ("format", "columns", "grades", "repeats", "machines", "names")}
    pilot_given = given(*what, np.random.default_rng(settings["seed"]), **how)
    prices = [settings[f"cost_{name}"] for name in ("query", "judgment", "machine")]
    check_budget(settings["budget"], costs(*prices, settings["timed"], pilot_given))


def write_answer(directory: str | Path, report: pd.DataFrame) -> None:
    """Write the answer, frame question, answer, as a table, and as the text that the command shows."""
    results.write(directory, {"report": report})
    with files.replacing(Path(directory) / "report.txt") as file:
        file.write(findings.text(report))


def tested(pilots: Mapping[str, Measured]) -> pd.DataFrame:
    """Every rule of thumb on pilots, with the stored tables of those that are stored: frame of `rules.COLUMNS`."""
    kept = {name: stored.tables(name) for name in stored.pilots() if name in pilots}
    pairs = pd.concat([tables["judges"] for tables in kept.values()], ignore_index=True)
    return rules.table(pilots, pairs, {name: tables["items"] for name, tables in kept.items() if "items" in tables})


def _stored(cutoff: int, scale: str, rng: np.random.Generator) -> Measured:
    if cutoff != real.CUTOFF:
        raise ValueError(
            f"cutoff is {cutoff}, expected {real.CUTOFF}, that of the stored pilot, or judgments of yours beside it"
        )
    again = paths.here({DEFAULT: real.REAL[DEFAULT]}) if scale != "demo" else {}
    return measure(again[DEFAULT], rng) if again else stored.pilots()[DEFAULT]


def _pilot(
    reading: formats.Reading, machines: Sequence[str], runs: str, cutoff: int, rng: np.random.Generator
) -> tuple[Pilot, tuple[str, ...]]:
    """The pilot, and notes on its runs."""
    models = reading.everyone[reading.everyone["assessor"].map(is_model)]
    people = reading.frame[~reading.frame["assessor"].map(is_model)]
    called = list(models["assessor"].unique())
    called = (formats.named(machines[0], called) or called)[:1] if machines else called[:1]
    machine = models.loc[models["assessor"].isin(called), ["query", "doc", "grade"]] if called else None
    if not runs:
        return imagined(people, rng, machine, cutoff=cutoff, name="your judgments"), ()
    listed = read_runs(runs)
    frames = [run.frame(max(real.LISTED, cutoff)) for run in listed]
    found = pilot(people, frames, machine, cutoff=cutoff, name="your pilot")
    unjudged = note_of_unjudged([(run.name, share) for run, share in zip(listed, found.unjudged, strict=True)], cutoff)
    return found, (*(note for run in listed for note in run.notes), unjudged)
