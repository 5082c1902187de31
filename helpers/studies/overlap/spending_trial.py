"""One run beyond study 1: a budget is spent by a scheme, or a machine and a person share the work."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from helpers import checks
from helpers.datasets import sampling
from helpers.datasets.collection import Collection
from helpers.judging import pool_costs, schemes
from helpers.judging.confusion import draw_labels
from helpers.judging.pool import Pool, Settings
from helpers.studies.overlap.trial import fitted, tested

ROUTES = ("person", "machine", "machine, person where good", "both where good", "both")


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
    ranker, setting, draw, rng, training, validation, test, seeds : as in `trial.train_and_test`
    budget : labels for each training document; the scheme gets budget / cost of the queries, cost as expected of it
    noise_irrelevant, noise_relevant : of the judges
    known : settings that say the rest of the judges
    shares : (5,) share of each grade among the documents, for which the cost is expected

    Returns
    -------
    dict : `spent`, labels bought for each training document, `queries`, and what `trial.train_and_test` gives
    """
    pool = Pool(replace(known, noise_irrelevant=noise_irrelevant, noise_relevant=noise_relevant))
    cost = schemes.expected_cost(setting, pool_costs.moments(pool.settings, shares))
    draw_rng = np.random.default_rng(seeds[draw])
    afforded = sampling.queries(training, min(1.0, budget / cost), draw_rng)
    labels, judges = pool.draw(afforded.grades, afforded.offsets, draw_rng)
    watched, _ = pool.draw(validation.grades, validation.offsets, draw_rng, 1)
    sample = schemes.collect(setting, labels, draw_rng, judges=judges)
    model = fitted(ranker, afforded, sample, validation.with_grades(watched[:, 0]), rng)
    spent = {"spent": sample.labels_bought / training.n_docs, "queries": afforded.n_queries}
    return spent | schemes.costs(sample) | tested(model, test)


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
    ranker, draw, rng, training, validation, test, seeds : as in `trial.train_and_test`
    route : "where good" means that the person sees only what the machine finds Good or above; with "both" the ranker
        trains on both labels
    pool : of judges, of whom one labels each document
    confusion : (5, 5) of the machine

    Returns
    -------
    dict : `person_labels` for each training document, and what `trial.train_and_test` gives

    Raises
    ------
    ValueError
        when there is no such route.
    """
    checks.one_of("route", route, ROUTES)
    draw_rng = np.random.default_rng(seeds[draw])
    person, _ = pool.draw(training.grades, training.offsets, draw_rng, 1)
    machine = draw_labels(training.grades, confusion, draw_rng)[:, None]
    watched, _ = pool.draw(validation.grades, validation.offsets, draw_rng, 1)
    found = machine >= schemes.GOOD
    by_both = np.hstack([machine, person])
    scheme, labels, asked = {
        "person": ("baseline", person, np.ones_like(found)),
        "machine": ("baseline", machine, np.zeros_like(found)),
        "machine, person where good": ("baseline", np.where(found, person, machine), found),
        "both where good": ("if-good-2", by_both, found),
        "both": ("2-overlap", by_both, np.ones_like(found)),
    }[route]
    sample = schemes.collect(scheme, labels, None)
    model = fitted(ranker, training, sample, validation.with_grades(watched[:, 0]), rng)
    return {"person_labels": float(asked.mean())} | schemes.costs(sample) | tested(model, test)
