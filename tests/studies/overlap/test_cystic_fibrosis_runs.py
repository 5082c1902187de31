"""Study 1 with real people: folds, what trains, validates and tests, and runs put together again."""

import numpy as np
import pytest
from overlap_by_hand import in_place_of_rankers, numbered

from helpers import metrics, rankers
from helpers.judging import cystic_fibrosis, schemes
from helpers.studies.overlap import cystic_fibrosis_runs as study
from helpers.studies.overlap import cystic_fibrosis_trial

QUERIES, DOCS = 23, 8
SEEDS = np.array([11, 12])


@pytest.fixture
def made(monkeypatch):
    return in_place_of_rankers(monkeypatch)


@pytest.fixture(scope="module")
def judged():
    """Three grades that the first feature does not tell for sure; four judges who say so, or one less, or one more."""
    rng = np.random.default_rng(3)
    collection = numbered(rng, QUERIES, DOCS)
    grades = np.digitize(collection.features[:, :2] @ [1, 0.4], [0.6, 1.1])
    labels = np.clip(grades[:, None] + rng.integers(-1, 2, size=(len(grades), 4)), 0, 2).astype(np.int8)
    return cystic_fibrosis.Judged(collection.with_grades(grades), labels)


@pytest.fixture(scope="module")
def order():
    return np.random.default_rng(8).permutation(QUERIES)


def one_run(judged, order, setting="baseline", draw=0, fold=0, ranker="LambdaMART"):
    shared = {"collection": judged.collection, "labels": judged.labels, "order": order, "seeds": SEEDS}
    return cystic_fibrosis_trial.train_and_test(ranker, setting, draw, fold, rng=np.random.default_rng(7), **shared)


def queries_of(rows):
    return set(np.asarray(rows).astype(int) // DOCS)


def test_folds_test_every_query_once_by_a_ranker_that_has_not_seen_it(judged, order, made):
    tested = []
    for fold in range(cystic_fibrosis_trial.FOLDS):
        run, trained = one_run(judged, order, fold=fold), made[-1].trained
        learned, watched = queries_of(trained.rows), queries_of(trained.validation.features[:, -1])
        left = set(range(QUERIES)) - learned - watched
        assert not learned & watched
        assert len(run["per_query"]) == len(left)
        tested += left
    assert sorted(tested) == list(range(QUERIES))


def test_training_and_validation_have_labels_of_judges_and_the_test_their_majority(judged, order, made):
    ndcg = metrics.ndcg(judged.collection.grades, judged.collection.features[:, 0], judged.collection.offsets, 3)
    run = one_run(judged, order)
    trained, validation = made[0].trained, made[0].trained.validation
    assert (judged.labels[trained.rows] == trained.labels[:, None]).any(axis=1).all()
    assert (trained.labels != judged.collection.grades[trained.rows]).any()
    rows = validation.features[:, -1].astype(int)
    assert (judged.labels[rows] == validation.grades[:, None]).any(axis=1).all()
    assert (validation.grades != judged.collection.grades[rows]).any()
    left = sorted(set(range(QUERIES)) - queries_of(trained.rows) - queries_of(rows))
    np.testing.assert_allclose(run["per_query"], ndcg[left], atol=1e-5)


def test_judges_are_asked_in_the_same_order_for_all_settings_of_a_draw(judged, order, made):
    for setting in ("baseline", "4-overlap", "if-good-3", "if-good-x3"):
        one_run(judged, order, setting)
        one_run(judged, order, setting, ranker="LambdaRank")
    firsts = [model.trained.labels[np.unique(model.trained.rows, return_index=True)[1]] for model in made]
    watched = [model.trained.validation.grades for model in made]
    for labels, validated in zip(firsts, watched, strict=True):
        np.testing.assert_array_equal(labels, firsts[0])
        np.testing.assert_array_equal(validated, watched[0])
    one_run(judged, order, draw=1)
    assert not np.array_equal(made[-1].trained.labels, firsts[0])


def test_marginally_relevant_documents_are_asked_about_again_and_weigh_more(judged, order, made):
    one_run(judged, order)
    first = made[0].trained.labels
    run = one_run(judged, order, "if-good-3")
    assert run["labels"] == pytest.approx(1 + 2 * (first >= 1).mean())
    one_run(judged, order, "if-good-x3")
    np.testing.assert_array_equal(made[-1].trained.weights, np.where(first >= 1, 3, 1))
    unweighted = (first < 1).sum() / (first >= 1).sum()
    assert one_run(judged, order, "if-good-x3")["fair_to_good"] == pytest.approx(unweighted / 3)


def test_runs_have_all_queries_in_the_order_of_the_collection(judged, made, monkeypatch, tmp_path):
    monkeypatch.setattr(cystic_fibrosis, "load", lambda: judged)
    monkeypatch.setattr(study, "SETTINGS", ("baseline", "mv4"))
    runs = study.runs(draws=2, names=["LambdaMART"], store=tmp_path, n_jobs=1, seed=5)
    assert runs[["label_set", "ranker", "setting", "draw"]].to_numpy().tolist() == [
        [study.NAME, "LambdaMART", setting, draw] for setting in ("baseline", "mv4") for draw in (0, 1)
    ]
    collection = judged.collection
    ndcg = metrics.ndcg(collection.grades, collection.features[:, 0], collection.offsets, 3)
    parts = np.array_split(np.random.default_rng(5).permutation(QUERIES), 5)
    for row in runs.itertuples():
        np.testing.assert_allclose(row.per_query, ndcg, atol=1e-5)
    assert runs["ndcg@3"].tolist() == pytest.approx([np.mean([np.nanmean(ndcg[part]) for part in parts])] * 4)
    assert runs["labels"].tolist() == [1, 1, 4, 4]


@pytest.mark.parametrize("ranker", rankers.NAMES)
def test_every_ranker_trains_on_what_every_scheme_collects(judged, monkeypatch, tmp_path, ranker):
    monkeypatch.setattr(cystic_fibrosis, "load", lambda: judged)
    monkeypatch.setattr(study, "SETTINGS", ("baseline", "4-overlap", "if-good-x3", "mean-3"))
    runs = study.runs(draws=1, names=[ranker], store=tmp_path, n_jobs=1, seed=5)
    assert runs["ndcg@3"].between(0, 1).all()


def test_a_ranker_learns_from_real_people(real_data, monkeypatch, rng):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    judged = cystic_fibrosis.load()
    order = np.random.default_rng(8).permutation(judged.collection.n_queries)
    run = one_run(judged, order, "if-good-3")
    cost = schemes.expected_cost("if-good-3", schemes.moments(judged.labels, good=cystic_fibrosis_trial.GOOD))
    assert run["labels"] == pytest.approx(cost, rel=0.1)
    test = judged.collection.take_queries(np.sort(np.array_split(order, cystic_fibrosis_trial.FOLDS)[0]))
    by_chance = metrics.ndcg(test.grades, rng.random(test.n_docs), test.offsets, 10).mean()
    assert run["ndcg@10"] > by_chance + 0.2
