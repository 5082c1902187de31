"""What Yang, Mityagin, Svore and Markov 2010 claim."""

from helpers.reporting.verdicts import Claim

SOURCE = "Yang, Mityagin, Svore and Markov 2010"

GAIN = 0.003
"""NDCG@3 below which a gain is taken for none in study 1: the smallest that its paper makes a claim of is .0037."""

CLEAN, PLUS = ("clean07", "clean08"), ("clean+",)
SYNTHETIC = (*CLEAN, *PLUS, "pool", "three-ways")
"""Label sets whose pairs and judges are drawn."""

REAL = ("cystic-fibrosis",)
"""Several real judges of each pair, in place of the label sets Clean07 and Clean08."""

CROWDS = ("web-search-crowd", "trec-rf10-crowd")


def rests_on(data: str) -> str:
    """Whether the label set `data` is "synthetic" or "real"."""
    return "synthetic" if data in SYNTHETIC else "real"


CLAIMS = [
    Claim(
        "if-good-3 beats one label a pair",
        f"{SOURCE}, Tables 1 to 4",
        ".0046 to .0192 NDCG@3, significant",
        "if-good-3 or one label",
        "better",
        margin=GAIN,
        data=CLEAN + REAL,
    ),
    Claim(
        "if-good-2 beats one label a pair",
        f"{SOURCE}, Table 5",
        ".0037 NDCG@3 on Clean+, significant",
        "if-good-2 or one label",
        "better",
        margin=GAIN,
        data=PLUS,
    ),
    Claim(
        "No other setting is better than if-good-3",
        f"{SOURCE}, Tables 1 to 4 and text",
        "best, or level with the best; not on Clean+, where if-good-2 is above it",
        "another setting or if-good-3",
        "as good",
        margin=GAIN,
        data=CLEAN + REAL,
        setting="{at} against if-good-3",
    ),
    Claim(
        "k = 3 is the best of if-good-k",
        f"{SOURCE}, Figures 4 and 5",
        "best of k = 2 to 6 and good-till-bad",
        "another k or if-good-3",
        "as good",
        margin=GAIN,
        data=CLEAN + REAL,
        setting="{at} against if-good-3",
    ),
    Claim(
        "On Clean+ k = 2 is better than k = 3",
        f"{SOURCE}, Table 5 and Figure 6",
        ".0016 NDCG@3, significant",
        "another k or if-good-3",
        "better",
        at=("if-good-2",),
        margin=0.0016,
        data=PLUS,
        setting="{at} against if-good-3",
    ),
    Claim(
        "if-good-k is the best in cost effectiveness",
        f"{SOURCE}, section 7",
        "consistently outperforms other methods",
        "gain for a further label a pair",
        "as good",
        margin=GAIN,
        data=CLEAN + REAL,
        setting="{at} against if-good-3",
    ),
    Claim(
        "if-good-3 costs about 1.4 labels a pair",
        f"{SOURCE}, Tables 6 to 8",
        "1.41, 1.45 and 1.48; around 1.4 in general",
        "cost of if-good-3",
        "at most",
        margin=0.1,
        by_construction=SYNTHETIC,
        per_ranker=False,
    ),
    Claim(
        "good-till-bad costs no more than its upper bound",
        f"{SOURCE}, section 5.2.2",
        "(1 + rk) / (1 + r) labels a pair",
        "cost of good-till-bad",
        "at most",
        margin=0.0,
        per_ranker=False,
    ),
    Claim(
        "The majority vote is worse than training on all of its labels in some cases",
        f"{SOURCE}, section 7; mv11 on Clean07 as in the paper or as on the slides",
        "performs significantly worse in some cases",
        "majority vote or all labels",
        "worse",
        margin=GAIN,
        some=True,
        data=CLEAN + REAL,
    ),
    Claim(
        "Tripling the weight of Good+ labels does not help",
        f"{SOURCE}, Tables 1 to 5 and section 7",
        "middle to low among all runs",
        "tripled weights or none",
        "as good",
        margin=GAIN,
        data=CLEAN + PLUS + REAL,
    ),
    Claim(
        "More than two additional labels gain nothing",
        f"{SOURCE}, Figures 4 and 5",
        "best at k = 3",
        "another k or if-good-3",
        "as good",
        at=("good-till-bad", "if-good-4", "if-good-5", "if-good-6"),
        margin=GAIN,
        data=CLEAN + REAL,
        setting="{at} against if-good-3",
    ),
    Claim(
        "The majority of more than five judges beats the best single judge",
        f"{SOURCE}, Figure 1",
        "better when the number of labels is greater than 5",
        "several judges or the best",
        "better",
        margin=0.02,
        data=CROWDS,
        setting="{at} judges",
        per_ranker=False,
    ),
    Claim(
        "Judges who use one grade most differ from the majority on the same pairs",
        f"{SOURCE}, section 3.2 and Figure 2",
        "statistically significantly different",
        "featured judges or the majority",
        "better",
        margin=0.02,
        data=CROWDS,
        setting="the judge with most labels of grade {at}",
        per_ranker=False,
    ),
]
