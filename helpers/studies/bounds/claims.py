"""What Metrikov, Pavlu and Aslam 2012 claim."""

from helpers.reporting.verdicts import Claim

SOURCE = "Metrikov, Pavlu and Aslam 2012"

LENGTHS = "lengths"
"""Lists of several lengths, drawn with MSLR's shares of grades."""

NEAR = 0.05
"""nDCG within which a learned ranker is near a ceiling."""


def rests_on(data: str) -> str:
    """Whether judges, or grade counts and learned rankers, of `data` are "real", or its lists drawn: "synthetic"."""
    return "synthetic" if data == LENGTHS or data.startswith("SYNTHETIC") else "real"


CLAIMS = [
    Claim(
        "Rankings that are perfect for one assessor fall short with another",
        f"{SOURCE}, text",
        "decreases significantly",
        "loss by disagreement",
        "better",
    ),
    Claim(
        "The confusion matrix alone predicts the real limit",
        f"{SOURCE}, Figure 1",
        "accurate in most cases",
        "error of the limit",
        "as good",
        margin=0.02,
    ),
    Claim(
        "A matrix from the same data predicts the limit better than one from elsewhere",
        f"{SOURCE}, Figure 1, left against right",
        "the more accurate matrix yields better results",
        "matrix from elsewhere or own",
        "better",
    ),
    Claim(
        "The approximation gets better as lists get longer",
        f"{SOURCE}, text",
        "more accurate as rank-lists get longer",
        "approximation on lists ten times as long",
        "better",
        setting="{at} documents",
    ),
    Claim(
        "The approximation is close to the simulation",
        f"{SOURCE}, Table 1, CFA beside SIM",
        "a row of each; the numbers are lost in our copy",
        "error of the approximation",
        "as good",
        setting="under {at}",
        per_ranker=False,
    ),
    Claim(
        "Under some confusion matrix learned rankers are near the ceiling",
        f"{SOURCE}, Table 1 and text",
        "reasonably close under C_MSR",
        "ceiling or learned",
        "near",
        margin=NEAR,
        some=True,
        setting="under {at}",
    ),
    Claim(
        "Under some confusion matrix learned rankers have room for improvement",
        f"{SOURCE}, Table 1 and text",
        "room for improvement under C_YanU",
        "ceiling or learned",
        "above",
        margin=NEAR,
        some=True,
        setting="under {at}",
    ),
]
