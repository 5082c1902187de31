"""Ceilings of known collections."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from helpers.judging.confusion import Confusion, load_confusions
from helpers.studies.bounds import collection_ceilings
from helpers.studies.bounds import protocol as study

SMALL = study.Scale(queries=8, matrices=3, splits=1, labellings=100, intervals=20, lists=5)
PROFILES = {name: collection_ceilings.profiles_of(name) for name in collection_ceilings.COLLECTIONS}
PERFECT = Confusion("perfect", np.diag([5, 5, 5]), (0, 1, 2), (0, 1, 2), "made up")
OTHER_SCALE = Confusion("five grades", np.eye(5, dtype=int), tuple(range(5)), tuple(range(5)), "made up")


def test_assessors_who_agree_leave_a_ceiling_of_one_and_other_scales_are_left_out(rng):
    table = collection_ceilings.ceilings_table(
        PROFILES["ohsumed"], {"perfect": PERFECT, "five": OTHER_SCALE}, SMALL, rng
    )
    assert table["matrix"].tolist() == ["perfect"]
    values = table[["exact", "approximate", "simulated"]].to_numpy()
    assert values == pytest.approx(np.ones((1, 3)))
    assert table["double_judgments"].tolist() == [15]
    assert (table["low"] < table["high"]).all()  # fifteen judgments do not prove agreement


def test_three_methods_agree_on_real_profiles_within_what_each_allows(rng):
    web = {"web": load_confusions()["WEB5_truth_vs_worker"]}
    row = collection_ceilings.ceilings_table(PROFILES["mslr-sample"], web, SMALL, rng).iloc[0]
    assert abs(row["simulated"] - row["exact"]) < 4 * row["standard_error"] < 0.05
    assert abs(row["approximate"] - row["exact"]) < 0.003
    assert row["low"] < row["exact"] < row["high"]


def test_an_interval_from_some_queries_is_about_that_from_all(rng):
    web = {"web": load_confusions()["WEB5_truth_vs_worker"]}
    scales = SMALL, replace(SMALL, interval_queries=30)
    whole, some = (
        collection_ceilings.ceilings_table(PROFILES["mslr-sample"], web, scale, np.random.default_rng(1)).iloc[0]
        for scale in scales
    )
    assert some["exact"] == whole["exact"]
    assert some["low"] < some["exact"] < some["high"]
    assert some["high"] - some["low"] == pytest.approx(whole["high"] - whole["low"], rel=0.5)


def test_probabilities_without_counts_have_no_interval(rng):
    printed = Confusion("printed", np.full((3, 3), 1 / 3), (0, 1, 2), (0, 1, 2), "made up")
    row = collection_ceilings.ceilings_table(PROFILES["mq2008"], {"printed": printed}, SMALL, rng).iloc[0]
    assert np.isnan(row[["double_judgments", "low", "high"]].astype(float)).all()
    assert 0 < row["exact"] < 1


def test_the_span_is_that_of_the_collection_whose_ceilings_lie_farthest_apart():
    tables = {"a": pd.DataFrame({"exact": [0.9, 0.52, 0.3]}), "b": pd.DataFrame({"exact": [0.5, 0.4]})}
    assert "On a alone ceilings run from .300 to .900" in collection_ceilings.span(tables)


def test_the_best_ranker_is_that_of_its_collection():
    learned = pd.DataFrame({"dataset": ["a", "a", "b"], "ndcg": [0.4, 0.5, 0.9]})
    assert collection_ceilings.best(learned, "a") == 0.5
