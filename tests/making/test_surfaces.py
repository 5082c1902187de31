import numpy as np
import pandas as pd
import pytest

from helpers.making import surfaces
from helpers.making.surfaces import STEPS, Surface, Wanted
from helpers.studies.budget.costs import Costs

COSTS = Costs(5, 1)


def runs_of(formula, rng, noise=0.002, repeats=3, opinions=(1,)):
    """Runs on every halving of 64 queries x 32 documents, with so many opinions."""
    rows = [
        (q, d, o, formula(q, d, o) + rng.normal(0, noise))
        for q in (4, 8, 16, 32, 64)
        for d in (2, 4, 8, 16, 32)
        for o in opinions
        for _ in range(repeats)
    ]
    return pd.DataFrame(rows, columns=["queries", "documents", "opinions", "ndcg"])


def flat(of_depth, opinions=(1,)):
    """A surface without noise that knows depth, and rises by .1 with each opinion more."""
    depths, queries = np.geomspace(2, 32, STEPS), np.geomspace(4, 64, STEPS)
    values = [np.repeat(of_depth(depths)[:, None], STEPS, axis=1) + 0.1 * (people - 1) for people in opinions]
    return Surface(queries, depths, np.array(opinions), np.stack([values, values]))


def peak(depth):
    return lambda depths: -((np.log2(depths) - np.log2(depth)) ** 2)


# surfaces


def test_a_smooth_surface_is_found_again(rng):
    found = surfaces.fit(runs_of(lambda q, d, o: 0.3 + 0.03 * np.log2(q) + 0.01 * np.log2(d), rng), rng, 50)
    assert found.at([1], [8.0], [16.0]).mean() == pytest.approx(0.45, abs=0.005)


def test_opinions_are_an_axis_of_the_surface(rng):
    """Two opinions are worth .02; three were not run, and lie between two and four."""
    runs = runs_of(lambda q, d, o: 0.3 + 0.03 * np.log2(q) + 0.02 * np.log2(o), rng, opinions=(1, 2, 4))
    found = surfaces.fit(runs, rng, 50)
    assert found.opinions.tolist() == [1, 2, 3, 4]
    one, two, three, four = found.at([1, 2, 3, 4], [8.0] * 4, [16.0] * 4).mean(axis=0)
    assert (two - one, four - one) == (pytest.approx(0.02, abs=0.005), pytest.approx(0.04, abs=0.005))
    assert two < three < four


def test_means_without_repeats_give_a_surface_whose_error_is_found(rng):
    """.01 of noise on every mean: its draws spread less than that at a point among many, and more than nothing."""
    runs = runs_of(lambda q, d, o: 0.3 + 0.03 * np.log2(q), rng, noise=0.01, repeats=1)
    spread = surfaces.fit(runs, rng, 200).at([1], [8.0], [16.0]).std()
    assert 0.0005 < spread < 0.01


def test_every_draw_rises_with_queries(rng):
    noisy = runs_of(lambda q, d, o: 0.5, rng, noise=0.05, repeats=2, opinions=(1, 2))
    assert (np.diff(surfaces.fit(noisy, rng, 40).values, axis=3) >= 0).all()


@pytest.mark.parametrize(
    ("queries", "message"),
    [([1, 2, 4], "3 allocations of 3 numbers of queries"), ([8] * 7, "7 allocations of 1 numbers of queries")],
)
def test_few_allocations_give_no_surface(rng, queries, message):
    runs = pd.DataFrame({"queries": queries, "documents": range(2, 2 + len(queries)), "opinions": 1, "ndcg": 0.1})
    with pytest.raises(ValueError, match=f"{message} were run, expected at least 6 of 2"):
        surfaces.fit(runs, rng)


# advice


def test_a_rule_that_wants_what_cannot_be_bought_is_not_followed():
    bought = pd.DataFrame({"depth": [8, 16], "queries": [30, 20]})
    wanted = {"twenty": Wanted(depth=20), "two": Wanted(depth=2), "fifty": Wanted(queries=50)}
    assert surfaces.followed(bought, wanted) == {"twenty": 1}


def test_collections_alike_are_advised_their_own_peak():
    assert surfaces.advised({name: flat(peak(8)) for name in "ab"}, COSTS, 300) == pytest.approx(8, rel=0.1)


@pytest.mark.parametrize("budget", [1.0, 1e6])
def test_collections_that_were_run_with_less_or_more_advise_for_the_nearest_budget(budget):
    """From half of the depths, 2 to 8 or 8 to 32, of which eight is the peak."""
    assert surfaces.advised({name: flat(peak(8)) for name in "ab"}, COSTS, budget) == pytest.approx(8, rel=0.1)


def test_advice_needs_a_collection_with_some_choice():
    narrow = Surface(np.array([4.0, 64.0]), np.array([2.0, 2.1]), np.array([1]), np.zeros((2, 1, 2, 2)))
    with pytest.raises(ValueError, match="none of narrow was run with three allocations"):
        surfaces.advised({"narrow": narrow}, COSTS, 300)


# pools


def test_a_table_with_labels_is_a_pool_with_opinions_and_failed_runs_are_left_out():
    table = pd.DataFrame({"ranker": "RankSVM", "queries": [8, 16], "documents": 4, "labels": [1, 2], "ndcg@3": 0.5})
    names = {"labels": "opinions", "ndcg@3": "ndcg"}
    assert surfaces.as_pool(table, names, "mine")["opinions"].tolist() == [1, 2]
    failed = surfaces.as_pool(table.assign(error=[None, "LookupError"]), names, "mine")
    assert failed["queries"].tolist() == [8]


def test_a_table_without_a_column_is_refused_with_its_name():
    with pytest.raises(ValueError, match="pool of mine: no column 'documents' among ranker, queries, ndcg"):
        surfaces.as_pool(pd.DataFrame(columns=["ranker", "queries", "ndcg"]), {}, "mine")


def test_each_pool_takes_part_whatever_it_has(rng):
    """Study 4's has one opinion and several rankers, study 1's means of one ranker with one, two and four opinions."""
    one = runs_of(lambda q, d, o: 0.3 + 0.03 * np.log2(q), rng)
    several = runs_of(lambda q, d, o: 0.3 + 0.03 * np.log2(q * o), rng, opinions=(1, 2, 4), repeats=1)
    runs = {"a": pd.concat([one.assign(ranker=name) for name in ("X", "Y")]), "b": several.assign(ranker="X")}
    fits = surfaces.fitted(runs, rng, 20)
    assert {ranker: list(by_name) for ranker, by_name in fits.items()} == {"X": ["a", "b"], "Y": ["a"]}
    assert fits["X"]["b"].opinions.tolist() == [1, 2, 3, 4]


def test_synthetic_collections_are_left_out_unless_asked_for():
    real, everything = surfaces.pools(), surfaces.pools(real=False)
    assert {"mq2008", "clueweb09-webis"} <= set(real)
    assert "mslr-sample-portrait" in set(everything) - set(real)
