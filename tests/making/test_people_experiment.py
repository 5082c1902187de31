"""The experiment of study 1 on people: what is run, what is held against what, and what is stored of it."""

import numpy as np
import pandas as pd
import pytest

from helpers import paths
from helpers.datasets.collection import Collection
from helpers.engine import results
from helpers.judging import agreements
from helpers.judging.aggregates import majority_vote
from helpers.judging.judged import JudgedCollection
from helpers.making import people
from helpers.studies.overlap import effects, people_trial


def made(labels, n_queries=10, k=3):
    """An experiment on queries of two documents, with these labels (n_docs, m) in every draw."""
    labels = np.asarray(labels, np.int8)
    n = len(labels)
    collection = Collection(np.zeros((n, 1)), majority_vote(labels), np.linspace(0, n, n_queries + 1).astype(int))
    judges, gains = np.tile(np.arange(labels.shape[1]), (n, 1)), labels.sum(axis=1).astype(np.int64)
    judged = JudgedCollection(collection, labels, judges, gains, np.ones(n_queries, bool), "query", 1, [])
    shared = {"collection": collection, "labels": np.stack([labels] * 2), "judges": np.stack([judges] * 2), "good": 1}
    shared |= {"order": np.arange(n_queries), "testable": judged.testable}
    return people.Experiment(judged, k, shared, {name: [name] for name in people.settings(k, labels.shape[1])})


def some_runs(**gains):
    """Runs of ten queries by both rankers in two draws: one label has 0, a setting its gain, doubled in the second."""
    settings = {"baseline": 0.0} | {setting.replace("_", "-"): gain for setting, gain in gains.items()}
    rows = [
        {"ranker": ranker, "setting": setting, "draw": draw, "fold": fold, "queries": 0, "labels": 2.0}
        | dict.fromkeys(people.MEASURES.values(), part.tolist())
        for setting, gain in settings.items()
        for ranker in people.RANKERS
        for draw in (0, 1)
        for fold, part in enumerate(np.array_split((1 + draw) * gain * np.arange(10), 5))
    ]
    return pd.DataFrame(rows)


LABELS = [[1, 1, 1, 1], [0, 0, 0, 0]] * 10


def test_settings_that_make_the_same_labels_are_one():
    shared = made([[1, 0, 1, 1], [0, 0, 1, 0]] * 5).shared
    assert people._made("mv3", shared) == people._made("round-3", shared) != people._made("highest-3", shared)
    two = made([[2, 0], [1, -1]] * 5, k=2).shared
    assert people._made("mv2", two) == people._made("highest-2", two) != people._made("round-2", two)
    assert people._made("if-good-2", two) == people._made("good-till-bad", two) != people._made("if-good-2/n", two)


def test_an_effect_is_the_mean_over_queries_and_draws_with_the_error_of_both():
    found = people.effects(made(LABELS), effects.SET_BEFORE, some_runs(gain_3=0.01, if_good_3=0.0))
    row = found.query("setting == 'gain-3' and against == 'baseline' and ranker == 'LambdaRank'").iloc[0]
    assert row["effect"] == pytest.approx(0.01 * 4.5 * 1.5)
    by_query, by_draw = 0.015 * np.arange(10), np.array([0.045, 0.09])
    residual = np.outer([-0.005, 0.005], np.arange(10) - 4.5)
    variance = by_query.var(ddof=1) / 10 + by_draw.var(ddof=1) / 2 - (residual**2).sum() / 9 / 20
    assert row["se"] == pytest.approx(np.sqrt(variance))
    assert (row["queries"], row["draws"]) == (10, 2)
    both = found.query("setting == 'gain-3' and against == 'baseline' and ranker == 'both rankers'").iloc[0]
    assert both["effect"] == pytest.approx(row["effect"])


def test_settings_of_fewer_draws_are_compared_in_those_that_both_have():
    table = some_runs(gain_3=0.01, if_good_3=0.0)
    table = table[(table["setting"] != "gain-3") | (table["draw"] == 0)]
    found = people.effects(made(LABELS), effects.SET_BEFORE, table).query("setting == 'gain-3'")
    assert found["effect"].to_numpy() == pytest.approx(0.045)
    assert set(found["draws"]) == {1}


def test_differences_by_query_are_stored_in_another_order_and_without_ids():
    stored = people.by_query_and_draw(made(LABELS), effects.SET_BEFORE, some_runs(gain_3=0.01, if_good_3=0.0))
    queries = stored.query("unit == 'query' and ranker == 'LambdaMART'")
    assert sorted(queries["gain-3"]) == pytest.approx(0.015 * np.arange(10))
    assert queries["gain-3"].tolist() != sorted(queries["gain-3"])
    assert queries["number"].tolist() == list(range(1, 11))
    draws = stored.query("unit == 'draw' and ranker == 'LambdaMART'")
    assert draws["gain-3"].tolist() == pytest.approx([0.045, 0.09])


def test_labels_are_held_against_people_whom_no_setting_asks():
    """Gains 3, 0, 0 and, left out, 3: one label errs by 0, the mean of three by 2, the majority by 3."""
    found = people.label_errors(made([[2, 0, 0, 2], [0, 0, 0, 1]] * 10)).set_index("setting")
    assert found.loc["baseline", "squared_error"] == pytest.approx((0 + 1) / 2)
    assert found.loc["gain-3", "squared_error"] == pytest.approx((4 + 1) / 2)
    assert found.loc["mv3", "effect"] == pytest.approx((9 + 1) / 2 / 0.5 - 1)
    assert people.label_errors(made([[2, 0, 0], [0, 0, 1]] * 10)).empty


def test_agreement_is_that_of_two_labels_whoever_gave_them():
    labels = np.array([[0, 0, -1], [1, 0, 1], [1, 1, -1], [0, -1, -1]])
    equal, _, kappa, _ = people._agreement(labels)
    assert equal == pytest.approx((2 + 1 + 2) / (2 + 3 + 2))
    rows = [("q", doc, who, grade) for doc, row in enumerate(labels) for who, grade in enumerate(row) if grade >= 0]
    [own] = agreements.by_query(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])).to_dict("records")
    assert (equal, kappa) == (pytest.approx(own["equal"]), pytest.approx(own["kappa"]))


def test_at_equal_cost_several_labels_have_as_many_fewer_queries():
    found = people.sizes(made([[1, 0, 1]] * 200, 200))
    assert found["baseline", 1.0] == 160
    assert found["gain-3", 1.0] == 53
    assert found["gain-3", 0.5] == 26
    assert ("gain-3", 0.25) not in found  # 13 queries are too few
    assert ("baseline", 1 / 8) in found


def test_a_stored_draw_comes_out_again(real_data, monkeypatch):
    name, setting = "flickr8k-experts", "if-good-3"
    if not (real_data / people.COLLECTIONS[name][0]).is_dir():
        pytest.skip(f"{name} is not in {real_data}")
    monkeypatch.setattr(paths, "user_data", lambda: real_data)
    again, tables = people.experiment(name), results.stored("01/people")[name]
    learned = tables["learners"].query("ranker == 'LambdaMART' and queries == 0 and taken")["learner"].iloc[0]

    def tested(setting):
        by_fold = [
            people_trial.train_and_test(
                "LambdaMART", setting, 0, fold, people.json.loads(learned), rng=np.random.default_rng(), **again.shared
            )["per_query"]
            for fold in range(5)
        ]
        return np.nanmean(np.concatenate(by_fold))

    row = tables["differences"].query(
        "part == @effects.SET_BEFORE and ranker == 'LambdaMART' and unit == 'draw' and number == 1"
    )
    assert tested(setting) - tested("baseline") == pytest.approx(row[setting].iloc[0], abs=1e-4)
