"""Measures of a ranking, and what can be said of differences between them."""

from helpers.metrics.ranking import LETOR, LETOR_MAP, average_precision, discounts, gains, ndcg, ranking

__all__ = ["LETOR", "LETOR_MAP", "average_precision", "discounts", "gains", "ndcg", "ranking"]
