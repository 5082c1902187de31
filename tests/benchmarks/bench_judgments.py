"""Study 6 on 100,000 judgments of 50 judges, a million read by the command, and single steps beside other packages.

pytest -q -s tests/benchmarks/bench_judgments.py; crowd-kit is asked for where it is installed.
"""

import resource
import subprocess
import sys
import time

import krippendorff
import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_limits
from timing import best_in_turn

from helpers.judging import agreements
from helpers.judging.aggregates import aggregate, dawid_skene
from helpers.judging.judgments import coded
from helpers.studies.judgments import asked, findings

N_JUDGES, N_DOCS, LENGTH = 50, 2000, 20
SECONDS, SECONDS_OF_A_MILLION = 20, 6
COMMAND = "from helpers.command.cli import main; main()"


def judgments(rng, n_docs=N_DOCS):
    """Judgments of every document by all judges, each within a grade of the truth; every fifth is a model."""
    truth = rng.integers(0, 4, n_docs)
    said = np.clip(truth + rng.integers(-1, 2, size=(N_JUDGES, n_docs)), 0, 3)
    judge, doc = (axis.ravel().astype(str) for axis in np.indices(said.shape))
    query = np.tile(np.arange(n_docs) // LENGTH, N_JUDGES).astype(str)
    names = np.char.add(np.where(judge.astype(int) % 5, "person ", "model: "), judge)
    return pd.DataFrame({"query": query, "doc": doc, "assessor": names, "grade": said.ravel()})


def test_a_hundred_thousand_judgments_of_fifty_judges():
    frame = judgments(np.random.default_rng(0))
    small = frame[frame["query"].isin(["0", "1"])]
    asked.answers(small)  # compiles what is compiled
    start = time.process_time()
    with threadpool_limits(1):
        found = asked.answers(frame)
        findings.report(found)
    seconds = time.process_time() - start
    print(f"\n{len(frame):,} judgments: {seconds:.1f} s of one core")
    assert seconds < SECONDS


def test_a_million_judgments_are_read_and_described_by_the_command(tmp_path):
    """By the processor's time, that of Python's start and of imports included."""
    file = tmp_path / "judgments.csv"
    judgments(np.random.default_rng(0), 10 * N_DOCS).to_csv(file, index=False)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", COMMAND, "judgments", str(file)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"\n1,000,000 judgments: {seconds:.1f} s of the processor")
    assert "Judgments: 1000000, pairs: 20000" in said
    assert seconds < SECONDS_OF_A_MILLION


def test_alpha_beside_krippendorff():
    """Ours from the frame or as it is coded, with an interval of 1,000 resamples; theirs of the matrix alone."""
    frame = judgments(np.random.default_rng(0))
    judged = coded(frame)
    matrix = frame["grade"].to_numpy(float).reshape(N_JUDGES, N_DOCS)
    found = agreements.alpha(frame, draws=1000, rng=np.random.default_rng(0))["alpha"]
    assert found == pytest.approx(krippendorff.alpha(matrix, level_of_measurement="ordinal"))
    ours, of_coded, theirs = best_in_turn(
        3,
        lambda: agreements.alpha(frame, draws=1000, rng=np.random.default_rng(0)),
        lambda: agreements.alpha(judged, draws=1000, rng=np.random.default_rng(0)),
        lambda: krippendorff.alpha(matrix, level_of_measurement="ordinal"),
    )
    print(f"\nalpha with its interval: ours {ours:.3f} s, coded before {of_coded:.3f} s", end="")
    print(f"; krippendorff, of a matrix and without interval, {theirs:.3f} s")


@pytest.mark.filterwarnings("ignore:The (inplace|copy) keyword")  # in crowd-kit
def test_alpha_and_aggregates_beside_crowd_kit():
    aggregation = pytest.importorskip("crowdkit.aggregation", reason="crowd-kit is not installed")
    from crowdkit.metrics.data import alpha_krippendorff

    frame = judgments(np.random.default_rng(0))
    answers = frame.rename(columns={"doc": "task", "assessor": "worker", "grade": "label"})
    apart = ordinal_distances(frame["grade"])

    def most():
        return aggregate("majority", *coded(frame).labels)

    def truth():
        return dawid_skene(*coded(frame).labels, 4)

    steps = {
        "alpha": (
            lambda: agreements.alpha(frame, draws=1000, rng=np.random.default_rng(0))["alpha"],
            lambda: alpha_krippendorff(answers, lambda one, other: apart[one, other]),
        ),
        "majority": (most, lambda: aggregation.MajorityVote().fit_predict(answers)),
        "Dawid and Skene": (truth, lambda: aggregation.DawidSkene(n_iter=100).fit_predict_proba(answers)),
    }
    found = {name: (ours(), theirs()) for name, (ours, theirs) in steps.items()}
    print()
    for name, both in steps.items():
        ours, theirs = best_in_turn(2, *both)
        print(f"{name:16s} ours {ours:.3f} s, crowd-kit {theirs:.3f} s: {theirs / ours:.0f} times as fast")
    assert found["alpha"][0] == pytest.approx(found["alpha"][1])
    judged = coded(frame)
    docs, votes = judged.pairs["doc"], np.sort(judged.votes)
    clear = votes[:, -1] > votes[:, -2]
    assert (found["majority"][0] == found["majority"][1].loc[docs].to_numpy())[clear].all()
    mine, theirs = found["Dawid and Skene"]
    assert (mine.argmax(axis=1) == theirs.loc[docs].idxmax(axis=1).to_numpy()).mean() > 0.999


def ordinal_distances(grades):
    """Krippendorff's distances of two grades, by how many labels stand between them."""
    counts = np.bincount(grades)
    middles = counts.cumsum() - counts / 2
    return np.subtract.outer(middles, middles) ** 2
