"""Whether answers to the exercises of notebook 01 are right, and no more than a hint; short, as all checks are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from helpers.judging import schemes
from helpers.reporting.exercises import told
from helpers.studies.overlap import judge_fit

FIVE, STRICTER = 5, 3  # k and the lowest grade of Good to which exercises 1 and 2 change the notebook's

PERFECT = 0.2  # share of Good+ where judges agree perfectly, in exercise 3

WORLDS, WANTED = 20, 0.005  # worlds of the notebook, and half the width of the interval that exercise 4 asks for


def check_1(answer: Any, labels: np.ndarray) -> None:
    """How many labels if-good-5 buys of the documents of one query."""
    bought = schemes.collect(f"if-good-{FIVE}", labels, None).labels_bought
    told(answer, bought, hint=f"a document whose first label is Good or above has {FIVE} labels, any other has one.")


def check_2(answer: Any, labels: np.ndarray) -> None:
    """What if-good-3 costs a document where only STRICTER and above is Good."""
    bought = schemes.collect("if-good-3", labels, None, good=STRICTER).labels_bought
    told(answer, bought / len(labels), within=0.005, hint="one label, and two more for those that are now Good.")


def check_3(answer: Any) -> None:
    """The share of Good+ among the labels of if-good-3, where judges agree and PERFECT of the pairs is Good+."""
    share = schemes.expected_good_share("if-good-3", np.full(3, PERFECT))
    told(answer, share, within=0.005, hint="divide the Good+ labels a pair by all labels a pair.")


def check_4(answer: Any, gains: Sequence[float]) -> None:
    """How many worlds make the 95 % interval of the mean WANTED wide on either side."""
    needed = (1.96 * np.std(gains, ddof=1) / WANTED) ** 2
    told(answer, needed, within=0.15 * needed, hint="an interval shrinks with the root of the number of worlds.")


def check_5(answer: Any, gain: Callable[[int, str], float]) -> None:
    """The mean over the notebook's worlds of what one fine label gains, with the reader's own function."""
    expected = 0.0 if answer is ... else float(np.mean([gain(seed, "gain-3") for seed in range(WORLDS)]))
    told(answer, expected, within=1e-4, hint='the setting is "gain-3"; take the mean of all worlds, in NDCG.')


def check_6(answer: Any) -> None:
    """The most Fair- labels for each Good+ one that good-till-bad can collect at the cost that Table 6 prints."""
    costs = judge_fit.printed().query("label_set == 'clean07' and setting == 'good-till-bad'")
    highest = 1 / (costs[judge_fit.COST].iloc[0] - 1)
    told(answer, highest, within=0.005, hint="at most one label of a pair is Fair-, all others are Good+.")
