"""Reading 18 runs of Robust04's size beside pandas and ir_measures: time, memory, and the same scores."""

import numpy as np
import pandas as pd
import pytest
from memory import cost

from helpers.datasets import runs

N_RUNS, N_QUERIES, N_DOCS, JUDGED = 18, 249, 450, 1250
TIMES_THE_RESULT = 6
COLUMNS = ["query", "Q0", "document", "rank", "score", "tag"]


@pytest.fixture(scope="module")
def robust_shaped(tmp_path_factory):
    """Qrels of 311,250 lines and 18 runs of 112,050 lines, 90 MB."""
    rng, folder = np.random.default_rng(11), tmp_path_factory.mktemp("bench")
    (folder / "runs").mkdir()
    ids = [f"FBIS{number % 4}-{10_000 + number}" for number in range(60_000)]
    judged = [rng.choice(len(ids), JUDGED, replace=False) for _ in range(N_QUERIES)]
    with (folder / "qrels.txt").open("w") as file:
        for query, documents in enumerate(judged, 301):
            file.writelines(f"{query} 0 {ids[d]} {rng.integers(3)}\n" for d in documents)
    for number in range(N_RUNS):
        with (folder / f"runs/system{number:02}.run").open("w") as file:
            for query, documents in enumerate(judged, 301):
                scores = np.sort(rng.gamma(9, 1, N_DOCS))[::-1].tolist()
                chosen = enumerate(zip(rng.permutation(documents)[:N_DOCS], scores, strict=True), 1)
                file.writelines(f"{query} Q0 {ids[d]} {rank} {score:.6f} system\n" for rank, (d, score) in chosen)
    return folder


@pytest.fixture(scope="module")
def collection(robust_shaped):
    return runs.read(robust_shaped / "qrels.txt", sorted((robust_shaped / "runs").iterdir()))


def test_reading_18_runs_is_faster_than_ir_measures_and_takes_a_small_multiple_of_the_features(
    robust_shaped, collection
):
    files = f"files = sorted(pathlib.Path({str(robust_shaped / 'runs')!r}).iterdir())"
    readers = {
        "pandas.read_csv": ("import pandas", "[pandas.read_csv(f, sep=r'\\s+', header=None) for f in files]"),
        "ir_measures.read_trec_run": ("import ir_measures", "[list(ir_measures.read_trec_run(str(f))) for f in files]"),
        "runs.read": (
            "from helpers.datasets import runs",
            f"runs.read({str(robust_shaped / 'qrels.txt')!r}, files)",
        ),
    }
    costs = {
        name: cost(f"{ready}; import pathlib; {files}", f"read = {step}") for name, (ready, step) in readers.items()
    }
    size = collection.features.nbytes
    print(f"\n{N_RUNS} runs of {N_QUERIES * N_DOCS:,} lines   seconds       MB (features: {size / 1e6:.0f})")
    for name, (seconds, _, growth) in costs.items():
        print(f"{name:28s} {seconds:8.2f} {growth / 1e6:8.0f}")
    assert costs["runs.read"].seconds < costs["ir_measures.read_trec_run"].seconds
    assert costs["runs.read"].growth < TIMES_THE_RESULT * size


def test_scores_are_those_that_pandas_reads(robust_shaped, collection):
    row = {pair: r for r, pair in enumerate(zip(collection.query_index, collection.doc_ids.tolist(), strict=True))}
    frame = pd.read_csv(robust_shaped / "runs/system03.run", sep=r"\s+", names=COLUMNS)
    best = frame.groupby("query")["score"].transform("max")
    lowest = frame.groupby("query")["score"].transform("min")
    rows = [row[query - 301, document] for query, document in zip(frame["query"], frame["document"], strict=True)]
    np.testing.assert_allclose(collection.features[rows, 9], (frame["score"] - lowest) / (best - lowest), atol=1e-6)
