"""The protocol of study 2: its scales, the ceilings of pairs of judges, and what is compared with what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import joblib
import numpy as np
import pandas as pd

from helpers.judging import ceilings, judgments, real_ceilings
from helpers.metrics import significance
from helpers.studies import scales
from helpers.studies.bounds.judges import Judges

K = 10
RESAMPLED = 2000

NEAR = 0.05
"""nDCG within which a learned ranker is near a ceiling."""

PERFECT = "perfect for the training assessor"
"""The ranker whose nDCG a limit is."""


@dataclass(frozen=True)
class Scale:
    """Sizes of one scale.

    Attributes
    ----------
    queries : of the simulated assessors
    matrices, splits : draws for each query
    labellings : draws of a simulated ceiling
    intervals : draws of the interval of a collection's ceiling; 0 for none
    lists : of each length
    interval_queries : of a collection, on which that interval is measured; None is all
    """

    queries: int
    matrices: int
    splits: int
    labellings: int
    intervals: int
    lists: int
    interval_queries: int | None = None


SCALES = {
    "demo": Scale(100, 20, 2, 200, 0, 50),
    "study": Scale(1000, 100, 10, 2000, 200, 500),
    "paper": Scale(5000, 100, 10, 20_000, 1000, 2000),
}


def scale_named(scale: str) -> Scale:
    """The sizes of a scale, as `scales.named` says."""
    return scales.named(scale, SCALES)


def limits_table(
    pool: Judges, scale: Scale, rng: np.random.Generator, k: int | None = K, *, n_jobs: int = 1
) -> pd.DataFrame:
    """Real and predicted limits of every ordered pair and query; each pair has random numbers of its own.

    Parameters
    ----------
    pool : the judges
    scale : how many matrices are drawn for each query
    rng : parent of the generators of the pairs
    k : cut-off; None is the whole list
    n_jobs : processes; the numbers do not depend on it

    Returns
    -------
    frame testing, training, query, documents, real, pooled, varying, elsewhere: as `real_ceilings.predictions`, and the
        ceiling under the matrix from elsewhere
    """

    def of_pair(pairs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
        table = real_ceilings.predictions(pairs, pool.n_grades, k, draws=scale.matrices, rng=rng)
        profiles = judgments.query_confusion_counts(pairs, pool.n_grades).sum(axis=2)
        return table.assign(elsewhere=ceilings.exact(profiles, pool.elsewhere.probabilities, k))

    return _by_pair(_paired(pool), of_pair, rng, n_jobs)


def held_out_table(
    pool: Judges, scale: Scale, rng: np.random.Generator, k: int | None = K, *, n_jobs: int = 1
) -> pd.DataFrame:
    """`real_ceilings.held_out` of every ordered pair: frame testing, training, query, real, pooled, own.

    Parameters
    ----------
    pool, rng, k, n_jobs : as in `limits_table`
    scale : how often each query is divided
    """

    of_pair = partial(real_ceilings.held_out, n_grades=pool.n_grades, k=k, splits=scale.splits)
    return _by_pair(_paired(pool), of_pair, rng, n_jobs)


def pair_counts(pool: Judges) -> pd.DataFrame:
    """What a pair of judges leaves of a query when its documents are no longer told apart: how often grades met.

    Parameters
    ----------
    pool : the judges

    Returns
    -------
    frame testing, training, query, then for each testing grade i and training grade j a column "i j": documents
    """
    cells = [f"{i} {j}" for i in range(pool.n_grades) for j in range(pool.n_grades)]

    def of_pair(pairs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
        counts = judgments.query_confusion_counts(pairs, pool.n_grades).reshape(-1, len(cells))
        return pd.DataFrame(counts, columns=cells).assign(query=pairs["query"].unique())

    table = _by_pair(_paired(pool), of_pair, np.random.default_rng(0), 1)
    return table[["testing", "training", "query", *cells]]


def held_out_of_counts(
    counts: pd.DataFrame, scale: Scale, rng: np.random.Generator, k: int | None = K, *, n_jobs: int = 1
) -> pd.DataFrame:
    """The frame of `held_out_table` from counts alone, which say all that it depends on.

    Parameters
    ----------
    counts : frame of `pair_counts`
    scale, rng, k, n_jobs : as in `held_out_table`
    """
    cells = [column for column in counts if column not in ("testing", "training", "query")]
    n_grades = round(len(cells) ** 0.5)
    grades = pd.DataFrame([cell.split() for cell in cells], columns=["testing", "training"]).astype(int)

    def expanded(own: pd.DataFrame) -> pd.DataFrame:
        documents = own[cells].to_numpy()
        rows = grades.loc[np.repeat(np.tile(grades.index, len(own)), documents.ravel())]
        return rows.assign(query=np.repeat(own["query"].to_numpy(), documents.sum(axis=1))).reset_index(drop=True)

    pairs = {pair: expanded(own) for pair, own in counts.groupby(["testing", "training"], sort=False)}
    return _by_pair(pairs, partial(real_ceilings.held_out, n_grades=n_grades, k=k, splits=scale.splits), rng, n_jobs)


def _paired(pool: Judges) -> dict[tuple[str, str], pd.DataFrame]:
    """(testing, training) -> the documents that both judged."""
    return {pair: judgments.paired(pool.frame, *pair) for pair in pool.pairs}


def _by_pair(
    pairs: Mapping[tuple[str, str], pd.DataFrame],
    of_pair: Callable[..., pd.DataFrame],
    rng: np.random.Generator,
    n_jobs: int,
) -> pd.DataFrame:
    runs = (joblib.delayed(of_pair)(own, rng=s) for own, s in zip(pairs.values(), rng.spawn(len(pairs)), strict=True))
    tables = joblib.Parallel(n_jobs=n_jobs)(runs)
    table = pd.concat(tables, keys=pairs, names=["testing", "training"])
    return table.reset_index(["testing", "training"]).reset_index(drop=True)


def errors(table: pd.DataFrame, predicted: Sequence[str]) -> pd.DataFrame:
    """How far each prediction lies from the real limit.

    Parameters
    ----------
    table : frame of `limits_table` or `held_out_table`
    predicted : its columns of predictions

    Returns
    -------
    frame, a row for each prediction: real, predicted (means over pairs and queries), bias (real - predicted), rms (root
        mean square over pairs and queries), correlation (over queries, of means over pairs)
    """
    known = table.dropna(subset="real")
    by_query = known.groupby("query")[["real", *predicted]].mean()
    rows = {
        name: {
            "real": known["real"].mean(),
            "predicted": known[name].mean(),
            "bias": (known["real"] - known[name]).mean(),
            "rms": np.sqrt(((known["real"] - known[name]) ** 2).mean()),
            "correlation": by_query["real"].corr(by_query[name]),
        }
        for name in predicted
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("prediction")


def judge_comparisons(table: pd.DataFrame, halves: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What is said of predicted limits, as mean differences over queries, each the mean of its pairs.

    Parameters
    ----------
    table, halves : frames of `limits_table` and `held_out_table`
    rng : draws bootstrap samples

    Returns
    -------
    frame ranker, question, at, difference, low, high, for `claims.verdicts`; 95 % bootstrap intervals over queries
        "error of the limit" is |real - pooled| of the means, and its interval that of real - pooled without its sign;
        "loss by disagreement" is what the real limit lacks of 1; the others say how much closer one prediction of a
        query comes than another
    """
    bias = _by_query(table, lambda t: t["real"] - t["pooled"])
    rows = [compared("real limit or pooled prediction", bias, rng)]
    rows.append(rows[0] | {"question": "error of the limit"} | unsigned(**{x: rows[0][x] for x in SIGNED}))
    for question, frame, first, second in (
        ("matrix from elsewhere or own", table, "elsewhere", "pooled"),
        ("same matrix for all or varying", table, "pooled", "varying"),
        ("same matrix for all or the query's", halves, "pooled", "own"),
    ):
        closer = _by_query(frame, lambda t, a=first, b=second: (t[a] - t["real"]).abs() - (t[b] - t["real"]).abs())
        rows.append(compared(question, closer, rng))
    rows.append(compared("loss by disagreement", _by_query(table, lambda t: 1 - t["real"]), rng))
    return pd.DataFrame(rows)


def known_queries(real: Mapping[str, pd.DataFrame], rng: np.random.Generator) -> pd.DataFrame:
    """What knowing a query's own matrix is worth, for several pools of judges.

    Parameters
    ----------
    real : name of a pool -> frame of `held_out_table`
    rng : draws bootstrap samples

    Returns
    -------
    frame judges, pairs, queries, real, pooled, own, passed_pooled, passed_own, difference, low, high
        real, pooled and own are means over pairs and queries; passed_ is the number of pairs whose mean real limit lies
        above their mean prediction; the difference is how much closer to a query's real limit its own matrix comes,
        with a 95 % bootstrap interval over queries
    """
    rows = []
    for judges, halves in real.items():
        values = halves.dropna(subset="real")
        means = values.groupby(["testing", "training"])[["real", "pooled", "own"]].mean()
        row = {"judges": judges, "pairs": len(means), "queries": values["query"].nunique()}
        row |= means.mean().to_dict()
        row |= {f"passed_{name}": int((means["real"] > means[name]).sum()) for name in ("pooled", "own")}
        closer = _by_query(values, lambda t: (t["pooled"] - t["real"]).abs() - (t["own"] - t["real"]).abs())
        interval = compared("same matrix for all or the query's", closer, rng)
        rows.append(row | {name: interval[name] for name in SIGNED})
    return pd.DataFrame(rows)


SIGNED = ("difference", "low", "high")


def _by_query(table: pd.DataFrame, value: Callable[[pd.DataFrame], pd.Series]) -> np.ndarray:
    return value(table).groupby(table["query"]).mean().dropna().to_numpy()


def compared(question: str, by_query: np.ndarray, rng: np.random.Generator, at: object = "all pairs") -> dict:
    """A row for `claims.verdicts`: the mean of differences with its bootstrap interval.

    Parameters
    ----------
    question, at : what is compared, and where
    by_query : (n_queries,) differences
    rng : draws bootstrap samples
    """
    low, high = significance.bootstrap_interval(by_query, draws=RESAMPLED, rng=rng)
    row = {"ranker": PERFECT, "question": question, "at": at}
    return row | {"difference": float(by_query.mean()), "low": low, "high": high}


def unsigned(difference: float, low: float, high: float) -> dict:
    """The absolute value, and the interval that it lies in where the signed one lies between low and high.

    >>> unsigned(-0.25, -0.5, 0.125)
    {'difference': 0.25, 'low': 0.0, 'high': 0.5}
    """
    return {"difference": abs(difference), "low": max(0.0, low, -high), "high": max(abs(low), abs(high))}
