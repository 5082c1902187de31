"""Real collections of few relevant documents in place of TD2003."""

import json

import numpy as np
import pandas as pd
import pytest

from helpers.engine import results, sweep
from helpers.making import robustness as making
from helpers.studies import claims, learnable
from helpers.studies.robustness import counterparts, trial
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness.runs import profiles_of

LEVELS = counterparts.SCALE.levels
STEEPNESS = {"ohsumed": 1.0, "td2003-portrait": 5.0, "mq2008": 1.2, "robust04": 3.0}
STEEPNESS |= {"dbpedia-entity": 1.5, "microblog": 2.5}
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
    own = runs_of(["ohsumed", "td2003-portrait", "mq2008"], keeps, (*LEVELS, 0.45), ("RankSVM", "AdaRank", "ListNet"))
    real = runs_of(["robust04", "dbpedia-entity"], keeps)
    profiles = {"td2003-portrait": np.array([[99, 1]])}
    return counterparts.tables(own, real, list(kept), profiles, np.random.default_rng(0))


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
    groups = (counterparts.ALL, counterparts.WITHOUT, counterparts.INSTEAD, counterparts.WITH_ALL)
    assert [table[over, "pNoise"] for over in groups] == pytest.approx([1] * 4)
    assert table[counterparts.INSTEAD, "dNoise"] < 0.95 < table[counterparts.WITHOUT, "dNoise"]


def test_what_follows_dnoise_is_not():
    table = tables_of(lambda name, level: 1 - level)["explained"].set_index(["ranker", "over", "by"])["explained"]
    assert table["AdaRank", counterparts.INSTEAD, "dNoise"] == pytest.approx(1)
    assert table["AdaRank", counterparts.INSTEAD, "difference"] < 0


def test_the_falls_are_of_the_real_collections_and_the_levels_and_rankers_those_that_all_have():
    made = tables_of(by_pnoise)
    assert set(made["falls"]["dataset"]) == {"robust04", "dbpedia-entity"}
    assert set(made["falls"]["dnoise"]) == set(LEVELS)
    assert set(made["explained"]["ranker"]) == {"RankSVM", "AdaRank"}


def test_verdicts_are_of_the_collections_that_can_be_learned():
    made = tables_of(by_pnoise)
    assert set(made["comparisons"]["rests_on"]) == {"real"}
    found = claims.verdicts("03", made["comparisons"]).dropna(subset="measured")
    assert set(found[found["claim"].str.startswith("pNoise rather")]["verdict"]) == {"reproduced"}
    difference = made["explained"].query("by == 'difference'").set_index(["over", "ranker"])["explained"]
    asked = made["comparisons"].query("question == 'explained by pNoise or dNoise'").set_index("ranker")["difference"]
    assert asked["RankSVM"] == pytest.approx(difference[counterparts.INSTEAD, "RankSVM"])


def test_where_no_collection_can_be_learned_its_place_stays_empty():
    table = tables_of(by_pnoise, kept=())["explained"].set_index(["ranker", "over", "by"])["explained"]
    assert table["RankSVM", counterparts.INSTEAD, "dNoise"] == table["RankSVM", counterparts.WITHOUT, "dNoise"]


def test_what_is_stored_says_which_collections_can_be_learned(monkeypatch, tmp_path):
    monkeypatch.setattr(making, "COUNTERPARTS", tmp_path)
    own = runs_of(["ohsumed", "td2003-portrait", "mq2008"], by_pnoise).assign(error=None)
    real = runs_of(counterparts.NAMES, by_pnoise).assign(error=None)
    making.write_counterparts(own, real, ["ohsumed", "td2003-portrait", "mq2008"])
    assert {file.name for file in tmp_path.iterdir()} == {
        *(f"{name}.csv" for name in ("uniform", "falls", "explained", "turning", "comparisons")),
        "produced_by.json",
    }
    made_by = json.loads((tmp_path / "produced_by.json").read_text())
    assert made_by["learned"] == counterparts.learned(learnable.stored())
    with pytest.raises(ValueError, match="1 failed"):
        making.write_counterparts(own, real.assign(error=[*[None] * (len(real) - 1), "LookupError"]), [])


def test_tables_that_there_are_none_of_are_refused():
    with pytest.raises(ValueError, match="name is 'counterparts', expected one of five-data-sets, sizes, real-count"):
        making.main("counterparts")


def test_the_stored_tables_are_those_of_the_stored_runs(monkeypatch):
    monkeypatch.undo()
    kept = counterparts.learned(learnable.stored())
    names = results.produced_by("03", "five-data-sets")["data sets"]
    uniform = results.stored("03")["five-data-sets"]["uniform"]
    made = counterparts.tables(uniform, STORED["uniform"], kept, profiles_of(names), np.random.default_rng(making.SEED))
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
