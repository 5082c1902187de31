"""Makes the portraits that come with the project, and the table of how good they are.

    python -m helpers.portrait.shipped portraits [NAME …]
    python -m helpers.portrait.shipped fidelity

The collections are taken from the data directory, LABEL_STUDIES_DATA or the user's cache.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from helpers import catalog, paths, results
from helpers.collection import Collection, concatenate
from helpers.portrait import fidelity
from helpers.portrait.drawing import draw
from helpers.portrait.files import Portrait, open, save
from helpers.portrait.measuring import measure
from helpers.portrait.strength import cross_validated, matched

LETOR = "statistics only; the data itself is Microsoft's, for research, not to be passed on"
SOURCES = {
    "mslr-sample": f"first 5,000 rows of MSLR-WEB10K Fold1 train and of test, less the cut last query; {LETOR}",
    "ohsumed": f"OHSUMED of LETOR 3.0, QueryLevelNorm, all 106 queries; {LETOR}",
    "mq2008": f"MQ2008 of LETOR 4.0, all 784 queries; {LETOR}",
    "clueweb09-webis": "ClueWeb09 features of Webis, TREC Web Track 2009-2012, all 61 queries; data under MIT",
}
TD2003 = {"queries": 50, "docs": 49_058, "relevant_share": 0.008, "features": 64}  # Niu et al. 2014, Table 1
TD2003_SOURCE = (
    "not measured: queries, documents and grades of TD2003 as in Table 1 of Niu et al. 2014, spread evenly over "
    "queries; features of the clueweb09-webis portrait, its grades 3 and 4 for relevant, 22 features in two versions; "
    "strength such that a linear ranker does as well as on ClueWeb09-Webis, as no figure of TD2003 is known"
)
TD2003_TRIAL_QUERIES = 305  # of ClueWeb09's portrait, five times the real number, to see how hard it is
TWIN_CORRELATION = 0.95  # of the scores of a feature and its second version


def parts(name: str) -> list[Collection]:
    """Disjoint parts of a real collection that are test queries in turn."""
    if name == "mslr-sample":
        halves = [catalog.load(name, split=split) for split in ("train", "test")]
        return [half.take_queries(np.arange(half.n_queries - 1)) for half in halves]
    return [catalog.load(name, fold=fold, split="test") for fold in range(1, 6)]


def td2003(web: Portrait) -> Portrait:
    """TD2003 as far as its published counts and another web collection's features tell."""
    group = _evenly(TD2003["docs"], TD2003["queries"])
    relevant = _evenly(round(TD2003["relevant_share"] * TD2003["docs"]), TD2003["queries"])
    wide = _with_twins(web, TD2003["features"] - web.n_features)
    top = web.grade_shares[3:] / web.grade_shares[3:].sum()
    portrait = replace(
        wide,
        name="td2003",
        source=TD2003_SOURCE,
        grade_counts=np.column_stack([group - relevant, relevant]).astype(np.int32),
        shift=np.stack([wide.shift[0], top @ wide.shift[3:]]).astype(np.float32),
        spread=np.stack([wide.spread[0], top @ wide.spread[3:]]).astype(np.float32),
        position=np.array([web.position[0], top @ web.position[3:]], dtype=np.float32),
    )
    rng = np.random.default_rng(0)
    as_hard = cross_validated(draw(web, TD2003_TRIAL_QUERIES, rng))
    return matched(portrait, as_hard, TD2003["queries"], rng)


def _evenly(total: int, n: int) -> np.ndarray:
    """(n,) whole numbers that add up to the total and differ by one at most."""
    return np.diff(np.arange(n + 1) * total // n)


def _with_twins(portrait: Portrait, n: int) -> Portrait:
    """The portrait with second versions of the first n features, of the same distribution; all must be graded."""
    width = portrait.n_features
    spread_to = np.hstack([np.eye(width), TWIN_CORRELATION * np.eye(width, n)])  # scores of all features from the old
    own = np.hstack([np.zeros((n, width)), np.sqrt(1 - TWIN_CORRELATION**2) * np.eye(n)])
    sizes, masks = portrait.curve_sizes, ("varying", "graded", "normalised", "whole")
    twins = slice(0, int(sizes[:n].sum()))
    return replace(
        portrait,
        curve_sizes=np.concatenate([sizes, sizes[:n]]),
        curve_scores=np.concatenate([portrait.curve_scores, portrait.curve_scores[twins]]),
        curve_values=np.concatenate([portrait.curve_values, portrait.curve_values[twins]]),
        **{mask: np.concatenate([getattr(portrait, mask), getattr(portrait, mask)[:n]]) for mask in masks},
        query_factor=(spread_to.T @ portrait.query_factor).astype(np.float32),
        components=np.vstack([portrait.components @ spread_to, own]).astype(np.float32),
        shift=portrait.shift @ spread_to,
        slope=np.concatenate([portrait.slope, np.zeros(n, dtype=np.float32)]),
        spread=np.hstack([portrait.spread, np.ones((len(portrait.spread), n))]),
    )


def make_portraits(names: list[str]) -> None:
    """Measure and write the portraits of those collections; that of TD2003 follows from ClueWeb09's."""
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


def main(task: str, *names: str) -> None:
    """What the module's first lines say."""
    if task == "portraits":
        make_portraits(list(names) or [*SOURCES, "td2003"])
    elif task == "fidelity":
        make_table()
    else:
        raise SystemExit(f"task is {task!r}, expected portraits or fidelity")


if __name__ == "__main__":
    main(*sys.argv[1:])
