from itertools import product

import numpy as np
import pytest

from helpers.datasets.collection import majority_grade
from helpers.judging.confusion import draw_labels, draw_pool, load_confusions, majority

HEADER = "matrix,testing,training,count,source\n"


def write(path, rows):
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows))
    return path


# known matrices


def test_the_published_matrices_are_all_there_with_scale_and_source():
    known = load_confusions()
    assert len(known) >= 30
    for name, pair in known.items():
        assert pair.name == name
        assert pair.counts.shape == (len(pair.testing_grades), len(pair.training_grades))
        assert pair.source
        np.testing.assert_allclose(pair.probabilities.sum(axis=1), 1)
    web5 = known["WEB5_truth_vs_worker"]
    assert web5.counts.sum() == 15_539
    assert web5.source.startswith("yuan-li/truth-inference-at-scale")
    assert web5.testing_grades == web5.training_grades == (0, 1, 2, 3, 4)


def test_a_file_of_the_users_own_may_hold_rounded_probabilities_in_any_order_and_rows_of_zeros_are_unknown(tmp_path):
    rows = ["C,1,1,0.9,paper", "C,0,0,0.8,paper", "C,0,1,0.2,paper", "C,1,0,0.1,paper"]
    thirds = ["D,0,0,.33,x", "D,0,1,.33,x", "D,0,2,.33,x", "D,1,0,0,x", "D,1,1,0,x", "D,1,2,0,x"]
    path = write(tmp_path / "mine.csv", rows + thirds)
    for source in (path, tmp_path):
        found = load_confusions(source)
        np.testing.assert_allclose(found["C"].probabilities, [[0.8, 0.2], [0.1, 0.9]])
        np.testing.assert_allclose(found["D"].probabilities, [[1 / 3] * 3, [np.nan] * 3])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["C,0,0,1,x", "C,0,1,-2,x"], "line 3: count is -2, expected a number of at least 0"),
        (["C,0,0,many,x"], "line 2: count is many"),
        (["C,0,0,1,x", "C,0,0,1,x"], "line 3: matrix is C, expected each testing, training pair once"),
        (["C,0,0,1,x", "C,0,1,1e300,x"], "line 3: count is 1e300, expected a number of at least 0 and at most"),
        (["C,0,0,1,x", "C,0,1,1,"], "line 3: source is , expected a name: it is empty"),
        (["C,0,0,1,x", ",0,1,1,x"], "line 3: matrix is , expected a name"),
        (["C,0,0,1,x", "C,0,bad,1,x"], "line 3: training is bad, expected a whole number, the name of a grade"),
        (
            ["C,0,0,.5,x", "C,0,1,.5,x", "C,1,0,.5,x", "C,1,1,.4,x"],
            "line 4: matrix C .* for testing 1 .* 0.9, expected 1",
        ),
        ([], "no cell, expected a row for each"),
        (["C,0,0,1,x", "C,1,1,1,x"], "matrix C has no cell 0, 1"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, rows, message):
    path = write(tmp_path / "mine.csv", rows)
    with pytest.raises(ValueError, match=f"mine.csv.*{message}"):
        load_confusions(path)


def test_a_file_without_the_columns_and_an_empty_directory_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"no CSV file here"):
        load_confusions(tmp_path)
    (tmp_path / "mine.csv").write_text("matrix,testing,count\nC,0,1\n")
    with pytest.raises(ValueError, match=r"mine.csv: no column training, source among matrix, testing, count, exp"):
        load_confusions(tmp_path)


# drawing labels


def test_labels_follow_the_row_of_their_grade(rng):
    confusion = load_confusions()["WEB5_truth_vs_worker"].probabilities
    n, n_grades = 40_000, len(confusion)
    labels = draw_labels(np.repeat(np.arange(n_grades), n).reshape(n_grades, n), confusion, rng)
    assert (labels.shape, labels.dtype) == ((n_grades, n), np.int8)
    shares = np.stack([np.bincount(row, minlength=n_grades) / n for row in labels])
    errors = np.sqrt(confusion * (1 - confusion) / n)
    assert np.all(np.abs(shares - confusion) < 5 * errors)


def test_a_pool_gives_one_column_a_judge(rng):
    judges = np.array([[[1, 0], [0, 1]], [[0, 1], [1, 0]], [[0, 1], [0, 1]]])
    labels = draw_labels([0, 1, 1, 0], judges, rng)
    np.testing.assert_array_equal(labels.T, [[0, 1, 1, 0], [1, 0, 0, 1], [1, 1, 1, 1]])


@pytest.mark.parametrize(
    ("grades", "confusion", "message"),
    [
        ([0, 2], [[1, 0], [0, 1]], "grades run from 0 to 2, expected 0 to 1"),
        ([-1], [[1, 0], [0, 1]], "grades run from -1 to -1"),
        ([0, 1], [[1, 0], [np.nan, np.nan]], r"row 1 is unknown \(NaN\), but documents have grade 1"),
        ([0], [[0.5, 0.6]], r"row 0 is \[0.5, 0.6\]"),
        ([0], [[[1, 0]], [[2, -1]]], r"row \(1, 0\) is \[2.0, -1.0\]"),
    ],
)
def test_labels_that_cannot_be_drawn_are_refused(grades, confusion, message, rng):
    with pytest.raises(ValueError, match=message):
        draw_labels(grades, confusion, rng)


def test_a_pool_varies_around_the_common_matrix_as_its_concentration_says(rng):
    common = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]])
    for concentration in (4, [4, 40]):
        pool = draw_pool(common, 20_000, concentration, rng)
        variance = common * (1 - common) / (np.broadcast_to(concentration, 2)[:, None] + 1)
        np.testing.assert_allclose(pool.mean(axis=0), common, atol=0.01)
        np.testing.assert_allclose(pool.var(axis=0), variance, rtol=0.05)
        np.testing.assert_allclose(pool.sum(axis=2), 1)


def test_a_pool_keeps_unknown_rows_and_refuses_a_concentration_of_0(rng):
    pool = draw_pool([[0.5, 0.5], [np.nan, np.nan]], 3, 2, rng)
    np.testing.assert_array_equal(np.isnan(pool).all(axis=(0, 2)), [False, True])
    with pytest.raises(ValueError, match="concentration is 0, expected numbers above 0"):
        draw_pool([[1, 0]], 3, 0, rng)


# majorities


@pytest.mark.parametrize(
    ("votes", "grade"),
    [
        ([1, 2, 2, 0, 0], 2),  # the paper's example: Good ties with Fair, ceil(2 / 2) = 1st
        ([0, 0, 1, 0, 0], 2),
        ([1, 1, 1, 0, 0], 1),  # three tie: the 2nd from the top
        ([1, 1, 0, 1, 1], 3),  # four tie: the 2nd from the top
        ([1, 1, 1, 1, 1], 2),  # five tie: the 3rd
        ([3, 1, 0, 0, 1], 0),
    ],
)
def test_the_majority_is_the_papers_also_in_a_tie(votes, grade):
    assert majority_grade(votes) == grade


@pytest.mark.parametrize("m", [1, 4])
def test_the_majoritys_matrix_equals_enumeration_of_all_ballots(m, rng):
    single = rng.dirichlet(np.ones(4), size=3)
    expected = np.zeros((3, 4))
    for ballot in product(range(4), repeat=m):
        winner = majority_grade(np.bincount(ballot, minlength=4))
        expected[:, winner] += single[:, ballot].prod(axis=1)
    np.testing.assert_allclose(majority(single, m), expected, atol=1e-14)


def test_the_majority_keeps_unknown_rows_and_refuses_no_judge():
    np.testing.assert_allclose(majority([[0.9, 0.1], [np.nan, np.nan]], 3), [[0.972, 0.028], [np.nan, np.nan]])
    for m in (0, 1.5):
        with pytest.raises(ValueError, match=f"m is {m}, expected a whole number"):
            majority(np.eye(2), m)
