"""What Yang, Mityagin, Svore and Markov 2010 claim."""

from helpers.reporting.verdicts import Claim

SOURCE = "Yang, Mityagin, Svore and Markov 2010"

GAIN = 0.003
"""NDCG@3 below which a gain is taken for none in study 1: the smallest that its paper makes a claim of is .0037."""

CLAIMS = [
    Claim(
        "if-good-3 beats one label a pair",
        f"{SOURCE}, Tables 1 to 4",
        ".0046 to .0192 NDCG@3, significant",
        "if-good-3 or one label",
        better=True,
        margin=GAIN,
    ),
    Claim(
        "if-good-2 beats one label a pair",
        f"{SOURCE}, Table 5",
        ".0037 NDCG@3 on Clean+, significant",
        "if-good-2 or one label",
        better=True,
        margin=GAIN,
    ),
    Claim(
        "No other setting is better than if-good-3",
        f"{SOURCE}, Tables 1 to 4 and text",
        "best, or level with the best",
        "another setting or if-good-3",
        better=False,
        margin=GAIN,
    ),
    Claim(
        "if-good-3 costs about 1.4 labels a pair",
        f"{SOURCE}, Tables 6 to 8",
        "1.41, 1.45 and 1.48",
        "cost of if-good-3",
        better=False,
        margin=0.1,
    ),
    Claim(
        "The majority vote is no better than training on all of its labels",
        f"{SOURCE}, section 7; mv11 on Clean07 as in the paper or as on the slides",
        "performs significantly worse in some cases",
        "majority vote or all labels",
        better=False,
        margin=GAIN,
    ),
    Claim(
        "Tripling the weight of Good+ labels does not help",
        f"{SOURCE}, Tables 1 to 5 and section 7",
        "middle to low among all runs",
        "tripled weights or none",
        better=False,
        margin=GAIN,
    ),
    Claim(
        "More than two additional labels gain nothing",
        f"{SOURCE}, Figures 4 and 5",
        "best at k = 3",
        "more than three judges or three",
        better=False,
        margin=GAIN,
    ),
    Claim(
        "The majority of five judges and more beats the best single judge",
        f"{SOURCE}, Figure 1",
        "better when the number of labels is greater than 5",
        "several judges or the best",
        better=True,
        margin=0.02,
    ),
]
