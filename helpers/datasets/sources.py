"""What is known of a data set before it is here, and how one is named: alone, as `catalog` loads numeric libraries."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helpers import files, paths

EXPECTED = "qrels.txt,runs/ or train.qrels,test.qrels,runs/ (and perhaps features.csv, folds.json)"


@dataclass(frozen=True)
class DataSet:
    """A record of `data/data_sets.toml`, which says what each part is."""

    title: str
    source: str
    terms: str
    n_features: int
    folders: list[str]
    holds: str
    beside: str = ""
    archive: str = ""
    sha256: str = ""
    qrels: list[str] = field(default_factory=list)
    download: dict[str, Any] = field(default_factory=dict)


DATA_SETS = {
    name: DataSet(**record)
    for name, record in tomllib.loads((paths.project("data") / "data_sets.toml").read_text(encoding="utf-8")).items()
}


def is_list(dataset: str | Path) -> bool:
    """Whether `dataset` is a list of paths, parted by commas, and no path that is there."""
    return "," in str(dataset) and not paths.named(dataset).exists()


def absolute(dataset: str) -> str:
    """The list `dataset` with absolute paths; FileNotFoundError where one is not here."""
    listed = [Path(os.path.abspath(paths.named(part.strip()))) for part in dataset.split(",")]
    for path in listed:
        if not path.exists():
            raise FileNotFoundError(f"{path}: no such file or folder, expected {EXPECTED}")
    return ",".join(str(files.regular(path)) for path in listed)
