"""What plans promise beside what they keep, on queries that the pilot did not have.

A collection's queries are drawn into a pilot, and the others are what is true. A budget of 2,000 is planned at 5 a
query and 1 a judgment. *Power*: the differences held out, judged as the plan judges and in units of the whole judgment
by their own slope, are shifted so that their mean is the difference promised; of tests of as many of them as the plan
has queries the share that finds it. They are drawn with replacement, as a plan's queries are new ones; *power, once*:
without it where there are so many, where a mean over nearly all of few has next to no error. (Of M drawn with it the
variance is M - 1 over M of theirs, which makes power .01 too high on DL 2021's 28.) *Cover*: whether the
interval holds the difference that the plan sees by the queries held out, wider by their own jackknife error; *cover,
raw*: as it is told, as if those were all there are. *Cost*: the budget told to see .05 over the cheapest by the queries
held out. Intervals are over pairs and pilots, both drawn anew.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers import paths
from helpers.datasets.runs import read_runs
from helpers.judging import formats
from helpers.making import common
from helpers.making import real_pilots as real
from helpers.metrics import power
from helpers.metrics.significance import t_half, t_tests
from helpers.studies.budget import plans, promise
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.pilot import pilot
from helpers.studies.budget.resampling import DEPTHS, Measured, jackknife, measure, spreads

SEED = 31
COSTS, BUDGET, SEEN = Costs(5, 1), 2000.0, 0.05
PAIRS, PILOTS, TESTS, DRAWS = 24, 40, 500, 2000
BUILT, HELD, SHOWN = "built on", "held back", "shown only"
CHOSEN, CORRECTED = "as chosen", "corrected"
KEPT = ("power", "power, once", "cover", "cover, raw", "cost", "cost covered", "fixed")
COLUMNS = ["collection", "pairs", "pilot", "how", "what", "kept", "low", "high", "plans"]
BENCHES = (
    ("robust04", BUILT, (25, 50, 100)),
    ("robust04", HELD, (25, 50, 100)),
    ("dl21", HELD, (25,)),
    ("microblog", SHOWN, (25, 50, 100)),
)


def kept(first: str, second: str, queries: int, *, rng: np.random.Generator, values: Mapping[str, np.ndarray]) -> dict:
    """What plans of many pilots of a pair keep: a list of PILOTS for each way to promise and each of KEPT."""
    depths, y = values["depths"], values[f"{first} {second}"][:, None]  # of one person, who judges the deepest whole
    measured = Measured(depths, np.ones_like(depths), y, y**2, y[-1], None, real.CUTOFF, 1)
    draws = np.random.default_rng([SEED, queries])  # the pilots are the same for every pair
    rows = []
    for _ in range(PILOTS):
        order = draws.permutation(measured.n_queries)
        rows.append(_kept(measured.take(order[:queries]), measured.take(order[queries:]), rng))
    return pd.DataFrame(rows).to_dict("list")


def _kept(known: Measured, rest: Measured, rng: np.random.Generator) -> dict[str, float]:
    """What the plans of one pilot keep on the rest; NaN where the pilot plans nothing, or the rest does not tell."""
    found = {f"{how}, {what}": math.nan for how in (CHOSEN, CORRECTED) for what in KEPT}
    advised = plans._advised(known, COSTS, BUDGET)
    if advised is None:
        return found
    best, shown, _ = advised
    row = int(np.argmin(shown["reach"]))
    naive = {name: column[row].item() for name, column in shown.items()}
    wide = math.sqrt(naive["high"] / naive["low"])
    naive |= {"seen": naive["apparent"], "low": naive["apparent"] / wide, "high": naive["apparent"] * wide}
    for how, plan in ((CHOSEN, naive), (CORRECTED, best)):
        found |= {f"{how}, {what}": value for what, value in _held(plan, rest, rng).items()}
    price, true = plans.needed(known, COSTS, SEEN), cheapest(rest)
    covered = float(price["cost_low"] <= true <= price["cost_high"])
    told = {"cost": price["cost"] / true, "cost covered": covered, "fixed": float(advised[2].why != "")}
    return found | {f"{CORRECTED}, {what}": value for what, value in told.items()}


def _held(plan: Mapping, rest: Measured, rng: np.random.Generator) -> dict[str, float]:
    """The power of what a plan promises on the queries held out, and whether its interval holds what it sees there."""
    cell, n = rest.cell(plan["depth"], plan["opinions"]), plan["queries"]
    slope, sd = (values[cell, 0] for values in (spreads(rest)[0].slope, spreads(rest)[0].sd))
    if not (slope > 0 and sd > 0):
        return {}
    shifted = rest.y[cell, 0] / slope
    shifted = shifted - shifted.mean() + plan["seen"]
    anew = _power(shifted, rng.integers(rest.n_queries, size=(TESTS, n)))
    few = n > rest.n_queries
    once = anew if few else _power(shifted, rng.permuted(np.tile(np.arange(rest.n_queries), (TESTS, 1)), axis=1)[:, :n])
    true, error = jackknife(lambda found: np.log(found.sd[cell, 0]), rest)
    true += math.log(power.detectable(1.0, n))
    low, high = math.log(plan["low"]), math.log(plan["high"])
    off, half = abs(true - (low + high) / 2), (high - low) / 2
    covers = {"cover": off <= math.hypot(half, t_half(error, rest.n_queries - 1)), "cover, raw": off <= half}
    return {"power": anew, "power, once": once} | {name: float(held) for name, held in covers.items()}


def _power(values: np.ndarray, drawn: np.ndarray) -> float:
    """Share of samples (n_tests, n) in which the paired t-test finds a difference."""
    return float((t_tests(values[drawn]).p_value < power.LEVEL).mean())


def cheapest(rest: Measured) -> float:
    """The least budget at which the plan of least reach sees SEEN by these queries alone."""
    budgets = np.geomspace(100, 1e6, 400)
    people = (budgets[:, None] / COSTS.of_query(rest.depths, rest.opinions)).astype(int)
    cells = np.broadcast_to(np.arange(len(rest.depths)), people.shape)
    shapes = {"cell": cells.ravel(), "queries": np.maximum(people, 2).ravel(), "machine_queries": np.zeros(people.size)}
    there = spreads(rest)[0]
    seen = promise.seen(there, shapes)[:, 0].reshape(people.shape)
    reach = np.where(people < 2, np.inf, promise.reach(there, shapes).reshape(people.shape))
    best = seen[np.arange(len(budgets)), reach.argmin(axis=1)]
    enough = np.flatnonzero(best <= SEEN)
    return float(budgets[enough[0]]) if len(enough) else math.nan


def values_of(collection: str, pairs: str) -> tuple[list[tuple[str, str]], dict[str, np.ndarray]]:
    """Pairs of runs, and their differences at every depth, (n_depths, n_queries), by both names."""
    people, runs = _collection(collection)
    names = sorted(runs)
    if collection == "robust04":
        half = len(names) // 2
        names = names[:half] if pairs == BUILT else names[half:]
    every = list(itertools.combinations(names, 2))
    rng = np.random.default_rng([SEED, len(every)])
    chosen = [every[n] for n in sorted(rng.permutation(len(every))[:PAIRS])]
    found = {}
    for first, second in chosen:
        pair = pilot(people, {name: runs[name] for name in (first, second)}, cutoff=real.CUTOFF)
        measured = measure(pair, rng, DEPTHS, (1,))
        found |= {f"{first} {second}": measured.y[:, 0], "depths": measured.depths}
    return chosen, found


def _collection(name: str) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """People's judgments, and the first documents of every run."""
    if name == "dl21":
        people, folder = real.dl21_judgments()[0], real.dl21_folder()
    else:
        folder = paths.user_data() / {"robust04": "Robust04", "microblog": "Microblog"}[name]
        people, folder = formats.read(folder / "qrels.txt", "qrels").frame, folder / "runs"
    return people, {run.name: run.frame(real.LISTED) for run in read_runs(str(folder))}


def table(collection: str, pairs: str, sizes: tuple[int, ...]) -> pd.DataFrame:
    """What plans keep in a collection: frame of COLUMNS."""
    chosen, values = values_of(collection, pairs)
    rows = []
    for queries in sizes:
        grid = [{"first": first, "second": second, "queries": queries} for first, second in chosen]
        found = common.run(kept, grid, {"values": values}, **common.kept(SEED, "promised"))
        for how, what in itertools.product((CHOSEN, CORRECTED), KEPT):
            kept_there = np.array(found[f"{how}, {what}"].to_list(), float)
            if not np.isnan(kept_there).all():
                ends = summary(kept_there, what == "cost", np.random.default_rng(SEED))
                rows.append((collection, pairs, queries, how, what, *ends, int(np.isfinite(kept_there).sum())))
    return pd.DataFrame(rows, columns=COLUMNS)


def summary(values: np.ndarray, middle: bool, rng: np.random.Generator) -> tuple[float, float, float]:
    """The mean or median of values (n_pairs, n_pilots), and its 95 % interval over pairs and pilots drawn anew."""
    of = np.nanmedian if middle else np.nanmean
    n_pairs, n_pilots = values.shape
    draws = [
        of(values[rng.integers(n_pairs, size=n_pairs)][:, rng.integers(n_pilots, size=n_pilots)]) for _ in range(DRAWS)
    ]
    return float(of(values)), *np.quantile(draws, [0.025, 0.975]).tolist()


def _write() -> None:
    tables = pd.concat([table(*bench) for bench in BENCHES], ignore_index=True)
    made_by = {"seed": SEED, "budget": BUDGET, "costs": COSTS._asdict(), "pairs": PAIRS, "pilots": PILOTS}
    made_by |= {"tests": TESTS, "difference of the cost": SEEN, "synthetic": False}
    common.write("budget", {"promise": tables}, made_by | {"made_by": "helpers.making.promised"})


TASKS = {"promise": _write}
