"""Data that a reader names: read and checked before a notebook that would work on it is run.

The numeric libraries are imported inside the functions: a refused number or word should not wait for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from helpers.datasets.collection import Collection

TEST_QUERIES = 2
"""Queries with a value from which an interval can be computed."""

FOLDS = 5
"""Into which a study of several `datasets` divides each, for every query to be tested once."""


def check_parts(parts: Mapping[str, Collection], rankers: Sequence[str] = ()) -> None:
    """Raise ValueError where a collection has too little to be studied, or a query too long for a ranker.

    Parameters
    ----------
    parts : "training", "validation" and "test" queries; each must have a query with documents of two grades, the last
        two of them, or there is nothing to learn, to choose by or to compare
    rankers : names of those that are to be trained

    Examples
    --------
    >>> from helpers.datasets.collection import Collection
    >>> check_parts({"test": Collection([[1.0], [2.0], [3.0]], [0, 0, 1], [0, 2, 3], name="toy")})
    Traceback (most recent call last):
        ...
    ValueError: toy: 0 of 2 test queries have documents of two grades, expected at least 2
    """
    for name, part in parts.items():
        expected = TEST_QUERIES if name == "test" else 1
        found = int(_of_two_grades(part).sum())
        if found < expected:
            raise ValueError(
                f"{part.name}: {found} of {part.n_queries} {name} queries have documents of two grades, expected at "
                f"least {expected}"
            )
        if name != "test" and "LambdaMART" in rankers:
            _check_lengths(name, part)


def check_dataset(settings: Mapping[str, Any]) -> None:
    """Read the `dataset`, at its `fold` where the study has folds, and check it for the `rankers`.

    Parameters
    ----------
    settings : a value for each of the study's parameters; looked at are dataset, fold, rankers and datasets

    Raises
    ------
    ValueError
        when it is damaged, has no such fold or too little to be studied.
    FileNotFoundError
        when it is not here.
    """
    import numpy as np

    from helpers.datasets import catalog, portrait

    dataset = settings["dataset"]
    if dataset and not portrait.named(dataset):
        parts = catalog.splits(dataset, settings.get("fold", 1), np.random.default_rng(0))
        check_parts(dict(zip(("training", "validation", "test"), parts, strict=True)), settings.get("rankers", ()))
        if "datasets" in settings:
            _check_folds(parts)


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
    """Read the `judgments`, with `repeats` as the study has it, and look for the `assessor` in them.

    Parameters
    ----------
    settings : a value for each of the study's parameters; looked at are judgments, repeats and assessor

    Raises
    ------
    ValueError
        when a file is damaged, or no judgment is of that assessor.
    """
    from helpers import checks
    from helpers.judging import judgments

    if settings["judgments"]:
        how = {name: settings[name] for name in ("repeats",) if name in settings}
        frame = judgments.read(settings["judgments"], **how)
        if settings.get("assessor"):
            checks.one_of("assessor", settings["assessor"], frame["assessor"].unique())


def check_matrices(settings: Mapping[str, Any]) -> None:
    """Read the confusion `matrices` that settings name; ValueError where a file is damaged."""
    from helpers.judging.confusion import load_confusions

    load_confusions(settings["matrices"])


def matrices_of_five_grades() -> list[str]:
    """Names of the matrices of `data/confusion` by which judges of five grades can err."""
    from helpers.judging.confusion import load_confusions

    return [name for name, matrix in load_confusions().items() if matrix.counts.shape == (5, 5)]


def _of_two_grades(collection: Collection) -> np.ndarray:
    """(n_queries,) whether a query has documents of different grades."""
    import numpy as np

    starts = collection.offsets[:-1]
    return np.maximum.reduceat(collection.grades, starts) > np.minimum.reduceat(collection.grades, starts)


def _check_folds(parts: Sequence[Collection]) -> None:
    expected, found = FOLDS * TEST_QUERIES, sum(part.n_queries for part in parts)
    if found < expected:
        raise ValueError(f"{parts[0].name} has {found} queries, expected at least {expected} to make {FOLDS} folds of")


def _check_lengths(name: str, part: Collection) -> None:
    from helpers.rankers.lambdamart import LONGEST_QUERY

    longest = int(part.group.max())
    if longest > LONGEST_QUERY:
        raise ValueError(
            f"{part.name}: a {name} query has {longest:,} documents, expected at most {LONGEST_QUERY:,} for "
            "LambdaMART; `-p rankers` names others"
        )
