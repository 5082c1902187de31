"""Noise at several numbers of training queries."""

import os

import draws
import numpy as np
import pandas as pd
import pytest

from helpers.engine import results
from helpers.making.robustness import SEED
from helpers.studies.robustness import sizes

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
STORED = results.stored("03")["sizes"]


@pytest.fixture
def folds(rng):
    return sizes.folds((9, 30), rng, test=5)


def test_sizes_differ_in_nothing_but_the_number_of_queries(folds):
    assert {n: [tuple(part.n_queries for part in fold) for fold in drawn] for n, drawn in folds.items()} == {
        9: [(9, 3, 5)] * sizes.DRAWS,
        30: [(30, 10, 5)] * sizes.DRAWS,
    }
    for few, many in zip(folds[9], folds[30], strict=True):
        np.testing.assert_array_equal(few[0].features, many[0].features[: few[0].n_docs])
        np.testing.assert_array_equal(few[2].features, many[2].features)
    assert not np.array_equal(folds[9][0][2].features, folds[9][1][2].features)


def test_validation_queries_stop_at_their_most(monkeypatch, rng):
    monkeypatch.setattr(sizes, "VALIDATION", 7)
    assert sizes.folds((30,), rng, test=1)[30][0][1].n_queries == 7


def test_every_size_has_its_rankers_and_levels(folds, tmp_path):
    names = {9: ["ListNet", "RankSVM"], 30: ["ListNet"]}
    found = sizes.runs(folds, names, store=tmp_path, n_jobs=1, seed=0, levels=(0.0, 0.4))
    cells = set(zip(found["queries"], found["ranker"], found["level"], strict=True))
    pairs = [(9, "ListNet"), (9, "RankSVM"), (30, "ListNet")]
    assert cells == {(*pair, level) for pair in pairs for level in (0.0, 0.4)}
    assert found["error"].isna().all()


def made_up(ndcg):
    rows = [
        (queries, "toy", ranker, fold, level, 0, level, ndcg[queries, level])
        for queries in (9, 30)
        for ranker in ("A", "B")
        for fold in (1, 2, 3)
        for level in (0.0, 0.4)
    ]
    columns = ["queries", "dataset", "ranker", "fold", "level", "draw", "pnoise", "ndcg"]
    return pd.DataFrame(rows, columns=columns).assign(error=None)


NDCG = {(9, 0.0): 0.4, (9, 0.4): 0.2, (30, 0.0): 0.5, (30, 0.4): 0.45}


def test_what_is_kept_is_relative_to_the_same_size_without_noise(rng):
    kept = sizes.table(made_up(NDCG), rng).query("ranker == 'A' and dnoise == .4").set_index("queries")
    assert kept["relative"].to_dict() == pytest.approx({9: 0.5, 30: 0.9})
    assert kept["performance"].to_dict() == pytest.approx({9: 0.2, 30: 0.45})
    assert kept[["low", "high"]].to_numpy() == pytest.approx(np.array([[0.5, 0.5], [0.9, 0.9]]))


def test_a_ranker_with_a_failed_run_is_left_out_at_that_size(rng):
    runs = made_up(NDCG)
    failed = (runs["queries"] == 30) & (runs["ranker"] == "A") & (runs["fold"] == 2)
    runs.loc[failed, ["ndcg", "error"]] = [np.nan, "MemoryError"]
    kept = sizes.table(runs, rng)
    assert set(zip(kept["queries"], kept["ranker"], strict=True)) == {(9, "A"), (9, "B"), (30, "B")}


def test_the_stored_table_is_that_of_the_stored_runs():
    made = sizes.table(STORED["uniform"], np.random.default_rng(SEED))
    pd.testing.assert_frame_equal(made, STORED["kept"], rtol=0, atol=1e-5)
    assert made.groupby("queries")["ranker"].unique().map(set).to_dict() == {
        n: set(names) for n, names in sizes.RANKERS.items()
    }


@pytest.mark.skipif(not LARGE, reason="LABEL_STUDIES_TESTS is not all: collections of 6,000 queries are drawn")
def test_runs_on_the_smallest_size_come_out_again(tmp_path):
    """Its queries are the first of the largest size, so that all of that is drawn."""
    draws.skip_where_drawn_otherwise(sizes.PORTRAIT)
    name, few = "RankSVM", min(sizes.RANKERS)
    folds = {few: sizes.folds(sizes.RANKERS, np.random.default_rng(SEED))[few]}
    again = sizes.runs(folds, {few: [name]}, store=tmp_path, n_jobs=1, seed=SEED)
    stored = STORED["uniform"].query("queries == @few and ranker == @name").reset_index(drop=True)
    columns = ["fold", "level", "dnoise", "pnoise", "map", "ndcg"]
    pd.testing.assert_frame_equal(again[columns], stored[columns], rtol=0, atol=1e-6)
