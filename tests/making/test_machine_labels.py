"""Training on a machine's labels: the runs, and what they say it is worth."""

import numpy as np
import pandas as pd
import pytest
from toys import easy

from helpers.datasets.collection import Collection
from helpers.engine import results, sweep
from helpers.making import machine_labels
from helpers.making.machine_labels import SEED, YES_NO
from helpers.making.taught_trial import machine_taught
from helpers.studies.bounds import findings
from helpers.studies.bounds.findings import ALL, MACHINE, PERSON, SAME_QUERIES, SIZES


@pytest.fixture
def shared(rng):
    tested, machine = easy(rng, 10, 12), easy(rng, 20, 12)
    return {"labelled": {MACHINE: machine, PERSON: tested}, "tested": tested, "folds": np.arange(10) % 5 + 1}


def run(shared, rng, labels, queries, fold):
    return machine_taught("RankSVM", labels, queries, fold, 0, rng=rng, **shared)


def test_a_fold_is_tested_alone_and_the_machine_on_all(shared, rng):
    on_fold = np.array(run(shared, rng, PERSON, 4, 2)["per_query"])
    assert np.flatnonzero(np.isfinite(on_fold)).tolist() == [1, 6]
    assert np.isfinite(run(shared, rng, MACHINE, 8, 0)["per_query"]).all()


def test_labels_of_the_tested_queries_are_never_learned_from(shared, rng):
    shared["labelled"][PERSON] = shared["tested"].with_grades(
        np.where(np.repeat(shared["folds"] == 3, 12), 0, shared["tested"].grades)
    )
    scored = run(shared, np.random.default_rng(1), PERSON, 8, 3)["per_query"]
    shared["labelled"][PERSON] = shared["tested"]
    assert scored == pytest.approx(run(shared, np.random.default_rng(1), PERSON, 8, 3)["per_query"], nan_ok=True)


def test_labels_of_somebody_else_are_found_by_query_and_document():
    c = Collection([[1.0], [2.0], [3.0]], [0, 2, 1], [0, 2, 3], ["q", "r"], ["a", "b", "a"])
    labels = pd.DataFrame([("r", "a", 3), ("q", "b", 1), ("q", "a", 2)], columns=["query", "doc", "grade"])
    assert machine_labels.relabelled(c, labels).grades.tolist() == [2, 1, 3]
    with pytest.raises(ValueError, match="labels: none for query r, document a"):
        machine_labels.relabelled(c, labels.iloc[1:])


# what it is worth


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(machine_labels, "SAMPLES", 40)


def by_query(curves, rng, noise=0.0):
    """Runs whose NDCG is a function of labels and queries, plus noise between queries."""
    rows, hard = [], rng.normal(scale=0.1, size=30)
    for labels, sizes in SIZES.items():
        for size in sizes:
            for repeat in range(3):
                values = curves[labels](size) + hard + rng.normal(scale=noise, size=30)
                row = {"ranker": "R", "labels": labels, "queries": size, "judgments": 100.0 * size, "repeat": repeat}
                rows.append(row | dict(zip([f"q{i}" for i in range(30)], values, strict=True)))
    return pd.DataFrame(rows)


def log(slope, start=0.3):
    return lambda n: start + slope * np.log(n)


def test_equal_curves_are_worth_the_same_a_tenth_ten_times_as_many_and_none_never(rng, few):
    def worth(machine):
        tables = machine_labels.tables(
            by_query({MACHINE: machine, PERSON: log(0.05), SAME_QUERIES: log(0.05)}, rng), rng
        )
        own = {name: table.query("ranker == 'R'") for name, table in tables.items()}
        return own["worth"].set_index("queries"), own["differences"].set_index("question")

    same, _ = worth(log(0.05))
    assert same.loc[[5, 20], "needed"].tolist() == pytest.approx([10, 20])  # the smallest size that was tried is 10
    tenth, _ = worth(lambda n: log(0.05)(n / 10))
    assert tenth.loc[20, "needed"] == pytest.approx(200, rel=0.01)
    never, less = worth(log(0, 0.2))
    assert np.isinf(never[["needed", "low", "high"]]).all(axis=None)
    assert less.loc[MACHINE, "high"] < 0
    assert less.loc[SAME_QUERIES, "difference"] == pytest.approx(0)


def test_the_interval_holds_what_was_observed_and_all_rankers_are_their_mean(rng, few):
    curves = {MACHINE: log(0.03), PERSON: log(0.05), SAME_QUERIES: log(0.04)}
    one = by_query(curves, rng, 0.05)
    runs = pd.concat([one, by_query(curves, rng, 0.05).assign(ranker="S")])
    tables = machine_labels.tables(runs, rng)
    curve = tables["curves"]
    assert ((curve["low"] <= curve["ndcg"]) & (curve["ndcg"] <= curve["high"])).all()
    means = curve.pivot(index=["labels", "queries"], columns="ranker", values="ndcg")
    assert means[ALL].to_numpy() == pytest.approx(means[["R", "S"]].mean(axis=1).to_numpy())


def test_what_passes_a_limit_is_measured_on_the_same_documents(rng):
    tested = Collection(np.zeros((4, 1)), [0, 1, 1, 0], [0, 2, 4], ["q", "r"])
    turned = tested.with_grades(np.array([1, 0, 1, 0]))  # wrong on q, where the relevant one is second: 1/log2(3)
    shared = {"tested": tested, "labelled": dict.fromkeys((SAME_QUERIES, YES_NO), turned)}
    rows = [
        ("R", labels, size, repeat, 0.7, 0.9)
        for labels in (SAME_QUERIES, YES_NO, MACHINE)
        for size in (5, 42)
        for repeat in range(2)
    ]
    runs = pd.DataFrame(rows, columns=["ranker", "labels", "queries", "repeat", "q", "r"])
    above = machine_labels.above_limits(runs, shared, rng)
    for values in above.values():
        assert values == pytest.approx(np.array([[0.7 - 1 / np.log2(3), 0.9 - 1]] * 2))
    assert set(above) == {*machine_labels.LIMITED, "R"}


def test_stored_runs_of_the_machine_come_out_again(real_data, monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    shared = machine_labels.parts(np.random.default_rng(SEED))
    grid = [run for run in machine_labels.grid(["RankSVM"]) if (run["labels"], run["queries"]) == (MACHINE, 50)]
    runs = sweep.run(machine_taught, grid, store=tmp_path, seed=SEED, shared=shared)
    again = machine_labels.by_query(runs, shared["tested"].query_ids)
    keys = ["ranker", "labels", "queries", "repeat"]
    stored = (
        results.stored("02")[findings.TAUGHT]["runs"]
        .set_index(keys)
        .loc[[tuple(row) for row in again[keys].to_numpy()]]
    )
    values = again.set_index(keys)
    values.columns = values.columns.astype(str)
    pd.testing.assert_frame_equal(values, stored[values.columns], check_dtype=False, rtol=0, atol=1e-4)
