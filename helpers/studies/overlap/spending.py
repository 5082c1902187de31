"""Beyond study 1: what a budget of labels buys, which judges a scheme suits, and machines that judge first.

All runs here train on a part of the queries of one label set, its size by what the labels cost, so that what is
compared costs the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from helpers.studies.overlap import judge_fit
from helpers.studies.overlap import protocol as study
from helpers.studies.overlap.spending_trial import ROUTES

LABEL_SET = "clean07"
BUDGETS = (0.25, 0.5, 1.0)
"""Labels for each pair of the label set: at 1.0 the baseline has one of every pair."""

SCHEMES = ("baseline", "if-good-3", "if-good-gain-3", "3-overlap", "gain-3")
MAP_SCHEMES = ("baseline", "if-good-3", "if-good-gain-3", "gain-3")
MAP_BUDGET = 0.5
NOISES = (0.25, 0.5, 1.0)
MACHINE = "RAG25_NIST_vs_UMBRELA2"


def budget_grid(draws: int, names: Sequence[str] = study.RANKERS) -> list[dict]:
    """Runs at every budget, with the judges fitted to the label set.

    Parameters
    ----------
    draws : of the labels
    names : rankers
    """
    judges = judge_fit.stored()[LABEL_SET]
    noises = {"noise_irrelevant": judges.noise_irrelevant, "noise_relevant": judges.noise_relevant}
    return [
        {"ranker": ranker, "setting": setting, "budget": budget, **noises, "draw": draw}
        for ranker in names
        for budget in BUDGETS
        for setting in SCHEMES
        for draw in range(draws)
    ]


def map_grid(draws: int, ranker: str = "LambdaRank") -> list[dict]:
    """Runs at one budget with judges of every pair of noises, about irrelevant and about relevant documents.

    Parameters
    ----------
    draws : of the labels
    ranker : a name from rankers.NAMES
    """
    return [
        {"ranker": ranker, "setting": setting, "budget": MAP_BUDGET, "noise_irrelevant": irrelevant,
         "noise_relevant": relevant, "draw": draw}
        for irrelevant in NOISES
        for relevant in NOISES
        for setting in MAP_SCHEMES
        for draw in range(draws)
    ]  # fmt: skip


def machine_grid(draws: int, names: Sequence[str] = study.RANKERS) -> list[dict]:
    """Runs of every route by which a machine and a person can label.

    Parameters
    ----------
    draws : of the labels
    names : rankers
    """
    return [
        {"ranker": ranker, "route": route, "draw": draw}
        for ranker in names
        for route in ROUTES
        for draw in range(draws)
    ]
