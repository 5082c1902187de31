"""Fixtures that several test modules share."""

import os
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(20091)


@pytest.fixture(scope="session")
def real_data():
    """Directory of real collections, laid out as their archives are; tests that want it skip where it is absent."""
    directory = os.environ.get("LABEL_STUDIES_DATA")
    if not directory or not Path(directory).is_dir():
        pytest.skip("real collections are not here: set LABEL_STUDIES_DATA to a directory that holds them")
    return Path(directory)
