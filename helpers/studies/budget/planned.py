"""A plan of the reader's: what it was made of, its sentences, `plan.json`, tables, and the list of what to judge."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from helpers import files
from helpers.engine import results
from helpers.judging import formats
from helpers.studies.budget import findings, plans, rules, stored
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.plans import Advice
from helpers.studies.budget.protocol import ALL_JUDGED, Given

VERSION = 1
KEPT = (
    "budget", "who", "queries", "machine_queries", "depth", "opinions", "machine", "cost", "seen", "low", "high",
    "apparent", "bias", "bias_low", "bias_high", "rho",
)  # fmt: skip
"""Of each of three budgets, in `plan.json`."""


@dataclass(frozen=True, eq=False)
class Planned:
    """What is advised for half, this and twice a budget."""

    given: Given
    costs: Costs
    budget: float
    advice: Advice  # for this budget
    three: pd.DataFrame  # of `plans.for_budgets`
    seed: int

    @property
    def answer(self) -> str:
        """What to do, as Markdown; of the worked example it says first that it is one."""
        example = "" if self.given.counts else "A worked example, not your data. "
        return example + findings.answer(self.three, self.advice, self.budget, self.given.measured)

    @property
    def said(self) -> list[str]:
        """What to do, in sentences without marks of Markdown, what was read and what was left out."""
        left_out = findings.left_out(self.advice, self.given.measured)
        return [self.answer.replace("**", ""), *self.given.notes, *left_out]

    def to_json(self) -> str:
        """The text of `plan.json`, whose keys plan.schema.json describes; they stay as they are within a version."""
        measured, advice = self.given.measured, self.advice
        found = {
            "version": VERSION,
            "data": measured.name,
            "example": not self.given.counts,
            "settings": {"budget": self.budget, "costs": self.costs._asdict(), "cutoff": measured.cutoff}
            | {"seed": self.seed},
            "pilot": {"queries": measured.n_queries, "people": measured.judges, "pairs": measured.pairs},
            "plans": [{name: row[name] for name in KEPT} for row in self.three.to_dict("records")],
            "choice": {"fixed": bool(advice.why), "why": advice.why, "gain": advice.gain},
            "apart": advice.apart,
            "left_out": advice.unknown,
            "said": self.said,
        }
        return json.dumps(_plain(found), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def of(given: Given, costs: Costs, budget: float, seed: int) -> Planned:
    """The plan for a pilot that was read."""
    advice = plans.plan(given.measured, costs, budget)
    three = plans.for_budgets(given.measured, costs, (budget / 2, budget, 2 * budget))
    return Planned(given, costs, budget, advice, three, seed)


def check_places(out: Path | None, listed: Path | None) -> None:
    """Raise ValueError where a folder or a file of the answer cannot be."""
    if out:
        files.check_links(out)
        nearest = next(place for place in (out, *out.parents) if place.exists())
        if not nearest.is_dir():
            raise ValueError(f"{nearest}: a file, expected a folder")
    if listed and (listed.is_dir() or not listed.absolute().parent.is_dir()):
        raise ValueError(f"{listed}: {'a folder' if listed.is_dir() else 'its folder is not there'}, expected a file")


def write(directory: str | Path, found: Planned) -> None:
    """Write `plan.json`, the three plans, rules of thumb held against the pilot and stored ones, and the sentences as
    the text that the command shows."""
    given = found.given
    made_by = {"seed": found.seed, "judgments": given.counts, "costs": found.costs._asdict()}
    pilots = stored.pilots() | ({given.measured.name: given.measured} if given.counts else {})
    results.write(directory, {"plans": found.three, "claims": rules.claims(pilots)}, made_by)
    for name, text in {"plan.json": found.to_json(), "report.txt": "\n".join(found.said) + "\n"}.items():
        with files.replacing(Path(directory) / name) as file:
            file.write(text)


def to_judge(found: Planned) -> pd.DataFrame:
    """Queries of the runs that nobody judged, drawn, and of each the first documents of the pool: frame query, doc.

    There are as many as the plan has, or as there are. People judge the first of them, a machine all.
    """
    given, best = found.given, found.advice.best
    n, depth = len(given.runs), int(best["depth"])
    turns = [
        run.frame(depth).assign(turn=lambda own, one=one: n * own.groupby("query").cumcount() + one)
        for one, run in enumerate(given.runs)
    ]
    new = set.intersection(*(set(own["query"]) for own in turns)) - set(given.reading.everyone["query"])
    drawn = np.random.default_rng(found.seed).permutation(sorted(new))[: max(best["queries"], best["machine_queries"])]
    if not len(drawn):
        raise ValueError(ALL_JUDGED)
    pool = pd.concat(turns).sort_values("turn", kind="stable").drop_duplicates(["query", "doc"])
    pool = pool.assign(place=pool["query"].map(dict(zip(drawn, range(len(drawn)), strict=True)))).dropna()
    return pool.sort_values(["place", "turn"]).groupby("place").head(depth)[["query", "doc"]].reset_index(drop=True)


def write_list(path: Path, found: Planned, pairs: pd.DataFrame) -> str:
    """Write what to judge in the form of the tool that the judgments came from, and say what it is."""
    formats.write_like(found.given.reading, pairs, path)
    best, there = found.advice.best, pairs["query"].nunique()
    wanted = max(best["queries"], best["machine_queries"])
    short = f", all that the runs have of the {wanted:,} planned" if there < wanted else ""
    people = f"; the first {best['queries']:,} queries are for people, all for the machine" * bool(
        best["machine_queries"]
    )
    return f"{path}: {len(pairs):,} documents of {there:,} queries that nobody judged{short}{people}"


def _plain(value: Any) -> Any:
    """The value as JSON has it: numbers of Python, null for what is not known."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not math.isfinite(value) else value
