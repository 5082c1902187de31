"""Fixtures that tests of several answers share."""

import numpy as np
import pytest
from pilots_by_hand import drawn

from helpers.studies import budget


@pytest.fixture(scope="session")
def pilot():
    return drawn(np.random.default_rng(5))


@pytest.fixture(scope="session")
def measured(pilot):
    return budget.measure(pilot, np.random.default_rng(0))
