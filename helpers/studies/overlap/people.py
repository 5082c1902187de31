"""Study 1 with the people of a judged collection, a reader's own: five folds of its queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.datasets import catalog
from helpers.engine import sweep
from helpers.judging import judged
from helpers.judging.judged import JudgedCollection
from helpers.reporting.verdicts import REAL
from helpers.studies import scales
from helpers.studies.overlap.people_trial import train_and_test
from helpers.studies.overlap.runs import whole
from helpers.studies.overlap.trial import FOLDS

DRAWS = {"demo": 1, "study": 4, "paper": 10}
PARAMETERS = (
    "dataset",
    "judgments",
    "tested_by",
    "persons",
    "good",
    "format",
    "columns",
    "grades",
    "repeats",
    "machines",
)
"""Of the notebook, which `given` takes."""

BASIS = REAL
"""What effects on a judged collection rest on."""

COSTS = ["labels", "instances", "squared_error", "fair_to_good"]


def given(dataset: str, judgments: str = "", *, good: int = 0, **how) -> JudgedCollection | None:
    """The judged collection that parameters name; None where they name none.

    Parameters
    ----------
    dataset, judgments : as `judged.read` takes them
    good : lowest grade of "Good or above"; 0 is where the upper half of the grades begins
    how : what else `judged.read` takes

    Raises
    ------
    ValueError, OSError
        as `judged.read`; also when there are too few queries for the folds.
    """
    if not judgments and not catalog.is_judged(dataset):
        return None
    people = judged.read(dataset, judgments, good=good or None, **how)
    found = int(people.testable.sum())
    if found < 2 * FOLDS:
        raise ValueError(
            f"{people.collection.name}: {found} queries test, expected at least {2 * FOLDS} for {FOLDS} folds"
        )
    return people


def settings_of(most: int, scale: str) -> tuple[str, ...]:
    """The labelling schemes that so many labels of a pair allow: the paper's of up to three labels, and finer ones.

    Parameters
    ----------
    most : labels of a pair
    scale : at "demo" fewer schemes

    >>> settings_of(2, "demo")
    ('baseline', '2-overlap', 'mv2', 'if-good-2', 'gain-2', 'if-good-gain-2', 'round-2')
    """
    k = min(3, most)
    some = ("baseline", f"{k}-overlap", f"mv{k}", f"if-good-{k}", f"gain-{k}", f"if-good-gain-{k}", f"round-{k}")
    if scale == "demo":
        return some
    every = () if most == k else (f"{most}-overlap", f"gain-{most}")
    return (*some, f"highest-{k}", "if-good-x3", "good-till-bad", *every)


def runs(
    people: JudgedCollection, scale: str, *, names: Sequence[str], store: str | Path, n_jobs: int, seed: int
) -> pd.DataFrame:
    """A row for each ranker, labelling scheme and draw, with all its folds, as `whole` puts them together.

    Parameters
    ----------
    people : whose labels train
    scale : how often labels are drawn, and which schemes
    names : rankers
    store, n_jobs, seed : as `sweep.run` takes them
    """
    rng, draws = np.random.default_rng(seed), scales.named(scale, DRAWS)
    order = rng.permutation(people.collection.n_queries)
    seeds = rng.integers(2**63, size=draws)
    drawn = [people.draw(np.random.default_rng(own)) for own in seeds]
    labels, judges = (np.stack(arrays) for arrays in zip(*drawn, strict=True))
    shared = {"collection": people.collection, "labels": labels, "judges": judges, "order": order, "seeds": seeds}
    shared |= {"gains": people.gains, "testable": people.testable, "good": people.good}
    settings = settings_of(labels.shape[2], scale)
    grid = sweep.grid(ranker=list(names), setting=settings, draw=range(draws), fold=range(FOLDS))
    by_fold = sweep.run(train_and_test, grid, store=store, n_jobs=n_jobs, seed=seed, shared=shared)
    found = whole(by_fold, order, ["ranker", "setting", "draw"], COSTS)
    found.insert(0, "label_set", people.collection.name)
    return found
