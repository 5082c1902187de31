"""The stored tables of study 2.

    python -m helpers.making.bounds

writes them to `data/results/02`, by query what the claims of judges and runs speak of to `contrasts.parquet` there, and
how the raters of Chorus agree to `data/confusion`. The best learned rankers are those of `helpers.making.baselines` and
`helpers.making.learnable`, made before. Real judges, and grades of the collections `FROM_DATA`, are taken from the data
directory; tables of those that are not here stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from helpers import files, paths
from helpers.datasets import portrait
from helpers.engine import results
from helpers.judging import at_hand, judgments
from helpers.judging.confusion import COLUMNS, load_confusions
from helpers.metrics import significance
from helpers.reporting import figures
from helpers.studies.bounds import (
    collection_ceilings,
    crowd_agreement,
    effects,
    judges,
    list_ceilings,
    worn_out,
)
from helpers.studies.bounds import protocol as study
from helpers.studies.bounds.judges import Judges

SEED = 2012
FOLDER = paths.project("data") / "results" / "02"
CONFUSION = paths.project("data") / "confusion"
SCALE = study.SCALES["study"]
LARGE = replace(SCALE, labellings=200, interval_queries=25)
"""For collections of up to 1,692 queries, or of 816 documents each: many queries make up for few draws."""


def write_judges(name: str, pool: Judges) -> None:
    """Store the limits of real judges, and the picture of them that the README shows.

    Parameters
    ----------
    name : of the folder
    pool : the judges
    """
    rng = np.random.default_rng(SEED)
    limits = study.limits_table(pool, SCALE, rng)
    halves = study.held_out_table(pool, SCALE, rng)
    tables = {"limits": limits, "held_out": halves, "counts": study.pair_counts(pool)}
    store(name, tables | {"shares": study.shares_within(limits, rng)})
    write_contrasts(name, study.contrasts(limits, halves))
    figures.set_look()
    figures.bounds.limit_scatter(halves, ["pooled", "own"]).savefig(FOLDER / name / "held_out.png", dpi=80)


def write_people(passages: worn_out.Passages) -> None:
    """Store what people of two minds, machines and runs say of one collection; of no licence, and so as aggregates.

    Parameters
    ----------
    passages : the collection
    """
    rng, pool = np.random.default_rng(SEED), worn_out.people()
    limits = study.limits_table(pool, SCALE, rng)
    halves = study.held_out_table(pool, SCALE, rng)
    tables = worn_out.tables(passages, rng) | {"shares": study.shares_within(limits, rng)}
    store(worn_out.FOLDER, tables, {"source": worn_out.SOURCE})
    limit, runs = worn_out.by_query(passages, worn_out.PEOPLE)
    above = worn_out.best_on_others(runs, rng) - limit[worn_out.PEOPLE]
    write_contrasts(worn_out.FOLDER, study.contrasts(limits, halves) | {("M4", worn_out.CHOSEN): above})


def write_contrasts(collection: str, contrasts: Mapping) -> None:
    """Put a collection's contrasts into the stored table, in place of those that it has of the same claims.

    Parameters
    ----------
    collection : its name
    contrasts : claim, or claim and ranker -> (n_queries,) of one draw, or (n_draws, n_queries)
    """
    rng, rows = np.random.default_rng(SEED), []
    for key, values in contrasts.items():
        claim, ranker = (key, "") if isinstance(key, str) else key
        parts = significance.crossed_means(np.atleast_2d(values))
        rows.append(effects.contrast_rows(claim, collection, ranker, *parts, rng))
    new = pd.concat(rows)
    old = pd.read_parquet(effects.FILE) if effects.FILE.exists() else new.iloc[:0]
    kept = old[(old["collection"] != collection) | ~old["claim"].isin(new["claim"])]
    table = pd.concat([kept, new]).astype({"value": np.float32})
    order = ["claim", "collection", "ranker", "unit", "number"]
    with files.replacing(effects.FILE, "wb") as file:
        table.sort_values(order, ignore_index=True).to_parquet(file, compression="zstd")


def write_collection(name: str) -> None:
    """Store the ceilings of a collection.

    Parameters
    ----------
    name : of the collection, whose grade counts are kept with the project
    """
    profiles = collection_ceilings.profiles_of(name)
    scale = LARGE if name in collection_ceilings.FROM_DATA else SCALE
    table = collection_ceilings.ceilings_table(profiles, load_confusions(), scale, np.random.default_rng(SEED))
    store(name, {"ceilings": table})


def write_agreement() -> None:
    """Store how far the crowd of DBpedia-Entity agrees, by grade; it has no pair of judges, and so no matrix."""
    table = crowd_agreement.by_grade(crowd_agreement.read(), np.random.default_rng(SEED))
    store("dbpedia-entity", {"agreement": table})


def write_confusions(pool: Judges) -> None:
    """Store how often each grade of one rater of Chorus met each of another in `data/confusion`.

    Parameters
    ----------
    pool : the raters
    """
    first, second, third = sorted(pool.frame["assessor"].unique())
    pairs = {"rater1_vs_2": (first, second), "rater1_vs_3": (first, third), "rater2_vs_3": (second, third)}
    counts = {name: judgments.confusion_counts(pool.frame, *pair, pool.n_grades) for name, pair in pairs.items()}
    together = sum(counts.values())
    counts["rater_vs_rater_orderedpairs"] = together + together.T
    source = "querqy/chorus@96edf8b, katas/Broad_Query_Set_individual_ratings.csv"
    cells = [
        (f"CHORUS_{name}", *grades, int(count), source)
        for name, matrix in counts.items()
        for grades, count in np.ndenumerate(matrix)
    ]
    results.write(CONFUSION, {"chorus_raters": pd.DataFrame(cells, columns=COLUMNS)})


def write_lengths() -> None:
    """Store ceilings, errors and times by the length of the list: MSLR's grades, web-search crowd workers."""
    rng, shares = np.random.default_rng(SEED), portrait.open("mslr-sample").grade_shares
    confusion = load_confusions()["WEB5_truth_vs_worker"].probabilities
    table = list_ceilings.length_table(shares, confusion, SCALE, rng)
    means = table.assign(error=(table["approximate"] - table["exact"]).abs()).groupby(["length", "cutoff"], sort=False)
    means = means[["exact", "error"]].mean().reset_index()
    tables = {"lengths": means, "methods": list_ceilings.method_table(shares, confusion, rng)}
    store(list_ceilings.FOLDER, tables | {"longer": list_ceilings.saved_by_length(table, rng)})


def store(name: str, tables: dict[str, pd.DataFrame], more: Mapping | None = None) -> None:
    """Store tables of a set or collection, rounded, and what they were made by, with more of that."""
    rounded = {table: frame.round(6) for table, frame in tables.items()}
    made_by = {"scale": "study", "seed": SEED, "cutoff": study.K}
    results.write(FOLDER / name, rounded, made_by | dict(more or {}))


def main() -> None:
    """Write all stored tables; those of judges that are not here stay as they are."""
    here = at_hand.here(judges.REAL)
    if "chorus" in here:
        write_confusions(here["chorus"])
    for name, pool in here.items():
        write_judges(name, pool)
    counted = {name: partial(collection_ceilings.counted_profiles, name) for name in collection_ceilings.FROM_DATA}
    profiles = at_hand.here(counted)
    for name, counts in profiles.items():
        store(name, {"profiles": pd.DataFrame(counts)})
    for name in (*collection_ceilings.COLLECTIONS, *profiles):
        write_collection(name)
    if at_hand.here({"dbpedia-entity": crowd_agreement.read}):
        write_agreement()
    write_lengths()
    for write in at_hand.here({"people": worn_out.read}).values():
        write_people(write)


if __name__ == "__main__":
    main()
