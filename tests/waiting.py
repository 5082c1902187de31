"""Stored tables that are to be made again: the test that computes a sample of their rows says that they wait.

`make test` says so at once; `make test-all` computes the sample and expects that it differs, so that a note which has
been forgotten fails.
"""

import os

import pytest

from helpers.engine import results

COMPUTED = os.environ.get("LABEL_STUDIES_TESTS") == "all"


def _note(study, data):
    reason = results.waiting(study).get(data)
    return reason and f"{study}/{data} waits to be made again: made before {reason}"


def skip_sample(study, data):
    """For the fixture that a sample is computed from: unless it is to be computed, what waits fails as expected."""
    if (note := _note(study, data)) and not COMPUTED:
        pytest.xfail(note)


def expect_difference(request, study, data):
    """For the test of a sample: where the tables wait it has to fail."""
    if note := _note(study, data):
        request.applymarker(pytest.mark.xfail(reason=note, raises=AssertionError, strict=True))
