"""The exercises of study 2 tell right answers from wrong ones."""

import numpy as np
import pandas as pd
import pytest

from helpers.judging import ceilings
from helpers.judging.confusion import ordinal_confusion
from helpers.studies.bounds import exercises
from helpers.studies.bounds.findings import ALL

PROFILE = [5, 4, 3, 2, 1]
CROWD = ordinal_confusion(5, 0.6)
LEARNED = pd.DataFrame({"dataset": ["a"], "ndcg": [0.5]})
CEILINGS = pd.DataFrame({"exact": [0.9, 0.56, 0.54]})
WORTH = pd.DataFrame({"ranker": [ALL, ALL, "X"], "queries": [5, 42, 42], "needed": [10.0, 84.0, 1.0]})
KNOWN = pd.DataFrame({"judges": ["A", "B"], "low": [0.1, -0.1]})
TOP = ceilings.exact(PROFILE, CROWD, 1)


@pytest.mark.parametrize(
    ("check", "right", "wrong", "given"),
    [
        (exercises.check_1, round(float(TOP), 2), TOP + 0.02, (PROFILE, CROWD)),
        (exercises.check_2, "small", "large", (PROFILE,)),
        (exercises.check_3, 15, 1, (PROFILE, CROWD)),
        (exercises.check_4, 0.0, 0.5, (PROFILE, np.eye(5), 3)),
        (exercises.check_5, ["A"], ["A", "B"], (KNOWN,)),
        (exercises.check_6, 2, 1, (CEILINGS, LEARNED, "a")),
        (exercises.check_7, 0.02, 0.2, (WORTH, 0.01)),
    ],
)
def test_right_wrong_and_no_answer(capsys, check, right, wrong, given):
    for answer in (right, wrong, ...):
        check(answer, *given)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Right."
    assert said[1].startswith("Not yet: ")
    assert said[2] == "No answer yet."


def test_both_assessors_of_exercise_2_are_right_as_often():
    far = exercises.far_off(5, 0.6)
    assert np.diag(far) == pytest.approx(np.full(5, 0.6))
    assert far.sum(axis=1) == pytest.approx(np.ones(5))
