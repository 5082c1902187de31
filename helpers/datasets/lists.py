"""Lists of paths in place of one: the files of a collection of runs, parted by commas."""

from __future__ import annotations

import os
from pathlib import Path

from helpers import paths

EXPECTED = "qrels.txt,runs/ or train.qrels,test.qrels,runs/ (and perhaps features.csv, folds.json)"


def is_list(dataset: str | Path) -> bool:
    """Whether `dataset` is a list of paths, parted by commas, and no path that is there.

    >>> is_list("qrels.txt,runs/"), is_list("runs")
    (True, False)
    """
    return "," in str(dataset) and not paths.named(dataset).exists()


def absolute(dataset: str) -> str:
    """The list `dataset` with absolute paths; FileNotFoundError where one is not here, or as `texts.regular`."""
    from helpers import texts  # brings pandas along, for which no refusal of another kind waits

    listed = [Path(os.path.abspath(paths.named(part.strip()))) for part in dataset.split(",")]
    for path in listed:
        if not path.exists():
            raise FileNotFoundError(f"{path}: no such file or folder, expected {EXPECTED}")
    return ",".join(str(texts.regular(path)) for path in listed)
