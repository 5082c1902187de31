"""All tables of study 6, from the judgments alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers.judging import agreements, asking, replacing
from helpers.judging.judgments import coded
from helpers.studies.judgments import tables
from helpers.studies.judgments.protocol import CUTOFFS, DRAWS


@dataclass(frozen=True, eq=False)
class Answers:
    """What can be said of judgments; a table without rows is a question that they do not answer.

    Each is of the function of its name in `tables`, but `agreement` (`by_judges`), `by_query`, `unanimity`, `disputed`
    and `alpha` of `agreements`, which are of people only, `ceilings`, `made_up` and `corrected` of `replacing`, and
    `ask_again` (`worth_asking`) and `hidden` of `asking`.
    """

    judges: pd.DataFrame
    wrong: pd.DataFrame
    agreement: pd.DataFrame
    by_query: pd.DataFrame
    unanimity: pd.DataFrame
    disputed: pd.DataFrame
    alpha: dict[str, float]
    confusion: pd.DataFrame
    ceilings: pd.DataFrame
    replacements: pd.DataFrame
    made_up: pd.DataFrame
    corrected: pd.DataFrame
    best: pd.DataFrame
    rules: pd.DataFrame
    grade_shares: pd.DataFrame
    comparisons: pd.DataFrame
    ask_again: pd.DataFrame
    hidden: pd.DataFrame

    def written(self) -> dict[str, pd.DataFrame]:
        """The tables that are left beside the notebook, by name; what is to be asked again is written apart."""
        alone = {"alpha", "ask_again", "confusion"}
        frames = {name: table for name, table in vars(self).items() if name not in alone}
        return frames | {"alpha": pd.DataFrame([self.alpha]), "confusion": self.confusion.reset_index()}


def answers(
    frame: pd.DataFrame, everyone: pd.DataFrame, cutoff: int, epsilon: float, rng: np.random.Generator
) -> Answers:
    """All tables for judgments of people, and of the same people and models.

    Parameters
    ----------
    frame, everyone : long frames query, doc, assessor, grade, as in `protocol.Given`: what people said, and with models
    cutoff : rank down to which nDCG is measured
    epsilon : tolerance of the alternative annotator test, a share of the documents
    rng : draws bootstrap samples, imagined rankings, and orders of asking

    Raises
    ------
    ValueError
        as `judgments.coded`.

    Examples
    --------
    >>> rows = [("q", d, who, grade) for who in ("Ann", "Bob") for d, grade in enumerate((0, 1, 2))]
    >>> frame = pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])
    >>> answers(frame, frame, 3, 0.15, np.random.default_rng(0)).agreement[["first", "second", "equal"]]
      first second  equal
    0   Ann    Bob    1.0
    """
    alpha, by_judge, replaced, imagined, matrix, rules, claims, order = rng.spawn(8)
    people, several = coded(frame), tables.several(frame)
    all_judges = people if len(frame) == len(everyone) else coded(everyone)
    crossed = replacing.crossed(all_judges, cutoff)
    scores = replacing.scored(all_judges, cutoff, rng=imagined)
    return Answers(
        judges=tables.judges(everyone),
        wrong=tables.wrong(frame),
        agreement=agreements.by_judges(people),
        by_query=agreements.by_query(people),
        unanimity=agreements.unanimity(people),
        disputed=agreements.disputed(frame),
        alpha=agreements.alpha(people, draws=DRAWS, rng=alpha),
        confusion=tables.confusion(people),
        ceilings=replacing.ceilings(crossed, draws=DRAWS, rng=by_judge),
        replacements=tables.replacements(all_judges, crossed, epsilon, draws=DRAWS, rng=replaced),
        made_up=replacing.made_up(scores),
        corrected=replacing.corrected(scores),
        best=tables.best(people, sorted({*CUTOFFS, cutoff}), draws=DRAWS, rng=matrix),
        rules=tables.rules(several, cutoff, rules),
        grade_shares=tables.grade_shares(several),
        comparisons=tables.rule_comparisons(several, draws=DRAWS, rng=claims),
        ask_again=asking.worth_asking(people, cutoff),
        hidden=asking.hidden(people, cutoff, rng=order),
    )
