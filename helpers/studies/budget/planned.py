"""What a plan leaves: its sentences, `plan.json`, its tables, and the list of queries and documents to judge."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from helpers import files
from helpers.engine import results
from helpers.studies.budget import findings, rules, stored
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.protocol import Given

VERSION = 1
_KEPT = (
    "budget", "who", "queries", "machine_queries", "depth", "opinions", "cost", "seen", "low", "high", "bias",
    "bias_low", "bias_high", "rho",
)  # fmt: skip


def said(given: Given, three: pd.DataFrame) -> list[str]:
    """What to do, and what was read, in sentences without marks of Markdown."""
    return [findings.answer(three, given.measured).replace("**", ""), *given.notes]


def as_json(given: Given, costs: Costs, three: pd.DataFrame, seed: int) -> str:
    """The text of `plan.json`; its keys are described in answers of the documentation, and stay within a version."""
    found = {
        "version": VERSION,
        "data": given.measured.name,
        "example": not given.counts,
        "settings": {"costs": costs._asdict(), "cutoff": given.measured.cutoff, "seed": seed},
        "pilot": {"queries": given.measured.n_queries, "people": given.measured.judges},
        "plans": [{name: _plain(row[name]) for name in _KEPT} for row in three.to_dict("records")],
        "said": said(given, three),
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    """A number of Python, None where it is not known."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def write(directory: str | Path, given: Given, costs: Costs, three: pd.DataFrame, seed: int) -> None:
    """Write `plan.json`, the three plans, rules of thumb held against the pilot and stored ones, and the sentences as
    the text that the command shows."""
    made_by = {"seed": seed, "judgments": given.counts, "costs": costs._asdict()}
    pilots = stored.pilots() | ({given.measured.name: given.measured} if given.counts else {})
    results.write(directory, {"plans": three.drop(columns="this"), "claims": rules.claims(pilots)}, made_by)
    texts = {"plan.json": as_json(given, costs, three, seed), "report.txt": "\n".join(said(given, three)) + "\n"}
    for name, text in texts.items():
        with files.replacing(Path(directory) / name) as file:
            file.write(text)


def to_judge(given: Given, plan: pd.Series, rng: np.random.Generator) -> pd.DataFrame:
    """Queries of the runs that nobody judged, drawn, and of each the first documents of the pool: frame query, doc.

    People judge the first `queries` of them, as many as there are, a machine all.
    """
    turns = [
        run.frame(int(plan["depth"])).assign(
            turn=lambda own, n=n: own.groupby("query").cumcount() * len(given.runs) + n
        )
        for n, run in enumerate(given.runs)
    ]
    judged = set(given.reading.everyone["query"])
    common = set.intersection(*(set(own["query"]) for own in turns))
    new = np.array(sorted(common - judged))
    drawn = rng.permutation(new)[: max(plan["queries"], plan["machine_queries"])]
    place = {query: n for n, query in enumerate(drawn)}
    pool = pd.concat(turns).sort_values("turn", kind="stable").drop_duplicates(["query", "doc"])
    pool = pool.assign(place=pool["query"].map(place)).dropna(subset="place").sort_values(["place", "turn"])
    return pool.groupby("place").head(int(plan["depth"]))[["query", "doc"]].reset_index(drop=True)
