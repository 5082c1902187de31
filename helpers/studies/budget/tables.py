"""Tables over pilots, systems and stored trainings, from which the figures of notebook 05 are drawn."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers import paths
from helpers.engine import results
from helpers.metrics.power import pays_below
from helpers.studies.budget import plans, rules, stored
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.resampling import Measured

SHALLOWEST = 2
TWICE = "twice the depth of the page"
FLAT = 8
"""Documents a query from which on it is told how much depth matters."""


def depth_worth(pilots: Mapping[str, Measured]) -> pd.DataFrame:
    """What a query judged less deep is worth of one judged whole: frame collection, depth, worth, low, high."""
    rows = []
    for name, measured in pilots.items():
        depths = measured.depths[(measured.opinions == 1) & (measured.depths >= SHALLOWEST)].tolist()
        rows += [(name, depth, *rules.ratio(measured, (depth, 1), (measured.docs, 1), 1.0)) for depth in depths]
    return pd.DataFrame(rows, columns=["collection", "depth", "worth", "low", "high"])


def pair_table(systems: pd.DataFrame) -> pd.DataFrame:
    """Every two systems: frame first, second, rho, sd, bias, below (price at which a machine pays), reversed."""
    people, machine = (systems.pivot(index="query", columns="system", values=name) for name in ("people", "machine"))
    first, second = np.triu_indices(people.shape[1], 1)
    y, f = (table.to_numpy()[:, first] - table.to_numpy()[:, second] for table in (people, machine))
    with np.errstate(divide="ignore", invalid="ignore"):
        rho = ((y - y.mean(axis=0)) * (f - f.mean(axis=0))).mean(axis=0) / (y.std(axis=0) * f.std(axis=0))
        below = np.where(rho > 0, pays_below(rho), 0.0)
    columns = {
        "first": people.columns[first],
        "second": people.columns[second],
        "rho": rho,
        "sd": y.std(axis=0, ddof=1),
        "bias": (f - y).mean(axis=0),
        "below": below,
        "reversed": np.sign(f.mean(axis=0)) != np.sign(y.mean(axis=0)),
    }
    return pd.DataFrame(columns).dropna()


def trained() -> pd.DataFrame:
    """The stored trainings: frame collection, share (of what the pool costs), depth, ndcg (the mean over repeats), and
    twice, whether the rule of twice the page takes that depth."""
    means = stored.tables("held-out")["trained"].groupby(["collection", "share", "documents"])["ndcg"].mean()
    lost = stored.tables("training")["by_collection"].query("rule == @TWICE")
    taken = pd.MultiIndex.from_frame(lost[["collection", "share", "documents"]])
    return means.reset_index().assign(twice=means.index.isin(taken)).rename(columns={"documents": "depth"})


def seen_by_budget(measured: Measured, costs: Costs, budget: float) -> pd.DataFrame:
    """What is advised for a quarter to four times the budget: frame of `plans.for_budgets` and this."""
    found = plans.for_budgets(measured, costs, [budget * 2.0**step for step in np.arange(-2, 2.5, 0.5)])
    return found.assign(this=found["budget"] == budget)


def promised() -> pd.DataFrame:
    """The stored bench of plans, each kind of pilots a name: frame name, held, how, what, kept, low, high.

    Held are those of pairs of runs that were held back until the end; on the others the promise was built, and they are
    left out, or they are few, and are shown only.
    """
    return of_bench(results.read(paths.project("data") / "results" / "budget" / "promise.csv"))


def of_bench(kept: pd.DataFrame) -> pd.DataFrame:
    """The frame of `promised` of that of the bench."""
    kept = kept[kept["pairs"] != "built on"]
    held = kept["pairs"] == "held back"
    names = kept["collection"] + ", " + kept["pilot"].astype(str) + " queries" + np.where(held, "", " (few pairs)")
    return kept.assign(name=names, held=held)[["name", "held", "how", "what", "kept", "low", "high"]]
