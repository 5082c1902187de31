"""Simulated assessors behave as they are described; the real ones are read where they are."""

import itertools

import numpy as np
import pytest

from helpers import paths
from helpers.judging import judgments
from helpers.judging.confusion import load_confusions, ordinal_confusion
from helpers.studies.bounds import judges


def test_an_ordinal_assessor_is_right_as_often_as_asked_errs_by_small_steps_and_when_lenient_upwards():
    matrix, lenient = ordinal_confusion(5, 0.6), ordinal_confusion(5, 0.6, leniency=0.5)
    assert matrix.sum(axis=1) == pytest.approx(np.ones(5))
    assert np.diag(matrix) == pytest.approx(np.full(5, 0.6))
    assert matrix[0, 1:4] / matrix[0, 2:] == pytest.approx([2, 2, 2])
    assert matrix == pytest.approx(matrix[::-1, ::-1])
    assert lenient[2, 3] / lenient[2, 1] == pytest.approx(3)
    assert lenient == pytest.approx(ordinal_confusion(5, 0.6, leniency=-0.5)[::-1, ::-1])


@pytest.mark.parametrize(("accuracy", "leniency"), [(1.1, 0), (-0.1, 0), (0.5, 1), (0.5, -1)])
def test_impossible_assessors_are_refused(accuracy, leniency):
    with pytest.raises(ValueError, match=f"accuracy is {accuracy} and leniency {leniency}, expected"):
        ordinal_confusion(3, accuracy, leniency)


def test_simulated_assessors_grade_the_same_documents_and_agree_as_their_accuracy_says(rng):
    pool = judges.simulated(30, rng, counts=(20, 10, 5))
    assert pool.frame.groupby("assessor").size().to_dict() == {"gold": 1050, "silver": 1050, "bronze": 1050}
    assert len(pool.pairs) == 6
    wide = pool.frame.pivot(index=["query", "doc"], columns="assessor", values="grade")
    agree = {name: (wide["gold"] == wide[name]).mean() for name in ("silver", "bronze")}
    assert 0.85 * 0.7 - 0.05 < agree["silver"] < 0.85 * 0.7 + 0.1  # by chance also where both are wrong
    assert agree["bronze"] < agree["silver"]
    like_mslr = judges.simulated(40, rng)
    assert (like_mslr.n_grades, like_mslr.frame["query"].nunique()) == (5, 40)


def test_with_a_concentration_every_query_has_habits_of_its_own(rng):
    def spread(**settings):
        pool = judges.simulated(60, rng, counts=(60, 30, 10), **settings)
        pairs = judgments.paired(pool.frame, "gold", "bronze")
        counts = judgments.query_confusion_counts(pairs, 3)
        return (counts[:, 0, 0] / counts[:, 0].sum(axis=1)).std()

    assert spread(concentration=2) > 2 * spread()


def test_without_their_files_no_real_judges_are_here(monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path))
    assert paths.here(judges.REAL) == {}
    with pytest.raises(FileNotFoundError, match=r"cfquery is not here: data/README.md says where"):
        judges.cystic_fibrosis()


def test_the_real_judges_where_they_are(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    here = paths.here(judges.REAL)
    sizes = {name: (pool.frame["assessor"].nunique(), len(pool.pairs)) for name, pool in here.items()}
    assert sizes == {"cystic-fibrosis": (4, 12), "llmjudge": (34, 33), "chorus": (3, 6), "relish": (2, 2)}
    for pool in here.values():
        assert pool.elsewhere.counts.shape == (pool.n_grades, pool.n_grades)
        assert pool.frame["grade"].max() == pool.n_grades - 1
        assert not pool.frame.duplicated(["query", "doc", "assessor"]).any()
    twice = here["relish"].frame.groupby(["query", "assessor"]).size()  # all sixty articles of a seed
    assert (len(twice), set(twice)) == (2 * 78, {60})
    known, total = load_confusions(), np.zeros((4, 4), dtype=int)
    for first, second in itertools.combinations((1, 2, 3), 2):
        counts = judgments.confusion_counts(here["chorus"].frame, f"agent_{first}", f"agent_{second}", 4)
        np.testing.assert_array_equal(known[f"CHORUS_rater{first}_vs_{second}"].counts, counts)
        total += counts + counts.T
    np.testing.assert_array_equal(known["CHORUS_rater_vs_rater_orderedpairs"].counts, total)
