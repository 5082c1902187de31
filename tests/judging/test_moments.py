"""Moments: exact over every order of the judges, right in many draws, and what they say of the paper's tables."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from labeling_by_hand import label_matrices

from helpers.judging import pool
from helpers.judging.judgments import coded
from helpers.judging.schemes import (
    GOOD,
    collect,
    cost_among_many,
    expected_cost,
    expected_good_share,
    moments,
    own_costs,
)
from helpers.studies.overlap import judge_fit

TOLD_BY_MOMENTS = (
    "baseline",
    "2-overlap",
    "4-overlap",
    "highest-1",
    "highest-3",
    "if-good-1",
    "if-good-3",
    "if-good-x2.5",
    "good-till-bad",
    "good-till-bad-1",
    "good-till-bad-2",
)
FIXED_COSTS = {"mv3": 3, "gain-4": 4, "dawid-skene-2": 2}
SMALL = np.array([[3, 2, 1, 4], [0, 0, 2, 1], [2, 2, 2, 2], [0, 1, 1, 0], [4, 0, 0, 3]])

full_matrices = arrays(np.int8, st.tuples(st.integers(1, 5), st.just(4)), elements=st.integers(0, 4))
falling = st.lists(st.floats(0, 1), min_size=3, max_size=12).map(lambda values: sorted(values, reverse=True))


def good_and_all(sample, n_docs):
    """(n_docs,) weight of the training labels of Good or above, and of all, of each pair."""
    good = sample.weights * (sample.grades >= GOOD)
    return (np.bincount(sample.rows, weights, minlength=n_docs) for weights in (good, sample.weights))


def in_every_order(scheme, labels):
    """What a scheme makes of the labels in each order of the judges."""
    return [collect(scheme, labels[:, order], None) for order in itertools.permutations(range(labels.shape[1]))]


# moments


def all_good(labels, t, least):
    """Share of the choices of t judges of a pair who all say Good or above, mean over pairs of at least so many."""
    pairs = [[label for label in row if label >= 0] for row in labels.tolist()]
    choices = [list(itertools.combinations(pair, t)) for pair in pairs if len(pair) >= least]
    return np.mean([np.mean([min(choice, default=GOOD) >= GOOD for choice in of_pair]) for of_pair in choices])


@given(label_matrices())
def test_moments_are_shares_of_all_good_choices_and_with_missing_labels_fall_as_among_the_pairs_that_tell(labels):
    known = 1.0
    for t, moment in enumerate(moments(labels), start=1):
        before = all_good(labels, t - 1, t)
        known *= all_good(labels, t, t) / before if before else 0
        assert moment == pytest.approx(known, abs=1e-12)
    assert t == (labels >= 0).sum(axis=1).max()
    assert expected_cost("good-till-bad", moments(labels)) >= 1  # they fall, or it would refuse them


def test_missing_labels_by_hand():
    """m_2 is m_1 times what the pair of two labels says of it: 1 of 1, 0 of a half, and where it is never Good 0."""
    assert moments([[3, 2], [0, -1]]).tolist() == [0.5, 0.5]
    assert moments([[3, 0], [0, -1]]).tolist() == [0.25, 0]
    assert moments([[0, 1], [3, -1]]).tolist() == [0.5, 0]


@pytest.mark.parametrize("missing", [0, 0.5])
def test_moments_of_pairs_with_a_chance_of_their_own_are_those_of_the_chances(missing, rng):
    """m_t is E[p^t], for p uniform 1 / (t + 1), also where labels are missing at random."""
    batches = []
    for _ in range(20):
        chances = rng.random((5000, 1))
        labels = np.where(rng.random((5000, 6)) < missing, -1, GOOD * (rng.random((5000, 6)) < chances))
        batches.append(moments(labels[(labels >= 0).any(axis=1)])[:4])
    errors = np.std(batches, axis=0, ddof=1) / np.sqrt(len(batches))
    assert np.all(np.abs(np.mean(batches, axis=0) - 1 / np.arange(2, 6)) < 5 * errors)
    assert errors.max() < 0.003


# cost and share, exactly


@pytest.mark.parametrize("scheme", TOLD_BY_MOMENTS)
@given(full_matrices)
def test_cost_and_share_are_the_means_over_all_orders_of_the_judges(scheme, labels):
    samples, known = in_every_order(scheme, labels), moments(labels)
    cost = np.mean([sample.labels_bought for sample in samples]) / len(labels)
    assert expected_cost(scheme, known) == pytest.approx(cost, abs=1e-12)
    good, of_all = np.sum([[part.sum() for part in good_and_all(sample, len(labels))] for sample in samples], axis=0)
    assert expected_good_share(scheme, known) == pytest.approx(good / of_all, abs=1e-12)


@pytest.mark.parametrize(("scheme", "cost"), FIXED_COSTS.items())
def test_schemes_that_ask_the_same_number_of_every_pair_cost_it(scheme, cost):
    assert expected_cost(scheme, moments(SMALL)) == cost
    assert {sample.labels_bought for sample in in_every_order(scheme, SMALL)} == {cost * len(SMALL)}


def papers_cost(n, k, good):
    """n / (r + 1) + n r k / (r + 1), r the ratio of Good+ to Fair- of a share of Good+; where all are, n k."""
    r = good / (1 - good) if good < 1 else np.inf
    return n * k if good == 1 else n / (r + 1) + n * r * k / (r + 1)


@given(full_matrices, st.integers(1, 4), st.integers(0, 99))
def test_the_cost_of_if_good_k_is_the_papers_and_bounds_that_of_good_till_bad(labels, k, seed):
    """Of the first labels where labels are drawn, of all labels where the cost is expected (section 5.2)."""
    n, known = len(labels), moments(labels)
    first, bought, till_bad = (
        collect(name, labels, np.random.default_rng(seed))
        for name in ("baseline", f"if-good-{k}", f"good-till-bad-{k}")
    )
    assert bought.labels_bought == pytest.approx(papers_cost(n, k, np.mean(first.grades >= GOOD)))
    assert n * expected_cost(f"if-good-{k}", known) == pytest.approx(papers_cost(n, k, known[0]))
    assert till_bad.labels_bought <= bought.labels_bought
    assert expected_cost(f"good-till-bad-{k}", known) <= expected_cost(f"if-good-{k}", known) + 1e-12


# judges as many as a scheme asks


def test_good_till_bad_of_pairs_with_too_few_labels_costs_at_least_what_is_known():
    assert cost_among_many("good-till-bad", moments([[2], [2], [0]])) == (pytest.approx(1 + 2 / 3), True)
    assert cost_among_many("if-good-2", moments([[2], [2], [0]])) == (pytest.approx(1 + 2 / 3), False)
    assert cost_among_many("good-till-bad-2", moments([[2], [2], [0]])) == (pytest.approx(1 + 2 / 3), False)
    # one label in two says Good, never two of a pair: everybody stops at the second
    assert cost_among_many("good-till-bad", moments([[2, 0], [0, 2]])) == (1.5, False)


@given(chances=st.lists(st.floats(0, 0.9), min_size=1, max_size=4), n=st.integers(1, 6))
def test_the_lower_limit_lies_below_the_cost_among_any_number_of_judges(chances, n):
    known = np.mean(np.array(chances)[:, None] ** np.arange(1, 400), axis=0)
    cost, at_least = cost_among_many("good-till-bad", known[:n])
    whole = 1 + known.sum()
    assert cost <= whole + 1e-9
    assert at_least or cost == pytest.approx(whole)


# a contradiction inside the paper's Tables 6 and 7


def highest_ratio(cost):
    """Most Fair- for each Good+ where good-till-bad costs that much: all but a pair's first label follow a Good+."""
    return 1 / (cost - 1)


@given(known=falling, limit=st.sampled_from(["", "-2", "-3"]))
def test_no_moments_give_good_till_bad_more_fair_labels_than_its_cost_allows(known, limit):
    cost = expected_cost(f"good-till-bad{limit}", known)
    share = expected_good_share(f"good-till-bad{limit}", known)
    assert share * cost >= cost - 1 - 1e-12
    if cost > 1.001:
        assert (1 - share) / share <= highest_ratio(cost) + 1e-9


@pytest.mark.parametrize(
    ("label_set", "cost", "fair_to_good", "highest"), [("clean07", 1.87, 1.38, 1.15), ("clean08", 1.98, 1.23, 1.02)]
)
def test_the_ratios_printed_for_good_till_bad_are_above_what_the_printed_costs_allow(
    label_set, cost, fair_to_good, highest
):
    row = judge_fit.printed().set_index(["label_set", "setting"]).loc[(label_set, "good-till-bad")]
    assert (row[pool.COST], row[pool.RATIO]) == (cost, fair_to_good)
    assert highest_ratio(cost) == pytest.approx(highest, abs=0.005)
    assert fair_to_good > highest_ratio(cost - 0.005)  # not by rounding either


# what is refused


@pytest.mark.parametrize(
    "known", [[], [[0.5, 0.2]], [0.5, 0.6], [1.1], [0.5, -0.1], [np.nan], [0.5, np.nan], 0.5], ids=str
)
def test_moments_that_rise_or_are_no_probabilities_are_refused(known):
    for function in (expected_cost, expected_good_share):
        with pytest.raises(ValueError, match=r"moments is .*, expected m_1, m_2, … that fall from at most 1"):
            function("baseline", known)


@pytest.mark.parametrize(
    ("function", "scheme", "needed"),
    [
        (expected_cost, "good-till-bad-4", 3),
        (expected_good_share, "good-till-bad-3", 3),
        (expected_good_share, "highest-5", 5),
        (expected_good_share, "if-good-3", 2),
    ],
)
def test_too_few_moments_are_refused_and_one_more_is_enough(function, scheme, needed):
    known = 0.5 ** np.arange(1, needed + 1)
    with pytest.raises(ValueError, match=f"moments has {needed - 1} numbers, expected m_1 to m_{needed}"):
        function(scheme, known[:-1])
    assert function(scheme, known) > 0


@pytest.mark.parametrize("scheme", [*FIXED_COSTS, "if-good-gain-3"])
def test_shares_that_moments_do_not_tell_are_refused(scheme):
    with pytest.raises(ValueError, match=f"scheme is '{scheme}', whose share of Good or above is no sum of moments"):
        expected_good_share(scheme, [0.5, 0.25, 0.2, 0.1])


# of a reader's own labels


def long(rows):
    return pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])


def test_what_schemes_would_have_bought_of_labels_that_are_not_as_many_for_all_pairs():
    """Three pairs with three, one and two labels: 3 2 0, 1, and 2 2."""
    rows = [("q", "a", "Ann", 3), ("q", "b", "Ann", 1), ("r", "a", "Ann", 2)]
    rows += [("q", "a", "Bob", 2), ("r", "a", "Bob", 2), ("q", "a", "Cem", 0)]
    table = own_costs(*coded(long(rows)).labels, None).set_index("setting")
    alike = dict.fromkeys(("3-overlap", "mv3", "highest-3", "if-good-3", "good-till-bad", "gain-3", "dawid-skene-3"), 6)
    assert table["bought"].to_dict() == alike | {"baseline": 3, "if-good-x3": 3, "if-good-2": 5}  # 3 + 1 + 2, 2 + 1 + 2
    by_hand = {"if-good-2": [5 / 3, 5 / 3, 1 / 4], "if-good-x3": [1, 1, 1 / 6], "mv3": [2, 1, 1 / 2]}
    for scheme, values in by_hand.items():
        assert table.loc[scheme, ["labels", "instances", "fair_to_good"]].tolist() == pytest.approx(values)
    first = (2 / 3 + 0 + 1) / 3  # a label drawn of each pair is Good or above
    expected = [3, 1 + first, 1 + 2 * first]  # of as many judges as a scheme asks
    assert table.loc[["3-overlap", "if-good-2", "if-good-3"], "expected"].tolist() == pytest.approx(expected)
    rows = [("q", doc, "Ann", grade) for doc, grade in (("a", 2), ("b", 2), ("c", 0))]
    alone = own_costs(*coded(long(rows)).labels, None)
    assert alone.loc[alone["at_least"], "setting"].tolist() == ["good-till-bad"]


def test_judgments_without_any_good_label_have_no_finite_ratio():
    labels, judges = coded(long([("q", "a", "Ann", 1), ("q", "a", "Bob", 0), ("q", "b", "Ann", 0)])).labels
    table, lower = (own_costs(labels, judges, None, good=good).set_index("setting") for good in (GOOD, 1))
    assert (table["fair_to_good"] == np.inf).all()
    assert table.loc["if-good-3", ["bought", "expected"]].tolist() == [2, 1]
    assert lower.loc["if-good-2", ["bought", "fair_to_good"]].tolist() == [3, 2]
