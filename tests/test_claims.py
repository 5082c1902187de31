"""Verdicts, computed from comparisons."""

import numpy as np
import pandas as pd
import pytest

from helpers import claims


def comparisons(question, at, difference, low, high, ranker="LambdaRank"):
    return pd.DataFrame(
        {"ranker": ranker, "question": question, "at": at, "difference": difference, "low": low, "high": high}
    )


def verdict(claim, table, margin=0.005):
    found = claims.verdicts("04", table, margin)
    return found[found["claim"].str.startswith(claim)].iloc[0]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.001, 0.02, "reproduced"),
        (-0.02, -0.01, "not reproduced"),
        (-0.02, 0.001, "not reproduced"),
        (-0.004, 0.004, "not reproduced"),
        (-0.001, 0.02, "undecided"),
    ],
)
def test_better_means_an_interval_above_zero(low, high, expected):
    table = comparisons("documents or queries", [50], [(low + high) / 2], [low], [high])
    assert verdict("Sampling documents", table)["verdict"] == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.002, 0.004, "reproduced"),
        (0.001, 0.004, "reproduced"),
        (0.001, 0.02, "not reproduced"),
        (-0.001, 0.02, "undecided"),
    ],
)
def test_as_good_means_that_less_than_the_margin_is_lost(low, high, expected):
    table = comparisons("all documents or half", [50], [(low + high) / 2], [low], [high])
    assert verdict("Half of", table)["verdict"] == expected


def test_a_claim_about_every_budget_falls_with_one_and_shows_it():
    table = comparisons(
        "documents or queries", [10, 50, 90], [0.03, 0.02, -0.01], [0.02, 0.01, -0.02], [0.04, 0.03, -0.001]
    )
    row = verdict("Sampling documents", table)
    assert row["verdict"] == "not reproduced"
    assert row[["measured", "low", "high"]].tolist() == [-0.01, -0.02, -0.001]


def test_one_undecided_setting_leaves_the_claim_undecided():
    table = comparisons("documents or queries", [10, 50], [0.03, 0.02], [0.02, -0.01], [0.04, 0.05])
    assert verdict("Sampling documents", table)["verdict"] == "undecided"


def test_the_interval_shown_is_that_of_a_setting_with_the_verdict():
    table = comparisons("documents or queries", [10, 50], [0.02, 0.001], [-0.02, -0.001], [0.06, 0.003])
    row = verdict("Sampling documents", table)
    assert row["verdict"] == "not reproduced"  # at 50, though the interval at 10 reaches lower
    assert row[["measured", "low", "high"]].tolist() == [0.001, -0.001, 0.003]


def test_only_the_settings_that_a_claim_speaks_of_count():
    table = comparisons("all documents or fewer", [2, 16], [0.3, 0.0], [0.2, -0.001], [0.4, 0.001])
    assert verdict("16 documents", table)["verdict"] == "reproduced"


def test_what_was_not_measured_is_undecided():
    row = verdict("16 documents", comparisons("documents or queries", [50], [0.1], [0.05], [0.15]))
    assert row["verdict"] == "undecided"
    assert np.isnan(row["measured"])


def test_every_ranker_has_a_verdict_on_every_claim():
    table = pd.concat(
        comparisons("documents or queries", [50], [0.1], [0.05], [0.15], r) for r in ("LambdaRank", "LambdaMART")
    )
    found = claims.verdicts("04", table)
    assert list(found.columns) == ["claim", "source", "published", "ranker", "measured", "low", "high", "verdict"]
    assert len(found) == 2 * len(claims.CLAIMS["04"])
    assert set(found["verdict"]) <= {"reproduced", "not reproduced", "undecided"}


def test_a_claim_has_no_verdict_for_a_ranker_that_only_another_claim_was_measured_with():
    table = pd.concat(
        [
            comparisons("documents or queries", [50], [0.1], [0.05], [0.15], "LambdaRank"),
            comparisons("all documents or half", [50], [0.0], [-0.001], [0.001], "LambdaMART"),
        ]
    )
    found = claims.verdicts("04", table).dropna(subset="measured")
    assert found[["ranker", "verdict"]].values.tolist() == [["LambdaRank", "reproduced"], ["LambdaMART", "reproduced"]]
    assert verdict("Half of", table)["ranker"] == "LambdaMART"


def test_the_margin_moves_the_verdict():
    table = comparisons("all documents or half", [50], [0.004], [0.001], [0.007])
    assert verdict("Half of", table, margin=0.005)["verdict"] == "not reproduced"
    assert verdict("Half of", table, margin=0.01)["verdict"] == "reproduced"


def test_an_unknown_study_is_refused():
    with pytest.raises(ValueError, match="study is '99', expected one of 02, 03, 04"):
        claims.verdicts("99", comparisons("documents or queries", [50], [0.1], [0.05], [0.15]))
