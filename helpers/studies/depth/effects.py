"""The effect of each claim of study 4 by collection, from what is stored of its runs."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers import paths
from helpers.engine import results
from helpers.metrics import significance
from helpers.reporting import verdicts
from helpers.reporting.answers import listed, number, signed
from helpers.studies.depth import tables
from helpers.studies.depth.protocol import PAPER

STUDY = "04"
CONTRASTS = paths.project("data") / "results" / STUDY / "contrasts.parquet"
"""What `contrasts` gives for every collection whose runs are kept query by query."""

DOUBLED = "R6"
"""The claim that is asked of pairs of cells inside of the pool, `tables.doublings`."""


def contrasts(collection: str, percent: pd.DataFrame, pool: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """The difference that each claim speaks of, by test query and by draw, which `effects` makes its effect of.

    A claim of several cells is their mean. Queries are numbered in an order drawn by lot, the same for all claims.

    Parameters
    ----------
    collection : its name
    percent, pool : runs of the two experiments, as `tables.comparisons` takes them
    rng : draws the order of the queries

    Returns
    -------
    frame claim, collection, ranker, measure, unit, number, value
        rows of the unit "query" are means over draws, those of "draw" means over queries, and the one of "residual" is
        the third of `significance.crossed_means`
    """
    asked = verdicts.claims()[verdicts.claims()["study"] == STUDY]
    rows, order = [], None
    for ranker in percent["ranker"].unique():
        own = percent[percent["ranker"] == ranker]
        shares, depths = tables.ndcg_by_cell(own), tables.ndcg_by_cell(pool[pool["ranker"] == ranker])
        listed = tables.percent_contrasts(shares, tables.documents_left(own))
        listed += tables.pool_contrasts(depths) if depths else []
        for claim in asked.itertuples():
            pairs = tables.doublings(depths) if claim.claim == DOUBLED else _pairs(claim, listed)
            if not pairs:
                continue
            cells = shares if pairs[0][0] in shares else depths
            by_query, by_draw, residual = significance.crossed_means(
                np.mean([cells[first] - cells[second] for first, second in pairs], axis=0)
            )
            order = rng.permutation(len(by_query)) if order is None else order
            values = {"query": by_query[order], "draw": by_draw, "residual": [residual]}
            place = {"claim": claim.claim, "collection": collection, "ranker": ranker, "measure": claim.measure}
            rows += [
                place | {"unit": unit, "number": number, "value": value}
                for unit, numbers in values.items()
                for number, value in enumerate(numbers)
            ]
    columns = ["claim", "collection", "ranker", "measure", "unit", "number", "value"]
    return pd.DataFrame(rows, columns=columns).astype({"number": "int16", "value": "float32"})


def _pairs(claim, listed: list[tuple]) -> list[tuple]:
    """The cells that a claim holds against each other, of those that were run."""
    at = claim.at.split(", ") if claim.at else None
    return [cells for question, d, *cells in listed if question == claim.question and (at is None or str(d) in at)]


def effects() -> pd.DataFrame:
    """The effect of every claim on every collection and with every ranker: `data/results/04/effects.csv`.

    It stands on the differences by query and by draw where these are stored, else on the intervals of the collection's
    comparisons.

    Returns
    -------
    frame with the columns verdicts.EFFECTS
    """
    kept = pd.read_parquet(CONTRASTS)
    stored = {name: found["comparisons"] for name, found in results.stored(STUDY).items() if "comparisons" in found}
    given = [verdicts.from_comparisons(STUDY, rows, name, verdicts.basis_of(name)) for name, rows in stored.items()]
    found = pd.concat([verdicts.of_contrasts(kept), *given], ignore_index=True)
    return found.drop_duplicates(["claim", "collection", "ranker"], ignore_index=True)


def papers_test() -> pd.DataFrame:
    """The paper's own test of its first claim: a paired t-test over queries on means of the draws.

    Returns
    -------
    frame of texts: collection, and for each share of the judgments the difference and p, nothing where it was not asked
    """
    kept = pd.read_parquet(CONTRASTS)
    kept = kept[kept["claim"].str.startswith("R1-") & (kept["ranker"] == PAPER) & (kept["unit"] == "query")]
    said = {}
    for (collection, claim), values in kept.groupby(["collection", "claim"], sort=False)["value"]:
        found = significance.paired_t(values, np.zeros(len(values)))
        p = "below .001" if found.p_value < 0.001 else number(found.p_value)
        said[collection, int(claim.removeprefix("R1-"))] = f"{signed(found.difference)}, p {p}"
    wide = pd.Series(said).unstack(fill_value="").rename(columns="{} %".format)
    return wide.rename_axis("collection").reset_index()


def in_short(judged: pd.DataFrame, family: str, unit: str) -> str:
    """What claims that differ in one number came to, for a title.

    Parameters
    ----------
    judged : frame claim, measured, of `verdicts.verdicts`
    family : how their names begin, before the number
    unit : of the number

    Examples
    --------
    >>> in_short(pd.DataFrame({"claim": ["R1-5", "R1-10"], "measured": [0.0146, 0.0098]}), "R1-", " %")
    '+.015 at 5 % and +.010 at 10 %, LambdaRank pooled over real collections'
    """
    rows = judged[judged["claim"].str.match(rf"{family}\d")]
    said = [f"{signed(row.measured)} at {row.claim.removeprefix(family)}{unit}" for row in rows.itertuples()]
    return f"{listed(said)}, {PAPER} pooled over real collections"
