import numpy as np
import pandas as pd
import pytest

from helpers.datasets.collection import Collection
from helpers.making import budget as held_out
from helpers.making.budget import decided
from helpers.making.taught_trial import allocation_taught
from helpers.studies import budget
from helpers.studies.budget import stored
from helpers.studies.budget.tables import TWICE
from helpers.studies.depth.allocation import Surface


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


def peaked(depth, queries=(4, 64), documents=(2, 32)):
    """A surface that knows depth alone, -(log2 of it less that of its peak) squared."""
    peak = np.log2(depth)
    return Surface(np.array([[-(peak**2), 0, 2 * peak, 0, 0, -1]]), queries, documents)


def test_regrets_by_hand():
    """nDCG -|log2(depth / 8)|: the advice, eight, is the best; sixteen, the nearest to twice the page, loses 1."""
    runs = runs_by_depth(lambda depth: -abs(np.log2(depth / 8)))
    found = held_out.regrets(runs, told(8.0)).query("collection == 'a'").set_index("rule")
    assert found["regret"].to_dict() == pytest.approx({stored.ADVICE: 0, TWICE: 1})
    assert found["documents"].to_dict() == {stored.ADVICE: 8, TWICE: 16}
    bought = held_out.regrets(runs[runs["documents"] < 16], told(32.0))  # of eight at most twice the page is none
    assert bought["rule"].unique().tolist() == [stored.ADVICE]
    assert bought["documents"].unique().tolist() == [8]


def test_the_best_of_the_menu_is_no_lucky_one(rng):
    """Seven depths alike: the highest mean is so by luck, which a parabola follows a part of the way."""
    depths = np.arange(7.0)
    tops = [(held_out._top(depths, values), values.max()) for values in rng.normal(0, 1, (400, 7))]
    smooth, luckiest = np.mean(tops, axis=0)
    assert 0 < smooth < 0.75 * luckiest
    assert held_out._top(depths, -((depths - 3) ** 2)) == pytest.approx(0)


def test_what_a_rule_loses_more_than_the_advice_has_an_interval_over_collections():
    """Twice the page loses 1, 2 and 3 more on three collections: 2 with t(2) x 1 / sqrt(3) on either side."""
    rows = [
        (name, 0.1, rule, loss * lost)
        for name, lost in zip("abc", (1.0, 2.0, 3.0), strict=True)
        for rule, loss in (("advice", 0.0), (TWICE, 1.0))
    ]
    table = held_out.regret_table(pd.DataFrame(rows, columns=["collection", "share", "rule", "regret"]))
    twice = table.set_index("rule").loc[TWICE]
    assert (twice["more"], twice["more_low"], twice["more_high"]) == pytest.approx((2, 2 - 2.484, 2 + 2.484), abs=1e-3)
    assert table["rule"].tolist() == ["advice", TWICE]
    assert table.set_index("rule").loc["advice", ["more", "more_low", "more_high"]].tolist() == [0, 0, 0]


@pytest.mark.parametrize("budget", [1.0, 300.0, 1e6])
def test_collections_that_were_run_with_less_or_more_advise_for_the_nearest_budget(budget):
    """From half of the depths, 2 to 8 or 8 to 32, of which eight is the peak."""
    assert held_out.best_depth([peaked(8)] * 2, held_out.COSTS, budget) == pytest.approx(8, rel=0.1)


@pytest.mark.parametrize("surfaces", [[], [peaked(8, documents=(31, 32), queries=(4, 4))]])
def test_advice_needs_another_collection_with_some_choice(surfaces):
    with pytest.raises(ValueError, match="no other collection was run with 3 allocations near it"):
        held_out.best_depth(surfaces, held_out.COSTS, 300.0)


def test_advice_is_chosen_without_the_collection_it_is_tried_on():
    """The others peak at 2, the one left out at 32."""
    surfaces = {"a": peaked(2), "b": peaked(2), "c": peaked(32)}
    advice = held_out.advised(surfaces, runs_by_depth(lambda depth: 0.0)).set_index("collection")["advised"]
    assert advice["c"] == pytest.approx(2)
    assert advice["a"] == pytest.approx(8, rel=1)


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
    again = held_out.regret_table(kept["by_collection"]).set_index("rule")
    table = kept["regret"].set_index("rule")
    columns = ["regret", "more"]
    assert again.loc[table.index, columns].to_numpy() == pytest.approx(table[columns].to_numpy(), abs=2e-6)


def test_regrets_of_a_stored_collection_are_those_of_its_trainings():
    """Whatever was advised: a rule's nDCG is the mean of the trainings at the depth that it took."""
    trained = stored.tables("held-out")["trained"].query("collection == 'mq2008'")
    means = trained.groupby(["share", "documents"])["ndcg"].mean()
    rows = stored.tables("training")["by_collection"].query("collection == 'mq2008'")
    assert len(rows)
    assert [means[row.share, row.documents] for row in rows.itertuples()] == pytest.approx(list(rows["ndcg"]), abs=2e-6)
