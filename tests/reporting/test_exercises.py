"""What a reader is told of an answer, and that no check takes one that can be written down without the data."""

import contextlib
import importlib
import io
import re
import types

import nbformat
import numpy as np
import pandas as pd
import pytest
from given import GIVEN

from helpers.command.notebooks import available
from helpers.reporting import exercises

STUDIES = {"01": "overlap", "02": "bounds", "03": "robustness", "04": "depth", "05": "budget", "06": "judgments"}
NUMBER = re.compile(r"(?<![\w.])\d*\.?\d+")


def said(capsys, *args, **kwargs):
    exercises.told(*args, **kwargs)
    return capsys.readouterr().out.strip()


RIGHT, WRONG = "Right.", "Not yet: look again."
SAID = {
    RIGHT: [
        (0.1 + 0.2, 0.3), (True, np.True_), ("  LambdaMART", "lambdamart"), ([1, 2.0], np.array([1, 2])),
        (pd.Series([0.25, np.nan]), [0.25, np.nan]), (("b", "A"), ["B", "a"]), (["b", "a", "b"], {"a", "b"}),
        (pd.Index(["a", "b"]), {"b", "a"}),
    ],
    WRONG: [
        (-0.3, 0.3), (np.nan, 0.3), ("RankBoost", "AdaRank"), ([1, 2], [2, 1]), (["a"], {"a", "b"}),
        (["a", "b", "c"], {"a", "b"}),
    ],
    "No answer yet.": [(..., 3), (..., "three"), (..., True), (..., [1, 2]), (..., {"a"})],
    "Not yet: the answer is to be a number.": [("three", 3), ([3], 3), (True, 1)],
    "Not yet: the answer is to be True or False.": [(1, True)],
    "Not yet: the answer is to be a text in quotes.": [(3, "three")],
    "Not yet: the answer is to be 2 numbers.": [([1, 2, 3], [1, 2]), ([[1], [1, 2]], [1, 2])],
    "Not yet: the answer is to be 2 by 2 numbers.": [([1, 2, 3, 4], [[1, 2], [3, 4]])],
    "Not yet: the answer is to be a list or a set.": [("ab", {"a", "b"})],
    "decimal point": [("0,42", 0.42), ((0, 42), 0.42)],
    "without the sign": [("42 %", 0.42)],
    "without quotes": [("0.42", 0.42)],
    "divide by 100": [(42, 0.42)],
    "times 100": [(0.42, 42)],
}  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "expected", "told"), [(*pair, told) for told, pairs in SAID.items() for pair in pairs]
)
def test_an_answer_is_told_right_or_what_is_wrong_with_it(capsys, answer, expected, told):
    found = said(capsys, answer, expected, hint="look again.")
    assert found == told if told.endswith(".") else told in found
    assert said(capsys, answer, expected) == ("Not yet." if told == WRONG else found)


def test_a_number_may_be_off_by_what_is_allowed_and_no_more(capsys):
    assert said(capsys, 0.68, 0.685, within=0.005) == RIGHT
    assert said(capsys, 0.679, 0.685, within=0.005) == "Not yet."
    assert said(capsys, [0.68, 0.6], [0.685, 0.61], within=0.005) == "Not yet."


def test_nothing_that_is_printed_holds_the_right_answer(capsys):
    for answer in (..., 1, "text", [1, 2], None):
        assert "0.4321" not in said(capsys, answer, 0.4321, hint="divide.")


def test_a_cell_that_fails_leaves_no_old_answer():
    space, registered = {"answer_1": 3, "answer_2": 4}, {}
    events = types.SimpleNamespace(register=registered.__setitem__)
    exercises.forget(types.SimpleNamespace(user_ns=space, events=events))
    for success, code in ((True, "answer_1 = 3"), (False, "if True:\n    answer_2 = 1 / 0\nanswer_1 == 2")):
        info = types.SimpleNamespace(raw_cell=code)
        registered["post_run_cell"](types.SimpleNamespace(success=success, info=info))
    assert space == {"answer_1": 3, "answer_2": ...}


def asked(study):
    """Exercise number -> its text."""
    cells = next(nbformat.read(found.path, as_version=4).cells for found in available() if found.number == study)
    texts = [cell.source for cell in cells if "exercise" in cell.metadata.get("tags", [])]
    return dict(enumerate(texts, start=1))


def without_data(text):
    """Answers that need no data: nothing, and the numbers that stand in the text of an exercise."""
    numbers = [float(found) for found in NUMBER.findall(text.partition("**")[2].partition("**")[2])]
    return [0, 1, True, False, "", [], set(), *(way for n in numbers for way in (n, n / 100, 100 * n, 1 - n, -n))]


@pytest.mark.parametrize("study", sorted(STUDIES))
def test_no_check_takes_what_can_be_written_down_without_the_data(study):
    module = importlib.import_module(f"helpers.studies.{STUDIES[study]}.exercises")
    texts, given = asked(study), GIVEN[study]
    assert exercises.checks(module).keys() == texts.keys()
    for number, check in exercises.checks(module).items():
        rest = given[number]() if number in given else ()
        for answer in without_data(texts[number]):
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                check(answer, *rest)
            assert printed.getvalue().startswith(exercises.NOT_YET), (number, answer)
