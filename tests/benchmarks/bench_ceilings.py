"""The three ceilings side by side, what a longer list costs, and all queries of a large collection in one call."""

import math
import re
import time
from pathlib import Path

import numpy as np
import pytest

from helpers.judging import ceilings
from helpers.judging.confusion import load_confusions

LIST_OF_120, LIST_OF_1000 = np.array([60, 40, 16, 2, 2]), np.array([520, 320, 130, 20, 10])
K, STANDARD_ERROR = 10, 0.001
FASTER_THAN_SIMULATED, COST_OF_DOUBLING = 100, 1.3
N_QUERIES, N_ALONE, MEGABYTES = 31_531, 500, 32
PEAK_RESET = Path("/proc/self/clear_refs")


@pytest.fixture(scope="module")
def web5():
    return load_confusions()["WEB5_truth_vs_worker"].probabilities


def test_exact_is_faster_than_a_simulation_brought_to_a_standard_error_of_001(web5):
    rng = np.random.default_rng(1)
    _, error = ceilings.simulated(LIST_OF_120, web5, K, draws=2000, rng=rng)
    draws = math.ceil(2000 * (error / STANDARD_ERROR) ** 2)
    methods = {
        "exact": lambda: ceilings.exact(LIST_OF_120, web5, K),
        "approximate": lambda: ceilings.approximate(LIST_OF_120, web5, K),
        "simulated": lambda: ceilings.simulated(LIST_OF_120, web5, K, draws=draws, rng=rng),
    }
    seconds, values = best_in_turn(10, methods)
    mean, error = values["simulated"]
    print(f"\n120 documents in 5 grades @{K}; simulated: {draws} draws, standard error {error:.5f}")
    for name, value in {**values, "simulated": mean}.items():
        print(
            f"{name:12s} {value:.6f} {1e3 * seconds[name]:9.3f} ms {seconds[name] / seconds['exact']:7.1f} times exact"
        )
    assert abs(mean - values["exact"]) < 4 * error
    assert seconds["simulated"] > FASTER_THAN_SIMULATED * seconds["exact"]


def test_doubling_a_list_of_1000_documents_costs_little_at_a_cutoff(web5):
    lists = {factor: np.tile(factor * LIST_OF_1000, (20, 1)) for factor in (1, 2, 4)}
    methods = {factor: lambda counts=counts: ceilings.exact(counts, web5, K) for factor, counts in lists.items()}
    seconds, _ = best_in_turn(50, methods)
    print(f"\n@{K}:", ", ".join(f"{1000 * n} documents {1e3 / 20 * s:.3f} ms" for n, s in seconds.items()))
    assert seconds[2] < COST_OF_DOUBLING * seconds[1]


@pytest.mark.skipif(not PEAK_RESET.exists(), reason="the peak of memory is read from Linux's /proc")
def test_a_collection_of_the_size_of_web30k_in_one_call_with_bounded_memory(web5):
    rng = np.random.default_rng(30)
    lengths = rng.poisson(120, N_QUERIES) + 1
    counts = rng.multinomial(lengths, [0.52, 0.32, 0.13, 0.02, 0.01])
    methods = {
        "one call": lambda: ceilings.exact(counts[:N_ALONE], web5, K),
        "a call each": lambda: [ceilings.exact(profile, web5, K) for profile in counts[:N_ALONE]],
    }
    seconds, _ = best_in_turn(5, methods)
    PEAK_RESET.write_text("5")
    before, start = megabytes_in_memory("VmRSS"), time.process_time()
    values = ceilings.exact(counts, web5, K)
    all_seconds, megabytes = time.process_time() - start, megabytes_in_memory("VmHWM") - before
    print(f"\n{N_QUERIES} queries, {lengths.sum()} documents: {all_seconds:.1f} s, {megabytes:.0f} MB more at the peak")
    print(", ".join(f"{name} {1e3 * s / N_ALONE:.3f} ms a query" for name, s in seconds.items()))
    assert values.shape == (N_QUERIES,)
    assert seconds["one call"] < seconds["a call each"]
    assert megabytes < MEGABYTES


def megabytes_in_memory(field):
    """This process's memory, VmRSS now or VmHWM at its peak since PEAK_RESET."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", status)[1]) / 1024


def best_in_turn(repeats, methods):
    """Least seconds of each method, called in turn so that all meet the same machine, and their last results."""
    seconds, values = dict.fromkeys(methods, math.inf), {}
    for _ in range(repeats):
        for name, method in methods.items():
            start = time.perf_counter()
            values[name] = method()
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    return seconds, values
