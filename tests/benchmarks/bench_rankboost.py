"""300 rounds of RankBoost beside 300 LightGBM trees on the same rows; growth with documents, and memory."""

from bench_ranksvm import FEATURE_ARRAYS, SLOWER_ON_EIGHTFOLD, fit, mslr_shaped, peak_beyond_features
from timing import best_in_turn, seconds

from helpers.rankers import LambdaMART
from helpers.rankers.rankboost import RankBoost

ROUNDS = 300


def test_300_rounds_are_no_slower_than_300_lightgbm_trees():
    training = mslr_shaped(1000)
    fit(RankBoost(rounds=2), training)  # compiles
    theirs = seconds(lambda: fit(LambdaMART(num_iterations=ROUNDS), training))
    ours = seconds(lambda: fit(RankBoost(rounds=ROUNDS), training))
    print(
        f"\n100,000 documents: {ROUNDS} rounds {ours:.1f} s, {ROUNDS} trees {theirs:.1f} s: {theirs / ours:.1f} times"
    )
    assert ours <= theirs


def test_time_grows_in_proportion_to_documents():
    training, larger = mslr_shaped(1000), mslr_shaped(8000)
    fit(RankBoost(rounds=2), training)  # compiles
    few, many = best_in_turn(2, *(lambda c=c: fit(RankBoost(rounds=50), c) for c in (training, larger)))
    print(f"\n50 rounds: {few:.2f} s for 100,000 documents, {many:.2f} s for 800,000: {many / few:.1f} times")
    assert many / few <= SLOWER_ON_EIGHTFOLD


def test_memory_beyond_the_features_stays_below_half_of_them():
    peak = peak_beyond_features("RankBoost")
    print(f"\npeak beyond the features: {peak:.2f} feature arrays")
    assert 0 < peak < FEATURE_ARRAYS
