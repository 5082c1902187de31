"""What tables say, as words."""

import math

import pandas as pd
import pytest

from helpers.reporting import answers


def verdicts(**columns):
    """Verdicts on the claim "A", one for each value of the longest column."""
    given = {
        "claim": "A",
        "source": "a paper",
        "published": "higher",
        "where": "half of them",
        "ranker": "",
        "measured": 0.02,
        "low": 0.01,
        "high": 0.03,
        "verdict": "reproduced",
        "expected": "above 0",
        "rests_on": "real",
        "data": "x",
    }
    length = max((len(values) for values in columns.values() if isinstance(values, list)), default=1)
    return pd.DataFrame(given | columns, index=range(length))


def row(**columns):
    [found] = answers.card(verdicts(**columns)).to_dict("records")
    return found


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [
        (0.0213, 3, ".021"),
        (0.0213, 2, ".02"),
        (-0.5, 3, "-.500"),
        (0, 3, ".000"),
        (-0.0001, 3, ".000"),
        (0.9999, 3, "1.000"),
        (1, 3, "1.00"),
        (-1.4142, 3, "-1.41"),
        (10.5, 3, "10.50"),
        (1234.5, 2, "1,234.5"),
        (math.nan, 3, "unknown"),
    ],
)
def test_numbers_have_no_zero_in_front_and_a_small_one_has_no_sign(value, digits, said):
    assert answers.number(value, digits) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0213, "+.021"), (-0.0213, "-.021"), (0.0004, ".000"), (-0.0004, ".000"), (1.5, "+1.50"), (math.nan, "unknown")],
)
def test_a_difference_has_its_sign(value, said):
    assert answers.signed(value) == said


def test_an_interval_without_one_of_its_ends_is_none():
    assert answers.interval(-0.01, 0.25) == "-.010 to .250"
    assert answers.interval(-0.01, 0.25, 2) == "-.01 to .25"
    assert answers.interval(math.nan, 0.25) == answers.interval(0.25, math.nan) == "no interval"


@pytest.mark.parametrize(
    ("names", "said"),
    [([], "none"), (["A"], "A"), (["A", "B"], "A and B"), (("A", "B", "C"), "A, B and C"), (iter("AB"), "A and B")],
)
def test_names_are_listed(names, said):
    assert answers.listed(names) == said


def test_counts_and_shares():
    assert answers.counted(1, "query", "queries") == "1 query"
    assert answers.counted(0, "query", "queries") == "0 queries"
    assert answers.counted(1200, "judge") == "1,200 judges"
    assert answers.share(0.384) == "38 %"
    assert answers.share(1) == "100 %"
    assert answers.share(-0.0153, 1) == "-1.5 %"
    assert answers.share(math.nan) == "unknown"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([], "No claim was measured."),
        (["undecided"], "The only verdict is undecided."),
        (["not reproduced"] * 3, "All 3 verdicts are not reproduced."),
        (["undecided", "reproduced", "undecided"], "Of 3 verdicts 1 is reproduced and 2 are undecided."),
        (
            ["not reproduced", "undecided", "reproduced", "reproduced"],
            "Of 4 verdicts 2 are reproduced, 1 is undecided and 1 is not reproduced.",
        ),
    ],
)
def test_verdicts_are_counted(found, said):
    assert answers.of_verdicts(pd.DataFrame({"verdict": found}, dtype=object)) == said


def test_a_card_has_a_row_for_each_claim_that_was_measured_in_their_order():
    rows = verdicts(claim=["C", "A", "C", "B"], data=["x", "x", "y", "x"], measured=[0.1, math.nan, 0.1, 0.1])
    assert answers.card(rows)["the paper says"].tolist() == ["C", "B"]
    assert answers.card(rows, limit=1)["the paper says"].tolist() == ["C"]


def test_a_card_of_one_verdict_says_all_of_it():
    assert row() == {
        "the paper says": "A",
        "published": "higher",
        "verdict": "reproduced",
        "effect": "+.020 (.010 to .030)",
        "reproduced if": "above 0",
        "where": "x: half of them",
        "rests on": "real",
    }


@pytest.mark.parametrize(
    ("found", "data", "rankers", "said"),
    [
        (["reproduced"] * 2, ["x", "y"], "", "reproduced on both data sets"),
        (["not reproduced"] * 3, ["x", "y", "z"], "", "not reproduced on all 3 data sets"),
        (["undecided", "reproduced"], "x", ["a", "b"], "reproduced with 1 of 2 rankers, undecided with 1"),
        (["undecided", "undecided", "not reproduced", "reproduced"], ["x", "x", "y", "y"], ["a", "b", "a", "b"],
         "undecided in 2 of 4 cases, reproduced in 1, not reproduced in 1"),
    ],
)  # fmt: skip
def test_several_verdicts_on_a_claim_are_counted_the_most_frequent_first(found, data, rankers, said):
    assert row(verdict=found, data=data, ranker=rankers)["verdict"] == said


def test_without_a_column_of_data_sets_there_is_one():
    rows = verdicts(ranker=["a", "b"]).drop(columns="data")
    found = answers.card(rows).iloc[0]
    assert found["verdict"] == "reproduced with both rankers"
    assert found["where"] == "half of them, a"


def test_a_verdict_that_is_decided_on_real_data_by_the_narrowest_interval_gives_the_effect():
    columns = {
        "data": ["drawn", "open", "wide", "narrow"],
        "verdict": ["reproduced", "undecided", "not reproduced", "not reproduced"],
        "rests_on": ["synthetic", "real", "real", "real"],
        "measured": [0.5, 0.4, -0.02, -0.02],
        "low": [0.49, -0.1, -0.06, -0.05],
        "high": [0.51, 0.9, -0.005, -0.01],
    }
    found = row(**columns)
    assert found["where"] == "narrow: half of them"
    assert found["effect"] == "not reproduced: -.020 (-.050 to -.010)"


def test_an_undecided_verdict_on_real_data_does_not_hide_one_that_is_decided():
    found = row(data=["real", "drawn"], verdict=["undecided", "reproduced"], rests_on=["real", "synthetic"])
    assert found["where"] == "drawn: half of them"
    assert found["rests on"] == "in part synthetic; real data alone: undecided"


@pytest.mark.parametrize(
    ("rests_on", "said"),
    [
        (["synthetic", "synthetic"], "synthetic"),
        (["by construction", "synthetic"], "by construction and synthetic"),
        (["hangs on TD2003", "real"], "in part hangs on TD2003; real data alone: reproduced"),
    ],
)
def test_a_card_says_what_does_not_rest_on_real_data(rests_on, said):
    assert row(rests_on=rests_on, ranker=["a", "b"])["rests on"] == said


def test_the_data_set_stands_before_a_setting_once():
    assert answers.place(pd.Series({"data": "x", "where": "x: half", "ranker": ""})) == "x: half"
    assert answers.place(pd.Series({"data": "x", "where": "", "ranker": "R"})) == "x, R"


def test_a_table_in_markdown_keeps_its_columns_and_its_words():
    table = answers.card_markdown(answers.card(verdicts(claim="a|b costs $2 or C_X", published="*")))
    heads, rule, line = table.splitlines()
    assert heads == "| the paper says | published | verdict | effect | reproduced if | where | rests on |"
    assert rule == "| :-- | :-- | :-- | :-- | :-- | :-- | :-- |"
    assert line.startswith(r"| a\|b costs \$2 or C\_X | \* |")


def test_a_card_without_rows_says_so():
    assert answers.card_markdown(answers.card(verdicts(measured=math.nan))) == "No claim was measured."


def test_sentences_are_shown_as_paragraphs():
    assert answers.show("One.", "Two.").data == "One.\n\nTwo."
