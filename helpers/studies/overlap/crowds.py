"""Figures 1 to 3 of study 1 and the costs of its schemes, on real crowds and on a pool of judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from helpers.datasets.collection import Collection
from helpers.judging import crowd, schemes
from helpers.judging.judgments import packed
from helpers.judging.pool import N_GRADES, Pool
from helpers.studies.overlap.tables import COST, LEVEL, OVERHEAD

DRAWS = 500  # bootstrap samples, and random halves

FEWEST = 100  # pairs of the best judge, and of one who is featured

FEW = 5  # judges of whom more, as a majority, are said to beat the best single one

NORMAL = stats.norm.isf(LEVEL / 2)


@dataclass(frozen=True, eq=False)
class Crowd:
    """Labels of several judges and the truth, (n_pairs, m) `labels` and `judges` (places in `names`, -1 where a pair
    has fewer) and (n_pairs,) `truth`, -1 where unknown; Figure 1 looks at up to `most` labels.
    """

    labels: np.ndarray
    judges: np.ndarray
    names: list[str]
    truth: np.ndarray
    n_grades: int
    most: int
    good: int


def web_search() -> Crowd:
    """The five-grade web-search crowd without those from whose labels its truth was made."""
    frame, truth = crowd.web_search()
    others = frame[~frame["assessor"].isin(crowd.EXPERTS)]
    return _of(others, truth, N_GRADES, most=3, good=2)


def trec_rf10() -> Crowd:
    """The crowd of TREC's relevance feedback track 2010 against NIST; relevant is Good or above."""
    return _of(*crowd.trec_rf10(), 3, most=7, good=1)


REAL: dict[str, Callable[[], Crowd]] = {"web-search-crowd": web_search, "trec-rf10-crowd": trec_rf10}


def of_pool(pool: Pool, collection: Collection, rng: np.random.Generator) -> Crowd:
    """SYNTHETIC: a pool's labels of a collection, whose grades are the truth."""
    labels, judges = pool.draw(collection.grades, collection.offsets, rng)
    names = [str(judge) for judge in range(pool.n_judges)]
    return Crowd(labels, judges, names, collection.grades.astype(int), N_GRADES, labels.shape[1], 2)


def tables(name: str, judged: Crowd, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Frames agreement, best, majority (Figure 1), featured (2), distribution (3), costs, and comparisons of claims."""
    labels, judges = judged.labels, judged.judges
    agreement = crowd.agreement_by_judges(labels, judged.truth, judged.most, draws=DRAWS, rng=rng)
    best = crowd.best_judge(labels, judges, judged.truth, judged.most, FEWEST, draws=DRAWS, rng=rng)
    shares = crowd.distribution(labels, judged.n_grades)
    known = {"judge": judged.names[best.judge], "pairs": best.pairs, "naive": best.naive, "honest": best.honest}
    featured = crowd.featured_judges(labels, judges, judged.n_grades, FEWEST)
    costs = schemes.own_costs(labels, judges, rng, good=judged.good)
    return {
        "agreement": agreement,
        "best": pd.DataFrame([known]),
        "majority": best.majority,
        "featured": featured,
        "distribution": pd.DataFrame({"grade": range(judged.n_grades), "share": shares}),
        "costs": costs,
        "comparisons": judge_comparisons(name, best, costs, featured),
    }


def judge_comparisons(name: str, best: crowd.BestJudge, costs: pd.DataFrame, featured: pd.DataFrame) -> pd.DataFrame:
    """What is said of judges without training on their labels: frame ranker (the name), question, at, difference, low,
    high.

    Of a majority of m judges, more than FEW, less the best judge on pairs held out; of labels a pair away from
    OVERHEAD; and of the shares of grades of each featured judge less those of the majority, half the sum, down to 0
    where the chi-squared test does not tell them apart.
    """
    own = [_apart(rows) | {"at": grade} for grade, rows in featured.groupby("featured")]
    rows = [*_several(best), _bought(costs), *own]
    return pd.DataFrame(rows, columns=["ranker", "question", "at", "difference", "low", "high"]).assign(ranker=name)


def best_of(stored: dict[str, pd.DataFrame]) -> crowd.BestJudge:
    """The best judge, from `tables` that were stored."""
    return crowd.BestJudge(**stored["best"].iloc[0].to_dict(), majority=stored["majority"])


def _of(frame: pd.DataFrame, truth: pd.Series, n_grades: int, *, most: int, good: int) -> Crowd:
    pair, docs = pd.factorize(frame["doc"])
    judge, names = pd.factorize(frame["assessor"])
    labels, judges = packed(pair, frame["grade"].to_numpy(np.int8), judge)
    return Crowd(labels, judges, list(names), truth.reindex(docs, fill_value=-1).to_numpy(), n_grades, most, good)


def _several(best: crowd.BestJudge) -> Iterator[dict]:
    own = NORMAL**2 * best.honest * (1 - best.honest) / best.pairs
    for row in best.majority[best.majority["m"] > FEW].to_dict("records"):
        difference = row["agreement"] - best.honest
        below, above = (np.sqrt((row["agreement"] - row[end]) ** 2 + own) for end in ("low", "high"))
        ends = {"difference": difference, "low": difference - below, "high": difference + above}
        yield {"question": "several judges or the best", "at": row["m"]} | ends


def _bought(costs: pd.DataFrame) -> dict:
    """How far if-good-3 lies from OVERHEAD: 1 label, and 2 more for the share of pairs whose first is Good or above."""
    costs = costs.set_index("setting")
    labels, pairs = costs.loc["if-good-3", "labels"], costs.loc["baseline", "bought"]
    good = (labels - 1) / 2
    half = 2 * NORMAL * np.sqrt(good * (1 - good) / pairs)
    away = abs(labels - OVERHEAD)
    return {"question": COST, "at": "labels a pair", "difference": away, "low": away - half, "high": away + half}


def _apart(featured: pd.DataFrame) -> dict:
    """Half the sum of the differences between the two rows of shares; their signs are taken for known."""
    counts = featured.pivot(index="by", columns="grade", values="count").to_numpy()
    labels = counts.sum(axis=1, keepdims=True)
    shares = counts / labels
    sign = np.sign(shares[0] - shares[1])
    variance = ((sign**2 * shares).sum(axis=1) - (sign * shares).sum(axis=1) ** 2) / labels.ravel()
    difference, half = sign @ (shares[0] - shares[1]) / 2, NORMAL * np.sqrt(variance.sum()) / 2
    low = difference - half if (featured["p_value"] < LEVEL).all() else min(0.0, difference - half)
    row = {"question": "featured judges or the majority", "difference": difference}
    return row | {"low": low, "high": min(difference + half, 1.0)}
