"""Judges of study 1: the pool that is fitted to printed costs, and the matrices by which judges may err."""

from dataclasses import astuple
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from labeling_by_hand import ratio

from helpers.command import notebooks, rules
from helpers.datasets.collection import offsets_of
from helpers.judging import pool, schemes
from helpers.judging.pool import COST, RATIO, Pool, Settings
from helpers.judging.schemes import GOOD
from helpers.studies.overlap import judge_fit
from helpers.studies.overlap import protocol as study

KNOWN = judge_fit.stored()["clean07"]
N_QUERIES, GROUP = 2000, 20
STANDARD_ERRORS = 4


@pytest.fixture(scope="module")
def drawn():
    """Labels (40,000, 11) of documents with the grade shares of the fit, GROUP of them a query."""
    rng = np.random.default_rng(40_000)
    shares = judge_fit.grade_shares()
    grades = rng.choice(5, N_QUERIES * GROUP, p=shares)
    labels, _ = Pool(KNOWN).draw(grades, offsets_of(np.full(N_QUERIES, GROUP)), rng)
    return labels


@pytest.fixture(scope="module")
def expected():
    return pool.expected(KNOWN, judge_fit.grade_shares(), schemes.PAPER)


def per_query(values, rows=None):
    """(N_QUERIES,) sums of values of documents, or of the training instances of documents."""
    rows = np.arange(len(values)) if rows is None else rows
    return np.bincount(rows // GROUP, values, minlength=N_QUERIES)


# what is expected of a pool


@pytest.mark.parametrize("t", [1, 2, 3, 11])
def test_expected_moments_are_those_of_40_000_drawn_pairs(drawn, t):
    """The first t of the judges of a pair, who are drawn in random order, all say Good or above."""
    found, error = ratio(per_query((drawn[:, :t] >= GOOD).all(axis=1)), np.full(N_QUERIES, GROUP))
    assert abs(found - pool.moments(KNOWN, judge_fit.grade_shares())[t - 1]) < STANDARD_ERRORS * error


@pytest.mark.parametrize("name", schemes.PAPER)
def test_expected_ratios_and_costs_are_those_of_40_000_drawn_pairs(drawn, expected, name):
    sample = schemes.collect(name, drawn, np.random.default_rng(3))
    cost, cost_error = ratio(per_query(sample.bought), np.full(N_QUERIES, GROUP))
    assert abs(cost - expected.loc[name, COST]) <= STANDARD_ERRORS * cost_error
    good, fair = (
        per_query(sample.weights * side, sample.rows) for side in (sample.grades >= GOOD, sample.grades < GOOD)
    )
    fair_to_good, error = ratio(fair, good)
    assert abs(fair_to_good - expected.loc[name, RATIO]) <= STANDARD_ERRORS * error
    assert error < 0.05 * fair_to_good


def test_judges_who_never_err_give_the_ratio_of_the_grades_and_buy_what_it_says():
    """A quarter of the documents is Good, for everybody: if-good-3 buys 1 + 2/4 and has 3 Good+ for 3 Fair-."""
    sure = Settings(leniency=0.0, noise_irrelevant=1e-9, noise_relevant=1e-9, appeal=0.0)
    found = pool.expected(sure, np.array([0.5, 0.25, 0.25, 0, 0]), ("baseline", "mv3", "highest-3", "if-good-3"))
    assert found[COST].tolist() == pytest.approx([1, 3, 3, 1.5])
    assert found[RATIO].tolist() == pytest.approx([3, 3, 3, 1])
    assert pool.moments(sure, np.array([0.5, 0.25, 0.25, 0, 0])) == pytest.approx(np.full(11, 0.25))


# the fit


def test_the_stored_settings_come_out_again_from_published_costs_and_nothing_else(monkeypatch):
    read = []
    read_csv = pd.read_csv
    monkeypatch.setattr(pd, "read_csv", lambda path, **options: read.append(Path(path)) or read_csv(path, **options))
    fitted = judge_fit.fit("clean07")
    assert astuple(fitted) == pytest.approx(astuple(KNOWN), abs=1e-4)
    assert {path.name for path in read} == {"yang2010_costs.csv"}


def test_what_is_fitted_to_is_in_tables_6_to_8_and_says_nothing_of_accuracy():
    printed = judge_fit.printed()
    assert set(printed.columns) == {"source", "table", "label_set", "setting", RATIO, COST, "training_overhead"}
    assert set(printed["table"]) == {"Table 6", "Table 7", "Table 8"}
    rows = printed.set_index(["label_set", "setting"])
    at = [("clean07", "mv3", RATIO), ("clean08", "good-till-bad", COST), ("clean+", "if-good-3", COST)]
    assert [rows.loc[place[:2], place[2]] for place in at] == [4.49, 1.98, 1.48]


def test_a_pool_whose_costs_were_printed_would_be_found(monkeypatch):
    """Six numbers fix the four settings: without rounding they come out as they went in."""
    truth = Settings(leniency=0.1, noise_irrelevant=0.6, noise_relevant=0.8, appeal=0.3)
    exact = pool.expected(truth, judge_fit.grade_shares(), tuple(judge_fit.printed()["setting"].unique()))
    monkeypatch.setattr(judge_fit, "printed", lambda: exact.reset_index().assign(label_set="clean08"))
    assert astuple(judge_fit.fit("clean08")) == pytest.approx(astuple(truth), abs=1e-3)


def test_clean_plus_keeps_the_appeal_and_the_ratio_of_noises_that_it_starts_from():
    fitted = judge_fit.fit("clean+", KNOWN)
    assert fitted.appeal == KNOWN.appeal
    assert fitted.noise_relevant / fitted.noise_irrelevant == pytest.approx(
        KNOWN.noise_relevant / KNOWN.noise_irrelevant
    )
    assert astuple(fitted) == pytest.approx(astuple(judge_fit.stored()["clean+"]), abs=1e-4)


# printed beside fitted


def test_what_the_settings_are_fitted_to_is_near_what_is_printed():
    again = judge_fit.table(judge_fit.stored())
    assert again.groupby("label_set")["used"].sum().to_dict() == {"clean+": 5, "clean07": 6, "clean08": 6}
    fitted = again[again["used"] & (again["label_set"] != "clean+")]
    assert (fitted["fitted"] / fitted["printed"]).to_numpy() == pytest.approx(np.ones(12), abs=0.03)


# matrices


def test_lines_and_pairs_are_summed_and_each_row_is_divided_by_its_sum(monkeypatch):
    counts = pd.DataFrame({"testing": ["A", "B"], "0 0": [3, 1], "0 1": [1, 0], "1 0": [0, 2], "1 1": [5, 1]})
    monkeypatch.setattr(judge_fit.results, "stored", lambda study: {"mine": {"counts": counts}, "other": {}})
    assert judge_fit.known()["mine"].tolist() == [[4 / 5, 1 / 5], [2 / 8, 6 / 8]]
    assert "other" not in judge_fit.known()


def test_eleven_grades_are_summed_in_the_order_of_their_numbers():
    grades = range(11)
    counts = pd.DataFrame([{f"{i} {j}": 100 * i + j for i in grades for j in grades}])
    assert judge_fit.summed(counts).tolist() == [[100 * i + j for j in grades] for i in grades]


FOUR = "the file of four grades"
REFUSED = [
    (("relish", FOUR), r"judges is 'relish', a matrix of 3 grades, but .*four.txt has 4: expected DL19_.*llmjudge$"),
    (("chorus", study.DATASET), r"judges is 'chorus', .* has 5: expected RAG25_.*, WEB5_.*orderedpairs$"),
    (("nobody", study.DATASET), r"judges is 'nobody', the name of no matrix; mslr.* has 5 grades: expected RAG"),
    (("", FOUR), r"judges is empty, the pool fitted to clean07, which knows 5 .* has 4: expect"),
    (("", "td2003-portrait"), "td2003-portrait has 2: expected another data set, as no matrix has 2 grades"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_judges_of_other_grades_are_refused_with_those_that_fit(four_grades, given, message):
    name, dataset = given
    with pytest.raises(ValueError, match=message):
        study.judges_named(name, "clean07", four_grades if dataset == FOUR else dataset)


def test_what_does_not_fit_is_refused_before_anything_runs(four_grades):
    [own] = notebooks.find(["01"])
    with pytest.raises(ValueError, match="judges is 'relish'"):
        rules.check_data(own, notebooks.settings(own, {"judges": "relish"}))
    rules.check_data(own, notebooks.settings(own, {"dataset": four_grades, "judges": "CHORUS_rater1_vs_2"}))
