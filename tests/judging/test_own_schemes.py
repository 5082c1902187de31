"""What labelling schemes would have bought of a reader's own judgments, and what they would train on."""

import numpy as np
import pandas as pd
import pytest

from helpers.judging import judgments, own_schemes


def long(rows):
    return pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])


@pytest.fixture
def matrix():
    """Three pairs with three, one and two labels: 3 2 0, 1, and 2 2."""
    rows = [("q", "a", "Ann", 3), ("q", "b", "Ann", 1), ("r", "a", "Ann", 2)]
    rows += [("q", "a", "Bob", 2), ("r", "a", "Bob", 2), ("q", "a", "Cem", 0)]
    return judgments.label_matrix(long(rows))


def test_what_schemes_would_have_bought_of_labels_that_are_not_as_many_for_all_pairs(matrix):
    table = own_schemes.own_costs(matrix, None).set_index("setting")
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
    table = own_schemes.own_costs(matrix, None).set_index("setting")
    first = (2 / 3 + 0 + 1) / 3  # a label drawn of each pair is Good or above
    assert table.loc[["3-overlap", "if-good-2", "if-good-3"], "expected"].tolist() == pytest.approx(
        [3, 1 + first, 1 + 2 * first]
    )


def test_a_cost_that_too_few_labels_hide_is_said_to_be_at_least_so_much():
    matrix = judgments.label_matrix(long([("q", "a", "Ann", 2), ("q", "b", "Ann", 2), ("q", "c", "Ann", 0)]))
    table = own_schemes.own_costs(matrix, None).set_index("setting")
    assert table.index[table["at_least"]].tolist() == ["good-till-bad"]
    assert table.loc[["if-good-2", "good-till-bad"], "expected"].tolist() == pytest.approx([1 + 2 / 3] * 2)


def test_judgments_without_any_good_label_have_no_finite_ratio():
    matrix = judgments.label_matrix(long([("q", "a", "Ann", 1), ("q", "a", "Bob", 0), ("q", "b", "Ann", 0)]))
    table = own_schemes.own_costs(matrix, None)
    assert (table["fair_to_good"] == np.inf).all()
    assert table.set_index("setting").loc["if-good-3", ["bought", "expected"]].tolist() == [2, 1]
    lower = own_schemes.own_costs(matrix, None, good=1, settings=["if-good-2"])
    assert lower.loc[0, ["bought", "fair_to_good"]].tolist() == [3, 2]


def test_labels_to_train_on_stand_beside_their_pairs(matrix):
    table = own_schemes.own_labels(matrix, None, settings=["if-good-2", "if-good-x3", "gain-3"])
    assert table.to_numpy().tolist() == [
        ["if-good-2", "q", "a", 3, 1],
        ["if-good-2", "q", "a", 2, 1],
        ["if-good-2", "q", "b", 1, 1],
        ["if-good-2", "r", "a", 2, 1],
        ["if-good-2", "r", "a", 2, 1],
        ["if-good-x3", "q", "a", 3, 3],
        ["if-good-x3", "q", "b", 1, 1],
        ["if-good-x3", "r", "a", 2, 3],
        ["gain-3", "q", "a", np.log2(1 + 10 / 3), 1],
        ["gain-3", "q", "b", 1, 1],
        ["gain-3", "r", "a", 2, 1],
    ]


def test_labels_to_train_on_are_those_whose_costs_are_told(matrix):
    labels = own_schemes.own_labels(matrix, np.random.default_rng(4))
    costs = own_schemes.own_costs(matrix, np.random.default_rng(4)).set_index("setting")
    assert (labels.groupby("setting").size() / 3).to_dict() == pytest.approx(costs["instances"].to_dict())
