"""Matrices by which judges of study 1 may err: which there are, and which fit a data set."""

import re

import numpy as np
import pandas as pd
import pytest

from helpers.command import notebooks
from helpers.datasets import letor, portrait
from helpers.datasets.collection import Collection
from helpers.studies.overlap import judge_fit, trial
from helpers.studies.overlap import protocol as study

SMALL = study.Scale(0.01, 5, 4, 1, 1, ("clean07",))


@pytest.fixture
def four_grades(rng, tmp_path):
    """A file of 60 queries of 8 documents, of which the first four have the grades 0 to 3."""
    grades = np.tile([0, 1, 2, 3, 0, 0, 0, 0], 60)
    collection = Collection(rng.normal(size=(480, 2)), grades, np.arange(0, 481, 8))
    letor.write(collection, tmp_path / "four.txt")
    return str(tmp_path / "four.txt")


def test_lines_and_pairs_are_summed_and_each_row_is_divided_by_its_sum(monkeypatch):
    counts = pd.DataFrame({"testing": ["A", "B"], "0 0": [3, 1], "0 1": [1, 0], "1 0": [0, 2], "1 1": [5, 1]})
    monkeypatch.setattr(judge_fit.results, "stored", lambda study: {"mine": {"counts": counts}, "other": {}})
    assert judge_fit.known()["mine"].tolist() == [[4 / 5, 1 / 5], [2 / 8, 6 / 8]]
    assert "other" not in judge_fit.known()


def test_raters_of_chorus_err_the_same_whichever_of_the_two_places_they_are_read_from():
    known = judge_fit.known()
    np.testing.assert_allclose(known["chorus"], known["CHORUS_rater_vs_rater_orderedpairs"], atol=1e-12)
    assert {name: len(known[name]) for name in ("relish", "chorus", "CF_rater1_vs_2")} == {
        "relish": 3,
        "chorus": 4,
        "CF_rater1_vs_2": 3,
    }


@pytest.mark.parametrize("name", judge_fit.known())
def test_every_matrix_can_judge_documents_of_as_many_grades(name, rng):
    n_grades = len(judge_fit.known()[name])
    grades = np.repeat(np.arange(n_grades), 500)
    judges = study.AlikeJudges(judge_fit.chosen(name, n_grades, "any"))
    labels, _ = judges.draw(grades, np.array([0, len(grades)]), rng, 1)
    shares = [np.bincount(labels[grades == grade, 0], minlength=n_grades) / 500 for grade in range(n_grades)]
    np.testing.assert_allclose(shares, judge_fit.known()[name], atol=0.1)


def test_a_matrix_of_other_grades_is_refused_with_those_that_fit(four_grades):
    found = f"a matrix of 3 grades, but {re.escape(four_grades)} has 4"
    message = f"judges is 'relish', {found}: expected DL19_.*chorus, llmjudge$"
    with pytest.raises(ValueError, match=message):
        study.judges_named("relish", "clean07", four_grades)
    with pytest.raises(ValueError, match=r"judges is 'chorus', .* has 5: expected RAG25_.*, WEB5_.*orderedpairs$"):
        study.judges_named("chorus", "clean07")
    with pytest.raises(
        ValueError, match=r"judges is 'nobody', the name of no matrix; mslr.* has 5 grades: expected RAG"
    ):
        study.judges_named("nobody", "clean07")


def test_without_a_name_the_pool_needs_its_five_grades(four_grades):
    with pytest.raises(
        ValueError, match=r"judges is empty, the pool fitted to clean07, which knows 5 .* has 4: expect"
    ):
        study.judges_named("", "clean07", four_grades)
    with pytest.raises(ValueError, match="td2003-portrait has 2: expected another data set, as no matrix has 2 grades"):
        study.judges_named("", "clean07", "td2003-portrait")


def test_what_does_not_fit_is_refused_before_anything_runs(four_grades):
    [own] = notebooks.find(["01"])

    def check(**given):
        notebooks.check_data(own, notebooks.settings(own, given))

    with pytest.raises(ValueError, match="judges is empty"):
        check(dataset=four_grades)
    with pytest.raises(ValueError, match="judges is 'relish'"):
        check(judges="relish")
    check(dataset=four_grades, judges="CHORUS_rater1_vs_2")


def test_queries_of_a_collection_are_its_own_and_at_most_as_many_as_it_has(four_grades, rng):
    parts = study.parts("clean07", SMALL, rng, four_grades)
    assert {name: part.n_queries for name, part in parts.items()} == {"training": 21, "validation": 5, "test": 12}
    assert parts["training"].group.max() == 8  # the label set has 15 a query
    assert parts["test"].group.max() == 4
    assert set(parts["training"].grades) == {0, 1, 2, 3}


def test_queries_are_drawn_of_any_portrait(rng):
    parts = study.parts("clean07", SMALL, rng, "ohsumed-portrait")
    assert {name: part.n_queries for name, part in parts.items()} == {"training": 21, "validation": 5, "test": 52}
    assert parts["training"].n_features == portrait.open("ohsumed").n_features
    assert study.n_grades("ohsumed-portrait") == 3


@pytest.mark.parametrize(("n_grades", "good"), [(2, 4), (3, 4), (4, 3), (5, 3)])
def test_good_or_above_is_the_upper_half_of_the_grades(n_grades, good, rng):
    """Six documents, of grades 0 0 1 2 3 4 cut off at the highest, judged without an error: so many are good."""
    grades = np.minimum([0, 0, 1, 2, 3, 4], n_grades - 1)
    judges = study.AlikeJudges(np.eye(n_grades))
    collection = Collection(rng.normal(size=(6, 1)), grades, [0, 6])
    run = trial.train_and_test(
        "mine", "RankSVM", "if-good-3", 0, rng=rng, training=collection, validation=collection, test=collection,
        judges=judges, per_pair=3, seeds=np.array([1]),
    )  # fmt: skip
    assert run["labels"] == pytest.approx(1 + 2 * good / 6)
    assert run["fair_to_good"] == pytest.approx((6 - good) / (3 * good))
