"""What rules of thumb promise, as claims: each with who says it, and what is asked of it here."""

from helpers.reporting.verdicts import Claim

ENOUGH = 0.05
"""Difference in nDCG that a comparison is to see."""

START = 0.1
"""Difference that a first comparison is to see."""

KEPT = 0.9
"""Of the queries' worth that judging less may not fall below."""

STANDS_FOR = 0.9
"""Correlation of the differences from which one judge stands for another."""

NEAR = 0.05
"""Correlation that a model may fall short of a second person."""

DECIDED = 0.9
"""Share of the samples of documents that are to decide as all documents do."""

FIFTY, TWO_HUNDRED, HUNDRED = (
    "fifty queries are enough",
    "200 queries are enough",
    "a hundred judgments are a solid start",
)
TWICE, TEN = "judge to twice the depth of the page", "pools of depth ten"
ONE, THREE = "one opinion and more queries", "three opinions and a majority"
KAPPA, AGREEMENT = "kappa above .6 is good enough", "fifty labels that agree in .85 of cases are enough"
ITEMS, MODEL = "100 items decide the alternative annotator test", "a language model is as good as a second person"

WORTH = f"a query keeps {KEPT:.0%} of its worth"
OPINIONS = "worth of one opinion over that of three for the same money, less 1"


def rests_on(data: str) -> str:
    """What a verdict rests on: real judgments and rankers, but where the name of the data says that some are synthetic.

    Parameters
    ----------
    data : name of the collection, or of a reader's pilot

    >>> rests_on("dl21"), rests_on("your judgments, SYNTHETIC rankers")
    ('real', 'synthetic')
    """
    return "synthetic" if "SYNTHETIC" in data else "real"


def _claim(rule: str, source: str, published: str, says: str, margin: float, setting: str = "") -> Claim:
    return Claim(rule, source, published, rule, says, margin=margin, setting=setting or published, per_ranker=False)


CLAIMS = [
    _claim(FIFTY, "TREC's custom", f"sees a difference of {ENOUGH} nDCG@10", "at most", ENOUGH),
    _claim(TWO_HUNDRED, "a consultancy's page", f"sees a difference of {ENOUGH} nDCG@10", "at most", ENOUGH),
    _claim(HUNDRED, "Quepid's documentation", f"sees a difference of {START} nDCG@10", "at most", START),
    _claim(TWICE, "OpenSearch, project-website 3503", WORTH, "above", KEPT),
    _claim(TEN, "TREC's pools", WORTH, "above", KEPT),
    _claim(ONE, "Kumar and Lease 2011", OPINIONS, "better", 0.0),
    _claim(THREE, "common in crowdsourcing", OPINIONS, "worse", 0.0),
    _claim(KAPPA, "a list of search tools", f"differences by two judges correlate at {STANDS_FOR}", "above", STANDS_FOR,
           "kappa {at}"),
    _claim(AGREEMENT, "an issue of an evaluation tool", f"differences by two judges correlate at {STANDS_FOR}", "above",
           STANDS_FOR, "agreement {at}"),
    _claim(ITEMS, "README of the alternative annotator test", f"decide as all documents in {DECIDED} of samples",
           "above", DECIDED),
    _claim(MODEL, "common", "correlation of differences with a person's, a second person's less the model's", "as good",
           NEAR, "{at}"),
]  # fmt: skip
"""What is asked stands for what is published, as no rule prints a number."""
