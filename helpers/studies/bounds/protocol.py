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
from helpers.metrics.significance import bootstrap_counts, ends
from helpers.reporting import verdicts
from helpers.studies import scales
from helpers.studies.bounds.judges import Judges

K = 10
RESAMPLED = 2000

WITHIN = (0.01, 0.02, 0.03, 0.04, 0.05)
"""nDCG within which a predicted limit is near the real one; the claim is judged at the second."""


@dataclass(frozen=True)
class Scale:
    """Sizes of one scale."""

    matrices: int  # drawn for each query
    splits: int  # of each query's documents
    labellings: int  # of a simulated ceiling
    lists: int  # of each length


SCALES = {"demo": Scale(20, 2, 200, 50), "study": Scale(100, 10, 2000, 500), "paper": Scale(100, 10, 20_000, 2000)}

scale_named = partial(scales.named, sizes=SCALES)


def limits_table(pool: Judges, scale: Scale, rng: np.random.Generator) -> pd.DataFrame:
    """Real and predicted limits of every ordered pair of judges and query: frame testing, training, query, documents,
    real, pooled, varying (as `real_ceilings.predictions`), elsewhere.
    """

    def of_pair(pairs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
        table = real_ceilings.predictions(pairs, pool.n_grades, K, draws=scale.matrices, rng=rng)
        profiles = judgments.query_confusion_counts(pairs, pool.n_grades).sum(axis=2)
        return table.assign(elsewhere=ceilings.exact(profiles, pool.elsewhere.probabilities, K))

    return _by_pair(_paired(pool), of_pair, rng)


def held_out_table(pool: Judges, scale: Scale, rng: np.random.Generator) -> pd.DataFrame:
    """`real_ceilings.held_out` of every ordered pair: frame testing, training, query, real, pooled, own."""
    of_pair = partial(real_ceilings.held_out, n_grades=pool.n_grades, k=K, splits=scale.splits)
    return _by_pair(_paired(pool), of_pair, rng)


def pair_counts(pool: Judges) -> pd.DataFrame:
    """How often grades met in a query, which is all that its limits depend on: frame testing, training, query, then for
    each testing grade i and training grade j a column "i j": documents.
    """
    cells = [f"{i} {j}" for i in range(pool.n_grades) for j in range(pool.n_grades)]

    def of_pair(pairs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
        counts = judgments.query_confusion_counts(pairs, pool.n_grades).reshape(-1, len(cells))
        return pd.DataFrame(counts, columns=cells).assign(query=pairs["query"].unique())

    table = _by_pair(_paired(pool), of_pair, np.random.default_rng(0))
    return table[["testing", "training", "query", *cells]]


def held_out_of_counts(
    counts: pd.DataFrame, scale: Scale, rng: np.random.Generator, k: int | None = K, *, n_jobs: int = 1
) -> pd.DataFrame:
    """The frame of `held_out_table` from that of `pair_counts` alone, the same numbers for any n_jobs."""
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
    n_jobs: int = 1,
) -> pd.DataFrame:
    runs = (joblib.delayed(of_pair)(own, rng=s) for own, s in zip(pairs.values(), rng.spawn(len(pairs)), strict=True))
    tables = joblib.Parallel(n_jobs=n_jobs)(runs)
    table = pd.concat(tables, keys=pairs, names=["testing", "training"])
    return table.reset_index(["testing", "training"]).reset_index(drop=True)


def errors(table: pd.DataFrame, predicted: Sequence[str]) -> pd.DataFrame:
    """How far predictions are from the real limit: frame prediction (its index), bias (real - predicted), rms (over
    pairs and queries), correlation (over queries, of means over pairs).
    """
    known = table.dropna(subset="real")
    by_query = known.groupby("query")[["real", *predicted]].mean()
    off = known[predicted].rsub(known["real"], axis=0)
    found = {
        "bias": off.mean(),
        "rms": (off**2).mean() ** 0.5,
        "correlation": by_query[predicted].corrwith(by_query["real"]),
    }
    return pd.DataFrame(found).rename_axis("prediction")


def contrasts(limits: pd.DataFrame, halves: pd.DataFrame) -> dict[str, pd.Series]:
    """Claim -> by query, as means over pairs of judges: what the real limit lacks of 1 (M1), the error under a matrix
    from elsewhere less that under one of the same judges (M3), and that under one for all less the query's own (O14).
    """
    return {
        "M1": _by_query(limits, 1 - limits["real"]),
        "M3": _saved(limits, "pooled", "elsewhere"),
        "O14": _saved(halves, "own", "pooled"),
    }


def shares_within(limits: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Of how many pairs of judges the predicted limit is near the real one, both means over the pair's queries: frame
    within (of WITHIN), share, se, low, high, pairs, queries, with 95 % bootstrap intervals over queries.
    """
    off = (limits["real"] - limits["pooled"]).to_numpy()
    table = pd.DataFrame({"pair": limits["testing"] + " " + limits["training"], "query": limits["query"], "off": off})
    matrix = table.dropna().pivot(index="query", columns="pair", values="off").to_numpy()
    n, has = len(matrix), np.isfinite(matrix)
    weights = np.vstack([np.ones(n), bootstrap_counts(n, RESAMPLED, rng)])
    with np.errstate(invalid="ignore"):  # of a pair none of whose queries was drawn
        mean = np.abs(weights @ np.where(has, matrix, 0) / (weights @ has))
    rows = []
    for within in WITHIN:
        drawn = np.where(np.isnan(mean), np.nan, mean <= within)
        samples = np.nanmean(drawn[1:], axis=1)
        low, high = ends(samples)
        row = {"within": within, "share": drawn[0].mean(), "se": samples.std(ddof=1), "low": low, "high": high}
        rows.append(row | {"pairs": matrix.shape[1], "queries": n})
    return pd.DataFrame(rows)


def known_queries(real: Mapping[str, pd.DataFrame], rng: np.random.Generator) -> pd.DataFrame:
    """How much closer a query's own matrix comes than one for all (O14), by set of judges: frame with the columns
    `verdicts.EFFECTS`, with 95 % bootstrap intervals over queries.
    """
    found = {
        name: verdicts.given_effect(*mean_of(_saved(t, "own", "pooled"), rng).values()) for name, t in real.items()
    }
    rows = [verdicts.effect_row("O14", name, verdicts.REAL, "", effect) for name, effect in found.items()]
    return pd.DataFrame(rows, columns=verdicts.EFFECTS)


def _saved(table: pd.DataFrame, prediction: str, other: str) -> pd.Series:
    """How much less a prediction is off than another, by query."""
    errors = table[[prediction, other]].sub(table["real"], axis=0).abs()
    return _by_query(table, errors[other] - errors[prediction])


def _by_query(table: pd.DataFrame, value: pd.Series) -> pd.Series:
    return value.groupby(table["query"]).mean().dropna()


def mean_of(by_query: pd.Series, rng: np.random.Generator) -> dict[str, float]:
    """The mean over queries that are not NaN, with its 95 % bootstrap interval: difference, low, high."""
    values = by_query.dropna().to_numpy()
    low, high = significance.bootstrap_interval(values, draws=RESAMPLED, rng=rng)
    return {"difference": float(values.mean()), "low": low, "high": high}
