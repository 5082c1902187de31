"""The effects of Niu et al.'s claims, from the stored runs: intervals are over folds and label draws (`tables.cells`).

What few relevant documents do is asked of versions of one real collection, which differ in nothing else; a portrait is
in no effect that is called real.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pandas as pd

from helpers import paths
from helpers.engine import results
from helpers.judging import noise
from helpers.metrics.significance import Effect, ends
from helpers.reporting.verdicts import ARITHMETIC, EFFECTS, PORTRAIT, REAL, basis_of, effect_row
from helpers.studies import learnable
from helpers.studies.robustness import tables as robustness
from helpers.studies.robustness.protocol import PLACES

FOUR = ("RankSVM", "RankBoost", "ListNet", "AdaRank")  # the paper's rankers
TOGETHER = "the paper's four"  # the ranker of their mean, on common folds
BY_MAP = f"{TOGETHER}, by MAP"
ACROSS = f"{TOGETHER}, across whole collections"
WITHOUT_FEW = f"{ACROSS} without {', '.join(PLACES)}"  # the one whole collection of few relevant documents
SEED = 2014
SAMPLES = 500  # bootstrap samples of an effect's interval
PUBLISHED = paths.project("data") / "published"
AT_EQUAL = (0.1, 0.5)  # the dNoise at which few relevant documents are held against many
ON_MSLR = 0.5
END = 0.5  # the pNoise of labels that mean nothing

# claim -> the data set and the dNoise that it speaks of
PNOISE_AT = {"N7a": ("td2003", 0.1), "N7b": ("mslr-web10k", 0.5), "N7c": ("ohsumed", 0.1)}

# claims whose effect comes of fitted curves: the median of the bootstrap samples, as in `tables.explained`
FITTED = ("N4", "N4b", "N5")

Values = Mapping[str, np.ndarray]  # claim -> (1 + SAMPLES, n_rankers) what was measured, and bootstrap samples


def effects() -> pd.DataFrame:
    """Frame with the columns `verdicts.EFFECTS`, of all that is stored."""
    stored = results.stored("03")
    five, thinned = stored["five-data-sets"]["uniform"], stored["thinned"]
    frames = [of_runs(five)]
    versions = dict(list(thinned["versions"].groupby("dataset")))
    for name, runs in thinned["uniform"].groupby("dataset", sort=False):
        if len(versions[name]) > 1:
            frames.append(_of_thinned(runs, versions[name]))
    frames.append(_as_they_are(five, stored["real-counterparts"]["uniform"], thinned["uniform"]))
    return pd.concat([*frames, _printed_ones()], ignore_index=True)


def of_runs(runs: pd.DataFrame) -> pd.DataFrame:
    """The effects of data sets as they are; what is said of one is asked where it, or a portrait of it, was run."""
    return _rows(runs, _of_paper)


def _of_thinned(runs: pd.DataFrame, versions: pd.DataFrame) -> pd.DataFrame:
    """The effects of one collection in versions of fewer relevant documents, with the columns `verdicts.EFFECTS`."""
    name = versions["dataset"].iloc[0]  # few are as near as its versions come to the share that TD2003 has
    few = printed_grades()["td2003"]
    apart = np.log(versions["relevant"] / (few[1] / few.sum())).abs()
    ends = [f"{kept:.0%}" for kept in (versions.loc[apart.idxmin(), "kept"], 1.0)]

    def found(cells: robustness.Cells) -> Iterator[tuple[str, Values]]:
        yield name, {"N1": _less(cells, *map(cells.datasets.index, ends))} | _fitted(cells)

    runs = runs.assign(collection=name, dataset=[f"{kept:.0%}" for kept in runs["kept"]])
    return _rows(runs, found).assign(queries=versions["queries"].iloc[0])


def _as_they_are(five: pd.DataFrame, others: pd.DataFrame, thinned: pd.DataFrame) -> pd.DataFrame:
    """Of whole real collections on which a ranker gains, N4 with the paper's rankers at the levels that all have."""
    own = [basis_of(name) == REAL for name in five["dataset"]]
    gained = others["dataset"].isin(learnable.learned())
    more = (thinned["kept"] == 1) & ~thinned["dataset"].isin([*five["dataset"], *others["dataset"]])
    runs = pd.concat([five[own], others[gained], thinned[more]], ignore_index=True)
    levels = runs.groupby("level")["dataset"].nunique()
    runs = runs[runs["level"].isin(levels.index[levels == levels.max()]) & runs["ranker"].isin(FOUR)]

    def found(cells: robustness.Cells) -> Iterator[tuple[str, Values]]:
        yield ", ".join(cells.datasets), {"N4": _fitted(cells)["N4"]}

    parts = {ACROSS: runs, WITHOUT_FEW: runs[~runs["dataset"].isin(PLACES)]}
    rows = [_rows(of, found).query("claim == 'N4' and ranker == @TOGETHER").assign(ranker=n) for n, of in parts.items()]
    return pd.concat(rows, ignore_index=True)


def _of_paper(cells: robustness.Cells) -> Iterator[tuple[str, Values]]:
    named = {begin: robustness.numbers(cells.datasets, begin) for begin in (robustness.FRAGILE, "ohsumed", "mslr")}
    fragile, ohsumed, robust = (numbers[0] if numbers else None for numbers in named.values())
    if fragile is not None and robust is not None:
        pair = f"{cells.datasets[fragile]}, {cells.datasets[robust]}"
        yield pair, {"N1": _less(cells, fragile, robust)}
    if robust is not None and ON_MSLR in cells.levels:
        lost = 1 - cells.relative[:, :, robust, cells.levels == ON_MSLR][..., 0]
        yield cells.datasets[robust], {"N2": lost}
    if ohsumed is not None:
        half = np.abs(cells.levels - cells.levels[-1] / 2).argmin()
        start, middle, end = (cells.relative[:, :, ohsumed, level] for level in (0, half, -1))
        of_halves = (middle - end) - (start - middle)  # what the upper half of the levels takes, less the lower
        yield cells.datasets[ohsumed], {"N3": of_halves}
    if len(cells.datasets) > 1:
        yield ", ".join(cells.datasets), _fitted(cells)


def _less(cells: robustness.Cells, few: int, many: int) -> np.ndarray:
    """What is lost with few relevant documents less what is lost with many, mean over the levels AT_EQUAL."""
    return (cells.relative[:, :, many] - cells.relative[:, :, few])[..., np.isin(cells.levels, AT_EQUAL)].mean(axis=-1)


def _fitted(cells: robustness.Cells) -> Values:
    """What curves say: N4, and N5 where pNoise goes up to END, with the turning point of the paper and none fitted."""
    more, late = [], []
    for ranker in range(len(cells.rankers)):
        curve, shares = robustness.shares(cells, ranker)
        more.append(shares["difference"])
        start, turn, end = (curve.at(x)[:, 0] for x in (0.0, noise.TURNING, END))
        late.append((turn - end) - (start - turn) * (END - noise.TURNING) / noise.TURNING)
    asked = {"N5": np.transpose(late)} if cells.pnoise[0].max() > END - 0.02 else {}
    return {"N4": np.transpose(more)} | asked


def _rows(runs: pd.DataFrame, found: Callable[[robustness.Cells], Iterator[tuple[str, Values]]]) -> pd.DataFrame:
    """What was found in cells, (names, Values) each: a row for each claim and ranker, and for the paper's together."""
    rows = []
    draws = runs[runs["level"] > 0].groupby(["ranker", "dataset"])["draw"].nunique().min()
    for metric, kept in {"ndcg": runs, "map": runs[runs["ranker"].isin(FOUR)]}.items():
        if kept.empty:
            continue
        cells = robustness.cells(kept, np.random.default_rng(SEED), metric, SAMPLES)
        for names, values in found(cells):
            basis = PORTRAIT if PORTRAIT in map(basis_of, names.split(", ")) else REAL
            for claim, samples in values.items():
                columns = dict(zip(cells.rankers, samples.T, strict=True))
                if set(FOUR) <= set(columns):
                    columns = {TOGETHER: np.mean([columns[ranker] for ranker in FOUR], axis=0)} | columns
                if metric == "map":
                    claim, columns = _by_map(claim, columns)
                for ranker, column in columns.items():
                    rows.append(effect_row(claim, names, basis, ranker, _effect(claim, column, draws)))
    frame = pd.DataFrame(rows, columns=EFFECTS)
    by_map = frame["ranker"] == BY_MAP
    return frame.assign(measure=frame["measure"].mask(by_map, frame["measure"].str.replace("NDCG@10", "MAP")))


def _by_map(claim: str, columns: Values) -> tuple[str, Values]:
    """What is asked by MAP: N4, which has a claim of its own there, and of some others the paper's rankers together."""
    if claim == "N4":
        return "N4b", columns
    return claim, {BY_MAP: columns[TOGETHER]} if claim in ("N1", "N2") and TOGETHER in columns else {}


def _effect(claim: str, column: np.ndarray, draws: int) -> Effect:
    middle = robustness.middle(column) if claim in FITTED else column[0]
    return Effect(middle, np.nanstd(column[1:], ddof=1), *ends(column[1:]), np.nan, draws)


def _printed_ones() -> pd.DataFrame:
    """What the paper prints, and what follows from it without a ranker."""
    tied = pd.read_csv(PUBLISHED / "niu2014_tied_pairs.csv")
    together = tied.groupby("dataset", sort=False)["positive"].mean().reset_index().assign(ranker=TOGETHER)
    rows = [("N6", row.dataset, row.ranker, row.positive) for row in pd.concat([together, tied]).itertuples()]
    grades = printed_grades()
    rows += [(claim, name, "", noise.expected_pnoise(grades[name], at)) for claim, (name, at) in PNOISE_AT.items()]
    exact = [
        effect_row(claim, name, ARITHMETIC, ranker, Effect(value, 0.0, value, value, np.nan, np.nan))
        for claim, name, ranker, value in rows
    ]
    return pd.DataFrame(exact, columns=EFFECTS)


def printed_grades() -> dict[str, np.ndarray]:
    """Data set -> documents of each grade of a mean query, by the paper's Table 1."""
    table = pd.read_csv(PUBLISHED / "niu2014_data_sets.csv").set_index("dataset")
    shares = {name: np.array(row.split(":"), dtype=float) / 100 for name, row in table["grades [%]"].items()}
    return {name: share * table.loc[name, "documents a query"] for name, share in shares.items()}
