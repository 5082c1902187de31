"""The portraits that come with the project, and the tables of how good they are.

    python -m helpers.making portraits portraits [NAME …]
    python -m helpers.making portraits fidelity [NAME …]
    python -m helpers.making portraits td2003

write the portraits to `data/portraits`, and how good they are to `data/results`: `portrait_fidelity.csv`, where the
rows of each collection are replaced as soon as they are there, and `portrait_td2003.csv` for TD2003. The collections
are taken from the data directory, LABEL_STUDIES_DATA or the user's cache.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from helpers import checks, metrics, paths, rankers
from helpers.datasets import catalog, sampling
from helpers.datasets.catalog import N_PARTS
from helpers.datasets.collection import Collection, concatenate
from helpers.datasets.portrait.drawing import draw
from helpers.datasets.portrait.files import Portrait, open, save
from helpers.datasets.portrait.measuring import matched, measure
from helpers.engine import results
from helpers.making import common, fidelity

LETOR = "statistics only; the data itself is Microsoft's, for research, not to be passed on"
SOURCES = {
    "mslr-sample": f"first 5,000 rows of MSLR-WEB10K Fold1 train and of test, less the cut last query; {LETOR}",
    "ohsumed": f"OHSUMED of LETOR 3.0, QueryLevelNorm, all 106 queries; {LETOR}",
    "mq2008": f"MQ2008 of LETOR 4.0, all 784 queries; {LETOR}",
    "clueweb09-webis": "ClueWeb09 features of Webis, TREC Web Track 2009-2012, all 61 queries; data under MIT",
    "robust04": "TREC 2004 Robust track, judged pairs of 18 runs, all 249 queries; statistics only; judgments and runs "
    "are NIST's and the participants'",
    "microblog": "TREC Microblog 2011-2014, judged pairs of 3 runs, 18 statistics of text, all 223 queries; statistics "
    "only; judgments are NIST's, no tweet or address of one is in it",
    "dbpedia-entity": "DBpedia-Entity v2, judged pairs of 5 runs, all 467 queries; judgments under MIT, no licence "
    "stated for four of the runs, statistics only",
    "mq2007-part": f"part of MQ2007 of LETOR 4.0 that others drew, all its 1,692 queries; {LETOR}",
}
TD2003_DRAWS = 3
RESULTS = common.RESULTS
FIFTHS_SEED = 2007  # divides a collection that has no folds

TD2003_QUERIES, DOCS, RELEVANT_SHARE, FEATURES = 50, 49_058, 0.008, 64  # Niu et al. 2014, Table 1
PRINTED_NDCG = 0.346  # NDCG@10 of SVMRank on TD2003: Torkestani 2012, Table 5
SOURCE = (
    "not measured: queries, documents and grades of TD2003 as in Table 1 of Niu et al. 2014, spread evenly over "
    "queries; features of the clueweb09-webis portrait, its grades 3 and 4 for relevant, 22 features in two versions; "
    "strength such that RankSVM has the NDCG@10 of .346 that Torkestani 2012 prints for TD2003 (Table 5)"
)
STRENGTH_DRAWS = 10  # trial collections of each strength
TWIN_CORRELATION = 0.95  # of the scores of a feature and its second version


def parts(name: str) -> list[Collection]:
    """Disjoint parts of the real collection of that name, tested in turn: its folds, or fifths where it has none."""
    if name == "mslr-sample":
        halves = [catalog.load(name, split=split) for split in ("train", "test")]
        return [half.take_queries(np.arange(half.n_queries - 1)) for half in halves]
    numbers = catalog.fold_numbers(name)
    if not numbers:
        return sampling.divide(catalog.load(name), [1 / N_PARTS] * N_PARTS, np.random.default_rng(FIFTHS_SEED))
    return [catalog.load(name, fold=fold, split="test") for fold in numbers]


def _make_portraits(names: list[str]) -> None:
    """Measure and write the portraits of the collections of those names; that of TD2003 follows from ClueWeb09's."""
    for name in names:
        if name == "td2003":
            made = td2003(open("clueweb09-webis"))
        else:
            made = measure(concatenate(parts(name)), name, source=SOURCES[name])
        print(open(save(made, paths.project("data") / "portraits" / f"{name}.npz").stem))


def _make_table(names: list[str]) -> None:
    """Replace rows of data/results/portrait_fidelity.csv, one for each figure of a collection."""
    for made in Parallel(n_jobs=-1, return_as="generator_unordered")(delayed(_table)(name) for name in names):
        others = stored_table().query("collection not in @made.collection")
        place = {name: number for number, name in enumerate(SOURCES)}
        table = pd.concat([others, made]).sort_values("collection", key=lambda own: own.map(place), kind="stable")
        results.write(RESULTS, {"portrait_fidelity": table})
    print(fidelity.markdown(stored_table()), fidelity.markdown_ranks(ranks()), sep="\n\n")


def stored_table() -> pd.DataFrame:
    """data/results/portrait_fidelity.csv, as `fidelity.table` gives it."""
    return results.read(RESULTS / "portrait_fidelity.csv").fillna({"ranker": ""})


def ranks() -> pd.DataFrame:
    """The portraits as `fidelity.ranked` puts them, by the stored table and by the documents that each portrays."""
    return fidelity.ranked(stored_table(), {name: int(open(name).grade_counts.sum()) for name in SOURCES})


def _table(name: str) -> pd.DataFrame:
    return fidelity.table(parts(name), open(name), np.random.default_rng(2009)).round(4)


def _make_td2003_table(names: list[str]) -> None:
    """Write data/results/portrait_td2003.csv, a row for each ranker on collections drawn from TD2003's portrait."""
    frame = _td2003_figures(open("td2003"), TD2003_DRAWS, np.random.default_rng(2003)).round(4)
    results.write(RESULTS, {"portrait_td2003": frame})
    print(frame.to_string(index=False))


def td2003(web: Portrait) -> Portrait:
    """TD2003 as far as its published counts, another web collection's features and one printed figure tell."""
    group = _evenly(DOCS, TD2003_QUERIES)
    relevant = _evenly(round(RELEVANT_SHARE * DOCS), TD2003_QUERIES)
    wide = _with_twins(web, FEATURES - web.n_features)
    top = web.grade_shares[3:] / web.grade_shares[3:].sum()
    portrait = replace(
        wide,
        name="td2003",
        source=SOURCE,
        grade_counts=np.column_stack([group - relevant, relevant]).astype(np.int32),
        shift=np.stack([wide.shift[0], top @ wide.shift[3:]]).astype(np.float32),
        spread=np.stack([wide.spread[0], top @ wide.spread[3:]]).astype(np.float32),
        position=np.array([web.position[0], top @ web.position[3:]], dtype=np.float32),
    )
    rng = np.random.default_rng(0)
    return matched(portrait, PRINTED_NDCG, TD2003_QUERIES, rng, figure=_ranksvm_ndcg, draws=STRENGTH_DRAWS)


def _ranksvm_ndcg(collection: Collection) -> float:
    """NDCG@10 of RankSVM as LETOR reports it: mean of five folds, each the mean over its test queries."""
    return float(letor_figures(collection, "RankSVM").mean(axis=0)[0])


def letor_figures(collection: Collection, ranker: str) -> np.ndarray:
    """(5, 2) NDCG@10 and MAP of a ranker by the LETOR script's conventions, on the test queries of every fold."""
    parts = [collection.take_queries(queries) for queries in np.array_split(np.arange(collection.n_queries), N_PARTS)]
    return np.array([_figures(ranker, concatenate(three), last, test) for three, last, test in sampling.circle(parts)])


def _td2003_figures(portrait: Portrait, draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """How well every ranker does on collections of TD2003's size: frame ranker, ndcg, ndcg_sd, map, map_sd, printed."""
    drawn = [draw(portrait, TD2003_QUERIES, rng) for _ in range(draws)]
    rows = []
    for ranker in rankers.NAMES:
        means = np.array([letor_figures(collection, ranker).mean(axis=0) for collection in drawn])
        (ndcg, precision), (ndcg_sd, map_sd) = means.mean(axis=0), means.std(axis=0, ddof=1)
        rows.append((ranker, ndcg, ndcg_sd, precision, map_sd, PRINTED_NDCG if ranker == "RankSVM" else np.nan))
    return pd.DataFrame(rows, columns=["ranker", "ndcg", "ndcg_sd", "map", "map_sd", "printed"])


def _figures(ranker: str, training: Collection, validation: Collection, test: Collection) -> tuple[float, float]:
    scores = rankers.trained(ranker, training, validation).predict(test.features)
    ndcg = metrics.ndcg(test.grades, scores, test.offsets, 10, **metrics.LETOR)
    precision = metrics.average_precision(test.grades, scores, test.offsets, **metrics.LETOR_MAP)
    return float(ndcg.mean()), float(precision.mean())


def _evenly(total: int, n: int) -> np.ndarray:
    """(n,) whole numbers that add up to the total and differ by one at most."""
    return np.diff(np.arange(n + 1) * total // n)


def _with_twins(portrait: Portrait, n: int) -> Portrait:
    """The portrait with second versions of the first n features, of the same distribution; all must be graded."""
    width = portrait.n_features
    spread_to = np.hstack([np.eye(width), TWIN_CORRELATION * np.eye(width, n)])  # scores of all features from the old
    own = np.hstack([np.zeros((n, width)), np.sqrt(1 - TWIN_CORRELATION**2) * np.eye(n)])
    sizes, masks = portrait.curve_sizes, ("varying", "graded", "normalised", "whole")
    twins = slice(0, int(sizes[:n].sum()))
    return replace(
        portrait,
        curve_sizes=np.concatenate([sizes, sizes[:n]]),
        curve_scores=np.concatenate([portrait.curve_scores, portrait.curve_scores[twins]]),
        curve_values=np.concatenate([portrait.curve_values, portrait.curve_values[twins]]),
        **{mask: np.concatenate([getattr(portrait, mask), getattr(portrait, mask)[:n]]) for mask in masks},
        query_factor=(spread_to.T @ portrait.query_factor).astype(np.float32),
        components=np.vstack([portrait.components @ spread_to, own]).astype(np.float32),
        shift=portrait.shift @ spread_to,
        slope=np.concatenate([portrait.slope, np.zeros(n, dtype=np.float32)]),
        spread=np.hstack([portrait.spread, np.ones((len(portrait.spread), n))]),
    )


def main(task: str, *names: str) -> None:
    """Do the task that the module's first lines name, for those names or for all."""
    tasks = {"portraits": (_make_portraits, [*SOURCES, "td2003"]), "fidelity": (_make_table, list(SOURCES))}
    tasks["td2003"] = (_make_td2003_table, [])
    checks.one_of("task", task, tasks)
    make, known = tasks[task]
    for name in names:
        checks.one_of("NAME", name, known)
    make(list(names) or known)
