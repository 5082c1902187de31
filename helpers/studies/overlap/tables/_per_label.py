"""What is best for the labels that it costs: Pareto fronts, equal budgets, kinds of judges, machines and people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from helpers.judging.judgments import paired, without_missing
from helpers.judging.schemes import GOOD
from helpers.studies.overlap.tables._values import TESTED, difference, values


def efficient(labels: Sequence[float], accuracy: Sequence[float]) -> np.ndarray:
    """Which settings lie on the Pareto front: no other is at least as good for no more labels, and better in one.

    Parameters
    ----------
    labels : (n,) what each setting costs
    accuracy : (n,) how good it is

    >>> efficient([1, 2, 3], [0.4, 0.3, 0.5])
    array([ True, False,  True])
    """
    labels, accuracy = np.asarray(labels, dtype=float), np.asarray(accuracy, dtype=float)
    cheaper, better = labels[:, None] <= labels, accuracy[:, None] >= accuracy
    strictly = (labels[:, None] < labels) | (accuracy[:, None] > accuracy)
    return ~(cheaper & better & strictly).any(axis=0)


def plane(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Accuracy against labels bought, and what it is more than that of one label.

    Parameters
    ----------
    runs : frame of `runs.label_set_runs`, without runs that failed
    rng : draws bootstrap samples

    Returns
    -------
    frame ranker, setting, labels, squared_error, ndcg@3, difference, low, high, p_value, efficient
    """
    table = _against_baseline(runs, ["ranker"], ["labels", "squared_error"], rng)
    fronts = [efficient(rows["labels"], rows[TESTED]) for _, rows in table.groupby("ranker", sort=False)]
    return table.assign(efficient=np.concatenate(fronts))


def budget_table(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """NDCG@3 at equal budgets of labels, and less that of one label for each of more queries.

    Parameters
    ----------
    runs : frame "budget" of `runs.spending_runs`
    rng : draws bootstrap samples

    Returns
    -------
    frame ranker, budget, setting, spent, queries, ndcg@3, difference, low, high, p_value
    """
    return _against_baseline(runs, ["ranker", "budget"], ["spent", "queries"], rng)


def map_table(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """The same for every pair of noises, at one budget: frame noise_irrelevant, noise_relevant, setting, …, wins.

    `wins` marks the setting with the highest mean; `clear` whether its interval against the baseline lies above zero,
    or, where the baseline wins, that of every other setting below.

    Parameters
    ----------
    runs : frame "map" of `runs.spending_runs`
    rng : draws bootstrap samples
    """
    table = _against_baseline(runs, ["noise_irrelevant", "noise_relevant"], ["labels"], rng)
    cells = table.groupby(["noise_irrelevant", "noise_relevant"])
    table["wins"] = table[TESTED] == cells[TESTED].transform("max")
    above = (table["low"] > 0) & table["wins"]
    below = cells["high"].transform(lambda high: high.notna().any() and (high.dropna() < 0).all()) & table["wins"]
    return table.assign(clear=np.where(table["setting"] == "baseline", below, above))


def machine_table(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """NDCG@3 by route, and less that of a person alone: frame ranker, setting, person_labels, ndcg@3, difference, …

    Parameters
    ----------
    runs : frame "machine" of `runs.spending_runs`
    rng : draws bootstrap samples
    """
    named = runs.rename(columns={"route": "setting"}).replace({"setting": {"person": "baseline"}})
    table = _against_baseline(named, ["ranker"], ["person_labels"], rng)
    return table.replace({"setting": {"baseline": "person"}})


def machine_first(frame: pd.DataFrame, person: str, good: int = GOOD) -> pd.DataFrame:
    """What a person gets to see, and what not, where each of the other assessors judges first.

    Parameters
    ----------
    frame : long frame of judgments
    person : the assessor who is asked second, and only about what the first finds Good or above
    good : lowest grade of "Good or above"

    Returns
    -------
    frame machine, pairs, person_labels (share of the pairs that the person sees), found (share of the person's Good+
    that is among them), precision (share of what is seen that the person finds Good+)
    """
    frame, rows = without_missing(frame), []
    for machine in frame["assessor"].unique():
        if machine == person:
            continue
        both = paired(frame, person, machine)
        relevant, seen = both["testing"] >= good, both["training"] >= good
        row = {"machine": machine, "pairs": len(both), "person_labels": seen.mean()}
        rows.append(row | {"found": seen[relevant].mean(), "precision": relevant[seen].mean()})
    return pd.DataFrame(rows)


def _against_baseline(runs: pd.DataFrame, cell: list[str], means: list[str], rng: np.random.Generator) -> pd.DataFrame:
    rows = []
    for key, found in runs.groupby(cell, sort=False):
        by_setting = values(found)
        for setting, numbers in found.groupby("setting", sort=False)[[*means, TESTED]].mean().iterrows():
            row = dict(zip(cell, key, strict=True)) | {"setting": setting} | numbers.to_dict()
            compared = setting != "baseline" and "baseline" in by_setting
            rows.append(row | (difference(by_setting[setting], by_setting["baseline"], rng) if compared else {}))
    return pd.DataFrame(rows, columns=[*cell, "setting", *means, TESTED, "difference", "low", "high", "p_value"])
