"""All runs of study 4 at a small scale, and what is stored of them."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from helpers.making import depth as making
from helpers.studies.depth import protocol as study
from helpers.studies.depth import runs

TINY = replace(
    study.SCALES["demo"], training_queries=24, validation_queries=8, test_queries=12, pool_queries=16, pool_docs=8,
    percents=(50, 100), percent_repeats=2, pool_repeats=2,
)  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    parts = study.parts("mq2008-portrait", TINY, 1, np.random.default_rng(0))
    return runs.runs(parts, ["RankSVM"], TINY, store=tmp_path_factory.mktemp("store"), n_jobs=1, seed=0)


def test_every_experiment_is_run(found):
    assert {name: len(frame) for name, frame in found.items()} == {"percent": 6, "pool": 24, "choice": 8}
    assert all(frame["error"].isna().all() for frame in found.values())


def test_choices_are_beside_random_ones_of_as_many_queries(found):
    choice = runs.tables(found, 0.005, np.random.default_rng(0))["choice"]
    assert choice.groupby("choice")["documents"].unique().map(sorted).to_dict() == {
        "mixed": [2, 4], "random": [2, 4], "top": [2, 4]
    }  # fmt: skip
    assert choice["queries"].unique().tolist() == [16]


def test_runs_and_tables_are_stored_with_what_made_them(found, tmp_path, monkeypatch, closed_figures):
    monkeypatch.setattr(making, "FOLDER", tmp_path)
    making.write("mslr-sample-portrait", found, "demo")
    folder = tmp_path / "mslr-sample-portrait"
    tables = {"percent", "pool", "choice", "comparisons", "claims", "best_depths", "break_even"}
    assert {path.stem for path in folder.glob("*.csv")} == tables
    assert (folder / "halving_curves.png").is_file()
    made_by = json.loads((folder / "produced_by.json").read_text())
    assert (made_by["synthetic"], made_by["trainings"], made_by["scale"]) == (True, 38, "demo")
    assert len(pd.read_csv(folder / "pool.csv")) == 24


def test_nothing_is_stored_where_a_run_failed(found, tmp_path, monkeypatch):
    monkeypatch.setattr(making, "FOLDER", tmp_path)
    failed = found | {"pool": found["pool"].assign(error=["out of memory", *[None] * 23])}
    with pytest.raises(ValueError, match=r"38 trainings, 1 failed, first .*out of memory"):
        making.write("mq2008", failed)
    assert not list(tmp_path.iterdir())
