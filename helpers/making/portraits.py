"""The portraits that come with the project, and the tables of how good they are.

    python -m helpers.making portraits portraits [NAME …]
    python -m helpers.making portraits fidelity [NAME …]
    python -m helpers.making portraits td2003

write the portraits to `data/portraits`, and how good they are to `data/results`: `portrait_fidelity.csv`, where the
rows of each collection are replaced as soon as they are there, and `portrait_td2003.csv` for TD2003. The collections
are taken from the data directory, LABEL_STUDIES_DATA or the user's cache.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from helpers.datasets.portrait.measuring import linear_ranker, matched, measure
from helpers.engine import results
from helpers.judging import noise
from helpers.making import common

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

TOLERANCE = 0.03  # of nDCG@10, MAP and falls in nDCG@10
SHARE_TOLERANCE = 0.01  # of the share of documents per grade
REPLACED = 0.3
KEPT = 0.2
QUERIES, DOCUMENTS = "20 % of queries", "20 % of documents"
DIFFERENCE = f"{DOCUMENTS} less {QUERIES}"
KEY = ["ranker", "figure"]

Scorer = Callable[[Collection], np.ndarray]
Fit = Callable[[Collection], Scorer]


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
    print(markdown(stored_table()), markdown_ranks(ranks()), sep="\n\n")


def stored_table() -> pd.DataFrame:
    """data/results/portrait_fidelity.csv, as `table` gives it."""
    return results.read(RESULTS / "portrait_fidelity.csv").fillna({"ranker": ""})


def ranks() -> pd.DataFrame:
    """The portraits as `ranked` puts them, by the stored table and by the documents that each portrays."""
    return ranked(stored_table(), {name: int(open(name).grade_counts.sum()) for name in SOURCES})


def _table(name: str) -> pd.DataFrame:
    return table(parts(name), open(name), np.random.default_rng(2009)).round(4)


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


# how well drawn collections stand in for the real one: the same rankers, trained and tested on both


def table(
    parts: list[Collection], portrait: Portrait, rng: np.random.Generator, *, draws: int = 5, repeats: int = 4
) -> pd.DataFrame:
    """Figures of a real collection beside those of drawn ones of the same size. Frame collection, ranker, figure, real,
    synthetic, deviation, difference, tolerance, within; parts are disjoint, each tested once."""
    sizes = [part.n_queries for part in parts]
    drawn = [_figures_of(_divided(draw(portrait, sum(sizes), rng), sizes), rng, 1) for _ in range(draws)]
    frame = pd.DataFrame(
        {
            "real": _figures_of(parts, rng, repeats),
            "synthetic": pd.concat(drawn, axis=1).mean(axis=1),
            "deviation": pd.concat(drawn, axis=1).std(axis=1),
        }
    ).reset_index()
    frame.insert(0, "collection", portrait.name)
    frame["difference"] = frame["synthetic"] - frame["real"]
    frame["tolerance"] = np.where(frame["figure"].str.startswith("share"), SHARE_TOLERANCE, TOLERANCE)
    frame["within"] = frame["difference"].abs() <= frame["tolerance"]
    return frame


def grade_shares(collection: Collection) -> dict[tuple[str, str], float]:
    """Share of a collection's documents per grade, under the keys that `table` has."""
    counts = np.bincount(collection.grades)
    return {("", f"share of grade {grade}"): count / collection.n_docs for grade, count in enumerate(counts)}


def folds(parts: list[Collection]) -> list[tuple[Collection, Collection]]:
    """Training and test queries of each fold; all but one of the other parts train, the one other if there are two."""
    return [(concatenate(training or [spare]), test) for training, spare, test in sampling.circle(parts)]


def markdown(table: pd.DataFrame) -> str:
    """The rankers' rows of the table for a README: real / synthetic ± deviation, in bold where not within tolerance."""
    rows = table[table["ranker"] != ""].copy()
    mark = np.where(rows["within"], "", "**")
    pairs = rows["real"].map("{:.3f} / ".format) + rows["synthetic"].map("{:.3f}".format)
    rows["cell"] = mark + pairs + rows["deviation"].map(" ± {:.3f}".format) + mark
    return _pipes(rows.pivot(index=["collection", "figure"], columns="ranker", values="cell").reset_index())


def markdown_ranks(ranks: pd.DataFrame) -> str:
    """The table of portraits for a README."""
    documents = ranks["documents"].map("{:,}".format)
    return _pipes(ranks.assign(documents=documents, beyond=ranks["beyond"].astype(str)))


def ranked(table: pd.DataFrame, documents: Mapping[str, int]) -> pd.DataFrame:
    """Portraits, those with the fewest figures beyond the tolerance first, of these the ones of the most documents:
    frame collection, documents, beyond.
    """
    beyond = (~table["within"]).groupby(table["collection"]).sum().rename("beyond").reset_index()
    beyond.insert(1, "documents", beyond["collection"].map(documents))
    return beyond.sort_values(["beyond", "documents"], ascending=[True, False], ignore_index=True)


def _figures_of(parts: list[Collection], rng: np.random.Generator, repeats: int) -> pd.Series:
    found = [grade_shares(concatenate(parts))]
    for training, test in folds(parts):
        found += [_of_ranker(name, fit, training, test, rng, repeats) for name, fit in RANKERS.items()]
    mean = pd.DataFrame(found).mean()
    mean.index = pd.MultiIndex.from_tuples(mean.index, names=KEY)
    return mean


def _of_ranker(
    name: str, fit: Fit, training: Collection, test: Collection, rng: np.random.Generator, repeats: int
) -> dict[tuple[str, str], float]:
    """nDCG and average precision of a ranker, and what each of CHANGES takes from its nDCG."""
    scores = fit(training)(test)
    best = _ndcg(test, scores)
    precision = metrics.average_precision(test.grades, scores, test.offsets)
    changed = {
        figure: float(np.mean([_ndcg(test, fit(change(training, rng))(test)) for _ in range(repeats)]))
        for figure, change in CHANGES.items()
    }
    figures = {"nDCG@10": best, "MAP": float(np.nanmean(precision))}
    figures |= {f"fall, {figure}": best - ndcg for figure, ndcg in changed.items()}
    figures[DIFFERENCE] = changed[DOCUMENTS] - changed[QUERIES]
    return {(name, figure): value for figure, value in figures.items()}


def _ndcg(test: Collection, scores: np.ndarray) -> float:
    return float(np.nanmean(metrics.ndcg(test.grades, scores, test.offsets, k=10)))


def _pipes(frame: pd.DataFrame) -> str:
    lines = [frame.columns, ["---"] * frame.shape[1], *frame.to_numpy()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _divided(collection: Collection, sizes: list[int]) -> list[Collection]:
    return [collection.take_queries(part) for part in np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1])]


def _fit_lambdamart(training: Collection) -> Scorer:
    ranker = rankers.make("LambdaMART", num_iterations=100)
    ranker.fit(training.features, training.grades, training.group)
    return lambda collection: ranker.predict(collection.features)


def _fit_linear(training: Collection) -> Scorer:
    model = linear_ranker().fit(training.features, training.grades)
    return lambda collection: model.predict(collection.features)


RANKERS = {"LambdaMART": _fit_lambdamart, "linear": _fit_linear}
CHANGES = {
    "30 % of labels replaced": lambda training, rng: training.with_grades(
        noise.inject(training.grades, REPLACED, int(training.grades.max()) + 1, rng)
    ),
    QUERIES: lambda training, rng: sampling.queries(training, KEPT, rng),
    DOCUMENTS: lambda training, rng: sampling.documents(training, KEPT, rng),
}


def main(task: str, *names: str) -> None:
    """Do the task that the module's first lines name, for those names or for all."""
    tasks = {"portraits": (_make_portraits, [*SOURCES, "td2003"]), "fidelity": (_make_table, list(SOURCES))}
    tasks["td2003"] = (_make_td2003_table, [])
    checks.one_of("task", task, tasks)
    make, known = tasks[task]
    for name in names:
        checks.one_of("NAME", name, known)
    make(list(names) or known)
