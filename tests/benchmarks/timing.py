"""Timing alternatives side by side."""

import time
from collections.abc import Callable

import numpy as np


def best_in_turn(repeats: int, *functions: Callable[[], object]) -> np.ndarray:
    """Shortest time of each in seconds, run in turn so that a busy machine slows all of them."""
    return np.min([[seconds(function) for function in functions] for _ in range(repeats)], axis=0)


def seconds(function: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
