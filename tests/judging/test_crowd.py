"""Majorities of several judges against the truth, against each other, and the real crowd."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labeling_by_hand import majority
from scipy.stats import chisquare

from helpers.judging import crowd, judgments


def judged(rows, m=6):
    """Labels and judges from a list of {judge: grade}, one a pair."""
    labels, judges = np.full((len(rows), m), -1, dtype=np.int8), np.full((len(rows), m), -1)
    for pair, row in enumerate(rows):
        judges[pair, : len(row)], labels[pair, : len(row)] = list(row), list(row.values())
    return labels, judges


# Figure 1: agreement with the truth


def test_a_tie_of_two_goes_to_the_more_relevant_and_a_tie_of_three_to_the_middle():
    labels = np.array([[4, 2, 0]])
    chances = [crowd.majority_chances(labels, np.array([t]), 3)[0, 1:] for t in (4, 2, 0)]
    # of the ballots {4, 2}, {4, 0}, {2, 0} the higher label wins
    assert np.transpose(chances) == pytest.approx(np.array([[2 / 3, 1 / 3, 0], [0, 1, 0]]))


@given(st.data())
def test_chances_are_those_of_all_subsets_of_the_labels(data):
    m = data.draw(st.integers(1, 5))
    pairs = data.draw(st.lists(st.lists(st.integers(0, 4), min_size=m, max_size=7), min_size=1, max_size=4))
    truth = data.draw(st.lists(st.integers(0, 4), min_size=len(pairs), max_size=len(pairs)))
    labels, _ = judged([dict(enumerate(pair)) for pair in pairs], m=7)
    slow = [
        np.mean([majority(chosen) == grade for chosen in itertools.combinations(pair, m)])
        for pair, grade in zip(pairs, truth, strict=True)
    ]
    assert crowd.majority_chances(labels, np.array(truth), m)[:, -1] == pytest.approx(slow, abs=1e-12)


def test_agreement_is_of_the_same_pairs_for_every_number_of_judges(rng):
    labels = np.array([[1, 1, 1], [0, 0, 1], [0, 0, -1], [0, 0, 0]])
    table = crowd.agreement_by_judges(labels, np.array([1, 1, 1, -1]), 3, draws=200, rng=rng)
    assert table["pairs"].tolist() == [2, 2, 2]  # the third has two labels, the fourth no truth
    # one label: (1 + 1/3) / 2; two: (1 + 2/3) / 2, as a tie goes up; three: the second pair's majority is 0
    assert table["agreement"].tolist() == pytest.approx([2 / 3, 5 / 6, 1 / 2])
    assert (table["low"] <= table["agreement"]).all()
    assert (table["agreement"] <= table["high"]).all()


# Figure 1: the best judge


def test_the_best_judge_is_found_on_pairs_with_enough_labels_and_a_truth(rng):
    rows = [{0: 1, 1: 0, 2: 0}] * 3 + [{0: 0, 1: 1}] * 3 + [{0: 1, 1: 0, 2: 0}] * 3
    labels, judges = judged(rows, m=3)
    truth = np.array([1] * 6 + [-1] * 3)
    best = crowd.best_judge(labels, judges, truth, 3, 2, draws=20, rng=rng)
    assert (best.judge, best.pairs, best.naive, best.honest) == (0, 3, 1, 1)
    # one of three labels is right, two are where the tie holds judge 0, the majority of three never is
    assert best.majority["agreement"].tolist() == pytest.approx([1 / 3, 2 / 3, 0])
    assert best.majority["held_out"].tolist() == pytest.approx([1 / 3, 2 / 3, 0])


def test_a_judge_with_few_labels_cannot_be_the_best(rng):
    rows = [{0: 1, 1: 1, 2: 0}] * 4 + [{1: 1, 2: 0}] * 4 + [{1: 0, 2: 0}] * 2
    labels, judges = judged(rows)
    truth = np.ones(10, dtype=int)
    assert crowd.best_judge(labels, judges, truth, 2, 4, draws=5, rng=rng).judge == 0
    assert crowd.best_judge(labels, judges, truth, 2, 5, draws=5, rng=rng).judge == 1
    for fewest in (1, 11):
        with pytest.raises(ValueError, match=f"fewest is {fewest}, expected from 2 to 10"):
            crowd.best_judge(labels, judges, truth, 2, fewest, draws=5, rng=rng)


def test_the_best_of_many_equal_judges_is_only_lucky_and_the_honest_figure_says_so(rng):
    judges, truth, found = np.arange(20).repeat(20).reshape(-1, 1), np.ones(400, dtype=int), []
    for _ in range(20):
        labels = (rng.random(judges.shape) < 0.6).astype(np.int8)
        best = crowd.best_judge(labels, judges, truth, 1, 20, draws=25, rng=rng)
        found.append((best.naive, best.honest))
    naive, honest = np.mean(found, axis=0)
    assert naive > 0.75
    assert honest == pytest.approx(0.6, abs=0.05)


# Figures 2 and 3: distributions


def test_featured_judges_are_those_who_use_a_grade_most_beside_the_majority_of_the_others():
    rows = [{0: 2, 1: 0, 2: 0}, {0: 2, 1: 0, 2: 1}, {0: 1, 1: 1, 2: 1}, {3: 1}, {4: 2, 5: 2}]
    table = crowd.featured_judges(*judged(rows), 3, 3)
    counts = table.pivot(index=["featured", "judge", "by"], columns="grade", values="count")
    # 3 has one label, on a pair that nobody else labelled; 4 and 5 too few
    assert {key: row.tolist() for key, row in counts.iterrows()} == {
        (0, 1, "judge"): [2, 1, 0],
        (0, 1, "majority of the others"): [0, 1, 2],  # ties: {2, 0} and {2, 1} go to 2
        (1, 2, "judge"): [1, 2, 0],
        (1, 2, "majority of the others"): [0, 1, 2],
        (2, 0, "judge"): [0, 1, 2],
        (2, 0, "majority of the others"): [1, 2, 0],
    }
    assert table["share"].tolist() == pytest.approx((table["count"] / 3).tolist())


def test_homogeneity_is_pearsons_test_over_the_grades_that_occur(rng):
    counts = rng.integers(1, 30, size=(3, 4))
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    pearson = chisquare(counts.ravel(), expected.ravel(), ddof=counts.size - 1 - 6).pvalue
    assert crowd.homogeneity(counts) == pytest.approx(pearson)
    assert crowd.homogeneity(np.insert(counts, 2, 0, axis=1)) == pytest.approx(pearson)
    assert crowd.homogeneity(np.array([[0, 5], [0, 9]])) == 1


def test_the_distribution_counts_every_label_once():
    labels = np.array([[4, 0, 0], [1, -1, -1]])
    assert crowd.distribution(labels, 5).tolist() == [0.5, 0.25, 0, 0, 0.25]
    with pytest.raises(ValueError, match="labels go up to 4, expected at most 3: n_grades is 4"):
        crowd.distribution(labels, 4)
    with pytest.raises(ValueError, match="labels go up to 4"):
        crowd.featured_judges(labels, labels, 4, 2)


# the web-search crowd


def test_the_crowd_is_read_with_ids_as_text_or_says_where_it_comes_from(monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"label.csv is not here: data/README.md says where"):
        crowd.web_search()
    folder = tmp_path / "judgments" / "web-search-5level"
    folder.mkdir(parents=True)
    (folder / "label.csv").write_text("item,worker,label\n7,01,4\n8,01,0\n")
    (folder / "truth.csv").write_text("item,truth\n8,1\n")
    frame, truth = crowd.web_search()
    assert frame.to_numpy().tolist() == [["all", "7", "01", 4], ["all", "8", "01", 0]]
    assert truth.to_dict() == {"8": 1}


def test_the_truth_of_the_crowd_is_what_three_experts_say(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    frame, truth = crowd.web_search()
    matrix = judgments.coded(frame[frame["assessor"].isin(crowd.EXPERTS)])
    given, _ = matrix.labels
    three = (given >= 0).sum(axis=1) == 3
    labels = np.sort(given[three, :3], axis=1)
    known = truth.reindex(matrix.pairs["doc"][three]).to_numpy()
    differ = (np.diff(labels, axis=1) > 0).all(axis=1)
    middle = np.where(differ, labels.mean(axis=1).round(), labels[:, 1])
    assert (int(differ.sum()), len(known)) == (338, 2553)
    np.testing.assert_array_equal(known, middle)
