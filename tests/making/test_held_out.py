import numpy as np
import pandas as pd
import pytest

from helpers.datasets.collection import Collection
from helpers.making import budget as held_out
from helpers.making.budget import decided
from helpers.making.surfaces import DEEP, SHALLOW, STEPS, Surface
from helpers.making.taught_trial import allocation_taught
from helpers.studies import budget
from helpers.studies.budget import stored


def runs_by_depth(ndcg, collections=("a", "b", "c"), repeats=4, noise=0.0, rng=None):
    """Trainings at depths 4, 8 and 16 whose nDCG is a function of the depth."""
    rows = [
        (name, 0.1, 300.0, depth, round(300 / (5 + depth)), repeat, ndcg(depth) + (noise and rng.normal(0, noise)))
        for name in collections
        for depth in (4, 8, 16)
        for repeat in range(repeats)
    ]
    return pd.DataFrame(rows, columns=held_out.COLUMNS)


def told(depth, collections=("a", "b", "c")):
    return pd.DataFrame({"collection": collections, "share": 0.1, "advised": depth})


def peaked(depth):
    depths, queries = np.geomspace(2, 32, STEPS), np.geomspace(4, 64, STEPS)
    values = np.repeat(-((np.log2(depths) - np.log2(depth)) ** 2)[:, None], STEPS, axis=1)
    return Surface(queries, depths, np.array([1]), np.stack([[values]] * 2))


def test_regrets_by_hand():
    """nDCG -|log2(depth / 8)|: eight is the best, four and sixteen lose 1; the advice says sixteen."""
    runs = runs_by_depth(lambda depth: -abs(np.log2(depth / 8)))
    found = held_out.regrets(runs, told(16.0)).query("collection == 'a'").set_index("rule")["regret"]
    assert found[[stored.ADVICE, DEEP, SHALLOW]].tolist() == pytest.approx([1, 1, 1])
    assert found["eight documents a query"] == pytest.approx(0)
    assert "fifty queries" not in found  # the menu has 33 queries at most


def test_the_best_of_the_menu_is_no_lucky_one(rng):
    """Seven depths alike: the highest mean is so by luck, which a parabola follows a part of the way."""
    depths = np.arange(7.0)
    tops = [(held_out._top(depths, values), values.max()) for values in rng.normal(0, 1, (400, 7))]
    smooth, luckiest = np.mean(tops, axis=0)
    assert 0 < smooth < 0.75 * luckiest
    assert held_out._top(depths, -((depths - 3) ** 2)) == pytest.approx(0)


def test_what_a_rule_loses_more_than_the_advice_has_an_interval_over_collections():
    """Deep loses 1, 2 and 3 more on three collections: 2 with t(2) x 1 / sqrt(3) on either side."""
    rows = [
        (name, 0.1, rule, loss * lost)
        for name, lost in zip("abc", (1.0, 2.0, 3.0), strict=True)
        for rule, loss in (("advice", 0.0), (DEEP, 1.0))
    ]
    table = held_out.regret_table(pd.DataFrame(rows, columns=["collection", "share", "rule", "regret"]))
    deep = table.set_index("rule").loc[DEEP]
    assert (deep["more"], deep["more_low"], deep["more_high"]) == pytest.approx((2, 2 - 2.484, 2 + 2.484), abs=1e-3)
    assert table["rule"].tolist() == ["advice", DEEP]
    assert table.set_index("rule").loc["advice", ["more", "more_low", "more_high"]].tolist() == [0, 0, 0]


def test_advice_is_chosen_without_the_collection_it_is_tried_on():
    """The others peak at 2, the one left out at 32."""
    surfaces = {"a": peaked(2), "b": peaked(2), "c": peaked(32)}
    advice = held_out.advised(surfaces, runs_by_depth(lambda depth: 0.0)).set_index("collection")["advised"]
    assert advice["c"] == pytest.approx(2)
    assert advice["a"] == pytest.approx(8, rel=1)


def test_no_other_collection_gives_no_advice():
    with pytest.raises(ValueError, match="advice for a: expected the surface of another collection"):
        held_out.advised({"a": peaked(2)}, runs_by_depth(lambda depth: 0.0, ("a",)))


def test_a_run_trains_on_what_is_bought(rng, monkeypatch):
    """A ranker that tells how much it was given."""
    features = rng.normal(size=(60, 3)).astype(np.float32)
    part = Collection(features, (features[:, 0] > 0).astype(np.int8), np.arange(0, 61, 10))
    seen = {}

    class Spy:
        def fit(self, x, y, group, **_):
            seen.update(rows=len(x), group=list(group))

        def predict(self, x):
            return x[:, 0]

    monkeypatch.setattr("helpers.rankers.seeded", lambda name, seed: Spy())
    found = allocation_taught("RankSVM", 3, 4, 0, rng=rng, pool=part, validation=part, test=part)
    assert seen == {"rows": 12, "group": [4, 4, 4]}
    assert found == {"ndcg": 1.0}


def test_a_real_collection_has_the_pool_of_its_training_queries(real_data):
    found = held_out.parts("ohsumed", np.random.default_rng(5))
    assert (found["pool"].n_queries, set(found["pool"].group)) == (32, {128})


def test_samples_of_a_judge_who_always_agrees_decide_as_all_documents():
    labels = np.tile(np.random.default_rng(0).integers(3, size=(10, 30, 1)), 4).astype(np.int8)
    pilot = budget.Pilot(labels, None, np.zeros((2, 10, 5), int), np.arange(10))
    found = decided(pilot, 5, np.random.default_rng(1))
    assert found[["items", "passes", "same"]].drop_duplicates().to_numpy().tolist() == [[50, True, 1], [100, True, 1]]
    three = budget.Pilot(labels[:, :, :3], None, pilot.tops, pilot.query_ids)
    assert decided(three, 5, np.random.default_rng(1)).empty


def test_stored_regrets_are_read_off_the_stored_trainings():
    kept = stored.tables("training")
    for data, rows in kept["by_collection"].groupby("data"):
        again = held_out.regret_table(rows).set_index("rule")
        table = kept["regret"][kept["regret"]["data"] == data].set_index("rule")
        assert again.loc[table.index, ["regret", "more"]].to_numpy() == pytest.approx(
            table[["regret", "more"]].to_numpy(), abs=2e-6
        )


def test_regrets_of_a_stored_collection_are_those_of_its_trainings():
    """Whatever was advised: a rule's nDCG is the mean of the trainings at the depth that it took."""
    trained = stored.tables("held-out")["trained"].query("collection == 'mq2008'")
    means = trained.groupby(["share", "documents"])["ndcg"].mean()
    rows = stored.tables("training")["by_collection"].query("collection == 'mq2008'")
    assert len(rows)
    assert [means[row.share, row.documents] for row in rows.itertuples()] == pytest.approx(list(rows["ndcg"]), abs=2e-6)
