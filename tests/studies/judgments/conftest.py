import numpy as np
import pytest
from shapes_of_judgments import SHAPES

from helpers.studies.judgments import asked, protocol


@pytest.fixture(scope="session")
def found():
    """The answers for the synthetic example, which has no runs; never changed, but replaced."""
    with pytest.MonkeyPatch.context() as few:
        few.setattr(asked, "DRAWS", 50)
        return asked.of(protocol.given("", rng=np.random.default_rng(6)), 10, 0.15, 6)


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr(asked, "DRAWS", 50)


@pytest.fixture(params=SHAPES)
def shape(request):
    return request.param
