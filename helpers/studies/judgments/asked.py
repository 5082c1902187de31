"""All tables of study 6, from the judgments alone, and what of them a program reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from helpers import checks
from helpers.judging import agreements, asking, comparing, models, questions, rankings, replacing, steadiness
from helpers.judging.judgments import are_models, coded
from helpers.studies.judgments import protocol, tables
from helpers.studies.judgments.protocol import CUTOFFS, DRAWS, FEW, Given

VERSION = 1
"""Of the keys of `answers.json`: another one where a key goes or means something else."""

WORST = 10
"""Queries of the least agreement that `answers.json` names."""

DIGITS = 6
"""Of the numbers in it after the point."""

TOLD = {
    "judges": "judge judgments shared queries mean",
    "remarks": "what who count",
    "agreement": "first second documents equal chance kappa weighted_kappa",
    "boundaries": "below above differ kappa",
    "worst_queries": "query documents alpha",
    "replacements": "judge model reached low high others difference difference_low difference_high",
    "models": "judge documents weighted_kappa weighted_kappa_low weighted_kappa_high kappa bias error mapped_error "
    "failures held_against winning_rate passes tau tau_low tau_high tau_ap tau_ap_low tau_ap_high kept reversed needed",
    "runs": "run by kind queries ndcg low high unjudged",
    "decisions": "by kind queries best ndcg low high beaten unjudged apart kept weaker reversed added",
    "ceilings": "cutoff ceiling low high",
    "ties": "labels documents higher middle",
    "with_itself": "judge documents answers equal chance kappa weighted_kappa",
    "calibration": "judge documents unanimous right right_else difference low high",
    "drift": "judge documents queries severity severity_low severity_high agreement agreement_low agreement_high",
}
"""Lists of `answers.json`, and the columns of the table in `Answers` that are keys of their members."""

CALLED = {"remarks": "wrong", "ceilings": "best"}
"""What such a table is called in `Answers`, where that is another name."""


@dataclass(frozen=True, eq=False)
class Answers:
    """What can be said of judgments; a table without rows is a question that they do not answer.

    All are of people alone, but `models`, `model_bias`, `model_maps`, `calibration`, and `judges`, `replacements`,
    `moved`, `corrected`, `with_itself`, `drift` and what is of runs, in which a model is a row of its own; `moved` and
    `corrected` are of runs, or where there are none of imagined ones.
    """

    given: Given
    settings: dict[str, float]
    judges: pd.DataFrame
    wrong: pd.DataFrame
    agreement: pd.DataFrame
    by_query: pd.DataFrame
    boundaries: pd.DataFrame
    unanimity: pd.DataFrame
    disputed: pd.DataFrame
    alpha: dict[str, float]
    confusion: pd.DataFrame
    ceilings: pd.DataFrame
    replacements: pd.DataFrame
    models: pd.DataFrame
    among_people: pd.DataFrame
    model_bias: pd.DataFrame
    model_maps: pd.DataFrame
    moved: pd.DataFrame
    corrected: pd.DataFrame
    runs: pd.DataFrame
    run_pairs: pd.DataFrame
    decisions: pd.DataFrame
    run_notes: list[str]
    best: pd.DataFrame
    rules: pd.DataFrame
    comparisons: pd.DataFrame
    ask_again: pd.DataFrame
    hidden: pd.DataFrame
    ties: pd.DataFrame
    with_itself: pd.DataFrame
    calibration: pd.DataFrame
    drift: pd.DataFrame

    @property
    def counts(self) -> dict[str, int]:
        """How many judgments, queries and documents there are of people (where nobody but models judged, of these),
        people and models, and documents that two judged."""
        models, judged = are_models(self.judges["judge"]), self.given.frame
        return {
            "judgments": len(judged),
            "queries": judged["query"].nunique(),
            "documents": len(judged[["query", "doc"]].drop_duplicates()),
            "people": int((~models).sum()),
            "models": int(models.sum()),
            "judged_twice": int(self.unanimity["documents"].sum()),
        }

    @property
    def few(self) -> bool:
        """Whether two people judged the same, but in fewer than FEW queries."""
        return bool(self.alpha["units"] < FEW) and not self.unanimity.empty

    @property
    def constant(self) -> set[str]:
        """Judges who give one grade to everything."""
        return set(self.judges.loc[self.judges["grades"] == 1, "judge"])

    @property
    def threshold(self) -> float:
        """How far the difference of two runs, or imagined rankings, moves when another judge's labels score them: the
        median over people of the 95 % quantile over pairs; NaN where none shares FEW queries with others."""
        people = self.moved[~are_models(self.moved["judge"])]
        return float(people.loc[people["queries"] >= FEW, "moved"].median())

    @property
    def worst_queries(self) -> pd.DataFrame:
        """The queries on which people agree least: rows of `by_query`, those of FEW documents first."""
        known = self.by_query.dropna(subset="alpha")
        return known.sort_values("documents", key=lambda n: n < FEW, kind="stable", ignore_index=True).head(WORST)

    @property
    def ndcg(self) -> str:
        """What is measured, with its cut-off."""
        return f"nDCG@{self.settings['cutoff']:g}"

    @property
    def ceiling(self) -> pd.DataFrame:
        """The row of `best` at the cut-off, if it is known."""
        return self.best[self.best["cutoff"] == self.settings["cutoff"]]

    @property
    def to_ask(self) -> pd.DataFrame:
        """The documents to ask again up to the place to stop."""
        return self.ask_again[self.ask_again["ask"]]

    def written(self) -> dict[str, pd.DataFrame]:
        """The tables that are left beside the notebook, by name; what is to be asked again is written apart."""
        alone = {"given", "settings", "alpha", "ask_again", "confusion", "run_notes"}
        frames = {name: table for name, table in vars(self).items() if name not in alone}
        return frames | {"alpha": pd.DataFrame([self.alpha]), "confusion": self.confusion.reset_index()}

    def to_json(self) -> str:
        """What `answers.json` holds, which `answers.schema.json` of the documentation describes key by key.

        The same judgments in another order give the same text; a number that is not known is null.

        Examples
        --------
        >>> rows = [("q", d, who, grade) for who in ("Ann", "Bob") for d, grade in enumerate((0, 1, 2))]
        >>> frame = pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])
        >>> json.loads(answers(frame, cutoff=3).to_json())["alpha"]
        {'alpha': 1.0, 'low': 1.0, 'high': 1.0}
        """
        found = {"version": VERSION, "data": self.given.data, "settings": self.settings, "counts": self.counts}
        found["alpha"] = {name: self.alpha[name] for name in ("alpha", "low", "high")}
        found["threshold"] = self.threshold
        for name, columns in TOLD.items():
            found[name] = getattr(self, CALLED.get(name, name))[columns.split()].to_dict("records")
        gain = self.to_ask["summed"].max() if len(self.to_ask) else 0.0
        found["ask_again"] = {"listed": len(self.ask_again), "ask": len(self.to_ask), "gain": gain}
        text = pd.Series(found).to_json(double_precision=15)  # null for what is not known
        plain = json.loads(text, parse_float=lambda number: round(float(number), DIGITS))
        return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def answers(
    judgments: str | Path | pd.DataFrame,
    format: str = "",
    columns: str = "",
    grades: str = "",
    repeats: str = "refuse",
    *,
    machines: str | Sequence[str] = (),
    runs: str = "",
    names: bool = False,
    cutoff: int = 10,
    epsilon: float = 0.15,
    seed: int = 6,
) -> Answers:
    """What notebook 06 says of judgments: agreement, who can replace whom, the best possible, what to ask again.

    Parameters
    ----------
    judgments : files as `formats.read` takes them, or a long frame query, doc, assessor, grade; "" for SYNTHETIC ones
    format, columns, grades, repeats : of files, as `formats.read` takes them
    machines : assessors who are language models, where the files do not say so, by name or pattern; "none" where nobody
        is one, though a name is like a model's
    runs : rankings to be compared, a folder of TREC runs, or files separated by commas
    names : keep the names of judges, and queries and documents that are texts; else they are numbered
    cutoff : rank down to which nDCG is measured
    epsilon : tolerance of the alternative annotator test, a share of the documents
    seed : of bootstrap samples, imagined rankings, and orders of asking

    Returns
    -------
    answers : tables, and `to_json()`, what a run of 06 leaves as `answers.json`

    Raises
    ------
    OSError, ValueError
        as `formats.read`, `judgments.coded`, `runs.read_runs` and `rankings.of_runs`, or where the cutoff is no whole
        number of at least 1, or what is of files is said of a frame.

    Examples
    --------
    >>> rows = [("q", d, who, grade) for who in ("Ann", "Bob") for d, grade in enumerate((0, 1, 2))]
    >>> found = answers(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]), cutoff=3)
    >>> found.counts["judged_twice"], found.agreement[["first", "second", "equal"]].to_numpy().tolist()
    (3, [['judge 1', 'judge 2', 1.0]])
    """
    checks.cutoff("cutoff", cutoff, whole_list=False)
    how = {"format": format, "columns": columns, "grades": grades, "repeats": repeats, "machines": machines}
    rng = np.random.default_rng(seed)
    return of(protocol.given(judgments, **how, names=names, rng=rng), cutoff, epsilon, seed, runs)


def of(given: Given, cutoff: int, epsilon: float, seed: int, runs: str = "") -> Answers:
    """The answers for judgments that were read, and for runs; their order does not matter."""
    rngs = np.random.default_rng(seed).spawn(10)
    alpha, by_judge, replaced, imagined, matrix, rules, claims, order, modelled, resampled = rngs
    frame, everyone = (
        table.sort_values(["query", "doc", "assessor"], ignore_index=True) for table in (given.frame, given.everyone)
    )
    people, several = coded(frame), tables.several(frame)
    all_judges = people if len(frame) == len(everyone) else coded(everyone)
    scales = questions.by_judge(all_judges)
    crossed = replacing.crossed(all_judges, cutoff)
    ranked = protocol.ranked(given, all_judges, runs, cutoff, rng=imagined)
    scores = rankings.scored(ranked)
    compared = comparing.compared(ranked.names, scores, draws=DRAWS, rng=resampled) if runs else comparing.NONE
    first_two = compared.pairs.loc[compared.pairs["kind"] == rankings.ALL, ["first", "second"]].head(1)
    two = (rankings.among(ranked, people), first_two.to_numpy().ravel()) if len(first_two) else ()
    drift = steadiness.drift(everyone)
    page = models.page(all_judges, draws=DRAWS, rng=modelled)
    return Answers(
        given=given,
        settings={"cutoff": cutoff, "epsilon": epsilon, "seed": seed},
        judges=tables.judges(everyone, scales),
        wrong=tables.wrong(frame, scales, drift, given.reading),
        agreement=agreements.by_judges(people),
        by_query=agreements.by_query(people),
        boundaries=agreements.boundaries(people),
        unanimity=agreements.unanimity(people),
        disputed=agreements.disputed(frame),
        alpha=agreements.alpha(people, draws=DRAWS, rng=alpha),
        confusion=tables.confusion(people),
        ceilings=tables.of_people(replacing.ceilings(crossed, draws=DRAWS, rng=by_judge), "sorted_by", "scored_by"),
        replacements=replacing.replaceability(crossed, draws=DRAWS, rng=replaced),
        models=tables.models(page.table, compared.orders, all_judges, epsilon),
        among_people=page.people,
        model_bias=page.by_grade,
        model_maps=page.maps,
        moved=rankings.moved(scores),
        corrected=rankings.corrected(ranked, scores),
        runs=compared.runs,
        run_pairs=compared.pairs,
        decisions=compared.decisions,
        run_notes=list(ranked.notes),
        best=tables.best(people, sorted({*CUTOFFS, cutoff}), draws=DRAWS, rng=matrix),
        rules=tables.rules(several, cutoff, rules),
        comparisons=tables.rule_comparisons(several, draws=DRAWS, rng=claims),
        ask_again=asking.repairs(people, cutoff, *two),
        hidden=asking.hidden(people, cutoff, rng=order),
        ties=tables.ties(several),
        with_itself=steadiness.with_itself(given.reading.repeated),
        calibration=steadiness.calibration(given.reading.repeated, given.reading.everyone),
        drift=drift,
    )
