"""One grade of several labels, by rules and by Dawid and Skene's model, which a version without arrays repeats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.judging import formats
from helpers.judging.aggregates import (
    QUEPID,
    RULES,
    aggregate,
    dawid_skene,
    lowest_of_highest,
    majority_vote,
    rounded,
)
from helpers.judging.confusion import draw_labels, ordinal_confusion
from helpers.judging.judgments import coded


def matrix(labels):
    labels = np.array(labels)
    return labels, np.where(labels >= 0, np.arange(labels.shape[1]), -1)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [([3], 3), ([3, 1], 1), ([3, 1, 2], 1), ([3, 1, 2, 2], 2), ([0, 0, 3, 3, 3], 3), ([2, 2, 2, 0], 2)],
)
def test_the_lowest_of_the_three_highest_by_hand(labels, expected):
    assert lowest_of_highest(np.array([labels])).tolist() == [expected]


@given(st.lists(st.integers(0, 4), min_size=3, max_size=7), st.integers(0, 4))
def test_from_three_judges_on_one_more_never_lowers_the_grade(labels, more):
    before, after = (lowest_of_highest(np.array([given])).item() for given in (labels, [*labels, more]))
    assert after >= before


@given(st.lists(st.integers(0, 4), min_size=1, max_size=7))
def test_unanimous_judges_get_their_grade_by_every_rule_and_no_rule_leaves_their_range(labels):
    rules = {rule: aggregate(rule, *matrix([labels, [labels[0]] * len(labels)])) for rule in RULES}
    for found in rules.values():
        assert min(labels) <= found[0] <= max(labels)
    assert all(rules[rule][1] == labels[0] for rule in ("majority", "mean", "highest", QUEPID))


def test_halves_go_up_as_the_majority_of_two_does():
    two = np.array([[0, 1], [1, 2], [2, 1]])
    assert rounded(aggregate("mean", *matrix(two))).tolist() == majority_vote(two).tolist()


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="rule is 'median', expected one of majority, mean"):
        aggregate("median", *matrix([[1]]))


def test_on_chorus_the_rule_changes_15_6_percent_and_takes_perfect_grades_from_45_to_34(real_data):
    file = real_data / "judgments" / "chorus-ratings" / "Broad_Query_Set_individual_ratings.csv"
    labels = coded(formats.read(file).frame).labels
    rule, majority = aggregate(QUEPID, *labels), aggregate("majority", *labels)
    assert np.mean(rule != majority) == pytest.approx(0.156, abs=5e-4)
    assert [round(np.mean(grades == 3), 2) for grades in (majority, rule)] == [0.45, 0.34]


# Dawid and Skene

SWAPS_TOP = np.array([[0.8, 0.1, 0.1], [0.1, 0.1, 0.8], [0.1, 0.8, 0.1]])


def literal_dawid_skene(labels, judges, n_grades, most_steps=50, tolerance=1e-3):
    """Posteriors by the formulas, one pair, judge and grade at a time."""
    grades, pairs = range(n_grades), range(len(labels))
    votes = [[(judges[i][c], label) for c, label in enumerate(labels[i]) if label >= 0] for i in pairs]
    posterior = [[sum(label == t for _, label in row) / len(row) for t in grades] for row in votes]
    for _ in range(most_steps):
        prior = [sum(row[t] for row in posterior) / len(votes) for t in grades]
        confusion = literal_confusion(votes, posterior, grades)
        previous, posterior = posterior, []
        for row in votes:
            joint = [prior[t] * np.prod([confusion[judge, label, t] for judge, label in row]) for t in grades]
            posterior.append([value / sum(joint) for value in joint])
        if max(abs(previous[i][t] - posterior[i][t]) for i in pairs for t in grades) < tolerance:
            break
    return np.array(posterior)


def literal_confusion(votes, posterior, grades):
    """Chance that a judge says a label of a true grade, by (judge, label, true grade); one label is lent to each."""
    judges = {judge for row in votes for judge, _ in row}
    said = {(judge, label, t): 0.0 for judge in judges for label in grades for t in grades}
    for row, chances in zip(votes, posterior, strict=True):
        for judge, label in row:
            for t in grades:
                said[judge, label, t] += chances[t]
    confusion = {}
    for judge, label, t in said:
        of_all = sum(said[other, any_label, t] for other in judges for any_label in grades)
        pooled = sum(said[other, label, t] for other in judges) / of_all if of_all else 0
        own = sum(said[judge, any_label, t] for any_label in grades)
        confusion[judge, label, t] = (said[judge, label, t] + pooled) / (own + 1)
    return confusion


@st.composite
def labelled_pairs(draw):
    """Labels that follow a truth, some of them missing, judges who may judge a pair twice, and the scale."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n_grades, shape = draw(st.integers(2, 5)), (draw(st.integers(1, 20)), draw(st.integers(1, 5)))
    truth = rng.integers(0, n_grades, shape[0])
    labels = np.where(rng.random(shape) < 0.6, truth[:, None], rng.integers(0, n_grades, shape))
    missing = rng.random(shape) < 0.3
    missing[np.arange(shape[0]), rng.integers(0, shape[1], shape[0])] = False
    return np.where(missing, -1, labels).astype(np.int8), rng.integers(0, 6, shape), n_grades


def drawn(matrices, n_docs, rng):
    """A hidden truth with grades as frequent as each other, and what a judge of each matrix says (n_docs, n_judges)."""
    truth = rng.integers(0, len(matrices[0]), n_docs)
    return truth, np.column_stack([draw_labels(truth, np.array(matrix), rng) for matrix in matrices])


def test_a_first_step_is_the_one_computed_by_hand():
    """Both judges say 0, both say 1, and on the third pair Ann (0) says 0 and Bob (1) says 1: it has votes 1/2, 1/2.

    Both grades have prior 1/2. Of true 0, 1.5 pairs: Ann said 0 to all, Bob 0 to one and 1 to half of one; together
    2.5 of 3 labels are 0. Lent one label, Ann says 0 with (1.5 + 5/6) / 2.5 = 14/15 and Bob with (1 + 5/6) / 2.5 =
    11/15. Of true 1, by symmetry, Bob says 1 with 14/15 and Ann with 11/15.
    """
    first = dawid_skene([[0, 0], [1, 1], [0, 1]], None, 2, max_iterations=1)
    both_0 = (14 * 11) / (14 * 11 + 4 * 1)
    assert first == pytest.approx(np.array([[both_0, 1 - both_0], [1 - both_0, both_0], [0.5, 0.5]]), abs=1e-15)


def test_a_judge_who_swaps_two_grades_is_found_out_and_his_labels_turned_round(rng):
    truth, labels = drawn([ordinal_confusion(3, 0.85)] * 3 + [SWAPS_TOP], 600, rng)
    labels[-60:, :3] = -1  # his alone
    found = dawid_skene(labels, None, 3).argmax(axis=1)
    alone, turned = labels[-60:, 3], np.array([0, 2, 1])
    assert np.array_equal(found[-60:], turned[alone])
    assert np.mean(found[-60:] == truth[-60:]) > 0.7 > 0.5 > np.mean(alone == truth[-60:])


@given(labelled_pairs(), st.integers(1, 6))
def test_posteriors_are_those_of_the_literal_version(drawn_pairs, steps):
    labels, judges, n_grades = drawn_pairs
    ours = dawid_skene(labels, judges, n_grades, max_iterations=steps)
    assert ours == pytest.approx(literal_dawid_skene(labels, judges, n_grades, steps), abs=1e-9)
    assert ours.sum(axis=1) == pytest.approx(1, abs=1e-12)


def test_it_stops_where_the_literal_version_stops(rng):
    _, labels = drawn([ordinal_confusion(3, 0.6)] * 4, 60, rng)
    judges = np.tile(np.arange(4), (60, 1))
    ours = dawid_skene(labels, judges, 3)
    assert ours == pytest.approx(literal_dawid_skene(labels, judges, 3), abs=1e-9)
    assert np.abs(dawid_skene(labels, judges, 3, max_iterations=1) - ours).max() > 0.01


@given(labelled_pairs(), st.integers(0, 99))
def test_order_of_pairs_and_columns_and_names_of_judges_do_not_matter(drawn_pairs, seed):
    labels, judges, n_grades = drawn_pairs
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(labels)), rng.permutation(labels.shape[1])
    renamed = rng.choice(1000, 6, replace=False)[judges]
    expected = dawid_skene(labels, judges, n_grades, max_iterations=6)[rows]
    moved = dawid_skene(labels[rows][:, columns], renamed[rows][:, columns], n_grades, max_iterations=6)
    assert moved == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("labels", "judges", "complaint"),
    [
        ([[0, 1], [1, 2]], None, "pair 1 has 2, expected less than 2"),
        ([[0, 1]], [[0], [1]], r"judges has shape \(2, 1\), expected that of labels, \(1, 2\)"),
    ],
)
def test_labels_and_judges_that_do_not_fit_are_refused(labels, judges, complaint):
    with pytest.raises(ValueError, match=complaint):
        dawid_skene(labels, judges, 2)
