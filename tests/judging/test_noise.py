"""dNoise injected, pNoise counted and expected."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.judging import noise
from helpers.judging.confusion import draw_labels


def counted_by_pairs(clean, noisy, offsets):
    """Inverse, new and all pairs, one pair after the other."""
    inverse = new = ordered = 0
    for start, stop in pairwise(offsets):
        for i in range(start, stop):
            for j in range(start, stop):
                if noisy[i] > noisy[j]:
                    ordered += 1
                    inverse += clean[i] < clean[j]
                    new += clean[i] == clean[j]
    return inverse, new, ordered


@st.composite
def labelled_queries(draw):
    group = draw(st.lists(st.integers(1, 8), min_size=1, max_size=5))
    grades = st.lists(st.integers(0, 4), min_size=sum(group), max_size=sum(group))
    return draw(grades), draw(grades), np.cumsum([0, *group])


@pytest.mark.parametrize(
    ("clean", "noisy", "offsets", "expected"),
    [
        # a 0 is taken for a 2: each of two 2s stands above two 1s and two 0s, and each 1 above two 0s, 12 pairs; the
        # wrong document stands above two 1s (inverse) and two 0s (new)
        ([2, 1, 1, 0, 0, 0], [2, 1, 1, 0, 0, 2], [0, 6], (2 + 2 / 2) / 12),
        ([0, 1, 2], [2, 1, 0], [0, 3], 1),
        # one wrong pair of one in the first query, none of three in the second; the mean of the queries would be 1/2
        ([0, 1, 0, 1, 2], [1, 0, 0, 1, 2], [0, 2, 5], 0.25),
        ([0, 1, 2], [1, 1, 0], [0, 2, 3], np.nan),
    ],
)
def test_pair_noise_by_hand(clean, noisy, offsets, expected):
    assert noise.pnoise(clean, noisy, offsets) == pytest.approx(expected, nan_ok=True)


@given(labelled_queries())
def test_counting_by_tables_equals_a_loop_over_pairs(queries):
    inverse, new, ordered = counted_by_pairs(*queries)
    expected = (inverse + new / 2) / ordered if ordered else np.nan
    assert noise.pnoise(*queries) == pytest.approx(expected, rel=1e-12, nan_ok=True)


def test_two_documents_are_expected_by_hand():
    # two alike: whatever differs is new
    assert noise.expected_pnoise([2, 0], 0.1) == 0.5
    # rows of their own: better one kept with .7, worse one with .9
    assert noise.expected_pnoise([1, 1], [[0.9, 0.1], [0.3, 0.7]]) == pytest.approx(0.03 / (0.63 + 0.03))


def random_collection(rng):
    """Clean grades and offsets of one to four queries, and a confusion matrix, not always a square one."""
    n_grades, n_labels = rng.integers(2, 6, 2)
    group = rng.integers(2, 12, rng.integers(1, 5))
    clean = rng.choice(n_grades, group.sum(), p=rng.dirichlet(np.ones(n_grades)))
    return clean, np.cumsum([0, *group]), rng.dirichlet(np.ones(n_labels), n_grades)


def excess(clean, offsets, confusion, expected, rng):
    """Wrong preferences of one draw less the expected share of its preferences, which has mean zero exactly."""
    inverse, new, ordered = counted_by_pairs(clean, draw_labels(clean, confusion, rng), offsets)
    return inverse + new / 2 - expected * ordered


@pytest.mark.parametrize("seed", range(4))
def test_many_draws_are_on_average_as_expected(seed):
    rng = np.random.default_rng(seed)
    clean, offsets, confusion = random_collection(rng)
    counts = [np.bincount(clean[start:stop], minlength=len(confusion)) for start, stop in pairwise(offsets)]
    expected = noise.expected_pnoise(counts, confusion)
    drawn = [excess(clean, offsets, confusion, expected, rng) for _ in range(200)]
    assert abs(np.mean(drawn)) <= 4 * np.std(drawn, ddof=1) / np.sqrt(len(drawn))


# Niu et al. 2014, Table 1: documents a query times the proportions of the grades; their Figure 3 shows the curves
TD2003 = 981 * np.array([0.992, 0.008])
OHSUMED = 152 * np.array([0.70, 0.16, 0.14])
MSLR_WEB10K = 120 * np.array([0.517, 0.325, 0.133, 0.017, 0.008])


@pytest.mark.parametrize(
    ("counts", "dnoise", "expected"),
    [(TD2003, 0.05, 0.43), (TD2003, 0.1, 0.47), (OHSUMED, 0.5, 0.41), (MSLR_WEB10K, 0.5, 0.39)],
)
def test_table_1_of_the_paper_gives_its_figure_3(counts, dnoise, expected):
    assert round(noise.expected_pnoise(counts, dnoise), 2) == expected


@given(st.lists(st.integers(0, 50), min_size=2, max_size=5).filter(lambda counts: sum(counts) > 1))
def test_labels_that_mean_nothing_are_half_noise(counts):
    assert noise.expected_pnoise(counts, 1 - 1 / len(counts)) == pytest.approx(0.5)


@given(st.lists(st.integers(1, 50), min_size=2, max_size=5), st.floats(0.01, 0.99))
def test_the_dnoise_that_reaches_a_pnoise_reaches_it(counts, pnoise):
    dnoise = noise.dnoise_at(counts, pnoise)
    if np.isnan(dnoise):
        assert noise.expected_pnoise(counts, 1.0) < pnoise
    else:
        assert noise.expected_pnoise(counts, dnoise) == pytest.approx(pnoise, abs=1e-9)


def test_what_no_dnoise_reaches_is_nan_and_ties_alone_are_half_noise_from_the_first_wrong_label_on():
    # with three grades even labels that are all wrong leave some pairs right
    assert np.isnan(noise.dnoise_at([1, 1, 1], 0.99))
    assert np.isnan(noise.dnoise_at([1, 0], 0.4))
    assert np.isnan(noise.expected_pnoise([5, 0], 0.0))
    assert noise.dnoise_at([5, 0], 0.4) == 0


def test_every_other_grade_is_as_likely(rng):
    clean = np.tile(np.arange(5), 20_000)
    noisy = noise.inject(clean, 0.3, 5, rng)
    shares = np.bincount(5 * clean + noisy).reshape(5, 5) / 20_000
    assert shares == pytest.approx(noise.uniform(5, 0.3), abs=4 * np.sqrt(0.25 / 20_000))
    assert noisy.dtype == np.int8


def test_a_judge_of_some_documents_is_wrong_on_their_share():
    confusion = np.array([[0.8, 0.2], [0.4, 0.6]])
    for share, expected in ((0.0, np.eye(2)), (0.5, [[0.9, 0.1], [0.2, 0.8]]), (1.0, confusion)):
        assert noise.partly(confusion, share) == pytest.approx(np.array(expected))


def test_a_grade_of_which_nothing_is_known_matters_where_it_occurs():
    confusion = [[0.9, 0.1], [0.3, 0.7], [np.nan, np.nan]]
    assert noise.expected_pnoise([1, 1, 0], confusion) == pytest.approx(0.03 / 0.66)
    with pytest.raises(ValueError, match=r"row 2 is unknown \(NaN\), but documents have grade 2"):
        noise.expected_pnoise([1, 1, 1], confusion)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rng: noise.inject([0, 1], 1.5, 2, rng), "dnoise is 1.5, expected a number from 0 to 1"),
        (lambda rng: noise.inject([0, 0], 0.5, 1, rng), "n_grades is 1, expected at least 2"),
        (lambda rng: noise.inject([0, 3], 0.5, 3, rng), "n_grades is 3, but there is a grade 3"),
        (lambda rng: noise.inject([0.5], 0.5, 3, rng), "grades is .*, expected whole numbers"),
        (lambda rng: noise.partly(np.eye(2), -1), "share is -1, expected a number from 0 to 1"),
        (lambda rng: noise.pnoise([0, 1], [0], [0, 2]), "clean has 2 grades, noisy 1"),
        (lambda rng: noise.pnoise([0, 1], [0, 1], [0, 1]), "offsets run from 0 to 1"),
        (lambda rng: noise.expected_pnoise([1, -1], 0.5), "grade_counts is .*, expected"),
        (lambda rng: noise.expected_pnoise([1, 1], np.eye(3)), "noise has shape .3, 3., expected a row for each of 2"),
        (lambda rng: noise.expected_pnoise([1, 1], [[0.5, 0.6], [0, 1]]), "expected probabilities that sum to 1"),
        (lambda rng: noise.dnoise_at([1, 1], 2), "pnoise is 2, expected a number from 0 to 1"),
    ],
)
def test_bad_input_is_refused(rng, call, message):
    with pytest.raises(ValueError, match=message):
        call(rng)
