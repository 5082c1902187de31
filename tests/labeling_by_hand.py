"""Random labels, labelling schemes one pair at a time, as the paper words them, and ratios with standard errors."""

import math

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from helpers.judging.schemes import GOOD

SCHEMES = (
    "baseline",
    "{k}-overlap",
    "mv{k}",
    "highest-{k}",
    "gain-{k}",
    "round-{k}",
    "if-good-{k}",
    "if-good-gain-{k}",
    "if-good-x{k}",
    "good-till-bad",
    "good-till-bad-{k}",
)


@st.composite
def label_matrices(draw):
    """Labels of five grades, some of them missing, at least one of each pair."""
    shape = draw(st.integers(1, 8)), draw(st.integers(1, 6))
    labels = draw(arrays(np.int8, shape, elements=st.integers(-1, 4)))
    empty = (labels < 0).all(axis=1)
    labels[empty, draw(st.integers(0, shape[1] - 1))] = draw(st.integers(0, 4))
    return labels


def bought_of(scheme, k, asked):
    """Labels that one of SCHEMES buys of a pair whose judges would say these, asked one after the other."""
    bought = [asked[0]]
    for label in asked[1:]:
        if not buys_another(scheme, k, bought):
            break
        bought.append(label)
    return bought


def buys_another(scheme, k, bought):
    if scheme in ("baseline", "if-good-x{k}"):
        return False
    if scheme in ("if-good-{k}", "if-good-gain-{k}"):
        return bought[0] >= GOOD and len(bought) < k
    if scheme == "good-till-bad":
        return bought[-1] >= GOOD
    if scheme == "good-till-bad-{k}":
        return bought[-1] >= GOOD and len(bought) < k
    return len(bought) < k


def training_labels(scheme, k, bought):
    """(grade, weight) of each training instance that one of SCHEMES makes of the labels of a pair."""
    if scheme == "mv{k}":
        return [(majority(bought), 1)]
    if scheme == "highest-{k}":
        return [(sorted(bought)[-1], 1)]
    if scheme in ("gain-{k}", "if-good-gain-{k}"):
        return [(np.log2(1 + sum(2**label - 1 for label in bought) / len(bought)), 1)]
    if scheme == "round-{k}":
        return [(math.floor(sum(bought) / len(bought) + 0.5), 1)]
    if scheme == "if-good-x{k}":
        return [(label, k if label >= GOOD else 1) for label in bought]
    return [(label, 1) for label in bought]


def majority(labels):
    """Of the m most frequent labels, from the most to the least relevant, number ceil(m / 2)."""
    often = max(labels.count(label) for label in labels)
    most_frequent = sorted({label for label in labels if labels.count(label) == often}, reverse=True)
    return most_frequent[math.ceil(len(most_frequent) / 2) - 1]


def ratio(parts, wholes):
    """Sum of the parts over that of the wholes, and its standard error, from independent units of one of each."""
    parts, wholes = np.asarray(parts, float), np.asarray(wholes, float)
    value = parts.sum() / wholes.sum()
    return value, np.std(parts - value * wholes, ddof=1) / wholes.mean() / math.sqrt(len(parts))
