"""A frame with holes is the frame without those rows, for everything that takes judgments."""

import importlib
import inspect
import itertools
import pkgutil

import numpy as np
import pandas as pd
import pytest

import helpers
from helpers.judging import agreements, alternative, asking, judgments, replacing
from helpers.judging.coded import coded
from helpers.studies.budget import real
from helpers.studies.budget.pilot import imagined, pilot
from helpers.studies.judgments import asked, tables, writing
from helpers.studies.overlap.tables import machine_first

JUDGES = ("Al", "Bob", "Carl", "model: m")
RUN = pd.DataFrame([(q, d, -int(d)) for q in "abcd" for d in "01234"], columns=["query", "doc", "score"])


def rng():
    return np.random.default_rng(0)


def holes():
    """Judgments of which some are missing: all of a document, all of a query, all of a judge."""
    draw, missing = np.random.default_rng(3), itertools.cycle([np.nan, None, pd.NA])
    rows = [(q, d, who, int(draw.integers(4))) for q in "abcd" for d in "01234" for who in JUDGES]
    rows = [(*row[:3], next(missing) if draw.random() < 0.15 or row[1] == "4" else row[3]) for row in rows]
    rows = [("empty", "0", "Al", None), *rows, ("a", "1", "Nobody", None), ("a", "9", "Al", 1)]
    return pd.DataFrame(rows, columns=judgments.LONG)


def one_query(frame):
    return frame[~frame["query"].isin(["b", "c", "d"])]


def person(frame):
    return frame[frame["assessor"] == "Al"]


TAKES = {
    "agreements.by_judges": agreements.by_judges,
    "agreements.by_query": agreements.by_query,
    "agreements.alpha": lambda frame: agreements.alpha(frame, draws=9, rng=rng()),
    "agreements.alpha of one query": lambda frame: agreements.alpha(one_query(frame), draws=9, rng=rng()),
    "agreements.unanimity": agreements.unanimity,
    "agreements.disputed": agreements.disputed,
    "alternative.alternative_test": lambda frame: alternative.alternative_test(frame, "model: m", fewest=2),
    "alternative.alternative_tests": lambda frame: alternative.alternative_tests(frame, JUDGES, fewest=2),
    "asking.worth_asking": lambda frame: asking.worth_asking(frame, 3),
    "asking.hidden": lambda frame: asking.hidden(frame, 3, rng=rng(), orders=2),
    "coded.coded": lambda frame: vars(coded(frame)),
    "judgments.paired": lambda frame: judgments.paired(frame, "Al", ["Bob", "Carl"]),
    "judgments.confusion_counts": lambda frame: judgments.confusion_counts(frame, "Al", "Bob", 4),
    "judgments.label_matrix": lambda frame: vars(judgments.label_matrix(frame)),
    "judgments.summary": judgments.summary,
    "judgments.without_missing": lambda frame: judgments.without_missing(frame).reset_index(drop=True),
    "replacing.crossed": lambda frame: vars(replacing.crossed(frame, 3)),
    "replacing.scored": lambda frame: replacing.scored(frame, 3, rng=rng()),
    "asked.answers": lambda frame: vars(asked.answers(tables.people(frame), frame, 3, 0.2, rng())),
    "tables.judges": tables.judges,
    "tables.wrong": tables.wrong,
    "tables.confusion": tables.confusion,
    "tables.replacements": lambda frame: tables.replacements(
        frame, replacing.crossed(frame, 3), 0.2, draws=9, rng=rng()
    ),
    "tables.best": lambda frame: tables.best(frame, [3], draws=9, rng=rng()),
    "tables.predicted": lambda frame: tables.predicted(frame, 3, rng()),
    "tables.rules": lambda frame: tables.rules(frame, 3, rng()),
    "tables.grade_shares": tables.grade_shares,
    "tables.rule_comparisons": lambda frame: tables.rule_comparisons(frame, draws=9, rng=rng()),
    "tables.qrels": tables.qrels,
    "tables.people": lambda frame: tables.people(frame).reset_index(drop=True),
    "writing.qrels": writing.qrels,
    "_per_label.machine_first": lambda frame: machine_first(frame, "Al", 2),
    "pilot.pilot": lambda frame: vars(pilot(frame, [RUN, RUN], frame.query("assessor == 'model: m'"))),
    "pilot.imagined": lambda frame: vars(imagined(frame, rng(), person(frame))),
    "real.system_scores": lambda frame: real.system_scores(person(frame), {"run": RUN}, 3),
}
NAMED = ("frame", "everyone", "judgments")
ELSEWHERE = ["checked"]
"""What refuses the holes of a file, with their line."""


@pytest.mark.parametrize("name", TAKES)
def test_a_missing_label_is_no_label(name):
    frame = holes()
    whole = frame.dropna().astype({"grade": int}).reset_index(drop=True)
    assert len(whole) < len(frame)
    same(TAKES[name](frame), TAKES[name](whole))


@pytest.mark.parametrize("dtype", ["float64", "Int64", "Int8", "Float32", "object", "string"])
def test_missing_is_whatever_pandas_takes_for_it(dtype):
    frame = pd.DataFrame({"query": "q", "doc": list("abc"), "assessor": "Al", "grade": pd.array([2, None, 0], dtype)})
    expected = pd.DataFrame({"query": "q", "doc": list("ac"), "assessor": "Al", "grade": [2, 0]}, index=[0, 2])
    same(judgments.without_missing(frame), expected)


def same(first, second):
    """Equal to the last bit and type, whatever the results are made of."""
    assert type(first) is type(second)
    if isinstance(first, pd.DataFrame | pd.Series):
        getattr(pd.testing, f"assert_{'frame' if isinstance(first, pd.DataFrame) else 'series'}_equal")(first, second)
    elif isinstance(first, dict):
        assert first.keys() == second.keys()
        for name in first:
            same(first[name], second[name])
    elif isinstance(first, list | tuple):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            same(one, other)
    elif hasattr(first, "__dataclass_fields__"):
        same(vars(first), vars(second))
    else:
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("column", ["query", "doc", "assessor"])
@pytest.mark.parametrize("name", [name for name in TAKES if name not in ("real.system_scores", "pilot.imagined")])
def test_a_grade_of_nobody_or_of_nothing_is_refused_in_a_line(name, column):
    frame = holes()
    frame.loc[frame["grade"].first_valid_index(), column] = None
    with pytest.raises(ValueError, match=f"frame: row 1 has no {column}, expected one for each grade"):
        TAKES[name](frame)


@pytest.mark.parametrize("grade", ["high", np.inf])
def test_a_grade_that_is_no_number_is_refused_in_a_line(grade):
    frame = pd.DataFrame({"query": "q", "doc": ["a", "b"], "assessor": "Al", "grade": [1, grade]})
    with pytest.raises(ValueError, match=f"frame: row 1 has grade '?{grade}'?, expected a number"):
        agreements.by_judges(frame)


def test_the_pairs_of_two_assessors_have_no_holes():
    pairs = pd.DataFrame({"query": "q", "testing": [1, None], "training": [0, 1]})
    with pytest.raises(ValueError, match="pairs: a grade is missing"):
        judgments.query_confusion_counts(pairs, 2)


def test_alpha_and_kappa_of_judges_who_agree_on_all_that_both_judged():
    said = {"a": [0, 1, 2, 0, 1, 2], "b": [np.nan, np.nan, np.nan, 0, 1, 2]}
    frame = pd.DataFrame(
        [("q", d, who, g) for who, gs in said.items() for d, g in enumerate(gs)], columns=judgments.LONG
    )
    assert agreements.alpha(frame, draws=9, rng=rng())["alpha"] == 1
    assert agreements.by_judges(frame)[["documents", "kappa", "weighted_kappa"]].to_numpy().tolist() == [[3, 1, 1]]


def test_everything_that_takes_judgments_is_tried():
    found = set()
    for module in pkgutil.walk_packages(helpers.__path__, "helpers."):
        if module.name.split(".")[1] in ("judging", "studies") and ".formats" not in module.name:
            for name, thing in vars(importlib.import_module(module.name)).items():
                own = inspect.isfunction(thing) and thing.__module__ == module.name and name[0] != "_"
                if own and any(thing.__annotations__.get(each) == "pd.DataFrame" for each in NAMED):
                    found.add(name)
    assert found <= {name.split(".")[-1] for name in [*TAKES, *ELSEWHERE]}
