"""How many queries that a machine labelled are worth one that a person labelled, by learning curves of rankers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from sklearn.isotonic import isotonic_regression

from helpers.reporting.answers import interval, listed, number, signed
from helpers.studies.bounds.machine_labels import ALL, MACHINE, PERSON, SAME_QUERIES, SIZES

SAMPLES = 2000
KEYS = ("ranker", "labels", "queries", "judgments", "repeat")
BOUNDS = (2.5, 97.5)


def tables(by_query: pd.DataFrame, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """What the runs say of every ranker and of ALL, with 95 % bootstrap intervals over test queries and draws.

    Parameters
    ----------
    by_query : frame of `machine_labels_runs.by_query`
    rng : draws bootstrap samples

    Returns
    -------
    "curves" : frame ranker, labels, queries, judgments, ndcg, low, high
    "worth" : frame ranker, queries, needed, low, high: how many queries that the machine labelled train as well as so
        many that a person labelled (`needed`)
    "differences" : frame ranker, question, difference, low, high: NDCG@10 from all labels of the machine, or from its
        labels of the same queries, less that from all labels of the person
    """
    mean = by_query.groupby(["labels", "queries", "repeat"], sort=False).mean(numeric_only=True).reset_index()
    frames = [_of_ranker(own, rng) for _, own in by_query.groupby("ranker", sort=False)]
    frames.append(_of_ranker(mean.assign(ranker=ALL), rng))
    return {name: pd.concat([frame[name] for frame in frames], ignore_index=True) for name in frames[0]}


def needed(sizes: Sequence[int], curve: np.ndarray, target: float) -> float:
    """How many queries reach a target by a learning curve: the first size that does, by the logarithm between sizes.

    The curve is made to rise first (isotonic regression), as more labels that seem to harm are taken for chance.

    Parameters
    ----------
    sizes : (n,) rising numbers of queries
    curve : (n,) NDCG at each
    target : NDCG to reach

    Returns
    -------
    float : the smallest size where that is enough already; infinite where the largest is not

    Examples
    --------
    >>> round(needed([10, 100, 1000], [0.25, 0.5, 0.75], 0.375), 12)  # halfway from 10 to 100, by the logarithm
    31.622776601684
    >>> needed([10, 100, 1000], [0.25, 0.5, 0.75], 0.125), needed([10, 100, 1000], [0.25, 0.5, 0.75], 0.875)
    (10.0, inf)
    """
    rising = isotonic_regression(np.asarray(curve, dtype=float))
    enough = np.flatnonzero(rising >= target)
    if len(enough) == 0:
        return np.inf
    last = enough[0]
    if last == 0:
        return float(sizes[0])
    share = (target - rising[last - 1]) / (rising[last] - rising[last - 1])
    first, then = np.log(sizes[last - 1]), np.log(sizes[last])
    return float(np.exp(first + share * (then - first)))


def _of_ranker(own: pd.DataFrame, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """The three tables of one ranker; the first of its samples is what was observed."""
    ranker, queries = own["ranker"].iloc[0], [column for column in own if column not in KEYS]
    values = own[queries].to_numpy()[:, ~own[queries].isna().all().to_numpy()]
    weights = _weights(values.shape[1], rng)
    drawn = {
        labels: np.stack([_means(values[_rows(own, labels, size)], weights, rng) for size in sizes], axis=1)
        for labels, sizes in SIZES.items()
    }
    return {
        "curves": _curves(ranker, own, drawn),
        "worth": _worth(ranker, drawn),
        "differences": _differences(ranker, drawn),
    }


def _rows(own: pd.DataFrame, labels: str, size: int) -> np.ndarray:
    return ((own["labels"] == labels) & (own["queries"] == size)).to_numpy()


def _weights(n: int, rng: np.random.Generator) -> np.ndarray:
    """(1 + SAMPLES, n) how much each of n counts: all alike, then as in bootstrap samples."""
    return np.vstack([np.full(n, 1 / n), rng.multinomial(n, np.full(n, 1 / n), size=SAMPLES) / n])


def _means(values: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(1 + SAMPLES,) means of values (n_draws, n_queries) over resampled draws and queries."""
    return ((_weights(len(values), rng) @ values) * weights).sum(axis=1)


def _interval(samples: np.ndarray) -> dict[str, float]:
    low, high = np.percentile(samples[1:], BOUNDS, method="nearest")
    return {"low": float(low), "high": float(high)}


def _curves(ranker: str, own: pd.DataFrame, drawn: dict[str, np.ndarray]) -> pd.DataFrame:
    rows = []
    for labels, samples in drawn.items():
        for size, at_size in zip(SIZES[labels], samples.T, strict=True):
            row = {"ranker": ranker, "labels": labels, "queries": size}
            row |= {"judgments": own.loc[_rows(own, labels, size), "judgments"].mean(), "ndcg": float(at_size[0])}
            rows.append(row | _interval(at_size))
    return pd.DataFrame(rows)


def _worth(ranker: str, drawn: dict[str, np.ndarray]) -> pd.DataFrame:
    rows = []
    for place, size in enumerate(SIZES[PERSON]):
        pairs = zip(drawn[MACHINE], drawn[PERSON][:, place], strict=True)
        found = np.array([needed(SIZES[MACHINE], curve, target) for curve, target in pairs])
        rows.append({"ranker": ranker, "queries": size, "needed": found[0]} | _interval(found))
    return pd.DataFrame(rows)


def _differences(ranker: str, drawn: dict[str, np.ndarray]) -> pd.DataFrame:
    whole = {labels: samples[:, -1] for labels, samples in drawn.items()}
    rows = []
    for question in (MACHINE, SAME_QUERIES):
        less = whole[question] - whole[PERSON]
        rows.append({"ranker": ranker, "question": question, "difference": float(less[0])} | _interval(less))
    return pd.DataFrame(rows)


def as_well(table: pd.DataFrame) -> str:
    """How many queries that a machine labelled train as well as those that a person labelled.

    Parameters
    ----------
    table : rows of "worth" of `tables`; the largest number of queries of ALL is spoken of
    """
    row = table[table["ranker"] == ALL].nlargest(1, "queries").iloc[0]
    if np.isinf(row["needed"]):
        fewest = "" if np.isinf(row["low"]) else f", though {_machine(row['low'])} may do"
        return f"No number of machine-labelled queries tried trains as well as {row['queries']} from a person{fewest}"
    return (
        f"{row['queries']} queries that a person labelled train as well as {_machine(row['needed'])} that a machine "
        f"labelled (95 %: {_machine(row['low'])} to {_machine(row['high'])})"
    )


def _machine(needed: float) -> str:
    """A number of machine-labelled queries, as far as it is known.

    >>> _machine(10.0), _machine(56.4), _machine(float("inf"))
    ('10 or fewer', '56', 'more than 424')
    """
    sizes = SIZES[MACHINE]
    if np.isinf(needed):
        return f"more than {sizes[-1]}"
    return f"{needed:.0f}" + (" or fewer" if needed <= sizes[0] else "")


def one_for_one(table: pd.DataFrame) -> str:
    """How many machine-labelled queries are worth one of a person's, with its interval.

    Parameters
    ----------
    table : as in `as_well`
    """
    row = table[table["ranker"] == ALL].nlargest(1, "queries").iloc[0]
    shown = [_ratio(row[name], row["queries"]) for name in ("needed", "low", "high")]
    return f"One query that a person labelled is worth {shown[0]} by a machine (95 %: {shown[1]} to {shown[2]})."


def _ratio(needed: float, queries: int) -> str:
    sizes = SIZES[MACHINE]
    if np.isinf(needed):
        return f"more than {number(sizes[-1] / queries, 2)}"
    return number(needed / queries, 2) + (" or fewer" if needed <= sizes[0] else "")


def all_labels(differences: pd.DataFrame) -> str:
    """What all machine labels, and machine labels of the same queries, train compared with a person's.

    Parameters
    ----------
    differences : "differences" of `tables`
    """
    own = differences[differences["ranker"] == ALL].set_index("question")
    kinds = {
        MACHINE: f"All {SIZES[MACHINE][-1]} machine-labelled queries",
        SAME_QUERIES: "Machine labels of the same queries",
    }
    return " ".join(
        f"{words} train rankers that are {_compared(own.loc[kind])} those trained on all labels of a person."
        for kind, words in kinds.items()
    )


def _compared(row: pd.Series) -> str:
    shown = f"({signed(row['difference'])}, {interval(row['low'], row['high'])})"
    if row["low"] > 0:
        return f"better {shown} than"
    if row["high"] < 0:
        return f"worse {shown} than"
    return f"not told apart {shown} from"


def learnable(curves: pd.DataFrame) -> str:
    """How much more labels teach at all, from the fewest to the most.

    Parameters
    ----------
    curves : "curves" of `tables`
    """
    gains = []
    for labels in (PERSON, MACHINE):
        own = curves[(curves["ranker"] == ALL) & (curves["labels"] == labels)].sort_values("queries")
        first, last = own.iloc[0], own.iloc[-1]
        gains.append(f"{signed(last['ndcg'] - first['ndcg'])} from {first['queries']} to {last['queries']} ({labels})")
    return f"More labelled queries change NDCG@10 by {listed(gains)}."
