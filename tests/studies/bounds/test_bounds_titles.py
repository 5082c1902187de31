"""What the titles of study 2 say is what their figures draw: numbers are read back from dots, lines and cells."""

import numpy as np
import pandas as pd
import pytest
from drawn import dots, lines, numbers
from matplotlib.collections import PathCollection

from helpers import ceilings, metrics
from helpers.datasets import portrait
from helpers.engine import results
from helpers.judging.confusion import load_confusions, majority
from helpers.making.machine_labels import needed
from helpers.reporting import figures
from helpers.studies import ledger
from helpers.studies.bounds import collection_ceilings, findings, judges, protocol

STORED = results.stored("02")


@pytest.fixture(autouse=True)
def _closed(closed_figures):
    figures.set_look()


def test_how_much_closer_the_own_matrix_comes():
    own = ledger.effects("02").query("claim == 'O14'")
    together = ledger.stored("02").set_index("claim").loc["O14"]
    figure = figures.intervals(findings.closer(own, together, judges.DESCRIBED), "nDCG@10", at=0)
    (of_all,) = dots(figure.axes[0])
    drawn = of_all[:-1, 0]  # the last row is all together
    figures.headed(figure, findings.own_matrix(own))
    assert numbers(figure) == pytest.approx([(drawn > 0).sum(), len(drawn), drawn.min(), drawn.max()], abs=5e-4)
    assert of_all[-1, 0] == together["measured"]


@pytest.mark.parametrize(("profile", "step"), [([5, 4, 3, 2, 1], 1), ([50, 4, 3, 2, 1], 2), ([0, 0, 15, 0, 0], 1)])
def test_what_rankings_reach_with_a_strict_and_a_lenient_judge(profile, step):
    grades = np.repeat(np.arange(5), profile)
    labels = [np.clip(grades - step, 0, 4), np.clip(grades + step, 0, 4)]
    real = [metrics.ndcg(grades, each, [0, len(grades)], 10)[0] for each in labels]
    counts = np.zeros((2, 5, 5))
    for count, each in zip(counts, labels, strict=True):
        np.add.at(count, (grades, each), 1)
    shown = [count / np.maximum(count.sum(axis=1, keepdims=True), 1) for count in (*counts, counts.sum(axis=0))]
    filled = np.where(shown[2].any(axis=1, keepdims=True), shown[2], 0.2)  # of grades that no document has
    title = findings.two_queries(pd.DataFrame({"real": real, "pooled": ceilings.exact(profile, filled, 10)}))
    figure = figures.bounds.matrices(dict(zip(["strict query", "lenient query", "both"], shown, strict=True)), title)
    drawn = [np.ma.filled(ax.collections[0].get_array(), 0).reshape(5, 5) / 100 for ax in figure.axes]
    drawn = [np.where(matrix.any(axis=1, keepdims=True), matrix, 0.2) for matrix in drawn]
    said = [ceilings.exact(profile, matrix, 10) for matrix in drawn]  # one who is never in two minds: what is reached
    assert numbers(figure) == pytest.approx(said, abs=5e-3 if max(said) == 1 else 5e-4)


def test_what_worlds_save_on_average():
    rows = {"where queries have habits": np.array([0.05, 0.11]), "where they are alike": np.array([-0.01, 0.02])}
    figure = figures.bounds.worlds(rows, 10, findings.two_worlds(rows))
    assert numbers(figure) == pytest.approx([found[:, 0].mean() for found in dots(figure.axes[0])], abs=5e-4)


@pytest.mark.parametrize("pool", ["cystic-fibrosis", "chorus", "relish", "llmjudge"])
def test_how_far_a_query_is_off(pool):
    limits = STORED[pool]["limits"]
    figure = figures.bounds.limit_scatter(limits, findings.off(limits))
    small = [np.concatenate(dots(ax)[::2]) for ax in figure.axes]  # each before the means of its pairs
    assert numbers(figure) == pytest.approx([np.abs(x[:, 0] - x[:, 1]).mean() for x in small], abs=5e-4)
    assert len(small[0]) == limits["real"].notna().sum()
    assert bool(figure.legends) == (pool != "llmjudge")


def test_how_many_ceilings_the_best_ranker_is_past():
    known, learned = load_confusions(), collection_ceilings.learned()
    kinds = {name: collection_ceilings.kind_of(name) for name in known}
    tables = {name: STORED[name]["ceilings"] for name in collection_ceilings.ALL}
    title = findings.room(tables, learned)
    ax = figures.bounds.ceiling_strips(tables, learned, kinds, 10, title).axes[0]
    bars = {round(line.get_ydata()[0] - 0.32): line.get_xdata()[0] for line in ax.lines if len(line.get_xdata())}
    gaps = [x - bars[round(y)] for x, y in np.concatenate(dots(ax)) if round(y) in bars]
    assert numbers(ax.figure) == [(np.array(gaps) < 0).sum(), len(gaps)]
    assert set(range(len(tables))) - set(bars) == {list(tables).index("mq2007-part")}


def test_how_many_runs_lie_above_a_person():
    runs = STORED[findings.WORN_OUT]["runs"].query("tested_by == @findings.PEOPLE")
    ax = figures.bounds.runs_beside_limit(runs, findings.above(runs)).axes[0]
    drawn = [found for found in ax.collections if isinstance(found, PathCollection)]
    at = np.concatenate([found.get_offsets() for found in drawn])
    filled = np.concatenate([found.get_facecolors() for found in drawn])[:, :3].min(axis=1) < 1
    assert numbers(ax.figure)[:2] == [(at[:, 0] > 0).sum(), len(at)]
    assert numbers(ax.figure)[2] == filled.sum()
    assert np.sort(at[:, 1]).tolist() == list(range(len(runs)))
    assert (np.diff(at[np.argsort(at[:, 1]), 0]) <= 0).all()


def headed(table, x, y, hue, title, **options):
    return figures.headed(figures.curves(table, x, y, hue, **options), title)


def test_the_closed_form_on_longer_lists():
    table = STORED["lengths"]["lengths"]
    figure = headed(table, "length", "error", "cutoff", findings.shorter(table), band="", base=10)
    (of_ten,) = [drawn for drawn, k in zip(lines(figure.axes[0]), table["cutoff"].unique(), strict=True) if k == "10"]
    (first, error), (last, least) = of_ten[0], of_ten[-1]
    assert numbers(figure) == pytest.approx([error, first, least, last, 10], abs=1e-6)


def test_the_time_of_the_longest_list():
    table = STORED["lengths"]["methods"]
    figure = headed(table, "length", "seconds", "method", findings.faster(table), band="", base=10)
    ends = [1000 * drawn[-1, 1] for drawn in lines(figure.axes[0])]
    assert numbers(figure) == pytest.approx([1000, *ends], abs=0.05)


def test_what_a_majority_of_three_adds():
    crowd, rows = load_confusions()["WEB5_truth_vs_worker"].probabilities, []
    for name in ("mslr-sample", "clueweb09-webis"):
        counts = portrait.open(name).grade_counts
        values = {m: np.nanmean(ceilings.exact(counts, majority(crowd, m), 10)) for m in (1, 3)}
        rows += [{"collection": name, "judges": m, "ceiling": value} for m, value in values.items()]
    table = pd.DataFrame(rows)
    figure = headed(table, "judges", "ceiling", "collection", findings.majority(table), band="")
    gains = [drawn[-1, 1] - drawn[0, 1] for drawn in lines(figure.axes[0])]
    assert numbers(figure) == pytest.approx(gains[::-1], abs=5e-4)  # by name, the curves as they come


def test_as_many_queries_of_a_machine():
    trained = STORED[findings.TAUGHT]
    shown = trained["curves"].query("ranker == @findings.ALL")
    figure = headed(shown, "queries", "ndcg", "labels", findings.as_well(trained["worth"]), band="bars", base=2)
    drawn = dict(zip(shown["labels"].unique(), lines(figure.axes[0]), strict=True))
    size, target = drawn[findings.PERSON][-1]
    found = needed(*drawn[findings.MACHINE].T, target)
    worth = trained["worth"].query("ranker == @findings.ALL and queries == @size").iloc[0]
    assert numbers(figure) == pytest.approx([size, found, 0.95, worth["low"], worth["high"]], abs=0.5)


def test_a_run_of_the_readers_is_told_beside_what_is_stored():
    halves = pd.DataFrame({"query": ["a", "b", "c"], "real": 0.5, "pooled": [0.6, 0.62, 0.64], "own": [0.52, 0.5, 0.5]})
    mine = protocol.known_queries(dict.fromkeys(judges.REAL, halves), np.random.default_rng(1))
    row = findings.of_run(mine, 5).iloc[0]
    said = findings.beside(row, ledger.stored("02").set_index("claim").loc["O14"])
    assert said.startswith("Your run: +.113 (")
    assert "nDCG@5 of error saved over 4 sets, stored +.046 (.013 to .079) nDCG@10" in said
