"""Figures 1 to 3 of study 1 and the costs of its schemes, on real crowds and on a pool of judges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers.datasets.collection import Collection
from helpers.judging import crowd, judgments, own_schemes
from helpers.judging.judgments import LabelMatrix
from helpers.judging.pool import N_GRADES, Pool
from helpers.studies.overlap import tables as overlap

DRAWS = 500
"""Bootstrap samples, and random halves."""


@dataclass(frozen=True, eq=False)
class Crowd:
    """Labels of several judges and the truth.

    Attributes
    ----------
    matrix : the labels
    truth : (n_pairs,) -1 where it is not known
    n_grades : size of the scale
    most : Figure 1 looks at up to so many labels, on pairs that have them
    fewest : of these pairs, that a best or a featured judge must have labelled
    good : lowest grade of "Good or above"
    """

    matrix: LabelMatrix
    truth: np.ndarray
    n_grades: int
    most: int
    fewest: int
    good: int


def web_search() -> Crowd:
    """The five-grade web-search crowd without those from whose labels its truth was made."""
    frame, truth = crowd.web_search()
    others = frame[~frame["assessor"].isin(crowd.EXPERTS)]
    return _of(others, truth, N_GRADES, most=3, fewest=100, good=2)


def trec_rf10() -> Crowd:
    """The crowd of TREC's relevance feedback track 2010 against NIST; relevant is Good or above."""
    return _of(*crowd.trec_rf10(), 3, most=7, fewest=100, good=1)


REAL: dict[str, Callable[[], Crowd]] = {"web-search-crowd": web_search, "trec-rf10-crowd": trec_rf10}


def of_pool(pool: Pool, collection: Collection, rng: np.random.Generator, fewest: int = 100) -> Crowd:
    """SYNTHETIC: a pool's labels of a collection, whose grades are the truth.

    Parameters
    ----------
    pool : the judges
    collection : what they label
    rng : draws their labels
    fewest : as in `Crowd`
    """
    labels, judges = pool.draw(collection.grades, collection.offsets, rng)
    pairs = pd.DataFrame({"query": np.repeat(collection.query_ids, collection.group)})
    names = [str(judge) for judge in range(pool.n_judges)]
    matrix = LabelMatrix(labels, judges, pairs, names)
    return Crowd(matrix, collection.grades.astype(int), N_GRADES, labels.shape[1], fewest, 2)


def tables(name: str, judged: Crowd, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Frames agreement, best, majority (Figure 1), featured (2), distribution (3), costs, and comparisons of claims.

    Parameters
    ----------
    name : what to call the judges
    judged : their labels
    rng : draws bootstrap samples, halves and the order of judges
    """
    labels, judges = judged.matrix.labels, judged.matrix.judges
    agreement = crowd.agreement_by_judges(labels, judged.truth, judged.most, draws=DRAWS, rng=rng)
    best = crowd.best_judge(labels, judges, judged.truth, judged.most, judged.fewest, draws=DRAWS, rng=rng)
    shares = crowd.distribution(labels, judged.n_grades)
    known = {"judge": judged.matrix.names[best.judge], "pairs": best.pairs, "naive": best.naive, "honest": best.honest}
    featured = crowd.featured_judges(labels, judges, judged.n_grades, judged.fewest)
    costs = own_schemes.own_costs(judged.matrix, rng, good=judged.good)
    return {
        "agreement": agreement,
        "best": pd.DataFrame([known]),
        "majority": best.majority,
        "featured": featured,
        "distribution": pd.DataFrame({"grade": range(judged.n_grades), "share": shares}),
        "costs": costs,
        "comparisons": overlap.judge_comparisons(name, best, costs, featured),
    }


def best_of(stored: dict[str, pd.DataFrame]) -> crowd.BestJudge:
    """The best judge, from `tables` that were stored."""
    return crowd.BestJudge(**stored["best"].iloc[0].to_dict(), majority=stored["majority"])


def _of(frame: pd.DataFrame, truth: pd.Series, n_grades: int, *, most: int, fewest: int, good: int) -> Crowd:
    matrix = judgments.label_matrix(frame)
    known = truth.reindex(matrix.pairs["doc"], fill_value=-1).to_numpy()
    return Crowd(matrix, known, n_grades, most, fewest, good)
