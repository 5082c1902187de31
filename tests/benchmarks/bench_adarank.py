"""AdaRank on new labels of features that it has seen, beside the first time; growth with documents, and memory."""

import numpy as np
from bench_rankboost import peak_beyond_features
from bench_ranksvm import FEATURE_ARRAYS, SLOWER_ON_EIGHTFOLD, fit, mslr_shaped
from timing import best_in_turn

from helpers.rankers import feature_orders
from helpers.rankers.adarank import AdaRank
from helpers.rankers.feature_orders import by_feature, measure

FASTER_WITH_ORDERS_MADE = 10


def forgetful(function, *arguments):
    feature_orders._remembered.clear()
    return function(*arguments)


def relabelled(collection, rng):
    """A sixth of the documents get the grade of another one."""
    grades = np.where(rng.random(collection.n_docs) < 1 / 6, rng.permutation(collection.grades), collection.grades)
    return collection.with_grades(grades)


def test_features_are_measured_much_faster_on_new_labels_than_the_first_time():
    training, rng = mslr_shaped(1000), np.random.default_rng(2007)
    fit(AdaRank(rounds=1), training)  # compiles
    judged = measure(relabelled(training, rng), "MAP")
    first, again = best_in_turn(
        3, lambda: forgetful(by_feature, training, judged), lambda: by_feature(training, judged)
    )
    print(
        f"\nall features measured: first {first:.2f} s, on new labels {again:.3f} s: {first / again:.1f} times as fast"
    )
    for rounds in (1, 10, 100):
        drawn = relabelled(training, rng)
        ranker = AdaRank(rounds=rounds)
        whole, new = best_in_turn(
            2, lambda r=ranker, c=drawn: forgetful(fit, r, c), lambda r=ranker, c=drawn: fit(r, c)
        )
        print(
            f"fit, {ranker.n_rounds_} rounds: first {whole:.2f} s, on new labels {new:.3f} s: {whole / new:.1f} times"
        )
    assert first / again >= FASTER_WITH_ORDERS_MADE


def test_time_grows_in_proportion_to_documents():
    training, larger = mslr_shaped(1000), mslr_shaped(8000)
    fit(AdaRank(rounds=1), training)  # compiles
    ranker = AdaRank(rounds=5)
    few, many = best_in_turn(2, *(lambda c=c: forgetful(fit, ranker, c) for c in (training, larger)))
    print(f"\n5 rounds: {few:.2f} s for 100,000 documents, {many:.2f} s for 800,000: {many / few:.1f} times")
    assert many / few <= SLOWER_ON_EIGHTFOLD


def test_memory_beyond_the_features_stays_below_half_of_them():
    peak = peak_beyond_features(AdaRank)
    print(f"\npeak beyond the features: {peak:.2f} feature arrays")
    assert 0 < peak < FEATURE_ARRAYS
