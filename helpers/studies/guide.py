"""The answers of all studies on one page: rows of a picture, and the sentence above it, computed from stored tables.

Each picture is of a frame name, value, low, high, real: what was measured, its interval or range, and whether it rests
on real data.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from helpers.datasets import portrait
from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.studies.depth import protocol as depth
from helpers.studies.judgments import findings as judgments_findings
from helpers.studies.judgments.findings import FIFTH

Stored = Mapping[str, Mapping[str, pd.DataFrame]]  # data set -> name of a table -> table, of a study
ROWS = ["name", "value", "low", "high", "real"]
DEPTHS = (5, 10, 20)  # documents of a query to which a pilot is said to be judged


def second_opinions(effects: pd.DataFrame) -> pd.DataFrame:
    """What several labels of a pair, as one fine label, gain over one label of more queries at equal cost."""
    rows = effects[(effects["claim"] == "Y15") & (effects["ranker"] == "both rankers")]
    return _rows(rows["collection"], rows["effect"], rows["low"], rows["high"], True)


def of_opinions(rows: pd.DataFrame) -> str:
    """What second opinions gain for the same money, in a sentence."""
    return (
        "For the price of one label of more queries, several opinions of a pair change NDCG@3 by "
        f"{signed(rows['value'].min())} to {signed(rows['value'].max())} on {counted(len(rows), 'real collection')}."
    )


def ceilings(effects: pd.DataFrame) -> pd.DataFrame:
    """The nDCG that a ranking perfect for one assessor has with another, by collection."""
    lost = effects[effects["claim"] == "M1"]
    return _rows(lost["collection"], 1 - lost["effect"], 1 - lost["high"], 1 - lost["low"], True)


def of_ceilings(rows: pd.DataFrame) -> str:
    """How high the ceilings are, in a sentence."""
    return (
        f"A ranking that is perfect for one assessor reaches nDCG {_range(rows['value'])} with another, on "
        f"{counted(len(rows), 'collection')}."
    )


def noise(falls: pd.DataFrame) -> pd.DataFrame:
    """What the most label noise leaves of NDCG@10 by collection: the mean over rankers, and their range."""
    most = falls[falls["dnoise"] == falls["dnoise"].max()].groupby("dataset")
    found = most["relative"].agg(["mean", "min", "max"]).assign(pnoise=most["pnoise"].mean()).sort_values("mean")
    names = [f"{name}, pNoise {number(pnoise, 2)}" for name, pnoise in found["pnoise"].items()]
    real = [portrait.named(name) is None for name in found.index]
    return _rows(names, found["mean"], found["min"], found["max"], real)


def of_noise(rows: pd.DataFrame, dnoise: float) -> str:
    """What the most label noise leaves, in a sentence."""
    least, most = rows.iloc[0], rows.iloc[-1]
    return (
        f"With {share(dnoise)} of the labels wrong rankers keep {share(least['value'])} of NDCG@10 on {least['name']}, "
        f"and {share(most['value'])} on {most['name']}."
    )


def depths(stored: Stored) -> pd.DataFrame:
    """The best depth to train by collection and ranker, and which are as good, for the most judgments, queries free."""
    frames = []
    for name, tables in stored.items():
        if "best_depths" in tables:
            best = tables["best_depths"].dropna(subset="documents")
            best = best[best["ranker"].isin(depth.LAMBDAS)]
            best = best[(best["budget"] == best["budget"].max()) & (best["cost"] == best["cost"].min())]
            frames.append(best.assign(name=name + ", " + best["ranker"], real=portrait.named(name) is None))
    best = pd.concat(frames)
    return _rows(best["name"], best["documents"], best["shallowest"], best["deepest"], best["real"])


def of_depths(rows: pd.DataFrame) -> str:
    """How deep to judge for training, in a sentence."""
    least, most = rows.loc[rows["value"].idxmin()], rows.loc[rows["value"].idxmax()]
    low, high = rows["low"].max(), rows["high"].min()
    common = f"{_whole(low, high)} documents are" if low <= high else "no depth is"
    return (
        f"To train, the best depth lies between {least['value']:.0f} documents ({least['name']}) and "
        f"{most['value']:.0f} ({most['name']}); {common} as good as the best for all of them."
    )


def worth(table: pd.DataFrame) -> pd.DataFrame:
    """What a query judged to each of DEPTHS by one person is worth, of one judged whole, to measure."""
    rows = table[table["depth"].isin(DEPTHS)]
    names = [f"{row.collection}, depth {row.depth}" for row in rows.itertuples()]
    return _rows(names, rows["worth"], rows["low"], rows["high"], True)


def of_worth(table: pd.DataFrame) -> str:
    """How deep to judge for measuring, in a sentence."""
    by_depth = table[table["depth"].isin(DEPTHS)].groupby("depth")["worth"]
    said = [f"{share(rows.min())} to {share(rows.max())} at depth {depth}" for depth, rows in by_depth]
    return f"To measure, a query is worth, of one judged whole, {listed(said)}."


def asked(stored: Stored) -> pd.DataFrame:
    """What a fifth of a hidden judge's labels closes of the gap, chosen and at random: mean and range over judges."""
    rows = []
    for name, tables in stored.items():
        fifth = tables["hidden"].loc[tables["hidden"]["share"] == FIFTH]
        means = judgments_findings.closed(fifth).loc[FIFTH]
        for column, how in (("chosen", "chosen"), ("random", "at random")):
            rows.append((f"{name}, {how}", means[column], fifth[column].min(), fifth[column].max(), True))
    return pd.DataFrame(rows, columns=ROWS)


def of_asked(rows: pd.DataFrame) -> str:
    """Whether it pays to choose whom to ask again, in a sentence."""
    chosen = rows["name"].str.endswith("chosen")
    ahead = int((rows["value"][chosen].to_numpy() > rows["value"][~chosen].to_numpy()).sum())
    return (
        f"A fifth of another judge's labels closes {_shares(rows['value'][chosen])} of the gap where documents are "
        f"chosen, {_shares(rows['value'][~chosen])} at random: choosing is ahead on {ahead} of "
        f"{counted(int(chosen.sum()), 'collection')}."
    )


def _rows(names: object, value: object, low: object, high: object, real: object) -> pd.DataFrame:
    columns = {name: list(column) if hasattr(column, "__iter__") else column
               for name, column in zip(ROWS, (names, value, low, high, real), strict=True)}  # fmt: skip
    return pd.DataFrame(columns)


def _whole(low: float, high: float) -> str:
    return f"{low:.0f}" if f"{low:.0f}" == f"{high:.0f}" else f"{low:.0f} to {high:.0f}"


def _range(values: pd.Series) -> str:
    return interval(values.min(), values.max(), 2)


def _shares(values: pd.Series) -> str:
    return f"{share(values.min())} to {share(values.max())}"
