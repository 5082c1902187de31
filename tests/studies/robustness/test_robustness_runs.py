"""All runs of study 3 in one go, and the tables made of them; a sample of the stored ones is computed again."""

import os

import draws
import numpy as np
import pandas as pd
import pytest
import waiting
from toys import easy

from helpers import rankers
from helpers.engine import results, sweep
from helpers.making import robustness
from helpers.studies.robustness import effects, tables, trial
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness import runs as robustness_runs

SMALL = study.Scale(documents=600, folds=2, levels=(0.0, 0.1, 0.3, 0.5), judged=(1.0,), draws=2, few_draws=1)
STORED = results.stored("03")["five-data-sets"]
LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
# of test-all every data set and ranker is sampled, else the cheapest on one
SAMPLED = results.produced_by("03", "five-data-sets")["data sets"] if LARGE else ["td2003-portrait"]
RUN = ["dataset", "ranker", "fold", "judge", "level", "draw"]


def test_all_runs_and_all_tables(rng, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "SAMPLES", 50)
    folds = {"toy": [tuple(easy(rng, n) for n in (12, 6, 6)) for _ in range(SMALL.folds)]}
    names = ["RankSVM", "LambdaRank"]
    found = robustness_runs.runs(folds, names, ["CF_rater1_vs_2"], SMALL, store=tmp_path, n_jobs=1, seed=0)
    assert {kind: frame["error"].isna().all() for kind, frame in found.items()} == dict.fromkeys(
        ("uniform", "judged", "ties"), True
    )
    made = robustness_runs.tables(found, np.random.default_rng(0))
    assert set(made) == {"falls", "explained", "turning", "judges"}
    assert set(made["turning"]["without"]) == set(made["explained"]["without"]) == {""}  # one data set
    assert made["falls"]["ranker"].unique().tolist() == names
    assert effects.of_runs(found["uniform"]).empty  # of one data set that no claim speaks of


@pytest.fixture(scope="module", params=SAMPLED)
def shared(request):
    draws.skip_where_drawn_otherwise(request.param)
    waiting.skip_sample("03", "five-data-sets")
    try:
        folds = study.folds(request.param, study.scale_named("study"), np.random.default_rng(robustness.SEED))
    except FileNotFoundError as absent:
        pytest.skip(str(absent))
    return request.param, {"folds": folds, "confusions": study.confusions(study.JUDGES, study.n_grades(folds))}


def test_stored_runs_come_out_again(request, shared, tmp_path):
    waiting.expect_difference(request, "03", "five-data-sets")
    name, data = shared
    rng = np.random.default_rng(3)
    stored = pd.concat([STORED["uniform"], STORED["judged"]]).query("dataset == @name")
    some = stored.groupby("ranker", sort=False).sample(1, random_state=rng).reset_index(drop=True)
    some = some[some["ranker"] != "RankBoost"] if name == "mslr-sample-portrait" else some  # takes its time there
    some = some if LARGE else some[some["ranker"] == "ListNet"]
    again = sweep.run(
        trial.train_and_test, some[RUN].to_dict("records"), shared=data, store=tmp_path, seed=robustness.SEED
    )
    columns = ["dnoise", "pnoise", "map", "ndcg"]
    pd.testing.assert_frame_equal(again[columns], some[columns].reset_index(drop=True), rtol=0, atol=1e-6)


def test_the_stored_protocol_is_whole():
    uniform, scale = STORED["uniform"], study.scale_named("study")
    assert set(uniform["ranker"]) == set(rankers.NAMES)
    assert not uniform[RUN].duplicated().any()
    noisy = uniform[uniform["level"] > 0].groupby(["dataset", "ranker", "level", "fold"]).size()
    for name in rankers.NAMES:
        draws = scale.few_draws if name in study.FEW_DRAWS else scale.draws
        counts = noisy.xs(name, level="ranker")
        assert (counts == draws).all()
        assert len(counts) == 5 * 10 * 5  # data sets, levels, folds


def test_the_stored_falls_are_those_of_the_stored_runs():
    names = ["ranker", "dataset", "dnoise"]
    made, stored = (table.set_index(names).sort_index() for table in (tables.means(STORED["uniform"]), STORED["falls"]))
    pd.testing.assert_series_equal(made["relative"], stored["relative"], rtol=0, atol=1e-5)
    pd.testing.assert_series_equal(made["pnoise"], stored["pnoise"], rtol=0, atol=1e-5)


@pytest.mark.skipif(not LARGE, reason="LABEL_STUDIES_TESTS is not all: curves of 1,000 samples are fitted three times")
def test_the_stored_tables_are_those_of_the_stored_runs():
    found = {kind: STORED[kind] for kind in ("uniform", "judged", "ties")}
    made = robustness_runs.tables(found, np.random.default_rng(robustness.SEED))
    for name, columns in {"explained": ["explained"], "turning": ["turning_point"]}.items():
        np.testing.assert_allclose(made[name][columns], STORED[name][columns], rtol=0, atol=1e-4)
