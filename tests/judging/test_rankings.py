"""Runs and imagined rankings scored by judges: values by hand, what is left out, and what people alone decide."""

import functools

import judged_by_hand
import numpy as np
import pandas as pd
import pytest

from helpers.datasets.runs import read_runs
from helpers.judging import rankings

COLUMNS = ["query", "doc", "assessor", "grade"]
long = functools.partial(judged_by_hand.long, length=5)
SECOND = 1 / np.log2(3)  # what the second place counts


@pytest.fixture
def three(put):
    """Three runs on three judged queries, documents a and b of each; `odd` lists an unjudged one first."""
    lists = {"good": ("a", "b"), "bad": ("b", "a"), "odd": ("c", "a")}
    for name, documents in lists.items():
        queries = "xyw" if name == "odd" else "xyzw"
        lines = [f"{q} Q0 {d} {n} {9 - n} t\n" for q in queries for n, d in enumerate(documents, start=1)]
        folder = put(f"runs/{name}.run", "".join(lines)).parent
    return read_runs(str(folder))


ANN = {("x", "a"): 1, ("x", "b"): 0, ("y", "a"): 1, ("y", "b"): 0, ("z", "a"): 1, ("z", "b"): 1}
"""Of z both documents are relevant; nobody judged w, and v is listed by no run."""


def said(who, grades):
    return pd.DataFrame([(*pair, who, grade) for pair, grade in grades.items()], columns=COLUMNS)


def test_a_run_goes_by_trec_eval_what_is_not_judged_is_irrelevant_and_what_is_not_listed_scores_0(three):
    frame = said("Ann", ANN | {("v", "a"): 1})
    found = rankings.of_runs(frame, three, 2)
    assert found.names.tolist() == ["bad", "good", "odd"]
    assert found.notes == ["odd lists nothing for 1 of 3 judged queries, which count as 0."]
    [everyone, ann] = rankings.scored(found)
    assert (everyone.judge, ann.judge) == ("people", "Ann")
    assert everyone.own[:, 0].tolist() == pytest.approx([SECOND, 1, SECOND])
    by_query = dict(zip(found.labels.queries, everyone.own.T.round(4).tolist(), strict=True))
    assert by_query["z"] == [1, 1, 0]
    assert np.isnan(by_query["v"]).all()
    assert everyone.unjudged.tolist() == [0, 0, 0.5]
    assert everyone.mean.tolist() == pytest.approx([(1 + 2 * SECOND) / 3, 1, 2 * SECOND / 3])
    assert not ann.shared.any()  # there are no other people


def test_the_ideal_is_cut_off_where_the_run_is(three):
    grades = {("x", "a"): 1, ("x", "b"): 2, ("x", "d"): 3}
    first, *_ = rankings.scored(rankings.of_runs(said("Ann", grades), three, 1))
    assert first.own[:, 0].tolist() == pytest.approx([3 / 7, 1 / 7, 0])


def test_people_are_a_majority_and_a_person_is_held_against_the_others(three):
    frames = [said(who, ANN | {("x", "b"): grade}) for who, grade in (("Ann", 2), ("Bob", 2), ("Cy", 0))]
    frames.append(said("model: m", ANN))
    scores = {found.judge: found for found in rankings.scored(rankings.of_runs(pd.concat(frames), three, 2))}
    best_first = 3 + SECOND
    assert scores["people"].own[:2, 0].tolist() == pytest.approx([1, (1 + 3 * SECOND) / best_first])
    assert scores["Cy"].others[:2, 0].tolist() == pytest.approx([1, (1 + 3 * SECOND) / best_first])
    # of 2 by Bob and 0 by Cy it is the higher
    assert scores["Ann"].others[:2, 0].tolist() == pytest.approx([1, (1 + 3 * SECOND) / best_first])
    assert scores["model: m"].own[:2, 0].tolist() == pytest.approx([SECOND, 1])
    assert scores["model: m"].others == pytest.approx(scores["people"].own, nan_ok=True)
    row = rankings.moved(scores.values()).set_index("judge").loc["model: m"]
    means = (scores["model: m"].own.mean(axis=1), scores["people"].own.mean(axis=1))
    apart = [abs((means[0][i] - means[0][j]) - (means[1][i] - means[1][j])) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert row["moved"] == pytest.approx(np.quantile(apart, 0.95))


def test_names_of_judgments_may_be_others_than_those_of_the_files(three):
    frame = said("Ann", ANN)
    called = {"query": {q: f"query {q}" for q in "xyz"}, "doc": {d: f"document {d}" for d in "ab"}}
    renamed = frame.assign(**{role: frame[role].map(names) for role, names in called.items()})
    plain, other = rankings.of_runs(frame, three, 2), rankings.of_runs(renamed, three, 2, called)
    assert np.array_equal(plain.tops, other.tops)
    assert plain.notes == other.notes == ["odd lists nothing for 1 of 3 judged queries, which count as 0."]


def test_ids_that_judgments_write_nearly_alike_are_told_and_not_joined(three):
    frame = said("Ann", ANN | {("Y ", "a"): 1, ("x", "C"): 0})
    found = rankings.of_runs(frame[frame["query"] != "y"], three, 2)
    assert found.notes == [
        "The runs and the judgments: 1 queries are nearly alike ('y' and 'Y '), and not joined.",
        "The runs and the judgments: 1 documents are nearly alike ('c' and 'C'), and not joined.",
        "odd lists nothing for 1 of 2 judged queries, which count as 0.",
    ]
    assert set(found.labels.queries) == {"x", "Y ", "z"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"assessor": "people"}, "an assessor is called 'people', as all of them together are, expected another name"),
        ({"query": "k"}, "runs: no judged queries, expected ids such as k, found ids such as x"),
        (
            {"doc": "k"},
            "runs: no judged documents of judged queries down to rank 2, expected ids such as k, found",
        ),
    ],
)
def test_runs_of_something_else_are_refused(three, changed, message):
    with pytest.raises(ValueError, match=message):
        rankings.of_runs(said("Ann", {("x", "a"): 1}).assign(**changed), three, 2)


def test_noisier_labels_move_differences_more_and_equal_ones_none(rng):
    truth = rng.integers(0, 4, 1000)
    noisy = np.where(rng.random(1000) < 0.5, rng.integers(0, 4, 1000), truth)
    found = [
        rankings.imagined(long(dict.fromkeys("abcd", truth) | more), 5, rng=rng) for more in ({}, {"noisy": noisy})
    ]
    alike, moved = (rankings.moved(rankings.scored(each)).set_index("judge")["moved"] for each in found)
    assert alike.tolist() == pytest.approx([0] * 4)
    assert moved.idxmax() == "noisy"


def test_imagined_rankings_are_of_peoples_labels_whatever_models_say(rng):
    truth = rng.integers(0, 4, 100)
    people = {"a": np.where(np.arange(100) < 50, truth, -1), "b": np.where(np.arange(100) < 50, truth, -1)}
    found = [
        rankings.imagined(long(people | {"model: m": grades}), 5, rng=np.random.default_rng(0))
        for grades in (truth, 3 - truth)
    ]
    assert np.array_equal(found[0].scores, found[1].scores, equal_nan=True)
    assert np.isnan(found[0].scores).all(axis=0).sum() == 50
    assert (len(found[0].names), found[0].imagined) == (20, True)


def test_a_score_of_runs_is_corrected_by_the_queries_that_people_judged_too(put, rng):
    """A person judged a fifth of the queries; the model, who misses relevant ones, all."""
    truth = rng.choice(4, 5000, p=[0.5, 0.2, 0.2, 0.1])
    model, person = np.where(rng.random(5000) < 0.4, 0, truth), np.where(np.arange(5000) < 1000, truth, -1)
    for name in "ab":
        scores = truth + rng.normal(0, 1, 5000)
        last = put(f"runs/{name}.run", "".join(f"q{d // 5} Q0 d{d} 1 {score} t\n" for d, score in enumerate(scores)))
    found = rankings.of_runs(long({"Ann": person, "model: m": model}), read_runs(str(last.parent)), 5)
    scores = {one.judge: one for one in rankings.scored(found)}
    table = rankings.corrected(found, scores.values())
    assert table["judge"].tolist() == ["model: m"] * 2  # there are no people beside Ann
    row, one = table.iloc[1], scores["model: m"]
    own, others = one.own[1], one.others[1]
    assert row["N"] > 4 * row["n"]
    assert row["by_judge"] == pytest.approx(np.nanmean(own))
    assert row["bias"] == pytest.approx(own[one.shared].mean() - others[one.shared].mean())
    known = own[one.known].mean() - own[one.shared].mean()
    assert row["estimate"] == pytest.approx(others[one.shared].mean() + row["weight"] * known)
