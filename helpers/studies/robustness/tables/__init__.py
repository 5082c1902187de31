"""Does pNoise explain what label noise does to a ranker? Common curves, turning points, and what they say.

A *cell* is a ranker on a data set at one level of noise: its mean over folds and label draws. Performance is relative
to the same ranker without noise. The one curve that is fitted to cells, `Segments`, has the shape that Niu et al.
(2014) describe, stable up to a turning point and falling after it; over pNoise and over dNoise it has the same
freedom, so that what it explains can be compared.
"""

from helpers.studies.robustness.tables._cells import (
    FRAGILE,
    Cells,
    cells,
    complete,
    falls,
    interval,
    middle,
    numbers,
    of_data_sets,
)
from helpers.studies.robustness.tables._curves import (
    APART,
    POOLED,
    against_curve,
    curves,
    explained,
    fits,
    shares,
    turning_points,
)
from helpers.studies.robustness.tables._exact import dnoise_map, expected_curves
from helpers.studies.robustness.tables._said import (
    exact,
    explains,
    gap,
    kept,
    near_turning,
    off_curve,
    reaching,
    shapes,
    turning,
)
from helpers.studies.robustness.tables._segments import Segments, fit

__all__ = [
    "APART",
    "FRAGILE",
    "POOLED",
    "Cells",
    "Segments",
    "against_curve",
    "cells",
    "complete",
    "curves",
    "dnoise_map",
    "exact",
    "expected_curves",
    "explained",
    "explains",
    "falls",
    "fit",
    "fits",
    "gap",
    "interval",
    "kept",
    "middle",
    "near_turning",
    "numbers",
    "of_data_sets",
    "off_curve",
    "reaching",
    "shapes",
    "shares",
    "turning",
    "turning_points",
]
