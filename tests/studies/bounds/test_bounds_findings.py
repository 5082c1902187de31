"""What study 2 answers and its sentences say of a few rows, and what its figures draw of them."""

import numpy as np
import pandas as pd
import pytest
from drawn import dots, numbers

from helpers.reporting import figures
from helpers.studies import ledger
from helpers.studies.bounds import findings, judges, protocol

PAIRS = pd.DataFrame(
    {"query": ["a", "b", "c"], "testing": "A", "training": ["B", "C", "B"], "real": [0.5, np.nan, 0.7]}
).assign(pooled=[0.6, 0.1, 0.6], elsewhere=[0.9, 0.1, 0.8])
LIMITS = pd.DataFrame({"real": [0.975, 1.0], "pooled": 0.849})
RUNS = pd.DataFrame({"run": list("xyz"), "family": ["p", "q", "p"], "difference": [-0.1, 0.2, 0.1]})
RUNS = RUNS.assign(low=[-0.3, 0.1, -0.1], high=[0.1, 0.3, 0.3])
TABLES = {name: pd.DataFrame({"matrix": ["m", "n"], "exact": [0.2, 0.6]}) for name in ("one", "two")}
LEARNED = pd.DataFrame({"dataset": ["one", "one"], "ndcg": [0.3, 0.5], "low": [0.2, 0.4], "high": [0.4, 0.55]})
LENGTHS = pd.DataFrame({"length": [10, 1000, 10], "cutoff": ["10", "10", "5"], "error": [0.01, 0.000002, 0.5]})
TIMES = pd.DataFrame(
    {"length": [10, 1000, 1000], "method": ["exact", "exact", "simulated"], "seconds": [9, 0.002, 1.5]}
)
WORTH = pd.DataFrame({"ranker": [findings.ALL] * 2 + ["R"], "queries": [5, 42, 99], "needed": [7, 44.3, 1]}).assign(
    low=20, high=113
)
JUDGES = pd.DataFrame({"collection": ["a", "a", "b", "b"], "judges": [1, 3] * 2, "ceiling": [0.1, 0.2, 0.4, 0.3]})
CROWD = pd.DataFrame({"grade": [0, 1], "agreement": [0.8, 0.4], "between_low": [0.1, -0.1]})


def test_the_answer_says_what_to_do_what_is_lost_what_is_saved_and_whether_it_binds_learners():
    judged = ledger.stored("02")
    said = findings.answer(judged)
    for claim in ("M1", "M4", "O14"):
        row = judged.set_index("claim").loc[claim]
        assert f"{row['measured']:.3f}".removeprefix("0") in said
    assert "loses .280 (.166 to .394) nDCG@10" in said
    assert len(said.split()) <= 95
    assert "pass the ceiling: opposite" in findings.answer(judged.assign(verdict="opposite"))


@pytest.mark.parametrize(
    ("sentence", "given", "end"),
    [
        (findings.own_matrix, [pd.DataFrame({"effect": [0.05, -0.01]})], "in 1 of 2 sets of judges: by -.010 to .050"),
        (findings.two_queries, [LIMITS], "reach .975 and 1.00; one matrix for both queries says .849"),
        (findings.two_worlds, [{"where alike": np.array([-0.01, 0.02])}], "saves .005 where alike"),
        (findings.off, [PAIRS], "off by .100 on average with these judges' matrix, by .250 with one from elsewhere"),
        (findings.above, [RUNS], "2 of 3 runs lie above a ranking that is perfect for one person, 1 of them clearly"),
        (findings.room, [TABLES, LEARNED], "is past 1 of 2 ceilings, and has room below the others"),
        (findings.room, [TABLES, LEARNED.iloc[:0]], "No ranker was tested at this cut-off"),
        (
            findings.shorter,
            [LENGTHS],
            ".010000 on lists of 10 and .000002 on lists of 1,000 documents, down to rank 10",
        ),
        (findings.faster, [TIMES], "1,000 documents takes 2.0 ms (exact) and 1,500.0 ms (simulated)"),
        (findings.majority, [JUDGES], "moves the ceiling by +.100 on a and -.100 on b"),
        (
            findings.as_well,
            [WORTH],
            "42 queries labelled by a person train as well as 44 by a machine (95 %: 20 to 113)",
        ),
        (findings.agreement, [CROWD], "40 % of the time on grade 1; queries differ in it on grade 0."),
        (findings.agreement, [CROWD.assign(between_low=-0.1)], "no difference between queries is seen."),
    ],
)
def test_what_a_sentence_says_of_a_few_rows(sentence, given, end):
    assert sentence(*given).endswith(end)


def test_figures_draw_what_there_is_and_no_more(closed_figures):
    small, large = dots(figures.bounds.limit_scatter(PAIRS, "").axes[0])[:2]
    assert (small.tolist(), large.tolist()) == ([[0.6, 0.5], [0.6, 0.7]], [[0.6, 0.6]])  # B's; C has no real limit
    strips = figures.bounds.ceiling_strips(TABLES, LEARNED, {"m": "people", "n": "models"}, 10, "").axes[0]
    assert [line.get_xdata().tolist() for line in strips.lines] == [[0.5], []]  # nothing was learned on the second
    assert [of_kind[0].tolist() for of_kind in dots(strips)[:2]] == [[0.2, -0.26], [0.6, -0.1]]
    runs = figures.bounds.runs_beside_limit(RUNS, "").axes[0]
    assert np.concatenate(dots(runs)).tolist() == [[0.1, 1], [-0.1, 2], [0.2, 0]]
    assert [set(found.get_facecolors()[:, :3].min(axis=1) == 1) for found in runs.collections[1::2]] == [
        {True},
        {False},
    ]
    kinds = {"alike": np.array([0.1, 0.2]), "not": np.array([0.3])}
    title = findings.two_worlds(kinds)
    worlds = figures.bounds.worlds(kinds, 10, title)
    assert numbers(worlds) == pytest.approx([found[:, 0].mean() for found in dots(worlds.axes[0])])
    matrix = (
        figures.bounds.matrices({"mine": np.array([[0.7, 0.3], [0.0, 1.0]])}, "").axes[0].collections[0].get_array()
    )
    assert np.ma.filled(matrix, -1).ravel().tolist() == [70, 30, -1, 100]  # what never happened is left empty


def test_a_run_of_the_readers_is_told_beside_what_is_stored():
    halves = pd.DataFrame({"query": ["a", "b", "c"], "real": 0.5, "pooled": [0.6, 0.62, 0.64], "own": [0.52, 0.5, 0.5]})
    mine = protocol.known_queries(dict.fromkeys(judges.REAL, halves), np.random.default_rng(1))
    said = findings.beside(findings.of_run(mine, 5).iloc[0], ledger.stored("02").set_index("claim").loc["O14"])
    assert said.startswith("Your run: +.113 (")
    assert "nDCG@5 of error saved over 4 sets, stored +.046 (.013 to .079) nDCG@10" in said
