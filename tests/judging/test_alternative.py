import functools

import judged_by_hand
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from helpers.judging import alternative
from helpers.judging.alternative import alternative_test, alternative_tests
from helpers.judging.judgments import coded

long = functools.partial(judged_by_hand.long, length=1000)


def noisy(truth, accuracy, rng):
    return np.where(rng.random(len(truth)) < accuracy, truth, rng.integers(0, 4, len(truth)))


@pytest.fixture
def any_number(monkeypatch):
    monkeypatch.setattr(alternative, "FEWEST", 1)
    monkeypatch.setattr(alternative, "FEWEST_UNITS", 1)


def test_shares_by_hand(any_number):
    # against a, with b and c remaining: the candidate agrees with 2, 1, 0 of them, a with 2, 1, 2
    said = {"m": [1, 1, 0], "a": [1, 0, 1], "b": [1, 1, 1], "c": [1, 0, 1]}
    for scoring in alternative.SCORINGS:  # of two grades both say the same
        table = alternative_test(long(said), "m", scoring=scoring).set_index("judge")
        assert table.loc["a", ["candidate", "left_out"]].tolist() == pytest.approx([2 / 3, 1])
        # against b, with a and c: 2, 0, 0 and 2, 0, 2; so the second document is a win of both
        assert table.loc["b", ["candidate", "left_out"]].tolist() == pytest.approx([2 / 3, 1])
        # against c, with a and b: 2, 1, 0 and 2, 1, 2
        assert table.loc["c", ["candidate", "left_out"]].tolist() == pytest.approx([2 / 3, 1])


@pytest.mark.parametrize(
    ("scoring", "candidate", "left_out"),
    [
        # against a, others 2 2 | 0 3 | 1 2: squares of m 1 + 1, 1 + 4, 4 + 1; of a 4 + 4, 4 + 1, 0 + 1
        ("rmse", 2 / 3, 2 / 3),
        # equal: of m 0, 0, 0; of a 0, 0, 1
        ("exact", 2 / 3, 1),
    ],
)
def test_one_grade_away_is_nearer_than_two_but_for_classes_as_wrong(any_number, scoring, candidate, left_out):
    said = {"m": [1, 1, 3], "a": [0, 2, 1], "b": [2, 0, 1], "c": [2, 3, 2]}
    table = alternative_test(long(said), "m", scoring=scoring).set_index("judge")
    assert table.loc["a", ["candidate", "left_out"]].tolist() == pytest.approx([candidate, left_out])


def test_queries_are_the_units_by_hand(any_number):
    """Against a the candidate loses all four documents of one query, and wins the only one of the other."""
    said = {"m": [0, 0, 0, 0, 1], "a": [1, 1, 1, 1, 0], "b": [1] * 5, "c": [1] * 5}
    frame = long(said).assign(query=lambda rows: np.where(rows["doc"] == "d4", "r", "q"))
    row = alternative_test(frame, "m").set_index("judge").loc["a"]
    assert row[["documents", "units", "candidate", "left_out"]].tolist() == [5, 2, 0.5, 0.5]


def test_the_same_documents_twice_over_in_their_queries_are_no_more_evidence():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, 80)
    said = {"m": noisy(truth, 0.7, rng), **{name: noisy(truth, 0.7, rng) for name in "abc"}}
    twice = {name: np.repeat(grades, 2) for name, grades in said.items()}
    once = alternative_test(judged_by_hand.long(said, 2), "m")
    pd.testing.assert_frame_equal(
        once.drop(columns="documents"), alternative_test(judged_by_hand.long(twice, 4), "m").drop(columns="documents")
    )
    assert (once["units"] == 40).all()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(st.integers(-1, 2), min_size=8, max_size=8), min_size=3, max_size=5),
    st.sampled_from(alternative.SCORINGS),
)
def test_shares_are_those_of_the_definition_written_out(any_number, table, scoring):
    said = {f"j{j}": grades for j, grades in enumerate(table)}
    if all(grade < 0 for grade in table[0]):
        return
    score = {
        "rmse": lambda x, rest: -np.sqrt(np.mean((x - np.array(rest)) ** 2)),
        "exact": lambda x, rest: np.mean(x == np.array(rest)),
    }[scoring]
    expected = {}
    for judge in list(said)[1:]:
        wins = []
        for d in range(8):
            rest = [said[k][d] for k in said if k not in ("j0", judge) and said[k][d] >= 0]
            if rest and said["j0"][d] >= 0 and said[judge][d] >= 0:
                near = [score(said[who][d], rest) for who in ("j0", judge)]
                wins.append((near[0] >= near[1], near[1] >= near[0]))
        if wins:
            expected[judge] = [len(wins), *np.mean(wins, axis=0)]
    found = alternative_test(long(said), "j0", scoring=scoring)
    found = {row.judge: [row.documents, row.candidate, row.left_out] for row in found.itertuples()}
    assert found == {judge: pytest.approx(shares) for judge, shares in expected.items()}


@pytest.mark.parametrize(("n", "accuracy", "epsilon"), [(200, 0.8, 0.1), (20, 0.6, 0.2)])
def test_the_p_value_is_the_one_sided_paired_t_test_or_wilcoxons_below_thirty_documents(n, accuracy, epsilon):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, n)
    said = {"m": noisy(truth, accuracy, rng), **{name: noisy(truth, 0.8, rng) for name in "abc"}}
    found = alternative_test(long(said), "m", epsilon, "exact").set_index("judge").loc["a", "p_value"]
    remaining = np.array([said["b"], said["c"]])
    agrees, others = ((remaining == said[who]).sum(axis=0) for who in ("m", "a"))
    wins, loses = (agrees >= others) + epsilon, (others >= agrees).astype(float)
    if n >= 30:
        assert found == pytest.approx(stats.ttest_rel(loses, wins, alternative="less").pvalue)
    else:
        assert found == pytest.approx(stats.wilcoxon(loses - wins, alternative="less", method="asymptotic").pvalue)


def test_benjamini_and_yekutieli_by_hand(monkeypatch):
    """P-values .01, .02, .5 times 3 (1 + 1/2 + 1/3) / rank are .055, .055, .92; .008 becomes .044."""
    p_values = iter([0.01, 0.02, 0.5, 0.008, 0.02, 0.5])
    monkeypatch.setattr(alternative, "_p_values", lambda differences, counts, epsilon: [next(p_values)])
    said = {name: [0, 1] * 10 for name in "mabc"}
    assert not alternative_test(long(said), "m")["wins"].any()
    assert alternative_test(long(said), "m")["wins"].tolist() == [True, False, False]


def test_one_of_the_judges_passes_and_one_who_guesses_does_not():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 4, 400)
    said = {name: noisy(truth, 0.7, rng) for name in ("alike", "a", "b", "c", "d")} | {"guess": noisy(truth, 0, rng)}
    table = alternative_tests(long(said), ["alike", "guess"]).set_index("judge")
    assert table["passes"].tolist() == [True, False]
    assert table.loc["alike", "winning_rate"] == 1
    assert table.loc["guess", "winning_rate"] < 0.5


def test_models_are_no_people_to_be_held_against():
    said = {name: [0, 1] * 20 for name in ("m", "a", "b", "c")} | {"model: x": [1, 0] * 20}
    assert alternative_test(long(said), "m")["judge"].tolist() == ["a", "b", "c"]
    assert alternative_test(long(said), "model: x")["judge"].tolist() == ["m", "a", "b", "c"]


@pytest.mark.parametrize(("n", "accuracy"), [(12, 0.75), (40, 0.6)])
def test_queries_that_come_up_several_times_are_as_good_as_copies_of_them(n, accuracy):
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, 4 * n)
    said = {"model: x": noisy(truth, accuracy, rng), **{name: noisy(truth, 0.8, rng) for name in "abc"}}
    frame = judged_by_hand.long(said, 4)
    labels = coded(frame)
    held = alternative.held_against(labels, 0)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=20)
    expected = []
    for row in counts:
        copies = [
            frame[frame["query"] == labels.queries[q]].assign(query=f"{q}-{copy}")
            for q in np.flatnonzero(row)
            for copy in range(row[q])
        ]
        expected.append(alternative_tests(pd.concat(copies), ["model: x"])["passes"].item())
    assert alternative.passing(held, counts).tolist() == expected
    assert 0 < np.mean(expected) < 1


def test_with_no_third_judge_nothing_is_tested():
    [row] = alternative_tests(long({"m": [0, 1] * 20, "a": [0, 1] * 20}), ["m"]).to_dict("records")
    assert [row["held_against"], row["passes"]] == [0, False]
    assert np.isnan([row["winning_rate"], row["advantage"]]).all()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"candidate": "x"}, "candidates is 'x', expected one of m, a, b"),
        ({"epsilon": 1.5}, r"epsilon is 1\.5"),
        ({"scoring": "mae"}, "scoring is 'mae', expected one of rmse, exact"),
    ],
)
def test_wrong_arguments_are_refused(how, message):
    with pytest.raises(ValueError, match=message):
        alternative_test(long({name: [0, 1] for name in "mab"}), **{"candidate": "m"} | how)
