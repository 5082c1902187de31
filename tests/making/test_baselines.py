"""Every ranker on the real collections, and beside the best single run and fusion without labels."""

import os

import numpy as np
import pandas as pd
import pytest
from toys import easy

from helpers import metrics
from helpers.datasets.collection import Collection
from helpers.making import baselines
from helpers.studies import learnable

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
NAMES = [f"{run} {feature}" for run in ("a", "b") for feature in ("score", "reciprocal rank", "retrieved")]
NAMES += ["text score"]  # a statistic, which belongs to no run


def collection(rows, grades, offsets):
    """Rows of score, reciprocal rank and retrieved of runs a and b, and a statistic."""
    return Collection(rows, grades, offsets, feature_names=NAMES)


@pytest.fixture
def two_queries():
    """In the first query run b has the relevant document on top, in the second run a has it."""
    first = [[1, 1, 1, 0, 0.5, 1, 9], [0.4, 0.5, 1, 1, 1, 1, 0]]
    second = [[1, 1, 1, 0.1, 0.5, 1, 0], [0, 0, 0, 1, 1, 1, 9]]
    return collection([*first, *second], [0, 1, 1, 0], [0, 2, 4])


def test_fusion_adds_the_scores_of_runs_and_of_nothing_else(two_queries):
    assert baselines.fused(two_queries).tolist() == pytest.approx([1, 1.4, 1.1, 1])


@pytest.mark.parametrize(("queries", "best"), [([0], "b"), ([1], "a"), ([0, 1], "a")])  # of both a is as good and first
def test_the_best_run_is_the_one_with_the_highest_mean_ndcg(two_queries, queries, best):
    assert baselines.best_run(two_queries.take_queries(queries)) == best


@pytest.mark.parametrize(
    ("system", "chosen", "ndcg"),
    [
        ("best run", "b", 1 / np.log2(3)),
        ("CombSUM", "", 1.0),
        (learnable.SEEN, "", 1.0),
        ("RankSVM", "", 1 / np.log2(3)),
    ],
)
def test_systems_learn_on_training_and_validation_queries_but_the_one_that_has_seen(
    two_queries, rng, system, chosen, ndcg
):
    """The training query wants run b's order, the test query that of run a."""
    first, second = two_queries.take_queries([0]), two_queries.take_queries([1])
    parts = {"mine": {1: {"train": first, "validation": first, "test": second}}}
    found = baselines.on_fold("mine", 1, system, rng=rng, parts=parts)
    assert found == {"chosen": chosen, "ndcg": pytest.approx(ndcg), "per_query": [pytest.approx(ndcg)]}


def differences(**rows):
    """Of rankers on collection x to its best run: name -> (low, high)."""
    ends = pd.DataFrame(list(rows.values()), columns=["low", "high"])
    names = {"dataset": "x", "ranker": list(rows), "over": learnable.BEST_RUN}
    return ends.assign(**names, ndcg=(ends["low"] + ends["high"]) / 2)


def test_the_title_has_the_best_gains_over_collections_without_fusion_or_seen_labels():
    found = [
        differences(RankSVM=(0.01, 0.03), CombSUM=(0.1, 0.2)),
        differences(RankSVM=(-0.03, -0.01)).assign(dataset="y"),
    ]
    assert learnable.most(pd.concat(found)) == "Learning to fuse runs gains -.020 to +.020 over the best single run"


def test_differences_are_paired_by_query_over_all_folds(rng):
    """Run a has .1 and .5 in fold 2, .3 and nothing in fold 1; the ranker is .2 above it wherever both have a value."""
    best = {2: [0.1, 0.5], 1: [0.3, np.nan]}
    rows = [("x", fold, "best run", values) for fold, values in best.items()]
    rows += [("x", fold, "CombSUM", [0.0] * 2) for fold in (1, 2)]
    rows += [("x", fold, "RankSVM", [value + 0.2 for value in best[fold]]) for fold in (1, 2)]
    table = baselines.compared(pd.DataFrame(rows, columns=["dataset", "fold", "ranker", "per_query"]), rng)
    found = table.set_index(["ranker", "over"])
    assert found.ndcg["RankSVM", ""] == pytest.approx(0.5)
    assert found.ndcg["best run", ""] == pytest.approx(0.3)
    assert found.loc[("RankSVM", "best run"), ["ndcg", "low", "high"]].tolist() == pytest.approx([0.2] * 3)
    assert found.queries["RankSVM", "best run"] == 3
    assert found.ndcg["best run", "CombSUM"] == pytest.approx(0.3)
    assert ("best run", "best run") not in found.index


OF_RUNS = (baselines.on_fold, ["dbpedia-entity", "microblog"], ["ndcg", "chosen"])
OF_FEATURES = (baselines.train_and_test, ["ohsumed", "mq2008"], ["ndcg", "letor_map", "letor_ndcg"])


@pytest.mark.skipif(not LARGE, reason="LABEL_STUDIES_TESTS is not all: whole collections are read and divided")
@pytest.mark.parametrize(("folder", "made"), [("learnable", OF_RUNS), ("baselines", OF_FEATURES)])
def test_stored_runs_come_out_again(real_data, monkeypatch, folder, made):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    function, names, columns = made
    stored = pd.read_csv(learnable.RESULTS / folder / "folds.csv", keep_default_na=False)
    some = stored[stored["dataset"].isin(names)].groupby("ranker").sample(1, random_state=5)
    parts = baselines.parts(stored[stored["dataset"].isin(names)].groupby("dataset")["fold"].max())
    for run in some.to_dict("records"):
        # rng is not used where there are validation queries
        again = function(run["dataset"], run["fold"], run["ranker"], rng=None, parts=parts)
        for column in columns:
            assert again[column] == (run[column] if column == "chosen" else pytest.approx(run[column], rel=1e-9))


def test_means_by_hand(rng):
    runs = pd.DataFrame(
        {
            "dataset": "toy",
            "ranker": "R",
            "fold": [1, 2],
            "per_query": [[0.2, np.nan], [0.4, 0.6]],
            "letor_map": [0.1, 0.3],
            "letor_ndcg": [0.2, 0.4],
        }
    )
    row = baselines.means(runs, rng).iloc[0]
    assert row["queries"] == 3
    assert row[["ndcg", "letor_map", "letor_ndcg"]].tolist() == pytest.approx([0.4, 0.2, 0.3])
    assert 0.2 <= row["low"] < 0.4 < row["high"] <= 0.6


def test_a_run_takes_its_queries_from_what_it_is_given_and_draws_those_of_validation_where_none_are_given(rng):
    whole = {split: easy(rng, n) for split, n in (("train", 8), ("validation", 4), ("test", 4))}
    parts = {"toy": {1: whole, 2: {split: whole[split] for split in ("train", "test")}}}
    run = baselines.train_and_test("toy", 1, "RankSVM", rng=None, parts=parts)
    per_query = metrics.ndcg(whole["test"].grades, whole["test"].features[:, 0], whole["test"].offsets, 10)
    assert run["per_query"] == pytest.approx(per_query, abs=0.2)
    seeds = (np.random.default_rng(seed) for seed in (3, 3))
    drawn = [baselines.train_and_test("toy", 2, "RankSVM", rng=seed, parts=parts) for seed in seeds]
    assert drawn[0] == drawn[1]
    with pytest.raises(ValueError, match="rng is None, expected a numpy Generator"):
        baselines.train_and_test("toy", 2, "RankSVM", rng=None, parts=parts)
