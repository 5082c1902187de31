"""The portraits that come with the project, and the tables of how good they are.

    python -m helpers.making.portraits portraits [NAME …]
    python -m helpers.making.portraits fidelity
    python -m helpers.making.portraits td2003

write the portraits to `data/portraits`, and how good they are to `data/results`: `portrait_fidelity.csv`, and
`portrait_td2003.csv` for TD2003. The collections are taken from the data directory, LABEL_STUDIES_DATA or the user's
cache.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from helpers import paths
from helpers.datasets import catalog
from helpers.datasets.collection import Collection, concatenate
from helpers.datasets.portrait.files import Portrait, open, save
from helpers.datasets.portrait.measuring import measure
from helpers.engine import results
from helpers.making import fidelity
from helpers.making.td2003 import figures, td2003

LETOR = "statistics only; the data itself is Microsoft's, for research, not to be passed on"
SOURCES = {
    "mslr-sample": f"first 5,000 rows of MSLR-WEB10K Fold1 train and of test, less the cut last query; {LETOR}",
    "ohsumed": f"OHSUMED of LETOR 3.0, QueryLevelNorm, all 106 queries; {LETOR}",
    "mq2008": f"MQ2008 of LETOR 4.0, all 784 queries; {LETOR}",
    "clueweb09-webis": "ClueWeb09 features of Webis, TREC Web Track 2009-2012, all 61 queries; data under MIT",
}
TD2003_DRAWS = 3


def parts(name: str) -> list[Collection]:
    """Disjoint parts of the real collection of that name that are test queries in turn."""
    if name == "mslr-sample":
        halves = [catalog.load(name, split=split) for split in ("train", "test")]
        return [half.take_queries(np.arange(half.n_queries - 1)) for half in halves]
    return [catalog.load(name, fold=fold, split="test") for fold in range(1, 6)]


def make_portraits(names: list[str]) -> None:
    """Measure and write the portraits of the collections of those names; that of TD2003 follows from ClueWeb09's."""
    folder = paths.project("data") / "portraits"
    for name in names:
        made = td2003(open("clueweb09-webis")) if name == "td2003" else _measured(name)
        save(made, folder / f"{name}.npz")
        print(made)


def _measured(name: str) -> Portrait:
    return measure(concatenate(parts(name)), name, source=SOURCES[name])


def make_table() -> None:
    """Write data/results/portrait_fidelity.csv, a row for each figure of each real collection."""
    frame = pd.concat(Parallel(n_jobs=-1)(delayed(_table)(name) for name in SOURCES))
    results.write(paths.project("data") / "results", {"portrait_fidelity": frame})
    print(fidelity.markdown(frame))


def _table(name: str) -> pd.DataFrame:
    return fidelity.table(parts(name), open(name), np.random.default_rng(2009)).round(4)


def make_td2003_table() -> None:
    """Write data/results/portrait_td2003.csv, a row for each ranker on collections drawn from TD2003's portrait."""
    frame = figures(open("td2003"), TD2003_DRAWS, np.random.default_rng(2003)).round(4)
    results.write(paths.project("data") / "results", {"portrait_td2003": frame})
    print(frame.to_string(index=False))


def main(task: str, *names: str) -> None:
    """Do the task that the module's first lines name, for those names or for all."""
    if task == "portraits":
        make_portraits(list(names) or [*SOURCES, "td2003"])
    elif task == "fidelity":
        make_table()
    elif task == "td2003":
        make_td2003_table()
    else:
        raise SystemExit(f"task is {task!r}, expected portraits, fidelity or td2003")


if __name__ == "__main__":
    main(*sys.argv[1:])
