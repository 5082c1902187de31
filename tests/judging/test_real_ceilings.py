"""Real limits between two assessors, and predictions that never see the query they are for."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import dirichlet_multinomial

from helpers.judging import ceilings, real_ceilings
from helpers.judging.confusion import draw_labels, draw_pool
from helpers.judging.real_ceilings import CONCENTRATIONS, concentration, per_query


def pairs_of(queries):
    """Queries as lists of (testing, training) grades."""
    rows = [(f"q{q}", testing, training) for q, documents in enumerate(queries) for testing, training in documents]
    return pd.DataFrame(rows, columns=["query", "testing", "training"])


def drawn_pairs(matrices, rng, n_docs=60):
    """Queries of three grades whose training labels come from a matrix each."""
    queries = []
    for matrix in matrices:
        grades = rng.choice(3, n_docs, p=[0.6, 0.25, 0.15])
        queries.append(list(zip(grades, draw_labels(grades, matrix, rng), strict=True)))
    return pairs_of(queries)


MATRIX = np.array([[0.8, 0.15, 0.05], [0.3, 0.5, 0.2], [0.1, 0.3, 0.6]])


def test_the_real_limit_is_that_of_the_list_sorted_by_the_training_grades():
    pairs = pairs_of([[(0, 2), (1, 1), (2, 0)], [(0, 0), (0, 1)]])
    # gains 0, 1, 3 at ranks 1, 2, 3 against 3, 1, 0
    expected = (1 / np.log2(3) + 3 / 2) / (3 + 1 / np.log2(3))
    assert real_ceilings.real(pairs) == pytest.approx([expected, np.nan], nan_ok=True)
    assert real_ceilings.real(pairs, k=1)[0] == 0


def test_a_query_is_predicted_from_the_others_alone(rng):
    pairs = pairs_of([[(1, 0), (0, 1)], [(1, 1), (0, 0)], [(1, 1), (0, 0)]])
    table = real_ceilings.predictions(pairs, 2, draws=3, rng=rng)
    assert table["documents"].tolist() == [2, 2, 2]
    assert table["varying"][0] == pytest.approx(1)
    assert table["real"].tolist() == pytest.approx([1 / np.log2(3), 1, 1])
    assert table["pooled"][0] == pytest.approx(1)  # the other two agree
    half = [[0.5, 0.5], [0.5, 0.5]]
    assert table["pooled"][1] == pytest.approx(ceilings.exact([1, 1], half))  # one agrees, one is the wrong way round


def test_a_grade_that_no_other_query_has_gets_every_label_alike(rng):
    pairs = pairs_of([[(2, 2), (0, 0)], [(1, 1), (0, 0)]])
    table = real_ceilings.predictions(pairs, 3, draws=3, rng=rng)
    known = [[1, 0, 0], [0, 1, 0], [1 / 3, 1 / 3, 1 / 3]]
    assert table["pooled"][0] == pytest.approx(ceilings.exact([1, 0, 1], known))


def test_varying_matrices_remove_a_bias_that_the_pooled_one_has(rng):
    pairs = drawn_pairs(draw_pool(MATRIX, 300, 1, rng), rng, n_docs=80)
    table = real_ceilings.predictions(pairs, 3, 10, draws=12, rng=rng)
    error = table["real"].std() / np.sqrt(len(table))
    assert table["real"].mean() - table["pooled"].mean() > 4 * error
    assert abs(table["real"].mean() - table["varying"].mean()) < 3 * error


def test_where_queries_are_alike_both_predictions_are_right(rng):
    pairs = drawn_pairs([MATRIX] * 150, rng)
    table = real_ceilings.predictions(pairs, 3, 10, draws=5, rng=rng)
    error = table["real"].std() / np.sqrt(len(table))
    for prediction in ("pooled", "varying"):
        assert abs(table["real"].mean() - table[prediction].mean()) < 3 * error


def test_the_querys_own_matrix_helps_where_queries_differ(rng):
    pairs = drawn_pairs(draw_pool(MATRIX, 80, 1.5, rng), rng)
    table = real_ceilings.held_out(pairs, 3, 10, splits=2, rng=rng)
    error = {name: np.sqrt(((table["real"] - table[name]) ** 2).mean()) for name in ("pooled", "own")}
    assert error["own"] < 0.7 * error["pooled"]
    assert table["real"].corr(table["own"]) > table["real"].corr(table["pooled"]) + 0.2


def test_a_query_of_one_document_has_no_two_halves(rng):
    pairs = pairs_of([[(1, 1)], [(1, 1), (0, 0), (1, 0), (0, 0)], [(1, 0), (0, 0), (1, 1)]])
    assert real_ceilings.held_out(pairs, 2, splits=3, rng=rng)["query"].tolist() == ["q1", "q2"]


# a matrix for every query

POOLED = np.array([[0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]])


def drawn_counts(n_queries, documents, concentration, rng):
    matrices = draw_pool(POOLED, n_queries, concentration, rng)
    return rng.multinomial(documents, matrices)


def test_the_concentration_that_made_the_counts_is_found_for_every_row(rng):
    made = np.array([2, 8, 30])
    np.testing.assert_allclose(concentration(drawn_counts(3000, 40, made, rng)), made, rtol=0.1)
    assert np.all(concentration(drawn_counts(300, 20, 1e9, rng)) > 50)  # they differ by chance only


def test_the_concentration_has_the_highest_likelihood(rng):
    counts = drawn_counts(50, 10, 5, rng)
    found = concentration(counts)
    for i in range(3):
        pooled = counts[:, i].sum(axis=0) / counts[:, i].sum()

        def likelihood(a, row=counts[:, i], pooled=pooled):
            return dirichlet_multinomial.logpmf(row, a * pooled, row.sum(axis=1)).sum()

        assert likelihood(found[i]) >= max(likelihood(found[i] * step) for step in (0.5, 0.95, 1.05, 2)) - 1e-9


def test_rows_that_cannot_tell_are_taken_as_alike():
    never_graded, one_label = np.zeros((4, 1, 2)), np.tile([5, 0], (4, 1, 1))
    assert concentration(never_graded) == concentration(one_label) == CONCENTRATIONS[1]


def test_a_query_without_counts_has_the_pooled_matrix_and_one_with_many_its_own():
    own = np.array([[9, 1, 0], [0, 10, 0], [5, 5, 0]])
    matrices = per_query(np.stack([0 * own, 1_000_000 * own]), POOLED, [3, 3, 3])
    np.testing.assert_allclose(matrices[0], POOLED)
    np.testing.assert_allclose(matrices[1], own / 10, atol=1e-5)
