"""Crowds of study 1: a pool of judges, real ones, and the tables of their labels."""

import numpy as np
import pandas as pd
import pytest
from overlap_by_hand import numbered

from helpers import paths
from helpers.engine import results
from helpers.judging import schemes
from helpers.judging.pool import Pool, Settings
from helpers.studies.overlap import crowds as overlap_crowds
from helpers.studies.overlap import effects

POOL = Pool(Settings(leniency=0.0, noise_irrelevant=0.8, noise_relevant=0.6, appeal=0.4), n_judges=12)


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch):
    monkeypatch.setattr(overlap_crowds, "DRAWS", 20)


@pytest.fixture
def pool(rng):
    return overlap_crowds.of_pool(POOL, numbered(rng), rng, fewest=20)


def test_a_pool_labels_every_document_of_a_collection_and_its_grades_are_the_truth(rng):
    collection = numbered(rng)
    judged = overlap_crowds.of_pool(POOL, collection, rng)
    assert judged.labels.shape == judged.judges.shape == (300, 11)
    assert judged.names == [str(judge) for judge in range(12)]
    np.testing.assert_array_equal(judged.truth, collection.grades)
    assert (judged.most, judged.n_grades, judged.good) == (11, 5, 2)


def test_the_tables_of_a_pool(pool, rng):
    made = overlap_crowds.tables("pool", pool, rng)
    labels = pool.labels
    assert set(made) == {"agreement", "best", "majority", "featured", "distribution", "costs", "comparisons"}
    assert made["agreement"]["m"].tolist() == list(range(1, 12))
    assert made["agreement"]["agreement"][0] == pytest.approx((labels == pool.truth[:, None]).mean())
    assert made["distribution"]["share"].tolist() == [(labels == grade).mean() for grade in range(5)]
    cost = made["costs"].set_index("setting").loc["if-good-3", "expected"]
    assert cost == pytest.approx(1 + 2 * (labels >= schemes.GOOD).mean())
    assert made["featured"]["featured"].unique().tolist() == list(range(5))


def test_the_claims_about_judges_are_measured_on_a_crowd_without_those_who_give_one_grade(pool, rng):
    made = overlap_crowds.tables("pool", pool, rng)
    found = effects.of_crowd("pool", made["comparisons"], made["featured"]).set_index("claim")
    assert found.index.tolist() == ["Y6", "Y10", "Y11"]
    blind = made["featured"].assign(share=1.0)
    assert effects.of_crowd("pool", made["comparisons"], blind)["claim"].tolist() == ["Y6", "Y10"]


def test_the_best_judge_comes_back_from_the_tables(pool, rng):
    made = overlap_crowds.tables("pool", pool, rng)
    best = overlap_crowds.best_of(made)
    own = pool.judges == int(made["best"]["judge"][0])
    right = (pool.labels == pool.truth[:, None])[own]
    assert (best.pairs, best.naive) == (own.sum(), pytest.approx(right.mean()))
    assert best.honest <= best.naive + 1e-9
    assert best.majority.equals(made["majority"])


# real crowds


def write(directory, folder, labels, truth):
    directory = directory / "judgments" / folder
    directory.mkdir(parents=True)
    pd.DataFrame(labels, columns=["item", "worker", "label"]).to_csv(directory / "label.csv", index=False)
    pd.DataFrame(truth, columns=["item", "truth"]).to_csv(directory / "truth.csv", index=False)


def test_only_crowds_whose_files_are_there_are_found(monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path))
    assert paths.here(overlap_crowds.REAL) == {}
    write(tmp_path, "trec-rf10-crowd", [("a", "w", 1)], [("a", 1)])
    assert list(paths.here(overlap_crowds.REAL)) == ["trec-rf10-crowd"]


def test_broken_links_and_what_nist_did_not_grade_are_left_out(monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path))
    labels = [("a", "w", 2), ("b", "w", 3), ("a", "v", 0), ("c", "w", 1), ("c", "v", 3)]
    write(tmp_path, "trec-rf10-crowd", labels, [("a", 1), ("c", 3)])
    judged = overlap_crowds.trec_rf10()
    assert judged.labels.tolist() == [[2, 0], [1, -1]]
    assert judged.truth.tolist() == [1, -1]
    assert (judged.n_grades, judged.good) == (3, 1)


def test_those_who_made_the_truth_of_the_web_search_crowd_are_not_in_it(monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path))
    labels = [("a", "0", 4), ("a", "3", 2), ("a", "25", 4), ("b", "4", 0), ("c", "7", 1)]
    write(tmp_path, "web-search-5level", labels, [("a", 4)])
    judged = overlap_crowds.web_search()
    assert judged.labels.tolist() == [[2], [0]]
    assert judged.names == ["3", "4"]
    assert judged.truth.tolist() == [4, -1]


def test_the_trec_crowd_is_as_large_as_published(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    folder = real_data / "judgments" / "trec-rf10-crowd"
    labels, truth = (pd.read_csv(folder / name) for name in ("label.csv", "truth.csv"))
    judged = overlap_crowds.trec_rf10()
    assert len(labels) == 98_453
    assert (judged.labels >= 0).sum() == 98_453 - 6_670
    assert (truth["truth"] < 3).sum() == 3_277
    assert judged.labels.max() == 2
    assert set(judged.truth) == {-1, 0, 1, 2}


def test_the_web_search_crowd_is_there_without_its_experts(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    judged = overlap_crowds.web_search()
    assert len(judged.names) == 177 - 9
    assert set(judged.truth) == {-1, 0, 1, 2, 3, 4}


@pytest.mark.parametrize("name", ["pool", "trec-rf10-crowd", "web-search-crowd"])
def test_stored_comparisons_of_judges_are_those_of_the_stored_tables(name):
    kept = results.stored("01")[name]
    again = overlap_crowds.judge_comparisons(name, overlap_crowds.best_of(kept), kept["costs"], kept["featured"])
    np.testing.assert_allclose(
        again[["difference", "low", "high"]], kept["comparisons"][["difference", "low", "high"]], atol=1e-5
    )
    assert again["at"].astype(str).tolist() == kept["comparisons"]["at"].tolist()
