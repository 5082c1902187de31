import numpy as np
import pytest

from helpers.metrics.powered import pays_below, powered_mean


def test_by_hand():
    # y = 1, 2, 3 and f = 2, 2, 5: cov 3/3 of squares 6/3... lambda = sum (f - 3)(y - 2) / sum (f - 3)^2 = 3 / 6
    found = powered_mean([1, 2, 3], [2, 2, 5], [2, 2, 5, 7])
    assert found.weight == pytest.approx(0.5)
    assert found.estimate == pytest.approx(2 + 0.5 * (4 - 3))
    residuals = np.array([1, 2, 3]) - 2 - 0.5 * (np.array([2, 2, 5]) - 3)
    assert found.error == pytest.approx(np.sqrt((residuals**2).sum() / 1 / 3 + 0.25 * 6 / 4))
    assert (found.bias, found.n, found.N) == (1, 3, 4)


def test_a_machine_that_says_the_same_of_all_queries_changes_nothing():
    found = powered_mean([0.1, 0.5, 0.3], [1, 1, 1], [1, 1, 1, 1])
    assert found.estimate == pytest.approx(0.3)
    assert np.isnan(found.rho)
    assert found.weight == 0


def test_a_constant_added_to_the_machine_changes_only_the_bias():
    rng = np.random.default_rng(0)
    y = rng.random(20)
    f = y + rng.normal(0, 0.1, 20)
    more = np.append(f, rng.random(50))
    plain, shifted = powered_mean(y, f, more), powered_mean(y, f + 1, more + 1)
    assert shifted.estimate == pytest.approx(plain.estimate)
    assert shifted.bias == pytest.approx(plain.bias + 1)


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
