"""The stored tables of study 5.

    python -m helpers.making.budget

writes them to `data/results/05`: what was measured on real pilots whose judgments are in the data directory, numbers by
query and no judgment among them, and of stored runs of study 4 the regret of advice. What is not here stays as it is.
"""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

from helpers import paths
from helpers.engine import results
from helpers.judging import at_hand
from helpers.studies.budget import coverage, real, resampling, stored, training
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.pilot import NOT, Pilot
from helpers.studies.budget.pilot import pilot as budget_pilot
from helpers.studies.budget.resampling import Measured, differences
from helpers.studies.budget.spread import spread

SEED = 5
DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100)
OPINIONS = (1, 2, 3)
COSTS = Costs(5, 1)
DRAWS = 1000
PAIRS = 60
FOLDER = paths.project("data") / "results" / stored.STUDY
SOURCES = {
    "dl21": "TREC Deep Learning 2021 passages: NIST's judgments, UMBRELA's with GPT-4 (github.com/Narabzad/"
    "llm-relevance-judgement-comparison), runs (SynDL)",
    "chorus": "Chorus, the e-commerce demonstration: ratings of three people",
    "cystic-fibrosis": "Cystic Fibrosis collection (Shaw et al. 1991)",
}


def judges(pilot: Pilot, name: str) -> pd.DataFrame:
    """Every two judges of a pilot: kappa of their labels, and the correlation over queries of the rankers' difference.

    Parameters
    ----------
    pilot : its people, or one person and a machine
    name : of the collection
    """
    labels = {f"judge {j + 1}": pilot.labels[:, :, j] for j in range(pilot.n_judges)}
    if pilot.machine is not None:
        labels["UMBRELA"] = pilot.machine
    rows = []
    for (first, a), (second, b) in itertools.combinations(labels.items(), 2):
        both = (a != NOT) & (b != NOT)
        rho = np.corrcoef(*(differences(pilot, grades, pilot.n_docs) for grades in (a, b)))[0, 1]
        rows.append((name, first, second, cohen_kappa_score(a[both], b[both]), rho, pilot.n_queries))
    return pd.DataFrame(rows, columns=["collection", "first", "second", "kappa", "rho", "queries"])


def systems() -> pd.DataFrame:
    """nDCG@10 of the 63 runs of DL21 on every query, by NIST's labels (people) and by UMBRELA's (machine)."""
    people, machine = real.dl21_judgments()
    runs = real.dl21_runs()
    columns = {"people": real.system_scores(people, runs), "machine": real.system_scores(machine, runs)}
    return (
        pd.DataFrame({name: scores.unstack() for name, scores in columns.items()})
        .rename_axis(["system", "query"])
        .reset_index()
    )


def depth_bias() -> pd.DataFrame:
    """Random pairs of DL21's runs judged less deep: whole and scaled difference, a row a pair and depth.

    Frame first, second, depth, whole, slope, bias.
    """
    people, _ = real.dl21_judgments()
    runs = real.dl21_runs()
    rng = np.random.default_rng(SEED)
    rows = []
    for _ in range(PAIRS):
        first, second = rng.choice(sorted(runs), 2, replace=False)
        pilot = budget_pilot(people, [runs[first], runs[second]], cutoff=real.CUTOFF)
        for cell in resampling.measure(pilot, rng, DEPTHS, (1,)).cells[:-1]:
            seen = spread(cell)
            rows.append((first, second, cell.depth, cell.whole.mean(), float(seen.slope), float(seen.bias)))
    return pd.DataFrame(rows, columns=["first", "second", "depth", "whole", "slope", "bias"])


def covered(measured: Measured) -> pd.DataFrame:
    """Share of random splits of a pilot whose parts agree within their intervals: frame queries, draws, covered.

    Parameters
    ----------
    measured : the pilot, split into so many queries, of 15, 25 and 50 those up to half of it, and the rest
    """
    rng = np.random.default_rng(SEED)
    sizes = [n for n in (15, 25, 50) if n <= measured.n_queries / 2]
    rates = [coverage.held_out(measured, n, DRAWS, rng, depth=measured.docs) for n in sizes]
    return pd.DataFrame({"queries": sizes, "draws": DRAWS, "covered": rates})


def write_pilot(name: str, pilot: Pilot) -> None:
    """Store what was measured on a real pilot.

    Parameters
    ----------
    name : of the collection, one of SOURCES, and of the folder written
    pilot : its judgments, of which none is stored
    """
    measured = resampling.measure(pilot, np.random.default_rng(SEED), DEPTHS, OPINIONS)
    tables = {"cells": stored.table(measured), "judges": judges(pilot, name).round(6), "coverage": covered(measured)}
    if name == "dl21":
        tables |= {"systems": systems().round(6), "depth_bias": depth_bias().round(6)}
    made_by = {"pilot": pilot.name, "source": SOURCES[name], "cutoff": pilot.cutoff, "seed": SEED, "synthetic": False}
    results.write(FOLDER / name, tables, made_by | {"queries": pilot.n_queries, "made_by": "helpers.making.budget"})


def write_training() -> None:
    """Store the regret of advice from other collections, of real ones alone and with the synthetic one."""
    rows = []
    for data, pools in (("real", training.runs()), ("with synthetic", training.runs(real=False))):
        fits = training.all_fitted(pools, np.random.default_rng(SEED), DRAWS)
        rows.append(training.regret_table(fits, COSTS).assign(data=data, collections=len(pools)))
    made_by = {"seed": SEED, "draws": DRAWS, "costs": COSTS._asdict(), "shares": training.SHARES}
    results.write(FOLDER / "training", {"regret": pd.concat(rows).round(6)}, made_by)


def main() -> None:
    """Write all stored tables."""
    for name, pilot in at_hand.here(real.REAL).items():
        write_pilot(name, pilot)
    write_training()


if __name__ == "__main__":
    main()
