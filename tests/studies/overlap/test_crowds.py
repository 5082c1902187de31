"""Crowds of study 1: a pool of judges, real ones, what is said of them, and how noise divides between judges."""

import numpy as np
import pandas as pd
import pytest
from overlap_by_hand import numbered

from helpers import paths
from helpers.datasets.collection import Collection
from helpers.engine import results
from helpers.judging import crowd, schemes
from helpers.judging.crowd import BestJudge
from helpers.judging.pool import Pool, Settings
from helpers.making import overlap
from helpers.studies.overlap import crowds as overlap_crowds
from helpers.studies.overlap import effects

POOL = Pool(Settings(leniency=0.0, noise_irrelevant=0.8, noise_relevant=0.6, appeal=0.4), n_judges=12)


SETTINGS = Settings(0.0, 0.8, 0.5, 0.4)


@pytest.fixture(scope="module")
def pool():
    """A crowd of simulated judges, and its tables by few samples."""
    rng = np.random.default_rng(20091)
    drawn = overlap_crowds.of_pool(POOL, numbered(rng), rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap_crowds, "DRAWS", 20)
        patch.setattr(overlap_crowds, "FEWEST", 20)
        return drawn, overlap_crowds.tables("pool", drawn, rng)


def test_the_tables_of_a_pool_and_the_claims_that_they_are_asked(pool):
    drawn, made = pool
    labels = drawn.labels
    assert set(made) == {"agreement", "best", "majority", "featured", "distribution", "costs", "comparisons"}
    assert made["agreement"]["m"].tolist() == list(range(1, 12))
    assert made["agreement"]["agreement"][0] == pytest.approx((labels == drawn.truth[:, None]).mean())
    assert made["distribution"]["share"].tolist() == [(labels == grade).mean() for grade in range(5)]
    cost = made["costs"].set_index("setting").loc["if-good-3", "expected"]
    assert cost == pytest.approx(1 + 2 * (labels >= schemes.GOOD).mean())
    assert made["featured"]["featured"].unique().tolist() == list(range(5))
    claims = effects.of_crowd("pool", made["comparisons"], made["featured"])["claim"]
    assert claims.tolist() == ["Y6", "Y10", "Y11"]


def test_the_best_judge_comes_back_from_the_tables(pool):
    drawn, made = pool
    best = overlap_crowds.best_of(made)
    own = drawn.judges == int(made["best"]["judge"][0])
    right = (drawn.labels == drawn.truth[:, None])[own]
    assert (best.pairs, best.naive) == (own.sum(), pytest.approx(right.mean()))
    assert best.honest <= best.naive + 1e-9
    assert best.majority.equals(made["majority"])


# what is said of judges


MAJORITY = pd.DataFrame({"m": [4, 5, 6], "agreement": [0.5, 0.6, 0.7], "low": [0.4, 0.5, 0.6], "high": [0.6, 0.7, 0.8]})
BOUGHT = pd.DataFrame({"setting": ["baseline", "if-good-3"], "bought": [100, 200], "labels": [1.0, 2.0]})
FEATURED = pd.DataFrame(
    {"featured": 0, "judge": 7, "by": ["judge"] * 2 + ["majority of the others"] * 2, "grade": [0, 1] * 2}
).assign(count=[80, 20, 50, 50], p_value=1e-5)


def judges(pairs, featured=FEATURED):
    best = BestJudge(3, pairs, naive=0.9, honest=0.5, majority=MAJORITY)
    return overlap_crowds.judge_comparisons("pool", best, BOUGHT, featured).set_index("question")


@pytest.mark.parametrize(("pairs", "own"), [(10**9, 0.0), (100, 1.96 * 0.05)])
def test_more_than_five_judges_are_held_against_what_the_best_reaches_on_other_pairs_with_its_own_error(pairs, own):
    row = judges(pairs).loc["several judges or the best"]
    half = np.hypot(0.1, own)  # the majority's, and 1.96 standard errors of .5 on so many pairs
    assert row[["ranker", "at"]].tolist() == ["pool", 6]
    assert row[["difference", "low", "high"]].tolist() == pytest.approx([0.2, 0.2 - half, 0.2 + half], abs=1e-4)


def test_what_a_crowd_makes_if_good_3_cost_has_an_interval_over_pairs():
    row = judges(100).loc["cost of if-good-3"]
    half = 1.96 * 2 * 0.05  # half of 100 first labels are Good or above, each worth 2 labels more
    assert row[["difference", "low", "high"]].tolist() == pytest.approx([0.6, 0.6 - half, 0.6 + half], abs=1e-4)


def featured(*counts):
    """A judge's counts of two grades and the majority's, with the p-value of the two."""
    p_value = crowd.homogeneity(np.array([counts[:2], counts[2:]]))
    return judges(100, FEATURED.assign(count=counts, p_value=p_value)).loc["featured judges or the majority"]


@pytest.mark.parametrize(("total", "gives"), [(100, 80), (528, 528), (10_000, 9000), (10**6, 999_999)])
def test_however_small_the_p_value_of_a_featured_judge_the_interval_is_that_of_the_counts(total, gives):
    """The majority gives the grade to half: p-values of 1e-5, 1e-91 and of what a computer takes for 0."""
    row, share = featured(gives, total - gives, total // 2, total // 2), gives / total
    half = 1.96 * np.sqrt((share * (1 - share) + 0.25) / total)
    assert row[["low", "high"]].tolist() == pytest.approx([share - 0.5 - half, share - 0.5 + half], rel=1e-4)


def test_a_featured_judge_whom_the_test_does_not_tell_from_the_majority_may_be_the_same():
    """p is .16 with two grades, where the interval of the difference holds 0, and with five, where that would not."""
    assert featured(55, 45, 45, 55)["low"] < 0
    five = pd.DataFrame(
        {"featured": 0, "by": np.repeat(["judge", "majority of the others"], 5), "grade": [*range(5)] * 2}
    )
    counts = np.array([[23, 22, 22, 17, 16], [15, 18, 18, 24, 25]])
    row = judges(100, five.assign(count=counts.ravel(), p_value=crowd.homogeneity(counts)))
    assert row.loc["featured judges or the majority", "low"] == 0


# real crowds


def write(directory, folder, labels, truth):
    directory = directory / "judgments" / folder
    directory.mkdir(parents=True)
    pd.DataFrame(labels, columns=["item", "worker", "label"]).to_csv(directory / "label.csv", index=False)
    pd.DataFrame(truth, columns=["item", "truth"]).to_csv(directory / "truth.csv", index=False)


def test_broken_links_and_what_nist_did_not_grade_are_left_out(monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path))
    assert paths.here(overlap_crowds.REAL) == {}
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
    web = overlap_crowds.web_search()
    assert len(web.names) == 177 - 9
    assert set(web.truth) == {-1, 0, 1, 2, 3, 4}


@pytest.mark.parametrize("name", ["pool", "trec-rf10-crowd", "web-search-crowd"])
def test_stored_comparisons_of_judges_are_those_of_the_stored_tables(name):
    kept = results.stored("01")[name]
    again = overlap_crowds.judge_comparisons(name, overlap_crowds.best_of(kept), kept["costs"], kept["featured"])
    np.testing.assert_allclose(
        again[["difference", "low", "high"]], kept["comparisons"][["difference", "low", "high"]], atol=1e-5
    )
    assert again["at"].astype(str).tolist() == kept["comparisons"]["at"].tolist()


# how noise divides


@pytest.fixture
def collection(rng):
    grades = rng.choice(5, size=3000, p=[0.5, 0.3, 0.1, 0.06, 0.04])
    return Collection(np.zeros((3000, 1)), grades, np.arange(0, 3001, 20))


def test_noise_is_as_large_however_it_divides(collection):
    spreads = []
    for personal in (0.0, 0.5, 0.9):
        pool = Pool(SETTINGS, personal=personal)
        labels, _ = pool.draw(np.full(20_000, 2), np.arange(0, 20_001, 20), np.random.default_rng(1))
        spreads.append(labels.std())
    assert spreads == pytest.approx([spreads[0]] * 3, rel=0.03)


def test_where_all_judges_are_alike_the_majority_needs_fewer_to_beat_the_best(collection, monkeypatch):
    monkeypatch.setattr(overlap, "PERSONALS", [0.1])
    monkeypatch.setattr(overlap, "RELIABILITIES", [0.0, 0.6])
    table = overlap.majority_map(SETTINGS, collection, 3)
    assert table["best"].is_monotonic_increasing
    alike, unlike = table["judges"]
    assert alike <= 7
    assert np.isnan(unlike) or unlike > alike
