import numpy as np
import pandas as pd
import pytest
from pilots_by_hand import drawn

from helpers.studies import budget
from helpers.studies.budget import exercises

COSTS = budget.Costs(5, 1)


def said(capsys, check, *answers):
    check(*answers)
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def measured():
    return budget.measure(drawn(np.random.default_rng(5)), np.random.default_rng(0), (5, 10, 20), (1,))


def systems():
    """Systems .2 apart, queries .4 apart, the rest +-.025: v_s .01875, v_e .0025."""
    table = {"system": list("aabb"), "query": [1, 2, 1, 2], "people": [0.2, 0.6, 0.4, 0.9]}
    return pd.DataFrame(table)


def test_a_difference_to_depth_two_by_hand(capsys):
    """Gains 7 and 0 in the first two places: the first list has the 7 first, the second at rank 3."""
    grades = np.array([3, 0, 2, 1, 3, 0])
    first, second = np.array([0, 2, 4, 3]), np.array([1, 4, 0, 5])
    assert said(capsys, exercises.check_1, 1 - 1 / 2, grades, first, second) == "Right.\n"
    assert "Not yet" in said(capsys, exercises.check_1, 0.62, grades, first, second)


@pytest.mark.parametrize(("answer", "word"), [(787, "Right."), (128, "Not yet"), (..., "No answer yet.")])
def test_queries_for_a_small_difference(capsys, answer, word):
    assert said(capsys, exercises.check_2, answer).startswith(word)


@pytest.mark.parametrize(("answer", "word"), [(0.5, "Right."), (0.4, "Not yet"), (..., "No answer yet.")])
def test_a_corrected_mean(capsys, answer, word):
    lists = [0.2, 0.4, 0.6], [0.3, 0.5, 0.7], [0.3, 0.5, 0.7, 0.7, 0.8]
    assert said(capsys, exercises.check_3, answer, *lists).startswith(word)


@pytest.mark.parametrize(("answer", "word"), [(0.25, "Right."), (0.4, "Not yet"), (..., "No answer yet.")])
def test_a_machines_price(capsys, answer, word):
    assert said(capsys, exercises.check_4, answer).startswith(word)


def test_queries_for_a_reliable_order(capsys):
    """v_e / v_s x 19: .0025 / .03 x 19 = 1.6, so two, where v_s = (2 x .03125 - .0025) / 2."""
    assert said(capsys, exercises.check_5, 2, systems()) == "Right.\n"
    assert "Not yet" in said(capsys, exercises.check_5, 3, systems())


def test_the_rule_that_loses_least(capsys):
    losses = pd.DataFrame({"rule": ["deep", "deep", "shallow"], "loss": [0.1, 0.3, 0.15]})
    assert said(capsys, exercises.check_6, "shallow", losses) == "Right.\n"
    assert "Not yet" in said(capsys, exercises.check_6, "deep", losses)
    assert said(capsys, exercises.check_6, "none", losses.iloc[:0]) == "Right.\n"


def test_the_depth_at_cheap_queries(capsys, measured):
    cheap = budget.plan(measured, budget.Costs(0.5, 1), 2000).best["depth"]
    assert said(capsys, exercises.check_7, cheap, measured, COSTS, 2000) == "Right.\n"
    assert "Not yet" in said(capsys, exercises.check_7, cheap + 1, measured, COSTS, 2000)
