import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from helpers.judging import ceilings
from helpers.judging.confusion import draw_pool, load_confusions
from helpers.metrics import discounts, gains

WEB5 = "WEB5_truth_vs_worker"
LISTS = [(5, 4, 3, 2, 1), (60, 40, 16, 2, 2), (520, 320, 130, 20, 10)]


@pytest.fixture(scope="module")
def web5():
    return load_confusions()[WEB5].probabilities


def random_confusion(n_grades, seed, concentration=0.7):
    return np.random.default_rng(seed).dirichlet(np.full(n_grades, concentration), size=n_grades)


def enumerated(counts, confusion, k, gain="exponential"):
    """nDCG@k averaged over every ranking and every way to cut it into groups of equal labels, highest label first.

    A labelling with groups of m_0, m_1, … documents leaves prod m_j! orders, all equally likely.
    """
    grades = np.repeat(np.arange(len(counts)), counts)
    n = len(grades)
    k = min(k or n, n)
    rankings = grades[np.array(list(permutations(range(n))))]
    dcg = gains(rankings[:, :k], gain) @ discounts(k)
    expected = 0.0
    for sizes in product(range(n + 1), repeat=confusion.shape[1]):
        if sum(sizes) == n:
            labels = np.repeat(np.arange(confusion.shape[1])[::-1], sizes)
            chance = confusion[rankings, labels].prod(axis=1) / math.prod(map(math.factorial, sizes))
            expected += chance @ dcg
    return expected / (gains(np.sort(grades)[::-1][:k], gain) @ discounts(k))


# values that a hand can check


def test_ceilings_by_hand():
    first = 0.9 * 0.7 + (0.9 * 0.3 + 0.1 * 0.7) / 2  # one relevant document of two
    ceiling = ceilings.exact([1, 1], [[0.7, 0.3], [0.1, 0.9]])
    assert ceiling == pytest.approx(first + (1 - first) / math.log2(3), abs=1e-14)
    alike = ceilings.exact([3, 2, 1], [[0, 1, 0]] * 3)  # an assessor who says the same of all: a random order
    assert alike == pytest.approx((1 * 2 + 3 * 1) / 6 * discounts(6).sum() / (3 + discounts(3)[1:].sum()), abs=1e-14)


# exact, against other ways to the same number


@pytest.mark.parametrize("gain", ["exponential", "linear"])
def test_exact_equals_enumeration_on_every_list_of_up_to_6_documents_in_3_grades(gain):
    confusion = random_confusion(3, 1)
    for counts in product(range(7), repeat=3):
        if sum(counts) <= 6 and sum(counts[1:]) > 0:
            for k in (1, 3, None):
                expected = enumerated(counts, confusion, k, gain)
                assert ceilings.exact(counts, confusion, k, gain=gain) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "confusion", [[[1, 0, 0], [0.5, 0.5, 0], [0, 0.25, 0.75]], [[0, 0, 1]] * 3, [[1, 0], [0, 1], [0.5, 0.5]]]
)
def test_exact_equals_enumeration_where_labels_are_impossible_certain_or_fewer_than_grades(confusion):
    confusion = np.array(confusion, dtype=float)
    for counts in [(1, 0, 1), (2, 2, 1), (0, 3, 3), (0, 0, 1)]:
        assert ceilings.exact(counts, confusion) == pytest.approx(enumerated(counts, confusion, None), abs=1e-12)


@pytest.mark.parametrize("counts", [LISTS[1], (260, 160, 65, 10, 5)])
def test_exact_equals_the_definition_through_characteristic_functions(counts, web5):
    counts = np.array(counts)
    n = counts.sum()
    nodes, node_weights = np.polynomial.legendre.leggauss(60)
    turns = np.exp(-2j * np.pi * np.arange(n // 2 + 1) / n)[:, None]
    gain_at_rank = np.zeros(n)
    for label in range(5):
        ahead, tied = web5[:, label + 1 :].sum(axis=1), web5[:, label]
        chances = (ahead + np.outer((1 + nodes) / 2, tied))[:, None]
        factors = 1 - chances + chances * turns
        everyone = (factors**counts).prod(axis=2)
        for i in np.flatnonzero(counts):
            n_ahead = np.fft.irfft(everyone / factors[:, :, i], n, axis=1)
            gain_at_rank += counts[i] * gains(i) * web5[i, label] * (node_weights / 2) @ n_ahead
    ideal = gains(np.repeat(np.arange(5), counts)[::-1])
    for k in (1, 10, 100, n):
        k = min(k, n)
        expected = gain_at_rank[:k] @ discounts(k) / (ideal[:k] @ discounts(k))
        assert ceilings.exact(counts, web5, k) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("n", "p"), [(5000, 0.3), (200, 0.001)])
def test_exact_of_a_relevant_document_among_many_is_a_binomial_sum(n, p):
    # label 1 is certain for the relevant document, so the others tie with it or stand behind
    tied = np.arange(n + 1)
    shared = np.cumsum(1 / np.log2(tied + 2)) / (tied + 1)
    expected = binom.pmf(tied, n, p) @ shared
    assert ceilings.exact([n, 1], [[1 - p, p], [0, 1]]) == pytest.approx(expected, rel=1e-10)


# three methods side by side


@pytest.mark.parametrize(
    ("counts", "k", "value", "error"),
    [
        (LISTS[0], 1, 0.42307, -0.0025),
        (LISTS[0], None, 0.76517, -0.0027),
        (LISTS[1], 10, 0.28596, 0.00050),
        (LISTS[2], 10, 0.12289, 0.0000032),
        (LISTS[2], None, 0.68535, 0.0000013),
    ],
)
def test_three_methods_side_by_side_and_the_error_of_the_approximation(counts, k, value, error, web5, rng):
    exact = ceilings.exact(counts, web5, k)
    mean, standard_error = ceilings.simulated(counts, web5, k, draws=1000, rng=rng)
    assert exact == pytest.approx(value, abs=1e-5)
    assert abs(mean - exact) < 4 * standard_error
    assert ceilings.approximate(counts, web5, k) - exact == pytest.approx(error, rel=0.05)


@pytest.mark.parametrize(("n", "low", "high"), [(5, 0.01, 0.05), (100, 0, 0.001)])
def test_the_approximation_gets_better_as_lists_get_longer(n, low, high, web5):
    counts = np.random.default_rng(3).multinomial(n, [0.5, 0.25, 0.15, 0.06, 0.04], size=30)
    counts = counts[counts[:, 1:].any(axis=1)]
    off = np.abs(ceilings.approximate(counts, web5, 10) - ceilings.exact(counts, web5, 10))
    assert low < off.max() < high


# properties


@given(counts=st.lists(st.integers(0, 30), min_size=2, max_size=5), k=st.none() | st.integers(1, 40))
def test_the_ceiling_of_a_matrix_without_error_is_1(counts, k):
    counts[-1] += 1
    identity = np.eye(len(counts))
    assert ceilings.exact(counts, identity, k) == pytest.approx(1, abs=1e-12)
    assert ceilings.approximate(counts, identity, k) == pytest.approx(1, abs=1e-12)


@given(
    counts=st.lists(st.integers(0, 20), min_size=3, max_size=3),
    seed=st.integers(0, 99),
    k=st.none() | st.integers(1, 30),
)
def test_exact_lies_between_the_worst_list_and_1(counts, seed, k):
    counts[-1] += 1
    confusion = random_confusion(3, seed)
    n = sum(counts)
    weights = np.pad(discounts(min(k or n, n)), (0, max(0, n - (k or n))))
    gained = gains(np.repeat(np.arange(3), counts))
    worst = gained @ weights / (gained[::-1] @ weights)
    assert worst - 1e-12 <= ceilings.exact(counts, confusion, k) <= 1 + 1e-12


@given(seed=st.integers(0, 99), k=st.none() | st.integers(1, 12))
def test_a_label_that_is_never_given_changes_nothing(seed, k):
    confusion = random_confusion(3, seed)
    wider = np.insert(confusion, 1, 0, axis=1)
    assert ceilings.exact([4, 3, 2], wider, k) == pytest.approx(ceilings.exact([4, 3, 2], confusion, k), abs=1e-12)


@pytest.mark.parametrize("method", [ceilings.exact, ceilings.approximate])
def test_queries_together_equal_each_alone_in_any_order(method, web5, rng):
    counts = rng.integers(0, 40, size=(8, 5)) + np.array([1, 0, 0, 0, 1])
    own = draw_pool(web5, len(counts), 5, rng)
    order = rng.permutation(len(counts))
    together = method(counts, own, 10)
    alone = [method(profile, matrix, 10) for profile, matrix in zip(counts, own, strict=True)]
    np.testing.assert_allclose(together, alone, rtol=1e-13)
    np.testing.assert_array_equal(method(counts[order], own[order], 10), together[order])
    np.testing.assert_array_equal(method(counts, web5, 10), method(counts, np.stack([web5] * 8), 10))


# the matrix is an estimate


def test_interval_covers_nine_times_in_ten_and_where_queries_differ_only_if_they_are_kept_apart(rng):
    confusion, counts = np.array([[0.8, 0.15, 0.05], [0.2, 0.6, 0.2], [0.05, 0.25, 0.7]]), [[6, 3, 2], [3, 0, 0]]
    ceiling, covered = ceilings.exact(counts[0], confusion, 10), np.zeros(3)
    for _ in range(60):
        alike = rng.multinomial([60, 30, 15], confusion)
        apart = rng.multinomial([20, 10, 5], draw_pool(confusion, 20, 2, rng))
        for way, known in enumerate((alike, apart.sum(axis=0), apart)):
            low, high = ceilings.interval(counts, known, 10, level=0.9, draws=60, rng=rng)
            covered[way] += low <= ceiling <= high
    assert covered[1] / 60 < 0.75 < 0.8 <= min(covered[0], covered[2]) / 60
    assert max(covered[0], covered[2]) / 60 <= 0.97


@pytest.mark.parametrize("allocation", ["random", "best"])
def test_double_judgments_give_an_interval_of_the_width_asked_for(allocation, web5, rng):
    counts = [30, 20, 10, 5, 5]
    documents = ceilings.double_judgments(counts, web5, 10, half_width=0.03, allocation=allocation)
    judged = np.round(web5 * documents[:, None]).astype(int)
    low, high = ceilings.interval(counts, judged, 10, draws=1000, rng=rng)
    assert (high - low) / 2 == pytest.approx(0.03, rel=0.12)


def test_double_judgments_chosen_by_grade_are_fewer_and_none_of_a_grade_that_does_not_occur(web5):
    at_random, best = (
        ceilings.double_judgments([60, 0, 16, 0, 2], web5, 10, allocation=name) for name in ("random", "best")
    )
    assert best.sum() < 0.6 * at_random.sum()
    assert at_random[[1, 3]].tolist() == best[[1, 3]].tolist() == [0, 0]


# refused, or a documented value


def test_a_query_without_a_gain_has_no_ceiling(web5, rng):
    counts = [[3, 0, 0, 0, 0], [3, 1, 0, 0, 0]]
    for values in (
        ceilings.exact(counts, web5),
        ceilings.approximate(counts, web5),
        *ceilings.simulated(counts, web5, draws=10, rng=rng),
    ):
        np.testing.assert_array_equal(np.isnan(values), [True, False])
    means, errors = ceilings.simulated(counts, [web5, np.eye(5)], draws=10, rng=rng)  # a matrix for each query
    assert (means[1], errors[1]) == pytest.approx((1, 0), abs=1e-9)


def test_an_unknown_row_is_fine_as_long_as_no_document_needs_it(rng):
    confusion = [[1, 0, 0], [0.2, 0.8, 0], [np.nan] * 3]
    expected = ceilings.exact([2, 2], [[1, 0], [0.2, 0.8]])
    assert ceilings.exact([2, 2, 0], confusion) == pytest.approx(expected)
    mean, error = ceilings.simulated([2, 2, 0], confusion, draws=2000, rng=rng)
    assert abs(mean - expected) < 4 * error
    with pytest.raises(ValueError, match=r"row 2 is unknown \(NaN\), but query 1 has 1 documents of grade 2"):
        ceilings.exact([[2, 2, 0], [2, 2, 1]], confusion)


@pytest.mark.parametrize(
    ("counts", "confusion", "message"),
    [
        ([1, 1], [[0.5, 0.4], [0, 1]], r"row 0 is \[0.5, 0.4\], expected probabilities that sum to 1"),
        ([1, 1], [[1, 0], [-0.1, 1.1]], r"row 1 is \[-0.1, 1.1\]"),
        ([1, 1, 1], [[1, 0], [0, 1]], r"counts has shape \(3,\), confusion \(2, 2\)"),
        ([[1, 1]] * 3, [[[1, 0], [0, 1]]] * 2, r"counts has shape \(3, 2\), confusion \(2, 2, 2\)"),
        ([1, 1], [1, 0], r"confusion has shape \(2,\)"),
        ([[1, 1], [0, 0]], [[1, 0], [0, 1]], "query 1 has no document"),
        (np.empty((0, 2)), [[1, 0], [0, 1]], "there is no query"),
        ([1.5, 1], [[1, 0], [0, 1]], r"counts has 1.5 at \(0,\), expected whole numbers"),
        ([1, np.nan], [[1, 0], [0, 1]], r"counts has nan at \(1,\)"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(counts, confusion, message):
    for method in (ceilings.exact, ceilings.approximate):
        with pytest.raises(ValueError, match=message):
            method(counts, confusion)


def test_settings_of_simulation_and_interval_are_checked(rng):
    refused = {
        "draws is 1": lambda: ceilings.simulated([1, 1], np.eye(2), draws=1, rng=rng),
        "level is 95": lambda: ceilings.interval([1, 1], np.eye(2), level=95, draws=9, rng=rng),
        r"confusion_counts has 0.5 at \(0, 1\)": lambda: ceilings.interval(
            [1, 1], [[1, 0.5], [0, 1]], draws=9, rng=rng
        ),
        "no query has a document with a gain": lambda: ceilings.interval([2, 0], np.eye(2), draws=9, rng=rng),
        "allocation is 'all'": lambda: ceilings.double_judgments([1, 1], np.eye(2), allocation="all"),
        r"confusion has shape \(1, 2, 2\), expected one": lambda: ceilings.double_judgments([[1, 1]], [np.eye(2)]),
    }
    for message, call in refused.items():
        with pytest.raises(ValueError, match=message):
            call()
