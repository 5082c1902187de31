"""The result of a run in a few sentences, computed from the tables that it left, for what a reader brought along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pandas as pd

from helpers.engine import results
from helpers.judging.confusion import load_confusions
from helpers.judging.noise import TURNING
from helpers.reporting.answers import counted, listed, number, share
from helpers.reporting.verdicts import effect

Tables = Mapping[str, pd.DataFrame]

SENTENCES = 6  # most sentences of a run
MARGIN = 0.005  # NDCG that counts as no difference


def report(study: str, folder: str | Path) -> list[str]:
    """What a run of a study found, in at most SENTENCES sentences; none for a study that says it by itself."""
    if study not in SAID:
        return []
    tables = {file.stem: results.read(file) for file in sorted(Path(folder).glob("*.csv"))}
    return list(SAID[study](tables))[:SENTENCES]


def ceilings(tables: Tables) -> Iterator[str]:
    """What study 2 found for each collection: ceilings under the reader's matrices, or the lowest and highest."""
    known = set(load_confusions())
    for name, table in tables.items():
        if not name.startswith("ceilings_"):
            continue
        collection, own = name.removeprefix("ceilings_"), table[~table["matrix"].isin(known)]
        if own.empty:
            ordered = table.sort_values("exact")
            low, high = ordered.iloc[0], ordered.iloc[-1]
            yield (
                f"{collection}: the ceiling of nDCG lies between {number(low['exact'])} under {low['matrix']} and "
                f"{number(high['exact'])} under {high['matrix']}."
            )
        for row in own.itertuples():
            yield (
                f"{collection}: if assessors differ as in {row.matrix}, a ranker perfect for one reaches nDCG "
                f"{number(row.exact)} with the other."
            )


def noise(tables: Tables) -> Iterator[str]:
    """What study 3 found for each collection: what wrong labels do to its pairs, and to rankers."""
    for name, rows in _by_data(tables, "exact"):
        tenth = rows.loc[(rows["dnoise"] - 0.1).abs().idxmin()]
        past = rows.loc[rows["pnoise"] >= TURNING, "dnoise"]
        at = (
            f"from {share(past.min())} wrong labels on" if len(past) else "with no share of wrong labels that was tried"
        )
        yield (
            f"{name}: {share(tenth['dnoise'])} wrong labels put {share(tenth['pnoise'])} of its document pairs in the "
            f"wrong order; {share(TURNING)}, from which on rankers fall steeply, are wrong {at}."
        )
    for name, rows in _by_data(tables, "falls"):
        most = rows[rows["dnoise"] == rows["dnoise"].max()].sort_values("relative")
        ends = most.iloc[[-1, 0]] if len(most) > 1 else most
        kept = [
            f"{row.ranker} {share(row.relative)} ({share(row.low)} to {share(row.high)})" for row in ends.itertuples()
        ]
        among = f", of {counted(len(most), 'ranker')} the most and the least" if len(most) > 1 else ""
        yield f"{name}: of NDCG@10 with {share(rows['dnoise'].max())} wrong labels is left: {listed(kept)}{among}."


def depths(tables: Tables) -> Iterator[str]:
    """What study 4 found: what half of the documents or queries lose, and the best depth."""
    if "comparisons" in tables:
        table = tables["comparisons"]
        halves = table[table["question"] == "all documents or half"]
        either = table[(table["question"] == "documents or queries") & (table["at"] == 50)]
        yield from _of_rankers("All documents of a query rather than half of them gain, in NDCG@10,", halves)
        yield from _of_rankers(
            "With half of the judgments, fewer documents of each query rather than fewer queries gain", either
        )
    if "losses" in tables:
        free = tables["losses"].query("cost == cost.min()")
        for budget, rows in free.groupby("budget", sort=False):
            said = []
            for ranker, own in rows.groupby("ranker", sort=False):
                best, level = own.loc[own["loss"].idxmin(), "documents"], own.loc[own["loss"] <= MARGIN, "documents"]
                good = f" ({level.min():.0f} to {level.max():.0f} are as good)" if len(level) > 1 else ""
                said.append(f"{best:.0f}{good} with {ranker}")
            yield f"Best depth for {counted(int(budget), 'judgment')}, where a query costs nothing: {listed(said)}."


SAID: dict[str, Callable[[Tables], Iterator[str]]] = {"02": ceilings, "03": noise, "04": depths}


def _by_data(tables: Tables, name: str) -> Iterator[tuple[str, pd.DataFrame]]:
    return iter(tables[name].groupby("dataset", sort=False)) if name in tables else iter(())


def _of_rankers(what: str, rows: pd.DataFrame) -> Iterator[str]:
    """One sentence of the differences of all rankers, none without any."""
    rows = rows.rename(columns={"difference": "measured"}).to_dict("records")
    said = [f"{effect(row)} with {row['ranker']}" for row in rows]
    if said:
        yield f"{what} {listed(said)}."
