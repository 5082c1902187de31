"""People of whom nobody knows who is who: limits and learners by hand, and what is stored of them."""

import numpy as np
import pandas as pd
import pytest

from helpers.datasets.collection import Collection
from helpers.engine import results
from helpers.judging.judged import JudgedCollection
from helpers.making import exchangeable
from helpers.making.taught_trial import CUTOFFS, by_person, person_taught
from helpers.studies.bounds import effects, findings, judges, protocol

STORED = results.stored("02")


def people_of(labels, group, features=None):
    labels = np.asarray(labels, dtype=np.int8)
    features = np.arange(len(labels), dtype=np.float32)[:, None] if features is None else features
    queries = Collection(features, labels.max(axis=1), np.append(0, np.cumsum(group)))
    seats = np.where(labels >= 0, np.arange(labels.shape[1]), -1)
    every = np.ones(len(group), bool)
    return JudgedCollection(queries, labels, seats, labels.max(axis=1).astype(np.int64), every, "query", 1, [])


def test_grades_of_two_people_meet_both_ways():
    counts = exchangeable.pair_counts(people_of([[0, 1, -1], [2, 2, 0]], [1, 1]))
    assert counts[0].tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert counts[1].tolist() == [[0, 0, 2], [0, 0, 0], [2, 0, 2]]  # each of the twos meets the other and the nought


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(exchangeable, "PAIRS", 4)


def test_people_who_agree_leave_nothing_to_lose_and_their_matrix_says_so(rng, few):
    people = people_of([[1, 1], [0, 0]] * 3, [2, 2, 2])
    drawn = exchangeable.limits(people, exchangeable.pair_counts(people), rng)
    assert drawn[["real", "pooled", "approximate"]].to_numpy() == pytest.approx(1, abs=1e-6)
    assert drawn.groupby("cutoff").size().tolist() == [3 * exchangeable.PAIRS] * len(CUTOFFS)


def test_each_person_tests_what_that_person_judged_and_counts_where_something_was_found():
    labels = np.array([[1, 0, -1], [0, 0, -1], [0, 2, 1]])
    # by the first 1 / log2(3) of the first query; the second found nothing there; query 2 is perfect for two
    found = by_person(labels, np.array([2, 1]), np.array([0.0, 1.0, 0.0]), 3)
    assert found == pytest.approx([1 / np.log2(3), 1])


def test_a_run_trains_on_the_first_person_and_is_tested_by_all_of_queries_that_it_did_not_see(rng):
    wanted = rng.random((60, 10)) < 0.3
    wanted[:, 0] = True
    features = wanted.reshape(-1, 1).astype(np.float32)
    first = wanted.reshape(-1).astype(np.int8)
    labels = np.stack([first, 1 - first], axis=1)[None]  # the second wants what the first does not
    queries = Collection(features, first, np.arange(61) * 10)
    folds = np.arange(60) % 3
    shared = {"collection": queries, "labels": labels, "folds": folds}
    found = person_taught("RankSVM", 0, 1, rng=rng, **shared)["per_query"]
    assert list(found) == [str(k) for k in CUTOFFS]
    assert (~np.isnan(found["10"])).tolist() == (folds == 1).tolist()
    alone = person_taught("RankSVM", 0, 1, rng=rng, **shared | {"labels": labels[:, :, :1]})["per_query"]
    assert np.nanmin(alone["10"]) == 1
    assert np.nanmax(found["10"]) < 1


@pytest.mark.parametrize("name", list(judges.EXCHANGEABLE))
def test_what_is_stored_of_people_is_one_thing(name):
    people, shares = STORED[name]["people"].set_index("cutoff"), STORED[name]["shares"].set_index("within")["share"]
    contrasts = pd.read_parquet(effects.FILE).query("collection == @name and unit == 'query'")
    means = contrasts.groupby("claim")["value"].mean()
    row = people.loc[protocol.K]
    expected = {"M1": 1 - row["real"], "M4": row["above"], "M5a": row["room"], "M5b": row["room"]}
    assert means[list(expected)].to_numpy() == pytest.approx(list(expected.values()), abs=1e-5)
    assert means["M6"] == pytest.approx(abs(row["closed"] - row["exact"]), abs=1e-5)
    assert people.index.tolist() == list(CUTOFFS)
    assert shares[protocol.WITHIN[1]] == row["within"]
    assert set(contrasts.loc[contrasts["claim"] == "M4", "ranker"]) == {findings.CHOSEN}


@pytest.mark.parametrize("name", ["esbm", "flickr8k-experts"])
def test_stored_limits_and_matrices_are_those_of_all_pairs_of_people(real_data, monkeypatch, name):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    people = exchangeable.read(name)
    cells = exchangeable.pair_counts(people).sum(axis=0)
    assert STORED[name]["confusion"]["pairs"].tolist() == cells.ravel().tolist()
    if people.persons == "pair":
        return
    pairs = [(i, j) for i in range(6) for j in range(6) if i != j]
    labels, group = people.labels, people.collection.group
    real = np.mean([by_person(labels[:, [j]], group, labels[:, i].astype(float), 5) for i, j in pairs])
    stored = STORED[name]["people"].set_index("cutoff").loc[5, "real"]
    assert real == pytest.approx(stored, abs=0.004)  # 100 pairs drawn for each of 175 queries
