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
from helpers.reporting.answers import interval, listed, number, signed
from helpers.studies import scales
from helpers.studies.bounds.judges import Judges

K = 10
RESAMPLED = 2000

NEAR = 0.05
"""nDCG within which a learned ranker is near a ceiling."""

WITHIN = (0.01, 0.02, 0.03, 0.04, 0.05)
"""nDCG within which a predicted limit is near the real one; the claim is judged at the second."""


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


def contrasts(limits: pd.DataFrame, halves: pd.DataFrame) -> dict[str, pd.Series]:
    """By query, as means over pairs of judges, what the claims of judges speak of.

    Parameters
    ----------
    limits, halves : frames of `limits_table` and `held_out_table`

    Returns
    -------
    dict : "M1", what the real limit lacks of 1; "M3", the error under a matrix from elsewhere less that under one of
        the same judges; "O14", the error under one matrix for all queries less that under the query's own
    """
    return {
        "M1": _by_query(limits, 1 - limits["real"]),
        "M3": _by_query(limits, _error(limits, "elsewhere") - _error(limits, "pooled")),
        "O14": _by_query(halves, _error(halves, "pooled") - _error(halves, "own")),
    }


def shares_within(limits: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Of how many pairs of judges the predicted limit is near the real one, both means over the pair's queries.

    Few queries leave a mean apart from its expectation, and a prediction that is right too: the share is then too low.

    Parameters
    ----------
    limits : frame of `limits_table`
    rng : draws bootstrap samples of queries

    Returns
    -------
    frame within, share, se, low, high, pairs, queries: a row for each of WITHIN, 95 % bootstrap intervals
    """
    off = (limits["real"] - limits["pooled"]).to_numpy()
    table = pd.DataFrame({"pair": limits["testing"] + " " + limits["training"], "query": limits["query"], "off": off})
    matrix = table.dropna().pivot(index="query", columns="pair", values="off").to_numpy()
    n, has = len(matrix), np.isfinite(matrix)
    weights = np.vstack([np.ones(n), rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLED)])
    with np.errstate(invalid="ignore"):  # of a pair none of whose queries was drawn
        mean = np.abs(weights @ np.where(has, matrix, 0) / (weights @ has))
    rows = []
    for within in WITHIN:
        drawn = np.where(np.isnan(mean), np.nan, mean <= within)
        samples = np.nanmean(drawn[1:], axis=1)
        low, high = np.percentile(samples, [2.5, 97.5])
        row = {"within": within, "share": drawn[0].mean(), "se": samples.std(ddof=1), "low": low, "high": high}
        rows.append(row | {"pairs": matrix.shape[1], "queries": n})
    return pd.DataFrame(rows)


def known_queries(real: Mapping[str, pd.DataFrame], rng: np.random.Generator) -> pd.DataFrame:
    """What knowing a query's own matrix is worth, for several pools of judges.

    Parameters
    ----------
    real : name of a pool -> frame of `held_out_table`
    rng : draws bootstrap samples

    Returns
    -------
    frame judges, pairs, queries, real, pooled, own, difference, low, high
        real, pooled and own are means over pairs and queries; the difference is how much closer to a query's real limit
        its own matrix comes, with a 95 % bootstrap interval over queries
    """
    rows = []
    for judges, halves in real.items():
        values = halves.dropna(subset="real")
        means = values.groupby(["testing", "training"])[["real", "pooled", "own"]].mean()
        row = {"judges": judges, "pairs": len(means), "queries": values["query"].nunique()}
        row |= means.mean().to_dict()
        closer = _by_query(values, _error(values, "pooled") - _error(values, "own"))
        rows.append(row | mean_of(closer, rng))
    return pd.DataFrame(rows)


def _error(table: pd.DataFrame, prediction: str) -> pd.Series:
    return (table[prediction] - table["real"]).abs()


def _by_query(table: pd.DataFrame, value: pd.Series) -> pd.Series:
    return value.groupby(table["query"]).mean().dropna()


def mean_of(by_query: pd.Series, rng: np.random.Generator) -> dict[str, float]:
    """The mean over queries with its 95 % bootstrap interval: difference, low, high.

    Parameters
    ----------
    by_query : differences; queries that are NaN are left out
    rng : draws bootstrap samples
    """
    values = by_query.dropna().to_numpy()
    low, high = significance.bootstrap_interval(values, draws=RESAMPLED, rng=rng)
    return {"difference": float(values.mean()), "low": low, "high": high}


def own_matrix(table: pd.DataFrame) -> str:
    """How much closer to the real limit a query's own matrix comes than one for all queries, by pool.

    Parameters
    ----------
    table : frame of `known_queries`
    """
    rows = (f"{signed(r.difference)} ({interval(r.low, r.high)}) for {r.judges}" for r in table.itertuples())
    return f"How much closer to what rankings reach the query's own matrix comes than one for all: {listed(rows)}."


def bias(table: pd.DataFrame) -> str:
    """How far one matrix for all queries is off on average, by pool.

    Parameters
    ----------
    table : frame of `known_queries`
    """
    rows = (f"{signed(r.real - r.pooled)} for {r.judges}" for r in table.itertuples())
    return f"What rankings reach less the ceiling of one matrix for all is, on average, {listed(rows)}"


def disagreement(losses: pd.DataFrame, k: int) -> str:
    """What a ranking that is perfect for one assessor loses with another.

    Parameters
    ----------
    losses : frame collection, effect, low, high
    k : cut-off
    """
    rows = (f"{number(r.effect)} ({interval(r.low, r.high)}) among {r.collection}" for r in losses.itertuples())
    return f"Of a perfect nDCG@{k} of 1, a ranking that is perfect for one judge loses with another {listed(rows)}."


def habits(alike: pd.DataFrame, moody: pd.DataFrame) -> str:
    """Where rankings end beside the ceiling of one matrix for all, when queries are alike and when they are not.

    Parameters
    ----------
    alike, moody : frames of `errors` with a row "pooled"
    """
    without, with_habits = alike.loc["pooled", "bias"], moody.loc["pooled", "bias"]
    return (
        f"One matrix for all queries: rankings end {_aside(without)} its ceiling where judges are alike in every "
        f"query, and {_aside(with_habits)} where each query has habits of its own"
    )


def varying(moody: pd.DataFrame) -> str:
    """Whether matrices that vary between queries repair the ceiling where habits differ.

    Parameters
    ----------
    moody : frame of `errors` with rows "pooled" and "varying"
    """
    pooled, spread = moody.loc["pooled", "bias"], moody.loc["varying", "bias"]
    word = "smaller" if abs(spread) < abs(pooled) else "no smaller"
    return (
        f"A ceiling that lets the matrix vary between queries has an average error of {number(abs(spread))}, which is "
        f"{word} than that of one matrix for all, {number(abs(pooled))}."
    )


def _aside(bias: float) -> str:
    return f"{number(abs(bias))} {'above' if bias > 0 else 'below'}"
