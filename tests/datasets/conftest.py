"""Fixtures that tests of several ways to data share."""

import pytest


@pytest.fixture
def target(tmp_path):
    """A folder to be made, in an otherwise empty one."""
    return tmp_path / "data" / "MQ2008"
