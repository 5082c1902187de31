"""Fixtures that tests of several rankers share."""

import numpy as np
import pytest

from helpers.rankers import base


@pytest.fixture
def rows_as_given(monkeypatch):
    """Rows are left in their order: ranks of documents that are all tied at first then do not follow the features."""
    monkeypatch.setattr(base, "one_order", lambda collection, weights=None: np.arange(collection.n_docs))
