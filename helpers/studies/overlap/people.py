"""Study 1 with the people of judged collections: runs on a reader's own, and what those that are stored say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from helpers.datasets import catalog, portrait
from helpers.engine import results, sweep
from helpers.judging import judged
from helpers.judging.judged import JudgedCollection
from helpers.metrics import significance
from helpers.reporting import verdicts
from helpers.reporting.answers import counted, listed, number, share, signed
from helpers.reporting.verdicts import REAL
from helpers.studies import askable, scales
from helpers.studies.overlap import protocol
from helpers.studies.overlap.effects import AT_3, BOTH, EQUAL_COST, SET_BEFORE, VALIDATED, named, of_people
from helpers.studies.overlap.people_trial import train_and_test
from helpers.studies.overlap.runs import whole
from helpers.studies.overlap.titles import POINTS, points
from helpers.studies.overlap.trial import FOLDS

DRAWS = {"demo": 1, "study": 4, "paper": 10}
STORED = "01/people"
"""Where the tables of `helpers.making.people` are, of a collection each."""

PARAMETERS = (
    "dataset",
    "judgments",
    "tested_by",
    "persons",
    "good",
    "format",
    "columns",
    "grades",
    "repeats",
    "machines",
)
"""Of the notebook, which `given` takes."""

BASIS = REAL
"""What effects on a judged collection rest on."""

COLUMNS = {
    "if-good-k": "if-good-{k}",
    "one fine label": "gain-{k}",
    "copies": "{k}-overlap",
    "copies of weight 1/k": "{k}-overlap/n",
    "majority": "mv{k}",
    "rounded mean": "round-{k}",
}
"""Row of `table` -> setting, of the same queries."""

EQUAL = {"equal cost: fine": "gain-{k}", "equal cost: copies": "{k}-overlap", "equal cost: rounded": "round-{k}"}
"""The same of k labels on a k-th of the queries."""

NOT_RUN = "too few queries"
"""Left at equal cost."""

ANSWERS = ("Y1", "Y14", "Y15")
"""Claims that answer the study."""

FACTS = {
    "kappa": "agreement (kappa)",
    "good": "share of Good labels",
    "documents": "number of documents a query",
    "queries": "number of queries",
}
"""What a collection is like, and what it is called."""

COSTS = ["labels", "instances", "squared_error", "fair_to_good"]


def given(dataset: str, judgments: str = "", *, good: int = 0, **how) -> JudgedCollection | None:
    """The judged collection that parameters name; None where they name none."""
    if not judgments and not catalog.is_judged(dataset):
        return None
    people = judged.read(dataset, judgments, good=good or None, **how)
    found = int(people.testable.sum())
    if found < 2 * FOLDS:
        raise ValueError(
            f"{people.collection.name}: {found} queries test, expected at least {2 * FOLDS} for {FOLDS} folds"
        )
    return people


def settings_of(most: int, scale: str) -> tuple[str, ...]:
    """The labelling schemes that so many labels of a pair allow: the paper's of up to three labels, and finer ones.

    >>> settings_of(2, "demo")
    ('baseline', '2-overlap', 'mv2', 'if-good-2', 'gain-2', 'if-good-gain-2', 'round-2')
    """
    k = min(3, most)
    some = ("baseline", f"{k}-overlap", f"mv{k}", f"if-good-{k}", f"gain-{k}", f"if-good-gain-{k}", f"round-{k}")
    if scale == "demo":
        return some
    every = () if most == k else (f"{most}-overlap", f"gain-{most}")
    return (*some, f"highest-{k}", "if-good-x3", "good-till-bad", *every)


def runs(
    people: JudgedCollection, scale: str, *, names: Sequence[str], store: str | Path, n_jobs: int, seed: int
) -> pd.DataFrame:
    """A row for each ranker, labelling scheme and draw, with all its folds, as `whole` puts them together."""
    rng, draws = np.random.default_rng(seed), scales.named(scale, DRAWS)
    order = rng.permutation(people.collection.n_queries)
    seeds = rng.integers(2**63, size=draws)
    drawn = [people.draw(np.random.default_rng(own)) for own in seeds]
    labels, judges = (np.stack(arrays) for arrays in zip(*drawn, strict=True))
    shared = {"collection": people.collection, "labels": labels, "judges": judges, "order": order, "seeds": seeds}
    shared |= {"gains": people.gains, "testable": people.testable, "good": people.good}
    settings = settings_of(labels.shape[2], scale)
    grid = sweep.grid(ranker=list(names), setting=settings, draw=range(draws), fold=range(FOLDS))
    by_fold = sweep.run(train_and_test, grid, store=store, n_jobs=n_jobs, seed=seed, shared=shared)
    found = whole(by_fold, order, ["ranker", "setting", "draw"], COSTS)
    found.insert(0, "label_set", people.collection.name)
    return found


def table(part: str = SET_BEFORE, ranker: str = BOTH) -> pd.DataFrame:
    """What several labels gain over one on each stored collection, in points with intervals: texts, a column each."""
    heads, columns = COLUMNS | (EQUAL if part == SET_BEFORE else {}), {}
    for name, tables in results.stored(STORED).items():
        k, own, equal = (
            int(tables["facts"]["k"].iloc[0]),
            _gains(tables, part, ranker),
            _gains(tables, EQUAL_COST, ranker),
        )
        found = {head: equal[equal["budget"] == 1] if head in EQUAL else own for head in heads}
        gains = {head: _in_points(_one(found[head], heads[head].format(k=k))) for head in heads}
        columns[f"{name}, k = {k}"] = {
            "labels that if-good-k takes": number(_one(own, f"if-good-{k}")["labels"])
        } | gains
    shown = pd.DataFrame(columns)
    return shown[(shown != NOT_RUN).any(axis=1)].rename_axis("").reset_index()


def answer(judged_claims: pd.DataFrame) -> str:
    """What real people's labels say of several labels a pair, a sentence a claim of ANSWERS."""
    asked = judged_claims[judged_claims["claim"].isin(ANSWERS)]
    return "\n".join(f"- {verdicts.sentence(row)}" for row in asked.to_dict("records"))


def protocols() -> str:
    """Which claims have another word where a fifth of the queries chooses the learner than where it is set before."""
    before, after = (verdicts.verdicts(of_people(part)).set_index("claim") for part in (SET_BEFORE, VALIDATED))
    trained = [claim for claim in before.index if before.loc[claim, "rankers"] and claim in after.index]
    told = {
        claim: [f"{rows.loc[claim, 'verdict']}, {verdicts.effect(rows.loc[claim])}" for rows in (before, after)]
        for claim in trained
    }
    same = [claim for claim in trained if before.loc[claim, "verdict"] == after.loc[claim, "verdict"]]
    said = [
        f"- {claim}, *{before.loc[claim, 'words']}*: {second}; with the learner set before {first}."
        for claim, (first, second) in told.items()
        if claim not in same
    ]
    alike = f"Where a fifth of the queries chooses the learner, the word is the same for {listed(same)}"
    return "\n".join([f"{alike}, and another for\n" if said else f"{alike}.", *said])


def learners() -> str:
    """What all labels gain over one in inner folds, with the learner that is taken and with the best for either."""
    said = []
    for name, tables in results.stored(STORED).items():
        tried = tables["learners"].query("queries == 0")
        taken, best = tried[tried["taken"]], tried.groupby("ranker")
        gain = (taken["all_labels"] - taken["one_label"]).mean()
        own = (best["all_labels"].max() - best["one_label"].max()).mean()
        said.append(f"{signed(POINTS * gain, 2)} and {signed(POINTS * own, 2)} on {name}")
    return (
        "In inner folds, all labels as one fine label gain over one label, in points of NDCG@10, with the learner that "
        f"is taken and with the best one for either: {listed(said)}."
    )


def reasons() -> pd.DataFrame:
    """What one fine label and if-good-k gain on each stored collection, and what the collection is like.

    Returns
    -------
    frame collection, label, effect, low, high, and the columns FACTS
    """
    rows = []
    for name, tables in results.stored(STORED).items():
        facts, found = tables["facts"].iloc[0], _gains(tables, SET_BEFORE, BOTH)
        for label in ("one fine label", "if-good-k"):
            row = _one(found, COLUMNS[label].format(k=int(facts["k"])))
            rows.append({"collection": name, "label": label, **row[["effect", "low", "high"]], **facts[[*FACTS]]})
    return pd.DataFrame(rows)


def reasons_title(gains: pd.DataFrame) -> str:
    """What so few collections let one say of why several labels gain more here than there."""
    fine = gains[gains["label"] == gains["label"].iloc[0]]
    taus = {fact: stats.kendalltau(fine[fact], fine["effect"]) for fact in FACTS}
    fact = max(taus, key=lambda fact: abs(taus[fact].statistic))
    tau, p = taus[fact].statistic, min(1.0, len(FACTS) * taus[fact].pvalue)
    sure = "more than chance does" if p < 0.05 else "no more than chance does"
    return (
        f"Of {counted(len(FACTS), 'fact')}, {FACTS[fact]} goes best with what one fine label gains (Kendall's tau "
        f"{signed(tau, 2)}), on {counted(len(fine), 'collection')} {sure} (p {number(p, 2)}, corrected)"
    )


def by_budget() -> str:
    """What k labels on a k-th of the queries gain over one label at each budget, pooled where three collections are."""
    frames = []
    for tables in results.stored(STORED).values():
        k, found = int(tables["facts"]["k"].iloc[0]), _gains(tables, EQUAL_COST, BOTH)
        frames += [named(found, setting.format(k=k)).assign(way=head) for head, setting in EQUAL.items()]
    said = []
    for way, rows in pd.concat(frames).groupby("way", sort=False):
        pooled = {budget: own for budget, own in rows.groupby("budget") if len(own) > 2}
        parts = [
            f"{verdicts.effect({'measured': own.effect, 'low': own.low, 'high': own.high})} at {share(budget)}"
            for budget, own in ((at, significance.pool(own["effect"], own["se"])) for at, own in pooled.items())
        ]
        said.append(f"- {way.removeprefix('equal cost: ')}: {listed(parts)}")
    head = (
        "At equal cost several labels on fewer queries gain in NDCG@3, pooled over collections with enough queries, by "
        "the budget as a share of what one label on all training queries takes,\n"
    )
    return "\n".join([head, *said])


def label_errors() -> str:
    """How much nearer to other people several labels are than one is, where there are people whom no scheme asks."""
    said = []
    for name, tables in results.stored(STORED).items():
        if "labels" in tables:
            k = int(tables["facts"]["k"].iloc[0])
            named = {
                f"if-good-{k}": f"if-good-{k}",
                f"gain-{k}": f"{k} labels as one fine label",
                f"mv{k}": "their majority",
            }
            parts = [
                f"{what} {signed(100 * _one(tables['labels'], one)['effect'], 1)} %" for one, what in named.items()
            ]
            said.append(f"- {name}: {listed(parts)}")
    head = "Against one label, the squared error in gain, by people whom no scheme asks, changes by\n"
    return "\n".join([head, *said])


def _gains(tables: Mapping[str, pd.DataFrame], part: str, ranker: str) -> pd.DataFrame:
    """What settings gain over one label in NDCG@3."""
    found = tables["effects"]
    wanted = {"part": part, "ranker": ranker, "measure": AT_3, "against": "baseline"}
    return found[np.logical_and.reduce([found[column] == value for column, value in wanted.items()])]


def _one(rows: pd.DataFrame, setting: str) -> pd.Series | None:
    """The row of a setting; None where there is none."""
    found = named(rows, setting)
    return found.iloc[0] if len(found) else None


def _in_points(row: pd.Series | None) -> str:
    return NOT_RUN if row is None else points(row.rename({"effect": "difference"}))


def check_given(settings: Mapping[str, Any]) -> None:
    """Read the data that parameters of the notebook name; ValueError where rankers or judges do not fit them."""
    dataset = given(**{name: settings[name] for name in PARAMETERS}) or settings["dataset"]
    if isinstance(dataset, JudgedCollection) or not portrait.named(dataset):
        askable.check_dataset(dataset, settings["rankers"])
    protocol.judges_named(settings["judges"], next(iter(protocol.LABEL_SETS)), dataset)
