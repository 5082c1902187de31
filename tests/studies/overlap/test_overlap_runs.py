"""All runs of study 1 and the tables made of them, at a small scale; of the stored ones a sample is computed again."""

import os
from dataclasses import replace

import draws
import numpy as np
import pandas as pd
import pytest
import waiting
from overlap_by_hand import in_place_of_rankers, numbered

from helpers import metrics
from helpers.engine import results, sweep
from helpers.judging import schemes
from helpers.making import common, overlap
from helpers.reporting import verdicts
from helpers.studies.overlap import effects, judge_fit, trial
from helpers.studies.overlap import protocol as study
from helpers.studies.overlap import runs as overlap_runs
from helpers.studies.overlap import tables as overlap_tables

TINY = replace(
    study.SCALES["demo"], share=0.01, validation_queries=5, test_docs=8, settings=("baseline", "3-overlap", "if-good-3")
)
STORED = {name: tables for name, tables in results.stored("01").items() if "runs" in tables}
LEVELS = overlap_runs.Levels((2, 4), (2, 4), (1, 2), validation_queries=3, test_queries=5)
RUN = ["label_set", "ranker", "setting", "draw"]
LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"


def tiny_runs(store, n_jobs=1, **options):
    return overlap_runs.label_set_runs("clean07", TINY, store=store, n_jobs=n_jobs, seed=0, **options)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """Runs of stand-ins for rankers, by the fitted pool."""
    with pytest.MonkeyPatch.context() as patch:
        in_place_of_rankers(patch)
        return tiny_runs(tmp_path_factory.mktemp("sweep"))


def test_the_tables_of_a_label_set_are_stored_without_values_by_query(tiny, monkeypatch, tmp_path):
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    overlap.write_label_set("clean07", tiny)
    files = {path.name for path in (tmp_path / "01" / "clean07").iterdir()}
    tables = ("accuracy", "plane", "comparisons", "costs", "runs")
    assert files == {*(f"{table}.csv" for table in tables), "produced_by.json"}
    stored = pd.read_csv(tmp_path / "01" / "clean07" / "runs.csv")
    assert len(stored) == 2 * 3 * TINY.draws
    assert "per_query" not in stored
    assert stored["ndcg@3"].to_numpy() == pytest.approx(tiny["ndcg@3"].to_numpy(), abs=1e-6)


def test_judges_by_a_matrix_take_the_place_of_the_pool(tiny, monkeypatch, tmp_path):
    in_place_of_rankers(monkeypatch)
    matrix = tiny_runs(tmp_path, matrix="WEB5_truth_vs_worker")
    bought = [frame.query("setting == 'if-good-3'")["labels"] for frame in (tiny, matrix)]
    assert (bought[0].to_numpy() != bought[1].to_numpy()).all()
    made = overlap_runs.tables("by a matrix", matrix, np.random.default_rng(0))
    assert set(made) == {"accuracy", "plane", "comparisons"}  # no printed costs of other judges
    found = effects.of_label_set("clean07", made["comparisons"], matrix)
    assert set(verdicts.of_rankers(found)["verdict"]) <= set(verdicts.WORDS)


def test_what_goes_beyond_the_paper_is_run_and_stored(monkeypatch, tmp_path):
    in_place_of_rankers(monkeypatch)
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path))
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    for name, few in (("BUDGETS", (0.5,)), ("SCHEMES", ("baseline", "mv3")), ("MAP_SCHEMES", ("baseline", "mv3"))):
        monkeypatch.setattr(overlap_runs, name, few)
    runs = overlap_runs.spending_runs(TINY, 2, store=tmp_path / "sweep", n_jobs=1, seed=0)
    assert {name: len(frame) for name, frame in runs.items()} == {"budget": 8, "machine": 20, "map": 36}
    assert all(frame["error"].isna().all() for frame in runs.values())
    fitted, kinds = (runs[name].groupby(["noise_irrelevant", "noise_relevant"]).size() for name in ("budget", "map"))
    known = judge_fit.stored()["clean07"]
    assert fitted.index.tolist() == [(known.noise_irrelevant, known.noise_relevant)]
    assert kinds.tolist() == [4] * 9
    assert set(runs["machine"]["route"]) == set(trial.ROUTES)
    overlap.write_spending(runs)
    files = {path.name for path in (tmp_path / "01" / "per-label").iterdir()}
    assert files == {"budget.csv", "map.csv", "machine.csv", "produced_by.json"}  # the machines' own files are not here


def test_folds_test_every_query_once(rng, monkeypatch, tmp_path):
    in_place_of_rankers(monkeypatch)
    collection = numbered(rng, 16, 8).with_grades(rng.integers(0, 3, 128))
    labels = rng.integers(0, 3, (128, 4)).astype(np.int8)
    runs = overlap_runs.people_runs(collection, labels, LEVELS, 1, ["LambdaMART"], store=tmp_path, n_jobs=1, seed=5)
    assert len(runs) == 2 * 2 * 2
    assert (runs["spent"] == runs["queries"] * runs["documents"] * runs["labels"]).all()
    ndcg = metrics.ndcg(collection.grades, collection.features[:, 0], collection.offsets, 3)
    np.testing.assert_allclose(runs["per_query"][0], ndcg, atol=1e-5)


def test_purchases_on_the_portrait_are_stored_with_what_doubling_them_gains(monkeypatch, tmp_path):
    in_place_of_rankers(monkeypatch)
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    runs = overlap_runs.portrait_runs(LEVELS, 2, ["LambdaMART"], store=tmp_path / "sweep", n_jobs=1, seed=5)
    assert runs["error"].isna().all()
    assert runs["spent"].tolist()[::2] == [4, 8, 8, 16, 8, 16, 16, 32]
    overlap.write_three_ways("three-ways", runs)
    files = {path.name for path in (tmp_path / "01" / "three-ways").iterdir()}
    assert files == {"surface.csv", "comparisons.csv", "produced_by.json"}
    assert len(pd.read_csv(tmp_path / "01" / "three-ways" / "comparisons.csv")) == 6


# stored tables


@pytest.fixture(scope="module", params=list(study.LABEL_SETS))
def shared(request):
    """Name and shared data of stored runs; those of one are made again where no real judges are."""
    if request.param not in STORED:
        pytest.skip(f"the runs of {request.param} are not stored yet")
    if not LARGE and (request.param != overlap_runs.LABEL_SET or os.environ.get("LABEL_STUDIES_DATA")):
        pytest.skip("draws whole label sets, where a purchase of people is trained again: LABEL_STUDIES_TESTS=all")
    draws.skip_where_drawn_otherwise(f"{request.param}, on a portrait")
    waiting.skip_sample("01", request.param)
    made_by = results.produced_by("01", request.param)
    data = overlap_runs._shared(request.param, study.scale_named(made_by["scale"]), made_by["seed"])
    data |= {"judges": study.judges_named("", request.param), "per_pair": study.LABEL_SETS[request.param].per_pair}
    return request.param, made_by["seed"], data


def test_stored_runs_come_out_again(request, shared, tmp_path):
    name, seed, data = shared
    waiting.expect_difference(request, "01", name)
    cheap = STORED[name]["runs"].query("ranker == 'LambdaRank' and setting in ('baseline', 'if-good-3')")
    some = cheap.groupby("setting").sample(1, random_state=np.random.default_rng(1)).reset_index(drop=True)
    some = some if LARGE else some[:1]
    again = sweep.run(trial.train_and_test, some[RUN].to_dict("records"), shared=data, store=tmp_path, seed=seed)
    columns = ["labels", "instances", "fair_to_good", *(f"ndcg@{k}" for k in trial.CUTOFFS)]
    pd.testing.assert_frame_equal(again[columns], some[columns], rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", STORED)
def test_stored_tables_are_those_of_the_stored_runs(name):
    tables = STORED[name]
    means = tables["runs"].drop(columns="label_set").groupby(["ranker", "setting"]).mean()
    for table, columns in (("accuracy", [f"ndcg@{k}" for k in trial.CUTOFFS]), ("plane", ["labels", "ndcg@3"])):
        stored = tables[table].set_index(["ranker", "setting"])
        assert len(stored) == len(means)
        np.testing.assert_allclose(stored[columns], means.loc[stored.index, columns], rtol=0, atol=2e-6)
    others = tables["comparisons"].query("question == 'another setting or if-good-3'")
    ndcg = means["ndcg@3"]
    expected = [ndcg[row.ranker, row.at] - ndcg[row.ranker, "if-good-3"] for row in others.itertuples()]
    # values by query are rounded to five digits
    np.testing.assert_allclose(others["difference"], expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize("name", STORED)
def test_the_stored_protocol_is_whole(request, name):
    waiting.expect_difference(request, "01", name)
    grid = study.grid(name, study.scale_named("study"))
    stored = STORED[name]["runs"][RUN].assign(setting=lambda runs: runs["setting"].map(schemes.current))
    assert stored.to_dict("records") == [{column: run[column] for column in RUN} for run in grid]


def first_purchase(monkeypatch, levels):
    """Has RankSVM alone run, and the smallest purchase alone; everything else is drawn as for all of them."""
    least = {"ranker": "RankSVM", "queries": levels.queries[0], "documents": levels.documents[0], "labels": 1}
    whole = overlap_runs._ways_grid
    monkeypatch.setattr(
        overlap_runs,
        "_ways_grid",
        lambda *given, **more: [run for run in whole(*given, **more) if least.items() <= run.items()],
    )
    return least


def held(name, again, least):
    surface = results.stored("01")[name]["surface"]
    row = surface.loc[(surface[list(least)] == pd.Series(least)).all(axis=1)].reset_index(drop=True)
    pd.testing.assert_frame_equal(overlap_tables.surface(again)[row.columns], row, check_dtype=False, rtol=0, atol=2e-5)


@pytest.mark.skipif(not LARGE, reason="draws the whole portrait: LABEL_STUDIES_TESTS=all")
def test_the_smallest_purchase_on_the_portrait_comes_out_again(monkeypatch, tmp_path):
    least = first_purchase(monkeypatch, overlap_runs.PORTRAIT)
    held(overlap_runs.THREE_WAYS, overlap_runs.portrait_runs(store=tmp_path, n_jobs=1, seed=overlap.SEED), least)


def test_the_smallest_purchase_of_people_comes_out_again(real_data, monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    least = first_purchase(monkeypatch, overlap_runs.OF_PEOPLE)
    people = overlap.cystic_fibrosis.load()
    held(overlap_runs.PEOPLE, overlap_runs.people_runs(*people, store=tmp_path, n_jobs=1, seed=overlap.SEED), least)
