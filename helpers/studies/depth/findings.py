"""What the tables of study 4 say, in sentences and titles: how deep to judge, which documents, what it depends on."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from scipy import stats

from helpers.metrics.significance import PairedTest, t_half
from helpers.reporting import verdicts
from helpers.reporting.answers import counted, interval, listed, number, ranged, signed
from helpers.reporting.verdicts import REAL, SYNTHETIC, basis_of
from helpers.studies.depth.tables import ALL

SHOWN = ["R1-10", "R1-50", "R2", "R3", "R4", "R5-4"]  # claims of the table that answers

# choices of the documents that are judged, beside random ones
CHOSEN = {"top": "the top gains", "mixed": "half of it"}

# what to do, by the word of the claim on a tenth of the judgments
VERBS = {
    "holds": "Judge many queries, some documents each, rather than few queries in full",
    "opposite": "Judge few queries in full rather than many a little",
}


def answer(judged: pd.DataFrame) -> str:
    """What to do, what it gains at a tenth and at half of the judgments, what too little depth loses, what it costs."""
    rows = {row["claim"]: row for row in judged.to_dict("records")}
    tenth, half, few, fewer = (rows[name] for name in ("R1-10", "R1-50", "R4", "R5-4"))
    many = len(tenth["collections"].split(", "))
    hardly = "which may be nothing" if half["low"] < 0 < half["high"] else "which is something"
    return (
        f"**{VERBS.get(tenth['verdict'], 'Many queries or deep ones: nobody can tell')}.** With a tenth of the "
        f"judgments {tenth['rankers']} then ranks better by {verdicts.effect(tenth)} NDCG@10, on {many} real "
        f"collections; with half of them by {verdicts.effect(half)}, {hardly}. Do not go too low: rather than all "
        f"documents of each query, 16 lose {lost(few)} and 4 lose {lost(fewer)}. It costs nothing while a query is "
        "free; if finding one costs as much as judging it, judge deeper. Yilmaz and Robertson (2009) found the same "
        "direction, at every share."
    )


def lost(row: Mapping) -> str:
    """A loss with its interval, without a sign."""
    return f"{number(row['measured'])} ({interval(row['low'], row['high'])})"


def gains_title(pooled: pd.DataFrame) -> str:
    """What the paper's ranker gains at the smallest share that clearly gains, and at the largest: a title."""
    rows = pooled[pooled["ranker"] == pooled["ranker"].iloc[0]].sort_values("at")
    first = rows[rows["low"] > 0].head(1) if (rows["low"] > 0).any() else rows.head(1)
    said = [f"{signed(row.measured)} at {row.at:g} %" for row in pd.concat([first, rows.tail(1)]).itertuples()]
    return f"Many shallow queries gain {' and '.join(said)} of the judgments ({rows['ranker'].iloc[0]}, pooled)"


def below_floor(shares: pd.DataFrame) -> str:
    """How many points are hollow, and which of them lie clearly below 0: a sentence."""
    hollow = shares[shares["shallow"]]
    behind = hollow[hollow["high"] < 0]
    named = [f"{row.data} with {row.ranker} at {row.at:g} %, {signed(row.difference)}" for row in behind.itertuples()]
    return (
        f"Hollow, and not pooled: {counted(len(hollow), 'point')} of {len(shares)} that leave fewer than eight "
        f"documents a query. Clearly below 0 {'is' if len(named) == 1 else 'are'} {listed(named)}."
    )


def measured_on(stored: Mapping[str, Mapping[str, pd.DataFrame]]) -> pd.DataFrame:
    """The real collections, their training queries in a fold, and documents of each: frame of texts."""
    rows = []
    for name, found in stored.items():
        if basis_of(name) == REAL:
            runs = found["percent"]
            whole = runs[(runs["queries"] == 1) & (runs["documents"] == 1)][["training_queries", "judgments"]].mean()
            rows.append((name, f"{whole.iloc[0]:,.0f}", f"{whole.iloc[1] / whole.iloc[0]:,.0f}"))
    return pd.DataFrame(rows, columns=["collection", "training queries", "documents a query"])


def beside_stored(found: PairedTest, shares: pd.DataFrame, collection: str) -> str:
    """How a mean of live worlds compares with what is stored of the real collection at the same share: a sentence."""
    said = f"{SYNTHETIC}{ranged(found.difference, found.low, found.high)}"
    rows = shares[shares["data"] == collection]
    if rows.empty:
        return f"{said}; of the real {collection} nothing is stored at this share."
    row = rows.iloc[0]
    how = "apart from" if found.low > row["high"] or found.high < row["low"] else "whose interval overlaps with"
    return (
        f"{said}, {how} what is stored of the real {collection}, "
        f"with {row['ranker']} at {row['at']:g} %: {ranged(row['difference'], row['low'], row['high'])}."
    )


def curves_title(name: str, lines: pd.DataFrame) -> str:
    """What sampled documents gain over sampled queries at both ends of a panel of the paper's figures: a title."""
    x = "percent" if "percent" in lines else "judgments"
    means = lines.groupby([x, "sampled"])["ndcg"].mean().unstack().dropna()
    gained = (means["documents"] - means["queries"]).iloc[:-1]
    unit = " %" if x == "percent" else " judgments"
    said = [f"{signed(gained.loc[at])} at {at:,.0f}{unit}" for at in (gained.index.min(), gained.index.max())]
    return f"{name}: documents less queries are {' and '.join(said)}"


def depths_title(depths: pd.DataFrame) -> str:
    """What the fewest documents lose against all of them, from the least to the most on a collection: a title."""
    rows = depths[depths["question"] == ALL]
    lost = -rows.loc[rows["at"] == rows["at"].min(), "difference"]
    ends = f"{number(lost.min())} to {number(lost.max())}"
    return f"{rows['at'].min():g} documents a query lose {ends} against all, {rows['ranker'].iloc[0]}"


def best_depths(losses: pd.DataFrame) -> pd.DataFrame:
    """The best depth of each collection at its largest budget, and what half and twice of it lose: frame of texts."""
    rows = []
    for name, own in losses.groupby("data", sort=False):
        budget = own["budget"].max()
        by_depth = own[own["budget"] == budget].set_index("documents")["loss"]
        best = by_depth.idxmin()
        beside = [f"{d:.0f}: {number(by_depth[d])}" for d in (best / 2, best * 2) if d in by_depth.index]
        rows.append((name, f"{budget:,}", f"{best:.0f} documents", ", ".join(beside) or "not compared"))
    return pd.DataFrame(rows, columns=["collection", "budget [judgments]", "best depth", "half and twice of it lose"])


def losses_title(losses: pd.DataFrame) -> str:
    """The depth that all collections have and that loses least at worst where a query costs most: a title."""
    dear = losses[losses["cost"] == losses["cost"].max()]
    lost = dear.pivot(index="at", columns="data", values="difference").dropna().max(axis=1)
    least, most = (f"{at:g} documents lose {number(lost[at])}" for at in (lost.idxmin(), lost.idxmax()))
    return f"If a query costs {dear['cost'].iloc[0]:g} judgments, {least} at most, {most}"


def steady(words: pd.DataFrame, collection: str) -> str:
    """Which claims have one word whatever the margin: a title."""
    same = words.index[words.nunique(axis=1) == 1].str.split("  ").str[0]
    return f"{collection}: whatever the margin, the word is the same of {listed(same)}"


def own_run(own: pd.DataFrame, margin: float) -> str:
    """What a run of one's own says of an equal share: a sentence."""
    if own.empty:
        return "Nothing was compared: too few of your test queries have a value."
    row = own.iloc[0]
    word = verdicts.word("better", row["low"], row["high"], margin=margin)
    said = {"holds": "it holds", "opposite": "the opposite holds", "cannot tell": "it cannot tell"}.get(word, word)
    half = (row["high"] - row["low"]) / 2
    return f"Your run, {row['ranker']} at {row['at']:g} %: {signed(row['difference'])} ± {number(half)}; {said}."


def own_title(own: pd.DataFrame, shares: pd.DataFrame) -> str:
    """Where a run of one's own lies among the stored collections at the same share: a title."""
    if own.empty:
        return "Your run compares nothing"
    row = own.iloc[0]
    stored = shares.loc[shares["at"] == row["at"], "difference"]
    place = "within" if stored.min() <= row["difference"] <= stored.max() else "outside"
    ends = f"{signed(stored.min())} to {signed(stored.max())}"
    return (
        f"Your {signed(row['difference'])} at {row['at']:g} % lies {place} what {len(stored)} collections span, {ends}"
    )


def chosen(table: pd.DataFrame) -> str:
    """The mean over collections of what each choice of documents gains over random ones: a title."""
    said = [f"{words} {_gain(table[table['choice'] == name])}" for name, words in CHOSEN.items()]
    return f"Over random documents, {table['ranker'].iloc[0]}: {'; '.join(said)}"


def depends(table: pd.DataFrame) -> str:
    """Whether documents gain more over queries where queries differ more, on the portrait and on real data: a title."""
    drawn, real = table.dropna(subset="slopes"), table[table["slopes"].isna()]
    drawn = drawn[drawn["at"] == drawn["at"].min()].set_index("ranker")
    least, most = (drawn[drawn["slopes"] == slopes] for slopes in (drawn["slopes"].min(), drawn["slopes"].max()))
    more = list(least.index[most.loc[least.index, "low"] > least["high"]])
    orders = {name: stats.spearmanr(own["heterogeneity"], own["difference"]) for name, own in real.groupby("ranker")}
    seen = [name for name, order in orders.items() if order.pvalue < 0.05 and order.statistic > 0]
    said = [f"with {listed(names)}" if names else "not clearly" for names in (more, seen)]
    return f"Where queries differ more, documents gain more: on a portrait {said[0]}, on real data {said[1]}"


def _gain(rows: pd.DataFrame) -> str:
    """The mean over collections, and its interval where there are two or more."""
    by_collection = rows.groupby("data")["difference"].mean()
    if len(by_collection) < 2:
        return signed(by_collection.mean())
    half = t_half(by_collection.sem(), len(by_collection) - 1)
    return ranged(by_collection.mean(), by_collection.mean() - half, by_collection.mean() + half)
