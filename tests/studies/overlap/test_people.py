"""Study 1 on a judged collection: what is trained on, what is tested by, what is refused."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.judging.aggregates import majority_vote
from helpers.judging.judged import JudgedCollection
from helpers.studies import ledger
from helpers.studies.overlap import effects, people, people_trial, protocol, tables


def judged(rng, n_queries=15, n_docs=8, m=3):
    """Queries whose first feature tells the grade, and m people who err."""
    n = n_queries * n_docs
    features = rng.normal(size=(n, 3)).astype(np.float32)
    labels = np.clip(np.rint(features[:, :1] + 0.5 * rng.normal(size=(n, m)) + 0.5), 0, 2).astype(np.int8)
    collection = Collection(features, majority_vote(labels), np.arange(0, n + 1, n_docs), name="small")
    gains = (2 ** labels.astype(int) - 1).sum(axis=1)
    judges = np.tile(np.arange(m), (n, 1))
    return JudgedCollection(collection, labels, judges, gains, np.ones(n_queries, bool), "query", 1, ["a note"])


def trained(made, seen, monkeypatch, fold=2, setting="gain-3", **how):
    """What a run gives; `seen` takes what its ranker was given."""

    class Ranker:
        def predict(self, features):
            return features[:, 0].astype(float)

    def fitted(ranker, training, sample, validation, rng):
        seen.update(training=training, sample=sample, validation=validation)
        return Ranker()

    def learnt(ranker, training, sample, learner, rng):
        return fitted(ranker, training, sample, None, rng)

    monkeypatch.setattr(people_trial, "fitted", fitted)
    monkeypatch.setattr(people_trial, "learnt", learnt)
    labels, judges = made.draw(np.random.default_rng(1))
    shared = {"collection": made.collection, "labels": labels[None], "judges": judges[None], "gains": made.gains}
    shared |= {"testable": made.testable, "good": made.good, "order": np.arange(made.collection.n_queries)} | {
        "seeds": np.array([5])
    }
    return people_trial.train_and_test("LambdaRank", setting, 0, fold, rng=np.random.default_rng(0), **how, **shared)


@pytest.mark.parametrize("learner", [None, {"epochs": 2}])
def test_no_label_of_a_test_query_is_trained_on_or_validated_by_and_a_learner_that_is_set_needs_no_validation(
    rng, monkeypatch, learner
):
    made, seen = judged(rng), {}
    found = trained(made, seen, monkeypatch, learner=learner)
    assert (seen["validation"] is None) == (learner is not None)
    used = [*seen["training"].query_ids, *(seen["validation"].query_ids if learner is None else ())]
    assert sorted(used, key=int) == [str(n) for n in range(1, 16) if n not in (7, 8, 9)]
    rows = slice(6 * 8, 9 * 8)
    by_hand = people_trial.metrics.ndcg(
        made.gains[rows], made.collection.features[rows, 0], [0, 8, 16, 24], 3, gain="linear"
    )
    assert found["per_query"] == pytest.approx(by_hand, abs=1e-5)
    assert found["labels"] == 3


def test_fewer_queries_are_the_same_for_all_settings_and_a_part_of_more(rng, monkeypatch):
    made, drawn = judged(rng), {}
    for setting, queries in (("gain-3", 4), ("baseline", 4), ("baseline", 7)):
        trained(made, seen := {}, monkeypatch, setting=setting, learner={"epochs": 2}, queries=queries)
        drawn[setting, queries] = set(seen["training"].query_ids)
    assert drawn["gain-3", 4] == drawn["baseline", 4] < drawn["baseline", 7]
    assert len(drawn["baseline", 7]) == 7


def test_a_leaf_of_a_given_learner_counts_documents_not_their_copies(rng):
    made = judged(rng)
    sample = people_trial.collected("3-overlap", made.labels, made.judges, 1)
    learner = {"num_iterations": 2, "min_data_in_leaf": 7}
    model = people_trial.learnt("LambdaMART", made.collection, sample, learner, rng)
    assert (model.min_data_in_leaf, model.num_iterations, model.n_rounds_) == (21, 2, 2)


def test_a_query_without_a_good_label_tests_nothing(rng, monkeypatch):
    made = judged(rng)
    made.testable[7] = False
    found = trained(made, {}, monkeypatch)
    assert np.isnan(found["per_query"]).tolist() == [False, True, False]
    assert found["ndcg@3"] == pytest.approx(np.nanmean(found["per_query"]), abs=1e-5)


def test_a_demo_of_a_judged_collection_compares_ways_to_use_its_labels(rng, tmp_path):
    made = judged(rng)
    found = people.runs(made, "demo", names=["ListNet"], store=tmp_path, n_jobs=1, seed=7)
    assert found["error"].isna().all()
    assert tuple(found["setting"]) == people.settings_of(3, "demo")
    assert all(len(values) == 15 for values in found["per_query"])
    plane = tables.against_baseline(sweep.succeeded(found), ["ranker"], ["labels"], rng).set_index("setting")
    assert plane.loc["gain-3", "labels"] == plane.loc["3-overlap", "labels"] == 3
    assert plane.loc["if-good-gain-3", "labels"] == plane.loc["if-good-3", "labels"] < 3


def test_settings_that_make_the_same_labels_have_the_same_result(rng, tmp_path, monkeypatch):
    made = judged(rng)
    binary = replace(made, labels=np.minimum(made.labels, 1), good=1)
    monkeypatch.setattr(people, "settings_of", lambda most, scale: ("mv3", "round-3", "highest-3"))
    found = people.runs(binary, "demo", names=["ListNet"], store=tmp_path, n_jobs=1, seed=7).set_index("setting")
    assert found.loc["mv3", "per_query"] == found.loc["round-3", "per_query"]
    assert found.loc["mv3", "per_query"] != found.loc["highest-3", "per_query"]


def stored_tables(gain, validated, k=3):
    """Tables of a collection on which one fine label gains so much, in each part; all else gains nothing."""
    settings = ["if-good-{k}", "{k}-overlap", "{k}-overlap/n", "mv{k}, round-{k}, highest-{k}", "if-good-x3",
                "good-till-bad", "gain-{k}"]  # fmt: skip
    rows = [
        {"part": part, "ranker": ranker, "measure": measure, "setting": setting.format(k=k), "against": against,
         "budget": 1.0, "labels": 1.5, "effect": effect * setting.startswith("gain"), "queries": 9, "draws": 2}
        for part, effect in ((people.SET_BEFORE, gain), (people.VALIDATED, validated), (people.EQUAL_COST, -gain))
        for ranker in ("LambdaRank", "LambdaMART", people.BOTH)
        for measure in (effects.AT_3, effects.WIDE)
        for against in ("baseline", f"if-good-{k}", f"{k}-overlap")
        for setting in settings
    ]  # fmt: skip
    found = pd.DataFrame(rows)
    found = found.assign(se=0.001, low=found["effect"] - 0.002, high=found["effect"] + 0.002)
    return {"effects": found, "facts": pd.DataFrame({"k": [k], "cost": [1.5]})}


@pytest.fixture
def stored(monkeypatch):
    made = {name: stored_tables(gain, 0.0) for name, gain in (("one", 0.010), ("two", 0.011), ("three", 0.012))}
    made["four"] = stored_tables(0.013, 0.0, 2)
    monkeypatch.setattr(people.results, "stored", lambda study: made)
    return made


def test_a_column_of_the_table_is_a_collection_and_says_how_many_labels(stored):
    table = people.table().set_index("")
    assert list(table) == ["one, k = 3", "two, k = 3", "three, k = 3", "four, k = 2"]
    assert table.loc["one fine label", "one, k = 3"] == "+1.00 (.80 to 1.20)"
    assert table.loc["equal cost: fine", "four, k = 2"] == "-1.30 (-1.50 to -1.10)"


def test_where_too_few_queries_are_left_at_equal_cost_the_table_says_so(stored):
    found = stored["one"]["effects"]
    stored["one"]["effects"] = found[found["part"] != people.EQUAL_COST]
    assert set(people.table().set_index("").loc[[*people.EQUAL], "one, k = 3"]) == {"too few queries"}


def test_the_words_of_both_protocols_stand_side_by_side(stored):
    [row] = people.protocols().query("claim.str.startswith('Several labels of a pair')").to_dict("records")
    assert row[people.SET_BEFORE].startswith("holds, +.01")
    assert row[people.VALIDATED].startswith("too small to matter, .000")


def test_the_pooled_difference_at_equal_cost_stands_by_the_budget(stored):
    """Of -.010 to -.013 the standard error of the mean is .000645, and Student's with three degrees of freedom 3.18."""
    shown = people.by_budget().set_index("")
    assert shown.loc["equal cost: fine", "100 %"] == "-1.15 (-1.36 to -.94)"
    assert shown.loc["equal cost: copies", "100 %"] == ".00 (-.10 to .10)"


def test_the_answer_is_short_and_follows_its_verdict():
    known = ledger.stored("01")
    said = people.answer(known)
    assert said.startswith("**Buy one label a document, ")
    assert len(said.split()) <= 90
    assert "+.005 (-.004 to .015)" in said
    holds = known.assign(verdict=known["verdict"].where(known["claim"] != "Y1", "holds"))
    assert people.answer(holds).startswith("**Ask a second and a third person ")


def test_a_run_of_ones_own_is_that_of_if_good_k_and_says_what_it_rests_on():
    ends = {"difference": [np.nan, 0.01, 0.02], "low": [np.nan, 0.005, 0.01], "high": [np.nan, 0.015, 0.03]}
    plane = pd.DataFrame({"ranker": "ListNet", "setting": ["baseline", "if-good-3", "if-good-gain-3"]} | ends)
    own = people.own_run({"clean07": {"plane": plane}})
    assert own[["where", "effect", "kind"]].to_numpy().tolist() == [["yours, ListNet", 0.01, people.OWN]]
    assert people.own_sentence(own) == "Your if-good-k gains, in points, +1.00 (.50 to 1.50) with ListNet: holds."
    assert people.own_sentence(own[:0]).startswith("Your run has no if-good-k")
    assert people.whose(None, "", protocol.DATASET, "") == "synthetic: judges are fitted to clean07"
    assert people.whose(None, "relish", "mine.txt", "mine.txt").endswith("err by relish, queries are of mine.txt")


def test_judges_in_place_of_people_err_as_these_do(rng):
    made = judged(rng)
    alike = protocol.judges_named("", "clean07", made)
    zeros = made.labels[made.collection.grades == 0]
    assert alike.confusion[0] == pytest.approx([(zeros == label).mean() for label in range(3)])
    parts = protocol.parts("clean07", protocol.scale_named("demo"), rng, made)
    assert [part.n_queries for part in parts.values()] == [9, 3, 3]


@pytest.mark.parametrize(("most", "k"), [(2, 2), (3, 3), (7, 3)])
def test_schemes_ask_no_more_people_than_there_are(most, k):
    for scale in people.DRAWS:
        settings = people.settings_of(most, scale)
        assert f"gain-{k}" in settings
        assert (f"gain-{most}" in settings) == (scale != "demo" or most == k)


def test_what_names_no_judged_collection_is_none_and_too_few_queries_are_refused(tmp_path):
    assert people.given("mslr-sample-portrait") is None
    (tmp_path / "features.txt").write_text("0 qid:q 1:1 # docid = a\n1 qid:q 1:2 # docid = b\n")
    rows = [f"q,{doc},{who},{grade}" for who in ("Ann", "Bob") for doc, grade in (("a", 0), ("b", 1))]
    (tmp_path / "judgments.csv").write_text("\n".join(["query,doc,assessor,grade", *rows]))
    with pytest.raises(ValueError, match="1 queries test, expected at least 10 for 5 folds"):
        people.given(str(tmp_path))


@pytest.mark.parametrize(("name", "persons", "labels"), [("esbm", "query", 1.54), ("flickr8k-experts", "pair", 1.85)])
def test_if_good_3_costs_on_real_people_what_was_measured_elsewhere(name, persons, labels, real_data):
    folder = real_data / "multi-judge" / name
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here")
    made = people.given(str(folder), persons=persons, good=1)
    drawn, _ = made.draw(np.random.default_rng(0))
    assert people_trial.schemes.collect("if-good-3", drawn, None, good=1).labels_bought / len(drawn) == pytest.approx(
        labels, abs=0.02
    )
