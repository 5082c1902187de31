"""The labels of public crowds, and the truth beside them, from the data directory."""

from __future__ import annotations

import pandas as pd

from helpers.judging.at_hand import data_file
from helpers.judging.judgments import LONG

COLUMNS = {"item": "doc", "worker": "assessor", "label": "grade", "truth": "grade"}

EXPERTS = ("0", "1", "2", "6", "7", "11", "12", "15", "25")
"""Assessors of `web_search` from whose labels its truth was made: their agreement with it is no evidence.

The files do not say so, but they show it: nearly every pair has three labels of these nine. Where two or three of
them are equal, in 2,215 pairs, the truth is that grade every time; where all differ it is their rounded mean.
"""


def web_search() -> tuple[pd.DataFrame, pd.Series]:
    """Long frame of the five-grade web-search crowd labels, and the truth by document, from the data directory.

    Zhou et al. 2012, Learning from the wisdom of crowds by minimax entropy. A doc is an anonymous pair of query and
    url; twelve have no truth. ``truth.reindex(matrix.pairs["doc"], fill_value=-1).to_numpy()`` suits a label matrix.

    The truth was made from labels in this same frame, those of the EXPERTS: compare it with those of the others.
    """
    return _labels_and_truth("web-search-5level", 5)


def trec_rf10() -> tuple[pd.DataFrame, pd.Series]:
    """Long frame of the crowd labels of TREC's relevance feedback track 2010, and NIST's by document, as `web_search`.

    Buckley, Lease and Smucker 2010, Overview of the TREC 2010 relevance feedback track. Grades are 0 to 2; what is
    marked as a broken link is left out. NIST judged without the crowd.
    """
    return _labels_and_truth("trec-rf10-crowd", 3)


def _labels_and_truth(folder: str, n_grades: int) -> tuple[pd.DataFrame, pd.Series]:
    labels, truth = (
        pd.read_csv(data_file(folder, name), dtype={"item": str, "worker": str}).rename(columns=COLUMNS)
        for name in ("label.csv", "truth.csv")
    )
    labels, truth = labels[labels["grade"] < n_grades], truth[truth["grade"] < n_grades]
    return labels.assign(query="all")[LONG].reset_index(drop=True), truth.set_index("doc")["grade"]
