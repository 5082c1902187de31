"""Beyond study 1: what a budget of labels buys, which judges a scheme suits, and machines that judge first.

All runs here train on a part of the queries of one label set, its size by what the labels cost, so that what is
compared costs the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from helpers import assessors, depth, judge_fit, labeling, overlap_study
from helpers.collection import Collection
from helpers.judge_pool import Pool, Settings
from helpers.overlap_study import costs, fitted, tested

LABEL_SET = "clean07"
BUDGETS = (0.125, 0.25, 0.5, 1.0)
"""Labels for each pair of the label set: at 1.0 the baseline has one of every pair."""

SCHEMES = ("baseline", "if-good-2", "if-good-3", "3-overlap", "mv3", "mean-3")
MAP_SCHEMES = ("baseline", "if-good-3", "3-overlap", "mv3", "mean-3")
MAP_BUDGET = 0.5
NOISES = (0.25, 0.5, 0.75, 1.0)
MACHINE = "RAG25_NIST_vs_UMBRELA2"
ROUTES = ("person", "machine", "machine, person where good", "both where good", "both")


def budget_grid(draws: int, names: Sequence[str] = overlap_study.RANKERS) -> list[dict]:
    """Runs at every budget, with the judges fitted to the label set."""
    judges = judge_fit.stored()[LABEL_SET]
    noises = {"noise_irrelevant": judges.noise_irrelevant, "noise_relevant": judges.noise_relevant}
    return [
        {"ranker": ranker, "setting": setting, "budget": budget, **noises, "draw": draw}
        for ranker in names
        for budget in BUDGETS
        for setting in SCHEMES
        for draw in range(draws)
    ]


def map_grid(draws: int, ranker: str = "LambdaMART") -> list[dict]:
    """Runs at one budget with judges of every pair of noises, about irrelevant and about relevant documents."""
    return [
        {"ranker": ranker, "setting": setting, "budget": MAP_BUDGET, "noise_irrelevant": irrelevant,
         "noise_relevant": relevant, "draw": draw}
        for irrelevant in NOISES
        for relevant in NOISES
        for setting in MAP_SCHEMES
        for draw in range(draws)
    ]  # fmt: skip


def machine_grid(draws: int, names: Sequence[str] = overlap_study.RANKERS) -> list[dict]:
    """Runs of every route by which a machine and a person can label."""
    return [
        {"ranker": ranker, "route": route, "draw": draw}
        for ranker in names
        for route in ROUTES
        for draw in range(draws)
    ]


def spend(
    ranker: str,
    setting: str,
    budget: float,
    noise_irrelevant: float,
    noise_relevant: float,
    draw: int,
    *,
    rng: np.random.Generator,
    training: Collection,
    validation: Collection,
    test: Collection,
    known: Settings,
    shares: np.ndarray,
    seeds: np.ndarray,
) -> dict:
    """Test NDCG where a scheme labels as many queries as a budget pays for: one run.

    Parameters
    ----------
    ranker, setting, draw, rng, training, validation, test, seeds : as in `overlap_study.train_and_test`
    budget : labels for each training document; the scheme gets budget / cost of the queries, cost as expected of it
    noise_irrelevant, noise_relevant : of the judges
    known : settings that say the rest of the judges
    shares : (5,) share of each grade among the documents, for which the cost is expected

    Returns
    -------
    dict : `spent`, labels bought for each training document, `queries`, and what `overlap_study.train_and_test` gives
    """
    pool = Pool(replace(known, noise_irrelevant=noise_irrelevant, noise_relevant=noise_relevant))
    cost = labeling.expected_cost(setting, judge_fit.moments(pool.settings, shares))
    draw_rng = np.random.default_rng(seeds[draw])
    afforded = depth.sample_queries(training, min(1.0, budget / cost), draw_rng)
    labels, judges = pool.draw(afforded.grades, afforded.offsets, draw_rng)
    watched, _ = pool.draw(validation.grades, validation.offsets, draw_rng, 1)
    sample = labeling.collect(setting, labels, draw_rng, judges=judges)
    model = fitted(ranker, afforded, sample, validation.with_grades(watched[:, 0]), rng)
    spent = {"spent": sample.labels_bought / training.n_docs, "queries": afforded.n_queries}
    return spent | costs(sample) | tested(model, test)


def ask_machine(
    ranker: str,
    route: str,
    draw: int,
    *,
    rng: np.random.Generator,
    training: Collection,
    validation: Collection,
    test: Collection,
    pool: Pool,
    confusion: np.ndarray,
    seeds: np.ndarray,
) -> dict:
    """Test NDCG where a machine labels, or a person, or both, by one of ROUTES: one run.

    Parameters
    ----------
    ranker, draw, rng, training, validation, test, seeds : as in `overlap_study.train_and_test`
    route : "where good" means that the person sees only what the machine finds Good or above; with "both" the ranker
        trains on both labels
    pool : of judges, of whom one labels each document
    confusion : (5, 5) of the machine

    Returns
    -------
    dict : `person_labels` for each training document, and what `overlap_study.train_and_test` gives
    """
    if route not in ROUTES:
        raise ValueError(f"route is {route!r}, expected one of {', '.join(ROUTES)}")
    draw_rng = np.random.default_rng(seeds[draw])
    person, _ = pool.draw(training.grades, training.offsets, draw_rng, 1)
    machine = assessors.draw_labels(training.grades, confusion, draw_rng)[:, None]
    watched, _ = pool.draw(validation.grades, validation.offsets, draw_rng, 1)
    found = machine >= labeling.GOOD
    by_both = np.hstack([machine, person])
    scheme, labels, asked = {
        "person": ("baseline", person, np.ones_like(found)),
        "machine": ("baseline", machine, np.zeros_like(found)),
        "machine, person where good": ("baseline", np.where(found, person, machine), found),
        "both where good": ("if-good-2", by_both, found),
        "both": ("2-overlap", by_both, np.ones_like(found)),
    }[route]
    sample = labeling.collect(scheme, labels, None)
    model = fitted(ranker, training, sample, validation.with_grades(watched[:, 0]), rng)
    return {"person_labels": float(asked.mean())} | costs(sample) | tested(model, test)
