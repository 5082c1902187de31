"""What most rankers train on in their tests."""

import pytest
from small_collections import judged


@pytest.fixture
def training(rng):
    return judged(rng)
