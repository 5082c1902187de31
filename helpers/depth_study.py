"""The protocol of study 4: which collections, which grids of runs, one run, and what is compared with what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers import catalog, depth, metrics, portrait, rankers, significance
from helpers.collection import Collection

COMPARED = [
    "ranker", "question", "at", "first", "second", "difference", "low", "high", "p_value", "p_permutation"
]  # fmt: skip


@dataclass(frozen=True)
class Scale:
    """Sizes of one scale: the highest number of queries in each part, and the grid of runs."""

    training_queries: int
    validation_queries: int
    test_queries: int
    pool_queries: int
    pool_docs: int
    percents: tuple[int, ...]
    percent_repeats: int
    pool_repeats: int


SCALES = {
    "demo": Scale(128, 64, 256, 128, 32, (10, 25, 50, 100), 4, 2),
    "study": Scale(2000, 1000, 2000, 1024, 128, (5, 10, 20, 30, 50, 75, 100), 10, 5),
    "paper": Scale(2000, 1000, 2000, 1024, 128, tuple(range(5, 101, 5)), 10, 10),
}


def scale_named(scale: str) -> Scale:
    """The sizes of a scale, or an error that lists the scales."""
    if scale not in SCALES:
        raise ValueError(f"scale is {scale!r}, expected one of {', '.join(SCALES)}")
    return SCALES[scale]


def parts(dataset: str, scale: Scale, fold: int, rng: np.random.Generator) -> dict[str, Collection]:
    """What all runs share: `training`, the fixed `pool`, `validation` and `test` queries.

    Parameters
    ----------
    dataset : a portrait as `portrait.named` takes it, drawn at the scale's sizes, its pool no deeper than the longest
        portrayed query; or a name or path that `catalog.splits` takes, of which at most as many queries are kept, and
        whose training queries give the largest pool that they allow
    """
    sizes = (scale.training_queries, scale.validation_queries, scale.test_queries)
    source = portrait.named(dataset)
    if source:
        training, validation, test = (portrait.draw(source, n, rng) for n in sizes)
        longest = int(source.grade_counts.sum(axis=1).max())
        shape = depth.pool_shape(np.full(scale.pool_queries, longest), scale.pool_docs)
        deep = portrait.draw(source, shape[0], rng, min_docs=shape[1])
    else:
        splits = catalog.splits(dataset, fold, rng)
        training, validation, test = (depth.sample_queries(part, n, rng) for part, n in zip(splits, sizes, strict=True))
        deep, shape = training, depth.pool_shape(training.group, scale.pool_docs)
    pool = depth.fixed_pool(deep, *shape, rng)
    return {"training": training, "pool": pool, "validation": validation, "test": test}


def percent_grid(names: list[str], scale: Scale) -> list[dict]:
    """Runs of the first experiment: p % of the queries, or p % of the documents of each; 100 % is both."""
    shares = [p / 100 for p in scale.percents]
    cells = [(p, 1.0) for p in shares] + [(1.0, p) for p in shares if p < 1]
    return _grid(names, "training", cells, ["random"], scale.percent_repeats)


def pool_grid(names: list[str], scale: Scale, n_queries: int, n_docs: int) -> list[dict]:
    """Runs of the second experiment: every halving of the queries with every halving of the documents.

    The paper ran the two edges, all queries or all documents; the inner cells are what a budget is read from.
    """
    cells = [(n, d) for n in depth.halvings(n_queries, _fewest(n_queries)) for d in depth.halvings(n_docs, 2)]
    return _grid(names, "pool", cells, ["random"], scale.pool_repeats)


def _fewest(n_queries: int) -> int:
    """Queries of the smallest sample: 16 as in the paper, or an eighth of a small pool."""
    return max(1, min(16, n_queries // 8))


def choice_grid(names: list[str], scale: Scale, n_queries: int, n_docs: int) -> list[dict]:
    """Runs with judged documents from the top of a first-stage ranker, or half from there, by depth."""
    cells = [(n_queries, d) for d in depth.halvings(n_docs // 2, 2)]
    return _grid(names, "pool", cells, ["top", "mixed"], scale.pool_repeats)


def _grid(names: list[str], source: str, cells: list[tuple], choices: list[str], repeats: int) -> list[dict]:
    for name in names:
        rankers.make(name)  # an unknown name is refused before anything is trained
    return [
        {"ranker": name, "source": source, "queries": n, "documents": d, "choice": choice, "repeat": repeat}
        for name in names
        for n, d in cells
        for choice in choices
        for repeat in range(repeats)
    ]


def train_and_test(
    ranker: str,
    source: str,
    queries: int | float,
    documents: int | float,
    choice: str,
    repeat: int,
    *,
    rng: np.random.Generator,
    training: Collection,
    pool: Collection,
    validation: Collection,
    test: Collection,
    first_stage: tuple[int, int],
) -> dict:
    """Test NDCG@10 of a ranker trained on sampled judgments: one run.

    Parameters
    ----------
    ranker : a name from rankers.NAMES
    source : "training" or "pool", where the judgments are sampled from
    queries, documents, choice : as in `depth.sample_queries` and `depth.sample_documents`; 1.0 takes all
    repeat : number of the draw; it reaches `rng` through the sweep's seeds
    rng : draws the sample, then the seed of a ranker that starts at random
    first_stage : (column, sign) of the feature that stands for a first-stage ranker

    Returns
    -------
    dict : `training_queries`, `judgments`, `ndcg` (mean over the test queries that have a relevant document) and
        `per_query`, n_queries floats rounded to six decimals, NaN where a test query has none
    """
    column, sign = first_stage
    sample = depth.sample_queries({"training": training, "pool": pool}[source], queries, rng)
    sample = depth.sample_documents(
        sample, documents, rng, first_stage=sign * sample.features[:, column], choice=choice
    )
    model = rankers.seeded(ranker, int(rng.integers(2**31)))
    model.fit(sample.features, sample.grades, sample.group, validation=validation)
    per_query = metrics.ndcg(test.grades, model.predict(test.features), test.offsets, 10)
    return {
        "training_queries": sample.n_queries,
        "judgments": sample.n_docs,
        "ndcg": float(np.nanmean(per_query)),
        "per_query": np.round(per_query, 6).tolist(),
    }


def comparisons(percent_runs: pd.DataFrame, pool_runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What the paper's statements compare, each as a difference in test NDCG@10 with its interval and tests.

    Parameters
    ----------
    percent_runs, pool_runs : results of the sweeps over `percent_grid` and `pool_grid`, with `per_query`, without runs
        that failed; what lacks one of its two cells is not compared
    rng : draws bootstrap samples and permutations

    Returns
    -------
    frame ranker, question, at, first, second, difference, low, high, p_value, p_permutation, p_holm
        `difference` is first minus second. `low` and `high` bound it at 95 % over test queries and draws of the
        sample both; `p_value` is the paired t-test over queries on means of the draws, as in the paper, and
        `p_holm` corrects it over the settings `at` of one question and ranker.
    """
    rows = []
    for ranker in percent_runs["ranker"].unique():
        for runs, contrasts in ((percent_runs, percent_contrasts), (pool_runs, pool_contrasts)):
            cells = _cells(runs[runs["ranker"] == ranker])
            for question, at, first, second in contrasts(cells) if cells else ():
                row = {
                    "ranker": ranker,
                    "question": question,
                    "at": at,
                    "first": _text(first),
                    "second": _text(second),
                }
                rows.append(row | _compare(cells[first], cells[second], rng))
    table = pd.DataFrame(rows, columns=COMPARED)
    table["p_holm"] = table.groupby(["ranker", "question"])["p_value"].transform(significance.holm)
    return table


def percent_contrasts(cells: dict) -> list[tuple]:
    """(question, percent, first cell, second cell) of the first experiment, for the cells that were run."""
    shares = sorted({p for cell in cells for p in cell if p < 1})
    contrasts = [("documents or queries", round(100 * p), (1.0, p), (p, 1.0)) for p in shares]
    if 0.5 in shares:
        contrasts.append(("all documents or half", 50, (1.0, 1.0), (1.0, 0.5)))
    return _of(cells, contrasts)


def pool_contrasts(cells: dict) -> list[tuple]:
    """(question, documents a query, first cell, second cell) of the second experiment."""
    n_queries, n_docs = (max(sizes) for sizes in zip(*cells, strict=True))
    contrasts = []
    for d in depth.halvings(n_docs // 2, 2):
        shallow = (n_queries, d)
        contrasts.append(("all documents or fewer", d, (n_queries, n_docs), shallow))
        contrasts.append(("fewer queries or documents", d, (n_queries * d // n_docs, n_docs), shallow))
        if d < 8:
            contrasts.append(("fewer queries of 8 documents", d, (n_queries * d // 8, 8), shallow))
    return _of(cells, contrasts)


def _of(cells: dict, contrasts: list[tuple]) -> list[tuple]:
    """The contrasts of two cells that were run."""
    return [contrast for contrast in contrasts if {*contrast[2:]} <= cells.keys()]


def _cells(runs: pd.DataFrame) -> dict[tuple, np.ndarray]:
    """(queries, documents) -> (n_repeats, n_test_queries) NDCG@10, without test queries that have nothing relevant.

    Without cells of fewer than two queries, as these have no interval.
    """
    values = {cell: np.array(group["per_query"].tolist()) for cell, group in runs.groupby(["queries", "documents"])}
    known = {cell: ndcg[:, ~np.isnan(ndcg).any(axis=0)] for cell, ndcg in values.items()}
    return {cell: ndcg for cell, ndcg in known.items() if ndcg.shape[1] > 1}


def _compare(first: np.ndarray, second: np.ndarray, rng: np.random.Generator) -> dict:
    a, b = first.mean(axis=0), second.mean(axis=0)
    low, high = significance.crossed_interval(first, second, draws=2000, rng=rng)
    return {
        "difference": float((a - b).mean()),
        "low": low,
        "high": high,
        "p_value": significance.paired_t(a, b).p_value,
        "p_permutation": significance.paired_permutation(a, b, draws=2000, rng=rng).p_value,
    }


def _text(cell: tuple) -> str:
    queries, documents = (f"{100 * x:.0f} %" if isinstance(x, float) else f"{x}" for x in cell)
    return f"{queries} queries × {documents} documents"
