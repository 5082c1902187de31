"""How well drawn collections stand in for the real one: the same rankers, trained and tested on both.

Writes to `data/results`: `portrait_fidelity.csv`, where the rows of each collection are replaced as soon as they are
there, and by the name "td2003" `portrait_td2003.csv`, how well rankers do on collections drawn from TD2003's portrait.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from helpers import metrics, rankers
from helpers.datasets import sampling
from helpers.datasets.collection import Collection, concatenate
from helpers.datasets.portrait.drawing import draw
from helpers.datasets.portrait.files import Portrait, open
from helpers.datasets.portrait.measuring import linear_ranker
from helpers.engine import results
from helpers.judging import noise
from helpers.making import common, portraits

TD2003_DRAWS = 3

TOLERANCE = 0.03  # of nDCG@10, MAP and falls in nDCG@10
SHARE_TOLERANCE = 0.01  # of the share of documents per grade
REPLACED = 0.3
KEPT = 0.2
QUERIES, DOCUMENTS = "20 % of queries", "20 % of documents"
KEY = ["ranker", "figure"]

RANKERS = {
    "LambdaMART": lambda of: rankers.make("LambdaMART", num_iterations=100).fit(of.features, of.grades, of.group),
    "linear": lambda of: linear_ranker().fit(of.features, of.grades),
}
CHANGES = {
    "30 % of labels replaced": lambda training, rng: training.with_grades(
        noise.inject(training.grades, REPLACED, int(training.grades.max()) + 1, rng)
    ),
    QUERIES: lambda training, rng: sampling.queries(training, KEPT, rng),
    DOCUMENTS: lambda training, rng: sampling.documents(training, KEPT, rng),
}


def table(
    parts: list[Collection], portrait: Portrait, rng: np.random.Generator, *, draws: int = 5, repeats: int = 4
) -> pd.DataFrame:
    """Figures of a real collection beside those of drawn ones of the same size. Frame collection, ranker, figure, real,
    synthetic, deviation, difference, tolerance, within; parts are disjoint, each tested once."""
    ends = np.cumsum([part.n_queries for part in parts])
    drawn = []
    for _ in range(draws):
        whole = draw(portrait, int(ends[-1]), rng)
        divided = [whole.take_queries(part) for part in np.split(np.arange(ends[-1]), ends[:-1])]
        drawn.append(_figures(divided, rng, 1))
    drawn = pd.concat(drawn, axis=1)
    columns = {"real": _figures(parts, rng, repeats), "synthetic": drawn.mean(axis=1), "deviation": drawn.std(axis=1)}
    frame = pd.DataFrame(columns).reset_index()
    frame.insert(0, "collection", portrait.name)
    frame["difference"] = frame["synthetic"] - frame["real"]
    frame["tolerance"] = np.where(frame["figure"].str.startswith("share"), SHARE_TOLERANCE, TOLERANCE)
    frame["within"] = frame["difference"].abs() <= frame["tolerance"]
    return frame


def _figures(parts: list[Collection], rng: np.random.Generator, repeats: int) -> pd.Series:
    """Mean figures over folds; all but one of the other parts train, the one other if there are two."""
    found = [grade_shares(concatenate(parts))]
    for training, spare, test in sampling.circle(parts):
        learned = concatenate(training or [spare])
        found += [_of_ranker(name, learned, test, rng, repeats) for name in RANKERS]
    mean = pd.DataFrame(found).mean()
    mean.index = pd.MultiIndex.from_tuples(mean.index, names=KEY)
    return mean


def grade_shares(collection: Collection) -> dict[tuple[str, str], float]:
    """Share of a collection's documents per grade, under the keys that `table` has."""
    counts = np.bincount(collection.grades)
    return {("", f"share of grade {grade}"): count / collection.n_docs for grade, count in enumerate(counts)}


def _of_ranker(
    name: str, training: Collection, test: Collection, rng: np.random.Generator, repeats: int
) -> dict[tuple[str, str], float]:
    """nDCG and average precision of a ranker, and what each of CHANGES takes from its nDCG."""

    def ndcg(learned: Collection) -> tuple[float, np.ndarray]:
        scores = RANKERS[name](learned).predict(test.features)
        return float(np.nanmean(metrics.ndcg(test.grades, scores, test.offsets, k=10))), scores

    whole, scores = ndcg(training)
    changed = {
        figure: float(np.mean([ndcg(change(training, rng))[0] for _ in range(repeats)]))
        for figure, change in CHANGES.items()
    }
    precision = metrics.average_precision(test.grades, scores, test.offsets)
    figures = {"nDCG@10": whole, "MAP": float(np.nanmean(precision))}
    figures |= {f"fall, {figure}": whole - value for figure, value in changed.items()}
    figures[f"{DOCUMENTS} less {QUERIES}"] = changed[DOCUMENTS] - changed[QUERIES]
    return {(name, figure): value for figure, value in figures.items()}


def stored() -> pd.DataFrame:
    """data/results/portrait_fidelity.csv, as `table` gives it."""
    return results.read(common.RESULTS / "portrait_fidelity.csv").fillna({"ranker": ""})


def ranked(table: pd.DataFrame) -> pd.DataFrame:
    """Portraits, those with the fewest figures beyond the tolerance first, of these the ones of the most documents:
    frame collection, documents, beyond.
    """
    beyond = (~table["within"]).groupby(table["collection"]).sum().rename("beyond").reset_index()
    beyond.insert(1, "documents", [int(open(name).grade_counts.sum()) for name in beyond["collection"]])
    return beyond.sort_values(["beyond", "documents"], ascending=[True, False], ignore_index=True)


def shown() -> pd.DataFrame:
    """What data/README.md shows of each ranker: real / synthetic ± deviation, in bold where not within tolerance."""
    rows = stored().query("ranker != ''")
    mark = np.where(rows["within"], "", "**")
    pairs = rows["real"].map("{:.3f} / ".format) + rows["synthetic"].map("{:.3f}".format)
    cells = rows.assign(cell=mark + pairs + rows["deviation"].map(" ± {:.3f}".format) + mark)
    return cells.pivot(index=["collection", "figure"], columns="ranker", values="cell").reset_index()


def shown_ranks() -> pd.DataFrame:
    """What data/README.md shows of the portraits: which stands best for a large collection."""
    return ranked(stored()).set_index("collection").map("{:,}".format).reset_index()


def shown_of_td2003() -> pd.DataFrame:
    """What data/README.md shows of rankers on collections drawn from TD2003's portrait: mean ± standard deviation."""
    rows = results.read(common.RESULTS / "portrait_td2003.csv")
    figures = {"NDCG@10": "ndcg", "MAP": "map"}
    cells = {
        head: rows[name].map("{:.3f} ± ".format) + rows[f"{name}_sd"].map("{:.3f}".format)
        for head, name in figures.items()
    }
    return rows[["ranker"]].assign(**cells)


def _write(name: str) -> None:
    """Replace the rows of a collection, one for each figure."""
    made = table(portraits.parts(name), open(name), np.random.default_rng(2009)).round(4)
    whole = pd.concat([stored().query("collection != @name"), made])
    place = list(portraits.SOURCES).index
    common.write(
        "", {"portrait_fidelity": whole.sort_values("collection", key=lambda own: own.map(place), kind="stable")}
    )


def _write_td2003() -> None:
    """How well every ranker does on collections of TD2003's size: ranker, ndcg, ndcg_sd, map, map_sd, printed."""
    rng, portrait = np.random.default_rng(2003), open("td2003")
    drawn = [draw(portrait, portraits.TD2003_QUERIES, rng) for _ in range(TD2003_DRAWS)]
    rows = []
    for ranker in rankers.NAMES:
        means = np.array([portraits.of_folds(collection, ranker).mean(axis=0) for collection in drawn])
        values = np.stack([means.mean(axis=0), means.std(axis=0, ddof=1)], axis=1).ravel()
        rows.append((ranker, *values, portraits.PRINTED_NDCG if ranker == "RankSVM" else np.nan))
    frame = pd.DataFrame(rows, columns=["ranker", "ndcg", "ndcg_sd", "map", "map_sd", "printed"])
    common.write("", {"portrait_td2003": frame}, digits=4)


TASKS = {name: partial(_write, name) for name in portraits.SOURCES} | {"td2003": _write_td2003}
