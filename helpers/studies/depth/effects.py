"""The effect of each claim of study 4 by collection, from what is stored of its runs."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers import paths
from helpers.engine import results
from helpers.metrics import significance
from helpers.reporting import verdicts
from helpers.reporting.answers import number, signed
from helpers.studies.depth import tables
from helpers.studies.depth.protocol import PAPER

STUDY = "04"
# what `contrasts` gives for every collection whose runs are kept query by query
CONTRASTS = paths.project("data") / "results" / STUDY / "contrasts.parquet"
DOUBLED = "R6"  # the claim that is asked of pairs of cells inside of the pool, `tables.doublings`


def contrasts(collection: str, percent: pd.DataFrame, pool: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """The difference that each claim speaks of, which `effects` makes its effect of: frame claim, collection, ranker,
    measure, unit, number, value.

    Rows of the unit "query" are means over draws, in one order of queries drawn by lot, those of "draw" means over
    queries, and the one of "residual" is the third of `significance.crossed_means`; a claim of several cells is their
    mean.
    """
    asked = verdicts.claims()[verdicts.claims()["study"] == STUDY]
    rows, order = [], None
    for ranker, cells, listed in tables.contrasts(percent, pool):
        for claim in asked.itertuples():
            pairs = tables.doublings(cells) if claim.claim == DOUBLED else _pairs(claim, listed)
            if not pairs:
                continue
            differences = np.mean([cells[first] - cells[second] for first, second in pairs], axis=0)
            order = rng.permutation(differences.shape[1]) if order is None else order
            place = {"claim": claim.claim, "collection": collection, "ranker": ranker, "measure": claim.measure}
            rows += verdicts.contrast_rows(differences, order, **place)
    columns = ["claim", "collection", "ranker", "measure", "unit", "number", "value"]
    return pd.DataFrame(rows, columns=columns).astype({"number": "int16", "value": "float32"})


def _pairs(claim, listed: list[tuple]) -> list[tuple]:
    """The cells that a claim holds against each other, of those that were run."""
    at = claim.at.split(", ") if claim.at else None
    return [cells for question, d, *cells in listed if question == claim.question and (at is None or str(d) in at)]


def effects() -> pd.DataFrame:
    """The effect of every claim by collection and ranker, `data/results/04/effects.csv`: frame of `verdicts.EFFECTS`.

    It stands on the differences by query and by draw where these are stored, else on the intervals of comparisons.
    """
    kept = pd.read_parquet(CONTRASTS)
    stored = {name: found["comparisons"] for name, found in results.stored(STUDY).items() if "comparisons" in found}
    given = [verdicts.from_comparisons(STUDY, rows, name, verdicts.basis_of(name)) for name, rows in stored.items()]
    found = pd.concat([verdicts.of_contrasts(kept), *given], ignore_index=True)
    return found.drop_duplicates(["claim", "collection", "ranker"], ignore_index=True)


def papers_test() -> pd.DataFrame:
    """The paper's own test of its first claim, a paired t-test over queries on means of the draws: frame of texts,
    collection and for each share of the judgments the difference and p.
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
