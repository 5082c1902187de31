"""What study 5 leaves beside its notebook."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from helpers import files
from helpers.engine import provenance, results


def write(directory: str | Path, found: dict[str, pd.DataFrame], report: str, parameters: dict) -> None:
    """Write all tables, and the answer as text, which the command shows.

    Parameters
    ----------
    directory : folder, made where it is not there
    found : name -> table
    report : lines of text
    parameters : of the notebook, the files of the `pilot` among them, for `produced_by.json`

    Raises
    ------
    OSError
        where a file cannot be written.
    """
    made_by = parameters | {"pilot": provenance.files_read(parameters["pilot"])}
    results.write(directory, found, made_by)
    with files.replacing(Path(directory) / "report.txt") as file:
        file.write(report)
