"""Labelling schemes: what they buy, what they train on, what they cost."""

from helpers.judging.schemes.collecting import LabelSample, collect, costs, majority_vote
from helpers.judging.schemes.dawid_skene import dawid_skene
from helpers.judging.schemes.moments import cost_among_many, expected_cost, expected_good_share, moments
from helpers.judging.schemes.names import GOOD, PAPER, Scheme, current, parse

__all__ = [
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
    "parse",
]
