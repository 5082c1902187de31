"""Training on a machine's labels where a person tests: what a query that a machine labelled is worth.

SynDL has GPT-4's labels of 424 queries of TREC Deep Learning 2021, and NIST's of 53 others. A ranker is trained on some
of the first, or on some of the second that it is not tested on, and always tested on NIST's. UMBRELA's labels of NIST's
own queries, also by GPT-4 but asked in another way, tell what a machine's labels cost where queries and documents are
the same.
"""

from __future__ import annotations

import pandas as pd

from helpers.engine import results

MACHINE, PERSON, SAME_QUERIES = "GPT-4, other queries", "NIST", "GPT-4, the same queries"
SIZES = {MACHINE: (10, 25, 50, 100, 200, 424), PERSON: (5, 10, 20, 42), SAME_QUERIES: (5, 10, 20, 42)}
"""Labels -> numbers of labelled queries, those for validation among them."""

YES_NO = "Llama 3.2, the same queries"
"""Labels of which only what they teach in all is asked, beside the limit that they set."""

BESIDE = {
    MACHINE: "labelled by GPT-4, other queries",
    PERSON: "labelled by NIST",
    SAME_QUERIES: "NIST's queries, labelled by GPT-4",
}
"""Labels -> what to write beside their curve."""

ALL = "all rankers"
"""The mean of the rankers."""

FOLDER = "machine-labels"


def stored() -> dict[str, pd.DataFrame]:
    """Tables kept with the project: "runs" of `machine_labels_runs.by_query`, "curves", "worth" and "differences"."""
    return results.stored("02")[FOLDER]
