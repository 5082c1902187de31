"""What the tables of study 4 say: sentences and titles of figures, computed, so that they hold for any data."""

from helpers.studies.depth.findings._depths import ALL, EITHER, by_depth, depths, enough
from helpers.studies.depth.findings._map import depends, on_map, points
from helpers.studies.depth.findings._shares import (
    SHARES,
    Count,
    by_share,
    colleague,
    count,
    live,
    shares,
    shares_in_words,
    together,
)

__all__ = [
    "ALL",
    "EITHER",
    "SHARES",
    "Count",
    "by_depth",
    "by_share",
    "colleague",
    "count",
    "depends",
    "depths",
    "enough",
    "live",
    "on_map",
    "points",
    "shares",
    "shares_in_words",
    "together",
]
