import numpy as np
import pytest
from scipy import stats

from helpers.metrics import power
from helpers.metrics.power import pays_below, powered_mean


@pytest.mark.parametrize(("difference", "queries"), [(0.10, 34), (0.05, 128), (0.02, 787)])
def test_queries_needed_is_the_textbook_sample_size(difference, queries):
    assert power.queries_needed(0.2, difference) == queries
    assert power.power(difference, 0.2, queries) >= 0.8 > power.power(difference, 0.2, queries - 1)


@pytest.mark.parametrize("effect", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("wanted", [0.8, 0.9])
def test_queries_needed_are_sakais_topic_set_sizes(effect, wanted):
    """Sakai 2016 starts from Nagata's approximation and steps until the noncentral t has the power: at most one off."""
    z, w = stats.norm.ppf(0.975), stats.norm.ppf(wanted)
    nagata = ((z + w) / effect) ** 2 + z**2 / 2
    n = power.queries_needed(1.0, effect, wanted=wanted)
    assert abs(n - np.ceil(nagata)) <= 1
    edge = stats.t.ppf(0.975, n - 1)
    chance = [stats.nct.sf(edge, m - 1, effect * np.sqrt(m)) for m in (n, n - 2)]
    assert chance[0] >= wanted - 1e-6 > chance[1]


@pytest.mark.parametrize("n", [2, 3, 10, 31, 32, 78, 501, 5000, 20_000])
def test_what_is_detectable_has_power_80_percent(n):
    assert power.power(power.detectable(0.3, n), 0.3, n) == pytest.approx(0.8, abs=1e-8)
    assert power.power(0, 1, n) == pytest.approx(0.05)


def test_power_is_the_share_of_simulated_tests_that_reject(rng):
    draws = rng.normal(0.1, 0.2, (20_000, 25))
    rejected = (stats.ttest_1samp(draws, 0, axis=1).pvalue < 0.05).mean()
    assert power.power(0.1, 0.2, 25) == pytest.approx(rejected, abs=4 * np.sqrt(0.25 / 20_000))


def test_power_needs_a_spread_two_queries_and_a_difference():
    for sd, n in ((0.0, 10), (-1.0, 10), (0.2, 1)):
        with pytest.raises(ValueError, match="expected at least 2 queries and a spread above 0"):
            power.power(0.1, sd, n)
    with pytest.raises(ValueError, match="difference is 0, expected above 0"):
        power.queries_needed(0.2, 0)


# a mean corrected by a machine


def test_a_corrected_mean_by_hand():
    # y = 1, 2, 3 and f = 2, 2, 5: cov 3/3 of squares 6/3... lambda = sum (f - 3)(y - 2) / sum (f - 3)^2 = 3 / 6
    found = powered_mean([1, 2, 3], [2, 2, 5], [2, 2, 5, 7])
    assert found.weight == pytest.approx(0.5)
    assert found.estimate == pytest.approx(2 + 0.5 * (4 - 3))
    residuals = np.array([1, 2, 3]) - 2 - 0.5 * (np.array([2, 2, 5]) - 3)
    assert found.error == pytest.approx(np.sqrt((residuals**2).sum() / 1 / 3 + 0.25 * 6 / 4))
    assert (found.bias, found.n, found.N) == (1, 3, 4)


def test_a_machine_that_says_the_same_of_all_queries_changes_nothing_and_a_constant_only_the_bias(rng):
    found = powered_mean([0.1, 0.5, 0.3], [1, 1, 1], [1, 1, 1, 1])
    assert (found.estimate, found.weight) == (pytest.approx(0.3), 0)
    assert np.isnan(found.rho)
    y = rng.random(20)
    f = y + rng.normal(0, 0.1, 20)
    more = np.append(f, rng.random(50))
    plain, shifted = powered_mean(y, f, more), powered_mean(y, f + 1, more + 1)
    assert (shifted.estimate, shifted.bias) == pytest.approx((plain.estimate, plain.bias + 1))


@pytest.mark.parametrize(("n", "rho"), [(10, 0.3), (15, 0.8), (40, 0.67)])
def test_95_percent_intervals_cover_the_mean_so_often_and_errors_are_as_derived(n, rho):
    rng = np.random.default_rng(17)
    total, times = 10 * n, 1500
    covered, estimates = 0, []
    for _ in range(times):
        f = rng.normal(size=total)
        y = rho * f[:n] + np.sqrt(1 - rho**2) * rng.normal(size=n)
        found = powered_mean(y, 3 + 2 * f[:n], 3 + 2 * f)
        covered += found.low <= 0 <= found.high
        estimates.append(found.estimate)
    assert covered / times == pytest.approx(0.95, abs=0.02)
    derived = np.sqrt((1 - rho**2) / n + rho**2 / total)
    assert np.std(estimates) == pytest.approx(derived, rel=0.12)
    assert np.mean(estimates) == pytest.approx(0, abs=4 * derived / np.sqrt(times))


def test_prices_below_which_a_machine_pays_are_where_both_ways_cost_the_same():
    for rho in (0.3, 0.5, 0.9):
        ratio = pays_below(rho)
        assert np.sqrt(1 - rho**2) + rho * np.sqrt(ratio) == pytest.approx(1)


@pytest.mark.parametrize(
    ("people", "machine", "everywhere", "message"),
    [
        ([1, 2], [1, 2], [1, 2, 3], "n at least 3"),
        ([1, 2, 3], [1, 2], [1, 2, 3], r"people \(3,\), machine \(2,\)"),
        ([1, 2, 3], [1, 2, 3], [1, 2], "N at least n"),
        ([1, 2, np.nan], [1, 2, 3], [1, 2, 3], "NaN"),
    ],
)
def test_what_cannot_be_corrected_is_refused(people, machine, everywhere, message):
    with pytest.raises(ValueError, match=message):
        powered_mean(people, machine, everywhere)


def test_the_estimate_is_that_of_ppi_py():
    """ppi_py 0.2.3: ppi_mean_pointestimate(y, f, rest, lam) is 0.45419664, where the machine's queries are the rest.

    Its lam is our weight, 1.0647482, times the share of all queries that people did not judge, 7 of 12.
    """
    y, f, rest = [0.2, 0.4, 0.6, 0.1, 0.9], [0.3, 0.35, 0.8, 0.2, 0.7], [0.5, 0.1, 0.9, 0.6, 0.4, 0.2, 0.75]
    found = powered_mean(y, f, f + rest)
    assert found.weight * 7 / 12 == pytest.approx(0.6211031175)
    assert found.estimate == pytest.approx(0.45419664)
