"""What Metrikov, Pavlu and Aslam 2012 claim."""

from helpers.reporting.verdicts import Claim

SOURCE = "Metrikov, Pavlu and Aslam 2012"

CLAIMS = [
    Claim(
        "The confusion matrix alone predicts the real limit",
        f"{SOURCE}, Figure 1",
        "accurate in most cases",
        "error of the limit",
        better=False,
        margin=0.02,
    ),
    Claim(
        "A matrix from the same data predicts the limit better than one from elsewhere",
        f"{SOURCE}, Figure 1, left against right",
        "the more accurate matrix yields better results",
        "matrix from elsewhere or own",
        better=True,
    ),
    Claim(
        "The approximation gets better as lists get longer",
        f"{SOURCE}, text",
        "more accurate as rank-lists get longer",
        "approximation on lists ten times as long",
        better=True,
    ),
    Claim(
        "Learned rankers are near the limit",
        f"{SOURCE}, Table 1 and text",
        "reasonably close under C_MSR, room for improvement under C_YanU",
        "ceiling or learned",
        better=False,
        margin=0.05,
    ),
]
