"""What is made for study 3 beside its protocol: real counterparts of TD2003, and several numbers of queries."""

import json
import os

import draws
import numpy as np
import pandas as pd
import pytest
import robustness_by_hand
from toys import easy

from helpers.engine import results, sweep
from helpers.making import common
from helpers.making import robustness as making
from helpers.making.robustness import SEED
from helpers.studies import learnable
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness import tables as robustness
from helpers.studies.robustness import trial

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
STEEPNESS = {"ohsumed": 1.0, "td2003-portrait": 5.0, "mq2008": 1.2, "robust04": 3.0}
STEEPNESS |= {"dbpedia-entity": 1.5, "microblog": 2.5, "mslr-sample-portrait": 1.1}
FIVE = ["ohsumed", "td2003-portrait", "mslr-sample-portrait", "mq2008"]
KEYS, MEASURED = ["dataset", "ranker", "fold", "judge", "level", "draw"], ["dnoise", "pnoise", "map", "ndcg"]
STORED, SIZES = results.stored("03")["real-counterparts"], results.stored("03")["sizes"]


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch):
    monkeypatch.setattr("helpers.studies.robustness.tables.SAMPLES", 50)


def runs_of(names, levels=making.SCALE.levels, rankers=("RankSVM", "AdaRank")):
    """Runs that lose what pNoise is, which rises with the steepness of the data set to .5."""

    def lost(steepness):
        return lambda level: (min(0.5, steepness * level), 1 - min(0.5, steepness * level))

    return robustness_by_hand.runs_of({name: lost(STEEPNESS[name]) for name in names}, levels, rankers, draws=1)


def test_what_follows_pnoise_is_explained_by_it_with_every_choice_of_data_sets():
    own = runs_of(FIVE, (*making.SCALE.levels, 0.45), ("RankSVM", "AdaRank", "ListNet"))
    real = runs_of(["robust04", "dbpedia-entity"])
    made = making.tables_of_counterparts(own, real, ["robust04"], np.random.default_rng(0))["explained"]
    table = made.query("ranker == 'RankSVM'").set_index(["over", "by"])["explained"]
    groups = (robustness.ALL, robustness.WITHOUT, robustness.REAL, robustness.ALL_REAL)
    assert [table[over, "pNoise"] for over in groups] == pytest.approx([1] * 4)
    assert table[robustness.REAL, "dNoise"] < 0.95 < table[robustness.WITHOUT, "dNoise"]


def test_every_version_and_draw_is_run_and_a_draw_has_the_same_documents_at_all_levels(monkeypatch, tmp_path):
    monkeypatch.setattr(making, "SHARES", {"toy": (0.5, 1.0)})
    monkeypatch.setattr(making, "DRAWS", {"toy": 2})
    monkeypatch.setattr(making, "THINNED_SCALE", study.Scale(10**6, 1, (0.0, 0.3), (), 1, 1))
    part = easy(np.random.default_rng(0), 12)
    found = making.runs_of_thinned("toy", [(part, part, part)], ["RankSVM"], store=tmp_path, n_jobs=1, seed=0)
    runs = found.set_index(["kept", "draw", "level"])
    assert sorted(runs.index) == sorted((k, d, lv) for k in (0.5, 1.0) for d in (0, 1) for lv in (0.0, 0.3))
    assert found["error"].isna().all()
    assert runs.loc[(1.0, 0, 0.0), "ndcg"] == runs.loc[(1.0, 1, 0.0), "ndcg"]  # RankSVM on all of them
    assert runs.loc[(0.5, 0, 0.0), "ndcg"] != runs.loc[(0.5, 1, 0.0), "ndcg"]


def test_what_is_stored_says_which_collections_can_be_learned(monkeypatch, tmp_path):
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    own = runs_of(FIVE).assign(error=None)
    real = runs_of(learnable.COUNTERPARTS).assign(error=None)
    making.write_counterparts(own, real)
    folder = tmp_path / "03" / "real-counterparts"
    assert {file.stem for file in folder.iterdir()} == {"uniform", "falls", "explained", "turning", "produced_by"}
    made_by = json.loads((folder / "produced_by.json").read_text())
    assert made_by["learned"] == learnable.learned()
    with pytest.raises(ValueError, match="1 failed"):
        making.write_counterparts(own, real.assign(error=[*[None] * (len(real) - 1), "LookupError"]))


@pytest.mark.skipif(not LARGE, reason="LABEL_STUDIES_TESTS is not all: curves of 1,000 samples are fitted four times")
def test_the_stored_tables_are_those_of_the_stored_runs(monkeypatch):
    monkeypatch.undo()
    kept = learnable.learned()
    uniform = results.stored("03")["five-data-sets"]["uniform"]
    made = making.tables_of_counterparts(uniform, STORED["uniform"], kept, np.random.default_rng(SEED))
    for name, column in {"explained": "explained", "turning": "turning_point", "falls": "relative"}.items():
        np.testing.assert_allclose(made[name][column], STORED[name][column], rtol=0, atol=1e-3)


@pytest.mark.skipif(not LARGE, reason="LABEL_STUDIES_TESTS is not all: whole collections are read and divided")
@pytest.mark.parametrize("name", ["microblog", "ohsumed", "target-types"])
def test_stored_runs_of_counterparts_and_thinned_ones_come_out_again(real_data, monkeypatch, tmp_path, name):
    """At one level, or all levels of one draw of the smallest version, in two folds, with a cheap ranker."""
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    if name in making.SHARES:
        place = str(real_data / study.PLACES[name]) if name in study.PLACES else name
        whole = study.folds(place, making.THINNED_SCALE, np.random.default_rng(SEED))
        share, draw = making.SHARES[name][0], making.DRAWS[name] - 1
        folds = making.thinned(whole, share, np.random.default_rng([SEED, draw]))
        wanted = "dataset == @name and ranker == 'ListNet' and kept == @share and draw == @draw and fold <= 2"
        some = results.stored("03")["thinned"]["uniform"].query(wanted)
        assert len(some) == 2 * len(making.THINNED_SCALE.levels)
    else:
        folds = study.folds(name, making.SCALE, np.random.default_rng(SEED))
        some = STORED["uniform"].query("dataset == @name and ranker == 'RankSVM' and level == 0.3 and fold <= 2")
    shared = {"folds": folds, "confusions": study.confusions([], study.n_grades(folds))}
    again = sweep.run(trial.train_and_test, some[KEYS].to_dict("records"), shared=shared, store=tmp_path, seed=SEED)
    pd.testing.assert_frame_equal(again[MEASURED], some[MEASURED].reset_index(drop=True), rtol=0, atol=1e-6)


@pytest.fixture(scope="module")
def folds():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "TEST", 5)
        return making.folds_of_sizes((9, 30), np.random.default_rng(20091))


def test_sizes_differ_in_nothing_but_the_number_of_queries(folds):
    assert {n: [tuple(part.n_queries for part in fold) for fold in drawn] for n, drawn in folds.items()} == {
        9: [(9, 3, 5)] * making.DRAWN,
        30: [(30, 10, 5)] * making.DRAWN,
    }
    for few, many in zip(folds[9], folds[30], strict=True):
        np.testing.assert_array_equal(few[0].features, many[0].features[: few[0].n_docs])
        np.testing.assert_array_equal(few[2].features, many[2].features)
    assert not np.array_equal(folds[9][0][2].features, folds[9][1][2].features)


def test_a_ranker_with_a_failed_run_is_left_out_at_that_size(rng):
    made = robustness_by_hand.runs_of({"toy": lambda level: (level, 1 - level)}, (0.0, 0.4), ("A", "B"), draws=1)
    runs = pd.concat([made.assign(queries=n, error=None) for n in (9, 30)], ignore_index=True)
    failed = (runs["queries"] == 30) & (runs["ranker"] == "A") & (runs["fold"] == 2)
    runs.loc[failed, ["ndcg", "error"]] = [np.nan, "MemoryError"]
    kept = making.table_of_sizes(runs, rng)
    assert set(zip(kept["queries"], kept["ranker"], strict=True)) == {(9, "A"), (9, "B"), (30, "B")}


@pytest.mark.skipif(not LARGE, reason="samples all runs a thousand times: LABEL_STUDIES_TESTS=all")
def test_the_stored_table_is_that_of_the_stored_runs(monkeypatch):
    monkeypatch.undo()  # as many samples as are stored
    made = making.table_of_sizes(SIZES["uniform"], np.random.default_rng(SEED))
    pd.testing.assert_frame_equal(made, SIZES["kept"], rtol=0, atol=1e-5)
    assert made.groupby("queries")["ranker"].unique().map(set).to_dict() == {
        n: set(names) for n, names in making.RANKERS.items()
    }


@pytest.mark.skipif(not LARGE, reason="LABEL_STUDIES_TESTS is not all: collections of 6,000 queries are drawn")
def test_runs_on_the_smallest_size_come_out_again(tmp_path):
    """Its queries are the first of the largest size, so that all of that is drawn."""
    draws.skip_where_drawn_otherwise(making.PORTRAIT)
    name, few = "RankSVM", min(making.RANKERS)
    folds = {few: making.folds_of_sizes(making.RANKERS, np.random.default_rng(SEED))[few]}
    again = making.runs_of_sizes(folds, {few: [name]}, store=tmp_path, n_jobs=1, seed=SEED)
    stored = SIZES["uniform"].query("queries == @few and ranker == @name").reset_index(drop=True)
    columns = ["fold", "level", *MEASURED]
    pd.testing.assert_frame_equal(again[columns], stored[columns], rtol=0, atol=1e-6)
