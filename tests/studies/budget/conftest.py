"""Fixtures that tests of several answers share."""

import numpy as np
import pytest
from pilots_by_hand import drawn

from helpers.studies import budget


@pytest.fixture(scope="module")
def measured():
    return budget.measure(drawn(np.random.default_rng(5)), np.random.default_rng(0))
