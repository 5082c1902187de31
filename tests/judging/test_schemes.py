"""Collecting: the paper's examples, every scheme pair by pair, and what all schemes have in common."""

import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labeling_by_hand import SCHEMES, bought_of, label_matrices, majority, training_labels

from helpers.judging import schemes
from helpers.judging.aggregates import majority_vote
from helpers.judging.schemes import PAPER, Scheme, collect, costs, parse

BAD, FAIR, GOOD, EXCELLENT, PERFECT = range(5)
IN_COMMON = [(EXCELLENT, GOOD, FAIR), (BAD,), (GOOD, GOOD, PERFECT), (FAIR,), (FAIR,)]
TILL_BAD = [(EXCELLENT, GOOD, FAIR), (BAD,), (GOOD, GOOD, PERFECT, EXCELLENT, GOOD, BAD), (FAIR,)]
ALL = (*PAPER, "gain-3", "if-good-gain-3", "round-3", "dawid-skene-3", "if-good-x2.5", "good-till-bad-2")


def lists(sample, n_docs):
    """The training labels of each pair."""
    return [sample.grades[sample.rows == row].tolist() for row in range(n_docs)]


def asked_in_order(labels, seed):
    """All labels of each pair in the order in which its judges are asked; without a seed that of the columns."""
    rng = None if seed is None else np.random.default_rng(seed)
    return lists(collect(f"{labels.shape[1]}-overlap", labels, rng), len(labels))


def with_more_labels_to_buy(examples, n_judges):
    """The labels of an example, and Perfect from all judges who are not asked."""
    return np.array([(*labels, *[PERFECT] * (n_judges - len(labels))) for labels in examples])


# examples of the paper and of its slides


@pytest.mark.parametrize(
    ("scheme", "n_judges", "examples", "bought"),
    [
        ("if-good-3", 3, [*IN_COMMON, (PERFECT, FAIR, GOOD)], 12),  # paper, section 5.2.1
        ("if-good-3", 11, IN_COMMON, 9),  # slides, which end here
        ("good-till-bad", 11, TILL_BAD, 11),  # paper, section 5.2.2, and slides
    ],
)
def test_selective_schemes_collect_the_published_examples(scheme, n_judges, examples, bought):
    sample = collect(scheme, with_more_labels_to_buy(examples, n_judges), None)
    assert lists(sample, len(examples)) == [list(labels) for labels in examples]
    assert sample.labels_bought == bought == sum(map(len, examples))
    assert sample.bought.tolist() == [len(labels) for labels in examples]
    assert np.all(sample.weights == 1)


def test_another_border_of_good_moves_what_is_bought_and_weighed():
    labels = np.array([[1, 1, 0], [0, 4, 4]])
    assert collect("if-good-3", labels, None, good=1).bought.tolist() == [3, 1]
    assert collect("good-till-bad", labels, None, good=1).bought.tolist() == [3, 1]
    assert collect("if-good-x3", labels, None, good=1).weights.tolist() == [3, 1]


def test_gains_are_means_exactly_and_labels_their_numbers():
    sample = collect("gain-3", np.array([[3, 0, 0], [1, 1, -1], [0, 2, 0], [2, 2, 1], [1, -1, -1]]), None)
    assert sample.gains == (1, 7 / 3)  # 7 / 3, 2 / 2, 3 / 3, 7 / 3, 1
    assert sample.grades.tolist() == [1, 0, 0, 1, 0]
    assert sample.meant.tolist() == [np.log2(10 / 3), 1, 1, np.log2(10 / 3), 1]
    assert costs(sample, good=1)["fair_to_good"] == 0
    assert costs(sample, good=2)["fair_to_good"] == np.inf
    high = collect("gain-3", np.array([[10, 10, 10], [16, 1, 0], [127, -1, -1]]), None)
    assert high.gains == (1023, 65536 / 3, 2.0**127 - 1)


def test_more_mean_gains_than_labels_are_refused():
    labels = np.random.default_rng(0).integers(0, 9, (999, 4))
    with pytest.raises(ValueError, match=r"scheme is 'gain-4', with \d+ different mean gains, expected at most 128"):
        collect("gain-4", labels, None)


# every scheme, pair by pair


@pytest.mark.parametrize("scheme", SCHEMES)
@given(labels=label_matrices(), k=st.integers(1, 7), seed=st.none() | st.integers(0, 99))
def test_a_scheme_buys_and_trains_on_what_the_rule_says_of_each_pair(scheme, labels, k, seed):
    rng = None if seed is None else np.random.default_rng(seed)
    sample = collect(scheme.format(k=k), labels, rng)
    bought = [bought_of(scheme, k, asked) for asked in asked_in_order(labels, seed)]
    instances = [(row, *one) for row, given in enumerate(bought) for one in training_labels(scheme, k, given)]
    assert list(zip(sample.rows, sample.meant, sample.weights, strict=True)) == instances
    assert sample.bought.tolist() == [len(given) for given in bought]
    assert sample.labels_bought == sum(map(len, bought))
    assert sample.grades.dtype == np.int8


@given(label_matrices())
def test_the_majority_vote_is_that_of_the_labels_that_there_are(labels):
    given = [[label for label in row if label >= 0] for row in labels.tolist()]
    assert majority_vote(labels).tolist() == [majority(row) for row in given]


def test_dawid_skene_knows_who_gave_a_label_in_whatever_order_they_are_asked(rng):
    """Three judges are always right, one always says the opposite, and one tosses a coin."""
    truth = rng.integers(0, 2, 400)
    labels = np.column_stack([truth, truth, truth, 1 - truth, rng.integers(0, 2, 400)])
    order = rng.permuted(np.tile(np.arange(5), (400, 1)), axis=1)
    labels, judges = np.take_along_axis(labels, order, axis=1), order + 70
    found = collect("dawid-skene-2", labels, rng, judges=judges).grades
    assert np.mean(found == truth) > 0.9 > np.mean(collect("mv2", labels, rng).grades == truth)


# what all schemes have in common


@given(labels=label_matrices(), seed=st.integers(0, 99))
def test_schemes_with_the_same_seed_begin_with_the_baselines_label(labels, seed):
    first = collect("baseline", labels, np.random.default_rng(seed)).grades
    for scheme in ("3-overlap", "11-overlap", "if-good-3", "if-good-x3", "good-till-bad"):
        sample = collect(scheme, labels, np.random.default_rng(seed))
        starts = np.searchsorted(sample.rows, np.arange(len(labels)))
        assert np.array_equal(sample.grades[starts], first)
    for scheme in ("mv1", "highest-1", "gain-1", "round-1", "dawid-skene-1"):
        assert np.array_equal(collect(scheme, labels, np.random.default_rng(seed)).meant, first)


def test_judges_are_asked_in_every_order_as_often_as_in_any_other(rng):
    """Six orders of three judges, and two of those who have a label where one has none."""
    n = 12_000
    labels = np.tile([[0, 1, 2], [0, -1, 2]], (n, 1))
    orders = Counter(map(tuple, collect("3-overlap", labels[::2], rng).grades.reshape(n, 3).tolist()))
    assert len(orders) == 6
    for count in orders.values():
        assert abs(count - n / 6) < 5 * np.sqrt(n / 6 * 5 / 6)
    orders = Counter(map(tuple, collect("3-overlap", labels[1::2], rng).grades.reshape(n, 2).tolist()))
    assert set(orders) == {(0, 2), (2, 0)}
    assert abs(orders[0, 2] - n / 2) < 5 * np.sqrt(n / 4)


def test_labels_are_left_as_they_were_also_where_they_are_read_only(rng):
    labels = rng.integers(-1, 5, (20, 4)).astype(np.int8)
    labels[:, 0] = 1
    before = labels.copy()
    labels.flags.writeable = False
    for scheme in ALL:
        collect(scheme, labels, rng)
    assert np.array_equal(labels, before)


# what is refused


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1], r"labels has shape \(2,\), expected \(n_docs, n_judges\)"),
        (np.zeros((3, 0)), r"labels has shape \(3, 0\)"),
        (np.zeros((0, 3)), r"labels has shape \(0, 3\)"),
        ([[0, 1], [2, 0.5]], "labels: pair 1 has 0.5, expected -1 or a grade to 127"),
        ([[0, -2]], "labels: pair 0 has -2"),
        ([[0, 128]], "labels: pair 0 has 128"),
        ([[0, np.nan]], "labels: pair 0 has nan"),
        ([[0, 1], [-1, -1]], "labels: pair 1 has no label, expected at least one"),
    ],
)
def test_labels_that_are_none_are_refused_by_all_who_take_them(labels, message):
    for take in (majority_vote, schemes.moments, lambda labels: collect("baseline", labels, None)):
        with pytest.raises(ValueError, match=message):
            take(labels)


# names


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("baseline", Scheme("overlap", 1)),
        ("11-overlap", Scheme("overlap", 11)),
        ("mv3", Scheme("majority", 3)),
        ("highest-3", Scheme("highest", 3)),
        ("gain-4", Scheme("gain", 4)),
        ("dawid-skene-5", Scheme("dawid-skene", 5)),
        ("if-good-gain-3", Scheme("if-good-gain", 3)),
        ("if-good-x3", Scheme("weighted", 1, 3.0)),
        ("if-good-x0.25", Scheme("weighted", 1, 0.25)),
        ("good-till-bad-127", Scheme("till-bad", 127)),
        ("good-till-bad", Scheme("till-bad", sys.maxsize)),
    ],
)
def test_a_name_says_what_is_asked_and_what_is_made_of_it(name, scheme):
    assert parse(name) == scheme


WORDS = ("", "majority", "if-good-mean", "mv-3", "mv٣")
TOO_FEW = ("mv0", "0-overlap", "if-good-x0", "if-good-x-1", "good-till-bad-0", f"{10**30}-overlap")


@pytest.mark.parametrize("name", [*WORDS, *TOO_FEW])
def test_a_name_of_no_scheme_or_one_that_asks_nobody_is_refused(name):
    with pytest.raises(ValueError, match=f"^scheme is '{name}', expected baseline, k-overlap, mvk"):
        parse(name)
    with pytest.raises(ValueError, match="scheme is 'if-good-mean-11', which is now if-good-gain-11: "):
        parse("if-good-mean-11")
