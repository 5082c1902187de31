"""Fixtures that tests of several rankers share."""

import pytest
from small_collections import as_given

from helpers.rankers import base


@pytest.fixture
def rows_as_given(monkeypatch):
    """Rows are left in their order: ranks of documents that are all tied at first then do not follow the features."""
    monkeypatch.setattr(base, "in_one_order", as_given)
