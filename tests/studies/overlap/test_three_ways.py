"""One budget, three ways to spend it: what is bought, what trains, and what the doublings are compared with."""

import numpy as np
import pandas as pd
import pytest
from overlap_by_hand import in_place_of_rankers, numbered, runs_of

from helpers import metrics, rankers
from helpers.engine import results
from helpers.judging import cystic_fibrosis
from helpers.judging.pool import Pool, Settings
from helpers.making import overlap as making
from helpers.studies.overlap import runs as overlap_runs
from helpers.studies.overlap import tables as overlap
from helpers.studies.overlap import trial

QUERIES, DOCS = 16, 8
NOISY = Pool(Settings(leniency=0.0, noise_irrelevant=0.8, noise_relevant=0.6, appeal=0.4))
SEEDS = np.array([11, 12])
LEVELS = overlap_runs.Levels((2, 4), (2, 4), (1, 2), validation_queries=3, test_queries=5)


@pytest.fixture
def made(monkeypatch):
    return in_place_of_rankers(monkeypatch)


@pytest.fixture(scope="module")
def parts():
    rng = np.random.default_rng(5)
    sizes = {"training": QUERIES, "validation": 3, "test": 5}
    return {name: numbered(rng, n, DOCS) for name, n in sizes.items()}


@pytest.fixture(scope="module")
def judged():
    """Three grades, and four judges who say so, or one less, or one more."""
    rng = np.random.default_rng(3)
    collection = numbered(rng, QUERIES, DOCS)
    grades = np.digitize(collection.features[:, 0], [0.6, 0.9])
    labels = np.clip(grades[:, None] + rng.integers(-1, 2, size=(len(grades), 4)), 0, 2).astype(np.int8)
    return cystic_fibrosis.Judged(collection.with_grades(grades), labels)


def learn(parts, queries=4, documents=3, labels=2, draw=0, ranker="LambdaMART"):
    return trial.learn(
        ranker, queries, documents, labels, draw, rng=np.random.default_rng(7), judges=NOISY, seeds=SEEDS, **parts
    )


def learn_from_people(judged, queries=4, documents=3, labels=2, fold=0, ranker="LambdaMART"):
    order = np.random.default_rng(8).permutation(QUERIES)
    shared = {"collection": judged.collection, "given": judged.labels, "order": order, "seeds": SEEDS}
    return trial.learn_from_people(ranker, queries, documents, labels, 0, fold, rng=np.random.default_rng(7), **shared)


# what is bought


@pytest.mark.parametrize(("queries", "documents", "labels"), [(1, 1, 1), (4, 3, 2), (16, 8, 4)])
def test_a_purchase_is_queries_by_documents_by_labels(made, parts, queries, documents, labels):
    run = learn(parts, queries, documents, labels)
    trained = made[0].trained
    assert run["spent"] == queries * documents * labels
    assert trained.group.tolist() == [documents] * queries
    assert len(np.unique(trained.rows)) == queries * documents
    assert len(trained.labels) == queries * documents


def test_a_smaller_purchase_is_a_part_of_a_larger_one(made, parts):
    for queries, documents in ((2, 2), (4, 2), (2, 4), (4, 4)):
        learn(parts, queries, documents)
    bought = [set(model.trained.rows) for model in made[::2]]
    assert bought[0] < bought[1] < bought[3]
    assert bought[0] < bought[2] < bought[3]
    learn(parts, 2, 2, draw=1)
    assert set(made[-1].trained.rows) != bought[0]


def test_a_ranker_trains_on_the_mean_of_the_labels_that_one_label_is_the_first_of(made, parts):
    for labels in (1, 2, 4):
        learn(parts, labels=labels)
    one, two, four = (np.array(model.settings["gains"])[model.trained.labels] for model in made[::2])
    assert (two >= one / 2).all()  # (a + b) / 2
    truth = 2.0 ** parts["training"].grades[made[0].trained.rows] - 1
    assert ((four - truth) ** 2).mean() < ((one - truth) ** 2).mean()
    np.testing.assert_array_equal(made[0].trained.validation.grades, made[-1].trained.validation.grades)


def test_real_judges_label_what_is_bought_of_the_queries_that_train(judged, made):
    for labels in (1, 4):
        run = learn_from_people(judged, 6, 5, labels)
        assert run["spent"] == 6 * 5 * labels
    one, four = (model.trained for model in made[::2])
    gains = np.array(made[2].settings["gains"])[four.labels]
    np.testing.assert_array_equal(gains, (2.0 ** judged.labels[four.rows] - 1).mean(axis=1))
    first = np.array(made[0].settings["gains"])[one.labels]
    assert (2.0 ** judged.labels[one.rows] - 1 == first[:, None]).any(axis=1).all()
    watched = one.validation
    seen = {*(one.rows // DOCS), *(watched.features[:, -1].astype(int) // DOCS)}
    truth = judged.collection
    ndcg = metrics.ndcg(truth.grades, truth.features[:, 0], truth.offsets, 3)
    assert all(value in np.round(np.delete(ndcg, list(seen)), 5) for value in run["per_query"])


def test_folds_test_every_query_once(judged, made, monkeypatch, tmp_path):
    monkeypatch.setattr(cystic_fibrosis, "load", lambda: judged)
    runs = overlap_runs.people_runs(LEVELS, 1, ["LambdaMART"], store=tmp_path, n_jobs=1, seed=5)
    assert len(runs) == 2 * 2 * 2
    assert (runs["spent"] == runs["queries"] * runs["documents"] * runs["labels"]).all()
    ndcg = metrics.ndcg(judged.collection.grades, judged.collection.features[:, 0], judged.collection.offsets, 3)
    np.testing.assert_allclose(runs["per_query"][0], ndcg, atol=1e-5)


@pytest.mark.parametrize("ranker", rankers.NAMES)
def test_every_ranker_learns_from_every_purchase(parts, judged, ranker):
    for labels in (1, 4):
        assert 0 <= learn(parts, 16, 8, labels, ranker=ranker)["ndcg@3"] <= 1
        assert 0 <= learn_from_people(judged, 8, 8, labels, ranker=ranker)["ndcg@3"] <= 1


def test_the_portrait_is_bought_of(made, tmp_path):
    runs = overlap_runs.portrait_runs(LEVELS, 1, ["LambdaMART"], store=tmp_path, n_jobs=1, seed=5)
    assert runs["error"].isna().all()
    assert runs["spent"].tolist() == [4, 8, 8, 16, 8, 16, 16, 32]


# the doublings


def purchases(gain_of, queries=(2, 4, 8), documents=(4, 8), labels=(1, 2)):
    """Runs of two draws whose NDCG@3 is the same for all queries: `gain_of` that purchase."""
    frames = [
        runs_of({"": [[gain_of(q, d, k)] * 3] * 2}, queries=q, documents=d, spent=q * d * k).assign(labels=k)
        for q in queries
        for d in documents
        for k in labels
    ]
    return pd.concat(frames, ignore_index=True)


def by_question(table):
    return table.set_index("question")["difference"].round(6).to_dict()


def test_a_doubling_is_compared_with_the_others_of_the_same_price(rng):
    """NDCG@3 rises by .03 with each doubling of queries, by .01 with that of documents, by .02 with that of labels."""
    table = overlap.three_ways(
        purchases(lambda q, d, k: 0.3 + 0.03 * np.log2(q) + 0.01 * np.log2(d) + 0.02 * np.log2(k)), rng
    )
    assert table["at"].unique().tolist() == ["4 documents, 1 label"]
    assert by_question(table) == {
        "another query": 0.03,
        "another document": 0.01,
        "another judge": 0.02,
        "another judge or another query": -0.01,
        "another judge or another document": 0.01,
        "another document or another query": -0.02,
    }
    assert table["low"].to_numpy() == pytest.approx(table["high"].to_numpy())


def test_differences_are_means_over_the_numbers_of_queries_that_can_be_doubled(rng):
    """A second judge gains .1 at 2 queries and .3 at 4; at 8 queries nothing is known of a doubling."""
    worth = {2: 0.1, 4: 0.3, 8: 0.9}
    table = overlap.three_ways(purchases(lambda q, d, k: 0.05 + worth[q] * (k - 1) / 2), rng)
    assert by_question(table)["another judge"] == pytest.approx((0.1 + 0.3) / 2 / 2)


def test_where_a_run_failed_its_purchase_is_left_out(rng):
    runs = purchases(lambda q, d, k: 0.1 * k)
    fewer = runs[(runs["queries"] != 2) | (runs["labels"] != 2)]
    assert by_question(overlap.three_ways(fewer, rng))["another judge"] == pytest.approx(0.1)
    assert overlap.three_ways(runs[runs["labels"] == 1], rng).empty


def test_the_surface_has_the_mean_of_the_draws():
    runs = purchases(lambda q, d, k: 0.1 * k)
    surface = overlap.surface(runs)
    assert len(surface) == 12
    assert surface.query("labels == 2")["ndcg@3"].tolist() == pytest.approx([0.2] * 6)
    assert (surface["spent"] == surface["queries"] * surface["documents"] * surface["labels"]).all()


# what is stored


def test_a_surface_is_stored_with_what_its_doublings_gain(monkeypatch, tmp_path):
    monkeypatch.setattr(making, "FOLDER", tmp_path)
    making.write_three_ways("three-ways", purchases(lambda q, d, k: 0.1 * k).assign(error=None))
    files = {path.name for path in (tmp_path / "three-ways").iterdir()}
    assert files == {"surface.csv", "comparisons.csv", "produced_by.json"}
    assert len(pd.read_csv(tmp_path / "three-ways" / "comparisons.csv")) == 6


def test_a_folder_that_nobody_makes_is_refused():
    with pytest.raises(ValueError, match="name is 'clean09', expected one of clean07, clean08, clean\\+, three-ways"):
        making.main("clean09")


# stored tables


def first_purchase(monkeypatch, levels):
    """Has RankSVM alone run, and the smallest purchase alone; everything else is drawn as for all of them."""
    least = {"ranker": "RankSVM", "queries": levels.queries[0], "documents": levels.documents[0], "labels": 1}
    whole = overlap_runs.ways_grid
    monkeypatch.setattr(
        overlap_runs,
        "ways_grid",
        lambda *given, **more: [run for run in whole(*given, **more) if least.items() <= run.items()],
    )
    return least


def held(name, again, least):
    surface = results.stored("01")[name]["surface"]
    row = surface.loc[(surface[list(least)] == pd.Series(least)).all(axis=1)].reset_index(drop=True)
    pd.testing.assert_frame_equal(overlap.surface(again)[row.columns], row, check_dtype=False, rtol=0, atol=2e-5)


def test_the_smallest_purchase_on_the_portrait_comes_out_again(monkeypatch, tmp_path):
    least = first_purchase(monkeypatch, overlap_runs.PORTRAIT)
    held(overlap_runs.THREE_WAYS, overlap_runs.portrait_runs(store=tmp_path, n_jobs=1, seed=making.SEED), least)


def test_the_smallest_purchase_of_people_comes_out_again(real_data, monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    least = first_purchase(monkeypatch, overlap_runs.OF_PEOPLE)
    held(overlap_runs.PEOPLE, overlap_runs.people_runs(store=tmp_path, n_jobs=1, seed=making.SEED), least)
