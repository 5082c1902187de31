"""What a reader is told of an answer."""

import numpy as np
import pandas as pd
import pytest

from helpers.reporting import exercises


def said(capsys, *args, **kwargs):
    exercises.told(*args, **kwargs)
    return capsys.readouterr().out.strip()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (0.1 + 0.2, 0.3),
        (True, np.True_),
        ("  LambdaMART", "lambdamart"),
        ([1, 2.0], np.array([1, 2])),
        (pd.Series([0.25, np.nan]), [0.25, np.nan]),
        (("b", "A"), ["B", "a"]),
        (["b", "a", "b"], {"a", "b"}),
        (pd.Index(["a", "b"]), {"b", "a"}),
    ],
)
def test_right_answers_are_right_in_whatever_type_they_come(capsys, answer, expected):
    assert said(capsys, answer, expected) == "Right."


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (-0.3, 0.3),
        (np.nan, 0.3),
        ("RankBoost", "AdaRank"),
        ([1, 2], [2, 1]),
        (["a"], {"a", "b"}),
        (["a", "b", "c"], {"a", "b"}),
    ],
)
def test_wrong_answers_get_the_hint_and_nothing_else(capsys, answer, expected):
    assert said(capsys, answer, expected, hint="look again.") == "Not yet: look again."
    assert said(capsys, answer, expected) == "Not yet."


@pytest.mark.parametrize(
    ("answer", "expected", "kind"),
    [
        ("3", 3, "a number"),
        ([3], 3, "a number"),
        (True, 1, "a number"),
        (1, True, "True or False"),
        (3, "three", "a text in quotes"),
        ([1, 2, 3], [1, 2], "2 numbers"),
        ([1, 2, 3, 4], [[1, 2], [3, 4]], "2 by 2 numbers"),
        ([[1], [1, 2]], [1, 2], "2 numbers"),
        ("ab", {"a", "b"}, "a list or a set"),
    ],
)
def test_an_answer_of_another_kind_is_told_which_is_expected(capsys, answer, expected, kind):
    assert said(capsys, answer, expected, hint="look again.") == f"Not yet: the answer is to be {kind}."


@pytest.mark.parametrize("expected", [3, "three", True, [1, 2], {"a"}])
def test_no_answer_is_no_wrong_answer(capsys, expected):
    assert said(capsys, ..., expected, hint="look again.") == "No answer yet."


def test_a_number_may_be_off_by_what_is_allowed_and_no_more(capsys):
    assert said(capsys, 0.68, 0.685, within=0.005) == "Right."
    assert said(capsys, 0.679, 0.685, within=0.005) == "Not yet."
    assert said(capsys, [0.68, 0.6], [0.685, 0.61], within=0.005) == "Not yet."


def test_nothing_that_is_printed_holds_the_right_answer(capsys):
    for answer in (..., 1, "text", [1, 2], None):
        assert "0.4321" not in said(capsys, answer, 0.4321, hint="divide.")
