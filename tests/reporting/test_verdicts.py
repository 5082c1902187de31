"""One verdict a claim: the four words, what is pooled, and what is said."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.metrics import significance
from helpers.reporting import verdicts
from helpers.reporting.verdicts import WORDS, word

HOLDS, OPPOSITE, SMALL, OPEN = WORDS
ENDS = st.floats(-1, 1).map(lambda end: round(end, 3))


def effects(claim="R2", basis="real", ranker="LambdaRank", **columns):
    """Effects on collections a, b ...: one for each value of the longest column."""
    given = {"effect": 0.001, "se": 0.001, "measure": "NDCG@10", "queries": 100, "draws": 10}
    frame = pd.DataFrame({"claim": claim, "basis": basis, "ranker": ranker} | given | columns, index=None)
    wide = 1.96 * frame["se"]
    ends = {"low": frame["effect"] - wide, "high": frame["effect"] + wide}
    return frame.assign(**{name: end for name, end in ends.items() if name not in frame})


@pytest.mark.parametrize(
    ("says", "low", "high", "said"),
    [
        ("better", 0.001, 0.020, HOLDS),
        ("better", -0.020, -0.001, OPPOSITE),
        ("better", -0.004, 0.005, SMALL),
        ("better", -0.006, 0.005, OPEN),
        ("better", 0.001, 0.002, HOLDS),  # smaller than the margin, and above 0
        ("worse", -0.020, -0.001, HOLDS),
        ("worse", 0.001, 0.020, OPPOSITE),
        ("as good", -0.020, 0.005, HOLDS),
        ("as good", 0.001, 0.006, OPEN),  # above 0 is not yet opposite
        ("as good", 0.006, 0.020, OPPOSITE),
        ("at most", -0.020, 0.004, HOLDS),
        ("near", -0.005, 0.005, HOLDS),
        ("near", -0.006, 0.004, OPEN),
        ("near", -0.020, -0.006, OPPOSITE),
        ("above", 0.001, 0.002, HOLDS),
        ("above", -0.020, -0.001, OPPOSITE),
    ],
)
def test_an_interval_has_the_first_word_that_it_bears_out(says, low, high, said):
    assert word(says, low, high, margin=0.005) == said
    assert word(says, low + 0.5, high + 0.5, value=0.5, margin=0.005 + 1e-9) == said


@given(st.sampled_from(verdicts.SAYS), ENDS, ENDS, ENDS, st.sampled_from([0.0, 0.005, 0.2]))
def test_a_narrower_interval_never_takes_back_what_a_wider_one_decided(says, one, other, inner, margin):
    low, high = sorted((one, other))
    middle = float(np.clip(inner, low, high))
    decided = word(says, low, high, margin=margin)
    if decided in (HOLDS, OPPOSITE):
        assert word(says, middle, high, margin=margin) == decided


@given(ENDS, ENDS, st.sampled_from([0.0, 0.005, 0.2]))
def test_worse_is_better_turned_round(one, other, margin):
    low, high = sorted((one, other))
    assert word("worse", low, high, margin=margin) == word("better", -high, -low, margin=margin)


def test_an_unknown_saying_is_refused():
    with pytest.raises(ValueError, match="says is 'equal', expected one of better, worse"):
        word("equal", 0, 1)


def test_the_claims_are_at_most_sixty_with_an_id_of_their_own():
    claims = verdicts.claims()
    assert len(claims) <= 60
    assert claims["claim"].is_unique
    assert set(claims["says"]) <= set(verdicts.SAYS)
    assert set(claims["kind"]) == {verdicts.PAPER, verdicts.OURS, verdicts.ARITHMETIC}
    assert (claims["words"].str.len() < 100).all()


def test_three_real_collections_are_pooled_and_portraits_left_out():
    real = effects(collection=["a", "b", "c"], effect=[0.001, 0.002, 0.004], se=[0.001, 0.002, 0.001])
    drawn = effects(collection=["d"], basis="portrait", effect=[0.5])
    [row] = verdicts.verdicts(pd.concat([real, drawn])).to_dict("records")
    expected = significance.pool(real["effect"], real["se"])
    assert (row["measured"], row["low"], row["high"], row["tau"]) == expected[:4]
    assert (row["collections"], row["rests_on"], row["left_out"]) == ("a, b, c", "real", "1 portrait")


def test_of_two_collections_both_have_to_bear_the_word_out():
    both = effects(collection=["a", "b"], effect=[0.001, 0.010], se=[0.001, 0.001])
    [row] = verdicts.verdicts(both).to_dict("records")
    assert (row["low"], row["high"]) == (pytest.approx(0.001 - 0.00196), pytest.approx(0.010 + 0.00196))
    assert row["verdict"] == OPEN
    assert np.isnan(row["tau"])


def test_portraits_give_the_word_where_there_is_no_real_collection_and_every_sentence_says_so():
    drawn = effects(collection=["d"], basis="portrait", effect=[0.001])
    [row] = verdicts.verdicts(drawn).to_dict("records")
    assert row["rests_on"] == "portrait"
    assert verdicts.sentence(row).startswith("On synthetic data: ")
    assert verdicts.table(pd.DataFrame([row])).iloc[0]["ours, pooled"].startswith("On synthetic data: ")


def test_the_ranker_of_the_paper_decides_and_others_are_second_rows():
    rows = effects(collection=["a", "a"], ranker=["LambdaRank", "LambdaMART"], effect=[0.001, 0.1])
    [row] = verdicts.verdicts(rows).to_dict("records")
    assert (row["measured"], row["left_out"]) == (0.001, "LambdaMART")
    [row] = verdicts.verdicts(rows, ranker="LambdaMART").to_dict("records")
    assert (row["measured"], row["left_out"]) == (0.1, "LambdaRank")
    assert verdicts.of_rankers(rows)["measured"].tolist() == [0.001, 0.1]


def test_a_claim_stands_once_a_word_and_with_its_rankers_where_these_differ():
    said = {"A": "holds holds holds", "B": "holds opposite holds", "C": "opposite opposite holds"}
    rows = [(claim, word, f"r{n}") for claim, words in said.items() for n, word in enumerate(words.split())]
    judged = pd.DataFrame([*rows, ("D", "cannot tell", np.nan)], columns=["claim", "verdict", "rankers"])
    said = "A, B (r0, r2) and C (r2): holds; B (r1) and C (r0, r1): opposite; D: cannot tell."
    assert verdicts.in_words(judged) == said
    assert verdicts.in_words(judged[judged["claim"] == "D"].astype({"rankers": float})) == "D: cannot tell."


def test_a_claim_without_effects_has_no_row():
    assert verdicts.verdicts(effects(collection=["a"]))["claim"].tolist() == ["R2"]


@pytest.mark.parametrize(
    ("claim", "effect", "se", "said"),
    [
        ("R1-10", 0.020, 0.005, "0 and less"),
        ("R1-10", 0.0025, 0.0005, "0 and less, and .005 and more"),
        ("R1-10", -0.020, 0.005, "0 and more"),
        ("R1-10", 0.000, 0.001, "more than .005 either way"),
        ("R1-10", 0.010, 0.010, "less than -.010, more than .030"),
        ("R2", 0.001, 0.001, "more than .005"),
        ("R2", 0.020, 0.001, ".005 and less"),
        ("N6", 0.480, 0.010, "more than .600, less than .400"),
    ],
)
def test_a_verdict_says_what_it_excludes(claim, effect, se, said):
    ranker = verdicts.claims().set_index("claim").loc[claim, "rankers"]
    [row] = verdicts.verdicts(effects(claim, collection=["a"], ranker=ranker, effect=effect, se=se)).to_dict("records")
    assert row["excludes"] == said


def test_a_margin_is_worth_the_judgments_that_buy_it():
    rows = effects(collection=["a"])
    assert verdicts.verdicts(rows, worths={"robust04": 0.005})["margin_worth"].item() == 1.0  # as much as a doubling
    assert verdicts.verdicts(rows, worths={"robust04": 0.01})["margin_worth"].item() == pytest.approx(2**0.5 - 1)
    assert np.isnan(verdicts.verdicts(rows, worths={"robust04": -0.01})["margin_worth"].item())
    assert np.isnan(verdicts.verdicts(rows)["margin_worth"].item())


def test_settings_of_one_collection_are_averaged_and_none_is_taken_from_the_error():
    table = pd.DataFrame(
        {"ranker": "LambdaRank", "question": "fewer queries of 8 documents", "at": [2, 4, 8],
         "difference": [0.01, 0.03, 9.0], "low": [0.0, 0.02, 9.0], "high": [0.02, 0.04, 9.0]}
    )  # fmt: skip
    [row] = verdicts.from_comparisons("04", table, "a", "real").to_dict("records")
    assert (row["claim"], row["effect"], row["low"], row["high"]) == ("R5b", 0.02, 0.01, 0.03)
    assert row["se"] == pytest.approx(0.01 / 1.96, rel=1e-4)
    assert verdicts.from_comparisons("04", table[table["at"] != 2], "a", "real").empty


def test_verdicts_by_the_margin_are_those_on_claims_in_ndcg():
    rows = effects(collection=["a"], effect=0.004, se=0.001)
    found = verdicts.by_margin(rows, [0.0, 0.01])
    assert found.loc["R2  Half of each query's documents train as well as all of them"].tolist() == [OPPOSITE, HOLDS]
