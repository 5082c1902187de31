"""The protocol of study 2: tables of pairs, and what is compared."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from helpers.studies.bounds import judges
from helpers.studies.bounds import protocol as study

SMALL = study.Scale(queries=8, matrices=3, splits=1, labellings=20, intervals=10, lists=5)


@pytest.fixture
def pool(rng):
    return judges.simulated(8, rng, counts=(10, 5, 3, 2, 1))


def test_every_ordered_pair_and_query_has_its_limits_for_any_number_of_workers(pool):
    one, two = (study.limits_table(pool, SMALL, np.random.default_rng(3), n_jobs=n) for n in (1, 2))
    pd.testing.assert_frame_equal(one, two)
    assert one.columns.tolist() == [
        "testing", "training", "query", "documents", "real", "pooled", "varying", "elsewhere",
    ]  # fmt: skip
    assert one.groupby(["testing", "training"]).size().to_dict() == dict.fromkeys(pool.pairs, 8)
    assert one["documents"].unique().tolist() == [21]


def test_the_limits_of_a_pair_do_not_hang_on_the_other_pairs(pool):
    whole = study.limits_table(pool, SMALL, np.random.default_rng(3))
    first = judges.Judges(pool.frame, pool.pairs[:1], pool.n_grades, pool.elsewhere)
    alone = study.limits_table(first, SMALL, np.random.default_rng(3))
    pd.testing.assert_frame_equal(alone, whole.iloc[:8])


def test_errors_by_hand():
    table = pd.DataFrame({"query": ["a", "b", "c"], "real": [0.5, 0.7, np.nan], "pooled": [0.4, 0.8, 0.1]})
    row = study.errors(table, ["pooled"]).loc["pooled"]
    assert row.to_dict() == pytest.approx({"real": 0.6, "predicted": 0.6, "bias": 0, "rms": 0.1, "correlation": 1})


def limits_of(real, pooled, elsewhere):
    table = pd.DataFrame({"query": [f"q{i}" for i in range(len(real))], "real": real, "pooled": pooled})
    return table.assign(testing="A", training="B", elsewhere=elsewhere, varying=pooled, own=real)


def test_comparisons_by_hand(rng):
    table = limits_of([0.5, 0.7], [0.6, 0.8], [0.9, 0.9])
    rows = study.judge_comparisons(table, table, rng).set_index("question")
    assert rows.loc["real limit or pooled prediction", "difference"] == pytest.approx(-0.1)
    assert rows.loc["error of the limit", ["difference", "low", "high"]].tolist() == pytest.approx([0.1] * 3)
    assert rows.loc["matrix from elsewhere or own", "difference"] == pytest.approx((0.4 - 0.1 + 0.2 - 0.1) / 2)
    assert rows.loc["same matrix for all or varying", "difference"] == 0
    assert rows.loc["same matrix for all or the query's", "difference"] == pytest.approx(0.1)
    assert rows.loc["loss by disagreement", "difference"] == pytest.approx(0.4)


def test_an_error_of_either_sign_counts_and_one_around_zero_may_be_none(rng):
    table = limits_of([0.5, 0.7] * 20, [0.4, 0.8] * 20, [0.4, 0.8] * 20)
    row = study.judge_comparisons(table, table, rng).set_index("question").loc["error of the limit"]
    assert row["low"] == 0
    assert 0 < row["high"] < 0.1


def test_an_unknown_scale_is_refused():
    with pytest.raises(ValueError, match="scale is 'huge', expected one of demo, study, paper"):
        study.scale_named("huge")


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


def test_what_a_querys_own_matrix_is_worth_by_hand(rng):
    halves = limits_of([0.5, 0.7], [0.4, 0.6], [0, 0]).assign(own=[0.5, 0.8])
    row = study.known_queries({"A": halves}, rng).iloc[0]
    assert row[["judges", "pairs", "queries", "passed_pooled", "passed_own"]].tolist() == ["A", 1, 2, 1, 0]
    assert row[["real", "pooled", "own"]].tolist() == pytest.approx([0.6, 0.5, 0.65])
    assert row["difference"] == pytest.approx(((0.1 - 0) + (0.1 - 0.1)) / 2)
