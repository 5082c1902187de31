"""One run of study 1: whose labels train, validate and test, what is bought, and what it costs."""

import numpy as np
import pytest
from overlap_by_hand import FirstFeature, in_place_of_rankers, numbered

from helpers import metrics, rankers
from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.judging import pool, schemes
from helpers.judging.pool import AlikeJudges, Pool, Settings
from helpers.studies.overlap import judge_fit, trial
from helpers.studies.overlap import protocol as study

KNOWN = Settings(leniency=0.0, noise_irrelevant=0.8, noise_relevant=0.6, appeal=0.4)
NOISY = Pool(KNOWN)
SURE = Pool(Settings(leniency=0.0, noise_irrelevant=1e-9, noise_relevant=1e-9, appeal=0.0))
SEEDS = np.array([11, 12, 13])
QUERIES, DOCS = 200, 10
"""That a budget is spent on."""

CALLS = [0, 2, 1, 4, 4]
"""What a machine calls a document of each grade: 1 and 3 too good, 2 too bad."""

KINDS = ("baseline", "3-overlap", "if-good-x3", "gain-3")
"""Schemes that train on labels, on copies of documents, on weights and on gains."""


@pytest.fixture
def made(monkeypatch):
    return in_place_of_rankers(monkeypatch)


@pytest.fixture
def parts():
    rng = np.random.default_rng(5)
    return {name: numbered(rng, n) for name, n in (("training", 30), ("validation", 10), ("test", 20))}


@pytest.fixture(scope="module")
def many():
    """Parts whose training documents have the grades that the expected cost of a scheme is worked out for."""
    rng = np.random.default_rng(5)
    shares = (np.arange(QUERIES * DOCS) + 0.5) / (QUERIES * DOCS)
    grades = rng.permutation(np.searchsorted(judge_fit.grade_shares().cumsum(), shares))
    training = numbered(rng, QUERIES, DOCS).with_grades(grades)
    return {"training": training, "validation": numbered(rng, 10), "test": numbered(rng, 10)}


@pytest.fixture
def few(rng):
    """The second feature tells the grade as well, but less well."""
    return {name: numbered(rng, n, 8) for name, n in (("training", 20), ("validation", 5), ("test", 10))}


@pytest.fixture(scope="module")
def judged():
    """Three grades, and four judges who say so, or one less, or one more."""
    rng = np.random.default_rng(3)
    collection = numbered(rng, 16, 8)
    grades = np.digitize(collection.features[:, 0], [0.6, 0.9])
    labels = np.clip(grades[:, None] + rng.integers(-1, 2, size=(len(grades), 4)), 0, 2).astype(np.int8)
    return collection.with_grades(grades), labels


def run(trial_of, *parameters, seed=7, **shared):
    return trial_of(*parameters, rng=np.random.default_rng(seed), seeds=SEEDS, **shared)


def one_run(parts, setting, ranker="LambdaMART", draw=0, judges=NOISY, seed=7):
    per_pair = study.LABEL_SETS["clean07"].per_pair
    given = {"judges": judges, "per_pair": per_pair} | parts
    return run(trial.train_and_test, "clean07", ranker, setting, draw, seed=seed, **given)


def spend(many, setting, budget, noises=(0.8, 0.6), known=KNOWN, draw=0):
    shared = {"known": known, "shares": judge_fit.grade_shares()} | many
    return run(trial.spend, "LambdaMART", setting, budget, *noises, draw, **shared)


def ask(many, route, pool=SURE, calls=CALLS, draw=0):
    return run(trial.ask_machine, "LambdaMART", route, draw, pool=pool, confusion=np.eye(5)[calls], **many)


def learn(few, queries=4, documents=3, labels=2, draw=0):
    return run(trial.learn, "LambdaMART", queries, documents, labels, draw, judges=NOISY, **few)


def learn_from_people(judged, queries, documents, labels):
    shared = {"collection": judged[0], "given": judged[1], "order": np.random.default_rng(8).permutation(16)}
    return run(trial.learn_from_people, "LambdaMART", queries, documents, labels, 0, 0, **shared)


# what rankers are given


def firsts(model):
    """The first training label of every document."""
    rows, places = np.unique(model.trained.rows, return_index=True)
    assert rows.tolist() == list(range(300))
    return model.trained.labels[places]


def test_labels_of_a_draw_train_and_validate_alike_for_all_settings_and_rankers_and_test_grades_are_the_truth(
    made, parts
):
    for setting in ("baseline", "11-overlap", "if-good-x3", "good-till-bad"):
        assert one_run(parts, setting)["ndcg@10"] == 1  # the first feature tells the true grade
    one_run(parts, "if-good-3", "LambdaRank", seed=8)
    labels, watched = firsts(made[0]), made[0].trained.validation
    assert not np.array_equal(labels, parts["training"].grades)
    assert 0.3 < np.mean(watched.grades == parts["validation"].grades) < 0.9
    for model in made[1:]:
        np.testing.assert_array_equal(firsts(model), labels)
        np.testing.assert_array_equal(model.trained.validation.grades, watched.grades)
        np.testing.assert_array_equal(model.trained.validation.features, parts["validation"].features)
    one_run(parts, "baseline", draw=1)
    assert not np.array_equal(firsts(made[-1]), labels)


@pytest.mark.parametrize(("setting", "copies"), [("baseline", 1), ("3-overlap", 3), ("mv3", 1), ("if-good-4", 4)])
def test_where_documents_have_copies_lambdamart_counts_them_all(made, parts, setting, copies):
    one_run(parts, setting)
    assert [np.bincount(model.trained.rows).max() for model in made] == [copies, copies]
    assert [model.settings["lambdarank_truncation_level"] for model in made] == [30 * copies] * 2
    assert [model.settings["min_data_in_leaf"] for model in made] == [100 * copies, 300 * copies]


@pytest.mark.parametrize(
    ("ranker", "of", "better", "worse"),
    [
        ("LambdaMART", "min_data_in_leaf", 100, 300),
        ("LambdaMART", "min_data_in_leaf", 300, 100),
        ("LambdaRank", "learning_rate", 0.001, 0.0002),
        ("LambdaRank", "learning_rate", 0.0002, 0.001),
    ],
)
def test_the_better_choice_by_validation_is_taken(monkeypatch, rng, parts, ranker, of, better, worse):
    made = in_place_of_rankers(monkeypatch, backwards_at=[worse], of=of)
    sample = schemes.collect("baseline", parts["training"].grades[:, None], None)
    assert trial.fitted(ranker, parts["training"], sample, parts["validation"], rng).settings[of] == better
    assert len({model.settings["random_state"] for model in made}) == 1
    assert ("lambdarank_truncation_level" in made[0].settings) == (ranker == "LambdaMART")


def test_a_ranker_knows_the_gain_of_each_label_and_tripled_weights(made, parts):
    for setting in ("gain-3", "if-good-x3"):
        one_run(parts, setting)
    finer, trained = made[0].settings["gains"], made[-1].trained
    assert (len(finer) > 5, min(finer), max(finer)) == (True, 0, 15)
    assert "gains" not in made[-1].settings
    np.testing.assert_array_equal(trained.weights, np.where(trained.labels >= 2, 3, 1))


def test_judges_who_err_by_a_matrix_label_by_it(made, parts):
    turned = AlikeJudges(np.eye(5)[::-1])
    one_run(parts, "baseline", judges=turned)
    np.testing.assert_array_equal(made[0].trained.labels, 4 - parts["training"].grades)
    np.testing.assert_array_equal(made[0].trained.validation.grades, 4 - parts["validation"].grades)


def test_adarank_gets_heavy_documents_as_copies(parts):
    sample = schemes.collect("if-good-x3", parts["training"].grades[:, None], None)
    instances, weights = trial.instances_of("AdaRank", parts["training"], sample)
    assert weights is None
    good = parts["training"].grades >= 2
    np.testing.assert_array_equal(np.bincount(instances.features[:, -1].astype(int)), np.where(good, 3, 1))
    others, weights = trial.instances_of("RankSVM", parts["training"], sample)
    assert others.n_docs == len(weights) == len(good)
    odd = schemes.collect("if-good-x2.5", parts["training"].grades[:, None], None)
    with pytest.raises(ValueError, match=r"AdaRank trains on copies .* a weight is 2.5, expected whole numbers"):
        trial.instances_of("AdaRank", parts["training"], odd)


# costs and results


@pytest.mark.parametrize(
    ("setting", "expected"),
    [("3-overlap", (3, 3, 4 / 2)), ("mv3", (3, 1, 1)), ("if-good-3", (2, 2, 2 / 2)), ("if-good-x3", (1, 1, 1 / 3))],
)
def test_costs_of_two_pairs_by_hand(setting, expected):
    """Labels and instances a pair, and weights below Good for each above, of 3 2 1 and 1 0 0."""
    found = schemes.costs(schemes.collect(setting, np.array([[3, 2, 1], [1, 0, 0]]), None))
    assert (found["labels"], found["instances"], found["fair_to_good"]) == pytest.approx(expected)


def test_queries_without_a_relevant_document_do_not_count():
    grades, scores = [0, 1, 0, 0, 2, 1], [[1.0], [0.0], [0.0], [0.0], [1.0], [2.0]]
    found = trial.tested(FirstFeature("", {}), Collection(scores, grades, [0, 2, 4, 6]))
    second, third = 1 / np.log2(3), (1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3))
    assert found["per_query"] == pytest.approx([second, np.nan, third], nan_ok=True, abs=1e-5)
    assert found["ndcg@3"] == pytest.approx((second + third) / 2)
    assert found["ndcg@1"] == pytest.approx((0 + 1 / 3) / 2)


@pytest.mark.parametrize(("n_grades", "good"), [(2, 4), (3, 4), (4, 3), (5, 3)])
def test_good_or_above_is_the_upper_half_of_the_grades(n_grades, good, rng):
    """Six documents, of grades 0 0 1 2 3 4 cut off at the highest, judged without an error: so many are good."""
    collection = Collection(rng.normal(size=(6, 1)), np.minimum([0, 0, 1, 2, 3, 4], n_grades - 1), [0, 6])
    parts = dict.fromkeys(study.PARTS, collection)
    found = one_run(parts | {"per_pair": 3}, "if-good-3", "RankSVM", judges=AlikeJudges(np.eye(n_grades)))
    assert found["labels"] == pytest.approx(1 + 2 * good / 6)
    assert found["fair_to_good"] == pytest.approx((6 - good) / (3 * good))


# budgets


@pytest.mark.parametrize("budget", [0.125, 1.0, 20.0])
@pytest.mark.parametrize("setting", ["baseline", "gain-3"])
def test_a_budget_is_spent_up_to_half_a_query_and_above_all_queries_no_more_than_they_cost(made, many, setting, budget):
    cost = schemes.parse(setting).k
    run = spend(many, setting, budget)
    assert abs(run["spent"] - min(budget, cost)) <= cost / QUERIES / 2
    assert run["queries"] == round(min(budget / cost, 1) * QUERIES)
    assert len(np.unique(made[0].trained.rows)) == run["queries"] * DOCS


@pytest.mark.parametrize("setting", ["if-good-2", "if-good-3"])
def test_where_labels_decide_how_many_are_bought_the_budget_is_kept_on_average(made, many, setting):
    runs = [spend(many, setting, 0.5, draw=draw) for draw in range(3)]
    assert np.mean([run["spent"] for run in runs]) == pytest.approx(0.5, rel=0.05)
    expected = pool.expected(KNOWN, judge_fit.grade_shares(), [setting]).loc[setting, pool.COST]
    assert {run["queries"] for run in runs} == {round(0.5 / expected * QUERIES)}


def test_schemes_of_one_price_label_the_same_documents_and_validate_on_the_same_labels(made, many):
    for setting in ("3-overlap", "mv3", "gain-3"):
        spend(many, setting, 0.5)
    for model in made[1:]:
        assert set(model.trained.rows) == set(made[0].trained.rows)
        np.testing.assert_array_equal(model.trained.validation.grades, made[0].trained.validation.grades)
    spend(many, "mv3", 0.5, draw=1)
    assert set(made[-1].trained.rows) != set(made[0].trained.rows)


def test_each_noise_is_about_its_own_documents(made, many):
    settings = Settings(leniency=0.0, noise_irrelevant=9.0, noise_relevant=9.0, appeal=0.0)
    relevant = many["training"].grades >= 2
    for noises, clean in (((1e-9, 2.0), ~relevant), ((2.0, 1e-9), relevant)):
        spend(many, "baseline", 1.0, noises, settings)
        right = made[-1].trained.labels == many["training"].grades
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
def test_whom_a_route_asks_and_which_labels_train(made, many, route, asked, labels):
    run, grades = ask(many, route), many["training"].grades
    assert run["person_labels"] == pytest.approx(np.isin(grades, asked).mean())
    trained = made[0].trained
    by_document = [[] for _ in grades]
    for row, label in zip(trained.rows, trained.labels, strict=True):
        by_document[row].append(label)
    assert by_document == [labels[grade] for grade in grades]
    assert run["instances"] == pytest.approx(np.mean([len(labels[grade]) for grade in grades]))
    assert (trained.weights == 1).all()


def test_persons_say_the_same_on_every_route_of_a_draw(made, many):
    noisy = Pool(KNOWN)
    for route in ("person", "both"):
        ask(many, route, noisy)
    alone, both = (model.trained for model in made[::2])
    np.testing.assert_array_equal(alone.labels, both.labels[1::2])
    np.testing.assert_array_equal(alone.validation.grades, both.validation.grades)
    ask(many, "person", noisy, draw=1)
    assert not np.array_equal(alone.labels, made[-1].trained.labels)


def test_validation_labels_are_those_of_persons(made, many):
    with pytest.raises(ValueError, match="route is 'nobody', expected one of person, machine"):
        ask(many, "nobody")
    ask(many, "machine", calls=[4, 4, 4, 4, 4])
    np.testing.assert_array_equal(made[0].trained.validation.grades, many["validation"].grades)


# purchases


@pytest.mark.parametrize(("queries", "documents", "labels"), [(1, 1, 1), (4, 3, 2), (16, 8, 4)])
def test_a_purchase_is_queries_by_documents_by_labels(made, few, queries, documents, labels):
    run = learn(few, queries, documents, labels)
    trained = made[0].trained
    assert run["spent"] == queries * documents * labels
    assert trained.group.tolist() == [documents] * queries
    assert len(np.unique(trained.rows)) == queries * documents
    assert len(trained.labels) == queries * documents


def test_a_smaller_purchase_is_a_part_of_a_larger_one(made, few):
    for queries, documents in ((2, 2), (4, 2), (2, 4), (4, 4)):
        learn(few, queries, documents)
    bought = [set(model.trained.rows) for model in made[::2]]
    assert bought[0] < bought[1] < bought[3]
    assert bought[0] < bought[2] < bought[3]
    learn(few, 2, 2, draw=1)
    assert set(made[-1].trained.rows) != bought[0]


def test_a_ranker_trains_on_the_mean_of_the_labels_that_one_label_is_the_first_of(made, few):
    for labels in (1, 2, 4):
        learn(few, labels=labels)
    one, two, four = (np.array(model.settings["gains"])[model.trained.labels] for model in made[::2])
    assert (two >= one / 2).all()  # (a + b) / 2
    truth = 2.0 ** few["training"].grades[made[0].trained.rows] - 1
    assert ((four - truth) ** 2).mean() < ((one - truth) ** 2).mean()
    np.testing.assert_array_equal(made[0].trained.validation.grades, made[-1].trained.validation.grades)


def test_real_judges_label_what_is_bought_of_the_queries_that_train(judged, made):
    for labels in (1, 4):
        run = learn_from_people(judged, 6, 5, labels)
        assert run["spent"] == 6 * 5 * labels
    one, four = (model.trained for model in made[::2])
    gains = np.array(made[2].settings["gains"])[four.labels]
    np.testing.assert_array_equal(gains, (2.0 ** judged[1][four.rows] - 1).mean(axis=1))
    first = np.array(made[0].settings["gains"])[one.labels]
    assert (2.0 ** judged[1][one.rows] - 1 == first[:, None]).any(axis=1).all()
    watched = one.validation
    seen = {*(one.rows // 8), *(watched.features[:, -1].astype(int) // 8)}
    truth = judged[0]
    ndcg = metrics.ndcg(truth.grades, truth.features[:, 0], truth.offsets, 3)
    assert all(value in np.round(np.delete(ndcg, list(seen)), 5) for value in run["per_query"])


# all rankers


@pytest.mark.parametrize("ranker", rankers.NAMES)
def test_every_ranker_trains_on_what_schemes_collect(ranker, few, tmp_path):
    shared = few | {"judges": NOISY, "per_pair": 3, "seeds": SEEDS}
    grid = sweep.grid(label_set=["clean07"], ranker=[ranker], setting=KINDS, draw=[0])
    runs = sweep.run(trial.train_and_test, grid, store=tmp_path, n_jobs=1, seed=3, shared=shared)
    assert runs["error"].isna().all(), runs["error"].dropna().iloc[0]
    assert runs["ndcg@3"].between(0, 1).all()


@pytest.mark.parametrize("ranker", study.RANKERS)
def test_from_judges_who_are_sure_a_ranker_learns_what_there_is(rng, ranker):
    parts = {name: numbered(rng, n) for name, n in (("training", 60), ("validation", 10), ("test", 20))}
    run = one_run(parts, "baseline", ranker, judges=SURE)
    assert run["ndcg@3"] > 0.9
    assert run == one_run(parts, "baseline", ranker, judges=SURE)
