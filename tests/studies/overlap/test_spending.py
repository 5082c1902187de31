"""Budgets of labels, kinds of judges, and machines that judge first: whom they ask, and what trains."""

import numpy as np
import pytest
from overlap_by_hand import in_place_of_rankers, numbered

from helpers import rankers
from helpers.judging import pool, schemes
from helpers.judging.pool import Pool, Settings
from helpers.studies.overlap import judge_fit, trial
from helpers.studies.overlap import runs as overlap_runs

QUERIES, DOCS = 200, 10
KNOWN = Settings(leniency=0.0, noise_irrelevant=0.8, noise_relevant=0.6, appeal=0.4)
SURE = Pool(Settings(leniency=0.0, noise_irrelevant=1e-9, noise_relevant=1e-9, appeal=0.0))
SEEDS = np.array([11, 12, 13])
CALLS = [0, 2, 1, 4, 4]
"""What a machine calls a document of each grade: 1 and 3 too good, 2 too bad."""


@pytest.fixture
def made(monkeypatch):
    return in_place_of_rankers(monkeypatch)


@pytest.fixture(scope="module")
def parts():
    """Training documents with the grades that the expected cost of a scheme is worked out for."""
    rng = np.random.default_rng(5)
    shares = (np.arange(QUERIES * DOCS) + 0.5) / (QUERIES * DOCS)
    grades = rng.permutation(np.searchsorted(judge_fit.grade_shares().cumsum(), shares))
    training = numbered(rng, QUERIES, DOCS).with_grades(grades)
    return {"training": training, "validation": numbered(rng, 10), "test": numbered(rng, 10)}


def spend(parts, setting, budget, noises=(0.8, 0.6), known=KNOWN, draw=0, ranker="LambdaMART"):
    rng = np.random.default_rng(7)
    shared = {"known": known, "shares": judge_fit.grade_shares(), "seeds": SEEDS, **parts}
    return trial.spend(ranker, setting, budget, *noises, draw, rng=rng, **shared)


def ask(parts, route, pool=SURE, calls=CALLS, draw=0, ranker="LambdaMART"):
    rng, confusion = np.random.default_rng(7), np.eye(5)[calls]
    return trial.ask_machine(ranker, route, draw, rng=rng, pool=pool, confusion=confusion, seeds=SEEDS, **parts)


# grids


def test_every_budget_is_spent_by_every_scheme_with_the_fitted_judges():
    grid = overlap_runs.budget_grid(2)
    judges = judge_fit.stored()["clean07"]
    assert {(run["noise_irrelevant"], run["noise_relevant"]) for run in grid} == {
        (judges.noise_irrelevant, judges.noise_relevant)
    }
    runs = {(run["ranker"], run["setting"], run["budget"], run["draw"]) for run in grid}
    assert len(runs) == len(grid) == 2 * 3 * 5 * 2
    assert {budget for *_, budget, _ in runs} == {0.25, 0.5, 1.0}


def test_the_map_has_every_pair_of_noises_at_one_budget():
    grid = overlap_runs.map_grid(1)
    cells = {(run["noise_irrelevant"], run["noise_relevant"], run["setting"]) for run in grid}
    assert len(cells) == len(grid) == 3 * 3 * 4
    assert {run["budget"] for run in grid} == {0.5}


def test_every_route_is_taken_with_every_ranker():
    grid = overlap_runs.machine_grid(3, ["LambdaRank"])
    assert {(run["route"], run["draw"]) for run in grid} == {(r, d) for r in trial.ROUTES for d in range(3)}


# budgets


@pytest.mark.parametrize("budget", [0.125, 0.5, 1.0])
@pytest.mark.parametrize("setting", ["baseline", "3-overlap", "mv3", "gain-3"])
def test_a_budget_is_spent_up_to_half_a_query(made, parts, setting, budget):
    cost = schemes.parse(setting).k
    run = spend(parts, setting, budget)
    assert abs(run["spent"] - budget) <= cost / QUERIES / 2
    assert run["queries"] == round(budget / cost * QUERIES)
    assert len(np.unique(made[0].trained.rows)) == run["queries"] * DOCS


@pytest.mark.parametrize("setting", ["if-good-2", "if-good-3"])
def test_where_labels_decide_how_many_are_bought_the_budget_is_kept_on_average(made, parts, setting):
    runs = [spend(parts, setting, 0.5, draw=draw) for draw in range(3)]
    assert np.mean([run["spent"] for run in runs]) == pytest.approx(0.5, rel=0.05)
    expected = pool.expected(KNOWN, judge_fit.grade_shares(), [setting]).loc[setting, pool.COST]
    assert {run["queries"] for run in runs} == {round(0.5 / expected * QUERIES)}


def test_what_is_expected_of_a_scheme_is_expected_of_the_shares_of_the_grades_that_are_given(made, parts):
    shared = {"known": SURE.settings, "seeds": SEEDS, **parts}

    def queries(shares):
        rng = np.random.default_rng(7)
        run = trial.spend("LambdaMART", "if-good-3", 0.5, 1e-9, 1e-9, 0, rng=rng, shares=np.array(shares), **shared)
        return run["queries"]

    assert queries([0.0, 0.0, 1.0, 0.0, 0.0]) == round(QUERIES / 6)  # all are Good: three labels each
    assert queries([1.0, 0.0, 0.0, 0.0, 0.0]) == round(QUERIES / 2)


def test_a_budget_above_the_cost_of_all_queries_labels_them_all(made, parts):
    run = spend(parts, "baseline", 1.5)
    assert (run["queries"], run["spent"], run["labels"]) == (QUERIES, 1, 1)


def test_schemes_of_one_price_label_the_same_documents_and_validate_on_the_same_labels(made, parts):
    for setting in ("3-overlap", "mv3", "gain-3"):
        spend(parts, setting, 0.5)
    for model in made[1:]:
        assert set(model.trained.rows) == set(made[0].trained.rows)
        np.testing.assert_array_equal(model.trained.validation.grades, made[0].trained.validation.grades)
    spend(parts, "mv3", 0.5, draw=1)
    assert set(made[-1].trained.rows) != set(made[0].trained.rows)


def test_each_noise_is_about_its_own_documents(made, parts):
    settings = Settings(leniency=0.0, noise_irrelevant=9.0, noise_relevant=9.0, appeal=0.0)
    relevant = parts["training"].grades >= 2
    for noises, clean in (((1e-9, 2.0), ~relevant), ((2.0, 1e-9), relevant)):
        spend(parts, "baseline", 1.0, noises, settings)
        right = made[-1].trained.labels == parts["training"].grades
        assert right[clean].all()
        assert right[~clean].mean() < 0.6


# machines and people


@pytest.mark.parametrize(
    ("route", "asked", "labels"),
    [
        ("person", [0, 1, 2, 3, 4], {0: [0], 1: [1], 2: [2], 3: [3], 4: [4]}),
        ("machine", [], {0: [0], 1: [2], 2: [1], 3: [4], 4: [4]}),
        ("machine, person where good", [1, 3, 4], {0: [0], 1: [1], 2: [1], 3: [3], 4: [4]}),
        ("both where good", [1, 3, 4], {0: [0], 1: [2, 1], 2: [1], 3: [4, 3], 4: [4, 4]}),
        ("both", [0, 1, 2, 3, 4], {0: [0, 0], 1: [2, 1], 2: [1, 2], 3: [4, 3], 4: [4, 4]}),
    ],
)
def test_whom_a_route_asks_and_which_labels_train(made, parts, route, asked, labels):
    run, grades = ask(parts, route), parts["training"].grades
    assert run["person_labels"] == pytest.approx(np.isin(grades, asked).mean())
    trained = made[0].trained
    by_document = [[] for _ in grades]
    for row, label in zip(trained.rows, trained.labels, strict=True):
        by_document[row].append(label)
    assert by_document == [labels[grade] for grade in grades]
    assert run["instances"] == pytest.approx(np.mean([len(labels[grade]) for grade in grades]))
    assert (trained.weights == 1).all()


def test_persons_say_the_same_on_every_route_of_a_draw(made, parts):
    noisy = Pool(KNOWN)
    for route in ("person", "both"):
        ask(parts, route, noisy)
    alone, both = (model.trained for model in made[::2])
    np.testing.assert_array_equal(alone.labels, both.labels[1::2])
    np.testing.assert_array_equal(alone.validation.grades, both.validation.grades)
    ask(parts, "person", noisy, draw=1)
    assert not np.array_equal(alone.labels, made[-1].trained.labels)


def test_validation_labels_are_those_of_persons(made, parts):
    ask(parts, "machine", calls=[4, 4, 4, 4, 4])
    np.testing.assert_array_equal(made[0].trained.validation.grades, parts["validation"].grades)


def test_an_unknown_route_is_refused(parts):
    with pytest.raises(ValueError, match="route is 'nobody', expected one of person, machine"):
        ask(parts, "nobody")


# all rankers


@pytest.fixture(scope="module")
def few(parts):
    return parts | {"training": parts["training"].take_queries(np.arange(40))}


@pytest.mark.parametrize("ranker", rankers.NAMES)
def test_every_ranker_spends_a_budget_by_every_scheme(few, ranker):
    for setting in overlap_runs.SCHEMES:
        assert 0 <= spend(few, setting, 0.5, ranker=ranker)["ndcg@3"] <= 1


@pytest.mark.parametrize("ranker", rankers.NAMES)
def test_every_ranker_trains_on_what_machines_and_persons_say(few, ranker):
    for route in ("both", "both where good"):
        assert 0 <= ask(few, route, ranker=ranker)["ndcg@3"] <= 1
