"""A judge beside itself: the same document again, equal answers that are right, and what changes over time."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from helpers.judging import agreements, formats, steadiness

COLUMNS = ["query", "doc", "assessor", "grade"]


def answers(said):
    """Long frame of (query, doc) -> grades by judge."""
    rows = [(*pair, who, g) for who, of in said.items() for pair, grades in of.items() for g in grades]
    return pd.DataFrame(rows, columns=COLUMNS)


# itself


def test_agreement_with_oneself_by_hand():
    """A document of three answers counts as one of two: 0 0 1 is equal in a third, 2 2 wholly."""
    said = {"Ann": {("q", "a"): (0, 0, 1), ("q", "b"): (2, 2)}, "Bob": {("q", "a"): (0, 2)}}
    first, second = steadiness.with_itself(answers(said)).to_dict("records")
    assert [first[name] for name in ("judge", "documents", "answers")] == ["Ann", 2, 5]
    # margins: of document a 2/3 are 0 and 1/3 are 1, of b all are 2
    chance = (2 / 6) ** 2 + (1 / 6) ** 2 + (1 / 2) ** 2
    assert [first["equal"], first["chance"]] == pytest.approx([(1 / 3 + 1) / 2, chance])
    assert first["kappa"] == pytest.approx((2 / 3 - chance) / (1 - chance))
    assert [second["judge"], second["equal"], second["chance"]] == ["Bob", 0, 0.5]
    assert second["weighted_kappa"] == pytest.approx(-1)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_two_answers_a_document_are_two_judges_who_change_places(pairs):
    own = answers({"Ann": {("q", f"d{n}"): pair for n, pair in enumerate(pairs)}})
    turned = [*pairs, *(pair[::-1] for pair in pairs)]
    two = answers({who: {("q", f"d{n}"): [pair[j]] for n, pair in enumerate(turned)} for j, who in enumerate("ab")})
    found, expected = steadiness.with_itself(own), agreements.by_judges(two)
    for name in agreements.MEASURES:
        assert found[name].tolist() == pytest.approx(expected[name].tolist(), nan_ok=True)


def test_workers_of_trecs_crowd_say_the_same_again_little_more_often_than_by_chance(real_data):
    path = real_data / "judgments/trec-rf10-crowd/label.csv"
    kept = {how: formats.read(path, grades="0:0,1:1,2:2,3:skip", repeats=how) for how in ("first", "mean")}
    table, *same = (steadiness.with_itself(reading.repeated) for reading in kept.values())
    pd.testing.assert_frame_equal(table, *same)
    raw = pd.read_csv(path).query("label < 3").groupby(["worker", "item"])["label"]
    size = raw.size()[raw.size() > 1]
    assert [table["documents"].sum(), table["answers"].sum()] == [len(size), size.sum()]
    several = table[table["documents"] >= 10]
    means = [np.average(several[name], weights=several["documents"]) for name in ("equal", "chance")]
    assert means == pytest.approx([0.827, 0.783], abs=5e-4)


# calibration


def test_equal_answers_that_are_right_by_hand():
    """Of four documents m is of one mind about a, b and d; people say as it does of a, half of them of b, none of d; of
    c it says 1 as often as 2, which is taken, and its person says so."""
    said = {("q", "a"): (1, 1, 1), ("q", "b"): (0, 0), ("r", "c"): (1, 2), ("r", "d"): (2, 2), ("r", "e"): (0, 1)}
    people = {"Ann": {("q", "a"): [1], ("q", "b"): [0], ("r", "c"): [2], ("r", "d"): [0]}, "Bob": {("q", "b"): [1]}}
    own = answers({"model: m": said, "Ann": {("q", "a"): (1, 1)}})
    judged = answers({**people, "model: m": {("q", "a"): [1]}})
    (row,) = steadiness.calibration(own, judged).to_dict("records")
    assert [row[name] for name in ("judge", "documents", "unanimous")] == ["model: m", 4, 3]
    assert [row["right"], row["right_else"], row["difference"]] == [0.5, 1, -0.5]
    assert np.isnan(row["low"])  # without r no answer is in doubt


def test_answers_that_tell_when_they_are_right_are_found_and_others_are_not(rng):
    """A model of five answers which are right where they are equal, and one whose answers say nothing of that."""
    truth = rng.integers(0, 3, 400)
    sure = rng.random(400) < 0.5
    other = rng.integers(0, 3, (400, 5))
    knows = np.where(sure[:, None], truth[:, None], other)
    blind = np.where(sure[:, None], other[:, :1], other)
    pairs = [(f"q{n % 40}", f"d{n}") for n in range(400)]
    people = answers({"Ann": {pair: [grade] for pair, grade in zip(pairs, truth, strict=True)}})
    said = {f"model: {name}": dict(zip(pairs, of, strict=True)) for name, of in {"k": knows, "b": blind}.items()}
    table = steadiness.calibration(answers(said), people).set_index("judge")
    assert table.loc["model: k", "low"] > 0.4
    assert table.loc["model: b", "low"] < 0 < table.loc["model: b", "high"]


def test_three_prompts_of_llmjudge_are_right_more_often_where_they_say_the_same(real_data):
    folder = real_data / "judgments/llmjudge"
    files = [folder / "llmjudge_test_qrel_idx.txt", *sorted((folder / "scores").glob("h2oloo-*.txt"))]
    person, *prompts = (formats.read(file, machines="none").frame for file in files)
    model = pd.concat(prompts, ignore_index=True).assign(assessor="model: h2oloo")
    (row,) = steadiness.calibration(model, person).to_dict("records")
    wide = pd.concat([frame.set_index(["query", "doc"])["grade"] for frame in (person, *prompts)], axis=1).to_numpy()
    equal = (wide[:, 1:] == wide[:, 1:2]).all(axis=1)
    assert [row["documents"], row["unanimous"]] == [4423, equal.sum()]
    assert row["right"] == pytest.approx((wide[equal, 0] == wide[equal, 1]).mean())
    assert 0.05 < row["low"] < row["right"] - row["right_else"] < row["high"]


# drift


def timed(changed, n_queries=20, length=10, seed=0):
    """Four people on all documents in the order of queries; the first is changed by `changed` of its grades."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n_queries * length)
    said = {
        f"person {j}": np.clip(truth + rng.choice([-1, 0, 1], len(truth), p=[0.1, 0.8, 0.1]), 0, 4) for j in range(4)
    }
    said["person 0"] = changed(said["person 0"], np.linspace(0, 1, len(truth)), rng)
    rows = [(f"q{d // length}", f"d{d}", who, int(g), 60.0 * d) for who, of in said.items() for d, g in enumerate(of)]
    return pd.DataFrame(rows, columns=[*COLUMNS, "time"])


CHANGES = {
    "none": lambda grades, x, rng: grades,
    "milder": lambda grades, x, rng: grades + (rng.random(len(x)) < x),
    "careless": lambda grades, x, rng: np.where(rng.random(len(x)) < x, rng.integers(0, 5, len(x)), grades),
}


@pytest.mark.parametrize(("what", "severity", "agreement"), [("none", 0, 0), ("milder", 1, -1), ("careless", 0, -1)])
def test_a_judge_who_changes_is_found(what, severity, agreement):
    row = steadiness.drift(timed(CHANGES[what])).set_index("judge").loc["person 0"]
    for name, sign in {"severity": severity, "agreement": agreement}.items():
        assert np.sign(row[f"{name}_low"]) + np.sign(row[f"{name}_high"]) == 2 * sign


def test_the_slope_is_least_squares_and_its_interval_of_the_jackknife():
    frame = timed(CHANGES["milder"])
    row = steadiness.drift(frame).iloc[0]
    first, *others = frame["grade"].to_numpy().reshape(4, -1)
    higher = first - np.mean(others, axis=0)
    x, query = np.linspace(0, 1, len(first)), np.repeat(np.arange(20), 10)
    assert row["severity"] == pytest.approx(stats.linregress(x, higher).slope)
    without = np.array([stats.linregress(x[query != q], higher[query != q]).slope for q in range(20)])
    half = stats.t.ppf(0.975, 19) * np.sqrt(19 * without.var())
    assert [row["severity_low"], row["severity_high"]] == pytest.approx(
        [row["severity"] - half, row["severity"] + half]
    )


def test_a_model_is_held_against_people_as_a_person_is_against_the_others():
    frame = timed(CHANGES["milder"])
    found = steadiness.drift(frame.replace("person 0", "model: m"))
    pd.testing.assert_series_equal(found.iloc[0, 1:], steadiness.drift(frame).iloc[0, 1:])


def test_order_alone_counts_not_the_clock_nor_the_rows():
    frame = timed(CHANGES["milder"])
    found = steadiness.drift(frame)
    later = frame.assign(time=pd.Timestamp("2026-01-02") + pd.to_timedelta(frame["time"] ** 2, "s"))
    later = later.sample(frac=1, random_state=1)
    again = steadiness.drift(later).set_index("judge").loc[found["judge"]].reset_index()
    pd.testing.assert_frame_equal(found, again)


def test_nothing_is_told_without_times_or_of_one_time_and_no_interval_of_few_queries():
    frame = timed(CHANGES["milder"], n_queries=9)
    assert steadiness.drift(frame.drop(columns="time")).empty
    assert steadiness.drift(frame.assign(time=7.0)).empty
    assert steadiness.drift(frame)["severity_low"].isna().all()
    assert steadiness.drift(frame)["severity"].notna().all()
