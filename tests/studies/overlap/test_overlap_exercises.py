"""The exercises of notebook 01: what is right, what is not, and that a hint does not tell."""

import numpy as np
import pandas as pd
import pytest

from helpers.studies.overlap import exercises

LABELS = np.array([[3, 0, 1, 1], [1, 4, 4, 4], [2, 2, 2, 0]])
PLANE = pd.DataFrame(
    {
        "ranker": "LambdaRank",
        "setting": ["baseline", "if-good-2", "if-good-3"],
        "labels": [1.0, 1.2, 1.4],
        "difference": [np.nan, 0.0, 0.01],
        "low": [np.nan, -0.01, 0.005],
        "high": [np.nan, 0.01, 0.015],
    }
)
AT = "4 documents, 1 label"
WAYS = pd.DataFrame(
    {
        "ranker": "LambdaRank",
        "at": AT,
        "question": ["another query", "another judge", "another judge or another query"],
        "difference": [0.02, 0.01, 0.9],
    }
)
EXERCISES = {
    "1": (lambda answer: exercises.check_1(answer, LABELS), 7, 9),
    "2": (exercises.check_2, 1.4, 3),
    "3": (exercises.check_3, 0.6 / 1.4, 0.2),
    "4": (exercises.check_4, 0.667, 2),
    "5": (lambda answer: exercises.check_5(answer, PLANE, "LambdaRank"), "if-good-3", "none"),
    "6": (exercises.check_6, 0.16, 0.48),
    "7": (lambda answer: exercises.check_7(answer, WAYS, "LambdaRank", AT), "another query", "another judge"),
    "8": (lambda answer: exercises.check_8(answer, PLANE), 2071 * 1.4, 2071),
}


@pytest.mark.parametrize("number", EXERCISES)
def test_the_right_answer_is_right_another_has_a_hint_and_none_is_no_answer(number, capsys):
    check, right, wrong = EXERCISES[number]
    for answer in (right, wrong, ...):
        check(answer)
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == "Right."
    assert second.startswith("Not yet: ")
    assert len(second) > len("Not yet: ")
    assert third == "No answer yet."
