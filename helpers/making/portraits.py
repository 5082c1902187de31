"""The portraits that come with the project, of real collections and of TD2003."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from helpers import paths, rankers
from helpers.datasets import catalog, sampling
from helpers.datasets.catalog import N_PARTS
from helpers.datasets.collection import Collection, concatenate
from helpers.datasets.portrait.files import Portrait, open, save
from helpers.datasets.portrait.measuring import matched, measure
from helpers.making.baselines import letor_figures

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


def _write(name: str) -> None:
    """Measure and write the portrait of a collection; that of TD2003 follows from ClueWeb09's."""
    td2003 = name == "td2003"
    made = _td2003(open("clueweb09-webis")) if td2003 else measure(concatenate(parts(name)), name, source=SOURCES[name])
    save(made, paths.project("data") / "portraits" / f"{name}.npz")


def _td2003(web: Portrait) -> Portrait:
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
    return float(of_folds(collection, "RankSVM").mean(axis=0)[0])


def of_folds(collection: Collection, ranker: str) -> np.ndarray:
    """(5, 2) NDCG@10 and MAP of a ranker by the LETOR script's conventions, on the test queries of every fold."""
    fifths = [collection.take_queries(part) for part in np.array_split(np.arange(collection.n_queries), N_PARTS)]
    found = []
    for training, validation, test in sampling.circle(fifths):
        model = rankers.trained(ranker, concatenate(training), validation)
        found.append(letor_figures(test, model.predict(test.features)))
    return np.array(found)


def _evenly(total: int, n: int) -> np.ndarray:
    """(n,) whole numbers that add up to the total and differ by one at most."""
    return np.diff(np.arange(n + 1) * total // n)


def _with_twins(portrait: Portrait, n: int) -> Portrait:
    """The portrait with second versions of the first n features, of the same distribution; all must be graded."""
    width = portrait.n_features
    spread_to = np.hstack([np.eye(width), TWIN_CORRELATION * np.eye(width, n)])  # scores of all features from the old
    own = np.hstack([np.zeros((n, width)), np.sqrt(1 - TWIN_CORRELATION**2) * np.eye(n)])
    curves = int(portrait.curve_sizes[:n].sum())
    twice = dict.fromkeys(("curve_sizes", "varying", "graded", "normalised", "whole"), n)
    twice |= dict.fromkeys(("curve_scores", "curve_values"), curves)
    return replace(
        portrait,
        **{name: np.concatenate([getattr(portrait, name), getattr(portrait, name)[:m]]) for name, m in twice.items()},
        query_factor=(spread_to.T @ portrait.query_factor).astype(np.float32),
        components=np.vstack([portrait.components @ spread_to, own]).astype(np.float32),
        shift=portrait.shift @ spread_to,
        slope=np.concatenate([portrait.slope, np.zeros(n, dtype=np.float32)]),
        spread=np.hstack([portrait.spread, np.ones((len(portrait.spread), n))]),
    )


TASKS = {name: partial(_write, name) for name in (*SOURCES, "td2003")}
