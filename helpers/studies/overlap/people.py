"""Study 1 with the people of judged collections: runs on a reader's own, and what those that are stored say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from helpers import paths
from helpers.datasets import catalog, portrait
from helpers.engine import results, sweep
from helpers.judging import judged
from helpers.judging.judged import JudgedCollection
from helpers.metrics import significance
from helpers.reporting import verdicts
from helpers.reporting.answers import counted, listed, number, share, signed
from helpers.reporting.verdicts import PORTRAIT, REAL
from helpers.studies import askable, ledger, scales
from helpers.studies.overlap import protocol
from helpers.studies.overlap.effects import (
    BOTH,
    EQUAL_COST,
    SET_BEFORE,
    VALIDATED,
    gained,
    labels_a_pair,
    named,
    of_label_set,
    of_people,
)
from helpers.studies.overlap.people_trial import train_and_test
from helpers.studies.overlap.runs import label_set_runs, whole
from helpers.studies.overlap.trial import FOLDS

DRAWS = {"demo": 1, "study": 4, "paper": 10}
STORED = "01/people"  # where the tables of `helpers.making.people` are, of a collection each

# of the notebook, which `given` takes
PARAMETERS = (
    "dataset", "judgments", "tested_by", "persons", "good", "format", "columns", "grades", "repeats", "machines"
)  # fmt: skip

POOLED, OWN = "pooled", "own"  # kinds of rows of `gains` beside those of real collections

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

POINTS = 100  # a point is a hundredth of NDCG

NOT_RUN = "too few queries"  # left at equal cost

USES = {
    "if-good-k": ("if-good-{k}", SET_BEFORE, "Y1"),
    "one fine label": ("gain-{k}", SET_BEFORE, "Y14"),
    "one fine label, equal cost": ("gain-{k}", EQUAL_COST, "Y15"),
}
"""Use of several labels -> its setting, the part of the experiment that has it, and the claim that pools it."""

ADVICE = (
    "Buy one label a document, of as many queries as you can; that second opinions train better is not shown.",
    "Ask a second and a third person wherever the first says *Good*.",
)
"""By whether it is shown that if-good-k beats one label."""

MARGIN = 0.003  # a gain in NDCG that is taken for none: the smallest that the paper makes a claim of is .0037

WHAT = {
    "climate-fever": "two to five people: is a sentence of Wikipedia evidence for a claim?",
    "cystic-fibrosis": "the same four people: abstracts for a question of medicine",
    "dl19": "two of eight people: passages of TREC's Deep Learning track; NIST's assessors test",
    "esbm": "six people: the five and the ten best facts of an entity, a query each",
    "flickr8k-experts": "three experts, unnamed: captions of other images for an image",
    "target-types": "seven workers: the one type, or none, that a search for an entity asks for",
}
"""The collections of real people."""

COSTS = ["labels", "instances", "squared_error", "fair_to_good"]


def points(row: Mapping) -> str:
    """A difference with its interval, in points.

    >>> points({"effect": 0.0213, "low": 0.0104, "high": 0.0322})
    '+2.13 (1.04 to 3.22)'
    """
    found = (POINTS * row[name] for name in ("effect", "low", "high"))
    effect, low, high = (signed(value, 2 + (abs(value) >= 1)) for value in found)
    return f"{effect} ({low.lstrip('+')} to {high.lstrip('+')})"


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


def drawn(people: JudgedCollection, draws: int, rng: np.random.Generator) -> dict[str, Any]:
    """What all runs on a judged collection take: its labels drawn so many times, and an order of its queries."""
    order = rng.permutation(people.collection.n_queries)
    seeds = rng.integers(2**63, size=draws)
    drawn = [people.draw(np.random.default_rng(own)) for own in seeds]
    labels, judges = (np.stack(arrays) for arrays in zip(*drawn, strict=True))
    shared = {"collection": people.collection, "labels": labels, "judges": judges, "order": order, "seeds": seeds}
    return shared | {"gains": people.gains, "testable": people.testable, "good": people.good}


def runs(people: JudgedCollection, scale: str, *, names: Sequence[str], **options: Any) -> pd.DataFrame:
    """A row for each ranker, labelling scheme and draw, with all its folds, as `whole` puts them together."""
    draws = scales.named(scale, DRAWS)
    shared = drawn(people, draws, np.random.default_rng(options["seed"]))
    settings = settings_of(shared["labels"].shape[2], scale)
    grid = sweep.grid(ranker=list(names), setting=settings, draw=range(draws), fold=range(FOLDS))
    by_fold = sweep.run(train_and_test, grid, shared=shared, **options)
    found = whole(by_fold, shared["order"], ["ranker", "setting", "draw"], COSTS)
    found.insert(0, "label_set", people.collection.name)
    return found


def gains() -> pd.DataFrame:
    """What several labels of real people gain over one in NDCG@3, both rankers, by collection, then pooled: frame use
    (of USES), where, effect, low, high, kind (REAL, or POOLED).
    """
    judged_claims = ledger.stored("01").set_index("claim")
    rows = [
        {"use": use, "where": where, **row[["effect", "low", "high"]], "kind": REAL}
        for where, tables in _collections()
        for use, (setting, part, _) in USES.items()
        for _, row in gained(tables, setting, part=part, ranker=BOTH).iterrows()
    ]
    for use, (_, _, claim) in USES.items():
        row = judged_claims.loc[claim].rename({"measured": "effect"})
        rows.append({"use": use, "where": POOLED, **row[["effect", "low", "high"]], "kind": POOLED})
    return pd.DataFrame(rows)


def answer(judged_claims: pd.DataFrame) -> str:
    """What to do about second opinions, by the verdicts of real people's labels, in ninety words at most."""
    several, fine, equal = (judged_claims.set_index("claim").loc[claim] for _, _, claim in USES.values())
    costs = _costs()
    return (
        f"**{ADVICE[several['verdict'] == 'holds']}** On {counted(len(costs), 'real collection')}, asking up to "
        f"two more wherever the first says *Good* (if-good-3) gains {verdicts.effect(several)} NDCG@3 over one label: "
        f"*{several['verdict']}*. Cost: {number(min(costs))} to {number(max(costs))} labels a document. At equal "
        f"cost, several labels gain {verdicts.effect(equal)}: *{equal['verdict']}*. If you have several already, train "
        f"on their mean gain: {verdicts.effect(fine)}, *{fine['verdict']}*. Yang et al. (2010) print "
        f"{several['printed']}."
    )


def collections() -> pd.DataFrame:
    """The collections of real people: who judges what, how large they are, and what if-good-k costs there: texts."""
    rows = [
        (name, WHAT[name], f"{own['queries']:,.0f}", f"{own['documents']:.0f}", f"{cost:.2f} (k = {own['k']:.0f})")
        for (name, tables), cost in zip(results.stored(STORED).items(), _costs(), strict=True)
        for own in tables["facts"].to_dict("records")
    ]
    return pd.DataFrame(rows, columns=["collection", "who judges what", "queries", "documents", "labels of if-good-k"])


def trained(
    assessed: JudgedCollection | None, scale: str, *, dataset: str, judges: str, names: Sequence[str], n_jobs: int,
    seed: int
) -> dict[str, pd.DataFrame]:  # fmt: skip
    """A reader's runs by label set, or of the judged collection, where at scale demo the first ranker is trained."""
    options = {"store": paths.user_cache() / "sweeps" / "01", "n_jobs": n_jobs, "seed": seed}
    if assessed:
        return {
            assessed.collection.name: runs(assessed, scale, names=names[: 1 if scale == "demo" else None], **options)
        }
    sizes = protocol.scale_named(scale)
    usable = [name for name in sizes.label_sets if set(names) & set(protocol.LABEL_SETS[name].rankers)]
    options |= {"matrix": judges, "dataset": dataset, "names": names}
    return {name: label_set_runs(name, sizes, **options) for name in usable or sizes.label_sets}


def whose(assessed: JudgedCollection | None, judges: str, dataset: str, queries: str) -> str:
    """What a reader's run rests on."""
    if assessed:
        return f"real: labels are those of the people of {assessed.collection.name}"
    of = "" if dataset == protocol.DATASET else f", queries are of {queries}"
    return f"synthetic: {f'judges err by {judges}' if judges else 'judges are fitted to clean07'}{of}"


def own_run(tables: Mapping[str, Mapping[str, pd.DataFrame]]) -> pd.DataFrame:
    """What if-good-k gains in a reader's run: rows as of `gains`, of kind OWN, one a ranker."""
    rows = pd.concat([made["plane"] for made in tables.values()], ignore_index=True)
    rows = rows[rows["setting"].str.match(r"if-good-\d")].dropna(subset="difference").drop_duplicates("ranker")
    rows = rows.assign(use="if-good-k", where="yours, " + rows["ranker"], effect=rows["difference"], kind=OWN)
    return rows[["use", "where", "effect", "low", "high", "kind"]].reset_index(drop=True)


def answered(gains: pd.DataFrame) -> str:
    """Which uses of several labels clearly beat one label, pooled over real collections."""
    pooled = gains[gains["kind"] == "pooled"]
    clear, of = pooled.loc[pooled["low"] > 0, "use"], gains.loc[gains["kind"] == "real", "where"].nunique()
    beats = (
        f"{listed(clear)} clearly beat{'s' * (len(clear) == 1)}" if len(clear) else "no use of several clearly beats"
    )
    return f"Pooled over {counted(of, 'real collection')}, {beats} one label"


def own(rows: pd.DataFrame) -> str:
    """What if-good-k gains in a reader's run, with each ranker."""
    said = [f"{points(row)} with {row['where'].removeprefix('yours, ')}" for row in rows.to_dict("records")]
    return f"Your if-good-k gains, in points, {listed(said)}" if said else "Your run has no if-good-k beside one label"


def own_sentence(rows: pd.DataFrame) -> str:
    """What a reader's run says of if-good-k, and the words that it bears out."""
    words = dict.fromkeys(verdicts.word("better", *row, margin=MARGIN) for row in rows[["low", "high"]].to_numpy())
    return f"{own(rows)}: {listed(words)}."


def claims(
    tables: Mapping[str, Mapping[str, pd.DataFrame]], found: Mapping[str, pd.DataFrame], real: bool
) -> pd.DataFrame:
    """The verdicts of a reader's run, with each ranker."""
    basis = REAL if real else PORTRAIT
    rows = [of_label_set(name, made["comparisons"], found[name], basis) for name, made in tables.items()]
    return verdicts.of_rankers(pd.concat(rows, ignore_index=True))


def table() -> pd.DataFrame:
    """What several labels gain over one on each stored collection, in points with intervals: texts, a column each."""
    parts = dict.fromkeys(COLUMNS, SET_BEFORE) | dict.fromkeys(EQUAL, EQUAL_COST)
    columns = {}
    for where, tables in _collections():
        found = {head: gained(tables, (COLUMNS | EQUAL)[head], part=parts[head], ranker=BOTH) for head in parts}
        columns[where] = {head: points(rows.iloc[0]) if len(rows) else NOT_RUN for head, rows in found.items()}
    return pd.DataFrame(columns).rename_axis("").reset_index()


def protocols() -> pd.DataFrame:
    """The words of the claims on trained rankers where the learner is set before, and where a fifth of the queries
    chooses it: texts.
    """
    told = {part: verdicts.verdicts(of_people(part)).set_index("claim") for part in (SET_BEFORE, VALIDATED)}
    rows = {part: own["verdict"] + ", " + own.apply(verdicts.effect, axis=1) for part, own in told.items()}
    shown = pd.DataFrame({"claim": told[SET_BEFORE]["words"]} | rows)
    trained_on = told[SET_BEFORE].index[told[SET_BEFORE]["rankers"] != ""]
    return shown.loc[trained_on].dropna().reset_index(drop=True)


def by_budget() -> pd.DataFrame:
    """Points that k labels on a k-th of the queries gain over one label, pooled where three collections have a budget:
    texts, a row a use, a column a budget, as a share of what one label on all training queries takes.
    """
    frames = [
        gained(tables, setting, part=EQUAL_COST, ranker=BOTH, every_budget=True).assign(use=head)
        for _, tables in _collections()
        for head, setting in EQUAL.items()
    ]
    groups = pd.concat(frames).groupby(["use", "budget"], sort=False)
    pooled = {place: significance.pool(own["effect"], own["se"]) for place, own in groups if len(own) > 2}
    shown = pd.Series({place: points(found._asdict()) for place, found in pooled.items()}).unstack()
    return shown.rename(columns=share).rename_axis(index="", columns=None).reset_index()


def label_errors() -> pd.DataFrame:
    """By how much, in per cent, the squared error in gain is less than one label's, by people whom no scheme asks."""
    rows, shown = {}, {use: COLUMNS[use] for use in ("if-good-k", "one fine label", "majority")}
    for name, tables in results.stored(STORED).items():
        if "labels" in tables:
            found = {use: named(tables["labels"], s.format(k=labels_a_pair(tables))) for use, s in shown.items()}
            rows[name] = {use: signed(100 * own["effect"].iloc[0], 1) for use, own in found.items()}
    return pd.DataFrame(rows).T.rename_axis("collection").reset_index()


def _collections() -> Iterator[tuple[str, Mapping[str, pd.DataFrame]]]:
    """The stored collections of people, with their k."""
    for name, tables in results.stored(STORED).items():
        yield f"{name}, k = {labels_a_pair(tables)}", tables


def _costs() -> list[float]:
    """Labels a document of if-good-k on each stored collection."""
    return [gained(tables, "if-good-{k}", ranker=BOTH)["labels"].iloc[0] for _, tables in _collections()]


def check_given(settings: Mapping[str, Any]) -> None:
    """Read the data that parameters of the notebook name; ValueError where rankers or judges do not fit them."""
    dataset = given(**{name: settings[name] for name in PARAMETERS}) or settings["dataset"]
    if isinstance(dataset, JudgedCollection) or not portrait.named(dataset):
        askable.check_dataset(dataset, settings["rankers"])
    protocol.judges_named(settings["judges"], next(iter(protocol.LABEL_SETS)), dataset)
