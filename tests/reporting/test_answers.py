"""What tables say, as words: what the examples of `answers` leave out."""

import math

import pandas as pd
import pytest

from helpers.reporting import answers


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (answers.number(0.9999), "1.000"),
        (answers.number(-1.4142), "-1.41"),
        (answers.number(1234.5, 2), "1,234.5"),
        (answers.signed(-0.0004), ".000"),
        (answers.signed(1.5), "+1.50"),
        (answers.signed(math.nan), "unknown"),
        (answers.interval(-0.01, 0.25, 2), "-.01 to .25"),
        (answers.interval(0.25, math.nan), "no interval"),
        (answers.listed(iter("AB")), "A and B"),
        (answers.counted(1, "query", "queries"), "1 query"),
        (answers.counted(0, "query", "queries"), "0 queries"),
        (answers.counted(1200, "judge"), "1,200 judges"),
        (answers.share(-0.0153, 1), "-1.5 %"),
        (answers.share(math.nan), "unknown"),
        (answers.show("", ""), None),
        (answers.show("One.", "", "Two.").data, "One.\n\nTwo."),
    ],
)
def test_a_number_an_interval_names_and_sentences_are_said_so(said, expected):
    assert said == expected


def test_a_table_in_markdown_keeps_its_columns_and_its_words():
    heads, rule, line = answers.markdown(pd.DataFrame({"one": ["a|b costs $2 or C_X"], "two": ["*"]})).splitlines()
    assert (heads, rule) == ("| one | two |", "| :-- | :-- |")
    assert line == r"| a\|b costs \$2 or C\_X | \* |"
