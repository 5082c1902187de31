"""Stored tables that are to be made again: the test that recomputes a sample of their rows says so."""

import pytest

from helpers.engine import results


def mark(request, study, data):
    """Expect the test to fail, and only to fail, while the tables of a study on a data set wait."""
    if reason := results.waiting(study).get(data):
        reason = f"{study}/{data} waits to be made again: {reason}"
        request.applymarker(pytest.mark.xfail(reason=reason, raises=AssertionError, strict=True))
