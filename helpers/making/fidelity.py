"""How well drawn collections stand in for the real one: the same rankers, trained and tested on both."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from helpers import metrics, rankers
from helpers.datasets import sampling
from helpers.datasets.collection import Collection, concatenate
from helpers.datasets.portrait.drawing import draw
from helpers.datasets.portrait.files import Portrait
from helpers.datasets.portrait.measuring import linear_ranker
from helpers.judging import noise

TOLERANCE = 0.03  # of nDCG@10, MAP and falls in nDCG@10
SHARE_TOLERANCE = 0.01  # of the share of documents per grade
REPLACED = 0.3
KEPT = 0.2
QUERIES, DOCUMENTS = "20 % of queries", "20 % of documents"
DIFFERENCE = f"{DOCUMENTS} less {QUERIES}"
KEY = ["ranker", "figure"]

Scorer = Callable[[Collection], np.ndarray]
Fit = Callable[[Collection], Scorer]


def table(
    parts: list[Collection], portrait: Portrait, rng: np.random.Generator, *, draws: int = 5, repeats: int = 4
) -> pd.DataFrame:
    """Figures of a real collection beside those of drawn ones of the same size. Frame collection, ranker, figure, real,
    synthetic, deviation, difference, tolerance, within; parts are disjoint, each tested once."""
    sizes = [part.n_queries for part in parts]
    drawn = [_figures(_divided(draw(portrait, sum(sizes), rng), sizes), rng, 1) for _ in range(draws)]
    frame = pd.DataFrame(
        {
            "real": _figures(parts, rng, repeats),
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


def _figures(parts: list[Collection], rng: np.random.Generator, repeats: int) -> pd.Series:
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
