"""A reader's own judgments: what each scheme would have bought and labelled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from helpers.judging import schemes
from helpers.judging.judgments import LabelMatrix

OWN = (
    "baseline",
    "3-overlap",
    "mv3",
    "highest-3",
    "if-good-2",
    "if-good-3",
    "if-good-x3",
    "good-till-bad",
    "gain-3",
    "dawid-skene-3",
)


def own_costs(
    matrix: LabelMatrix, rng: np.random.Generator | None, *, good: int = schemes.GOOD, settings: Sequence[str] = OWN
) -> pd.DataFrame:
    """What each scheme would have bought of these labels, and what it costs where judges are as many as it asks.

    Parameters
    ----------
    matrix : of `judgments.label_matrix`
    rng : draws the order in which judges are asked; None asks them in the order of the file
    good : lowest grade of "Good or above"
    settings : labelling schemes

    Returns
    -------
    frame setting, bought (labels), labels (a pair), expected (a pair), at_least, instances (a pair), fair_to_good
        expected and at_least are those of `schemes.cost_among_many`: where at_least is True pairs have too few labels
        to say more than that a scheme costs at least so much
    """
    moments = schemes.moments(matrix.labels, good=good)
    rows = []
    for setting in settings:
        sample = schemes.collect(setting, matrix.labels, rng, judges=matrix.judges, good=good)
        expected, at_least = schemes.cost_among_many(setting, moments)
        row = {"setting": setting, "bought": sample.labels_bought, "expected": expected, "at_least": at_least}
        rows.append(row | schemes.costs(sample, good))
    return pd.DataFrame(rows)[["setting", "bought", "labels", "expected", "at_least", "instances", "fair_to_good"]]


def own_labels(
    matrix: LabelMatrix, rng: np.random.Generator | None, *, good: int = schemes.GOOD, settings: Sequence[str] = OWN
) -> pd.DataFrame:
    """What each scheme would train on: frame setting, query, doc, label, weight, a row for each training instance.

    Labels of gain-k are grades of their gain, with fractions.

    Parameters
    ----------
    matrix, rng, good, settings : as in `own_costs`
    """
    tables = []
    for setting in settings:
        sample = schemes.collect(setting, matrix.labels, rng, judges=matrix.judges, good=good)
        table = matrix.pairs.iloc[sample.rows].reset_index(drop=True)
        tables.append(table.assign(setting=setting, label=sample.meant, weight=sample.weights))
    return pd.concat(tables, ignore_index=True)[["setting", "query", "doc", "label", "weight"]]
