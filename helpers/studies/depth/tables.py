"""What the runs of study 4 are compared for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from helpers.datasets import sampling
from helpers.metrics import significance
from helpers.reporting import verdicts
from helpers.reporting.verdicts import REAL, basis_of
from helpers.studies.depth.protocol import DEEP, FLOOR, PAPER

PARAMETERS = ["ranker", "source", "queries", "documents", "choice", "repeat"]  # what makes a run, beside the fold

# questions of the first experiment: of shares that leave FLOOR documents a query or more, and of fewer, of which the
# paper expects the opposite
SHARES = ("documents or queries", "documents or queries below the floor")

ALL, EITHER = "all documents or fewer", "documents or fewer queries"  # questions of the second experiment

# stored runs, and the portrait most like the paper's data, with how it is called
PAPERS = {"percent": (DEEP, "synthetic MSLR, 350 a query"), "pool": ("mslr-sample-portrait", "synthetic MSLR")}

COMPARED = [
    "ranker", "question", "at", "first", "second", "difference", "low", "high", "p_value", "p_permutation"
]  # fmt: skip


def comparisons(percent_runs: pd.DataFrame, pool_runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What the paper's statements compare, first less second in test NDCG@10: frame of COMPARED and p_holm.

    `low` and `high` bound it at 95 % over test queries and draws; `p_value` is the paired t-test over queries on means
    of the draws, as in the paper, `p_holm` corrects it over the settings `at` of one question and ranker.
    """
    rows = [
        {"ranker": ranker, "question": question, "at": at, "first": _text(first), "second": _text(second)}
        | _compare(cells[first], cells[second], rng)
        for ranker, cells, asked in contrasts(percent_runs, pool_runs)
        for question, at, first, second in asked
    ]
    table = pd.DataFrame(rows, columns=COMPARED)
    table["p_holm"] = table.groupby(["ranker", "question"])["p_value"].transform(significance.holm)
    return table


def contrasts(percent_runs: pd.DataFrame, pool_runs: pd.DataFrame) -> Iterator[tuple[str, dict, list[tuple]]]:
    """Each ranker, the NDCG of the cells of both experiments, and the pairs of them that were run and are asked about:
    (question, percent or documents a query, first cell, second cell)."""
    for ranker in percent_runs["ranker"].unique():
        percent, pool = (runs[runs["ranker"] == ranker] for runs in (percent_runs, pool_runs))
        shares, depths = ndcg_by_cell(percent), ndcg_by_cell(pool)
        cells = shares | depths
        asked = _of_percent(documents_left(percent)) + (_of_pool(depths) if depths else [])
        yield ranker, cells, [contrast for contrast in asked if {*contrast[2:]} <= cells.keys()]


def chosen(pool_runs: pd.DataFrame, choice_runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What judging chosen documents gains over as many at random: frame ranker, choice, documents, difference, low,
    high.
    """
    rows = []
    for (ranker, choice), own in choice_runs.groupby(["ranker", "choice"], sort=False):
        random = ndcg_by_cell(pool_runs[pool_runs["ranker"] == ranker])
        for (queries, documents), values in ndcg_by_cell(own).items():
            if (queries, documents) in random:
                row = {"ranker": ranker, "choice": choice, "documents": documents}
                rows.append(row | _difference(values, random[queries, documents], rng))
    return pd.DataFrame(rows, columns=["ranker", "choice", "documents", "difference", "low", "high"])


def documents_left(runs: pd.DataFrame) -> dict[tuple, float]:
    """(queries, documents) -> judged documents a query, mean over queries and draws."""
    sums = runs.groupby(["queries", "documents"])[["judgments", "training_queries"]].sum()
    return (sums["judgments"] / sums["training_queries"]).to_dict()


def _of_percent(left: dict[tuple, float]) -> list[tuple]:
    """The pairs of cells that the first experiment is asked about, of the cells that leave so many documents."""
    shares = sorted({documents for _, documents in left if documents < 1})
    same = [(SHARES[left[1.0, p] < FLOOR], round(100 * p), (1.0, p), (p, 1.0)) for p in shares]
    return [*same, ("all documents or half", 50, (1.0, 1.0), (1.0, 0.5))]


def _of_pool(cells: dict) -> list[tuple]:
    """The pairs of cells that the second experiment is asked about."""
    n_queries, n_docs = (max(sizes) for sizes in zip(*cells, strict=True))
    asked = []
    for d in sampling.halvings(n_docs // 2, 2):
        shallow = (n_queries, d)
        asked.append((ALL, d, (n_queries, n_docs), shallow))
        asked.append((EITHER, d, shallow, (n_queries * d // n_docs, n_docs)))
        if d < FLOOR:
            asked.append(("fewer queries of 8 documents", d, (n_queries * d // FLOOR, FLOOR), shallow))
    return asked


def doublings(cells: dict) -> list[tuple]:
    """Cell with twice the queries, cell with twice the documents, of one cost, from FLOOR documents a query on."""
    pairs = [((2 * n, d), (n, 2 * d)) for n, d in cells if d >= FLOOR]
    return [pair for pair in pairs if {*pair} <= cells.keys()]


def together(stored: Mapping[str, Mapping[str, pd.DataFrame]], table: str) -> pd.DataFrame:
    """One table of all collections that have it, with a column data."""
    frames = [tables[table].assign(data=data) for data, tables in stored.items() if table in tables]
    if not frames:
        return pd.DataFrame({"data": []})
    joined = pd.concat(frames, ignore_index=True)
    return joined[["data", *joined.columns.drop("data")]]


def by_share(comparisons: pd.DataFrame) -> pd.DataFrame:
    """Documents less queries at equal shares: rows of the first experiment, `shallow` below FLOOR documents a query."""
    rows = comparisons[comparisons["question"].isin(SHARES)]
    return rows.assign(shallow=rows["question"] == SHARES[1], at=rows["at"].astype(float))


def by_depth(comparisons: pd.DataFrame) -> pd.DataFrame:
    """Shallow judging less what it is held against, by depth: rows of the second experiment, `against` in words."""
    words = {ALL: "all documents, which cost more", EITHER: "fewer queries, at the same cost"}
    rows = comparisons[comparisons["question"].isin(words)]
    turned = rows["question"] == ALL
    ends = {"difference": -rows["difference"], "low": -rows["high"], "high": -rows["low"]}
    return rows.assign(
        **{name: end.where(turned, rows[name]) for name, end in ends.items()},
        against=rows["question"].map(words),
        at=rows["at"].astype(float),
    )


def pooled_shares(effects: pd.DataFrame, rankers: Sequence[str]) -> pd.DataFrame:
    """What the first experiment comes to over real collections at each share: frame at, ranker, measured, low, high,
    collections; a share that fewer than three collections have is left out.
    """
    of_shares = effects[effects["claim"].str.startswith("R1-")]
    found = pd.concat([verdicts.verdicts(of_shares, ranker=ranker).assign(ranker=ranker) for ranker in rankers])
    found = found[(found["rests_on"] == REAL) & found["tau"].notna()]
    at = found["claim"].str.removeprefix("R1-").astype(float)
    return found.assign(at=at)[["at", "ranker", "measured", "low", "high", "collections"]].reset_index(drop=True)


def papers(stored: Mapping[str, Mapping[str, pd.DataFrame]], collection: str) -> dict[str, pd.DataFrame]:
    """The lines of the paper's Figures 1 and 2: as its text has them, on a collection, and on the portrait most like
    the paper's data; with its ranker alone.
    """
    drawn = {}
    for number, (table, portrait) in enumerate(PAPERS.items(), start=1):
        drawn[f"Figure {number}, from its text"] = sketch(table)
        for data, name in ((collection, collection), portrait):
            runs = stored[data][table]
            deep = f", pool of {runs['documents'].max()}" if table == "pool" else ""
            drawn[f"{name}{deep}"] = by_ranker(runs, table)[PAPER]
    return drawn


def by_ranker(runs: pd.DataFrame, table: str) -> dict[str, pd.DataFrame]:
    """The lines of the paper's Figure 1 ("percent") or 2 ("pool") for every ranker: runs on all queries or on all
    documents, `sampled` the other, of which `percent` is kept or so many are `left`; runs on everything are both."""
    drawn = {}
    for name, own in runs.groupby("ranker", sort=False):
        whole = own[["queries", "documents"]].max()
        sides = (("queries", "documents"), ("documents", "queries"))
        edges = [own[own[all_of] == whole[all_of]].assign(sampled=side, left=own[side]) for side, all_of in sides]
        drawn[name] = lines = pd.concat(edges, ignore_index=True)
        lines["judgments"] = lines["queries"] * lines["documents"]
        if table == "percent":
            drawn[name] = lines.assign(percent=100 * lines.pop("left"))
    return drawn


def sketch(experiment: str) -> pd.DataFrame:
    """The paper's Figure 1 ("percent") or 2 ("pool") as a sketch: points whose order is the one that its text states.

    Documents above queries at every share, as good at 50 % as at 100 %; in the pool as good at 16 documents a query as
    at 128, a sharp fall below, and from 8 documents on it is queries that are to be dropped. Heights mean nothing else.
    """
    if experiment == "percent":
        at = [5, 10, 25, 50, 75, 100]
        sides = {"documents": [4, 6.5, 9, 10, 10, 10], "queries": [1, 3.5, 6.5, 8.5, 9.5, 10]}
        frames = [pd.DataFrame({"percent": at, "ndcg": ndcg, "sampled": name}) for name, ndcg in sides.items()]
        return pd.concat(frames, ignore_index=True)
    left = 2 ** np.arange(1, 8)
    documents = {"left": left, "judgments": 1024 * left, "ndcg": [1, 3.4, 7.5, 9.6, 9.8, 9.9, 10]}
    queries = {"left": 8 * left, "judgments": 1024 * left, "ndcg": [4, 5, 6, 7, 8, 9, 10]}
    frames = [pd.DataFrame(documents).assign(sampled="documents"), pd.DataFrame(queries).assign(sampled="queries")]
    return pd.concat(frames, ignore_index=True)


def largest_losses(losses: pd.DataFrame) -> pd.DataFrame:
    """The losses of each collection at its largest budget, as `figures.depth.differences` takes them."""
    rows = losses[losses["budget"] == losses.groupby("data")["budget"].transform("max")]
    costs = rows["cost"].map("{:g} judgments".format)
    return rows.assign(at=rows["documents"], difference=rows["loss"], **{"cost of a query": costs})


def by_heterogeneity(comparisons: pd.DataFrame, collections: pd.DataFrame, drawn: pd.DataFrame) -> pd.DataFrame:
    """The map, documents less queries by how much queries differ: frame data, ranker, at, slopes (NaN of a real one),
    heterogeneity, difference, low, high.

    Of a real collection the smallest share is taken that leaves FLOOR documents a query, as the paper has no others.
    """
    real = by_share(comparisons)
    real = real[~real["shallow"] & (real["data"].map(basis_of) == REAL)]
    real = real.sort_values("at", kind="stable").drop_duplicates(["data", "ranker"])
    real = real.merge(collections[["data", "heterogeneity"]], on="data").assign(slopes=np.nan)
    known = by_share(drawn)
    known = known[~known["shallow"]].assign(data="portrait")
    columns = ["data", "ranker", "at", "slopes", "heterogeneity", "difference", "low", "high"]
    return pd.concat([part[columns] for part in (known, real) if len(part)], ignore_index=True)


def ndcg_by_cell(runs: pd.DataFrame) -> dict[tuple, np.ndarray]:
    """(queries, documents) -> (n_repeats, n_test_queries) NDCG@10, without test queries that have nothing relevant.

    Without cells of fewer than two queries, as these have no interval.
    """
    cells = runs.groupby(["queries", "documents"])["per_query"]
    values = {cell: significance.measured(per_query.tolist()) for cell, per_query in cells}
    return {cell: ndcg for cell, ndcg in values.items() if ndcg.shape[1] > 1}


def _difference(first: np.ndarray, second: np.ndarray, rng: np.random.Generator) -> dict:
    low, high = significance.crossed_interval(first, second, draws=2000, rng=rng)
    return {"difference": float(first.mean() - second.mean()), "low": low, "high": high}


def _compare(first: np.ndarray, second: np.ndarray, rng: np.random.Generator) -> dict:
    a, b = first.mean(axis=0), second.mean(axis=0)
    return _difference(first, second, rng) | {
        "p_value": significance.paired_t(a, b).p_value,
        "p_permutation": significance.paired_permutation(a, b, draws=2000, rng=rng).p_value,
    }


def _text(cell: tuple) -> str:
    queries, documents = (f"{100 * x:.0f} %" if isinstance(x, float) else f"{x}" for x in cell)
    return f"{queries} queries × {documents} documents"
