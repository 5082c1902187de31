"""SYNTHETIC: from how many judges on a majority beats the best judge, by how noise divides between judges and slips.

What Yang et al. (2010) print fixes how much judges of a pool scatter, and not how much of that is a judge's own
severity, nor how far judges differ in the size of their slips (`judging.pool`). Their Figure 1 depends on both, so that
there is a map of it, and no verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from helpers.datasets.collection import Collection
from helpers.judging import crowd
from helpers.judging.pool import BORDERS, PERSONAL, RELIABILITY, Pool, Settings
from helpers.studies.overlap import crowds

PERSONALS = (0.1, 0.3, 0.5)
RELIABILITIES = (0.0, 0.1, 0.2, 0.3)


@dataclass(frozen=True)
class DividedPool(Pool):
    """A pool of judges whose noise divides in another way."""

    personal: float = PERSONAL
    reliability: float = RELIABILITY

    @cached_property
    def slip(self) -> np.ndarray:
        """(n_judges,) size of each judge's slips, as in `Pool`."""
        size = np.exp(self.reliability * np.random.default_rng(0).permutation(self.severity))
        return size / np.sqrt(np.mean(size**2))

    def label(self, grades: np.ndarray, judges: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """(n_docs, per_pair) int8 labels, as in `Pool`.

        >>> settings, grades, judges = Settings(0.0, 1.0, 0.5, 0.3), np.array([1, 3]), np.array([[0, 5, 9]] * 2)
        >>> pools = Pool(settings, 10), DividedPool(settings, 10)
        >>> bool(np.equal(*(pool.label(grades, judges, np.random.default_rng(0)) for pool in pools)).all())
        True
        """
        appeal, noise = rng.standard_normal(len(grades)), self.settings.noise(grades)[:, None]
        slips = self.slip[judges] * rng.standard_normal(judges.shape)
        scatter = noise * (np.sqrt(self.personal) * self.severity[judges] + np.sqrt(1 - self.personal) * slips)
        centre = np.asarray(grades) + self.settings.leniency + self.settings.appeal * appeal
        return np.searchsorted(BORDERS, centre[:, None] + scatter).astype(np.int8)


def majority_map(
    settings: Settings,
    collection: Collection,
    seed: int,
    personals: Sequence[float] = PERSONALS,
    reliabilities: Sequence[float] = RELIABILITIES,
) -> pd.DataFrame:
    """From how many judges on the majority agrees more often with the truth than the best judge does.

    Returns
    -------
    frame personal, reliability, best (agreement of the best judge, on pairs held out), majority (that of all judges of
    a pair), judges: NaN where the majority of all of them does not agree more often than the best
    """
    rows = []
    for personal in personals:
        for reliability in reliabilities:
            rng = np.random.default_rng(seed)
            pool = DividedPool(settings, personal=personal, reliability=reliability)
            judged = crowds.of_pool(pool, collection, rng)
            best = crowd.best_judge(
                judged.labels, judged.judges, judged.truth, judged.most, judged.fewest, draws=100, rng=rng
            )
            row = {"personal": personal, "reliability": reliability, "best": best.honest}
            rows.append(row | {"majority": best.majority["agreement"].iloc[-1], "judges": wins_from(best)})
    return pd.DataFrame(rows)


def wins_from(best: crowd.BestJudge) -> float:
    """The fewest judges whose majority, and that of any more, beats the best judge; NaN where there is no such number.

    >>> majority = pd.DataFrame({"m": [1, 2, 3, 4], "agreement": [0.5, 0.7, 0.6, 0.7]})
    >>> wins_from(crowd.BestJudge(0, 100, 0.7, 0.65, majority)), wins_from(crowd.BestJudge(0, 100, 0.9, 0.8, majority))
    (4.0, nan)
    """
    behind = best.majority["m"][best.majority["agreement"] <= best.honest]
    later = best.majority["m"][best.majority["m"] > behind.max()] if len(behind) else best.majority["m"]
    return float(later.min())
