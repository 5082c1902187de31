import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.judging import formats
from helpers.judging.aggregates import QUEPID, RULES, aggregate, lowest_of_highest, rounded
from helpers.judging.judgments import coded
from helpers.judging.schemes import majority_vote


def matrix(labels):
    labels = np.array(labels)
    return labels, np.where(labels >= 0, np.arange(labels.shape[1]), -1)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [([3], 3), ([3, 1], 1), ([3, 1, 2], 1), ([3, 1, 2, 2], 2), ([0, 0, 3, 3, 3], 3), ([2, 2, 2, 0], 2)],
)
def test_the_lowest_of_the_three_highest_by_hand(labels, expected):
    assert lowest_of_highest(np.array([labels])).tolist() == [expected]


@given(st.lists(st.integers(0, 4), min_size=3, max_size=7), st.integers(0, 4))
def test_from_three_judges_on_one_more_never_lowers_the_grade(labels, more):
    before, after = (lowest_of_highest(np.array([given])).item() for given in (labels, [*labels, more]))
    assert after >= before


@given(st.lists(st.integers(0, 4), min_size=1, max_size=7))
def test_unanimous_judges_get_their_grade_by_every_rule_and_no_rule_leaves_their_range(labels):
    rules = {rule: aggregate(rule, *matrix([labels, [labels[0]] * len(labels)])) for rule in RULES}
    for found in rules.values():
        assert min(labels) <= found[0] <= max(labels)
    assert all(rules[rule][1] == labels[0] for rule in ("majority", "mean", "highest", QUEPID))


def test_halves_go_up_as_the_majority_of_two_does():
    two = np.array([[0, 1], [1, 2], [2, 1]])
    assert rounded(aggregate("mean", *matrix(two))).tolist() == majority_vote(two).tolist()


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="rule is 'median', expected one of majority, mean"):
        aggregate("median", *matrix([[1]]))


def test_on_chorus_the_rule_changes_15_6_percent_and_takes_perfect_grades_from_45_to_34(real_data):
    file = real_data / "judgments" / "chorus-ratings" / "Broad_Query_Set_individual_ratings.csv"
    labels = coded(formats.read(file).frame).labels
    rule, majority = aggregate(QUEPID, *labels), aggregate("majority", *labels)
    assert np.mean(rule != majority) == pytest.approx(0.156, abs=5e-4)
    assert [round(np.mean(grades == 3), 2) for grades in (majority, rule)] == [0.45, 0.34]
