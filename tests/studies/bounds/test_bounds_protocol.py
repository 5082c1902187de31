"""The protocol of study 2: tables of pairs, what is compared, a reader's own judgments."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.judging.judgments import LONG, in_common
from helpers.studies.bounds import judges
from helpers.studies.bounds import protocol as study

SMALL = study.Scale(queries=8, matrices=3, splits=1, labellings=20, intervals=10, own_intervals=10, lists=5)


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


def test_a_readers_own_assessors_by_hand(rng):
    rows = [
        ("q", doc, who, grade)
        for who, grades in (("Ann", "0011"), ("Bob", "0001"))
        for doc, grade in zip("abcd", grades, strict=True)
    ]
    rows += [("q", "z", "Cid", 1)]
    frame = pd.DataFrame(rows, columns=LONG).astype({"grade": int})
    table = study.own_table(frame, rng, None, draws=50, most=5)
    assert table[["testing", "training"]].to_numpy().tolist() == [["Ann", "Bob"], ["Bob", "Ann"]]
    assert table[["documents", "exact_agreement", "kappa"]].to_numpy().tolist() == [[4, 0.75, 0.5]] * 2
    # Ann tests: each of her two relevant documents is labelled so with probability 1/2, or is one of those that tie
    second, third, fourth = 1 / np.log2([3, 4, 5])
    one, none = 1 + (second + third + fourth) / 3, (1 + second + third + fourth) / 2
    expected = 1 / 4 + (one / 2 + none / 4) / (1 + second)
    assert table.loc[0, "ceiling"] == pytest.approx(expected)
    assert table.loc[0, "low"] < expected < table.loc[0, "high"]


def test_the_pairs_with_most_documents_in_common_come_first(rng):
    rows = [("q", d, "A", 1) for d in "abcd"] + [("q", d, "B", 1) for d in "ab"] + [("q", d, "C", 0) for d in "abc"]
    frame = pd.DataFrame(rows, columns=LONG)
    table = study.own_table(frame, rng, draws=5, most=3)
    assert table[["testing", "training"]].to_numpy().tolist() == [["A", "C"], ["C", "A"], ["A", "B"]]
    assert np.isnan(table.loc[1, "ceiling"])  # C found nothing relevant


def test_a_reader_gets_the_assessor_that_he_came_for_and_is_told_how_many_pairs_there_are(rng):
    rows = [("q", d, who, len(d) % 2) for who in "ABCDEFGH" for d in ("a", "bb", "ccc")] + [("q", "a", "Z", 1)]
    frame = pd.DataFrame(rows, columns=LONG)
    assert len(study.own_pairs(frame)) == 9 * 8
    assert len(study.own_pairs(frame, "Z")) == 2 * 8
    table = study.own_table(frame, rng, draws=5, most=3, assessor="Z")
    assert table[["testing", "training"]].to_numpy().tolist() == [["A", "Z"], ["B", "Z"], ["C", "Z"]]
    with pytest.raises(ValueError, match="assessor is 'Y', expected one of A, B, C"):
        study.own_table(frame, rng, draws=5, most=3, assessor="Y")
    alone = pd.concat([frame, pd.DataFrame([("r", "a", "Y", 1)], columns=LONG)])
    with pytest.raises(ValueError, match="assessor is 'Y', who judged no document that another did"):
        study.own_table(alone, rng, draws=5, most=3, assessor="Y")


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from("qr"), st.sampled_from("abc"), st.sampled_from("WXYZ"), st.integers(0, 1)),
        min_size=1,
        unique_by=lambda row: row[:3],
    )
)
def test_pairs_in_common_are_those_that_an_enumeration_finds(rows):
    frame = pd.DataFrame(rows, columns=LONG)
    judged = {who: set(zip(own["query"], own["doc"], strict=True)) for who, own in frame.groupby("assessor")}
    pairs = itertools.permutations(frame["assessor"].unique(), 2)
    expected = [[*pair, len(judged[pair[0]] & judged[pair[1]])] for pair in pairs]
    expected = sorted((row for row in expected if row[2]), key=lambda row: -row[2])
    assert in_common(frame).to_numpy().tolist() == expected


def test_assessors_without_a_document_in_common_are_refused(rng):
    frame = pd.DataFrame([("q", "a", "A", 1), ("q", "b", "B", 1)], columns=LONG)
    with pytest.raises(ValueError, match="no document was judged by two assessors"):
        study.own_table(frame, rng, draws=5, most=3)


def test_an_unknown_scale_is_refused():
    with pytest.raises(ValueError, match="scale is 'huge', expected one of demo, study, paper"):
        study.scale_named("huge")
