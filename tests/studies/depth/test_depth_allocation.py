"""What each depth loses where a query costs something."""

import itertools

import numpy as np
import pandas as pd
import pytest

from helpers.studies.depth import allocation

QUERIES, DOCUMENTS = 2 ** np.arange(4, 9), 2 ** np.arange(1, 7)


def runs_on(surface, noise=0.0, rng=None, repeats=2, n_test=50):
    """Runs whose NDCG is that of the surface, with noise of its own in every test query."""
    rows = []
    for n, d, _ in itertools.product(QUERIES, DOCUMENTS, range(repeats)):
        per_query = np.full(n_test, surface(np.log2(n), np.log2(d)))
        if noise:
            per_query += rng.normal(0, noise, n_test)
        rows.append({"ranker": "LambdaRank", "queries": int(n), "documents": int(d), "per_query": per_query.tolist()})
    return pd.DataFrame(rows)


def ridge(x, y):
    """Highest, along a fixed number of judgments x + y = s, at y = s / 2 - 1: queries weigh more than documents."""
    return 0.4 - 0.001 * (x - y - 2) ** 2 + 0.01 * (x + y)


def test_a_quadratic_is_recovered_exactly_and_nothing_is_read_off_outside_of_it():
    cells = list(itertools.product(QUERIES, DOCUMENTS))
    means = np.array([ridge(*np.log2(cell)) for cell in cells])
    found = allocation.surface(cells, [means, 2 * means]).ndcg(np.array([64, 8, 512, 64]), np.array([16, 4, 4, 128]))
    assert found[0] == pytest.approx([ridge(6, 4), 2 * ridge(6, 4)], abs=1e-10)
    assert np.isnan(found[1:]).all()


def test_losses_are_differences_to_the_best_measured_depth(rng):
    table = allocation.losses(runs_on(ridge), rng)
    free = table.query("budget == 1024 and cost == 0").set_index("documents")
    # along x + y = 10 the ridge is highest at y = 4, and falls by .001 (2 dy)^2
    assert free["loss"].to_dict() == pytest.approx({4.0: 0.016, 8.0: 0.004, 16.0: 0.0, 32.0: 0.004, 64.0: 0.016})
    assert free["low"].to_numpy() == pytest.approx(free["loss"].to_numpy())
    assert free["queries"].to_dict()[16.0] == 64
    deep = table.query("budget == 4096 and documents == 64").set_index("cost")["loss"]
    assert deep[0] > deep[8] > deep[64]  # the dearer a query, the less is lost by judging it deeply


def test_noise_widens_the_interval(rng):
    table = allocation.losses(runs_on(ridge, noise=0.1, rng=rng), rng).query("loss > 0")
    assert (table["low"] < table["high"]).all()


def test_too_few_cells_are_refused(rng):
    runs = runs_on(ridge)
    with pytest.raises(ValueError, match="runs has 5 cells"):
        allocation.losses(runs[runs["documents"] == 2], rng)
