"""Files of a pilot: judgments of six queries by two people and two models, and three runs of nine queries."""

import numpy as np
import pandas as pd

QUERIES, NEW, DOCS = 6, 3, 12


def write(folder):
    """The file of judgments and the folder of runs: a has x and y, which nobody judged, above all others, c begins in
    the middle, b at the end; ranks of a rise where its scores fall."""
    rng = np.random.default_rng(2)
    docs = [f"d{d}" for d in range(DOCS)]
    judges = ("Ann", "Bob", "gpt-4", "gpt-5")
    rows = [(f"q{q}", doc, judge, int(rng.integers(4))) for q in range(QUERIES) for doc in docs for judge in judges]
    pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]).to_csv(folder / "mine.csv", index=False)
    (folder / "runs").mkdir()
    for name, listed in {"a": ["x", "y", *docs], "b": docs[::-1], "c": [*docs[6:], *docs[:6]]}.items():
        ranks = range(len(listed), 0, -1) if name == "a" else range(1, len(listed) + 1)
        lines = [
            f"q{q} Q0 {doc} {rank} {-n} t"
            for q in range(QUERIES + NEW)
            for n, (doc, rank) in enumerate(zip(listed, ranks, strict=True))
        ]
        (folder / "runs" / f"{name}.run").write_text("\n".join(lines) + "\n")
    return str(folder / "mine.csv"), str(folder / "runs")
