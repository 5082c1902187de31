"""Files of MSLR-WEB30K's shape drawn from a portrait: time and peak memory of each step, and how they grow.

With LABEL_STUDIES_TESTS=all a million rows beside 250,000, else a tenth of both.
"""

import os

import pytest
from memory import cost

from helpers import rankers

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
ROWS = (250_000, 1_000_000) if LARGE else (25_000, 100_000)
PART = 12_500
"""Rows that are written as text once and repeated."""

DOCS_PER_QUERY, N_FEATURES = 115, 136
FOUR_TIMES_THE_ROWS = 8  # times as long at most: linear, with a factor of two for sorting and a busy machine

DRAW = """
import sys
import numpy as np
from helpers.datasets import collection, letor, portrait
source, rng = portrait.open("mslr-sample"), np.random.default_rng(1)
portrait.draw(source, 2, rng)
"""
START = """
import numpy as np
from helpers import rankers
from helpers.datasets import collection, letor, sampling
from helpers.datasets.collection import Collection
from helpers.judging import noise
warm = Collection(np.random.default_rng(1).random((40, 136)), [0, 1] * 20, [0, 20, 40])
"""
RUNS = """
from helpers.studies.depth import trial as depth
from helpers.studies.robustness import trial as robustness
few = collection.open_saved({small!r})
parts = {{"training": warm, "pool": warm, "validation": warm, "test": warm, "first_stage": (0, 1)}}
even = {{"uniform": noise.uniform(5, 1.0)}}
def run_3(training):
    folds = [(training, few, few)]
    return robustness.train_and_test("", "LambdaMART", 1, "uniform", 0.1, 0, rng=rng, folds=folds, confusions=even)
def run_4(training, **others):
    given = parts | {{"training": training}} | others
    return depth.train_and_test("LambdaMART", "training", 0.5, 16, "random", 0, rng=rng, **given)
rng = np.random.default_rng(1)
run_3(warm), run_4(warm)
"""
DEPTH = "few = sampling.documents(sampling.queries(c, 0.5, rng), 16, rng)"
ROBUSTNESS = "noisy = c.with_grades(noise.inject(c.grades, 0.1, 5, rng))"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Folder of a text file and a saved collection for each number of rows, and what drawing them cost."""
    folder, costs = tmp_path_factory.mktemp("sizes"), {}
    part = folder / "part.txt"
    small = f"c = portrait.draw(source, {PART // DOCS_PER_QUERY}, rng); collection.save(c, {str(folder / 'small')!r})"
    cost(DRAW, f"{small}; letor.write(c, {str(part)!r})")
    for rows in ROWS:
        draw = f"c = portrait.draw(source, {rows // DOCS_PER_QUERY}, rng)"
        costs[rows] = cost(DRAW, f"{draw}; collection.save(c, {str(folder / str(rows))!r})")
        repeat(part.read_bytes(), rows // PART, folder / f"{rows}.txt")
    return folder, costs


def repeat(text, times, path):
    """A LETOR file that says the same several times, of other queries: writing numbers as text takes long."""
    with path.open("wb") as file:
        for i in range(times):
            file.write(text.replace(b"qid:", b"qid:%d" % (100 + i)))


def told(step, costs):
    """Print seconds, and peak memory in arrays of features, for each number of rows; how many times as long it took."""
    for rows, (seconds, peak, _) in costs.items():
        print(f"\n{step:28s} {rows:9,} rows {seconds:8.2f} s {peak / 1e6:8.0f} MB", end="")
        print(f" {peak / (rows * N_FEATURES * 4):6.2f} times the features", end="")
    small, large = costs.values()
    print(f"   {large.seconds / small.seconds:.1f} times as long")
    return large.seconds / small.seconds


def more(costs):
    """How much more memory the larger file takes than the smaller, as a multiple of its further features."""
    small, large = costs.values()
    return (large.peak - small.peak) / ((ROWS[1] - ROWS[0]) * N_FEATURES * 4)


def at_most_twice_the_features(costs):
    """Whether a step that reads the larger file takes twice its features at most, its mapped pages counted.

    Asked of a million rows only: of up to 200,000 rows LightGBM takes all as its sample, in numbers of 8 bytes.
    """
    return not LARGE or costs[ROWS[1]].growth < 2 * ROWS[1] * N_FEATURES * 4


def test_portraits_are_drawn_a_part_at_a_time(drawn):
    _, costs = drawn
    told("draw and save", costs)
    assert more(costs) < 2


def test_reading(drawn):
    folder, _ = drawn
    read = {rows: cost(START, f"letor.read({str(folder / f'{rows}.txt')!r})") for rows in ROWS}
    assert told("read text", read) < FOUR_TIMES_THE_ROWS
    assert more(read) < 2


def test_a_memory_map_takes_no_memory_until_it_is_used(drawn):
    folder, _ = drawn
    mapped = {
        rows: cost(START, f"Collection.mapped(__import__('pathlib').Path({str(folder / str(rows))!r}))")
        for rows in ROWS
    }
    told("map", mapped)
    assert more(mapped) < 0.2


@pytest.mark.parametrize("step", [DEPTH, ROBUSTNESS], ids=["sampled run of study 4", "noisy labels of study 3"])
def test_what_a_run_samples(drawn, step):
    folder, _ = drawn
    costs = {rows: cost(START, f"{opened(folder, rows)}; {step}") for rows in ROWS}
    assert told(step.split("=")[0], costs) < FOUR_TIMES_THE_ROWS
    assert at_most_twice_the_features(costs)


@pytest.mark.parametrize(
    ("name", "step"),
    [("run of study 3", "run_3(c)"), ("sampled run of study 4", "run_4(c, validation=few, test=few)")],
)
def test_one_run_of_a_study(drawn, name, step):
    """LambdaMART on all rows with noisy labels, or on 16 documents of half of the queries; the test set is small."""
    folder, _ = drawn
    ready = START + RUNS.format(small=str(folder / "small"))
    costs = {rows: cost(ready, f"{opened(folder, rows)}; {step}") for rows in ROWS}
    assert told(name, costs) < FOUR_TIMES_THE_ROWS
    assert at_most_twice_the_features(costs)


@pytest.mark.parametrize("ranker", rankers.NAMES)
def test_training(drawn, ranker):
    folder, _ = drawn
    fit = f"rankers.seeded({ranker!r}, 1).fit(c.features, c.grades, c.group)"
    ready = f"{START}\nrankers.seeded({ranker!r}, 1).fit(warm.features, warm.grades, warm.group)"
    costs = {rows: cost(ready, f"{opened(folder, rows)}; {fit}") for rows in ROWS}
    assert told(ranker, costs) < FOUR_TIMES_THE_ROWS
    assert at_most_twice_the_features(costs)


def opened(folder, rows):
    return f"c, rng = collection.open_saved({str(folder / str(rows))!r}), np.random.default_rng(1)"
