"""What the titles of study 1's figures say is what is drawn: read back from the artists, and counted anew."""

import numpy as np
import pandas as pd
import pytest
from drawn import bars, marked, numbers
from scipy import stats

from helpers.engine import results
from helpers.reporting import figures
from helpers.reporting.figures.look import colour
from helpers.studies.overlap import judge_fit, people, printed, titles

pytestmark = pytest.mark.usefixtures("closed_figures")


@pytest.fixture(scope="module")
def stored():
    return results.stored("01")


def test_the_answer_says_which_pooled_intervals_leave_zero_out():
    gains = people.gains()
    figure = figures.overlap.answer(gains, titles.answered(gains))
    (ax,) = figure.axes
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert numbers(figure) == [len(names) - 1]
    pooled = [bars(ax)[round(y, 3)] for _, y in marked(ax, "D")]
    assert len(pooled) == len(people.USES)
    assert ("no use of several clearly beats" in figure.get_suptitle()) == all(low <= 0 for low, _ in pooled)
    clear = gains.assign(low=0.001)  # the other way round, too
    assert "if-good-k, one fine label and one fine label, equal cost clearly beat one" in titles.answered(clear)


def test_a_run_of_ones_own_says_what_its_black_dots_do():
    own = pd.DataFrame({"use": "if-good-k", "where": ["yours, LambdaRank", "yours, RankSVM"], "effect": [0.012, -0.004],
                        "low": [0.004, -0.03], "high": [0.02, 0.022], "kind": people.OWN})  # fmt: skip
    figure = figures.overlap.answer(pd.concat([people.gains(), own]), titles.own(own))
    black = [line for line in figure.axes[0].lines if line.get_color() == colour("text")]
    drawn = [(*line.get_xdata(),) for line in black if len(line.get_xdata()) == 1]
    assert numbers(figure)[0::3] == pytest.approx(np.ravel(drawn))
    assert people.own_sentence(own).endswith("with RankSVM: holds and cannot tell.")


def test_labels_that_are_bought_are_counted():
    labels = np.array([[2, 0, 0], [1, 4, 4], [3, 3, 1]])
    figure = figures.overlap.bought_labels(labels, ["if-good-3", "3-overlap"], titles.bought(labels, 3))
    texts = [[text.get_text() for text in ax.texts if text.get_text().isdigit()] for ax in figure.axes]
    assert numbers(figure) == [3, 3, len(texts[0]), 3, len(texts[1])]


def test_kendalls_tau_is_that_of_the_dots_and_the_diamonds(stored):
    tables = {table: printed.gains(stored, table) for table in ("Table 1", "Table 3")}
    taus = {table: rows["paper"].corr(rows["ours"], method="kendall") for table, rows in tables.items()}
    figure = figures.overlap.printed_gains(tables, printed.gains_title(taus))
    found = [stats.kendalltau(*(marked(ax, mark)[:, 0] for mark in "oD")).statistic for ax in figure.axes]
    assert numbers(figure) == pytest.approx([found[0], 1, found[1], 3], abs=0.005)


def test_the_best_k_is_that_of_the_highest_dot(stored):
    table = printed.curves(stored, results.stored("01/people"))
    figure = figures.overlap.if_good_curves(table, printed.curves_title(table))
    best = []
    for ax in figure.axes:
        points, names = marked(ax), [label.get_text() for label in ax.get_xticklabels()]
        measured = [(y, x) for x, y in points if names[round(x) - 1].isdigit()]
        best.append(max(measured)[1])
    assert numbers(figure) == [*best, 3, 3, 2]


def test_no_line_crosses_a_k_that_was_not_run(stored):
    table = printed.curves(stored, {})
    figure = figures.overlap.if_good_curves(table, "A title")
    curve = figure.axes[0].lines[1].get_ydata()
    assert np.isnan(curve).tolist() == [False, False, False, False, True, False]


def test_the_largest_majority_and_the_best_judge_are_the_ends_of_the_dashed_lines(stored):
    crowds = printed.agreement(stored)
    figure = figures.overlap.agreement_curves(crowds, printed.agreement_title(crowds))
    ends = [[line.get_ydata()[-1] for line in ax.lines if line.get_linestyle() == "--"] for ax in figure.axes]
    assert numbers(figure) == pytest.approx(np.ravel(ends), abs=0.005)


def heights(ax):
    """who -> grade -> share, of the bars of a panel in the order in which they are drawn."""
    return [[bar.get_height() for bar in container] for container in ax.containers]


def test_featured_judges_give_their_own_grade_most(stored):
    tables = printed.featured(stored)
    figure = figures.overlap.grade_shares(tables, printed.featured_title(tables))
    own = [np.diag(np.array(heights(ax))) for ax in figure.axes]
    expected = [end for shares in own for end in (shares.min(), shares.max())]
    assert numbers(figure) == pytest.approx(expected, abs=0.005)


def test_the_lowest_grade_has_the_share_of_its_bars(stored):
    tables = printed.distribution(stored)
    figure = figures.overlap.grade_shares(tables, printed.distribution_title(tables))
    shares = [row[0] for row in heights(figure.axes[0])]
    assert numbers(figure)[1:] == pytest.approx(shares, abs=0.005)


def test_what_judges_were_fitted_to_is_nearer_than_what_is_predicted():
    table = judge_fit.table(judge_fit.stored())
    figure = figures.overlap.fitted_costs(table, printed.fitted_title(table))
    off = {"full": [], "none": []}
    for ax in figure.axes[1::2]:
        [diamonds] = [line for line in ax.lines if line.get_marker() == "D"]
        circles = [line for line in ax.lines if line.get_marker() == "o"]
        for mark, circle in zip(diamonds.get_xdata(), circles, strict=True):
            off[circle.get_fillstyle()].append(abs(circle.get_xdata()[0] / mark - 1))
    assert numbers(figure) == pytest.approx([np.median(own) for own in off.values()], abs=5e-4)


def test_the_ways_to_double_a_budget_have_the_means_of_their_dots(stored):
    tables = {name: stored[name]["comparisons"] for name in ("three-ways", "three-ways-cystic-fibrosis")}
    figure = figures.overlap.ways_to_double(tables, titles.ways(tables))
    by_way = np.array(
        [[line.get_ydata().mean() for line in ax.lines if line.get_marker() == "o"] for ax in figure.axes]
    )
    assert numbers(figure) == pytest.approx(by_way.mean(axis=0), abs=0.05)


def test_the_map_counts_the_cells_that_one_label_wins_and_names_who_wins_and_by_how_much(stored):
    table = stored["per-label"]["map"]
    figure = figures.overlap.judge_map(table, judge_fit.stored(), titles.judge_map(table))
    cells = [text.get_text() for text in figure.axes[0].texts]
    assert numbers(figure) == [sum(text.startswith("one label") for text in cells), len(cells)]
    said = {tuple(np.round(text.get_position(), 4)): text.get_text() for text in figure.axes[0].texts}
    step = 0.25 * 0.45  # below the middle of a cell; the lead of .00215 is in points, and a star says that it is clear
    assert said[0.25, 0.5 - step] == "if-good-mean-3 +0.2"
    assert (said[0.25, 0.25 - step], said[1.0, 1.0 - step]) == ("one label", "one label *")
