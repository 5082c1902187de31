"""What Yilmaz and Robertson 2009 claim."""

from helpers.reporting.verdicts import Claim

SOURCE = "Yilmaz and Robertson 2009"

CLAIMS = [
    Claim(
        "Sampling documents beats sampling queries at every equal budget",
        f"{SOURCE}, Figure 1",
        "higher at every p, significant at .05",
        "documents or queries",
        better=True,
    ),
    Claim(
        "Half of each query's documents train as well as all of them",
        f"{SOURCE}, Figure 1",
        "optimum at 50 %, no gain after it",
        "all documents or half",
        better=False,
    ),
    Claim(
        "16 documents a query do as well as the deepest judging",
        f"{SOURCE}, Figure 2",
        "16 comparable to 128",
        "all documents or fewer",
        better=False,
        at=(16,),
    ),
    Claim(
        "Below 8 documents a query it is better to drop queries and keep 8 documents",
        f"{SOURCE}, Figure 2 and text",
        "lower bound of 8, then fewer queries",
        "fewer queries of 8 documents",
        better=True,
    ),
    Claim(
        "Below 8 documents a query, few queries judged in full are better than many shallow ones",
        f"{SOURCE}, Figure 2, its two curves",
        "sharp decrease below 8",
        "fewer queries or documents",
        better=True,
        at=(2, 4),
    ),
]
