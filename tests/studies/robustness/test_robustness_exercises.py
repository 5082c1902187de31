"""The exercises of study 3: right answers are right, and wrong ones are told without the right one."""

import pandas as pd
import pytest

from helpers.studies.robustness import exercises
from helpers.studies.robustness.counterparts import ALL, REAL

EXPLAINED = pd.DataFrame(
    {
        "ranker": ["A", "B", "A", "A"],
        "over": [REAL, REAL, REAL, ALL],
        "by": ["difference", "difference", "pNoise", "difference"],
        "explained": [0.1, 0.3, 0.9, 0.5],
    }
)
FALLS = pd.DataFrame({"dataset": ["a", "a", "b", "b"], "dnoise": [0, 0.1] * 2, "pnoise": [0, 0.2, 0, 0.4]})
KEPT = pd.DataFrame(
    {"queries": [250, 1500] * 2, "ranker": ["A", "A", "B", "B"], "dnoise": 0.4, "relative": [0.6, 0.9, 0.8, 0.9]}
)


@pytest.mark.parametrize(
    ("check", "tables", "right", "wrong"),
    [
        (exercises.check_1, [EXPLAINED], 0.2, 0.3),
        (exercises.check_2, [], 0.25, 0.5),
        (exercises.check_3, [], [0, 1], [1, 0]),
        (exercises.check_4, [], "ten grades", "two halves"),
        (exercises.check_5, [], 0.0388, 0.4),
        (exercises.check_6, [FALLS], "b", "a"),
        (exercises.check_7, [KEPT], "A", "B"),
    ],
)
def test_an_answer_is_told_right_from_wrong(check, tables, right, wrong, capsys):
    for answer, said in ((right, "Right."), (wrong, "Not yet: "), (..., "No answer yet.")):
        check(answer, *tables)
        assert capsys.readouterr().out.startswith(said)
