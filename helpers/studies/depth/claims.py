"""What Yilmaz and Robertson 2009 claim."""

from helpers.datasets import portrait
from helpers.reporting.verdicts import Claim

SOURCE = "Yilmaz and Robertson 2009"

FLOOR = 8
"""Documents a query below which the paper drops queries rather than documents."""


def rests_on(data: str) -> str:
    """Whether the data set `data` is drawn from a portrait, "synthetic", or "real"."""
    return "synthetic" if data.endswith((portrait.SUFFIX, ".npz")) else "real"


CLAIMS = [
    Claim(
        "Sampling documents beats sampling queries at every equal budget",
        f"{SOURCE}, Figure 1",
        "higher at every p, significant at .05; 350 documents a query, so that p % leaves more than 8",
        "documents or queries",
        "better",
        setting="{at} % of the judgments",
    ),
    Claim(
        "Where a share leaves fewer than 8 documents a query, it is better to sample queries",
        f"{SOURCE}, Figure 2 and text, on the shares of Figure 1",
        "lower bound of 8, then fewer queries",
        "documents or queries below the floor",
        "worse",
        setting="{at} % of the judgments",
    ),
    Claim(
        "Half of each query's documents train as well as all of them",
        f"{SOURCE}, Figure 1",
        "optimum at 50 %, no gain after it",
        "all documents or half",
        "as good",
        setting="{at} % of the documents",
    ),
    Claim(
        "More queries with fewer documents beat fewer queries with more, down to 16 documents",
        f"{SOURCE}, Figure 2",
        "better to judge more queries with less documents per query",
        "fewer queries or documents",
        "worse",
        at=(16, 32, 64),
        setting="{at} documents a query",
    ),
    Claim(
        "More queries with fewer documents beat fewer queries with more at 8 documents, too",
        f"{SOURCE}, Figure 2 and text",
        "lower bound of 8",
        "fewer queries or documents",
        "worse",
        at=(8,),
        setting="{at} documents a query",
    ),
    Claim(
        "16 documents a query do as well as the deepest judging",
        f"{SOURCE}, Figure 2",
        "16 comparable to 128",
        "all documents or fewer",
        "as good",
        at=(16,),
        setting="{at} documents a query",
    ),
    Claim(
        "Fewer than 16 documents a query do worse than the deepest judging",
        f"{SOURCE}, Figure 2 and text",
        "sharp decrease below 16",
        "all documents or fewer",
        "better",
        at=(8, 4, 2),
        setting="{at} documents a query",
    ),
    Claim(
        "Below 8 documents a query it is better to drop queries and keep 8 documents",
        f"{SOURCE}, Figure 2 and text",
        "lower bound of 8, then fewer queries",
        "fewer queries of 8 documents",
        "better",
        setting="{at} documents a query",
    ),
]

HEADLINES = [
    claim.claim for claim in CLAIMS if claim.question != "documents or queries below the floor" and claim.at != (8,)
]
"""Claims of a card: the two main ones, and how shallow judging may be."""
