"""What is a relevance label worth? The code behind the notebooks of label-studies.

Its rooms, from the ground up:

    metrics      nDCG and average precision of every query; tests and intervals over queries
    engine       grids of runs: parallel, resumable, the same for any number of workers; tables on disk
    datasets     collections of judged documents: read, found by name, sampled, portrayed and drawn
    rankers      LambdaMART, LambdaRank, RankSVM, RankBoost, ListNet and AdaRank behind one interface
    judging      judgments and their formats, agreement, confusion, noise, labelling schemes, ceilings
    reporting    verdicts on claims, answers in words, exercises, and the figures
    studies      the studies, a folder each: protocol, trial (one run), runs, tables, claims
    making       what makes the files under data/, in a checkout: python -m helpers.making WHAT
    command      the command label-studies: parameters, notebooks in batch, tables on a terminal

Six calls to begin with:

    letor.read(path)                             a Collection from a LETOR or SVMlight file
    runs.read(qrels, run_files)                  a Collection from judgments and the runs of several systems
    metrics.ndcg(grades, scores, offsets, 10)    nDCG@10 of every query
    ceilings.exact(counts, confusion, 10)        the nDCG that a perfect learner of another judge's labels reaches
    noise.expected_pnoise(counts, 0.1)           what wrong labels of documents do to pairs of documents
    sweep.run(function, grid, store="runs")      a table of runs

`from helpers import` each of these, and catalog, judgments, rankers, sampling, schemes and Collection; and answers:
`answers("mine.csv")` says all that notebook 06 says of judgments.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

from helpers import numba_cache

numba_cache.provide()  # before anything imports numba

FACE = {
    "catalog": "datasets.catalog",
    "letor": "datasets.letor",
    "runs": "datasets.runs",
    "sampling": "datasets.sampling",
    "judgments": "judging.judgments",
    "ceilings": "judging.ceilings",
    "schemes": "judging.schemes",
    "noise": "judging.noise",
    "sweep": "engine.sweep",
    "metrics": "metrics",
    "rankers": "rankers",
}
"""Module of each name that is imported from here; none before it is asked for."""

INSIDE = {"Collection": "datasets.collection", "answers": "studies.judgments.asked"}
"""The same of names that stand in a module."""

MOVED = {
    "helpers.metrics.powered": "helpers.metrics.power",
    "helpers.metrics.reliability": "helpers.metrics.power",
    "helpers.engine.provenance": "helpers.engine.results",
    "helpers.judging.own_schemes": "helpers.judging.schemes",
    "helpers.reporting.explorer": "helpers.reporting.figures",
}
"""Modules of the API that were elsewhere before."""


class _Moved:
    """Asked last for a module, as those that there are come first."""

    @staticmethod
    def find_spec(name: str, *_: Any) -> None:
        if name in MOVED:
            raise ModuleNotFoundError(f"{name} is now {MOVED[name]}")


sys.meta_path.append(_Moved)


def __getattr__(name: str) -> Any:
    if name in INSIDE:
        return getattr(importlib.import_module(f"helpers.{INSIDE[name]}"), name)
    if name in FACE:
        return importlib.import_module(f"helpers.{FACE[name]}")
    raise AttributeError(f"module 'helpers' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *FACE, *INSIDE])
