"""What a tool's rule for several ratings does to grades: a claim of the kind of study 1's."""

from helpers.reporting.verdicts import Claim

SOURCE = "Quepid from 8.5: the lowest of the three highest ratings of a document"

CHANGED = "grades that the rule changes"
PERFECT = "highest grades by majority or by the rule"
RISING = "mean grade with one judge more than three"

CLAIMS = [
    Claim(
        "The rule gives other grades than the majority",
        SOURCE,
        "15.6 % of Chorus's pairs",
        CHANGED,
        says="better",
        setting="all documents with two labels or more",
        per_ranker=False,
    ),
    Claim(
        "The rule gives fewer documents the highest grade than the majority",
        SOURCE,
        "45 % become 34 % on Chorus",
        PERFECT,
        says="better",
        setting="all documents with two labels or more",
        per_ranker=False,
    ),
    Claim(
        "From three judges on, the rule's grades rise with the number of judges",
        SOURCE,
        "follows from the rule",
        RISING,
        says="better",
        setting="all documents with four labels or more",
        per_ranker=False,
    ),
]
"""Study 6: shares of the documents with two labels or more, and grades."""


def rests_on(data: str) -> str:
    """What a verdict rests on: judgments of real people, but where data says that they are synthetic.

    Parameters
    ----------
    data : whose judgments they are

    >>> rests_on("chorus"), rests_on("SYNTHETIC judgments")
    ('real', 'synthetic')
    """
    return "synthetic" if data.startswith("SYNTHETIC") else "real"
