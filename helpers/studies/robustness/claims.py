"""What Niu, Lan, Guo, Cheng and Geng 2014 claim."""

from helpers.datasets import portrait
from helpers.reporting.verdicts import Claim

SOURCE = "Niu, Lan, Guo, Cheng and Geng 2014"

TRIED = ("RankSVM", "RankBoost", "ListNet", "AdaRank")
"""The paper's rankers."""

OTHERS = ("LambdaMART", "LambdaRank")

STABLE = "Up to the turning point of pNoise performance is stable: less than {share} % is lost"


def rests_on(data: str) -> str:
    """Whether the data set `data` is drawn from a portrait, "synthetic", or "real"; of several their table says it."""
    return "real" if portrait.named(data) is None else "synthetic"


def _stable(share: int, rankers: tuple[str, ...], whose: str) -> Claim:
    return Claim(
        STABLE.format(share=share) + whose,
        f"{SOURCE}, Figure 2 and text",
        "quite stable as pNoise is low",
        "share lost before the turning point",
        "at most",
        margin=share / 100,
        rankers=rankers,
        setting="all levels",
    )


CLAIMS = [
    Claim(
        "The same dNoise makes performance fall far more on TD2003 than on MSLR-WEB10K",
        f"{SOURCE}, Figure 1 and text",
        "quickly on TD2003, hardly affected on MSLR-WEB10K",
        "fall at equal dNoise",
        "better",
        at=(10, 50),
        setting="dNoise {at} %",
    ),
    Claim(
        "The same holds by MAP",
        f"{SOURCE}, Figure 1 and text",
        "consistent in terms of NDCG@10",
        "fall of MAP at equal dNoise",
        "better",
        at=(10, 50),
        setting="dNoise {at} %",
    ),
    Claim(
        "OHSUMED lies between the other two",
        f"{SOURCE}, Figure 1 and text",
        "stable for a long range of dNoise, and then drops",
        "OHSUMED between TD2003 and MSLR",
        "better",
        at=(50,),
        setting="dNoise {at} %",
    ),
    Claim(
        "pNoise rather than dNoise explains the fall on all data sets",
        f"{SOURCE}, Figure 2 and text",
        "surprisingly consistent behavior across data sets",
        "explained by pNoise or dNoise",
        "better",
        setting="all levels",
    ),
    Claim(
        "pNoise explains more than a line in dNoise and telling TD2003 apart do",
        f"{SOURCE}, Figure 2 and text; the comparison is ours",
        "captures the intrinsic factor",
        "explained by pNoise or by TD2003",
        "better",
        setting="all levels",
    ),
    _stable(5, TRIED, ""),
    _stable(10, TRIED, ""),
    _stable(5, OTHERS, ", by rankers that the paper did not try"),
    _stable(10, OTHERS, ", by rankers that the paper did not try"),
    Claim(
        "After the turning point of pNoise performance falls more steeply",
        f"{SOURCE}, Figure 2 and text",
        "drops quickly beyond a point around 0.5 (section 4.1) or about 0.4 (4.2)",
        "fall after the turning point",
        "better",
        setting="all levels",
    ),
    Claim(
        "Of pairs with a tie about half are predicted each way",
        f"{SOURCE}, Table 2",
        ".44 to .50",
        "tied pairs",
        "at most",
        margin=0.1,
    ),
    Claim(
        "TD2003 passes pNoise .4 at dNoise .1",
        f"{SOURCE}, Figure 3 and text",
        "above .4",
        "pNoise of TD2003",
        "better",
        at=(10,),
        setting="dNoise {at} %",
        per_ranker=False,
    ),
    Claim(
        "MSLR-WEB10K stays below a pNoise of about .4 at dNoise .5",
        f"{SOURCE}, Figure 3 and text",
        "still below a threshold (about .4); the printed shares of grades alone give .393",
        "pNoise of MSLR",
        "at most",
        at=(50,),
        setting="dNoise {at} %",
        per_ranker=False,
    ),
]

HEADLINES = [
    claim.claim
    for claim in CLAIMS
    if claim.question
    in (
        "fall at equal dNoise",
        "explained by pNoise or dNoise",
        "explained by pNoise or by TD2003",
        "fall after the turning point",
        "pNoise of TD2003",
        "pNoise of MSLR",
    )
]
"""What a short answer is made of."""
