"""Stored study-scale tables: a random sample of their rows is computed again with the code as it is."""

import draws
import numpy as np
import pandas as pd
import pytest
import waiting

from helpers.datasets import sampling
from helpers.engine import results, sweep
from helpers.studies.depth import protocol as study
from helpers.studies.depth import runs, trial
from helpers.studies.depth.tables import PARAMETERS

CHEAP = 15_000  # judgments: what a row recomputed here was trained on at most
ROWS = 2  # of each table and ranker
STORED = results.stored("04")


@pytest.fixture(scope="module", params=[name for name in STORED if name in study.COLLECTIONS])
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
