"""Fixtures of study 1."""

import numpy as np
import pytest

from helpers.datasets import letor
from helpers.datasets.collection import Collection


@pytest.fixture
def four_grades(rng, tmp_path):
    """A file of 60 queries of 8 documents, of which the first four have the grades 0 to 3."""
    grades = np.tile([0, 1, 2, 3, 0, 0, 0, 0], 60)
    collection = Collection(rng.normal(size=(480, 2)), grades, np.arange(0, 481, 8))
    letor.write(collection, tmp_path / "four.txt")
    return str(tmp_path / "four.txt")
