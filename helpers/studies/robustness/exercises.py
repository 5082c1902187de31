"""Whether answers to the exercises of study 3 are right, giving nothing away; short, as all checks are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from helpers.judging import noise
from helpers.rankers import ListNet
from helpers.reporting.exercises import told
from helpers.studies.robustness import tables

CLEAN, NOISY = (2, 1, 1, 0, 0, 0), (2, 1, 1, 0, 0, 1)  # grades and labels of exercise 1
FEW, SHARE, WRONG = (9, 1), (99, 1), 0.1  # documents of each grade of exercises 3 and 2, and the dNoise
WIDE = 0.05  # the interval of exercise 4
LEAST = 0.1  # of the relevant documents, of exercise 6
ROUNDED = 0.0006  # how far an answer that was rounded to three digits may be off


def check_1(answer: Any) -> None:
    """The pNoise of six documents of which a bad one is labelled 1."""
    hint = "count the pairs that the labels order, and take half of those that the grades tie."
    told(answer, noise.pnoise(CLEAN, NOISY, [0, len(CLEAN)]), within=ROUNDED, hint=hint)


def check_2(answer: Any) -> None:
    """The dNoise at which a query with one relevant document among 100 reaches a pNoise of .4."""
    hint = "`noise.dnoise_at` inverts `noise.expected_pnoise`."
    told(answer, noise.dnoise_at(SHARE, noise.TURNING), within=ROUNDED, hint=hint)


def check_3(answer: Any) -> None:
    """The expected pNoise of one relevant document among ten."""
    told(answer, noise.expected_pnoise(FEW, WRONG), within=ROUNDED, hint="`[9, 1]` are its documents of each grade.")


def check_4(answer: Any, differences: Sequence[float]) -> None:
    """The number of worlds at which the interval of their mean is at most WIDE."""
    needed = (2 * 1.96 * np.std(differences, ddof=1) / WIDE) ** 2
    told(answer, int(np.ceil(needed)), within=1, hint="four times as many worlds halve the interval.")


def check_5(answer: Any, world: Callable[..., float]) -> None:
    """The mean over worlds 0 to 4 with ListNet."""
    expected = float(np.mean([world(seed, ListNet) for seed in range(5)]))
    told(answer, expected, within=ROUNDED, hint="take the mean of `world(seed, ListNet)` over seeds 0 to 4.")


def check_6(answer: Any, kept: pd.DataFrame) -> None:
    """What pNoise explains less what dNoise does, of the versions with at least LEAST of the relevant documents."""
    part = kept[kept["kept"] >= LEAST]
    pairs, documents = (
        tables.explained_by(part["relative"], tables.fit(part[by], part["relative"]).at(part[by]))
        for by in ("pnoise", "dnoise")
    )
    told(answer, pairs - documents, within=ROUNDED, hint="both shares are to be of the same rows of `kept`.")
