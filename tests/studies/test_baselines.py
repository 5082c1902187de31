"""Every ranker on the real collections: the grid, the means, and the stored table."""

import os

import numpy as np
import pandas as pd
import pytest

from helpers import metrics
from helpers.datasets.collection import Collection
from helpers.studies import baselines

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"


def test_means_by_hand(rng):
    runs = pd.DataFrame(
        {
            "dataset": "toy",
            "ranker": "R",
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
    def queries(n):
        features = rng.random((6 * n, 2))
        return Collection(features, (features[:, 0] * 3).astype(int), np.arange(0, 6 * n + 1, 6))

    whole = {"train": queries(8), "validation": queries(4), "test": queries(4)}
    parts = {"toy": {1: whole, 2: {split: whole[split] for split in ("train", "test")}}}
    run = baselines.train_and_test("toy", 1, "RankSVM", rng=None, parts=parts)
    per_query = metrics.ndcg(whole["test"].grades, whole["test"].features[:, 0], whole["test"].offsets, 10)
    assert run["per_query"] == pytest.approx(per_query, abs=0.2)
    seeds = (np.random.default_rng(seed) for seed in (3, 3))
    drawn = [baselines.train_and_test("toy", 2, "RankSVM", rng=seed, parts=parts) for seed in seeds]
    assert drawn[0] == drawn[1]
    with pytest.raises(ValueError, match="rng is None, expected a numpy Generator"):
        baselines.train_and_test("toy", 2, "RankSVM", rng=None, parts=parts)


def test_the_published_means_stand_beside_ours():
    table = baselines.beside_published(baselines.stored()).set_index(["dataset", "ranker"])
    assert len(table) == 2 * 4
    assert table.loc[("ohsumed", "AdaRank"), ["published_map", "published_ndcg"]].tolist() == [0.4487, 0.4429]
    assert table.loc[("mq2008", "RankBoost"), "published_map"] == pytest.approx(0.4752, abs=5e-5)
    stored = pd.read_csv(baselines.FOLDER / "published.csv").set_index(["dataset", "ranker"])
    pd.testing.assert_frame_equal(stored, table)


@pytest.mark.skipif(not LARGE, reason="LABEL_STUDIES_TESTS is not all: whole collections are read")
def test_stored_runs_come_out_again(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    stored = pd.read_csv(baselines.FOLDER / "folds.csv")
    some = stored[stored["dataset"].isin(["ohsumed", "mq2008"])].groupby("ranker").sample(1)
    parts = baselines.parts(["ohsumed", "mq2008"])
    for run in some.itertuples():
        # rng is not used where a collection has validation queries
        again = baselines.train_and_test(run.dataset, run.fold, run.ranker, rng=None, parts=parts)
        for figure in ("ndcg", "letor_map", "letor_ndcg"):
            assert again[figure] == pytest.approx(getattr(run, figure), rel=1e-9)
