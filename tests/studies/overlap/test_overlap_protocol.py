"""The protocol of study 1: parts, judges, the grid, what a ranker is given, and one run."""

from dataclasses import replace

import numpy as np
import pytest
from overlap_by_hand import FirstFeature, in_place_of_rankers, numbered

from helpers import rankers
from helpers.datasets import portrait
from helpers.datasets.collection import Collection, offsets_of
from helpers.engine import sweep
from helpers.judging import schemes
from helpers.judging.pool import AlikeJudges, Pool, Settings
from helpers.studies.overlap import protocol as study
from helpers.studies.overlap import trial

NOISY = Pool(Settings(leniency=0.0, noise_irrelevant=0.8, noise_relevant=0.6, appeal=0.4))
SURE = Pool(Settings(leniency=0.0, noise_irrelevant=1e-9, noise_relevant=1e-9, appeal=0.0))
SEEDS = np.array([11, 12, 13])
TINY = replace(study.SCALES["demo"], share=0.01, validation_queries=5, test_docs=8)


@pytest.fixture
def made(monkeypatch):
    return in_place_of_rankers(monkeypatch)


@pytest.fixture
def parts():
    rng = np.random.default_rng(5)
    return {name: numbered(rng, n) for name, n in (("training", 30), ("validation", 10), ("test", 20))}


def one_run(parts, setting, ranker="LambdaMART", draw=0, judges=NOISY, seed=7, label_set="clean07"):
    rng = np.random.default_rng(seed)
    return trial.train_and_test(
        label_set,
        ranker,
        setting,
        draw,
        rng=rng,
        judges=judges,
        per_pair=study.LABEL_SETS[label_set].per_pair,
        seeds=SEEDS,
        **parts,
    )


# scales and parts


def test_an_unknown_scale_is_refused():
    with pytest.raises(ValueError, match="scale is 'huge', expected one of demo, study, paper"):
        study.scale_named("huge")


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


def test_a_small_share_is_drawn_of_the_portrait_and_the_same_for_the_same_seed():
    found, again = (study.parts("clean07", TINY, np.random.default_rng(3)) for _ in range(2))
    assert {name: part.n_queries for name, part in found.items()} == {"training": 21, "validation": 5, "test": 52}
    assert found["training"].n_features == 136
    assert set(found["test"].grades) == {0, 1, 2, 3, 4}
    for name, part in found.items():
        np.testing.assert_array_equal(part.features, again[name].features)


# judges and the grid


def test_without_a_name_judges_are_the_pool_fitted_to_the_label_set():
    noises = {name: study.judges_named("", name).settings.noise_irrelevant for name in study.LABEL_SETS}
    assert noises == {"clean07": 0.7813, "clean08": 0.8551, "clean+": 1.0469}


def test_a_matrix_of_five_grades_takes_the_place_of_the_pool():
    judges = study.judges_named("WEB5_truth_vs_worker", "clean07")
    assert judges.confusion.shape == (5, 5)
    assert judges.confusion.sum(axis=1) == pytest.approx(np.ones(5))


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


def test_the_demo_has_the_papers_nine_settings_and_the_mean_of_if_good_3():
    assert {run["setting"] for run in study.grid("clean07", study.scale_named("demo"))} == {
        *schemes.PAPER,
        "if-good-gain-3",
    }


# what rankers are given


def firsts(model):
    """The first training label of every document."""
    rows, places = np.unique(model.trained.rows, return_index=True)
    assert rows.tolist() == list(range(300))
    return model.trained.labels[places]


def test_labels_of_a_draw_are_the_same_for_all_settings_and_rankers(made, parts):
    for setting in ("baseline", "3-overlap", "11-overlap", "if-good-3", "if-good-x3", "good-till-bad"):
        one_run(parts, setting)
        one_run(parts, setting, "LambdaRank", seed=8)
    expected = firsts(made[0])
    assert not np.array_equal(expected, parts["training"].grades)
    for model in made[1:]:
        np.testing.assert_array_equal(firsts(model), expected)
    one_run(parts, "baseline", draw=1)
    assert not np.array_equal(firsts(made[-1]), expected)


def test_validation_has_one_label_a_document_the_same_for_all_settings_and_test_grades_are_the_truth(made, parts):
    for setting in ("baseline", "11-overlap", "gain-3"):
        run = one_run(parts, setting)
        assert run["ndcg@10"] == 1  # the first feature tells the true grade
    watched = [model.trained.validation for model in made]
    for validation in watched:
        np.testing.assert_array_equal(validation.grades, watched[0].grades)
        np.testing.assert_array_equal(validation.features, parts["validation"].features)
    assert 0.3 < np.mean(watched[0].grades == parts["validation"].grades) < 0.9


@pytest.mark.parametrize(("setting", "copies"), [("baseline", 1), ("3-overlap", 3), ("mv3", 1), ("if-good-4", 4)])
def test_where_documents_have_copies_lambdamart_counts_them_all(made, parts, setting, copies):
    one_run(parts, setting)
    assert [np.bincount(model.trained.rows).max() for model in made] == [copies, copies]
    assert [model.settings["lambdarank_truncation_level"] for model in made] == [30 * copies] * 2
    assert [model.settings["min_data_in_leaf"] for model in made] == [100 * copies, 300 * copies]


@pytest.mark.parametrize(("better", "worse"), [(100, 300), (300, 100)])
@pytest.mark.parametrize(("setting", "copies"), [("baseline", 1), ("3-overlap", 3)])
def test_of_lambdamarts_leaves_the_better_by_validation_is_taken(
    monkeypatch, rng, parts, setting, copies, better, worse
):
    in_place_of_rankers(monkeypatch, backwards_at=[copies * worse], of="min_data_in_leaf")
    sample = schemes.collect(setting, np.tile(parts["training"].grades[:, None], 3), None)
    model = trial.fitted("LambdaMART", parts["training"], sample, parts["validation"], rng)
    assert model.settings["min_data_in_leaf"] == copies * better


def test_a_query_keeps_all_copies_together(made, parts):
    one_run(parts, "3-overlap")
    assert made[0].trained.group.tolist() == [30] * 30


def test_lambdarank_has_no_settings_of_trees(made, parts):
    one_run(parts, "11-overlap", "LambdaRank")
    assert all(set(m.settings) == {"learning_rate", "random_state"} for m in made)


@pytest.mark.parametrize(("better", "worse"), [(0.001, 0.0002), (0.0002, 0.001)])
def test_of_lambdaranks_learning_rates_the_better_by_validation_is_taken(monkeypatch, rng, parts, better, worse):
    in_place_of_rankers(monkeypatch, backwards_at=[worse])
    sample = schemes.collect("baseline", parts["training"].grades[:, None], None)
    model = trial.fitted("LambdaRank", parts["training"], sample, parts["validation"], rng)
    assert model.settings["learning_rate"] == better


def test_both_learning_rates_start_from_the_same_seed(made, parts):
    one_run(parts, "baseline", "LambdaRank")
    assert made[0].settings["random_state"] == made[1].settings["random_state"]


@pytest.mark.parametrize(("setting", "finer"), [("gain-3", True), ("baseline", False), ("3-overlap", False)])
def test_a_ranker_knows_the_gain_of_each_label(made, parts, setting, finer):
    one_run(parts, setting)
    gains = made[0].settings.get("gains")
    assert (len(gains) > 5 and min(gains) == 0 and max(gains) == 15) if finer else gains is None


def test_tripled_weights_reach_the_ranker(made, parts):
    one_run(parts, "if-good-x3")
    trained = made[0].trained
    np.testing.assert_array_equal(trained.weights, np.where(trained.labels >= 2, 3, 1))


# costs and results


@pytest.mark.parametrize(
    ("setting", "labels", "instances", "ratio"),
    [
        ("baseline", 1, 1, 1 / 1),  # 3 | 1
        ("3-overlap", 3, 3, 4 / 2),  # 3 2 1 | 1 0 0
        ("mv3", 3, 1, 1 / 1),  # of 3 2 1 the middle | 0
        ("if-good-3", 2, 2, 2 / 2),  # 3 2 1 | 1
        ("if-good-x3", 1, 1, 1 / 3),  # 3 with weight 3 | 1
        ("gain-3", 3, 1, 1 / 1),  # 11/3, as 2.2 grades | 1/3
    ],
)
def test_costs_of_two_pairs_by_hand(setting, labels, instances, ratio):
    sample = schemes.collect(setting, np.array([[3, 2, 1], [1, 0, 0]]), None)
    assert schemes.costs(sample) == {"labels": labels, "instances": instances, "fair_to_good": pytest.approx(ratio)}


def test_where_nothing_is_good_the_ratio_is_infinite():
    sample = schemes.collect("baseline", np.array([[1], [0]]), None)
    assert schemes.costs(sample)["fair_to_good"] == np.inf
    assert schemes.costs(sample, good=1)["fair_to_good"] == 1


def test_queries_without_a_relevant_document_do_not_count():
    grades, scores = [0, 1, 0, 0, 2, 1], [[1.0], [0.0], [0.0], [0.0], [1.0], [2.0]]
    found = trial.tested(FirstFeature("", {}), Collection(scores, grades, [0, 2, 4, 6]))
    second, third = 1 / np.log2(3), (1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3))
    assert found["per_query"] == pytest.approx([second, np.nan, third], nan_ok=True, abs=1e-5)
    assert found["ndcg@3"] == pytest.approx((second + third) / 2)
    assert found["ndcg@1"] == pytest.approx((0 + 1 / 3) / 2)


@pytest.mark.parametrize("ranker", study.RANKERS)
def test_from_judges_who_are_sure_a_ranker_learns_what_there_is(rng, ranker):
    parts = {name: numbered(rng, n) for name, n in (("training", 60), ("validation", 10), ("test", 20))}
    run = one_run(parts, "baseline", ranker, judges=SURE)
    assert run["ndcg@3"] > 0.9
    assert run == one_run(parts, "baseline", ranker, judges=SURE)


def test_judges_who_err_by_a_matrix_label_by_it(made, parts):
    turned = AlikeJudges(np.eye(5)[::-1])
    one_run(parts, "baseline", judges=turned)
    np.testing.assert_array_equal(made[0].trained.labels, 4 - parts["training"].grades)
    np.testing.assert_array_equal(made[0].trained.validation.grades, 4 - parts["validation"].grades)


def test_a_pair_of_clean_plus_has_three_labels(made, parts):
    assert one_run(parts, "11-overlap", label_set="clean+")["labels"] == 3
    assert one_run(parts, "11-overlap", label_set="clean07")["labels"] == 11


def test_unknown_rankers_are_refused_before_anything_is_trained():
    with pytest.raises(ValueError, match="name is 'Rank', expected one of LambdaMART, LambdaRank, RankSVM"):
        study.grid("clean07", study.SCALES["demo"], ["LambdaRank", "Rank"])


# all rankers


@pytest.fixture
def few(rng):
    """The second feature tells the grade as well, but less well."""
    return {name: numbered(rng, n, 8) for name, n in (("training", 20), ("validation", 5), ("test", 10))}


@pytest.mark.parametrize("ranker", rankers.NAMES)
def test_every_ranker_trains_on_what_every_scheme_of_the_study_collects(ranker, few, tmp_path):
    scale = replace(study.SCALES["study"], draws=1)
    shared = few | {"judges": NOISY, "per_pair": 11, "seeds": SEEDS}
    grid = study.grid("clean07", scale, [ranker])
    grid.append(grid[0] | {"setting": "dawid-skene-3"})  # which is for a reader's own judgments
    settings = {run["setting"] for run in grid}
    assert settings >= {"gain-3", "if-good-x3", "if-good-gain-3", "dawid-skene-3", "11-overlap"}
    runs = sweep.run(trial.train_and_test, grid, store=tmp_path, n_jobs=1, seed=3, shared=shared)
    assert runs["error"].isna().all(), runs["error"].dropna().iloc[0]
    assert runs["ndcg@3"].between(0, 1).all()


def test_clean_plus_is_run_with_the_one_ranker_of_the_paper():
    grid = study.grid("clean+", study.SCALES["study"], rankers.NAMES)
    assert {run["ranker"] for run in grid} == {"LambdaRank"}


@pytest.mark.parametrize("ranker", rankers.NAMES)
def test_of_labels_finer_than_a_grade_every_ranker_learns_the_grades(rng, parts, ranker):
    """Gains that are those of whole grades give the model of the grades."""
    grades = parts["training"].grades
    sample = schemes.collect("baseline", grades[:, None], None)
    gains = replace(sample, gains=(0.0, 1.0, 3.0, 7.0, 15.0))
    plain, fine = (
        trial.fitted(ranker, parts["training"], one, parts["validation"], np.random.default_rng(1))
        for one in (sample, gains)
    )
    features = parts["test"].features
    assert fine.predict(features) == pytest.approx(plain.predict(features), rel=1e-9)


def test_adarank_gets_heavy_documents_as_copies(parts):
    sample = schemes.collect("if-good-x3", parts["training"].grades[:, None], None)
    instances, weights = trial.instances_of("AdaRank", parts["training"], sample)
    assert weights is None
    good = parts["training"].grades >= 2
    np.testing.assert_array_equal(np.bincount(instances.features[:, -1].astype(int)), np.where(good, 3, 1))
    others, weights = trial.instances_of("RankSVM", parts["training"], sample)
    assert others.n_docs == len(weights) == len(good)


def test_adarank_refuses_weights_that_are_no_numbers_of_copies(parts):
    sample = schemes.collect("if-good-x2.5", parts["training"].grades[:, None], None)
    with pytest.raises(ValueError, match=r"AdaRank trains on copies .* a weight is 2.5, expected whole numbers"):
        trial.instances_of("AdaRank", parts["training"], sample)
