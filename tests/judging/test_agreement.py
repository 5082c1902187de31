import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.judging.agreement import agreement

GRADES = st.integers(0, 3)


def long(table):
    """Long frame from a table of assessors by documents, NaN where there is no judgment."""
    rows = [("q", f"d{d}", f"a{a}", g) for a, row in enumerate(table) for d, g in enumerate(row) if g == g]
    frame = pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])
    return frame.astype({"grade": int})


def test_kappas_by_hand():
    # shares of the grades .4, .2, .4 and .2, .6, .2; equal on 3 of 5 documents, 1 apart on 2
    result = agreement(long([[0, 0, 1, 2, 2], [0, 1, 1, 2, 1]]), "a0", "a1")
    chance = 0.4 * 0.2 + 0.2 * 0.6 + 0.4 * 0.2
    expected_squares = 0.4 * (0.6 * 1 + 0.2 * 4) + 0.2 * (0.2 * 1 + 0.2 * 1) + 0.4 * (0.2 * 4 + 0.6 * 1)
    assert result["documents"] == 5
    assert result["exact"] == pytest.approx(0.6)
    assert result["kappa"] == pytest.approx((0.6 - chance) / (1 - chance))
    assert result["weighted_kappa"] == pytest.approx(1 - 0.4 / expected_squares)


def test_assessors_who_always_agree_have_1_throughout():
    result = agreement(long([[0, 1, 2, 2]] * 2), "a0", "a1")
    assert result == {"documents": 4, "exact": 1, "kappa": 1, "weighted_kappa": 1, "alpha": 1}


def test_where_only_one_grade_occurs_chance_corrected_agreement_is_undefined():
    result = agreement(long([[2, 2], [2, 2]]), "a0", "a1")
    assert result["exact"] == 1
    assert np.isnan([result["kappa"], result["weighted_kappa"], result["alpha"]]).all()


def test_documents_of_one_assessor_only_do_not_count():
    nan = float("nan")
    with_more = agreement(long([[0, 1, 2, 2, nan], [0, 1, 1, nan, 3]]), "a0", "a1")
    assert with_more == agreement(long([[0, 1, 2], [0, 1, 1]]), "a0", "a1")


@settings(deadline=None)
@given(st.lists(st.tuples(GRADES, GRADES), min_size=2, max_size=20))
def test_agreement_does_not_depend_on_who_is_named_first(judged):
    frame = long(np.array(judged).T)
    first, second = agreement(frame, "a0", "a1"), agreement(frame, "a1", "a0")
    assert first == pytest.approx(second, nan_ok=True)
    if not np.isnan(first["alpha"]):
        expected = krippendorff.alpha(np.array(judged, dtype=float).T, level_of_measurement="ordinal")
        assert first["alpha"] == pytest.approx(expected, abs=1e-12)
