"""Labelling schemes: what they buy, what they train on, what they cost."""

from helpers.judging.schemes.collecting import (
    AGGREGATES,
    GOOD,
    PAPER,
    LabelSample,
    Scheme,
    collect,
    costs,
    current,
    dawid_skene,
    majority_vote,
    parse,
    votes,
)
from helpers.judging.schemes.moments import cost_among_many, expected_cost, expected_good_share, moments, own_costs

__all__ = [
    "AGGREGATES",
    "GOOD",
    "PAPER",
    "LabelSample",
    "Scheme",
    "collect",
    "cost_among_many",
    "costs",
    "current",
    "dawid_skene",
    "expected_cost",
    "expected_good_share",
    "majority_vote",
    "moments",
    "own_costs",
    "parse",
    "votes",
]
