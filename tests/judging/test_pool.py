"""The pool of judges: who judges what, how often each label is given, and judges by a confusion matrix instead."""

import numpy as np
import pytest
from labeling_by_hand import ratio

from helpers.datasets.collection import offsets_of
from helpers.judging.confusion import load_confusions
from helpers.judging.pool import MIXED, AlikeJudges, Pool, Settings

POOL = Pool(Settings(leniency=-0.05, noise_irrelevant=0.8, noise_relevant=0.55, appeal=0.4))
QUADRATURE = np.polynomial.hermite_e.hermegauss(15)


def mean_chances(pool):
    """(5, 5) chance of each label (column) for a document of each grade (row), over judges and appeal."""
    nodes, weights = QUADRATURE
    chances = pool.label_chances(np.repeat(np.arange(5), len(nodes)), np.tile(nodes, 5)).mean(axis=1)
    return np.tensordot(chances.reshape(5, len(nodes), 5), weights / weights.sum(), axes=(1, 0))


def shares_of_labels(labels, grades, grade, label):
    """Share of a label among those given to documents of a grade, and its standard error, documents independent."""
    found = (labels[grades == grade] == label).mean(axis=1)
    return ratio(found, np.ones(len(found)))


# who judges


def test_all_documents_of_a_query_have_the_same_eleven_judges_but_in_the_papers_share_of_queries(rng):
    n_queries, group = 20_000, 3
    judges = POOL.assign(offsets_of(np.full(n_queries, group)), rng).reshape(n_queries, group, 11)
    same = (np.sort(judges) == np.sort(judges[:, :1])).all(axis=(1, 2))
    assert pytest.approx(364 / 2093) == MIXED
    assert abs(np.mean(~same) - MIXED) < 4 * np.sqrt(MIXED * (1 - MIXED) / n_queries)


def test_eleven_different_judges_of_the_pool_label_a_pair_each_as_often_as_any_other(rng):
    judges = POOL.assign(np.arange(20_001), rng)
    assert judges.shape == (20_000, 11)
    assert np.all(np.diff(np.sort(judges), axis=1) > 0)
    counts = np.bincount(judges.ravel(), minlength=120)
    expected = 20_000 * 11 / 120
    assert len(counts) == 120
    assert np.all(np.abs(counts - expected) < 5 * np.sqrt(expected))
    with pytest.raises(ValueError, match="per_pair is 121, expected at most the 120 judges of the pool"):
        POOL.assign(np.array([0, 2, 3]), rng, per_pair=121)


# what they say


def test_chances_are_those_computed_by_hand():
    """One judge, neither lenient nor severe, sees a Fair document that looks half a grade better than it is, at 1.5.

    His slips have the size σ = 0.8 √½ = 0.5657, so that he says 0 with Φ(-1 / σ) = 0.0385, 1 with 0.5 less that, 2
    with as much, 4 with Φ(-2 / σ) = 0.0002.
    """
    alone = Pool(Settings(leniency=0.0, noise_irrelevant=0.8, noise_relevant=0.3, appeal=0.4), n_judges=1)
    chances = alone.label_chances([1], [0.5 / 0.4])[0, 0]
    assert chances == pytest.approx([0.0385, 0.4615, 0.4615, 0.0383, 0.0002], abs=6e-5)


def test_judges_differ_around_the_same_mean_and_are_the_same_in_every_pool():
    assert POOL.severity.mean() == pytest.approx(0, abs=1e-12)
    assert np.all(np.diff(POOL.severity) > 0)
    assert POOL.severity.std() == pytest.approx(1, abs=0.02)
    assert np.mean(POOL.slip**2) == pytest.approx(1)
    assert abs(np.corrcoef(POOL.slip, POOL.severity)[0, 1]) < 0.2
    assert np.array_equal(Pool(POOL.settings).slip, POOL.slip)


WEB5 = load_confusions()["WEB5_truth_vs_worker"].probabilities


@pytest.mark.parametrize(("judges", "chances"), [(POOL, mean_chances(POOL)), (AlikeJudges(WEB5), WEB5)], ids=str)
def test_labels_of_each_grade_are_as_frequent_as_their_chances(judges, chances, rng):
    grades = np.repeat(np.arange(5), 8000)
    labels, _ = judges.draw(grades, np.arange(len(grades) + 1), rng, per_pair=3)
    assert (labels.dtype, labels.shape) == (np.int8, (len(grades), 3))
    for grade, label in np.ndindex(5, 5):
        share, error = shares_of_labels(labels, grades, grade, label)
        assert abs(share - chances[grade, label]) <= 4.5 * error + 1e-4


def test_what_a_document_has_for_everybody_and_the_severity_of_a_judge_tie_labels_together(rng):
    """Labels of a document go together more than its grade says, and so do those of a judge within a query."""
    n, group = 4000, 5
    labels, _ = POOL.draw(np.full(n * group, 2), offsets_of(np.full(n, group)), rng)
    of_document = np.corrcoef(labels[:, 0], labels[:, 1])[0, 1]
    of_judge = np.corrcoef(labels[::group, 0], labels[1::group, 0])[0, 1]
    of_neither = np.corrcoef(labels[::group, 0], labels[1::group, 1])[0, 1]
    assert of_document > 0.2
    assert of_judge > 0.2
    assert abs(of_neither) < 4 / np.sqrt(n)


def test_alike_judges_err_independently_of_each_other(rng):
    labels, judges = AlikeJudges(WEB5).draw(np.full(8000, 2), np.array([0, 8000]), rng, per_pair=3)
    assert np.array_equal(judges[0], [0, 1, 2])
    assert abs(np.corrcoef(labels[:, 0], labels[:, 1])[0, 1]) < 4 / np.sqrt(len(labels))
