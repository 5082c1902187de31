"""What the stored tables of study 2 are made by."""

import numpy as np
import pandas as pd
import pytest

from helpers.judging.confusion import Confusion
from helpers.making import bounds
from helpers.studies.bounds import collection_ceilings

PROFILES = {name: collection_ceilings.profiles_of(name) for name in collection_ceilings.COLLECTIONS}
PERFECT = Confusion("perfect", np.diag([5, 5, 5]), (0, 1, 2), (0, 1, 2), "made up")
OTHER_SCALE = Confusion("five grades", np.eye(5, dtype=int), tuple(range(5)), tuple(range(5)), "made up")


def test_assessors_who_agree_leave_a_ceiling_of_one_and_other_scales_are_left_out(rng):
    table = bounds.ceilings_table(
        PROFILES["ohsumed"][:20], {"perfect": PERFECT, "five": OTHER_SCALE}, rng, labellings=100
    )
    assert table["matrix"].tolist() == ["perfect"]
    values = table[["exact", "approximate", "simulated"]].to_numpy()
    assert values == pytest.approx(np.ones((1, 3)))
    assert table["double_judgments"].tolist() == [15]
    assert (table["low"] < table["high"]).all()  # fifteen judgments do not prove agreement


def test_probabilities_without_counts_have_no_interval(rng):
    printed = Confusion("printed", np.full((3, 3), 1 / 3), (0, 1, 2), (0, 1, 2), "made up")
    row = bounds.ceilings_table(PROFILES["mq2008"][:20], {"printed": printed}, rng, labellings=100).iloc[0]
    assert np.isnan(row[["double_judgments", "low", "high"]].astype(float)).all()
    assert 0 < row["exact"] < 1


def shares(values_by_group):
    sizes, sums, squares = (np.array([f(v) for v in values_by_group]) for f in (len, np.sum, lambda v: (v**2).sum()))
    return bounds.share_between(sizes, sums, squares)


def test_the_share_between_groups_by_hand():
    # means 1 and 3, squares between 4 (mean square 4), within 1 + 1 over 2 degrees: (4/1 - 1) / (4 + 1)
    groups = [np.array([1 - 0.5**0.5, 1 + 0.5**0.5]), np.array([3 - 0.5**0.5, 3 + 0.5**0.5])]
    assert shares(groups) == pytest.approx((4 - 1) / (4 + 1))


def test_a_row_for_each_grade_with_intervals_over_queries(rng):
    frame = pd.DataFrame({"query": np.repeat(np.arange(40).astype(str), 10), "grade": [0] * 5 * 40 + [2] * 5 * 40})
    frame["agreement"] = np.where(frame["grade"] == 0, 1.0, rng.choice([0.2, 0.6], size=400))
    frame.loc[0, "agreement"] = 0.0
    table = bounds.agreement_by_grade(frame, rng).set_index("grade")
    assert table["pairs"].tolist() == [200, 200]
    assert table.loc[0, "agreement"] == pytest.approx(199 / 200)
    assert table.loc[2, "low"] < table.loc[2, "agreement"] < table.loc[2, "high"]
    assert table.loc[2, "between_low"] < 0.1
