"""Real collections of few relevant documents in place of TD2003."""

import json

import numpy as np
import pandas as pd
import pytest

from helpers.datasets import portrait
from helpers.datasets.collection import Collection
from helpers.engine import results, sweep
from helpers.making import robustness as making
from helpers.studies import learnable
from helpers.studies.robustness import counterparts, trial
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness import tables as robustness

LEVELS = counterparts.SCALE.levels
STEEPNESS = {"ohsumed": 1.0, "td2003-portrait": 5.0, "mq2008": 1.2, "robust04": 3.0}
STEEPNESS |= {"dbpedia-entity": 1.5, "microblog": 2.5, "mslr-sample-portrait": 1.1}
FIVE = ["ohsumed", "td2003-portrait", "mslr-sample-portrait", "mq2008"]
STORED = results.stored("03")["real-counterparts"]


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch):
    monkeypatch.setattr("helpers.studies.robustness.tables._cells.SAMPLES", 50)


def runs_of(names, keeps, levels=LEVELS, rankers=("RankSVM", "AdaRank")):
    """Runs that keep the share keeps(dataset, dNoise) of .4; pNoise rises with the steepness of the data set to .5."""
    rows = [
        (name, ranker, fold, level, 0, min(0.5, STEEPNESS[name] * level), 0.4 * keeps(name, level))
        for name in names
        for ranker in rankers
        for fold in (1, 2, 3)
        for level in levels
    ]
    return pd.DataFrame(rows, columns=["dataset", "ranker", "fold", "level", "draw", "pnoise", "ndcg"])


def by_pnoise(name, level):
    return 1 - min(0.5, STEEPNESS[name] * level)


def tables_of(keeps, kept=("robust04",)):
    own = runs_of(FIVE, keeps, (*LEVELS, 0.45), ("RankSVM", "AdaRank", "ListNet"))
    real = runs_of(["robust04", "dbpedia-entity"], keeps)
    return counterparts.tables(own, real, list(kept), np.random.default_rng(0))


def test_a_collection_counts_where_a_ranker_gains_over_the_best_run():
    compared = pd.DataFrame(
        {
            "dataset": ["robust04", "robust04", "dbpedia-entity", "dbpedia-entity", "dbpedia-entity"],
            "ranker": ["LambdaMART", "RankSVM", "LambdaMART", "RankSVM", "CombSUM"],
            "over": ["best run", "best run", "best run", "CombSUM", "best run"],
            "low": [-0.01, 0.002, -0.02, 0.01, 0.01],
        }
    )
    assert counterparts.learned(compared) == ["robust04"]
    assert counterparts.learned(compared.assign(low=-0.1)) == []


def test_what_follows_pnoise_is_explained_by_it_with_every_choice_of_data_sets():
    table = tables_of(by_pnoise)["explained"].query("ranker == 'RankSVM'").set_index(["over", "by"])["explained"]
    groups = (counterparts.ALL, counterparts.WITHOUT, counterparts.REAL, counterparts.ALL_REAL)
    assert [table[over, "pNoise"] for over in groups] == pytest.approx([1] * 4)
    assert table[counterparts.REAL, "dNoise"] < 0.95 < table[counterparts.WITHOUT, "dNoise"]


def test_what_is_said_of_a_collection_where_rankers_gain_and_where_they_do_not():
    compared = pd.DataFrame(
        {"dataset": ["a", "b"], "ranker": "RankSVM", "over": "best run", "ndcg": [0.02, -0.01], "low": [0.01, -0.02],
         "high": [0.03, 0.0]}
    )  # fmt: skip
    assert counterparts.gained(compared, ["b"]).startswith("On b no ranker is clearly ahead of it (RankSVM -.010")


def test_what_follows_dnoise_is_not():
    table = tables_of(lambda name, level: 1 - level)["explained"].set_index(["ranker", "over", "by"])["explained"]
    assert table["AdaRank", counterparts.REAL, "dNoise"] == pytest.approx(1)
    assert table["AdaRank", counterparts.REAL, "difference"] < 0


def test_the_falls_are_of_the_real_collections_and_the_levels_and_rankers_those_that_all_have():
    made = tables_of(by_pnoise)
    assert set(made["falls"]["dataset"]) == {"robust04", "dbpedia-entity"}
    assert set(made["falls"]["dnoise"]) == set(LEVELS)
    assert set(made["explained"]["ranker"]) == {"RankSVM", "AdaRank"}


def test_no_portrait_is_among_what_is_called_real():
    cells = robustness.cells(runs_of([*FIVE, "robust04", "dbpedia-entity"], by_pnoise), np.random.default_rng(0))
    groups = counterparts._groups(cells, runs_of(["robust04", "dbpedia-entity"], by_pnoise), ["robust04"])
    assert groups[counterparts.REAL] == ["ohsumed", "mq2008", "robust04"]
    assert groups[counterparts.ALL_REAL] == ["ohsumed", "mq2008", "robust04", "dbpedia-entity"]
    assert groups[counterparts.ALL] == FIVE
    assert not any(portrait.named(name) for over in (counterparts.REAL, counterparts.ALL_REAL) for name in groups[over])


def test_where_no_collection_can_be_learned_only_the_studys_own_real_ones_are_left():
    table = tables_of(by_pnoise, kept=())["explained"].set_index(["ranker", "over", "by"])["explained"]
    alone = robustness.cells(runs_of(["ohsumed", "mq2008"], by_pnoise), np.random.default_rng(0))
    own = robustness.explained(alone).set_index(["ranker", "by"])["explained"]
    assert table["RankSVM", counterparts.REAL, "dNoise"] == pytest.approx(own["RankSVM", "dNoise"])


def test_of_relevant_documents_a_share_is_kept_of_what_is_learned_from():
    grades = np.resize([0, 0, 1, 2], 80)
    part = Collection(np.arange(80.0)[:, None], grades, [0, 20, 40, 60, 80])
    fold = [(part, part.take_queries([0]), part)]
    few, more = (counterparts.thinned(fold, share, np.random.default_rng(0))[0] for share in (0.1, 0.5))
    assert [int((p.grades > 0).sum()) for p in (*few, *more)] == [4, 1, 40, 20, 5, 40]
    assert [int((p.grades == 0).sum()) for p in (*few, *more)] == [40, 10, 40] * 2
    relevant = [set(p[0].features[p[0].grades > 0, 0]) for p in (few, more)]
    assert relevant[0] < relevant[1]
    assert counterparts.thinned(fold, 0.001, np.random.default_rng(0))[0][1].grades.sum() > 0  # one is kept
    whole = counterparts.thinned(fold, 1.0, np.random.default_rng(0))[0][0]
    np.testing.assert_array_equal(whole.grades, grades)


def test_every_version_and_draw_is_run_and_a_draw_has_the_same_documents_at_all_levels(monkeypatch, tmp_path):
    monkeypatch.setattr(counterparts, "SHARES", {"toy": (0.5, 1.0)})
    monkeypatch.setattr(counterparts, "DRAWS", {"toy": 2})
    monkeypatch.setattr(counterparts, "THINNED", study.Scale(10**6, 1, (0.0, 0.3), (), 1, 1))
    rng = np.random.default_rng(0)
    part = Collection(rng.random((120, 3)), rng.integers(0, 2, 120), np.arange(0, 121, 10))
    found = counterparts.runs("toy", [(part, part, part)], ["RankSVM"], store=tmp_path, n_jobs=1, seed=0)
    runs = found.set_index(["kept", "draw", "level"])
    assert sorted(runs.index) == sorted((k, d, lv) for k in (0.5, 1.0) for d in (0, 1) for lv in (0.0, 0.3))
    assert found["error"].isna().all()
    assert runs.loc[(1.0, 0, 0.0), "ndcg"] == runs.loc[(1.0, 1, 0.0), "ndcg"]  # RankSVM on all of them
    assert runs.loc[(0.5, 0, 0.0), "ndcg"] != runs.loc[(0.5, 1, 0.0), "ndcg"]


def test_what_is_stored_says_which_collections_can_be_learned(monkeypatch, tmp_path):
    monkeypatch.setattr(making, "COUNTERPARTS", tmp_path)
    own = runs_of(FIVE, by_pnoise).assign(error=None)
    real = runs_of(counterparts.NAMES, by_pnoise).assign(error=None)
    making.write_counterparts(own, real)
    assert {file.name for file in tmp_path.iterdir()} == {
        *(f"{name}.csv" for name in ("uniform", "falls", "explained", "turning")),
        "produced_by.json",
    }
    made_by = json.loads((tmp_path / "produced_by.json").read_text())
    assert made_by["learned"] == counterparts.learned(learnable.stored())
    with pytest.raises(ValueError, match="1 failed"):
        making.write_counterparts(own, real.assign(error=[*[None] * (len(real) - 1), "LookupError"]))


def test_tables_that_there_are_none_of_are_refused():
    with pytest.raises(ValueError, match="name is 'counterparts', expected one of five-data-sets, sizes, real-count"):
        making.main("counterparts")


def test_the_stored_tables_are_those_of_the_stored_runs(monkeypatch):
    monkeypatch.undo()
    kept = counterparts.learned(learnable.stored())
    uniform = results.stored("03")["five-data-sets"]["uniform"]
    made = counterparts.tables(uniform, STORED["uniform"], kept, np.random.default_rng(making.SEED))
    for name, column in {"explained": "explained", "turning": "turning_point", "falls": "relative"}.items():
        np.testing.assert_allclose(made[name][column], STORED[name][column], rtol=0, atol=1e-3)


@pytest.mark.parametrize("name", counterparts.NAMES)
def test_stored_runs_come_out_again(real_data, monkeypatch, tmp_path, name):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    folds = study.folds(name, counterparts.SCALE, np.random.default_rng(making.SEED))
    shared = {"folds": folds, "confusions": study.confusions([], study.n_grades(folds))}
    some = STORED["uniform"].query("dataset == @name and ranker == 'RankSVM' and level == 0.3 and fold <= 2")
    keys = ["dataset", "ranker", "fold", "judge", "level", "draw"]
    again = sweep.run(
        trial.train_and_test, some[keys].to_dict("records"), shared=shared, store=tmp_path, seed=making.SEED
    )
    columns = ["dnoise", "pnoise", "map", "ndcg"]
    pd.testing.assert_frame_equal(again[columns], some[columns].reset_index(drop=True), rtol=0, atol=1e-6)


def test_the_stored_versions_are_whole():
    thinned = results.stored("03")["thinned"]
    assert list(thinned["versions"][["dataset", "kept"]].itertuples(index=False, name=None)) == [
        (name, share) for name, shares in counterparts.SHARES.items() for share in shares
    ]
    counts = thinned["uniform"].groupby(["dataset", "ranker", "kept"]).size()
    for (name, _, _), runs in counts.items():
        assert runs == 5 * len(counterparts.THINNED.levels) * counterparts.DRAWS[name]


@pytest.mark.parametrize("name", counterparts.SHARES)
def test_stored_thinned_runs_come_out_again(real_data, monkeypatch, tmp_path, name):
    """All levels of one draw and version in two folds, with the cheapest ranker."""
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    place = str(real_data / counterparts.PLACES[name]) if name in counterparts.PLACES else name
    whole = study.folds(place, counterparts.THINNED, np.random.default_rng(making.SEED))
    share, draw = counterparts.SHARES[name][0], counterparts.DRAWS[name] - 1
    parts = counterparts.thinned(whole, share, np.random.default_rng([making.SEED, draw]))
    shared = {"folds": parts, "confusions": study.confusions([], study.n_grades(whole))}
    thinned = results.stored("03")["thinned"]["uniform"]
    some = thinned.query("dataset == @name and ranker == 'ListNet' and kept == @share and draw == @draw and fold <= 2")
    keys = ["dataset", "ranker", "fold", "judge", "level", "draw"]
    again = sweep.run(
        trial.train_and_test, some[keys].to_dict("records"), shared=shared, store=tmp_path, seed=making.SEED
    )
    columns = ["dnoise", "pnoise", "map", "ndcg"]
    assert len(some) == 2 * len(counterparts.THINNED.levels)
    pd.testing.assert_frame_equal(again[columns], some[columns].reset_index(drop=True), rtol=0, atol=1e-6)
