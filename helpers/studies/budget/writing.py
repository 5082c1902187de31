"""What study 5 leaves beside its notebook as soon as it has answered."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from helpers import files
from helpers.engine import results
from helpers.studies.budget import findings


def answer(directory: str | Path, report: pd.DataFrame) -> None:
    """Write the answer as a table, and as the text that the command shows.

    Parameters
    ----------
    directory : folder, made where it is not there
    report : frame question, answer

    Raises
    ------
    OSError
        where a file cannot be written.
    """
    results.write(directory, {"report": report})
    with files.replacing(Path(directory) / "report.txt") as file:
        file.write(findings.text(report))
