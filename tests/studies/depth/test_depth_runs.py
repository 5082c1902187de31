"""All runs of study 4 at a small scale, and what is stored of them."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from helpers.making import depth as making
from helpers.studies.depth import protocol as study
from helpers.studies.depth import runs
from helpers.studies.depth import tables as depth

TINY = replace(
    study.SCALES["demo"], training_queries=24, validation_queries=8, test_queries=12, pool_queries=16, pool_docs=8,
    percents=(50, 100), percent_repeats=2, pool_repeats=2,
)  # fmt: skip

PLAN = study.Plan(("RankSVM",), dataset="mq2008-portrait")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folds = {fold: study.parts("mq2008-portrait", TINY, 1, np.random.default_rng(fold)) for fold in (1, 2)}
    return runs.runs(folds, ["RankSVM"], TINY, store=tmp_path_factory.mktemp("store"), n_jobs=1, seed=0)


def test_every_experiment_is_run(found):
    assert {name: len(frame) for name, frame in found.items()} == {"percent": 12, "pool": 48, "choice": 16}
    assert all(frame["error"].isna().all() for frame in found.values())


def test_folds_are_pooled_query_by_query(found):
    one, two = (found["pool"][found["pool"]["fold"] == fold].iloc[5] for fold in (1, 2))
    both = runs.pooled(found["pool"]).iloc[5]
    assert both["per_query"] == one["per_query"] + two["per_query"]
    assert both["judgments"] == (one["judgments"] + two["judgments"]) / 2
    tested = [np.isfinite(fold["per_query"]).sum() for fold in (one, two)]
    assert both["ndcg"] == pytest.approx(np.average([one["ndcg"], two["ndcg"]], weights=tested), abs=1e-6)


def test_without_a_pool_shares_alone_are_compared(found):
    made = runs.tables({"percent": found["percent"]}, 0.005, np.random.default_rng(0))
    assert set(made) == {"percent", "comparisons"}
    assert made["comparisons"]["question"].str.startswith(("documents or queries", "all documents or half")).all()


def test_choices_are_beside_random_ones_of_as_many_queries(found):
    choice = runs.tables(found, 0.005, np.random.default_rng(0))["choice"]
    assert choice.groupby("choice")["documents"].unique().map(sorted).to_dict() == {
        "mixed": [2, 4], "random": [2, 4], "top": [2, 4]
    }  # fmt: skip
    assert choice["queries"].unique().tolist() == [16]


def test_chosen_documents_are_held_against_as_many_random_ones_of_the_same_queries():
    """Of two test queries the top gains .2 on one and .1 on the other in both draws; deeper cells do not count."""
    columns = ["ranker", "choice", "queries", "documents", "repeat", "per_query"]
    pool = [("RankSVM", "random", 16, d, n, [0.2 + d, 0.3 + d]) for d in (2, 4) for n in (0, 1)]
    top = [("RankSVM", "top", 16, 2, n, [2.4, 2.4]) for n in (0, 1)]
    frames = [pd.DataFrame(rows, columns=columns) for rows in (pool, top)]
    made = depth.chosen(*frames, np.random.default_rng(0))
    (row,) = made.to_dict("records")
    assert (row["ranker"], row["choice"], row["documents"]) == ("RankSVM", "top", 2)
    assert row["difference"] == pytest.approx(0.15)
    assert 0.1 - 1e-9 <= row["low"] < row["high"] <= 0.2 + 1e-9
    assert depth.chosen(frames[0], frames[1].assign(ranker="ListNet"), np.random.default_rng(0)).empty


def test_runs_and_tables_are_stored_with_what_made_them(found, tmp_path, monkeypatch, closed_figures):
    monkeypatch.setattr(making, "FOLDER", tmp_path)
    making.write("mslr-sample-portrait", found, PLAN, "demo")
    folder = tmp_path / "mslr-sample-portrait"
    tables = {"percent", "pool", "choice", "chosen", "comparisons", "best_depths", "break_even", "losses"}
    assert {path.stem for path in folder.glob("*.csv")} == tables
    assert not (folder / "halving_curves.png").exists()
    assert set(pd.read_parquet(tmp_path / "contrasts.parquet")["collection"]) == {"mslr-sample-portrait"}
    made_by = json.loads((folder / "produced_by.json").read_text())
    assert (made_by["synthetic"], made_by["trainings"], made_by["scale"]) == (True, 76, "demo")
    assert len(pd.read_csv(folder / "pool.csv")) == 24


def test_the_picture_that_the_readme_shows_is_drawn_from_real_judgments(found, tmp_path, monkeypatch, closed_figures):
    monkeypatch.setattr(making, "FOLDER", tmp_path)
    making.write(making.FIRST, found, PLAN, "demo")
    assert (tmp_path / making.FIRST / "halving_curves.png").is_file()
    assert json.loads((tmp_path / making.FIRST / "produced_by.json").read_text())["synthetic"] is False


def test_nothing_is_stored_where_a_run_failed(found, tmp_path, monkeypatch):
    monkeypatch.setattr(making, "FOLDER", tmp_path)
    failed = found | {"pool": found["pool"].assign(error=["out of memory", *[None] * 47])}
    with pytest.raises(ValueError, match=r"76 trainings, 1 failed, first .*out of memory"):
        making.write("mq2008", failed, PLAN)
    assert not list(tmp_path.iterdir())
