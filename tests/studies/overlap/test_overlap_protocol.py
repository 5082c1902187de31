"""The protocol of study 1: scales, parts, judges, and the grids of its runs."""

from dataclasses import replace

import numpy as np
import pytest

from helpers.datasets import portrait
from helpers.datasets.collection import Collection, offsets_of
from helpers.judging import schemes
from helpers.studies.overlap import protocol as study

SMALL = study.Scale(0.01, 5, 4, 1, 1, ("clean07",))


# scales and parts


def lengths_alone(source, n_queries, rng):
    """In place of `portrait.draw`: queries as long as the portrayed ones, without a feature."""
    group = rng.permutation(np.resize(source.grade_counts.sum(axis=1), n_queries))
    return Collection(np.zeros((group.sum(), 0)), np.zeros(group.sum()), offsets_of(group))


@pytest.mark.parametrize(
    ("label_set", "queries", "docs", "tested"),
    [("clean07", 2071, 31_867, 5207), ("clean08", 1563, 28_790, 7260), ("clean+", 1000, 49_785, 11_898)],
)
def test_at_scale_study_the_parts_have_the_papers_sizes(monkeypatch, rng, label_set, queries, docs, tested):
    monkeypatch.setattr(portrait, "draw", lengths_alone)
    found = study.parts(label_set, study.scale_named("study"), rng)
    assert (found["training"].n_queries, found["test"].n_queries) == (queries, tested)
    assert found["training"].n_docs == pytest.approx(docs, rel=0.01)
    assert found["validation"].n_queries == 1000
    assert found["test"].group.max() == found["validation"].group.max() == 30


def test_at_scale_paper_all_documents_are_tested(monkeypatch, rng):
    monkeypatch.setattr(portrait, "draw", lengths_alone)
    found = study.parts("clean08", replace(study.scale_named("paper"), share=0.1), rng)
    lengths = portrait.open(study.PORTRAIT).grade_counts.sum(axis=1)
    assert found["test"].group.mean() == pytest.approx(lengths.mean(), rel=0.05)
    assert found["test"].group.max() == lengths.max()


@pytest.mark.parametrize(
    ("dataset", "tested", "n_features", "grades"),
    [(study.DATASET, 52, 136, 5), ("ohsumed-portrait", 52, 45, 3), ("four grades", 12, 2, 4)],
)
def test_a_small_share_is_drawn_of_a_portrait_or_of_all_that_a_collection_has(
    four_grades, dataset, tested, n_features, grades
):
    dataset = four_grades if dataset == "four grades" else dataset
    found, again = (study.parts("clean07", SMALL, np.random.default_rng(3), dataset) for _ in range(2))
    assert {name: part.n_queries for name, part in found.items()} == {"training": 21, "validation": 5, "test": tested}
    assert found["test"].group.max() == 4
    assert set(np.concatenate([part.grades for part in found.values()])) == set(range(grades))
    assert study.n_grades(dataset) == grades
    for name, part in found.items():
        assert part.n_features == n_features
        np.testing.assert_array_equal(part.features, again[name].features)


# judges


def test_without_a_name_judges_are_the_pool_fitted_to_the_label_set():
    noises = {name: study.judges_named("", name).settings.noise_irrelevant for name in study.LABEL_SETS}
    assert noises == {"clean07": 0.7813, "clean08": 0.8551, "clean+": 1.0469}


# grids


def test_the_grid_has_every_setting_and_ranker_once_for_each_of_its_draws():
    scale = study.scale_named("study")
    grid = study.grid("clean07", scale)
    runs = {(run["ranker"], run["setting"], run["draw"]) for run in grid}
    settings = {*schemes.PAPER, *study.MORE, *study.MEANS}
    assert len(settings) == 14
    draws = {"LambdaRank": 4, "LambdaMART": 2}
    assert runs == {(r, s, d) for r, n in draws.items() for s in settings for d in range(n)}
    assert len(grid) == len(runs)
    assert {run["label_set"] for run in grid} == {"clean07"}


def test_clean_plus_has_the_settings_and_the_ranker_of_its_table():
    grid = study.grid("clean+", study.scale_named("study"))
    assert {(run["ranker"], run["setting"]) for run in grid} == {
        ("LambdaRank", s) for s in ("baseline", "if-good-2", "if-good-3", "if-good-x3")
    }
    assert study.grid("clean+", study.scale_named("study"), ["LambdaMART"]) == []


def test_unknown_rankers_are_refused_before_anything_is_trained():
    with pytest.raises(ValueError, match="name is 'Rank', expected one of LambdaMART, LambdaRank, RankSVM"):
        study.grid("clean07", study.SCALES["demo"], ["LambdaRank", "Rank"])
