"""Stored study-scale tables: a random sample of their rows is computed again with the code as it is."""

import numpy as np
import pandas as pd
import pytest
import waiting

from helpers.datasets import sampling
from helpers.engine import results, sweep
from helpers.studies import claims
from helpers.studies.depth import protocol as study
from helpers.studies.depth import trial

CHEAP = 15_000  # judgments: what a row recomputed here was trained on at most
ROWS = 2  # of each table and ranker
PARAMETERS = ["ranker", "source", "queries", "documents", "choice", "repeat"]
STORED = results.stored("04")


@pytest.fixture(scope="module", params=list(STORED))
def data(request):
    waiting.skip_sample("04", request.param)
    made_by = results.produced_by("04", request.param)
    protocol = study.scale_named(made_by["scale"])
    rng = np.random.default_rng(made_by["seed"])
    try:
        parts = study.parts(request.param, protocol, made_by["fold"], rng)
    except FileNotFoundError as absent:
        pytest.skip(str(absent))
    shared = {**parts, "first_stage": sampling.best_feature(parts["validation"])}
    return {"name": request.param, "seed": made_by["seed"], "shared": shared}


@pytest.mark.parametrize("table", ["percent", "pool"])
def test_rows_of_study_4_come_out_again(request, data, table, tmp_path):
    waiting.expect_difference(request, "04", data["name"])
    stored = STORED[data["name"]][table].query("judgments <= @CHEAP")
    some = stored.groupby("ranker").sample(ROWS, random_state=np.random.default_rng(4))
    again = sweep.run(
        trial.train_and_test,
        some[PARAMETERS].to_dict("records"),
        shared=data["shared"],
        store=tmp_path,
        seed=data["seed"],
    )
    columns = ["training_queries", "judgments", "ndcg"]
    pd.testing.assert_frame_equal(again[columns], some[columns].reset_index(drop=True), rtol=1e-9)


def test_every_stored_run_of_study_4_succeeded_and_the_grid_is_whole():
    for tables in STORED.values():
        for name in ("percent", "pool", "choice"):
            assert tables[name]["error"].isna().all()
            assert not tables[name][PARAMETERS].duplicated().any()
            counts = tables[name].groupby(["ranker", "queries", "documents", "choice"]).size()
            assert counts.nunique() == 1


def test_the_ledger_has_a_verdict_for_every_claim_ranker_and_data_set():
    ledger = claims.ledger("04")
    assert set(ledger["data"]) == set(STORED)
    assert ledger["measured"].notna().all()
    assert set(ledger["verdict"]) <= {"reproduced", "not reproduced", "undecided"}
