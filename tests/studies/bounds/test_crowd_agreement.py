"""How far a crowd agrees, and whether queries differ in it."""

import numpy as np
import pandas as pd
import pytest

from helpers.studies.bounds import crowd_agreement


def shares(values_by_group):
    sizes, sums, squares = (np.array([f(v) for v in values_by_group]) for f in (len, np.sum, lambda v: (v**2).sum()))
    return crowd_agreement.share_between(sizes, sums, squares)


def test_the_share_between_groups_by_hand():
    # means 1 and 3, squares between 4 (mean square 4), within 1 + 1 over 2 degrees: (4/1 - 1) / (4 + 1)
    groups = [np.array([1 - 0.5**0.5, 1 + 0.5**0.5]), np.array([3 - 0.5**0.5, 3 + 0.5**0.5])]
    assert shares(groups) == pytest.approx((4 - 1) / (4 + 1))


def test_groups_of_one_kind_share_nothing_and_groups_that_differ_what_they_were_given(rng):
    alike = [rng.normal(size=n) for n in rng.integers(5, 100, size=300)]
    assert shares(alike) == pytest.approx(0, abs=0.03)
    apart = [values + rng.normal() for values in alike]
    assert shares(apart) == pytest.approx(0.5, abs=0.06)


def test_a_row_for_each_grade_with_intervals_over_queries(rng):
    frame = pd.DataFrame({"query": np.repeat(np.arange(40).astype(str), 10), "grade": [0] * 5 * 40 + [2] * 5 * 40})
    frame["agreement"] = np.where(frame["grade"] == 0, 1.0, rng.choice([0.2, 0.6], size=400))
    frame.loc[0, "agreement"] = 0.0
    table = crowd_agreement.by_grade(frame, rng).set_index("grade")
    assert table["pairs"].tolist() == [200, 200]
    assert table.loc[0, "agreement"] == pytest.approx(199 / 200)
    assert table.loc[2, "low"] < table.loc[2, "agreement"] < table.loc[2, "high"]
    assert table.loc[2, "between_low"] < 0.1


def test_agreement_names_the_grades_on_which_queries_differ():
    table = pd.DataFrame({"grade": [0, 1], "agreement": [0.8, 0.4], "between_low": [0.1, -0.1]})
    assert crowd_agreement.agreement(table).endswith(
        "agree 80 % of the time on grade 0 and 40 % of the time on grade 1; queries differ in it on grade 0."
    )
    assert "no difference between queries is seen" in crowd_agreement.agreement(table.assign(between_low=-0.1))
