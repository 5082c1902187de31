"""Reading an MSLR-shaped file beside scikit-learn's reader: time, memory, and the same arrays."""

import gzip
import time

import numpy as np
import pytest
from memory import peak_growth
from sklearn.datasets import load_svmlight_file

from helpers.datasets import letor

N_DOCS, N_FEATURES, DOCS_PER_QUERY = 46_000, 136, 115
FASTER_THAN_SKLEARN, FASTER_FROM_CACHE, FEATURE_ARRAYS = 8, 50, 2


@pytest.fixture(scope="module")
def mslr_shaped(tmp_path_factory):
    """About 50 MB: half of the features counts, mostly small or 0, the others with six decimals."""
    rng = np.random.default_rng(10)
    counts = rng.geometric(0.2, (N_DOCS, N_FEATURES // 2)) ** rng.integers(0, 4, N_FEATURES // 2) - 1
    scores = rng.lognormal(0, 2, (N_DOCS, N_FEATURES - N_FEATURES // 2))
    scores[rng.random(scores.shape) < 0.4] = 0
    path = tmp_path_factory.mktemp("bench") / "train.txt"
    with path.open("w", newline="\r\n") as file:
        for row, (whole, real) in enumerate(zip(counts.tolist(), scores.tolist(), strict=True)):
            values = [*map(str, whole), *(f"{value:.6f}" if value else "0" for value in real)]
            pairs = " ".join(f"{index}:{value}" for index, value in enumerate(values, start=1))
            file.write(f"{row % 5} qid:{1 + row // DOCS_PER_QUERY} {pairs} \n")
    return path


def test_read_and_cache_are_faster_than_sklearn_with_equal_arrays(mslr_shaped, tmp_path, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path))
    letor.cached(mslr_shaped)  # compiles, and fills the cache
    readers = {
        "scikit-learn": lambda path: load_svmlight_file(path, query_id=True, zero_based=False),
        "letor.read": letor.read,
        "letor.cached": letor.cached,
    }
    seconds, read = _best_of(4, readers, mslr_shaped)

    size = mslr_shaped.stat().st_size / 1e6
    print(f"\n{size:.0f} MB              seconds    MB/s   times as fast")
    for name, best in seconds.items():
        print(f"{name:16s} {best:10.4f} {size / best:7.0f} {seconds['scikit-learn'] / best:10.1f}")

    X, y, qid = read["scikit-learn"]
    for collection in (read["letor.read"], read["letor.cached"]):
        np.testing.assert_array_equal(collection.features, X.toarray().astype(np.float32))
        np.testing.assert_array_equal(collection.grades, y)
        np.testing.assert_array_equal(collection.query_ids[collection.query_index], qid.astype(str))
    assert seconds["scikit-learn"] / seconds["letor.read"] >= FASTER_THAN_SKLEARN
    assert seconds["scikit-learn"] / seconds["letor.cached"] >= FASTER_FROM_CACHE


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
def test_reading_takes_less_than_twice_the_feature_array(mslr_shaped, packed, tmp_path):
    path = mslr_shaped
    if packed:
        path = tmp_path / "train.txt.gz"
        with gzip.open(path, "wb", compresslevel=1) as file:
            file.write(mslr_shaped.read_bytes())
    small = tmp_path / "small.txt"
    small.write_text("0 qid:1 1:0\n")
    prepare = f"from helpers.datasets import letor; letor.read({str(small)!r})"
    peak = peak_growth(prepare, f"letor.read({str(path)!r})") / (N_DOCS * N_FEATURES * np.dtype(np.float32).itemsize)
    print(f"\npeak of letor.read({path.name}): {peak:.2f} feature arrays")
    assert 1 < peak < FEATURE_ARRAYS


def _best_of(rounds, readers, path):
    """Best time and last result of each reader, which take turns so that none has the quiet moments to itself."""
    seconds, results = dict.fromkeys(readers, np.inf), {}
    for _ in range(rounds):
        for name, read in readers.items():
            start = time.perf_counter()
            results[name] = read(path)
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    return seconds, results
