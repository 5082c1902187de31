import numpy as np
import pandas as pd
import pytest

from helpers.studies.budget import stored, surfaces, training
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.habits import DEEP, Rule, Wanted
from helpers.studies.budget.surfaces import STEPS, Surface

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


# allocations


def test_people_are_bought_for_the_whole_budget_within_what_was_run():
    bought = training.options(flat(peak(8), (1, 2)), COSTS, 300).bought
    assert set(bought["opinions"]) == {1, 2}
    assert (bought["queries"] * (5 + bought["depth"] * bought["opinions"])).tolist() == pytest.approx(
        [300] * len(bought)
    )
    assert bought["queries"].between(4 - 1e-6, 64 + 1e-6).all()


def test_the_best_allocation_is_the_peak():
    found = training.best(training.options(flat(peak(8)), COSTS, 300))
    assert (found["depth"], found["queries"], found["who"]) == (pytest.approx(8), pytest.approx(300 / 13), "people")


def test_opinions_are_bought_where_they_are_worth_it():
    """At the peak an opinion more is worth .1, a hundredth of a doubling away: queries cost nothing on this surface."""
    found = training.best(training.options(flat(peak(8), (1, 2, 3)), COSTS, 300))
    assert (found["opinions"], found["depth"]) == (3, pytest.approx(8))


@pytest.mark.parametrize(("share", "who"), [(0.99, "machine"), (0.5, "people")])
def test_a_machine_labels_where_more_queries_make_up_for_what_its_labels_lose(share, who):
    """nDCG log2(queries) / 10 at any depth: 300 buys 43 queries of people, or 58 of a machine that keeps a share."""
    depths, queries = np.geomspace(2, 32, STEPS), np.geomspace(4, 64, STEPS)
    values = np.broadcast_to(np.log2(queries) / 10, (2, 1, STEPS, STEPS))
    surface = Surface(queries, depths, np.array([1]), values)
    costs = Costs(5, 1, 0.02)
    found = training.best(training.options(surface, costs, 300, np.full(2, share)))
    assert found["who"] == who
    assert found["cost"] <= 300 + 1e-9


def test_a_machine_is_no_option_without_a_price_or_without_what_its_labels_are_worth():
    for costs, kept in ((COSTS, np.ones(2)), (Costs(5, 1, 0.02), None)):
        assert set(training.options(flat(peak(8)), costs, 300, kept).bought["who"]) == {"people"}


def test_of_a_machine_no_more_queries_are_bought_than_were_run():
    bought = training.options(flat(peak(8)), Costs(5, 1, 0.01), 10_000, np.ones(2)).bought
    assert set(bought["who"]) == {"machine"}
    assert bought["queries"].max() == pytest.approx(64)
    assert bought["cost"].max() < 10_000


def test_a_budget_outside_what_was_run_is_refused():
    with pytest.raises(ValueError, match="no allocation of this budget was run"):
        training.best(training.options(flat(peak(8)), COSTS, 1))


def test_losses_by_hand():
    """Peak at 8: depth 32 is two doublings away and loses 4."""
    wanted = {"deep": Wanted(depth=np.inf), "right": Wanted(depth=8), "three": Wanted(depth=8, opinions=3)}
    rules = [Rule(name, "", to_train=each) for name, each in wanted.items()]
    lost = training.lost_by_rules(training.options(flat(peak(8)), COSTS, 300), rules).set_index("rule")
    assert lost["loss"].to_dict() == {"deep": pytest.approx(4), "right": pytest.approx(0)}
    assert lost.loc["deep", "low"] == pytest.approx(4)


def test_a_rule_that_wants_what_cannot_be_bought_is_not_followed():
    bought = pd.DataFrame({"depth": [8, 16], "queries": [30, 20]})
    wanted = {"twenty": Wanted(depth=20), "two": Wanted(depth=2), "fifty": Wanted(queries=50)}
    assert training.followed(bought, wanted) == {"twenty": 1}


def test_collections_alike_are_advised_their_own_peak():
    assert training.advised({name: flat(peak(8)) for name in "ab"}, COSTS, 300) == pytest.approx(8, rel=0.1)


@pytest.mark.parametrize("budget", [1.0, 1e6])
def test_collections_that_were_run_with_less_or_more_advise_for_the_nearest_budget(budget):
    """From half of the depths, 2 to 8 or 8 to 32, of which eight is the peak."""
    assert training.advised({name: flat(peak(8)) for name in "ab"}, COSTS, budget) == pytest.approx(8, rel=0.1)


def test_advice_needs_a_collection_with_some_choice():
    narrow = Surface(np.array([4.0, 64.0]), np.array([2.0, 2.1]), np.array([1]), np.zeros((2, 1, 2, 2)))
    with pytest.raises(ValueError, match="none of narrow was run with three allocations"):
        training.advised({"narrow": narrow}, COSTS, 300)


# pools


def test_a_table_with_labels_is_a_pool_with_opinions_and_failed_runs_are_left_out():
    table = pd.DataFrame({"ranker": "RankSVM", "queries": [8, 16], "documents": 4, "labels": [1, 2], "ndcg@3": 0.5})
    names = {"labels": "opinions", "ndcg@3": "ndcg"}
    assert stored.as_pool(table, names, "mine")["opinions"].tolist() == [1, 2]
    failed = stored.as_pool(table.assign(error=[None, "LookupError"]), names, "mine")
    assert failed["queries"].tolist() == [8]


def test_a_table_without_a_column_is_refused_with_its_name():
    with pytest.raises(ValueError, match="pool of mine: no column 'documents' among ranker, queries, ndcg"):
        stored.as_pool(pd.DataFrame(columns=["ranker", "queries", "ndcg"]), {}, "mine")


def test_each_pool_takes_part_whatever_it_has(rng):
    """Study 4's has one opinion and several rankers, study 1's means of one ranker with one, two and four opinions."""
    one = runs_of(lambda q, d, o: 0.3 + 0.03 * np.log2(q), rng)
    several = runs_of(lambda q, d, o: 0.3 + 0.03 * np.log2(q * o), rng, opinions=(1, 2, 4), repeats=1)
    runs = {"a": pd.concat([one.assign(ranker=name) for name in ("X", "Y")]), "b": several.assign(ranker="X")}
    fits = training.fitted(runs, rng, 20)
    assert {ranker: list(by_name) for ranker, by_name in fits.items()} == {"X": ["a", "b"], "Y": ["a"]}
    found = training.bests(fits, Costs(5, 1, 0.02), 300, {"X": np.full(20, 0.2)})
    assert len(found) == 3
    assert set(training.losses(fits, COSTS, 300)["rule"]) > {DEEP, "three opinions, a page deep"}
    assert set(training.along_costs(fits, COSTS, 300)["opinions"]) == {1, 2, 3, 4}


def test_a_budget_that_nobody_ran_leaves_the_tables_empty(rng):
    fits = training.fitted({"a": runs_of(lambda q, d, o: 0.3, rng).assign(ranker="X")}, rng, 5)
    for table in (training.bests, training.losses, training.along_costs):
        assert table(fits, COSTS, 1.0).empty


def judged(kept, dataset="a", ranker="X"):
    """Two folds: .4 and .5 by clean labels, a share of it by a machine's."""
    clean = pd.DataFrame({"dataset": dataset, "ranker": ranker, "fold": [1, 2], "level": 0.0, "ndcg": [0.4, 0.5]})
    noisy = clean.assign(judge=stored.MACHINE, level=1.0, ndcg=clean["ndcg"] * kept)
    half = noisy.assign(level=0.5, ndcg=0.0)
    return {"uniform": pd.concat([clean, clean.assign(level=0.5, ndcg=0.0)]), "judged": pd.concat([noisy, half])}


def test_shares_kept_are_those_of_all_documents_over_no_noise():
    found = stored.shares_kept(judged(0.9))
    assert found["kept"].tolist() == [pytest.approx(0.9)] * 2
    assert found["judge"].unique().tolist() == [stored.MACHINE]


def test_draws_of_shares_lie_between_those_of_the_collections(rng):
    shares = pd.concat([stored.shares_kept(judged(0.9)), stored.shares_kept(judged(0.7, "b"))])
    drawn = stored.kept_draws(shares, "X", stored.MACHINE, rng, 2000)
    assert drawn.mean() == pytest.approx(0.8, abs=0.01)
    assert np.unique(drawn.round(6)).tolist() == pytest.approx([0.7, 0.8, 0.9])
    assert stored.kept_draws(shares, "Y", stored.MACHINE, rng, 10) is None


def test_synthetic_collections_are_left_out_unless_asked_for():
    real, everything = stored.pools(), stored.pools(real=False)
    assert {"mq2008", "clueweb09-webis"} <= set(real)
    assert "mslr-sample-portrait" in set(everything) - set(real)
    assert set(stored.measures()) == set(everything)


def test_what_rankers_keep_with_a_machines_labels_is_known_on_real_collections():
    found = stored.kept()
    assert {"mq2008", "ohsumed", "clueweb09-webis"} <= set(found["dataset"])
    assert not found["dataset"].str.endswith("-portrait").any()
    assert (found["kept"] > 0).all()
    assert 0.5 < found["kept"].median() < 1


def test_the_same_surfaces_for_any_number_of_workers():
    runs = {"mq2008": stored.pools()["mq2008"]}
    one, two = (training.fitted(runs, np.random.default_rng(3), 5, n_jobs) for n_jobs in (1, 2))
    for ranker, by_name in one.items():
        assert (by_name["mq2008"].values == two[ranker]["mq2008"].values).all()
