"""Simulated assessors behave as they are described; the real ones are read where they are."""

import numpy as np
import pytest

from helpers import paths
from helpers.judging import judgments
from helpers.judging.confusion import load_confusions, ordinal_confusion
from helpers.studies.bounds import judges


def test_an_ordinal_assessor_is_right_as_often_as_asked_and_errs_by_small_steps():
    matrix = ordinal_confusion(5, 0.6)
    assert matrix.sum(axis=1) == pytest.approx(np.ones(5))
    assert np.diag(matrix) == pytest.approx(np.full(5, 0.6))
    assert matrix[0, 1:4] / matrix[0, 2:] == pytest.approx([2, 2, 2])
    assert matrix == pytest.approx(matrix[::-1, ::-1])


def test_a_lenient_assessor_errs_upwards():
    matrix = ordinal_confusion(5, 0.6, leniency=0.5)
    assert matrix[2, 3] / matrix[2, 1] == pytest.approx(3)
    assert matrix == pytest.approx(ordinal_confusion(5, 0.6, leniency=-0.5)[::-1, ::-1])


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


def test_with_a_concentration_every_query_has_habits_of_its_own(rng):
    def spread(**settings):
        pool = judges.simulated(60, rng, counts=(60, 30, 10), **settings)
        pairs = judgments.paired(pool.frame, "gold", "bronze")
        counts = judgments.query_confusion_counts(pairs, 3)
        return (counts[:, 0, 0] / counts[:, 0].sum(axis=1)).std()

    assert spread(concentration=2) > 2 * spread()


def test_the_queries_of_simulated_assessors_are_shaped_like_mslrs(rng):
    pool = judges.simulated(40, rng)
    assert pool.n_grades == 5
    assert pool.elsewhere.counts.shape == (5, 5)
    assert pool.frame["query"].nunique() == 40


def test_without_their_files_no_real_judges_are_here(monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path))
    assert paths.here(judges.REAL) == {}
    with pytest.raises(FileNotFoundError, match=r"cfquery is not here: data/README.md says where"):
        judges.cystic_fibrosis()


def test_the_real_judges_where_they_are(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    here = paths.here(judges.REAL)
    assert {name: (pool.frame["assessor"].nunique(), len(pool.pairs)) for name, pool in here.items()} == {
        "cystic-fibrosis": (4, 12),
        "llmjudge": (34, 33),
        "chorus": (3, 6),
        "relish": (2, 2),
    }
    for pool in here.values():
        assert pool.elsewhere.counts.shape == (pool.n_grades, pool.n_grades)
        assert pool.frame["grade"].max() == pool.n_grades - 1


def test_what_relish_judged_twice_is_all_sixty_articles_of_a_seed(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    frame = judges.relish().frame
    assert frame["query"].nunique() == 78
    assert frame.groupby(["query", "assessor"]).size().unique().tolist() == [60]
    assert not frame.duplicated(["query", "doc", "assessor"]).any()


def test_the_stored_matrices_of_chorus_are_those_of_its_raters(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    frame, known = judges.chorus().frame, load_confusions()
    total = np.zeros((4, 4), dtype=int)
    for first, second in [(1, 2), (1, 3), (2, 3)]:
        counts = judgments.confusion_counts(frame, f"agent_{first}", f"agent_{second}", 4)
        np.testing.assert_array_equal(known[f"CHORUS_rater{first}_vs_{second}"].counts, counts)
        total += counts + counts.T
    np.testing.assert_array_equal(known["CHORUS_rater_vs_rater_orderedpairs"].counts, total)
    assert total.sum() == 6 * 3188
