"""What labelling schemes would have bought of a reader's own judgments, and what that costs."""

import numpy as np
import pandas as pd
import pytest

from helpers.judging.judgments import coded
from helpers.judging.schemes import own_costs


def long(rows):
    return pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])


@pytest.fixture
def matrix():
    """Three pairs with three, one and two labels: 3 2 0, 1, and 2 2."""
    rows = [("q", "a", "Ann", 3), ("q", "b", "Ann", 1), ("r", "a", "Ann", 2)]
    rows += [("q", "a", "Bob", 2), ("r", "a", "Bob", 2), ("q", "a", "Cem", 0)]
    return coded(long(rows)).labels


def test_what_schemes_would_have_bought_of_labels_that_are_not_as_many_for_all_pairs(matrix):
    table = own_costs(*matrix, None).set_index("setting")
    assert table["bought"].to_dict() == {
        "baseline": 3,
        "3-overlap": 6,  # 3 + 1 + 2
        "mv3": 6,
        "highest-3": 6,
        "if-good-2": 5,  # 2 + 1 + 2
        "if-good-3": 6,
        "if-good-x3": 3,
        "good-till-bad": 6,
        "gain-3": 6,
        "dawid-skene-3": 6,
    }
    assert table.loc["if-good-2", ["labels", "instances", "fair_to_good"]].tolist() == pytest.approx(
        [5 / 3, 5 / 3, 1 / 4]
    )
    assert table.loc["if-good-x3", ["labels", "instances", "fair_to_good"]].tolist() == pytest.approx([1, 1, 1 / 6])
    assert table.loc["mv3", ["labels", "instances", "fair_to_good"]].tolist() == pytest.approx([2, 1, 1 / 2])


def test_the_expected_cost_is_that_of_as_many_judges_as_a_scheme_asks(matrix):
    table = own_costs(*matrix, None).set_index("setting")
    first = (2 / 3 + 0 + 1) / 3  # a label drawn of each pair is Good or above
    assert table.loc[["3-overlap", "if-good-2", "if-good-3"], "expected"].tolist() == pytest.approx(
        [3, 1 + first, 1 + 2 * first]
    )


def test_a_cost_that_too_few_labels_hide_is_said_to_be_at_least_so_much():
    matrix = coded(long([("q", "a", "Ann", 2), ("q", "b", "Ann", 2), ("q", "c", "Ann", 0)])).labels
    table = own_costs(*matrix, None).set_index("setting")
    assert table.index[table["at_least"]].tolist() == ["good-till-bad"]
    assert table.loc[["if-good-2", "good-till-bad"], "expected"].tolist() == pytest.approx([1 + 2 / 3] * 2)


def test_judgments_without_any_good_label_have_no_finite_ratio():
    matrix = coded(long([("q", "a", "Ann", 1), ("q", "a", "Bob", 0), ("q", "b", "Ann", 0)])).labels
    table = own_costs(*matrix, None)
    assert (table["fair_to_good"] == np.inf).all()
    assert table.set_index("setting").loc["if-good-3", ["bought", "expected"]].tolist() == [2, 1]
    lower = own_costs(*matrix, None, good=1, settings=["if-good-2"])
    assert lower.loc[0, ["bought", "fair_to_good"]].tolist() == [3, 2]
