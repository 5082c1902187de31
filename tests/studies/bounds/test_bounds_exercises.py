"""The exercises of study 2 tell right answers from wrong ones."""

import numpy as np
import pytest

from helpers.studies.bounds import exercises
from helpers.studies.bounds.exercises import GIVEN


@pytest.mark.parametrize(
    ("check", "right", "wrong", "given"),
    [
        (exercises.check_1, 0.68, 0.85, GIVEN[1]()),
        (exercises.check_2, (1.96 * 0.02**0.5 / 0.002) ** 2, 20, ([0.0, 0.2],)),
        (exercises.check_3, 0.017, 0.15, GIVEN[3]()),
        (exercises.check_4, 0.21, 0.2, GIVEN[4]()),
        (exercises.check_5, 0.0, 0.1, ([5, 4, 3, 2, 1], np.eye(5), 10)),
    ],
)
def test_right_wrong_and_no_answer(capsys, check, right, wrong, given):
    for answer in (right, wrong, ...):
        check(answer, *given)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Right."
    assert said[1].startswith("Not yet: ")
    assert said[2] == "No answer yet."


def test_both_assessors_of_exercise_4_are_right_as_often():
    far = exercises.far_off(5, 0.6)
    assert np.diag(far) == pytest.approx(np.full(5, 0.6))
    assert far.sum(axis=1) == pytest.approx(np.ones(5))
