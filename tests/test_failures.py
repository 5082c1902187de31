"""A study with failures says so, and shows what it can."""

import pandas as pd
import pytest

from helpers import failures

TABLE = pd.DataFrame(
    {
        "ranker": ["A", "A", "B", "B"],
        "setting": ["one", "two", "one", "two"],
        "ndcg": [0.1, 0.2, None, 0.4],
        "error": [None, None, "ValueError: no pairs", None],
    }
)


def test_failures_are_counted_over_all_tables_and_the_first_is_named():
    said = failures.sentence(TABLE.query("ranker == 'A'"), TABLE)
    assert said == "6 trainings, 1 failed, first: ranker B, setting one: ValueError: no pairs"


def test_without_failures_only_numbers_are_said():
    assert failures.sentence(TABLE.query("ranker == 'A'")) == "2 trainings, 0 failed"


@pytest.mark.parametrize(
    ("cell", "kept"), [(["ranker"], [0, 1]), (["setting"], [1, 3]), (["ranker", "setting"], [0, 1, 3])]
)
def test_a_cell_with_a_failure_is_left_out_whole(cell, kept):
    assert failures.without(TABLE, *cell).index.tolist() == kept


def test_where_every_cell_has_a_failure_the_first_is_the_error():
    with pytest.raises(ValueError, match=r"nothing to show: 1 trainings, 1 failed, first: .* ValueError: no pairs"):
        failures.without(TABLE.iloc[[2]], "ranker")
