"""A frame with holes is the frame without those rows, for everything that takes judgments."""

import importlib
import inspect
import itertools
import pkgutil
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import helpers
from helpers.judging import (
    agreements,
    alternative,
    asking,
    judgments,
    models,
    questions,
    rankings,
    replacing,
    steadiness,
)
from helpers.judging.judgments import coded
from helpers.making import real_pilots as real
from helpers.studies.budget.pilot import pilot
from helpers.studies.judgments import asked, tables, writing
from helpers.studies.overlap.tables import machine_first

JUDGES = ("Al", "Bob", "Carl", "model: m")
RUN = pd.DataFrame([(q, d, -int(d)) for q in "abcd" for d in "01234"], columns=["query", "doc", "score"])
RUNS = [SimpleNamespace(name=name, notes=(), frame=lambda k: RUN.groupby("query").head(k)) for name in "ab"]


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


def people(frame):
    return frame[~frame["assessor"].map(judgments.is_model)]


def person(frame):
    return frame[frame["assessor"] == "Al"]


def labels_of(frame):
    """Of what keeps the rows of a frame, those with a label."""
    return judgments.without_missing(frame).reset_index(drop=True)


TAKES = {
    "agreements.by_judges": agreements.by_judges,
    "agreements.by_query": agreements.by_query,
    "agreements.alpha": lambda frame: agreements.alpha(frame, draws=9, rng=rng()),
    "agreements.alpha of one query": lambda frame: agreements.alpha(one_query(frame), draws=9, rng=rng()),
    "agreements.unanimity": agreements.unanimity,
    "agreements.boundaries": agreements.boundaries,
    "agreements.disputed": agreements.disputed,
    "alternative.alternative_test": lambda frame: alternative.alternative_test(frame, "model: m"),
    "alternative.alternative_tests": lambda frame: alternative.alternative_tests(frame, JUDGES),
    "asking.repairs": lambda frame: asking.repairs(frame, 3),
    "asking.worth_asking": lambda frame: asking.worth_asking(frame, 3),
    "asking.hidden": lambda frame: asking.hidden(frame, 3, rng=rng()),
    "judgments.coded": lambda frame: vars(coded(frame)),
    "judgments.as_coded": lambda frame: vars(judgments.as_coded(frame)),
    "judgments.paired": lambda frame: judgments.paired(frame, "Al", ["Bob", "Carl"]),
    "judgments.confusion_counts": lambda frame: judgments.confusion_counts(frame, "Al", "Bob", 4),
    "judgments.without_missing": lambda frame: judgments.without_missing(frame).reset_index(drop=True),
    "judgments.reported": lambda frame: labels_of(judgments.reported(frame, frame, frame[:0], ["Al"], "x", True)[0]),
    "judgments.pseudonyms": lambda frame: labels_of(judgments.pseudonyms(frame)),
    "models.page": lambda frame: models.page(frame, draws=9, rng=rng())._asdict(),
    "replacing.crossed": lambda frame: vars(replacing.crossed(frame, 3)),
    "rankings.of_runs": lambda frame: rankings.scored(rankings.of_runs(frame, RUNS, 3)),
    "rankings.imagined": lambda frame: rankings.scored(rankings.imagined(frame, 3, rng=rng())),
    "asked.answers": lambda frame: asked.answers(frame, cutoff=3).written(),
    "tables.judges": lambda frame: tables.judges(frame, questions.by_judge(frame)),
    "tables.wrong": lambda frame: tables.wrong(frame, questions.by_judge(frame), steadiness.drift(frame)),
    "questions.by_judge": questions.by_judge,
    "tables.several": lambda frame: vars(tables.several(frame)),
    "tables.qrels": tables.qrels,
    "writing.qrels": writing.qrels,
    "_per_label.machine_first": lambda frame: machine_first(frame, "Al"),
    "pilot.pilot": lambda frame: vars(pilot(frame, {"a": RUN, "b": RUN}, frame.query("assessor == 'model: m'"))),
    "real.system_scores": lambda frame: real.system_scores(person(frame), RUNS, 3),
}
NAMED = {
    "frame": "pd.DataFrame",
    "everyone": "pd.DataFrame",
    "judgments": "pd.DataFrame",
    "judged": "pd.DataFrame | Coded",
}


@pytest.mark.parametrize("name", TAKES)
def test_a_missing_label_is_no_label_and_one_of_few_bits_as_good(name, monkeypatch):
    monkeypatch.setattr(alternative, "FEWEST", 2)
    frame = holes()
    whole = frame.dropna().astype({"grade": int}).reset_index(drop=True)
    assert len(whole) < len(frame)
    found = TAKES[name](whole)
    same(TAKES[name](frame), found)
    same(TAKES[name](whole.astype({"grade": "uint8"})), found)


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


def test_everything_that_takes_judgments_is_tried():
    found = set()
    for module in pkgutil.walk_packages(helpers.__path__, "helpers."):
        if module.name.split(".")[1] in ("judging", "studies") and ".formats" not in module.name:
            for name, thing in vars(importlib.import_module(module.name)).items():
                own = inspect.isfunction(thing) and thing.__module__ == module.name and name[0] != "_"
                if own and any(thing.__annotations__.get(each) == kind for each, kind in NAMED.items()):
                    found.add(name)
    assert found <= {name.split(".")[-1] for name in TAKES}
