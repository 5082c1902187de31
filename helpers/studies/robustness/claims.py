"""What Niu, Lan, Guo, Cheng and Geng 2014 claim."""

from helpers.reporting.verdicts import Claim

SOURCE = "Niu, Lan, Guo, Cheng and Geng 2014"

CLAIMS = [
    Claim(
        "The same dNoise makes performance fall far more on TD2003 than on MSLR-WEB10K",
        f"{SOURCE}, Figure 1 and text",
        "quickly on TD2003, hardly affected on MSLR-WEB10K",
        "fall at equal dNoise",
        better=True,
        at=(10, 50),
    ),
    Claim(
        "pNoise rather than dNoise explains the fall on all data sets",
        f"{SOURCE}, Figure 2 and text",
        "surprisingly consistent behavior across data sets",
        "explained by pNoise or dNoise",
        better=True,
    ),
    Claim(
        "Up to the turning point of pNoise performance is stable",
        f"{SOURCE}, Figure 2 and text",
        "quite stable as pNoise is low",
        "loss before the turning point",
        better=False,
    ),
    Claim(
        "After the turning point of pNoise performance falls more steeply",
        f"{SOURCE}, Figure 2 and text",
        "drops quickly beyond a point around 0.5",
        "fall after the turning point",
        better=True,
    ),
    Claim(
        "Of pairs with a tie about half are predicted each way",
        f"{SOURCE}, Table 2",
        ".44 to .50",
        "tied pairs",
        better=False,
        margin=0.1,
    ),
    Claim(
        "TD2003 passes pNoise .4 at dNoise .1",
        f"{SOURCE}, Figure 3 and text",
        "above .4",
        "pNoise of TD2003",
        better=True,
        at=(10,),
    ),
    Claim(
        "MSLR-WEB10K stays below a pNoise of about .4 at dNoise .5",
        f"{SOURCE}, Figure 3 and text",
        "still below a threshold (about .4)",
        "pNoise of MSLR",
        better=False,
        at=(50,),
    ),
]
