"""The claims of all studies: their effects and the verdicts on them, as they are stored with the project."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers import paths
from helpers.engine import results
from helpers.reporting import verdicts

NUMBERS = ("01", "02", "03", "04", "05", "06")  # of the studies that have claims
TEXTS = ("printed", "rankers", "rests_on", "left_out", "excludes")  # columns of the table of verdicts that may be empty


def effects(*studies: str) -> pd.DataFrame:
    """The stored effects of these studies, or of all: frame with the columns `verdicts.EFFECTS`.

    Parameters
    ----------
    studies : numbers

    Raises
    ------
    ValueError
        where a table is damaged; the message names the file.

    Examples
    --------
    >>> effects("03", "04")["claim"].str[0].unique().tolist()
    ['N', 'R', 'O']
    """
    root = paths.project("data") / "results"
    frames = [results.read(root / study / "effects.csv", verdicts.EFFECTS) for study in studies or NUMBERS]
    found = pd.concat(frames, ignore_index=True)
    return found.assign(ranker=found["ranker"].astype(object).fillna(""))


def stored(*studies: str) -> pd.DataFrame:
    """The stored verdicts of these studies, or of all: frame with the columns `verdicts.VERDICTS`.

    Parameters
    ----------
    studies : numbers

    Raises
    ------
    ValueError
        where the table is damaged; the message names the file.

    Examples
    --------
    >>> stored("03")["study"].unique().tolist()
    ['03']
    """
    file = paths.project("data") / "results" / "verdicts.csv"
    found = results.read(file, verdicts.VERDICTS)
    found["study"] = found["study"].map("{:02d}".format)
    found[list(TEXTS)] = found[list(TEXTS)].astype(object).fillna("")
    return found[found["study"].isin(studies or NUMBERS)].reset_index(drop=True)


def judged(found: pd.DataFrame) -> pd.DataFrame:
    """The verdicts that effects come to, margins priced by what the last doubling of queries gained in study 4."""
    worths = {}  # collection of study 4 -> NDCG@10 that twice the training queries gain LambdaRank
    for name, tables in results.stored("04").items():
        if "percent" in tables:
            runs = tables["percent"].query("ranker == 'LambdaRank' and documents == 1.0")
            means = runs.groupby("queries")["ndcg"].mean()
            worths[name] = means.get(1.0, np.nan) - means.get(0.5, np.nan)
    return verdicts.verdicts(found, worths=worths)
