"""The experiment of study 1 on six collections that several people judged: two hours of one core."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from helpers import paths
from helpers.engine import sweep
from helpers.judging import judged, schemes
from helpers.judging.aggregates import votes
from helpers.judging.agreements import kappas, met
from helpers.judging.judged import JudgedCollection
from helpers.making import common
from helpers.metrics.significance import crossed_effect, crossed_means
from helpers.rankers.base import gains_of
from helpers.studies.overlap.effects import AT_3, BOTH, EQUAL_COST, SET_BEFORE, VALIDATED, WIDE
from helpers.studies.overlap.people import STORED, drawn
from helpers.studies.overlap.people_trial import HIGHER, SHARED, collected, scheme_of, train_and_test, validated
from helpers.studies.overlap.trial import FOLDS

SEED = 2010
RANKERS = ("LambdaRank", "LambdaMART")
DRAWS = 10
"""That there are."""

PARTS = {SET_BEFORE: (10, 3), VALIDATED: (5, 0), EQUAL_COST: (7, 0)}
"""Part of the experiment -> draws of CORE settings, and of the others."""

CORE = ("baseline", "{k}-overlap", "if-good-{k}", "mv{k}", "highest-{k}", "if-good-x3", "good-till-bad", "gain-{k}",
        "round-{k}")  # fmt: skip
"""Settings that claims are made of."""
SETTING_DRAWS = 2
"""Further ones by which learners are set, and which are not used after."""

MEASURES = {AT_3: "per_query", "NDCG@10": "per_query@10", WIDE: "per_query_wide"}
"""Measure -> column of the runs."""

TILL_BAD = "good-till-bad"

BUDGETS = (1 / 8, 1 / 4, 1 / 2, 1.0)
"""Labels, of those that one label on all training queries takes."""

FEWEST = 20
"""Training queries."""

TRIED = {
    "LambdaRank": {"learning_rate": (0.0002, 0.001, 0.005), "epochs": (30, 100)},
    "LambdaMART": {
        "learning_rate": (0.03, 0.1),
        "num_iterations": (50, 150),
        "min_data_in_leaf": (20, 100, 300),
    },
}
"""Settings of rankers of which one is taken for a collection, before schemes are compared."""


_BY_QUERY = {"persons": "query", "good": 1}

COLLECTIONS = {
    "esbm": ("multi-judge/esbm", 3, _BY_QUERY),
    "target-types": ("multi-judge/target-types", 3, _BY_QUERY),
    "flickr8k-experts": ("multi-judge/flickr8k-experts", 3, {"persons": "pair", "good": 1}),
    "climate-fever": ("multi-judge/climate-fever", 2, _BY_QUERY),
    "dl19": ("judgments/dl19-people-machines", 2, {"tested_by": "nist", "good": 2}),
    "cystic-fibrosis": ("multi-judge/cystic-fibrosis", 3, {"good": 1}),
}
"""Judged collection -> its folder in the data directory, how many labels a pair has at most, where the paper has three,
and how it is read, as `judged.read` takes it."""


def settings(k: int, most: int, higher: int = 0) -> list[str]:
    """CORE, the paper's settings of all labels in place of eleven, then ours, for k labels of a pair or `most`.

    >>> settings(2, 2, 3)[len(CORE) :]
    ['if-good-gain-2', '2-overlap/n', 'if-good-2/n', 'if-good-2@3']
    """
    every = [f"{most}-overlap", f"mv{most}", f"gain-{most}"]
    other = [name for name, asked in (("if-good-2", 3), ("if-good-5", 6)) if most >= asked]
    ours = [f"if-good-gain-{k}", f"{k}-overlap{SHARED}", f"if-good-{k}{SHARED}"]
    ours += [f"if-good-{k}{HIGHER}{higher}"] if higher else []
    return list(dict.fromkeys([setting.format(k=k) for setting in CORE] + every + other + ours))


@dataclass(frozen=True, eq=False)
class Experiment:
    """A judged collection, what all of its runs share, and the settings that make different labels."""

    people: JudgedCollection  # the collection
    k: int  # labels of a pair
    shared: dict  # what runs take beside their parameters
    same: dict[str, list[str]]  # setting that is run -> those that make the same labels, itself among them

    @property
    def n_training(self) -> int:
        """Queries that train in every fold where none validates."""
        return int(self.people.collection.n_queries * (FOLDS - 1) / FOLDS)


def experiment(name: str) -> Experiment:
    """The experiment on a collection."""
    (folder, k, reading), same = COLLECTIONS[name], {}
    people = judged.read(paths.user_data() / folder, **reading)
    shared = drawn(people, DRAWS + SETTING_DRAWS, np.random.default_rng(SEED))
    labels = shared["labels"]
    higher = people.good + 1 if people.good < labels.max() else 0
    for setting in settings(k, labels.shape[2], higher):
        same.setdefault(_made(setting, shared), []).append(setting)
    return Experiment(people, k, shared, {names[0]: names for names in same.values()})


def _made(setting: str, shared: dict) -> tuple:
    """What a setting trains on in every draw: settings of which this is equal are one by arithmetic."""
    made = []
    for labels, judges in zip(shared["labels"], shared["judges"], strict=True):
        sample = collected(setting, labels, judges, shared["good"])
        made += [sample.rows.tobytes(), gains_of(sample.grades, 1, sample.gains).tobytes(), sample.weights.tobytes()]
    return tuple(made)


def sizes(made: Experiment) -> dict[tuple[str, float], int]:
    """What is compared at equal cost: setting and budget -> number of training queries."""
    k, whole = made.k, made.n_training
    labels = {"baseline": 1, f"gain-{k}": k, f"{k}-overlap": k, f"round-{k}": k}
    found = {(name, budget): int(whole * budget / n) for name, n in labels.items() for budget in BUDGETS}
    return {size: queries for size, queries in found.items() if queries >= FEWEST}


def learners(made: Experiment, **options) -> pd.DataFrame:
    """How good learners are, for the fewest training queries that there are at equal cost and for all. Frame ranker,
    queries (0 for all), learner, NDCG@10 on one label and on all, mean, taken."""
    labels = {"baseline": "one_label", f"gain-{made.shared['labels'].shape[2]}": "all_labels"}
    few = min(sizes(made).values()) % made.n_training
    grid = [
        point
        for ranker, tried in TRIED.items()
        for learner in sweep.grid(**tried)
        for queries in dict.fromkeys((0, few))
        for point in sweep.grid(
            ranker=[ranker],
            setting=list(labels),
            draw=range(DRAWS, DRAWS + SETTING_DRAWS),
            fold=range(FOLDS),
            learner=[learner],
            queries=[queries],
        )
    ]
    found = sweep.succeeded(sweep.run(validated, grid, shared=made.shared, **options))
    found["learner"] = found["learner"].map(json.dumps)
    means = found.pivot_table("ndcg@10", ["ranker", "queries", "learner"], "setting", sort=False).rename(columns=labels)
    means["mean"] = means[list(labels.values())].mean(axis=1)
    means["taken"] = means.groupby(["ranker", "queries"])["mean"].transform("idxmax") == means.index
    return means.reset_index()


def runs(made: Experiment, part: str, learned: pd.DataFrame, **options) -> pd.DataFrame:
    """A row for each ranker, setting, number of training queries, draw and fold of a part of the experiment."""
    (core, others), names = PARTS[part], {setting.format(k=made.k) for setting in CORE}
    trained = [(setting, 0) for setting in made.same]
    if part == EQUAL_COST:
        trained = [(setting, queries % made.n_training) for (setting, _), queries in sizes(made).items()]

    def learner(ranker: str, queries: int) -> dict | None:
        if part == VALIDATED:
            return None
        known = learned[learned["taken"] & (learned["ranker"] == ranker)]
        near = np.abs(np.log(known["queries"].replace(0, made.n_training) / (queries or made.n_training)))
        return json.loads(known.loc[near.idxmin(), "learner"])

    grid = [
        {"ranker": ranker, "setting": setting, "draw": draw, "fold": fold, "learner": learner(ranker, queries),
         "queries": queries}
        for draw in range(DRAWS)
        for ranker in RANKERS
        for setting, queries in trained
        if draw < (core if setting in names else others)
        for fold in range(FOLDS)
    ]  # fmt: skip
    return sweep.run(train_and_test, grid, shared=made.shared, **options)


def values(made: Experiment, found: pd.DataFrame, column: str) -> dict[tuple[str, str, int], np.ndarray]:
    """Ranker, setting and number of training queries -> (n_draws, n_queries) values, queries that test nothing left
    out; of BOTH rankers, their mean."""
    tested = np.concatenate([np.sort(part) for part in np.array_split(made.shared["order"], FOLDS)])
    kept = made.shared["testable"][tested]
    by_draw = found.sort_values(["draw", "fold"]).groupby(["ranker", "setting", "queries"], sort=False)[column]
    made_of = {key: np.concatenate(lists.tolist()).reshape(-1, len(tested))[:, kept] for key, lists in by_draw}
    first, second = RANKERS
    return made_of | {
        (BOTH, *run): np.mean([array, made_of[second, *run]], axis=0)
        for (ranker, *run), array in made_of.items()
        if ranker == first
    }


def contrasts(made: Experiment, part: str) -> Iterator[tuple[str, tuple[str, int], tuple[str, int]]]:
    """What is held against what: a name, and setting and number of training queries of both."""
    k, known = made.k, {name: run for run, names in made.same.items() for name in names}
    if part == EQUAL_COST:
        sized = {size: queries % made.n_training for size, queries in sizes(made).items()}
        for (setting, budget), queries in sized.items():
            if setting != "baseline":
                yield str(budget), (setting, queries), ("baseline", sized["baseline", budget])
        return
    pairs = [(setting, against) for against in ("baseline", f"if-good-{k}") for setting in made.same]
    pairs += [(known[f"mv{k}"], f"{k}-overlap"), (f"gain-{k}", f"{k}-overlap"), (f"gain-{k}", known[f"round-{k}"])]
    for setting, against in pairs:
        if setting != against:
            yield "", (setting, 0), (against, 0)


def _differences(made: Experiment, part: str, found: pd.DataFrame, measure: str) -> Iterator[tuple]:
    """Ranker, then what `contrasts` gives, values and differences (n_draws, n_queries) in the draws that both have."""
    by_run, asked = values(made, found, MEASURES[measure]), list(contrasts(made, part))
    for ranker in (*RANKERS, BOTH):
        for budget, run, against in asked:
            if {(ranker, *run), (ranker, *against)} <= {*by_run}:
                first, second = by_run[ranker, *run], by_run[ranker, *against]
                draws = min(len(first), len(second))
                yield ranker, budget, run, against, first, first[:draws] - second[:draws]


def effects(made: Experiment, part: str, found: pd.DataFrame) -> pd.DataFrame:
    """What each setting gains over one label, and what others over each other, with crossed intervals. Frame part,
    ranker, measure, setting, against, budget, labels, trained, ndcg, and the fields of `Effect`."""
    bought, rows = found.groupby("setting")["labels"].mean(), []
    if part == VALIDATED:  # one label a document validates
        bought = (bought * (FOLDS - 2) + 1) / (FOLDS - 1)
    for measure in MEASURES:
        for ranker, budget, run, against, own, less in _differences(made, part, found, measure):
            setting = ", ".join(made.same.get(run[0], run[:1]))
            row = {"part": part, "ranker": ranker, "measure": measure, "setting": setting, "against": against[0]}
            row |= {"budget": budget, "labels": bought[run[0]], "trained": run[1], "ndcg": own.mean()}
            rows.append(row | crossed_effect(*crossed_means(less))._asdict())
    return pd.DataFrame(rows)


def by_query_and_draw(made: Experiment, part: str, found: pd.DataFrame) -> pd.DataFrame:
    """Differences in NDCG@3 to one label, means over draws and means over queries, and what both leave. Frame part,
    ranker, budget, unit, number, and a column a setting."""
    shuffled = np.random.default_rng(SEED).permutation(int(made.shared["testable"].sum()))
    most, tables = found["draw"].nunique(), {}
    for ranker, budget, run, against, _, less in _differences(made, part, found, AT_3):
        if against[0] == "baseline" and ranker != BOTH:
            queries, draws, residual = crossed_means(less)
            draws = np.pad(draws, (0, most - len(draws)), constant_values=np.nan)
            values = np.concatenate([queries[shuffled], draws, [residual]])
            tables.setdefault((ranker, budget), {})[run[0]] = values
    units = ["query"] * len(shuffled) + ["draw"] * most + ["residual"]
    numbers = [*range(1, len(shuffled) + 1), *range(1, most + 1), 1]
    frames = [
        pd.DataFrame({"part": part, "ranker": ranker, "budget": budget, "unit": units, "number": numbers} | columns)
        for (ranker, budget), columns in tables.items()
    ]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def label_errors(made: Experiment) -> pd.DataFrame:
    """How far the gain of each setting's label lies from the mean gain of people whom no setting asks, squared. Frame
    setting, pairs (of more than k labels), squared_error, and the fields of `Effect`."""
    k, people, errors = made.k, made.people, {}
    several = (people.labels >= 0).sum(axis=1) > k
    asked = [setting for setting in made.same if setting == TILL_BAD or schemes.parse(scheme_of(setting)).k <= k]
    if not several.any():
        return pd.DataFrame()
    for labels, judges in zip(
        made.shared["labels"][:DRAWS, several], made.shared["judges"][:DRAWS, several], strict=True
    ):
        left_out = np.where(labels[:, k:] >= 0, gains_of(np.maximum(labels[:, k:], 0)), np.nan)
        for setting in asked:
            sample = collected(setting, labels[:, :k], judges[:, :k], people.good)
            total = np.bincount(sample.rows, gains_of(sample.grades, 1, sample.gains) * sample.weights)
            means = total / np.bincount(sample.rows, sample.weights)
            errors.setdefault(setting, []).append((means - np.nanmean(left_out, axis=1)) ** 2)
    _, query = np.unique(people.collection.query_index[several], return_inverse=True)
    by_query = {setting: [np.bincount(query, own) for own in found] for setting, found in errors.items()}
    by_query = {setting: np.array(sums) * (query.max() + 1) / len(query) for setting, sums in by_query.items()}
    one, rows = by_query["baseline"], []
    for setting, own in by_query.items():
        effect = crossed_effect(*crossed_means((own - one) / one.mean()))
        row = {"setting": ", ".join(made.same[setting]), "pairs": len(query), "squared_error": own.mean()}
        rows.append(row | effect._asdict())
    return pd.DataFrame(rows)


def facts(made: Experiment) -> pd.DataFrame:
    """What the collection is like, a row. Frame queries, testable, documents, labels, k, good, equal, kappa,
    weighted_kappa, cost."""
    people = made.people
    given = people.labels >= 0
    is_good = np.where(given, people.labels >= people.good, -1)
    equal, _, kappa, _ = _agreement(is_good)
    row = {"queries": people.collection.n_queries, "testable": int(people.testable.sum())}
    row |= {"documents": people.collection.group.mean(), "labels": given.sum(axis=1).mean(), "k": made.k}
    row |= {"good": is_good[given].mean(), "equal": equal, "kappa": kappa}
    row |= {"weighted_kappa": _agreement(people.labels)[3]}
    row |= {"cost": schemes.expected_cost("if-good-3", schemes.moments(people.labels, good=people.good))}
    return pd.DataFrame([row])


def _agreement(labels: np.ndarray) -> list[float]:
    """Equal, chance, kappa and weighted kappa of two labels of a pair, whoever gave them."""
    counts = votes(labels)
    counts = counts[counts.sum(axis=1) > 1]
    together = met(counts, [0, len(counts)], counts / (counts.sum(axis=1, keepdims=True) - 1))
    return [float(value) for [value] in kappas(together, np.arange(counts.shape[1])).values()]


def tables(made: Experiment, learned: pd.DataFrame, found: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """All that is stored of a collection."""
    common.whole(**found)
    by_part = [by_query_and_draw(made, part, table) for part, table in found.items()]
    stored = {"effects": pd.concat([effects(made, part, table) for part, table in found.items()], ignore_index=True)}
    stored |= {"learners": learned, "facts": facts(made), "labels": label_errors(made)}
    stored |= {"differences": pd.concat(by_part, ignore_index=True).round(4)}
    return {name: table for name, table in stored.items() if len(table)}


def _write(name: str) -> None:
    """Make the runs of a collection, and store their tables."""
    made, options = experiment(name), common.kept(SEED, "01")
    learned = learners(made, **options)
    found = {part: runs(made, part, learned, **options) for part in PARTS}
    common.write(f"{STORED}/{name}", tables(made, learned, found), {"seed": SEED, "draws": PARTS})


TASKS = {name: partial(_write, name) for name in COLLECTIONS}
