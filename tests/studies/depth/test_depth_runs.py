"""All runs of study 4 at a small scale; what is stored of them, of which a sample is computed again."""

import json
import os
from dataclasses import replace

import draws
import numpy as np
import pandas as pd
import pytest
import waiting

from helpers.datasets import sampling
from helpers.engine import results, sweep
from helpers.making import common
from helpers.making import depth as making
from helpers.studies.depth import protocol as study
from helpers.studies.depth import runs, trial
from helpers.studies.depth.tables import PARAMETERS

CHEAP = 15_000  # judgments: what a row recomputed here was trained on at most
ROWS = 2  # of each table and ranker
STORED = results.stored("04")
LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
# of test-all every collection and ranker is sampled, else the cheapest on one
SAMPLED = [name for name in STORED if name in study.COLLECTIONS] if LARGE else [study.DEFAULT]
TINY = replace(
    study.SCALES["demo"], training_queries=24, validation_queries=8, test_queries=12, pool_queries=16, pool_docs=8,
    percents=(50, 100), percent_repeats=2, pool_repeats=2,
)  # fmt: skip

PLAN = study.Plan(("RankSVM",), dataset="mq2008-portrait")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folds = {fold: study.parts("mq2008-portrait", TINY, 1, np.random.default_rng(fold)) for fold in (1, 2)}
    return runs.runs(folds, ["RankSVM"], TINY, store=tmp_path_factory.mktemp("store"), n_jobs=1, seed=0)


def test_every_experiment_is_run(found):
    assert {name: len(frame) for name, frame in found.items()} == {"percent": 12, "pool": 48, "choice": 16}
    assert all(frame["error"].isna().all() for frame in found.values())


def test_choices_are_beside_random_ones_of_as_many_queries(found):
    choice = runs.tables(found, np.random.default_rng(0))["choice"]
    assert choice.groupby("choice")["documents"].unique().map(sorted).to_dict() == {
        "mixed": [2, 4], "random": [2, 4], "top": [2, 4]
    }  # fmt: skip
    assert choice["queries"].unique().tolist() == [16]


def test_runs_and_tables_are_stored_with_what_made_them(found, tmp_path, monkeypatch, closed_figures):
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    making.write("mslr-sample-portrait", found, PLAN, "demo")
    folder = tmp_path / "04" / "mslr-sample-portrait"
    tables = {"percent", "pool", "choice", "chosen", "comparisons", "losses"}
    assert {path.stem for path in folder.glob("*.csv")} == tables
    assert set(pd.read_parquet(tmp_path / "04" / "contrasts.parquet")["collection"]) == {"mslr-sample-portrait"}
    made_by = json.loads((folder / "produced_by.json").read_text())
    assert (made_by["synthetic"], made_by["trainings"], made_by["scale"]) == (True, 76, "demo")


def test_nothing_is_stored_where_a_run_failed(found, tmp_path, monkeypatch):
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    failed = found | {"pool": found["pool"].assign(error=["out of memory", *[None] * 47])}
    with pytest.raises(ValueError, match=r"76 trainings, 1 failed, first .*out of memory"):
        making.write("mq2008", failed, PLAN)
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module", params=SAMPLED)
def data(request):
    draws.skip_where_drawn_otherwise(request.param)
    waiting.skip_sample("04", request.param)
    plan, seed = study.COLLECTIONS[request.param], results.produced_by("04", request.param)["seed"]
    try:
        folds = study.every_fold(plan.dataset or request.param, plan.scale, seed, copies=plan.copies)
    except FileNotFoundError as absent:
        pytest.skip(str(absent))
    return {"name": request.param, "seed": seed, "folds": folds}


@pytest.mark.parametrize("table", ["percent", "pool"])
def test_rows_of_study_4_come_out_again(request, data, table, tmp_path):
    waiting.expect_difference(request, "04", data["name"])
    if table not in STORED[data["name"]]:
        pytest.skip(f"{data['name']}: no {table}")
    stored = STORED[data["name"]][table].query("judgments <= @CHEAP")
    some = stored.groupby("ranker").sample(ROWS, random_state=np.random.default_rng(4))
    some = some if LARGE else some[some["ranker"] == "RankSVM"][:1]
    points, frames = some[PARAMETERS].to_dict("records"), []
    for fold, parts in data["folds"].items():
        shared = parts | {"first_stage": sampling.best_feature(parts["validation"])}
        found = sweep.run(trial.train_and_test, points, shared=shared, store=tmp_path, seed=data["seed"])
        frames.append(found.assign(fold=fold))
    again = runs.pooled(pd.concat(frames, ignore_index=True))
    columns = ["training_queries", "judgments", "ndcg"]
    pd.testing.assert_frame_equal(again[columns], some[columns].reset_index(drop=True), rtol=1e-9)


def test_every_stored_run_of_study_4_succeeded_and_the_grid_is_whole():
    for tables in STORED.values():
        for name in {"percent", "pool", "choice"} & tables.keys():
            assert tables[name]["error"].isna().all()
            assert not tables[name][PARAMETERS].duplicated().any()
            for _, rows in tables[name].groupby("ranker"):
                assert rows.groupby(["queries", "documents", "choice"]).size().nunique() == 1
