from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from helpers.metrics import significance
from helpers.metrics.significance import (
    bootstrap_interval,
    crossed_interval,
    holm,
    measured,
    paired_permutation,
    paired_t,
)

SLEEP_A = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])  # Student 1908, hours of sleep gained
SLEEP_B = np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])


def permutation(a, b, rng):
    return paired_permutation(a, b, draws=500, rng=rng)


both_tests = pytest.mark.parametrize("test", [lambda a, b, _: paired_t(a, b), permutation], ids=["t", "permutation"])


# Paired tests


def test_paired_t_gives_what_student_printed_of_sleep():
    # t = -4.0621, 9 degrees of freedom, p = .002833, interval -2.4599 to -0.7001: R's help page of its `sleep` data
    result = paired_t(SLEEP_A, SLEEP_B)
    assert result == pytest.approx((-1.58, -2.4598858, -0.7001142, 0.00283289, 10), abs=1e-7)


def test_paired_permutation_approaches_the_share_of_all_sign_changes(rng):
    differences = SLEEP_A - SLEEP_B
    means = np.array([np.mean(signs * differences) for signs in product([-1, 1], repeat=10)])
    exact = np.mean(np.abs(means) >= abs(differences.mean()) - 1e-12)
    result = paired_permutation(SLEEP_A, SLEEP_B, draws=50_000, rng=rng)
    assert result.p_value == pytest.approx(exact, abs=4 * 2 * np.sqrt(exact / 2 / 50_000))
    result = paired_permutation(np.arange(100) + 1.0, np.zeros(100), draws=199, rng=rng)
    assert result.p_value == pytest.approx(2 / 200)  # no smaller than so many draws can show


def test_paired_permutation_holds_its_level_where_nothing_differs(rng):
    p_values = [permutation(*rng.random((2, 30)), rng).p_value for _ in range(200)]
    assert stats.binomtest(sum(p <= 0.05 for p in p_values), 200, 0.05).pvalue > 0.001


@both_tests
def test_exchanging_the_sides_exchanges_the_sign_only(test):
    forth, back = (test(*sides, np.random.default_rng(1)) for sides in ((SLEEP_A, SLEEP_B), (SLEEP_B, SLEEP_A)))
    assert forth.difference == -back.difference
    assert forth.p_value == pytest.approx(back.p_value)


@both_tests
@pytest.mark.parametrize(("first", "off"), [(SLEEP_A, 0), (np.full(50, 1 / 3), 2e-16)])
def test_equal_sides_and_those_that_rounding_alone_makes_differ_have_p_one(test, first, off, rng):
    assert test(first + off, first, rng) == (0, 0, 0, 1, len(first))


def test_paired_t_of_a_constant_difference_is_certain():
    assert paired_t(np.linspace(0.1, 1.1, 20), np.linspace(0, 1, 20)) == pytest.approx((0.1, 0.1, 0.1, 0, 20))


def interval(a, b, rng):
    return bootstrap_interval(a - b, draws=99, rng=rng)


@pytest.mark.parametrize("test", [lambda a, b, _: paired_t(a, b), permutation, interval])
def test_queries_that_both_sides_skip_are_left_out(test):
    with_skipped = [np.insert(side, [0, 4], np.nan) for side in (SLEEP_A, SLEEP_B)]
    expected = test(SLEEP_A, SLEEP_B, np.random.default_rng(1))
    assert test(*with_skipped, np.random.default_rng(1)) == expected


@both_tests
@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([0.1, np.nan, 0.3], [0.1, 0.2, 0.3], "query 1 has nan in a and 0.2 in b: expected NaN in both or in neither"),
        ([0.1, 0.2], [0.1, 0.2, 0.3], r"a has shape \(2,\), b \(3,\)"),
        ([[0.1, 0.2]], [[0.1, 0.2]], r"a and b: shape is \(1, 2\), expected \(n_queries,\)"),
        ([0.1, np.nan], [0.2, np.nan], "a and b: 1 queries have a value, expected at least 2"),
    ],
)
def test_sides_that_do_not_fit_are_refused(test, a, b, message, rng):
    with pytest.raises(ValueError, match=message):
        test(a, b, rng)


# Bootstrap


def test_bootstrap_interval_is_near_the_normal_one_for_many_queries(rng):
    values = rng.random(1000)
    half = stats.norm.ppf(0.95) * values.std() / np.sqrt(1000)
    low, high = bootstrap_interval(values, level=0.9, draws=10_000, rng=rng)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.05 * half)


def test_bootstrap_interval_covers_as_often_as_it_says(rng):
    covered = 0
    for _ in range(200):
        low, high = bootstrap_interval(rng.random(40), level=0.8, draws=300, rng=rng)
        covered += low <= 0.5 <= high
    assert stats.binomtest(covered, 200, 0.8).pvalue > 0.001


# Crossed bootstrap


def test_crossed_interval_of_one_repeat_is_the_bootstrap_over_queries(rng):
    first, second = rng.random((2, 1, 300))
    crossed = crossed_interval(first, second, draws=5000, rng=rng)
    assert crossed == pytest.approx(bootstrap_interval((first - second)[0], draws=5000, rng=rng), abs=0.006)


def test_crossed_interval_is_wider_than_over_queries_where_repeats_differ(rng):
    repeats, queries = rng.normal(0, 0.1, (2, 10, 1)), rng.normal(0, 0.1, 100)
    first, second = repeats + queries
    low, high = crossed_interval(first, second, draws=2000, rng=rng)
    # The queries weigh the same on both sides: what is left is the spread of two means of ten repeats.
    spread = np.sqrt((repeats.var(axis=1) / 10).sum())
    assert high - low == pytest.approx(2 * 1.96 * spread, rel=0.1)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (np.zeros(3), np.zeros((1, 3)), r"first is \(3,\), second \(1, 3\): expected \(n_repeats, n_queries\)"),
        (np.zeros((2, 3)), np.zeros((2, 4)), r"first is \(2, 3\), second \(2, 4\)"),
        (np.zeros((2, 3)), np.full((2, 3), np.nan), "second has NaN"),
    ],
)
def test_repeats_that_do_not_fit_are_refused(first, second, message, rng):
    with pytest.raises(ValueError, match=message):
        crossed_interval(first, second, draws=10, rng=rng)


@pytest.mark.parametrize(
    "resampled",
    [
        lambda **kw: bootstrap_interval([0.1, 0.2], **kw),
        lambda **kw: crossed_interval([[0.1, 0.2]], [[0.1, 0.3]], **kw),
    ],
    ids=["bootstrap", "crossed"],
)
def test_resampling_is_repeatable_and_refuses_impossible_settings(resampled):
    once, again = (resampled(draws=50, rng=np.random.default_rng(7)) for _ in range(2))
    assert once == again
    with pytest.raises(ValueError, match="draws is 1, expected a whole number of at least 2"):
        resampled(draws=1, rng=np.random.default_rng(7))
    with pytest.raises(ValueError, match="level is 95, expected a number between 0 and 1"):
        resampled(draws=50, level=95, rng=np.random.default_rng(7))


# Holm

untimed = settings(deadline=None, max_examples=30)
p_lists = st.lists(st.floats(0, 1), min_size=1, max_size=8)


@untimed
@given(p_lists, st.floats(0.001, 0.999))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values, alpha):
    rejected = np.zeros(len(p_values), dtype=bool)
    for step, i in enumerate(np.argsort(p_values)):
        if p_values[i] * (len(p_values) - step) > alpha:
            break
        rejected[i] = True
    np.testing.assert_array_equal(holm(p_values) <= alpha, rejected)


def test_holm_refuses_what_is_no_probability():
    for wrong in (np.nan, -0.1, 1.1):
        with pytest.raises(ValueError, match=f"p_values: number 1 is {wrong}, expected a number from 0 to 1"):
            holm([0.5, wrong])


def test_a_query_that_one_run_skips_is_measured_in_none():
    nan = float("nan")
    per_query = [[0.1, nan, 0.3, nan], [0.4, 0.5, 0.6, nan]]
    assert measured(per_query).tolist() == [[0.1, 0.3], [0.4, 0.6]]
    assert measured(np.full((2, 3), nan)).shape == (2, 0)


def test_the_error_of_a_crossed_effect_counts_queries_and_draws_once():
    """Queries 0, 2, draws 0, 0, residuals ±1: variances of the mean by query 2/2, by draw 0, residual 4/1/4 = 1."""
    by_query, by_draw, residual = significance.crossed_means([[1, 1], [-1, 3]])
    assert (by_query.tolist(), by_draw.tolist(), residual) == ([0.0, 2.0], [1.0, 1.0], 1.0)
    assert significance.crossed_effect(by_query, by_draw, residual).se == 1.0
    once = significance.crossed_effect(*significance.crossed_means([[0.0, 1.0, 2.0]]))
    assert (once.effect, once.se, once.draws) == (1.0, pytest.approx(1 / np.sqrt(3)), 1)
    assert significance.crossed_effect([0, 4], [1, 3], 0.5).se == pytest.approx((8 / 2 + 2 / 2 - 0.5) ** 0.5)


def test_crossed_errors_have_their_coverage(rng):
    """40 queries x 8 draws with spreads .1, .05 and .2: about 95 % of intervals hold the truth, 0."""
    held = 0
    for _ in range(400):
        values = 0.1 * rng.normal(size=40) + 0.05 * rng.normal(size=(8, 1)) + 0.2 * rng.normal(size=(8, 40))
        effect = significance.crossed_effect(*significance.crossed_means(values))
        held += effect.low < 0 < effect.high
    assert 0.92 < held / 400 < 0.985


def test_a_crossed_effect_or_a_pool_of_too_little_is_refused():
    for by_query, by_draw in (([1.0], [1.0, 1.0]), ([1.0, np.nan], [1.0]), ([1.0, 2.0], [])):
        with pytest.raises(ValueError, match=r"by_(query|draw) has shape"):
            significance.crossed_effect(by_query, by_draw, 0.0)
    for errors in ([0.1, 0.1], [0.1, 0.1, 0.0], [0.1, 0.1, np.nan]):
        with pytest.raises(ValueError, match="at least 3, errors above 0"):
            significance.pool([1.0, 2.0, 3.0], errors)


@pytest.mark.parametrize("seed", [0, 2, 3])  # with others its iteration ends at 0, or before its end
def test_the_pool_agrees_with_statsmodels_where_its_interval_has_no_floor(seed):
    from statsmodels.stats.meta_analysis import combine_effects

    rng = np.random.default_rng(seed)
    errors = rng.uniform(0.5, 1, 6)
    effects = rng.normal(0, 3, 6)
    found = significance.pool(effects, errors)
    other = combine_effects(effects, errors**2, method_re="iterated", use_t=True, atol=1e-12)
    assert found.effect == pytest.approx(other.mean_effect_re, abs=1e-6)
    assert found.tau**2 == pytest.approx(other.tau2, rel=1e-5)
    assert (found.low, found.high) == pytest.approx(tuple(other.conf_int()[3]), abs=1e-5)


def test_shared_pieces_by_hand(rng):
    counts = significance.bootstrap_counts(4, 1000, rng)
    assert (counts.shape, set(counts.sum(axis=1))) == ((1000, 4), {4.0})
    assert counts.var() == pytest.approx(0.75, rel=0.1)
    values = rng.random(9)
    without = np.array([np.delete(values, i).mean() for i in range(9)])
    assert significance.jackknife_variance(without) == pytest.approx(values.var(ddof=1) / 9)  # of a mean it is exact
    assert significance.t_half(2.0, 9, 0.95) == pytest.approx(2 * 2.262157, rel=1e-6)
