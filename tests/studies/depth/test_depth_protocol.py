"""The protocol of study 4: grids, one run, and what is compared."""

from dataclasses import replace

import numpy as np
import pytest
from toys import easy

from helpers import rankers
from helpers.datasets import letor, portrait
from helpers.datasets.collection import describe
from helpers.rankers import base
from helpers.studies.depth import protocol as study
from helpers.studies.depth import trial

SMALL = study.Scale(20, 8, 8, 16, 8, percents=(25, 50, 100), percent_repeats=2, pool_repeats=1)


SIZES = {"training": 20, "pool": 16, "validation": 8, "test": 8}


def test_at_100_percent_queries_and_documents_are_the_same_runs_and_the_papers_ranker_may_have_more_draws():
    grid = study.grids(["LambdaMART", study.PAPER], replace(SMALL, paper_repeats=3), 16, 8)["percent"]
    cells = {(run["queries"], run["documents"]) for run in grid}
    assert cells == {(0.25, 1.0), (0.5, 1.0), (1.0, 1.0), (1.0, 0.25), (1.0, 0.5)}
    draws = [(run["ranker"], run["repeat"]) for run in grid if run["queries"] == run["documents"]]
    assert draws == [("LambdaMART", 0), ("LambdaMART", 1), *[(study.PAPER, draw) for draw in range(3)]]


def test_the_pool_is_halved_both_ways_down_to_the_papers_ends():
    grid = study.grids(["LambdaMART", "LambdaRank"], SMALL, 1024, 128)["pool"]
    assert {run["queries"] for run in grid} == {1024, 512, 256, 128, 64, 32, 16}
    assert {run["documents"] for run in grid} == {128, 64, 32, 16, 8, 4, 2}
    assert len(grid) == 2 * 7 * 7
    assert {run["queries"] for run in study.grids(["LambdaMART"], SMALL, 32, 8)["pool"]} == {32, 16, 8, 4}


def test_a_file_of_ones_own_becomes_four_parts(rng, tmp_path):
    letor.write(easy(rng), tmp_path / "own.txt")
    parts = study.parts(str(tmp_path / "own.txt"), SMALL, 1, rng)
    assert {name: part.n_queries for name, part in parts.items()} == SIZES
    described = describe(parts)
    assert described.loc["pool", ["queries", "documents", "a query", "features"]].tolist() == [16, 128, 8, 3]
    assert described.filter(like="grade").sum(axis=1).to_numpy() == pytest.approx(np.full(4, 100), abs=0.2)


def test_all_folds_have_a_pool_of_one_shape_and_test_every_query_once(rng, tmp_path, monkeypatch):
    letor.write(easy(rng), tmp_path / "own.txt")
    monkeypatch.setattr(study.catalog, "load", letor.read)
    folds = study.every_fold(str(tmp_path / "own.txt"), replace(SMALL, training_queries=40), 1)
    assert list(folds) == [1, 2, 3, 4, 5]
    assert [parts["test"].n_queries for parts in folds.values()] == [8] * 5
    assert {(parts["pool"].n_queries, *parts["pool"].group) for parts in folds.values()} == {(16, *[8] * 16)}
    tested = np.concatenate([parts["test"].features for parts in folds.values()])
    assert len(np.unique(tested, axis=0)) == 400


def test_a_portrait_has_one_fold_and_may_have_its_documents_several_times():
    folds = study.every_fold("ohsumed-portrait", SMALL, 1, copies=3)
    assert list(folds) == [1]
    portrayed = portrait.open("ohsumed").grade_counts.sum(axis=1)
    assert set(folds[1]["test"].group) <= set(3 * portrayed)


def test_an_unknown_ranker_is_refused_before_any_run():
    with pytest.raises(ValueError, match="name is 'LambdaMard', expected one of LambdaMART"):
        study.grids(["LambdaRank", "LambdaMard"], SMALL, 16, 8)


@pytest.mark.parametrize("ranker", ["LambdaMART", "LambdaRank"])
def test_a_run_learns_from_its_sample_alone_and_is_repeatable(rng, ranker):
    toy = easy(rng)
    test = toy.take_queries(np.arange(30, 40)).with_grades(np.r_[np.zeros(10, int), toy.grades[310:]])
    shared = {
        "training": toy.take_queries(np.arange(20)),
        "pool": toy.take_queries(np.arange(10)),
        "validation": toy.take_queries(np.arange(20, 30)),
        "test": test,
        "first_stage": (0, 1),
    }
    first, second = (
        trial.train_and_test(ranker, "pool", 5, 4, "random", 0, rng=np.random.default_rng(7), **shared)
        for _ in range(2)
    )
    assert (first["training_queries"], first["judgments"]) == (5, 20)
    assert np.isnan(first["per_query"][0])
    assert first["ndcg"] == pytest.approx(np.nanmean(first["per_query"]), abs=1e-6)
    assert first["ndcg"] == second["ndcg"]
    everything = trial.train_and_test(ranker, "training", 1.0, 1.0, "random", 0, rng=rng, **shared)
    assert everything["judgments"] == 200
    assert everything["ndcg"] > 0.9


def test_the_learning_rate_is_the_one_with_the_best_validation_ndcg(rng, monkeypatch):
    toy = easy(rng)
    training, validation = toy.take_queries(np.arange(20)), toy.take_queries(np.arange(20, 40))
    quality = {
        rate: base.mean_ndcg(validation, model.predict(validation.features))
        for rate in (1e-9, 0.01)
        if (model := rankers.seeded("LambdaRank", 3, learning_rate=rate, early_stopping=trial.PATIENCE).fit(
            training.features, training.grades, training.group, validation=validation))
    }  # fmt: skip
    monkeypatch.setitem(trial.RATES, "LambdaRank", tuple(quality))
    assert trial.fitted("LambdaRank", training, validation, 3).learning_rate == max(quality, key=quality.get)
    assert trial.fitted("RankSVM", training, validation, 3).get_params() == rankers.make("RankSVM").get_params()


@pytest.mark.parametrize("ranker", rankers.NAMES)
def test_every_ranker_learns_from_the_smallest_samples(rng, ranker):
    toy = easy(rng)
    shared = dict.fromkeys(("training", "pool", "validation", "test"), toy) | {"first_stage": (0, 1)}
    for cell in ((1, 10), (5, 2)):
        assert 0 < trial.train_and_test(ranker, "pool", *cell, "mixed", 0, rng=rng, **shared)["ndcg"] <= 1
