"""What tables say, as words."""

import math

import pandas as pd
import pytest

from helpers.reporting import answers


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [
        (0.0213, 3, ".021"),
        (-0.5, 3, "-.500"),
        (-0.0001, 3, ".000"),
        (0.9999, 3, "1.000"),
        (-1.4142, 3, "-1.41"),
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


def test_a_table_in_markdown_keeps_its_columns_and_its_words():
    heads, rule, line = answers.markdown(pd.DataFrame({"one": ["a|b costs $2 or C_X"], "two": ["*"]})).splitlines()
    assert (heads, rule) == ("| one | two |", "| :-- | :-- |")
    assert line == r"| a\|b costs \$2 or C\_X | \* |"


def test_sentences_are_shown_as_paragraphs():
    assert answers.show("One.", "", "Two.").data == "One.\n\nTwo."
    assert answers.show("", "") is None
