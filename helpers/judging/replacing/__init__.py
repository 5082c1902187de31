"""Whether one judge can stand for another: rankings by the one, scored by the other, and differences of rankings.

The ceilings of two judges are those of `real_ceilings.real`, for all of them at once. As every two judges are compared,
those beyond MOST, with the fewest documents in common with others, are left out.
"""

from helpers.judging.replacing._crossed import Crossed, ceilings, crossed, overall, replaceability
from helpers.judging.replacing._imagined import Scored, corrected, made_up, scored

__all__ = [
    "Crossed",
    "Scored",
    "ceilings",
    "corrected",
    "crossed",
    "made_up",
    "overall",
    "replaceability",
    "scored",
]
