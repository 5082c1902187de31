"""The protocol of study 2: tables of pairs, and what is compared."""

from dataclasses import replace

import joblib
import numpy as np
import pandas as pd
import pytest

from helpers.studies.bounds import judges
from helpers.studies.bounds import protocol as study

SMALL = study.Scale(matrices=3, splits=1, labellings=20, lists=5)


@pytest.fixture
def pool(rng):
    return judges.simulated(8, rng, counts=(10, 5, 3, 2, 1))


def test_every_pair_and_query_has_its_limits_whatever_else_is_worked_on(pool):
    counts = study.pair_counts(pool)
    with joblib.parallel_config("threading"):
        halves = [study.held_out_of_counts(counts, SMALL, np.random.default_rng(3), n_jobs=n) for n in (1, 2)]
    pd.testing.assert_frame_equal(*halves)
    one = study.limits_table(pool, SMALL, np.random.default_rng(3))
    columns = ["testing", "training", "query", "documents", "real", "pooled", "varying", "elsewhere"]
    assert one.columns.tolist() == columns
    assert one.groupby(["testing", "training"]).size().to_dict() == dict.fromkeys(pool.pairs, 8)
    assert one["documents"].unique().tolist() == [21]
    alone = study.limits_table(replace(pool, pairs=pool.pairs[:1]), SMALL, np.random.default_rng(3))
    pd.testing.assert_frame_equal(alone, one.iloc[:8])


def test_errors_by_hand():
    table = pd.DataFrame({"query": ["a", "b", "c"], "real": [0.5, 0.7, np.nan], "pooled": [0.4, 0.8, 0.1]})
    row = study.errors(table, ["pooled"]).loc["pooled"]
    assert row.to_dict() == pytest.approx({"bias": 0, "rms": 0.1, "correlation": 1})


def limits_of(real, pooled, elsewhere):
    table = pd.DataFrame({"query": [f"q{i}" for i in range(len(real))], "real": real, "pooled": pooled})
    return table.assign(testing="A", training="B", elsewhere=elsewhere, varying=pooled, own=real)


def test_contrasts_by_hand():
    table = limits_of([0.5, 0.7], [0.6, 0.8], [0.9, 0.9])
    found = study.contrasts(table, table)
    assert found["M1"].tolist() == pytest.approx([0.5, 0.3])
    assert found["M3"].tolist() == pytest.approx([0.4 - 0.1, 0.2 - 0.1])
    assert found["O14"].tolist() == pytest.approx([0.1, 0.1])
    two = pd.concat([limits_of([0.5, np.nan], [0.5, 0.5], 0), limits_of([0.7, np.nan], [0.5, 0.5], 0)])
    assert study.contrasts(two, two)["M1"].to_dict() == pytest.approx({"q0": 0.4})  # what was not measured is skipped


def test_pairs_within_are_those_whose_mean_error_is_small(rng):
    near = limits_of([0.51, 0.69] * 30, [0.5, 0.7] * 30, 0)  # off by +.01 and -.01, in the mean by none
    far = limits_of([0.535] * 60, [0.5] * 60, 0).assign(training="C")
    table = study.shares_within(pd.concat([near, far]), rng).set_index("within")
    assert table["share"].to_dict() == {0.01: 0.5, 0.02: 0.5, 0.03: 0.5, 0.04: 1, 0.05: 1}
    assert (table[["pairs", "queries"]] == [2, 60]).all(axis=None)
    assert (table["low"] <= table["share"]).all()
    assert (table["share"] <= table["high"]).all()
    assert table.loc[0.05, "se"] == 0  # no sample of these queries moves a mean so far
    lone = limits_of([0.5], [0.5], 0).assign(query="x", training="C")  # in samples without its query it does not count
    table = study.shares_within(pd.concat([limits_of([0.5] * 3, [0.5] * 3, 0), lone]), rng)
    assert (table[["share", "low", "high"]] == 1).all(axis=None)


def test_counts_of_a_pair_say_all_that_its_limits_depend_on(pool):
    counts = study.pair_counts(pool)
    assert counts.shape == (6 * 8, 3 + 25)
    assert (counts.filter(regex=r"^\d \d$").sum(axis=1) == 21).all()
    pool, some = replace(pool, pairs=pool.pairs[:2]), replace(SMALL, splits=6)
    from_frames = study.held_out_table(pool, some, np.random.default_rng(3))
    from_counts = study.held_out_of_counts(counts.iloc[: 2 * 8], some, np.random.default_rng(3))
    assert from_counts[["testing", "training", "query"]].equals(from_frames[["testing", "training", "query"]])
    for column in ("real", "pooled", "own"):  # halves are drawn in another order of documents
        assert from_counts[column].mean() == pytest.approx(from_frames[column].mean(), abs=0.04)


def test_how_much_closer_a_querys_own_matrix_comes_by_hand(rng):
    halves = limits_of([0.5, 0.7], [0.4, 0.6], [0, 0]).assign(own=[0.5, 0.8])
    row = study.known_queries({"A": halves}, rng).iloc[0]
    assert row[["claim", "collection", "basis"]].tolist() == ["O14", "A", "real"]
    assert row["effect"] == pytest.approx(((0.1 - 0) + (0.1 - 0.1)) / 2)
    assert row["low"] <= row["effect"] <= row["high"]
