"""Data that a reader names: read and checked before a notebook that would work on it is run.

The numeric libraries are imported inside the functions: a refused number or word should not wait for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from helpers.datasets.collection import Collection
    from helpers.judging.judged import JudgedCollection

FOLDS = 5
"""Into which a study of several `datasets` divides each, for every query to be tested once."""


def check_dataset(settings: Mapping[str, Any]) -> None:
    """Read the `dataset`, at its `fold` where the study has folds, and check it for the `rankers`.

    Parameters
    ----------
    settings : a value for each of the study's parameters; looked at are dataset, fold, rankers, datasets and judges

    Raises
    ------
    ValueError
        when it is damaged, has no such fold, too little to be studied, or other grades than the judges know.
    FileNotFoundError
        when it is not here.
    """
    import numpy as np

    from helpers.datasets import portrait
    from helpers.judging import judged
    from helpers.studies import askable

    dataset = settings["dataset"]
    if people := _people(settings):
        parts = judged.splits(people, 1, np.random.default_rng(0))
        askable.check(dict(zip(("training", "validation", "test"), parts, strict=True)), settings["rankers"])
        return
    if dataset and not portrait.named(dataset):
        if "datasets" in settings:
            from helpers.studies.robustness.protocol import check_assessors

            check_assessors(dataset)
        parts = judged.splits(dataset, settings.get("fold", 1), np.random.default_rng(0))
        named = dict(zip(("training", "validation", "test"), parts, strict=True))
        askable.check(named, settings.get("rankers", ()))
        if "datasets" in settings:
            _check_folds(parts)
    if "judges" in settings:
        check_judges(settings)


def check_datasets(settings: Mapping[str, Any]) -> None:
    """Check each of the `datasets` as `check_dataset`, or the portrait that stands for it at this `scale`.

    Parameters
    ----------
    settings : a value for each of the study's parameters; looked at are datasets, scale and what `check_dataset` needs
    """
    from helpers.studies.robustness import protocol as study

    place = study.stand_in if settings["scale"] == "demo" else study.at_hand
    for dataset in settings["datasets"]:
        check_dataset({**settings, "dataset": place(dataset)})


def check_judgments(settings: Mapping[str, Any]) -> None:
    """Read the `judgments` as the study will; where it plans a `budget`, hold that to what a plan of them needs.

    Parameters
    ----------
    settings : a value for each of the study's parameters; looked at are judgments, format, columns, grades, repeats and
        machines, and where there is a budget also runs, cutoff, scale, seed, timed and the costs

    Raises
    ------
    OSError, ValueError
        when a file is not here or damaged, the pilot is too small, or the budget buys nothing.
    """
    if "budget" in settings:
        from helpers.studies.budget import protocol

        protocol.check_given(settings)
    elif "persons" in settings:
        check_dataset(settings)
    elif settings.get("judgments"):
        from helpers.judging import formats

        how = {
            name: settings[name] for name in ("format", "columns", "grades", "repeats", "machines") if name in settings
        }
        formats.read(settings["judgments"], **how)


def check_matrices(settings: Mapping[str, Any]) -> None:
    """Read the confusion `matrices` that settings name; ValueError where a file is damaged."""
    from helpers.judging.confusion import load_confusions

    load_confusions(settings["matrices"])


def judges_known() -> list[str]:
    """Names of the matrices by which judges can err."""
    from helpers.studies.overlap import judge_matrices

    return list(judge_matrices.known())


def check_judges(settings: Mapping[str, Any]) -> None:
    """Hold the `judges` to the number of grades that the `dataset` has.

    Parameters
    ----------
    settings : a value for each of the study's parameters; looked at are judges and dataset

    Raises
    ------
    ValueError
        when the judges know other grades than the data set has; the message names the matrices that fit.
    """
    from helpers.studies.overlap import protocol

    label_set = next(iter(protocol.LABEL_SETS))
    protocol.judges_named(settings["judges"], label_set, _people(settings) or settings["dataset"])


def _people(settings: Mapping[str, Any]) -> JudgedCollection | None:
    """The judged collection that settings of study 1 name; None where they name none."""
    if "persons" not in settings:
        return None
    from helpers.studies.overlap import people

    return people.given(**{name: settings[name] for name in people.PARAMETERS})


def _check_folds(parts: Sequence[Collection]) -> None:
    from helpers.studies.askable import TEST_QUERIES

    expected, found = FOLDS * TEST_QUERIES, sum(part.n_queries for part in parts)
    if found < expected:
        raise ValueError(f"{parts[0].name} has {found} queries, expected at least {expected} to make {FOLDS} folds of")
