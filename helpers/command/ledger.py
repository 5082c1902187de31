"""The claims of all studies that were run into a folder, gathered in one table there."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from helpers.command import swap
from helpers.command.notebooks import GUIDE, available
from helpers.engine import results

CLAIMS = ("claim", "words", "measure", "value", "measured", "low", "high", "verdict", "rests_on")
"""Columns that every table of claims has."""

REPORT = "report.txt"
"""What a study says in short, among its result tables, for those that do."""


def write(out: Path) -> tuple[pd.DataFrame, list[str]]:
    """Gather the claims of every study whose tables are under `out` in `claims.csv` there.

    What the guide shows are the claims of others.

    Returns
    -------
    claims : of all studies, and what is wrong with the files that cannot be read, whose claims are left out

    Raises
    ------
    OSError
        when the file cannot be written.
    """
    with swap.locked(out):
        frames, errors = [], []
        for study in (study for study in available() if study.number != GUIDE):
            try:
                frames += _claims(out / study.name / "claims.csv", study.number)
            except ValueError as error:
                errors.append(str(error))
        claims = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
        if frames:
            results.write(out, {"claims": claims})
    return claims, errors


def _claims(file: Path, study: str) -> list[pd.DataFrame]:
    """The claims of a study, if there are any; ValueError where the file is damaged."""
    if not file.exists():
        return []
    try:
        claims = pd.read_csv(file)
        claims = claims.assign(**{name: pd.to_numeric(claims[name]) for name in ("value", "measured", "low", "high")})
        claims[list(CLAIMS)]
    except (ValueError, TypeError, KeyError, OSError) as error:
        reason = " ".join(str(error).split())
        expected = f"expected claims with columns {', '.join(CLAIMS)}"
        raise ValueError(f"{file}: cannot be read ({reason}), {expected}; run study {study} again") from error
    claims = claims.drop(columns="study", errors="ignore")
    claims.insert(0, "study", study)
    return [claims]
