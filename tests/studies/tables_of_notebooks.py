"""The tables that each notebook leaves, as text, of little data: what two processes print is compared."""

import json
import tempfile
from dataclasses import replace

import numpy as np
import pandas as pd

from helpers.judging import confusion
from helpers.reporting import verdicts
from helpers.studies.bounds import collection_ceilings, judges
from helpers.studies.bounds import protocol as bounds
from helpers.studies.budget import comparisons, curve, findings, pair_table, plan, stored, training
from helpers.studies.budget import protocol as budget
from helpers.studies.budget import tables as budget_tables
from helpers.studies.budget.costs import Costs
from helpers.studies.depth import protocol as depth
from helpers.studies.depth import runs as depth_runs
from helpers.studies.judgments import asked, protocol
from helpers.studies.judgments import findings as said
from helpers.studies.overlap import runs as overlap
from helpers.studies.overlap.trial import CUTOFFS
from helpers.studies.robustness import runs as robustness
from helpers.studies.robustness import tables as cells_of


def of_01(rng):
    settings = ("baseline", "3-overlap", "if-good-2", "if-good-3", "if-good-gain-3", "good-till-bad", "mv3")
    cells = [(r, s, d) for r in ("LambdaRank", "LambdaMART") for s in settings for d in range(2)]
    runs = pd.DataFrame(cells, columns=["ranker", "setting", "draw"]).assign(error=None, fair_to_good=3.0)
    runs["per_query"] = rng.random((len(runs), 12)).tolist()
    runs[["labels", "squared_error"]] = rng.random((len(runs), 2)) + 1
    runs[[f"ndcg@{k}" for k in CUTOFFS]] = rng.random((len(runs), len(CUTOFFS)))
    return overlap.tables("clean07", runs, rng)


def of_02(rng):
    sizes = replace(bounds.SCALES["demo"], matrices=2, splits=2)
    pool = judges.simulated(3, rng)
    limits, halves = bounds.limits_table(pool, sizes, rng), bounds.held_out_table(pool, sizes, rng)
    made = {"limits": limits, "contrasts": pd.DataFrame(bounds.contrasts(limits, halves))}
    made["shares"] = bounds.shares_within(limits, rng)
    made["known_queries"] = bounds.known_queries({"llmjudge": halves}, rng)
    profiles, known = collection_ceilings.profiles_of("ohsumed")[:9], confusion.load_confusions()
    return made | {"ceilings": collection_ceilings.exact_means(profiles, known)}


def of_03(rng):
    cells = [
        (data, ranker, fold, level, draw)
        for data in ("td2003-portrait", "ohsumed-portrait", "mslr-sample-portrait")
        for ranker in ("RankSVM", "AdaRank")
        for fold in range(1, 6)
        for level in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
        for draw in range(2 if level else 1)
    ]
    uniform = pd.DataFrame(cells, columns=["dataset", "ranker", "fold", "level", "draw"]).assign(judge="uniform")
    uniform["dnoise"], uniform["pnoise"] = uniform["level"], np.minimum(0.5, 2 * uniform["level"])
    uniform["ndcg"] = uniform["map"] = 0.5 - 0.4 * uniform["level"] + 0.02 * rng.random(len(uniform))
    ties = uniform[uniform["level"] == 0][["dataset", "ranker", "fold"]].assign(positive=0.45)
    cells_of.SAMPLES = 50
    return robustness.tables({"uniform": uniform, "ties": ties}, rng)


def of_04(rng):
    scale = replace(
        depth.SCALES["demo"], training_queries=24, validation_queries=8, test_queries=12, pool_queries=16, pool_docs=8,
        percents=(50, 100), percent_repeats=2, pool_repeats=2,
    )  # fmt: skip
    parts = depth.parts("mq2008-portrait", scale, 1, rng)
    with tempfile.TemporaryDirectory() as store:
        found = depth_runs.runs({1: parts}, ["RankSVM"], scale, store=store, n_jobs=1, seed=0)
    return depth_runs.tables(found, 0.005, rng)


def of_05(rng):
    pilots, costs = stored.pilots(), Costs(5.0, 1.0, 0.02)
    first = pilots["dl21"]
    advice = plan(first, costs, 2000.0)
    made = {
        "plans": advice.plans,
        "rules_of_thumb": advice.rules,
        "curve": curve(first, costs, np.array([200.0, 2000.0])),
        "rules": budget.tested(pilots),
        "worth": budget_tables.depth_worth(pilots),
        "losses": budget_tables.losses(pilots, costs, 2000.0),
        "pairs": pair_table(stored.tables("dl21")["systems"]),
        "report": findings.measuring(advice, costs, 0.05, first, 2000.0),
    }
    some = dict(list(stored.pools().items())[:1])
    fits = training.fitted(some, rng, 2)
    kept = training.kept(stored.kept(), fits, rng, 2)
    made |= {"bests": training.bests(fits, costs, 2000.0, kept), "to_train": training.losses(fits, costs, 2000.0, kept)}
    made["goals"] = budget_tables.depths({"dl21": first}, fits, costs, 2000.0)
    return made | {"comparisons": pd.concat([comparisons(made["rules"], name) for name in pilots])}


def of_06(rng):
    reading = protocol.example(rng)
    people, machine = (judged[judged["query"].str.len() == len("query 1")] for judged in (reading.frame, reading.apart))
    found = asked.answers(people, pd.concat([people, machine], ignore_index=True), 10, 0.15, rng)
    return found.written() | {"ask_again": found.ask_again, "findings": said.report(found, 10, 0.15, "example")}


def judged(number, comparisons):
    if comparisons is None:  # of study 2, whose claims have contrasts
        return {}
    effects = verdicts.from_comparisons(number, comparisons, "data", verdicts.REAL)
    return {"effects": effects, "claims": verdicts.verdicts(effects)}


if __name__ == "__main__":
    made = {name[-2:]: of(np.random.default_rng(7)) for name, of in list(globals().items()) if name.startswith("of_")}
    made = {number: tables | judged(number, tables.get("comparisons")) for number, tables in made.items()}
    print(json.dumps({name: {kind: table.to_csv() for kind, table in tables.items()} for name, tables in made.items()}))
