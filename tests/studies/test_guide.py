"""The answers of the guide, by tables made by hand that say one thing, and the opposite."""

import pandas as pd
import pytest

from helpers.studies import guide


def test_a_ceiling_is_what_disagreement_leaves_of_one():
    rows = {"claim": ["M1", "M3"], "collection": "x", "effect": 0.25, "low": 0.2, "high": 0.35}
    found = guide.ceilings(pd.DataFrame(rows))
    assert found.loc[0, ["value", "low", "high"]].tolist() == pytest.approx([0.75, 0.65, 0.8])
    assert guide.of_ceilings(found).endswith("reaches nDCG .75 to .75 with another, on 1 collection.")


def test_what_noise_leaves_is_ordered_and_synthetic_collections_are_told():
    falls = pd.DataFrame(
        {
            "dataset": ["mq2008", "mq2008", "td2003-portrait", "td2003-portrait", "mq2008"],
            "ranker": ["A", "B", "A", "B", "A"],
            "dnoise": [0.5, 0.5, 0.5, 0.5, 0.1],
            "pnoise": [0.4, 0.4, 0.5, 0.5, 0.1],
            "relative": [0.9, 0.7, 0.2, 0.4, 1.0],
        }
    )
    rows = guide.noise(falls)
    assert rows["name"].tolist() == ["td2003-portrait, pNoise .50", "mq2008, pNoise .40"]
    assert rows[["value", "low", "high"]].to_numpy() == pytest.approx(pd.DataFrame([[0.3, 0.2, 0.4], [0.8, 0.7, 0.9]]))
    assert rows["real"].tolist() == [False, True]
    assert guide.of_noise(rows, 0.5).startswith("With 50 % of the labels wrong rankers keep 30 % of NDCG@10 on td2003")


def best(documents, shallowest, deepest):
    rows = {"budget": [64, 128, 128, 128], "cost": [0, 0, 8, 0], "documents": [1, documents, 99, 50]}
    rows |= {"ranker": ["LambdaRank"] * 3 + ["AdaRank"]}
    return {"best_depths": pd.DataFrame(rows | {"shallowest": shallowest, "deepest": deepest})}


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (
            best(16, 8, 64),
            "between 8 documents (mq2008, LambdaRank) and 16 (ohsumed, LambdaRank); 8 to 32 documents are as good as",
        ),
        (
            best(100, 64, 128),
            "between 8 documents (mq2008, LambdaRank) and 100 (ohsumed, LambdaRank); no depth is as good as the best",
        ),
    ],
)
def test_the_best_depth_and_what_is_as_good_for_all(second, said):
    rows = guide.depths({"mq2008": best(8, 4, 32), "ohsumed": second, "mslr-sample": {}})
    assert rows["name"].tolist() == ["mq2008, LambdaRank", "ohsumed, LambdaRank"]
    assert said in guide.of_depths(rows)


@pytest.mark.parametrize(("random", "ahead"), [(0.2, 1), (0.9, 0)])
def test_choosing_whom_to_ask_again_or_not(random, ahead):
    hidden = pd.DataFrame(
        {"judge": ["a", "b", "a"], "share": [0.2, 0.2, 0.5], "chosen": [0.4, 0.6, 1.0], "random": random}
    ).assign(gap=[0.01, 0.03, 0.01])
    rows = guide.asked({"x": {"hidden": hidden}})
    assert rows["value"].tolist() == pytest.approx([(0.4 + 3 * 0.6) / 4, random])
    assert guide.of_asked(rows).endswith(f"choosing is ahead on {ahead} of 1 collection.")
