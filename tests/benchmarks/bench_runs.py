"""Reading 18 runs of Robust04's size beside pandas and ir_measures: time, memory, and the same scores."""

import time

import ir_measures
import numpy as np
import pandas as pd
import pytest
from memory import peak_growth

from helpers.datasets import runs

N_RUNS, N_QUERIES, N_DOCS, JUDGED = 18, 249, 450, 1250
FASTER_THAN_IR_MEASURES, TIMES_THE_RESULT = 2, 6
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


def test_reading_18_runs_is_faster_than_ir_measures_with_the_same_scores(robust_shaped):
    files = sorted((robust_shaped / "runs").iterdir())
    readers = {
        "pandas.read_csv": lambda: [pd.read_csv(file, sep=r"\s+", names=COLUMNS) for file in files],
        "ir_measures.read_trec_run": lambda: [list(ir_measures.read_trec_run(str(file))) for file in files],
        "runs.read": lambda: runs.read(robust_shaped / "qrels.txt", files),
    }
    seconds, read = dict.fromkeys(readers, np.inf), {}
    for _ in range(2):
        for name, reader in readers.items():
            start = time.perf_counter()
            read[name] = reader()
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    print(f"\n{N_RUNS} runs of {N_QUERIES * N_DOCS:,} lines    seconds")
    for name, best in seconds.items():
        print(f"{name:28s} {best:8.2f}")

    collection = read["runs.read"]
    row = {pair: r for r, pair in enumerate(zip(collection.query_index, collection.doc_ids.tolist(), strict=True))}
    frame = read["pandas.read_csv"][3]
    best = frame.groupby("query")["score"].transform("max")
    lowest = frame.groupby("query")["score"].transform("min")
    rows = [row[query - 301, document] for query, document in zip(frame["query"], frame["document"], strict=True)]
    np.testing.assert_allclose(collection.features[rows, 9], (frame["score"] - lowest) / (best - lowest), atol=1e-6)
    assert seconds["ir_measures.read_trec_run"] / seconds["runs.read"] >= FASTER_THAN_IR_MEASURES


def test_reading_takes_a_small_multiple_of_the_feature_array(robust_shaped):
    files = f"sorted(pathlib.Path({str(robust_shaped / 'runs')!r}).iterdir())"
    read = f"c = runs.read({str(robust_shaped / 'qrels.txt')!r}, {files})"
    growth = peak_growth("import pathlib; from helpers.datasets import runs", read)
    others = {
        "pandas.read_csv": f"import pandas; k = [pandas.read_csv(f, sep=r'\\s+', header=None) for f in {files}]",
        "ir_measures": f"import ir_measures; k = [list(ir_measures.read_trec_run(str(f))) for f in {files}]",
    }
    size = runs.read(robust_shaped / "qrels.txt", sorted((robust_shaped / "runs").iterdir())).features.nbytes
    print(f"\nfeature array {size / 1e6:.0f} MB, runs.read {growth / 1e6:.0f} MB")
    for name, step in others.items():
        print(f"{name} {peak_growth('import pathlib', step) / 1e6:.0f} MB")
    assert growth < TIMES_THE_RESULT * size
