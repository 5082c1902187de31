"""How many documents the alternative annotator test needs: whether a few decide as all of them do."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.judging.alternative import JUDGES, alternative_test
from helpers.studies.budget.pilot import NOT, Pilot

ITEMS = (50, 100)
COLUMNS = ["candidate", "items", "draws", "passes", "same"]


def decided(pilot: Pilot, draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """Each judge in turn as candidate against the others, by all documents and by random ones: frame of COLUMNS.

    `passes` is the decision by all documents, `same` the share of samples of ITEMS documents that decide so. Without
    rows where a candidate has fewer than three others, as the test asks for.

    Parameters
    ----------
    pilot : its labels, of which documents count that everybody judged
    draws : samples for each number of documents
    rng : draws them
    """
    labels = pilot.labels[(pilot.labels != NOT).all(axis=2)]
    if labels.shape[1] <= JUDGES:
        return pd.DataFrame(columns=COLUMNS)
    rows = []
    for candidate in range(labels.shape[1]):
        passes = _passes(labels, candidate)
        for items in (n for n in ITEMS if n < len(labels)):
            samples = (labels[rng.choice(len(labels), items, replace=False)] for _ in range(draws))
            same = np.mean([_passes(sample, candidate) == passes for sample in samples])
            rows.append((f"judge {candidate + 1}", items, draws, passes, float(same)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _passes(labels: np.ndarray, candidate: int) -> bool:
    """Whether a column of labels (n_docs, n_judges) may take the place of one of the others."""
    docs, judges = labels.shape
    frame = pd.DataFrame(
        {
            "query": "all",
            "doc": np.repeat(np.arange(docs), judges).astype(str),
            "assessor": np.tile([f"judge {j + 1}" for j in range(judges)], docs),
            "grade": labels.ravel(),
        }
    )
    return alternative_test(frame, f"judge {candidate + 1}").passes
