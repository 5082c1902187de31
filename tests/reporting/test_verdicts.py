"""What a claim may say of a difference, and which intervals bear it out."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.reporting import verdicts
from helpers.reporting.verdicts import Claim

YES, OPEN, NO = "reproduced", "undecided", "not reproduced"
INTERVALS = [
    (-0.3, -0.2),
    (-0.3, -0.05),
    (-0.05, -0.02),
    (-0.05, 0.05),
    (0.02, 0.05),
    (0.05, 0.3),
    (0.2, 0.3),
    (-0.3, 0.3),
]


def claim(says, **options):
    return Claim("claim", "paper", "printed", "question", says, margin=0.1, **options)


def rows(*intervals):
    low, high = np.array(intervals, dtype=float).T
    return pd.DataFrame({"at": range(len(low)), "difference": (low + high) / 2, "low": low, "high": high})


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("better", [NO, NO, NO, NO, YES, YES, YES, OPEN]),
        ("worse", [YES, YES, YES, NO, NO, NO, NO, OPEN]),
        ("as good", [YES, YES, YES, YES, YES, NO, NO, OPEN]),
        ("at most", [YES, YES, YES, YES, YES, OPEN, NO, OPEN]),
        ("above", [NO, NO, NO, NO, NO, OPEN, YES, OPEN]),
        ("near", [NO, OPEN, YES, YES, YES, OPEN, NO, OPEN]),
    ],
)
def test_what_is_said_of_a_difference_when_less_than_a_tenth_is_none(says, expected):
    for some in (False, True):
        found = [verdicts.judged(claim(says, some=some), rows(interval))["verdict"] for interval in INTERVALS]
        assert found == expected


def test_every_way_to_say_something_is_tested_above():
    assert set(verdicts.SAYS) == {"better", "worse", "as good", "at most", "above", "near"}


def test_another_way_to_say_something_is_refused():
    with pytest.raises(ValueError, match="says is 'best', expected one of better, worse"):
        claim("best")


def test_without_rows_nothing_is_decided():
    found = verdicts.judged(claim("better"), rows((0, 1)).iloc[:0])
    assert (found["verdict"], found["where"]) == (OPEN, "")


def test_a_setting_that_bears_a_claim_out_does_not_speak_against_it():
    small, wide = (0.01, 0.05), (-1, 1)  # the first is better, though by less than the margin
    assert verdicts.judged(claim("better"), rows(small, wide))["verdict"] == OPEN
    assert verdicts.judged(claim("better", some=True), rows((0.001, 0.05), (-0.2, 0.01)))["verdict"] == OPEN


def test_an_unknown_interval_decides_nothing():
    found = verdicts.judged(claim("better"), rows((0.1, 0.2), (np.nan, np.nan)))
    assert found["verdict"] == OPEN


ends = st.tuples(*[st.floats(-1, 1)] * 2).map(sorted)


@given(st.sampled_from(sorted(verdicts.SAYS)), st.booleans(), st.lists(ends, min_size=1, max_size=5), ends)
def test_one_more_setting_never_turns_a_verdict_into_its_opposite_for_the_better(says, some, intervals, one_more):
    """A claim of each setting cannot come to be reproduced by one more, nor one of some come to fail."""
    said = claim(says, some=some)
    before, after = (verdicts.judged(said, rows(*found))["verdict"] for found in (intervals, [*intervals, one_more]))
    gained = NO if some else YES
    assert before == gained or after != gained


@given(st.sampled_from(sorted(verdicts.SAYS)), st.booleans(), st.lists(ends, min_size=1, max_size=5))
def test_the_setting_shown_is_one_whose_interval_holds_its_estimate(says, some, intervals):
    found = verdicts.judged(claim(says, some=some), rows(*intervals))
    assert found["low"] <= found["measured"] <= found["high"]
    assert found["measured"] in rows(*intervals)["difference"].to_list()
