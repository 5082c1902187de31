"""What study 5 works on: a pilot of the reader's, or a stored real one, and how much is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.judging import at_hand, formats
from helpers.judging.formats.people import MODEL
from helpers.studies.budget import real, rules, stored
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
    """A pilot that was measured, the median seconds of a judgment where its export has them, and what was read."""

    measured: Measured
    seconds: float
    notes: list[str]


def given(path: str, runs: str, cutoff: int, scale: str, rng: np.random.Generator) -> Given:
    """The pilot of a reader's export; without one the stored pilot of DL21, measured again where its files are here.

    Parameters
    ----------
    path : an export that `formats.read` reads, its models as the machine; "" for the stored pilot
    runs : two run files separated by a comma; "" for SYNTHETIC rankers on the reader's judgments
    cutoff : of nDCG; the stored pilot has its own
    scale : at any but demo the real pilot is measured again
    rng : draws imagined rankers and subsets of people

    Raises
    ------
    OSError, ValueError
        as `formats.read`; ValueError also where there are not two runs, or the pilot is too small.
    """
    if runs and not path:
        raise ValueError(f"runs is {runs}, but no pilot is given, expected the judgments that these are compared by")
    if not path:
        return Given(_stored(cutoff, scale, rng), float("nan"), ["TREC Deep Learning 2021, a stored pilot"])
    reading = formats.read(path)
    found = _pilot(reading, runs, cutoff, rng)
    seconds = reading.frame["seconds"].median() if "seconds" in reading.frame else float("nan")
    return Given(measure(found, rng), float(seconds), reading.notes)


def pilots(given: Given, path: str) -> dict[str, Measured]:
    """The stored pilots, and the reader's: collection -> what was measured on it.

    Parameters
    ----------
    given : of `given`
    path : of the reader's export; "" where there is none
    """
    return stored.pilots() | ({given.measured.name: given.measured} if path else {})


def costs(query: float, judgment: float, machine: float, timed: bool, given: Given) -> Costs:
    """The prices; where timed, that of a judgment is the seconds it took.

    Parameters
    ----------
    query, judgment, machine : prices, as for `Costs`
    timed : whether the pilot's seconds replace the price of a judgment
    given : the pilot, with its seconds a judgment

    Raises
    ------
    ValueError
        when one is below 0, or the export has no seconds.
    """
    if timed:
        if np.isnan(given.seconds):
            raise ValueError("timed is True, but the pilot has no seconds a judgment, expected an export that has")
        judgment = given.seconds
    found = Costs(query, judgment, machine)
    check(found)
    return found


def check_given(settings: dict) -> None:
    """Read the pilot, and hold costs and budget to what `plan` needs, before a notebook runs.

    Parameters
    ----------
    settings : parameters of the notebook
    """
    names = ("pilot", "runs", "cutoff", "scale")
    pilot_given = given(*(settings[name] for name in names), np.random.default_rng(settings["seed"]))
    prices = [settings[f"cost_{name}"] for name in ("query", "judgment", "machine")]
    check_budget(settings["budget"], costs(*prices, settings["timed"], pilot_given))


def tested(pilots: Mapping[str, Measured]) -> pd.DataFrame:
    """Every rule of thumb on pilots, with the stored tables of those that are stored: frame of `rules.COLUMNS`.

    Parameters
    ----------
    pilots : collection -> what was measured on it
    """
    kept = {name: stored.tables(name) for name in stored.pilots() if name in pilots}
    pairs = pd.concat([tables["judges"] for tables in kept.values()], ignore_index=True)
    return rules.table(pilots, pairs, {name: tables["items"] for name, tables in kept.items() if "items" in tables})


def _stored(cutoff: int, scale: str, rng: np.random.Generator) -> Measured:
    if cutoff != real.CUTOFF:
        raise ValueError(
            f"cutoff is {cutoff}, expected {real.CUTOFF}, that of the stored pilot, or a pilot of yours beside it"
        )
    again = at_hand.here({DEFAULT: real.REAL[DEFAULT]}) if scale != "demo" else {}
    return measure(again[DEFAULT], rng) if again else stored.pilots()[DEFAULT]


def _pilot(reading: formats.Reading, runs: str, cutoff: int, rng: np.random.Generator) -> Pilot:
    models = reading.apart[reading.apart["assessor"].str.startswith(MODEL)]
    first = models[models["assessor"] == models["assessor"].iloc[0]] if len(models) else None
    machine = None if first is None else first[["query", "doc", "grade"]]
    if not runs:
        return imagined(reading.frame, rng, machine, cutoff=cutoff, name="your judgments")
    files = [Path(file.strip()) for file in runs.split(",")]
    return pilot(reading.frame, [real.read_run(file) for file in files], machine, cutoff=cutoff, name="your pilot")
