"""Synthetic collections drawn from the measured statistics of real ones.

Every value of a feature has a latent score, normal over the whole collection. The score z of feature j for a document
of grade g and query q is modelled as

    z = strength * shift[g] + query effect[q] + slope[q] * position[g] + scatter[g]

The shift is free for every grade, so the dependence on the grade need not be linear; the query effect is correlated
between features; the slope lets the same feature mean more for one query than for another; the scatter is correlated
between features and wider or narrower with the grade. Slope, scatter and shift are measured along the principal
components of the scatter, each shrunk by its error between queries. A curve of quantiles and point masses takes the
score to the feature's value. Where a collection was normalised by query, so is what is drawn.
"""

from helpers.datasets.portrait.drawing import draw
from helpers.datasets.portrait.files import SUFFIX, Portrait, check_place, load, named, names, open, save
from helpers.datasets.portrait.measuring import measure

__all__ = ["SUFFIX", "Portrait", "check_place", "draw", "load", "measure", "named", "names", "open", "save"]
