"""Sampling of queries and documents, and queries divided."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.datasets import sampling
from helpers.datasets.collection import Collection, offsets_of


def numbered(group):
    """Documents whose only feature is their row number, so that a sample tells which rows it took."""
    n = int(np.sum(group))
    return Collection(np.arange(n)[:, None], np.arange(n) % 3, offsets_of(group))


groups = st.lists(st.integers(1, 12), min_size=1, max_size=15)


@pytest.mark.parametrize(("n", "expected"), [(2, 2), (50, 10), (0.5, 5), (0.01, 1), (1.0, 10), (0.24, 2)])
def test_queries_come_whole_and_in_order_as_many_as_asked_for_and_never_none(rng, n, expected):
    whole = numbered([2, 3, 4, 5, 1] * 2)
    sample = sampling.queries(whole, n, rng)
    taken = [int(q) - 1 for q in sample.query_ids]
    assert (taken, len(taken)) == (sorted(taken), expected)
    np.testing.assert_array_equal(sample.features, whole.take_queries(taken).features)


@pytest.mark.parametrize("amount", [0, -1, 0.0, 1.5, -0.1, float("nan")])
@pytest.mark.parametrize("sample", [sampling.queries, sampling.documents])
def test_an_amount_out_of_range_is_refused(rng, sample, amount):
    with pytest.raises(ValueError, match="n_or_fraction is"):
        sample(numbered([2, 2]), amount, rng)


@given(groups, st.integers(1, 6), st.integers(0, 2**32))
def test_a_number_of_documents_is_taken_from_every_query_without_repeats(group, n, seed):
    sample = sampling.documents(numbered(group), n, np.random.default_rng(seed))
    assert sample.group.tolist() == np.minimum(group, n).tolist()
    assert len(np.unique(sample.features)) == sample.n_docs


@given(groups, st.integers(0, 2**32))
def test_the_whole_is_a_sample_of_everything(group, seed):
    whole = numbered(group)
    sample = sampling.documents(whole, 1.0, np.random.default_rng(seed))
    assert np.array_equal(sample.features, whole.features)


def test_every_document_is_equally_likely(rng):
    whole = numbered([4, 2])
    hits = sum(
        np.bincount(sampling.documents(whole, 2, rng).features[:, 0].astype(int), minlength=6) for _ in range(1000)
    )
    assert hits[4:].tolist() == [1000, 1000]
    assert np.abs(hits[:4] - 500).max() < 4 * np.sqrt(1000 / 4)


def test_a_share_of_documents_keeps_the_budget_on_average(rng):
    whole = numbered([3] * 100)
    sizes = [sampling.documents(whole, 0.1, rng).n_docs for _ in range(300)]
    standard_error = np.sqrt(100 * 0.3 * 0.7 / 300)
    assert abs(np.mean(sizes) - 30) < 4 * standard_error


def test_the_top_of_the_first_stage_is_judged_in_every_query(rng):
    scores = np.array([5, 1, 4, 2, 3, 1, 2], float)
    sample = sampling.documents(numbered([5, 2]), 2, rng, first_stage=scores, choice="top")
    assert sample.features[:, 0].tolist() == [0, 2, 5, 6]


def test_a_mixed_choice_has_half_of_its_documents_from_the_top(rng):
    whole = numbered([10])
    scores = np.arange(10.0)
    samples = [sampling.documents(whole, 4, rng, first_stage=scores, choice="mixed").features[:, 0] for _ in range(50)]
    assert all({8, 9} <= set(sample) and len(sample) == 4 for sample in samples)
    assert set(np.concatenate(samples)) == set(range(10))


def test_a_choice_by_first_stage_needs_its_scores(rng):
    with pytest.raises(ValueError, match="needs first_stage"):
        sampling.documents(numbered([3]), 1, rng, choice="top")
    with pytest.raises(ValueError, match="choice is 'best', expected one of random, mixed, top"):
        sampling.documents(numbered([3]), 1, rng, choice="best")


def test_a_fixed_pool_draws_from_queries_that_are_deep_enough(rng):
    pool = sampling.fixed_pool(numbered([4, 9, 2, 8, 7]), 2, 7, rng)
    assert pool.group.tolist() == [7, 7]
    assert set(pool.query_ids) <= {"2", "4", "5"}
    with pytest.raises(ValueError, match="n_queries is 3, but '' has 2 queries of 8 documents or more"):
        sampling.fixed_pool(numbered([4, 9, 2, 8, 7]), 3, 8, rng)


@pytest.mark.parametrize(
    ("group", "deepest", "shape"),
    [
        ([128] * 1024, 128, (1024, 128)),
        ([8] * 300 + [64] * 20, 128, (256, 8)),
        ([2], 128, (1, 2)),
    ],
)
def test_the_pool_is_the_largest_of_powers_of_two(group, deepest, shape):
    assert sampling.pool_shape(np.array(group), deepest) == shape


# What is divided


def test_the_circle_is_letors():
    # FoldK of LETOR trains on SK, S(K+1), S(K+2), validates on S(K+3), tests on S(K+4)
    assert sampling.circle(["S5", "S1", "S2", "S3", "S4"]) == [
        (["S1", "S2", "S3"], "S4", "S5"),
        (["S2", "S3", "S4"], "S5", "S1"),
        (["S3", "S4", "S5"], "S1", "S2"),
        (["S4", "S5", "S1"], "S2", "S3"),
        (["S5", "S1", "S2"], "S3", "S4"),
    ]


@settings(max_examples=30)
@given(n=st.integers(5, 60), seed=st.integers(0, 2**32))
def test_every_query_is_drawn_into_one_part_in_order_and_parts_have_their_shares_to_the_nearest_query(n, seed):
    whole = numbered([2] * n)
    parts = sampling.divide(whole, (0.6, 0.2, 0.2), np.random.default_rng(seed))
    index = [[int(name) - 1 for name in part.query_ids] for part in parts]
    assert sorted(np.concatenate(index)) == list(range(n))
    for part, own in zip(parts, index, strict=True):
        assert own == sorted(own)
        np.testing.assert_array_equal(part.features, whole.take_queries(own).features)
    assert len(index[1]) == len(index[2]) >= 1
    assert abs(len(index[2]) - 0.2 * n) <= 0.5
