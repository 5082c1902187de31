"""Study 6 on 100,000 judgments of 50 judges: all tables, on one core in under 20 seconds.

pytest -q -s tests/benchmarks/bench_judgments.py
"""

import time

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from helpers.studies.judgments import asked, findings

N_JUDGES, N_DOCS, LENGTH = 50, 2000, 20


def judgments(rng):
    """Judgments of every document by all judges, each within a grade of the truth; every fifth is a model."""
    truth = rng.integers(0, 4, N_DOCS)
    said = np.clip(truth + rng.integers(-1, 2, size=(N_JUDGES, N_DOCS)), 0, 3)
    judge, doc = (axis.ravel().astype(str) for axis in np.indices(said.shape))
    query = np.tile(np.arange(N_DOCS) // LENGTH, N_JUDGES).astype(str)
    names = np.char.add(np.where(judge.astype(int) % 5, "person ", "model: "), judge)
    return pd.DataFrame({"query": query, "doc": doc, "assessor": names, "grade": said.ravel()})


def test_a_hundred_thousand_judgments_of_fifty_judges():
    frame = judgments(np.random.default_rng(0))
    small = frame[frame["query"].isin(["0", "1"])]
    asked.answers(small)  # compiles what is compiled
    start = time.process_time()
    with threadpool_limits(1):
        found = asked.answers(frame)
        findings.report(found, 10, 0.15, "made")
    seconds = time.process_time() - start
    print(f"\n{len(frame):,} judgments: {seconds:.1f} s of one core")
    assert seconds < 20
