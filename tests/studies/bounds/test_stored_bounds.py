"""Stored tables of study 2: a random sample of their rows is computed again with the code as it is."""

import os

import numpy as np
import pandas as pd
import pytest

from helpers import rankers
from helpers.datasets import portrait
from helpers.engine import results
from helpers.judging import ceilings, judgments, real_ceilings
from helpers.judging.confusion import load_confusions
from helpers.making import bounds, machine_labels, worn_out
from helpers.making.bounds import SCALE, SEED
from helpers.studies.bounds import collection_ceilings, effects, findings, judges
from helpers.studies.bounds import protocol as study

STORED = results.stored("02")
ROUNDED = 1e-6
LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"


@pytest.mark.parametrize("name", list(judges.REAL) if LARGE else ["relish"])
def test_rows_of_real_judges_come_out_again(real_data, monkeypatch, name):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    pool = judges.REAL[name]()
    drawn = np.random.default_rng(2).integers(len(pool.pairs))
    pairs = judgments.paired(pool.frame, *pool.pairs[drawn])
    spawned = np.random.default_rng(SEED).spawn(2 * len(pool.pairs))
    again = real_ceilings.predictions(pairs, pool.n_grades, 10, draws=SCALE.matrices, rng=spawned[drawn])
    halves = real_ceilings.held_out(pairs, pool.n_grades, 10, splits=SCALE.splits, rng=spawned[len(pool.pairs) + drawn])
    for table, computed in (("limits", again), ("held_out", halves)):
        rows = STORED[name][table].set_index(["testing", "training"]).loc[pool.pairs[drawn]].reset_index(drop=True)
        pd.testing.assert_frame_equal(
            computed.astype({"query": str}), rows[computed.columns].astype({"query": str}), rtol=0, atol=ROUNDED
        )


@pytest.mark.parametrize("collection", collection_ceilings.ALL)
def test_ceilings_of_collections_come_out_again(collection):
    profiles, table = collection_ceilings.profiles_of(collection), STORED[collection]["ceilings"]
    row, known = table.sample(1, random_state=3).iloc[0], load_confusions()
    matrix = known[row["matrix"]].probabilities
    assert np.nanmean(ceilings.exact(profiles, matrix, 10)) == pytest.approx(row["exact"], abs=ROUNDED)
    assert np.nanmean(ceilings.approximate(profiles, matrix, 10)) == pytest.approx(row["approximate"], abs=ROUNDED)
    assert ((table["simulated"] - table["exact"]).abs() < 5 * table["standard_error"]).all()
    assert ((table["low"] < table["exact"]) & (table["exact"] < table["high"])).all()
    shape = known[row["matrix"]].counts.shape
    assert set(table["matrix"]) == {name for name, matrix in known.items() if matrix.counts.shape == shape}


@pytest.mark.parametrize("collection", collection_ceilings.FROM_DATA if LARGE else ["dbpedia-entity"])
def test_profiles_from_the_data_directory_come_out_again(real_data, monkeypatch, collection):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    np.testing.assert_array_equal(bounds.counted_profiles(collection), collection_ceilings.profiles_of(collection))


def test_the_agreement_of_the_crowd_comes_out_again(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    table = bounds.read_agreement()
    assert len(table) == 49_280
    stored = STORED["dbpedia-entity"]["agreement"].set_index("grade")["agreement"]
    assert table.groupby("grade")["agreement"].mean().to_numpy() == pytest.approx(stored.to_numpy(), abs=ROUNDED)
    assert table["agreement"].isin([0.2, 0.3, 0.4, 0.6, 1.0]).mean() > 0.99  # of pairs among five workers


def test_ceilings_by_length_come_out_again():
    shares = portrait.open("mslr-sample").grade_shares
    crowd = load_confusions()["WEB5_truth_vs_worker"].probabilities
    table = collection_ceilings.length_table(shares, crowd, SCALE, np.random.default_rng(SEED), lengths=(10, 20))
    means = table.groupby(["length", "cutoff"], sort=False)["exact"].mean()
    stored = STORED["lengths"]["lengths"].set_index(["length", "cutoff"])["exact"]
    assert means.to_numpy() == pytest.approx(stored[means.index].to_numpy(), abs=ROUNDED)


def test_stored_contrasts_and_shares_are_those_of_the_stored_limits():
    table = pd.read_parquet(effects.FILE).query("unit == 'query'").groupby(["collection", "claim"])["value"]
    for name in judges.REAL:
        limits, halves = STORED[name]["limits"], STORED[name]["held_out"]
        for claim, by_query in study.contrasts(limits, halves).items():
            if (claim, name) == ("M3", "relish"):  # each query has judges of its own
                assert (name, claim) not in table.groups
                continue
            stored = np.sort(table.get_group((name, claim)))
            assert stored == pytest.approx(np.sort(by_query), abs=ROUNDED)
        again = study.shares_within(limits, np.random.default_rng(0))
        assert again["share"].to_numpy() == pytest.approx(STORED[name]["shares"]["share"].to_numpy(), abs=ROUNDED)
        assert again["se"].to_numpy() == pytest.approx(STORED[name]["shares"]["se"].to_numpy(), abs=0.03)


@pytest.mark.skipif(not LARGE, reason="makes all of study 2 again: LABEL_STUDIES_TESTS=all")
@pytest.mark.parametrize("name", bounds.TASKS)
def test_all_that_a_maker_writes_is_what_is_stored(real_data, monkeypatch, tmp_path, name):
    """Whole tables, as one state of random numbers goes through all of them: what draws more moves what comes after."""
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    monkeypatch.setattr(bounds, "CONFUSION", tmp_path)
    monkeypatch.setattr(bounds.common, "RESULTS", tmp_path)
    bounds.TASKS[name]()
    made = {file.stem: results.read(file) for file in (tmp_path / "02" / name).glob("*.csv")}
    assert made.keys() <= STORED[name].keys()
    for table in made.keys() - {"methods"}:  # seconds
        pd.testing.assert_frame_equal(made[table], STORED[name][table], rtol=0, atol=2 * ROUNDED)


def test_runs_beside_the_limit_of_people_come_out_again(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    limit, runs = worn_out.by_query(worn_out.read(), findings.PEOPLE)
    stored = STORED[findings.WORN_OUT]
    assert (len(limit), runs.shape[1]) == (43, 61)
    again = (runs.sub(limit[findings.PEOPLE], axis=0)).mean()
    shown = stored["runs"].query("tested_by == @findings.PEOPLE").set_index("run")["difference"]
    assert again[shown.index].to_numpy() == pytest.approx(shown.to_numpy(), abs=ROUNDED)
    own = pd.read_parquet(effects.FILE).query("claim == 'M1' and unit == 'query' and collection == @findings.WORN_OUT")
    assert np.sort(own["value"]) == pytest.approx(np.sort(1 - limit[findings.PEOPLE]), abs=ROUNDED)


def test_what_machine_labels_are_worth_comes_out_of_the_stored_runs(monkeypatch):
    monkeypatch.setattr(machine_labels, "SAMPLES", machine_labels.SAMPLES if LARGE else 20)
    sampled = [] if LARGE else ["low", "high"]
    stored = STORED[findings.TAUGHT]
    first = stored["runs"]["ranker"].iloc[0]  # the others take the numbers that are drawn after its
    runs = stored["runs"][stored["runs"]["ranker"] == first]
    for name, table in machine_labels.tables(runs, np.random.default_rng(machine_labels.SEED)).items():
        own, kept = (
            frame[frame["ranker"] == first].drop(columns=sampled, errors="ignore") for frame in (table, stored[name])
        )
        pd.testing.assert_frame_equal(own, kept, check_dtype=False, rtol=1e-6)
    assert set(stored["runs"]["ranker"]) == set(rankers.NAMES)
