"""Measures of a ranking, and what can be said of differences between them."""

from helpers.metrics.ranking import (
    BLOCK,
    DISCOUNTS,
    EMPTY,
    GAINS,
    LETOR,
    LETOR_MAP,
    TIES,
    average_precision,
    discounts,
    gains,
    ndcg,
    ranking,
)

__all__ = [
    "BLOCK",
    "DISCOUNTS",
    "EMPTY",
    "GAINS",
    "LETOR",
    "LETOR_MAP",
    "TIES",
    "average_precision",
    "discounts",
    "gains",
    "ndcg",
    "ranking",
]
