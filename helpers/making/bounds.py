"""The stored tables of study 2, `data/results/02`, and how the raters of Chorus agree, `data/confusion`.

The best learned rankers are those of `helpers.making.baselines`, made before.
"""

from __future__ import annotations

import itertools
import timeit
from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd

from helpers import paths
from helpers.datasets import catalog, portrait
from helpers.engine import results
from helpers.judging import ceilings, formats, judgments
from helpers.judging.confusion import COLUMNS, Confusion, load_confusions
from helpers.making import common, worn_out
from helpers.reporting import verdicts
from helpers.studies.bounds import collection_ceilings, judges
from helpers.studies.bounds import protocol as study
from helpers.studies.bounds.collection_ceilings import LENGTHS, LISTS, drawn_profiles, length_table
from helpers.studies.bounds.findings import CHOSEN, PEOPLE, WORN_OUT
from helpers.studies.bounds.judges import Judges

SEED = 2012
CONFUSION = paths.project("data") / "confusion"
SCALE = study.SCALES["study"]
MADE_BY = {"scale": "study", "seed": SEED, "cutoff": study.K}
LARGE = {"labellings": 200, "some": 25}
"""Of collections of up to 1,692 queries, or of 816 documents each: many queries make up for few draws."""

TESTED = ("syndl-dl21",)
"""Of these only the test queries count: those for training were labelled by somebody else."""

SAMPLES, INTERVALS = 1000, 200
BOUNDS = (2.5, 97.5)
PRECISION = 0.001  # standard error that a simulation is brought to, to be timed
REPEATS = 5


def _write_judges(name: str) -> None:
    """Store the limits of real judges."""
    pool, rng = judges.REAL[name](), np.random.default_rng(SEED)
    if name == "chorus":
        _write_confusions(pool)
    limits, halves = study.limits_table(pool, SCALE, rng), study.held_out_table(pool, SCALE, rng)
    tables = {"limits": limits, "held_out": halves, "counts": study.pair_counts(pool)}
    common.write(f"02/{name}", tables | {"shares": study.shares_within(limits, rng)}, MADE_BY)
    asked = study.contrasts(limits, halves)
    write_contrasts(name, {claim: asked[claim] for claim in asked if pool.same or claim != "M3"})


def _write_people() -> None:
    """Store what people of two minds, machines and runs say of one collection; of no licence, and so as aggregates."""
    passages, pool, rng = worn_out.read(), worn_out.people(), np.random.default_rng(SEED)
    limits, halves = study.limits_table(pool, SCALE, rng), study.held_out_table(pool, SCALE, rng)
    tables = worn_out.tables(passages, rng) | {"shares": study.shares_within(limits, rng)}
    common.write(f"02/{WORN_OUT}", tables, MADE_BY | {"source": worn_out.SOURCE})
    limit, runs = worn_out.by_query(passages, PEOPLE)
    above = worn_out.best_on_others(runs, rng) - limit[PEOPLE]
    write_contrasts(WORN_OUT, study.contrasts(limits, halves) | {("M4", CHOSEN): above})


def write_contrasts(collection: str, contrasts: Mapping) -> None:
    """Put a collection's contrasts into the stored table, in place of those of the same claims: claim, or claim and
    ranker -> (n_queries,) values of one draw, or (n_draws, n_queries).
    """
    rng, rows = np.random.default_rng(SEED), []
    for key, values in contrasts.items():
        claim, ranker = (key, "") if isinstance(key, str) else key
        values = np.atleast_2d(values)
        place = {"claim": claim, "collection": collection, "ranker": ranker}
        rows += verdicts.contrast_rows(values, rng.permutation(values.shape[1]), **place)
    order = ["claim", "collection", "ranker", "unit", "number"]
    new = pd.DataFrame(rows).astype({"value": np.float32})
    common.replace_rows("02/contrasts.parquet", new, ["collection", "claim"], order)


def _write_collection(name: str) -> None:
    """Store the ceilings of a collection; of one of FROM_DATA also what its queries have, counted in that directory."""
    counted, rng = name in collection_ceilings.FROM_DATA, np.random.default_rng(SEED)
    profiles = counted_profiles(name) if counted else collection_ceilings.profiles_of(name)
    tables = {"profiles": pd.DataFrame(profiles)} if counted else {}
    tables["ceilings"] = ceilings_table(profiles, load_confusions(), rng, **(LARGE if counted else {}))
    if name == "dbpedia-entity":
        tables["agreement"] = agreement_by_grade(read_agreement(), np.random.default_rng(SEED))
    common.write(f"02/{name}", tables, MADE_BY)


def counted_profiles(collection: str) -> np.ndarray:
    """(n_queries, n_grades) what `profiles_of` gives of one of FROM_DATA, counted in the data directory."""
    judged = catalog.load(collection, split="test" if collection in TESTED else None)
    return judged.grade_counts(int(judged.grades.max()) + 1)


def ceilings_table(
    profiles: np.ndarray,
    matrices: Mapping[str, Confusion],
    rng: np.random.Generator,
    labellings: int = SCALE.labellings,
    some: int | None = None,
) -> pd.DataFrame:
    """The paper's Table 1 for a collection: its mean ceiling @10 under every matrix of its scale, by three methods; the
    interval from some queries or all, and none where a source prints probabilities only.
    """
    exact = collection_ceilings.exact_means(profiles, matrices)
    rows = []
    for name, mean in exact.itertuples(index=False):
        matrix, low, high, documents = matrices[name], np.nan, np.nan, np.nan
        if (matrix.counts == np.round(matrix.counts)).all():
            documents = matrix.counts.sum()
            low, high = mean + _deviations(profiles, matrix, rng, some)
        drawn, error = ceilings.simulated(profiles, matrix.probabilities, study.K, draws=labellings, rng=rng)
        closed = np.nanmean(ceilings.approximate(profiles, matrix.probabilities, study.K))
        row = {"matrix": name, "double_judgments": documents, "exact": mean, "low": low, "high": high}
        row |= {"approximate": closed, "simulated": np.nanmean(drawn)}
        rows.append(row | {"standard_error": np.sqrt(np.nansum(error**2)) / np.isfinite(error).sum()})
    return pd.DataFrame(rows)


def _deviations(profiles: np.ndarray, matrix: Confusion, rng: np.random.Generator, some: int | None) -> np.ndarray:
    """How far the ends of the ceiling's interval are from it; on some queries, as all share the error of the matrix."""
    known = profiles[profiles[:, 1:].any(axis=1)]
    if some is not None and len(known) > some:
        known = known[rng.choice(len(known), some, replace=False)]
    ends = ceilings.interval(known, matrix.counts, study.K, draws=INTERVALS, rng=rng)
    return np.array(ends) - np.nanmean(ceilings.exact(known, matrix.probabilities, study.K))


def read_agreement() -> pd.DataFrame:
    """How far five workers of DBpedia-Entity agreed, from the data directory: frame query, doc, grade, agreement. What
    a worker said instead is not public, so that there is no matrix and no ceiling.
    """
    folder = catalog.fetch("dbpedia-entity")
    said = pd.read_csv(folder / "annotator_agreements.tsv", sep="\t", quoting=3)
    said = said.rename(columns={"entity": "doc", "cs_agr": "agreement"})[["query", "doc", "agreement"]]
    graded = formats.read(folder / "qrels.txt", "qrels").frame.drop(columns="assessor")
    return graded.merge(said, on=["query", "doc"], validate="one_to_one")


def agreement_by_grade(table: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """How far people agree on documents of each grade, and which share of the variance lies between queries, with 95 %
    bootstrap intervals over queries: frame grade, pairs, queries, agreement, low, high, between, between_low, _high.
    """
    rows = []
    for grade, own in table.groupby("grade"):
        by_query = own.assign(squares=own["agreement"] ** 2).groupby("query")
        sums = np.stack([by_query.size(), by_query["agreement"].sum(), by_query["squares"].sum()])
        drawn = [sums[:, rng.integers(sums.shape[1], size=sums.shape[1])] for _ in range(SAMPLES)]
        row = {"grade": grade, "pairs": len(own), "queries": sums.shape[1], "agreement": sums[1].sum() / len(own)}
        row["low"], row["high"] = np.percentile([s[1].sum() / s[0].sum() for s in drawn], BOUNDS)
        row["between"] = share_between(*sums)
        row["between_low"], row["between_high"] = np.percentile([share_between(*sample) for sample in drawn], BOUNDS)
        rows.append(row)
    return pd.DataFrame(rows)


def share_between(sizes: np.ndarray, sums: np.ndarray, squares: np.ndarray) -> float:
    """Share of the variance that lies between groups, of (n_groups,) sizes, sums and sums of squares: the intraclass
    correlation of a one-way layout (Shrout and Fleiss 1979, case 1), which may fall below 0.
    """
    n, groups = sizes.sum(), len(sizes)
    within = (squares - sums**2 / sizes).sum() / (n - groups)
    between = ((sums**2 / sizes).sum() - sums.sum() ** 2 / n) / (groups - 1)
    size = (n - (sizes**2).sum() / n) / (groups - 1)
    total = between + (size - 1) * within
    return float((between - within) / total) if total > 0 else 0.0


def _write_confusions(pool: Judges) -> None:
    """Store how often each grade of one rater of Chorus met each of another in `data/confusion`."""
    raters = list(enumerate(sorted(pool.frame["assessor"].unique()), start=1))
    counts = {
        f"rater{i}_vs_{j}": judgments.confusion_counts(pool.frame, one, other, pool.n_grades)
        for (i, one), (j, other) in itertools.combinations(raters, 2)
    }
    together = sum(counts.values())
    counts["rater_vs_rater_orderedpairs"] = together + together.T
    source = "querqy/chorus@96edf8b, katas/Broad_Query_Set_individual_ratings.csv"
    cells = [
        (f"CHORUS_{name}", *grades, int(count), source)
        for name, matrix in counts.items()
        for grades, count in np.ndenumerate(matrix)
    ]
    results.write(CONFUSION, {"chorus_raters": pd.DataFrame(cells, columns=COLUMNS)})


def _write_lengths() -> None:
    """Store ceilings, errors and times by the length of the list: MSLR's grades, web-search crowd workers."""
    rng, shares = np.random.default_rng(SEED), portrait.open("mslr-sample").grade_shares
    confusion = load_confusions()["WEB5_truth_vs_worker"].probabilities
    table = length_table(shares, confusion, SCALE, rng)
    table["error"] = (table["approximate"] - table["exact"]).abs()
    means = table.groupby(["length", "cutoff"], sort=False)[["exact", "error"]].mean().reset_index()
    tables = {"lengths": means, "methods": method_table(shares, confusion, rng)}
    common.write(f"02/{LISTS}", tables | {"longer": saved_by_length(table, rng)}, MADE_BY)


def saved_by_length(table: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """How much smaller the error @10 is on lists ten times as long: frame length (of these), difference, low, high."""
    error = (table["approximate"] - table["exact"]).abs()
    by_list = error[table["cutoff"] == str(study.K)].groupby(table["length"]).apply(np.asarray)
    pairs = [(n, 10 * n) for n in by_list.index if 10 * n in by_list.index]
    return pd.DataFrame([{"length": m} | study.mean_of(pd.Series(by_list[n] - by_list[m]), rng) for n, m in pairs])


def method_table(shares: np.ndarray, confusion: np.ndarray, rng: np.random.Generator) -> pd.DataFrame:
    """Time of one ceiling @10 by each method, the best of several runs: frame length, method, seconds, draws."""
    rows = []
    for length in LENGTHS:
        profile = drawn_profiles(shares, length, 1, rng)[0]
        _, error = ceilings.simulated(profile, confusion, study.K, draws=1000, rng=rng)
        draws = max(2, int(np.ceil(1000 * (error / PRECISION) ** 2)))
        simulated = partial(ceilings.simulated, draws=draws, rng=rng)
        for method, n in ((ceilings.exact, 0), (ceilings.approximate, 0), (simulated, draws)):
            called = partial(method, profile, confusion, study.K)
            seconds = min(timeit.repeat(called, repeat=REPEATS, number=1))
            name = "simulated" if n else method.__name__
            rows.append({"length": length, "method": name, "seconds": seconds, "draws": n})
    return pd.DataFrame(rows)


TASKS = {name: partial(_write_judges, name) for name in judges.REAL}
TASKS |= {name: partial(_write_collection, name) for name in collection_ceilings.ALL}
TASKS |= {LISTS: _write_lengths, WORN_OUT: _write_people}
