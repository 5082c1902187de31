"""The stored tables of study 6 and the example of judgments; short, as study 6 is of a reader's own judgments."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from helpers import files, paths
from helpers.judging import asking, formats
from helpers.making import common
from helpers.studies.bounds import judges
from helpers.studies.judgments import protocol, tables
from helpers.studies.judgments.protocol import example

SEED = 6
CUTOFF = 10
EXAMPLE = paths.project("data") / "judgments_example.csv"
EXAMPLE_QUERIES = 12
COLUMNS = {"query": "query_id", "doc": "doc_id", "assessor": "user", "grade": "rating"}


def chorus() -> pd.DataFrame:
    """The three raters of the Chorus demonstration shop, from the data directory."""
    return formats.pseudonyms(judges.chorus().frame)


REAL = {"chorus": chorus, "cystic-fibrosis": lambda: judges.cystic_fibrosis().frame}


def _write_real(name: str) -> None:
    """Store what Quepid's rule does to real judgments, and what asking again was worth with a judge hidden."""
    frame, (rule, hidden) = REAL[name](), np.random.default_rng(SEED).spawn(2)
    written = {
        "comparisons": tables.rule_comparisons(tables.several(frame), draws=protocol.DRAWS, rng=rule),
        "hidden": asking.hidden(frame, CUTOFF, rng=hidden),
    }
    common.write(f"06/{name}", written, {"seed": SEED, "cutoff": CUTOFF, "draws": protocol.DRAWS})


def _write_example() -> None:
    """Store the first queries of the SYNTHETIC judgments of people, as a long CSV to copy."""
    frame = example(np.random.default_rng(SEED)).frame
    kept = frame[frame["query"].isin(frame["query"].unique()[:EXAMPLE_QUERIES])]
    with files.replacing(EXAMPLE) as file:
        file.write(kept[[*COLUMNS]].rename(columns=COLUMNS).to_csv(index=False))


TASKS = {name: partial(_write_real, name) for name in REAL} | {"example": _write_example}
