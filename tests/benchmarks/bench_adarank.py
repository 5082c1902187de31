"""AdaRank on new labels of features that it has seen, beside the first time; growth with documents, and memory."""

import numpy as np
from bench_ranksvm import FEATURE_ARRAYS, SLOWER_ON_EIGHTFOLD, fit, mslr_shaped, peak_beyond_features
from timing import best_in_turn

from helpers.rankers import feature_orders
from helpers.rankers.adarank import AdaRank
from helpers.rankers.base import in_one_order
from helpers.rankers.feature_orders import by_feature, measure

FASTER_WITH_ORDERS_MADE = 10


def forgetful(function, *arguments):
    feature_orders._remembered.clear()
    return function(*arguments)


def relabelled(collection, rng):
    """A sixth of the documents get the grade of another one."""
    grades = np.where(rng.random(collection.n_docs) < 1 / 6, rng.permutation(collection.grades), collection.grades)
    return collection.with_grades(grades)


def test_fitting_to_new_labels_is_much_faster_than_the_first_time():
    training, rng = mslr_shaped(1000), np.random.default_rng(2007)
    print()
    ratios = {metric: first_to_again(AdaRank(metric), training, rng) for metric in ("NDCG", "MAP")}
    assert ratios["MAP"] >= FASTER_WITH_ORDERS_MADE


def first_to_again(ranker, training, rng):
    """How many times as long the first fit takes as one to other labels, printed beside the same of the first step."""
    fit(ranker, training)  # compiles
    drawn = relabelled(training, rng)
    lists, judged = in_one_order(drawn), measure(drawn, ranker.metric)
    first, again, measured, remeasured = best_in_turn(
        5,
        lambda: forgetful(fit, ranker, drawn),
        lambda: fit(ranker, drawn),
        lambda: forgetful(by_feature, lists, judged),
        lambda: by_feature(lists, judged),
    )
    print(f"{ranker.metric}, {ranker.n_rounds_} rounds: first {first:.2f} s, on new labels {again:.3f} s", end="")
    print(f": {first / again:.1f} times as fast; features measured {measured / remeasured:.1f} times as fast")
    return first / again


def test_time_grows_in_proportion_to_documents():
    training, larger = mslr_shaped(1000), mslr_shaped(8000)
    fit(AdaRank(rounds=1), training)  # compiles
    ranker = AdaRank(rounds=5)
    few, many = best_in_turn(2, *(lambda c=c: forgetful(fit, ranker, c) for c in (training, larger)))
    print(f"\n5 rounds: {few:.2f} s for 100,000 documents, {many:.2f} s for 800,000: {many / few:.1f} times")
    assert many / few <= SLOWER_ON_EIGHTFOLD


def test_memory_beyond_the_features_stays_below_half_of_them():
    peak = peak_beyond_features("AdaRank")
    print(f"\npeak beyond the features: {peak:.2f} feature arrays")
    assert 0 < peak < FEATURE_ARRAYS
