"""Verdicts, computed from comparisons."""

import numpy as np
import pandas as pd
import pytest

from helpers.studies import claims


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
    # at the level .05 / 3 a normal distribution has 2.394 standard errors in place of 1.960
    wide = 2.394 / 1.960
    assert row[["measured", "low", "high"]].tolist() == pytest.approx(
        [-0.01, -0.01 - 0.01 * wide, -0.01 + 0.009 * wide], abs=1e-5
    )
    assert row["where"] == "90 % of the judgments (of 3)"


@pytest.mark.parametrize(("settings", "expected"), [(1, "not reproduced"), (2, "undecided"), (6, "undecided")])
def test_one_setting_of_several_fails_a_claim_of_each_only_at_holms_level(settings, expected):
    # z of margin less difference is (.005 + .0051) / (.0100 / 1.96) = 1.98, beyond 1.96 and short of 2.24
    good = settings - 1
    table = comparisons(
        "documents or queries",
        list(range(settings)),
        [-0.0051] + good * [0.03],
        [-0.0151] + good * [0.02],
        [0.0049] + good * [0.04],
    )
    row = verdict("Sampling documents", table)
    assert row["verdict"] == expected
    assert row["measured"] == -0.0051


def majority(differences, half):
    low, high = (np.array(differences) + x for x in (-half, half))
    at = [f"mv{k}" for k in range(len(differences))]
    return comparisons("majority vote or all labels", at, differences, low, high)


def worse_in_some_cases(table):
    found = claims.verdicts("01", table, data="clean07").set_index("claim")
    return found.loc["The majority vote is worse than training on all of its labels in some cases"]


def test_one_setting_of_several_bears_out_a_claim_of_some_only_at_holms_level():
    one = worse_in_some_cases(majority([-0.0105], 0.01))
    two, three = (
        worse_in_some_cases(majority([-0.0105, 0.0], 0.01)),
        worse_in_some_cases(majority([-0.013, 0, 0], 0.01)),
    )
    assert [one["verdict"], two["verdict"], three["verdict"]] == ["reproduced", "undecided", "reproduced"]
    assert (three["where"], three["measured"]) == ("clean07: mv0 (of 3)", -0.013)
    assert three["high"] < 0 < two["high"]


def test_a_claim_of_some_settings_falls_only_with_all_of_them():
    assert worse_in_some_cases(majority([0.01, 0.02], 0.005))["verdict"] == "not reproduced"
    row = worse_in_some_cases(majority([0.01, 0.0], 0.005))  # of the second a loss of .005 cannot be excluded
    assert (row["verdict"], row["where"]) == ("undecided", "clean07: mv1 (of 2)")


def test_reproduced_at_each_setting_shows_the_weakest_at_95_percent():
    table = comparisons("documents or queries", [10, 50], [0.03, 0.02], [0.02, 0.001], [0.04, 0.039])
    row = verdict("Sampling documents", table)
    assert row[["where", "measured", "low", "high", "verdict"]].tolist() == [
        "50 % of the judgments (of 2)", 0.02, 0.001, 0.039, "reproduced"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("study", "claim"), [(study, claim) for study in claims.CLAIMS for claim in claims.CLAIMS[study]]
)
def test_every_claim_can_come_out_each_way(study, claim):
    at = claim.at[0] if claim.at else "x"
    ranker = claim.rankers[0] if claim.rankers else "any"
    found = set()
    for centre in (-1, claim.margin, 0, 1):
        for half in (1e-6, 0.5):
            table = comparisons(claim.question, [at], [centre], [centre - half], [centre + half], ranker)
            data = claim.data[0] if claim.data else None
            found.add(claims.verdicts(study, table, data=data).set_index("claim").loc[claim.claim, "verdict"])
    assert found == {"reproduced", "undecided", "not reproduced"}


# scope


def test_a_claim_is_judged_only_on_the_label_sets_that_it_was_made_for():
    table = comparisons("if-good-2 or one label", ["if-good-2"], [0.01], [0.005], [0.015])
    judged = {data: set(claims.verdicts("01", table, data=data)["claim"]) for data in ("clean07", "clean+", "pool")}
    claim = "if-good-2 beats one label a pair"
    assert [claim in judged[data] for data in judged] == [False, True, False]
    best = "No other setting is better than if-good-3"
    assert [best in judged[data] for data in judged] == [True, False, False]
    assert claim in set(claims.verdicts("01", table)["claim"])  # of data without a name all is judged


def test_a_claim_is_judged_only_with_its_rankers():
    table = pd.concat(
        comparisons("share lost before the turning point", [0], [0.2], [0.19], [0.21], ranker)
        for ranker in ("RankSVM", "LambdaMART")
    )
    found = claims.verdicts("03", table).dropna(subset="measured")
    mine = found[found["claim"].str.endswith("less than 5 % is lost")]
    assert mine[["ranker", "verdict"]].values.tolist() == [["RankSVM", "not reproduced"]]
    assert found[found["claim"].str.contains("did not try")]["ranker"].tolist() == ["LambdaMART"] * 2


def test_values_of_at_are_found_as_numbers_and_as_texts():
    for at in (16, "16"):
        assert verdict("16 documents", comparisons("all documents or fewer", [at], [0.0], [-0.001], [0.001]))[
            "verdict"
        ] == ("reproduced")


def test_what_does_not_depend_on_a_ranker_is_one_row():
    table = pd.concat(
        comparisons(
            "pNoise of MSLR",
            [50],
            [0.005],
            [
                0.0,
            ],
            [0.011],
            ranker,
        )
        for ranker in ("RankSVM", "ListNet")
    )
    found = claims.verdicts("03", table).dropna(subset="measured")
    assert found[["ranker", "verdict", "where"]].values.tolist() == [["", "undecided", "dNoise 50 %"]]


# two-sided ceilings


def near_and_room(*gaps, half=0.01):
    at = [f"M{i}" for i in range(len(gaps))]
    low, high = (np.array(gaps) + x for x in (-half, half))
    table = comparisons("ceiling or learned", at, list(gaps), low, high)
    found = claims.verdicts("02", table, data="mq2008").dropna(subset="measured").set_index("claim")
    return [found.loc[f"Under some confusion matrix learned rankers {x}"] for x in (
        "are near the ceiling", "have room for improvement"
    )]  # fmt: skip


def test_a_ranker_above_a_ceiling_is_not_near_it():
    near, room = near_and_room(-0.2, -0.1)
    assert (near["verdict"], room["verdict"]) == ("not reproduced", "not reproduced")


def test_near_under_one_matrix_and_room_under_another_names_both():
    near, room = near_and_room(-0.2, 0.01, 0.2)
    assert (near["verdict"], near["where"]) == ("reproduced", "mq2008: under M1 (of 3)")
    assert (room["verdict"], room["where"]) == ("reproduced", "mq2008: under M2 (of 3)")
    assert near["rests_on"] == "real"


def test_a_gap_that_may_be_within_the_margin_or_not_decides_neither():
    near, room = near_and_room(0.05, -0.2)
    assert (near["verdict"], room["verdict"]) == ("undecided", "undecided")
    assert near["where"] == room["where"] == "mq2008: under M0 (of 2)"


# what a verdict rests on


def test_a_number_that_was_fitted_is_by_construction_where_it_was_and_counts_elsewhere():
    table = comparisons("cost of if-good-3", ["labels a pair"], [0.02], [0.01], [0.03])
    rests = {}
    for data in ("clean07", "pool", "cystic-fibrosis", "web-search-crowd"):
        found = claims.verdicts("01", table, data=data).set_index("claim")
        rests[data] = found.loc["if-good-3 costs about 1.4 labels a pair", "rests_on"]
    assert rests == {
        "clean07": "by construction", "pool": "by construction", "cystic-fibrosis": "real", "web-search-crowd": "real"
    }  # fmt: skip


def explained(difference, without="", rests_on="real"):
    table = comparisons(
        "explained by pNoise or dNoise", [0], [difference], [difference - 0.1], [difference + 0.1], "RankSVM"
    )
    return table.assign(without=without, rests_on=rests_on)


def rests(*tables):
    found = claims.verdicts("03", pd.concat(tables), data="all").set_index("claim")
    return found.loc["pNoise rather than dNoise explains the fall on all data sets", ["verdict", "rests_on"]].tolist()


def test_a_verdict_that_changes_without_td2003_hangs_on_it():
    assert rests(explained(0.5), explained(0.0, "TD2003")) == ["reproduced", "hangs on TD2003"]
    assert rests(explained(0.5), explained(0.4, "TD2003")) == ["reproduced", "real"]


def test_a_verdict_that_changes_without_synthetic_data_says_so():
    without = explained(0.4, "TD2003"), explained(0.0, "synthetic")
    assert rests(explained(0.5), *without) == ["reproduced", "hangs on synthetic data"]
    assert rests(explained(0.5, rests_on="synthetic")) == ["reproduced", "synthetic"]


def test_a_verdict_of_a_portrait_is_synthetic_and_without_a_name_nothing_is_said():
    table = comparisons("all documents or half", [50], [0.0], [-0.001], [0.001])
    for data, expected in (("mslr-sample-portrait", "synthetic"), ("mq2008", "real"), (None, "not said")):
        found = claims.verdicts("04", table, data=data).dropna(subset="measured")
        assert found["rests_on"].item() == expected


def test_the_interval_shown_is_that_of_a_setting_with_the_verdict():
    table = comparisons("documents or queries", [10, 50], [0.02, 0.001], [-0.02, -0.001], [0.06, 0.003])
    row = verdict("Sampling documents", table)
    assert row["verdict"] == "not reproduced"  # at 50, though the interval at 10 reaches lower
    assert (row["measured"], row["where"]) == (0.001, "50 % of the judgments (of 2)")
    assert -0.0014 < row["low"] < -0.001
    assert 0.003 < row["high"] < 0.0034


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
    assert list(found.columns) == [
        "claim", "source", "published", "where", "ranker", "measured", "low", "high", "expected", "verdict", "rests_on"
    ]  # fmt: skip
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
    with pytest.raises(ValueError, match="study is '99', expected one of 01, 02, 03, 04"):
        claims.verdicts("99", comparisons("documents or queries", [50], [0.1], [0.05], [0.15]))


@pytest.mark.parametrize(
    ("cost", "verdict"), [(1.36, "reproduced"), (1.48, "reproduced"), (1.502, "undecided"), (1.52, "not reproduced")]
)
def test_the_cost_of_if_good_3_may_lie_a_tenth_of_a_label_from_the_papers(cost, verdict):
    away = abs(cost - 1.4)
    table = comparisons("cost of if-good-3", ["labels a pair"], [away], [away - 0.005], [away + 0.005])
    found = claims.verdicts("01", table).set_index("claim")["verdict"]
    assert found["if-good-3 costs about 1.4 labels a pair"] == verdict


@pytest.mark.parametrize("study", list(claims.CLAIMS))
def test_every_claim_says_something_of_its_own(study):
    stated = [claim.claim for claim in claims.CLAIMS[study]]
    assert len(set(stated)) == len(stated)


def test_a_ledger_is_in_the_order_of_the_claims_whatever_data_they_were_made_for():
    ledger = claims.ledger("04", "01")
    assert ledger["study"].is_monotonic_increasing
    for study, rows in ledger.groupby("study"):
        stated = [claim.claim for claim in claims.CLAIMS[study]]
        places = rows["claim"].map(stated.index)
        assert places.is_monotonic_increasing
        assert rows.groupby("claim")["data"].apply(lambda data: data.is_monotonic_increasing).all()
