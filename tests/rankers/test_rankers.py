"""What every ranker promises: the interface, clear refusals, equal results for equal input, degenerate input."""

import hashlib
import itertools
import pickle
import platform
import time
import tracemalloc

import numpy as np
import pytest
import small_collections
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from helpers import rankers
from helpers.datasets.collection import Collection, offsets_of, open_saved, save
from helpers.judging import schemes
from helpers.metrics import ndcg
from helpers.rankers import RankSVM, base
from helpers.rankers.base import mean_ndcg

ROUNDS = {
    "LambdaMART": "num_iterations",
    "LambdaRank": "epochs",
    "RankBoost": "rounds",
    "ListNet": "epochs",
    "AdaRank": "rounds",
}
STEPWISE = ("LambdaMART", "LambdaRank", "ListNet")  # with a learning rate, and epochs or trees that may go on for ever
LEAST = ROUNDS | {"RankSVM": "C"}  # a setting of each that must be above 0

FINE_LABELS = ("LambdaMART", "LambdaRank", "ListNet", "AdaRank")  # to the others only the order of labels matters
COPIES = ("RankSVM", "RankBoost", "ListNet")  # a document of weight w counts as w of it

every_ranker = pytest.mark.parametrize("name", rankers.NAMES)
every_iterative_ranker = pytest.mark.parametrize("name", ROUNDS)
every_stepwise_ranker = pytest.mark.parametrize("name", STEPWISE)


def judged(n_queries, rng):
    """Grades 0 to 3 that rise with the sum of the first two features."""
    features = rng.normal(size=(n_queries * 12, 6)).astype(np.float32)
    quality = features[:, 0] + features[:, 1] + rng.normal(size=len(features))
    grades = np.digitize(quality, [0.5, 1.5, 2.5])
    return Collection(features, grades, offsets_of(np.full(n_queries, 12)))


def fitted(name, collection, validation=None, sample_weight=None, **settings):
    settings = ({ROUNDS[name]: 10} if name in ROUNDS else {}) | settings
    return small_collections.fitted(rankers.make(name, **settings), collection, sample_weight, validation)


@pytest.fixture
def training(rng):
    return judged(30, rng)


@pytest.fixture
def validation(rng):
    return judged(20, rng)


# --- by name, and what is refused


@every_ranker
def test_a_name_makes_the_ranker_and_a_clone_has_its_settings_alone(name, training):
    ranker = fitted(name, training, **{LEAST[name]: 3})
    copy = clone(ranker)
    assert type(copy).__name__ == name
    assert copy.get_params() == ranker.get_params()
    assert copy.get_params()[LEAST[name]] == 3
    with pytest.raises(NotFittedError, match=name):
        copy.predict(training.features)


@every_ranker
def test_input_is_checked_by_what_all_rankers_share(name):
    """So that one ranker stands for all where input is refused."""
    ranker = type(rankers.make(name))
    assert ranker.fit is rankers.Ranker.fit
    assert ranker.predict is rankers.Ranker.predict


def with_value(value):
    features = np.eye(4)
    features[3, 2] = value
    return features


FOUR = {"X": np.eye(4), "y": [0, 1, 0, 1], "group": [2, 2]}
NO_SIZE = "group is .*, expected a number of documents, at least 1"


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"X": with_value(np.nan)}, "X contains NaN"),
        ({"X": with_value(np.inf)}, "X contains infinity"),
        ({"X": with_value(1e300)}, "X contains infinity"),
        ({"group": [2, 3]}, "group adds up to 5 documents, expected the 4 rows of X"),
        ({"group": [4, 0]}, NO_SIZE),
        ({"group": [2.0, 2.0]}, NO_SIZE),
        ({"group": [[2, 2]]}, NO_SIZE),
        ({"group": []}, NO_SIZE),
        ({"y": [0, 1, 0]}, "inconsistent numbers of samples"),
        ({"y": [0, 1, 0, 0.5]}, "row 3 has 0.5, expected a whole number"),
        ({"y": [0, 1, 0, 128]}, "row 3 has 128"),
        ({"y": [0, 1, 0, np.nan]}, "y contains NaN"),
        ({"sample_weight": [1, 1, -0.5, 1]}, "sample_weight: row 2 has -0.5, expected a number of at least 0"),
        ({"sample_weight": [1, 1, 1]}, r"sample_weight has shape \(3,\), expected \(4,\)"),
        ({"sample_weight": [[1, 1, 1, 1]]}, r"sample_weight has shape \(1, 4\)"),
        ({"sample_weight": [1, 1, np.nan, 1]}, "sample_weight contains NaN"),
        ({"sample_weight": [1, 1, np.inf, 1]}, "sample_weight contains infinity"),
        ({"validation": ([0], [1])}, "validation is a tuple, expected a Collection"),
        ({"validation": Collection(np.eye(3), [0, 1, 0], [0, 3])}, "validation has 3 features, expected the 4 of X"),
        ({"validation": Collection(with_value(np.nan), [0, 1, 0, 1], [0, 4])}, "validation contains NaN"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(changed, complaint):
    with pytest.raises(ValueError, match=complaint):
        RankSVM().fit(**(FOUR | changed))


@pytest.mark.parametrize(
    ("features", "complaint"),
    [(np.eye(4)[:, :3], r"3 features, but .* is expecting 4"), (with_value(np.nan), "X contains NaN")],
)
def test_features_that_cannot_be_scored_are_refused(features, complaint):
    with pytest.raises(ValueError, match=complaint):
        RankSVM().fit(**FOUR).predict(features)


@pytest.mark.parametrize(
    ("name", "settings", "complaint"),
    [
        *[(name, {setting: 0}, "") for name, setting in LEAST.items()],
        *[(name, {setting: 0}, "") for name in STEPWISE for setting in ("learning_rate", "early_stopping")],
        *[(name, {"learning_rate": value}, "") for name in STEPWISE for value in (-0.1, np.nan)],
        *[("RankSVM", {setting: np.nan}, "") for setting in ("C", "tol")],
        ("RankSVM", {"tol": 0}, ""),
        ("AdaRank", {"patience": 0}, ""),
        *[("LambdaMART", {setting: 0}, "") for setting in ("min_data_in_leaf", "lambdarank_truncation_level")],
        ("LambdaMART", {"num_leaves": 1}, ""),
        ("LambdaRank", {"hidden_units": 0}, ""),
        ("AdaRank", {"metric": "map"}, "AdaRank: metric is 'map', expected one of MAP, NDCG"),
        *[
            (name, {"labels_per_grade": n}, f"labels_per_grade is {n}, expected a whole number")
            for name, n in itertools.product(FINE_LABELS, (0, 1.5, np.nan))
        ],
        *[
            (name, {"gains": (0, 1, 3)}, "gains has 3 numbers, expected one of each label up to 3")
            for name in FINE_LABELS
        ],
        *[
            (name, {"gains": gains}, "gains is .*, expected numbers from 0 up that rise")
            for name, gains in itertools.product(FINE_LABELS, [(0, 3, 1, 7), (0, 1, 2, np.inf)])
        ],
        ("ListNet", {"gains": (0, 1, 3, 7), "labels_per_grade": 2}, "labels_per_grade is 2 and gains are given"),
    ],
)
def test_a_setting_out_of_range_is_refused_by_name(training, name, settings, complaint):
    [(setting, value), *_] = settings.items()
    with pytest.raises(ValueError, match=complaint or f"{name}: {setting} is {value}, expected more than"):
        fitted(name, training, **settings)


def test_an_unknown_name_is_refused_with_the_names_there_are():
    with pytest.raises(ValueError, match=r"'LambdaMart', expected one of LambdaMART, LambdaRank"):
        rankers.make("LambdaMart")


# --- learning


@every_ranker
def test_documents_are_ranked_better_than_by_chance(name, training, validation, rng):
    test = judged(50, rng)
    many = {ROUNDS[name]: 100} if name in ROUNDS else {}
    learned = fitted(name, training, validation, **many).predict(test.features)
    best = test.features[:, 0] + test.features[:, 1]
    by_chance = mean_ndcg(test, rng.normal(size=test.n_docs))
    assert mean_ndcg(test, learned) > by_chance + 0.8 * (mean_ndcg(test, best) - by_chance)


@every_stepwise_ranker
def test_validation_decides_how_many_rounds_are_kept(name, training, validation):
    chosen = fitted(name, training, validation, early_stopping=5, learning_rate=0.3, **{ROUNDS[name]: 60})
    assert 1 <= chosen.n_rounds_ < 60
    so_many = fitted(name, training, learning_rate=0.3, **{ROUNDS[name]: chosen.n_rounds_})
    assert np.array_equal(chosen.predict(validation.features), so_many.predict(validation.features))


@every_iterative_ranker
def test_the_rounds_kept_are_the_best_on_validation(name, training, validation):
    patient = {"early_stopping": 12} if name in STEPWISE else {}
    chosen = fitted(name, training, validation, **patient, **{ROUNDS[name]: 12})
    by_rounds = [
        mean_ndcg(validation, fitted(name, training, **{ROUNDS[name]: n}).predict(validation.features))
        for n in range(1, 13)
    ]
    assert mean_ndcg(validation, chosen.predict(validation.features)) == pytest.approx(max(by_rounds), abs=1e-12)
    assert chosen.n_rounds_ == np.argmax(by_rounds) + 1


@pytest.mark.parametrize("name", ["LambdaRank", "ListNet"])
@pytest.mark.parametrize("learning_rate", [10.0, 1e100])
def test_a_learning_rate_far_too_high_gives_poor_but_finite_scores(name, training, learning_rate):
    ranker = fitted(name, training, epochs=20, learning_rate=learning_rate)
    assert np.isfinite(ranker.predict(training.features)).all()


@every_ranker
def test_a_score_depends_on_its_row_alone(name, training, rng):
    ranker = fitted(name, training)
    features = rng.normal(size=(400, 6)).astype(np.float32)
    scores = ranker.predict(features)
    rows = rng.permutation(400)
    assert np.array_equal(ranker.predict(features[rows]), scores[rows])
    assert np.array_equal(ranker.predict(features[17:18]), scores[17:18])
    assert len(np.unique(scores)) > (10 if name == "RankBoost" else 300)  # RankBoost has made ten cuts


@every_ranker
def test_a_pickled_ranker_scores_as_before(name, training, validation):
    ranker = fitted(name, training, validation)
    copy = pickle.loads(pickle.dumps(ranker))
    assert np.array_equal(copy.predict(validation.features), ranker.predict(validation.features))
    assert copy.n_rounds_ == ranker.n_rounds_


@every_ranker
def test_where_and_how_features_are_held_does_not_matter(name, training, validation, tmp_path):
    expected = fitted(name, training, validation).predict(validation.features)
    mapped = [open_saved(save(part, tmp_path / str(i))) for i, part in enumerate((training, validation))]
    assert np.array_equal(fitted(name, *mapped).predict(mapped[1].features), expected)
    for features in (training.features.astype(np.float64), np.asfortranarray(training.features)):
        ranker = clone(fitted(name, training)).fit(
            features, training.grades.tolist(), training.group.tolist(), validation=validation
        )
        assert np.array_equal(ranker.predict(np.asfortranarray(validation.features)), expected)


@every_ranker
def test_input_is_left_as_it_was(name, training, validation, rng):
    weights = np.repeat(rng.random(training.n_queries), training.group)
    before = pickle.dumps((training, validation, weights))
    fitted(name, training, validation, weights)
    assert pickle.dumps((training, validation, weights)) == before


# --- features


@pytest.mark.parametrize("name", ["LambdaRank", "RankSVM", "RankBoost", "ListNet"])
def test_position_and_scale_of_a_feature_do_not_matter(name, training, monkeypatch):
    # ranks of documents that are all tied at first then do not follow the features
    monkeypatch.setattr(base, "in_one_order", small_collections.as_given)
    moved = Collection(training.features * 8 + 1, training.grades, training.offsets)
    first, second = (fitted(name, part).predict(part.features) for part in (training, moved))
    assert second - second[0] == pytest.approx(first - first[0], rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("name", ["RankSVM", "ListNet"])
def test_a_feature_that_never_varies_within_a_query_is_ignored(name, training, rng):
    training.features[:, 2] = rng.normal(size=training.n_queries)[training.query_index]
    assert fitted(name, training, sample_weight=rng.random(training.n_docs)).coef_[2] == 0


@every_ranker
def test_many_features_that_are_rarely_there_take_bounded_time_and_memory(name, rng):
    """Of 5,000 features a document has 20: what is held is a few times what they take, and no square of them."""
    features = np.zeros((160, 5000), np.float32)
    features[np.arange(160)[:, None], rng.integers(0, 5000, (160, 20))] = rng.random((160, 20))
    wide = Collection(features, rng.integers(0, 4, 160), np.arange(0, 161, 8))
    fitted(name, wide.take_queries([0, 1]), wide)  # what is compiled is, by then
    tracemalloc.start()
    start = time.process_time()
    scores = fitted(name, wide, wide).predict(features)
    taken, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.isfinite(scores).all()
    assert peak < 20 * features.nbytes
    assert taken < 20


# --- labels finer than a grade


@every_ranker
def test_doubled_labels_of_half_a_grade_and_gains_of_whole_grades_give_the_model_of_the_grades(
    name, training, validation
):
    plain, *others = (
        rankers.seeded(name, 0, per_grade, gains, **({"metric": "NDCG"} if name == "AdaRank" else {})).fit(
            training.features, per_grade * training.grades, training.group, validation=validation
        )
        for per_grade, gains in ((1, None), (2, None), (1, (0, 1, 3, 7)))
    )
    for other in others:
        assert other.n_rounds_ == plain.n_rounds_
        assert np.array_equal(other.predict(training.features), plain.predict(training.features))


BITS = {
    ("LambdaMART", 1): "8ef9475ed9defd87",
    ("LambdaMART", 3): "9206eaed25362197",
    ("LambdaRank", 1): "b668ccb2164dd95d",
    ("LambdaRank", 3): "5f7c9132c3d68cc8",
    ("ListNet", 1): "2062124b3acabcaf",
    ("ListNet", 3): "5f36e5e8b124196f",
    ("AdaRank", 1): "aa698d18602aa8d5",
    ("AdaRank", 3): "59959fef45ef67c0",
}
"""How the sha256 of scores began before rankers took gains, on x86-64."""


def coarse(seed):
    """Twenty queries of twelve documents, all values eighths."""
    rng = np.random.default_rng(seed)
    features = rng.integers(0, 64, (240, 5)).astype(np.float32) / 8
    grades = np.digitize(features[:, 0] + features[:, 1] + rng.integers(-16, 17, 240) / 8, [7, 9, 11])
    return Collection(features, grades, offsets_of(np.full(20, 12)))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other processors round exponentials otherwise")
@pytest.mark.parametrize(("name", "per_grade"), BITS)
def test_without_gains_every_bit_is_what_it_was(name, per_grade):
    rounds = {ROUNDS[name]: 10 if name == "LambdaMART" else 5} | ({"metric": "NDCG"} if name == "AdaRank" else {})
    scores = fitted(name, coarse(1), labels_per_grade=per_grade, **rounds).predict(coarse(2).features)
    assert hashlib.sha256(scores.astype("<f8").tobytes()).hexdigest()[:16] == BITS[name, per_grade]


@every_ranker
def test_every_ranker_trains_on_mean_gains(name):
    labels = np.array([[0, 0, 1], [2, 1, 2], [0, 1, 2]] * 20)
    sample = schemes.collect("gain-3", labels, None)
    features = np.array([[0.0], [2.0], [1.0]] * 20)
    ranker = rankers.seeded(name, 0, gains=sample.gains, **({"metric": "NDCG"} if name == "AdaRank" else {}))
    low, high, middle = ranker.fit(features, sample.grades, [3] * 20).predict(features[:3])
    assert low < middle < high


@every_ranker
def test_a_seed_reaches_what_starts_at_random(name):
    assert rankers.seeded(name, 91).get_params().get("random_state") == (91 if rankers.starts_at_random(name) else None)
    assert rankers.starts_at_random(name) == (name in STEPWISE)


# --- weights


@every_ranker
def test_weights_of_one_change_nothing(name, training):
    weighted = fitted(name, training, sample_weight=np.ones(training.n_docs)).predict(training.features)
    assert np.array_equal(weighted, fitted(name, training).predict(training.features))


@pytest.mark.parametrize("name", [name for name in rankers.NAMES if name != "ListNet"])  # its weights are copies
def test_heavy_queries_are_fitted_at_the_cost_of_light_ones(name, rng):
    rising = np.repeat([0.0, 1.0], 200)[rng.permutation(400)]
    features = np.column_stack([rising, 1 - rising])
    grades = np.concatenate([rising[:200], 1 - rising[200:]])  # two halves that contradict each other
    collection = Collection(features, grades, offsets_of(np.full(40, 10)))
    for heavy, sign in ((slice(0, 200), 1), (slice(200, 400), -1)):
        weights = np.ones(400)
        weights[heavy] = 10
        low, high = fitted(name, collection, sample_weight=weights).predict([[0.0, 1.0], [1.0, 0.0]])
        assert np.sign(high - low) == sign


@pytest.mark.parametrize("name", COPIES)
def test_a_document_of_weight_three_is_three_documents(name, rng):
    training = judged(20, rng)  # so few that RankBoost has a threshold for every value
    copies = rng.integers(0, 4, size=training.n_docs)
    repeated, weighted = (
        training.take_rows(np.repeat(np.arange(training.n_docs), copies)),
        training.take_rows(copies > 0),
    )
    close = {"tol": 1e-10} if name == "RankSVM" else {}
    once, thrice = fitted(name, weighted, sample_weight=copies[copies > 0], **close), fitted(name, repeated, **close)
    assert once.predict(training.features) == pytest.approx(thrice.predict(training.features), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("name", [*COPIES, "AdaRank"])
def test_only_ratios_of_weights_matter(name, training, rng):
    weights = rng.random(training.n_docs)
    if name == "AdaRank":
        weights = weights[training.offsets[:-1]][training.query_index]
    scaled, plain = (
        fitted(name, training, sample_weight=w).predict(training.features) for w in (1e300 * weights, weights)
    )
    assert scaled == pytest.approx(plain, rel=1e-8)


@every_ranker
def test_without_any_weight_nothing_is_learned(name, training):
    scores = fitted(name, training, sample_weight=np.zeros(training.n_docs)).predict(training.features)
    assert len(np.unique(scores)) == 1


# --- degenerate input: normal under label noise


@every_ranker
@pytest.mark.parametrize("with_validation", [False, True])
@pytest.mark.parametrize(
    ("features", "grades", "group"),
    [
        pytest.param(np.arange(200.0)[:, None], np.zeros(200), [100, 100], id="nothing relevant"),
        pytest.param(np.arange(200.0)[:, None], np.full(200, 3), [100, 100], id="all labels equal"),
        pytest.param(np.arange(200.0)[:, None], np.repeat([0, 2], 100), [100, 100], id="all labels of a query equal"),
        pytest.param(np.arange(200.0)[:, None], np.arange(200) % 3, np.ones(200, dtype=int), id="one document a query"),
        pytest.param(np.ones((1, 1)), [1], [1], id="one document"),
        pytest.param(np.full((200, 1), 0.1), np.arange(200) % 3, [100, 100], id="constant features"),
        pytest.param(np.full((3000, 3), 7e8), np.arange(3000) % 5, [3000], id="thousands of ties"),
    ],
)
def test_where_nothing_can_be_learned_all_scores_are_equal(name, with_validation, features, grades, group, capfd):
    collection = Collection(features, grades, offsets_of(group))
    scores = fitted(name, collection, collection if with_validation else None).predict(features)
    assert np.isfinite(scores).all()
    assert len(np.unique(scores)) == 1
    assert capfd.readouterr() == ("", "")


@every_ranker
def test_validation_without_a_relevant_document_breaks_nothing(name, training, validation):
    ranker = fitted(name, training, validation.with_grades(np.zeros(validation.n_docs)))
    assert ranker.n_rounds_ == 1
    assert np.isfinite(ranker.predict(validation.features)).all()


@every_ranker
def test_the_highest_grade_there_is_can_be_learned(name, rng):
    collection = judged(30, rng)
    high = collection.with_grades(np.array([0, 1, 31, 127])[collection.grades])
    scores = fitted(name, high, high, **({ROUNDS[name]: 50} if name in ROUNDS else {})).predict(high.features)
    by_chance = rng.normal(size=high.n_docs)
    assert (
        np.nanmean(ndcg(high.grades, scores, high.offsets))
        > np.nanmean(ndcg(high.grades, by_chance, high.offsets)) + 0.2
    )
