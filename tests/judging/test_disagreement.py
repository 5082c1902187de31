import numpy as np
import pytest
from scipy.stats import dirichlet_multinomial

from helpers.datasets.collection import offsets_of
from helpers.judging import ceilings, formats, judgments
from helpers.judging.confusion import draw_labels, draw_pool, probabilities
from helpers.judging.cystic_fibrosis import JUDGES, read_judgments
from helpers.judging.real_ceilings import CONCENTRATIONS, concentration, per_query
from helpers.metrics import ndcg

POOLED = np.array([[0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]])


def drawn_counts(n_queries, documents, concentration, rng):
    matrices = draw_pool(POOLED, n_queries, concentration, rng)
    return rng.multinomial(documents, matrices)


def test_the_concentration_that_made_the_counts_is_found_for_every_row(rng):
    made = np.array([2, 8, 30])
    np.testing.assert_allclose(concentration(drawn_counts(3000, 40, made, rng)), made, rtol=0.1)


def test_queries_that_differ_by_chance_only_have_a_high_concentration(rng):
    assert np.all(concentration(drawn_counts(300, 20, 1e9, rng)) > 50)


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


def test_the_pooled_matrix_may_leave_out_the_query_itself():
    counts = np.array([[[4, 0]], [[0, 4]]])
    others = probabilities(counts.sum(axis=0) - counts)
    np.testing.assert_allclose(per_query(counts, others, [4]), [[[0.5, 0.5]], [[0.5, 0.5]]])


def test_averaging_over_queries_that_differ_raises_the_ceiling_above_that_of_the_pooled_matrix(rng):
    counts = [20, 6, 4]
    matrices = draw_pool(POOLED, 300, 3, rng)
    pooled, each = ceilings.exact(counts, POOLED, 10), ceilings.exact([counts] * 300, matrices, 10)
    assert each.mean() > pooled + 0.02


def test_half_of_a_querys_documents_predict_the_ndcg_of_the_other_half_better_than_the_pooled_matrix(rng):
    """The held-out test, on queries drawn from the model itself."""
    n_queries, profile = 200, np.array([30, 12, 10])
    matrices = draw_pool(POOLED, n_queries, 3, rng)
    grades = np.repeat(np.arange(3), profile)
    labels = np.stack([draw_labels(grades, matrix, rng) for matrix in matrices])
    learned = rng.multinomial(profile, matrices)
    real = ndcg(np.tile(grades, n_queries), labels.ravel(), offsets_of([len(grades)] * n_queries), 10)
    pooled = ceilings.exact(profile, probabilities(learned.sum(axis=0)), 10)
    own = ceilings.exact([profile] * n_queries, per_query(learned, POOLED, concentration(learned)), 10)
    assert abs(own.mean() - real.mean()) < 0.02 < real.mean() - pooled
    assert np.corrcoef(own, real)[0, 1] > 0.6


def test_on_llmjudge_disagreement_between_queries_explains_the_real_ndcg(real_data, rng):
    directory = real_data / "judgments" / "llmjudge"
    judges = ["Olz-gpt4o", "TREMA-4prompts", "h2oloo-fewself", "prophet-setting1", "willia-umbrela1"]
    testing = directory / "llmjudge_test_qrel_idx.txt"
    files = [testing, *(directory / "scores" / f"{judge}.txt" for judge in judges)]
    frame = formats.read(",".join(map(str, files)), "qrels").frame
    pairs = [judgments.paired(frame, testing.stem, judge) for judge in judges]
    real, pooled, own = np.hstack([halves(of_judge, 4, rng) for of_judge in pairs for _ in range(8)])
    assert real.mean() - pooled.mean() > 0.02
    assert abs(real.mean() - own.mean()) < (real.mean() - pooled.mean()) / 2
    assert np.corrcoef(real, own)[0, 1] > np.corrcoef(real, pooled)[0, 1] + 0.2


def test_on_cystic_fibrosis_the_pooled_matrix_is_enough(real_data):
    frame = read_judgments(real_data / "judgments" / "cystic-fibrosis" / "cfquery")
    for testing in JUDGES:
        for training in set(JUDGES) - {testing}:
            pairs = judgments.paired(frame, testing, training)
            counts = judgments.query_confusion_counts(pairs, 3)
            others = probabilities(counts.sum(axis=0) - counts)
            ceiling = ceilings.exact(counts.sum(axis=2), others, 10)
            assert np.nanmean(ceiling) == pytest.approx(np.nanmean(real_ndcg(pairs)), abs=0.02)


def real_ndcg(pairs):
    offsets = offsets_of(pairs.groupby("query", sort=False).size().to_numpy())
    return ndcg(pairs["testing"], pairs["training"], offsets, 10)


def halves(pairs, n_grades, rng):
    """Real nDCG@10 of one random half of each query, its pooled ceiling, and that of a matrix from the other half."""
    half = pairs.sample(frac=1, random_state=rng).groupby("query").cumcount() % 2
    scored, learned = pairs[half.sort_index() == 0], pairs[half.sort_index() == 1]
    profiles = judgments.query_confusion_counts(scored, n_grades).sum(axis=2)
    counts = judgments.query_confusion_counts(learned, n_grades)
    others = probabilities(counts.sum(axis=0) - counts)
    own = per_query(counts, others, concentration(counts))
    return real_ndcg(scored), ceilings.exact(profiles, others, 10), ceilings.exact(profiles, own, 10)
