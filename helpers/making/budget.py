"""The stored tables of study 5, `data/results/05`.

What was measured on real pilots, numbers by query and no judgment among them, rules of thumb held against them, and the
regret of advice to train, chosen by surfaces through the pools that study 4 stores and read off trainings that are
stored, too. By the name "trained" alone these trainings are done, ten minutes on one core, where their collections are.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

from helpers import paths
from helpers.datasets import catalog, sampling
from helpers.datasets.collection import Collection
from helpers.datasets.runs import Lists
from helpers.engine import results
from helpers.judging.alternative import JUDGES, alternative_tests
from helpers.making import common
from helpers.making import real_pilots as real
from helpers.making.taught_trial import allocation_taught
from helpers.metrics.significance import t_half
from helpers.reporting.verdicts import REAL, basis_of
from helpers.studies.budget import resampling, rules, stored
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.pilot import CUTOFF, NOT, Pilot
from helpers.studies.budget.resampling import differences
from helpers.studies.budget.tables import TWICE
from helpers.studies.depth import allocation
from helpers.studies.depth.allocation import Surface

SEED = 5
DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100)
OPINIONS = (1, 2, 3)
SAMPLES = 200
ITEMS = (50, 100)
DECIDED = ["candidate", "items", "draws", "passes", "same"]
SOURCES = {
    "dl21": "TREC Deep Learning 2021 passages: NIST's judgments, UMBRELA's with GPT-4 (github.com/Narabzad/"
    "llm-relevance-judgement-comparison), runs (SynDL)",
    "chorus": "Chorus, the e-commerce demonstration: ratings of three people",
    "cystic-fibrosis": "Cystic Fibrosis collection (Shaw et al. 1991)",
}

COLLECTIONS = ("mq2008", "ohsumed", "clueweb09-webis", "robust04", "microblog", "mq2007-part")
RANKER = "LambdaRank"
SHARES = (0.05, 0.1, 0.2)
"""Budgets at which a collection is asked, as shares of what its whole pool costs."""

COSTS = Costs(5, 1)
REPEATS = 3
DEEPEST = 128
COLUMNS = ["collection", "share", "budget", "documents", "queries", "repeat", "ndcg"]

STEPS = 13  # depths of a curve along which one budget is spent
FEWEST = 3  # of them, of which a collection can give advice
LEAST = 1e-4  # nDCG by which a curve varies at least
NEAR = 0.5  # doublings by which a depth that is bought may differ from what the rule wants


def judges(pilot: Pilot, name: str) -> pd.DataFrame:
    """Every two judges of a pilot: kappa and agreement of their labels, and how their differences of rankers
    correlate."""
    labels = {f"judge {j + 1}": pilot.labels[:, :, j] for j in range(pilot.n_judges)}
    if pilot.machine is not None:
        labels["UMBRELA"] = pilot.machine
    rows = []
    for (first, a), (second, b) in itertools.combinations(labels.items(), 2):
        both = (a != NOT) & (b != NOT)
        rho = np.corrcoef(*(differences(pilot, grades, pilot.n_docs) for grades in (a, b)))[0, 1]
        same = float((a[both] == b[both]).mean())
        rows.append((name, first, second, cohen_kappa_score(a[both], b[both]), same, rho, pilot.n_queries))
    return pd.DataFrame(rows, columns=["collection", "first", "second", "kappa", "agreement", "rho", "queries"])


def systems(runs: list[Lists]) -> pd.DataFrame:
    """nDCG@10 of the runs of DL21 on every query, by NIST's labels (people) and by UMBRELA's (machine)."""
    people, machine = real.dl21_judgments()
    columns = {"people": real.system_scores(people, runs), "machine": real.system_scores(machine, runs)}
    whole = pd.DataFrame({name: scores.unstack() for name, scores in columns.items()})
    return whole.rename_axis(["system", "query"]).sort_index().reset_index()


def decided(pilot: Pilot, draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """Each judge in turn as candidate against the others, by all documents and by random ones: frame of DECIDED."""
    labels = pilot.labels[(pilot.labels != NOT).all(axis=2)]
    if labels.shape[1] <= JUDGES:
        return pd.DataFrame(columns=DECIDED)
    rows = []
    for candidate in range(labels.shape[1]):
        passes = _passes(labels, candidate)
        for items in (n for n in ITEMS if n < len(labels)):
            samples = (labels[rng.choice(len(labels), items, replace=False)] for _ in range(draws))
            same = np.mean([_passes(sample, candidate) == passes for sample in samples])
            rows.append((f"judge {candidate + 1}", items, draws, passes, float(same)))
    return pd.DataFrame(rows, columns=DECIDED)


def _passes(labels: np.ndarray, candidate: int) -> bool:
    """Whether a column of labels (n_docs, n_judges) may take the place of one of the others."""
    said = {f"judge {j + 1}": grades for j, grades in enumerate(labels.T)}
    frame = pd.DataFrame(said).melt(var_name="assessor", value_name="grade", ignore_index=False)
    frame = frame.rename_axis("doc").reset_index().assign(query="all")
    return bool(alternative_tests(frame, [f"judge {candidate + 1}"], scoring="exact")["passes"].item())


def _write_pilot(name: str) -> None:
    """Store what was measured on a real pilot."""
    pilot = real.REAL[name]()
    measured = resampling.measure(pilot, np.random.default_rng(SEED), DEPTHS, OPINIONS)
    tables = {"cells": stored.table(measured), "judges": judges(pilot, name)}
    found = decided(pilot, SAMPLES, np.random.default_rng(SEED))
    tables |= {"items": found} if len(found) else {}
    made_by = {"pilot": pilot.name, "source": SOURCES[name], "cutoff": pilot.cutoff, "seed": SEED, "synthetic": False}
    if name == "dl21":
        listed = real.dl21_runs()
        tables["systems"] = systems(listed)
        made_by |= {"notes": [note for run in listed for note in run.notes]}
    made_by |= {"queries": pilot.n_queries, "made_by": "helpers.making.budget"}
    common.write(f"{stored.STUDY}/{name}", tables, made_by)


def _write_rules() -> None:
    """Hold the rules of thumb against all stored pilots, and store what they say of each collection."""
    found = rules.comparisons(stored.pilots(), results.stored(stored.STUDY))
    for name, own in found.groupby("collection"):
        common.write(f"{stored.STUDY}/{name}", {"comparisons": own.drop(columns="collection")})


def parts(name: str, rng: np.random.Generator) -> dict[str, Collection]:
    """The `pool`, the largest square one of the training queries, `validation` and `test` of a collection."""
    training, validation, test = catalog.splits(name, 1, rng)
    pool = sampling.fixed_pool(training, *sampling.pool_shape(training.group, DEEPEST), rng)
    return {"pool": pool, "validation": validation, "test": test}


# The menu of a collection is every depth, in half doublings, that a share of what its whole pool costs can be spent at.
# All of it is trained for, several times, so that whatever depth is advised later has its trainings, too.
def menu(n_queries: int, n_docs: int) -> pd.DataFrame:
    """What the shares of a pool's cost can be spent on: frame share, budget, documents, queries."""
    depths = sorted({round(2 ** (step / 2)) for step in range(2, 2 * int(np.log2(n_docs)) + 1)})
    fewest, rows = max(1, min(16, n_queries // 8)), []
    for share in SHARES:
        budget = share * n_queries * COSTS.of_query(n_docs, 1)
        for depth in depths:
            queries = round(budget / COSTS.of_query(depth, 1))
            if fewest <= queries <= n_queries:
                rows.append((share, budget, depth, queries))
    return pd.DataFrame(rows, columns=["share", "budget", "documents", "queries"])


def _trained_on(name: str) -> pd.DataFrame:
    """Every allocation of the menu of a collection, trained for REPEATS times: frame of COLUMNS."""
    shared = parts(name, np.random.default_rng(SEED))
    offered = menu(shared["pool"].n_queries, int(shared["pool"].group[0]))
    bought = offered[["queries", "documents"]].drop_duplicates().to_dict("records")
    grid = [{"ranker": RANKER} | point | {"repeat": repeat} for point in bought for repeat in range(REPEATS)]
    found = common.run(allocation_taught, grid, shared, **common.kept(SEED, "05-held-out", 1))
    return offered.merge(found, on=["queries", "documents"]).assign(collection=name)[COLUMNS]


def _write_trained() -> None:
    """Train for the menu of every collection that is here, and store the nDCG of each training."""
    found = paths.here({name: partial(_trained_on, name) for name in COLLECTIONS})
    trained = pd.concat(found.values(), ignore_index=True)
    made_by = {"seed": SEED, "ranker": RANKER, "costs": COSTS._asdict(), "shares": SHARES, "trainings": len(trained)}
    common.write(f"{stored.STUDY}/held-out", {"trained": trained}, made_by | {"synthetic": False})


def advised(surfaces: Mapping[str, Surface], runs: pd.DataFrame) -> pd.DataFrame:
    """The depth that the surfaces of other collections advise: frame collection, share, advised."""
    rows = []
    for (name, share), part in runs.groupby(["collection", "share"]):
        others = [surface for other, surface in surfaces.items() if other != name]
        rows.append((name, share, best_depth(others, COSTS, part["budget"].iloc[0])))
    return pd.DataFrame(rows, columns=["collection", "share", "advised"])


def best_depth(surfaces: Sequence[Surface], costs: Costs, budget: float) -> float:
    """The depth that is best on average of collections, each weighed by its own spread along the cost curve."""
    curves = [_curve(surface, costs, budget) for surface in surfaces]
    curves = [(depths, ndcg) for depths, ndcg in curves if len(depths) >= FEWEST]
    if not curves:
        raise ValueError(f"budget is {budget:g}: no other collection was run with {FEWEST} allocations near it")
    ends = np.concatenate([depths for depths, _ in curves])
    grid = np.geomspace(ends.min(), ends.max(), 33)
    lost = [
        (ndcg.max() - np.interp(np.log(grid), np.log(depths), ndcg)) / max(np.ptp(ndcg), LEAST)
        for depths, ndcg in curves
    ]
    return float(grid[np.mean(lost, axis=0).argmin()])


def _curve(surface: Surface, costs: Costs, budget: float) -> tuple[np.ndarray, np.ndarray]:
    """Depths, and their NDCG, that the budget buys, or the nearest one at which half of the depths can be bought."""
    depths = np.geomspace(*surface.documents, STEPS)
    within = np.clip(budget, *np.multiply(surface.queries, costs.of_query(depths[STEPS // 2], 1)))
    ndcg = surface.ndcg(within / costs.of_query(depths, 1), depths)[:, 0]
    return depths[np.isfinite(ndcg)], ndcg[np.isfinite(ndcg)]


def regrets(runs: pd.DataFrame, advice: pd.DataFrame) -> pd.DataFrame:
    """What the advice, and twice the page where that is bought, lose against the best of the menu: a row a collection,
    share and rule."""
    advised = advice.set_index(["collection", "share"])["advised"]
    rows = []
    for (name, share), part in runs.groupby(["collection", "share"], sort=False):
        menu = part.groupby(["documents", "queries"])["ndcg"].mean().reset_index()
        depths = menu["documents"].astype(float)
        best = _top(np.log2(depths.to_numpy()), menu["ndcg"].to_numpy())
        wanted = {stored.ADVICE: np.clip(advised[name, share], depths.min(), depths.max()), TWICE: 2 * CUTOFF}
        for rule, depth in wanted.items():
            away = np.log2(depths / depth).abs()
            if away.min() <= NEAR:
                taken = menu.loc[away.idxmin()]
                rows.append((name, share, rule, *taken, best - taken["ndcg"]))
    columns = ["collection", "share", "rule", "documents", "queries", "ndcg", "regret"]
    return pd.DataFrame(rows, columns=columns).astype({"documents": int, "queries": int})


def regret_table(regrets: pd.DataFrame) -> pd.DataFrame:
    """Mean regret of each rule, and what it loses more than the advice where both are, with 95 % intervals."""
    cells = ["collection", "share"]
    advice = regrets[regrets["rule"] == stored.ADVICE].set_index(cells)["regret"]
    rows = []
    for rule, found in regrets.set_index(cells).groupby("rule"):
        more = (found["regret"] - advice).dropna().groupby("collection").mean()
        values = found["regret"].groupby("collection").mean()
        rows.append((rule, len(values), *_interval(values), *_interval(more)))
    columns = ["rule", "collections", "regret", "low", "high", "more", "more_low", "more_high"]
    return pd.DataFrame(rows, columns=columns).sort_values("regret", kind="stable", ignore_index=True)


def _top(depths: np.ndarray, means: np.ndarray) -> float:
    """The highest of the menu by a parabola through means (n_allocations,) at depths, of which these are logarithms."""
    fitted = np.polyfit(depths, means, min(2, len(depths) - 1))
    return float(np.polyval(fitted, depths).max())


def _interval(values: pd.Series) -> tuple[float, float, float]:
    """Mean and interval; NaN ends of a single value."""
    wide = t_half(values.sem(), len(values) - 1)
    return float(values.mean()), float(values.mean() - wide), float(values.mean() + wide)


def _write_training() -> None:
    """Store the regret of advice to train, chosen by the surfaces of real collections that study 4 stores."""
    runs, surfaces = stored.tables("held-out")["trained"], {}
    for name, found in results.stored("04").items():
        if "pool" in found and basis_of(name) == REAL:
            means = found["pool"].query("ranker == @RANKER").groupby(["queries", "documents"])["ndcg"].mean()
            surfaces[name] = allocation.surface(list(means.index), [means.to_numpy()])
    lost = regrets(runs, advised(surfaces, runs))
    made_by = {"chosen by": list(surfaces), "seed": SEED, "ranker": RANKER, "tried on": sorted(set(runs["collection"]))}
    made_by |= {"costs": COSTS._asdict(), "shares": SHARES}
    common.write(f"{stored.STUDY}/training", {"regret": regret_table(lost), "by_collection": lost}, made_by)


TASKS = {name: partial(_write_pilot, name) for name in SOURCES}
TASKS |= {"rules": _write_rules, "training": _write_training, "trained": _write_trained}
