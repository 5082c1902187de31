"""Titles of notebook 06 say what is drawn of the synthetic example and of what is made of it, read back in numbers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from drawn import dots, numbers, segments
from matplotlib.colors import to_rgb

from helpers.reporting import figures
from helpers.studies.judgments import brief, findings

pytestmark = pytest.mark.usefixtures("closed_figures")


def rows_of(ax):
    """Name of each row -> its height."""
    return {label.get_text(): place for label, place in zip(ax.get_yticklabels(), ax.get_yticks(), strict=True)}


def people(table):
    return table[~table["model"].astype(bool)]


def crowd(table):
    """More than can be shown, one model at the top and a better one at the end."""
    better = table.tail(1).assign(judge="model: better", model=True)
    more = [people(table).assign(judge=people(table)["judge"] + mark) for mark in "abc"]
    return pd.concat([table.head(1), *more, better]).sort_values("difference", kind="stable")


MANY = {
    "people": people,
    "one who is better": lambda table: table[table["difference_low"] > 0],
    "one of whom nothing is shown": lambda table: table[table["judge"] == "hurried"],
    "more than can be shown": crowd,
    "nothing to compare with": lambda table: table.assign(
        **dict.fromkeys(["difference", "difference_low", "difference_high"], np.nan)
    ),
}


@pytest.mark.parametrize("which", MANY)
def test_what_a_judge_in_the_place_of_another_changes(found, which):
    table = MANY[which](found.replacements)
    title = findings.replacing(replace(found, replacements=table))
    figure = figures.judgments.replacement_rows(table, 10, title)
    [ax] = figure.axes
    models, rows = table["model"].any(), rows_of(ax)
    tint = to_rgb(figures.look.colour("machine" if models else "people"))
    kinds = zip(ax.collections[::2], dots(ax), strict=True)
    drawn = next(places for bars, places in kinds if len(places) and to_rgb(bars.get_color()[0][:3]) == tint)
    value, place = max(drawn.tolist()) if models else min(drawn.tolist())  # the best model, or the worst person
    ends = next(ends[:, 0] for ends in segments(ax) if ends[0, 1] == place and ends[0, 0] <= value <= ends[1, 0])
    assert numbers(figure)[-3:] == pytest.approx([value, *ends], abs=5.1e-4)
    [name] = [name for name, height in rows.items() if height == place]
    assert f" {name} " in figure.get_suptitle()
    if which != "nothing to compare with":
        verdict = "worse than one" if ends[1] < 0 else "better than one" if ends[0] > 0 else "no loss from replacing"
        assert ("one at random" if name == "careless" else verdict) in figure.alt
    left_out = f"; {len(rows)} of {len(table)} judges"
    assert (len(rows) < len(table)) == (left_out in ax.get_xlabel())


def test_the_least_certain_grade_is_the_row_that_says_so_but_one_that_is_rare(found):
    wrong = pd.DataFrame([("grade 2, off the scale?", "", 3)], columns=found.wrong.columns)
    figure = figures.judgments.grade_confusion(found.confusion, findings.confused(replace(found, wrong=wrong)))
    ax = figure.axes[0]  # before its bar
    grades = [int(name) for name in rows_of(ax)]
    cells = ax.collections[0].get_array().reshape(len(grades), -1)
    often = [place for place, grade in enumerate(grades) if grade != 2]
    least = min(often, key=lambda place: cells[place, place])
    others = np.where(np.arange(len(grades)) == least, 0, cells[least])
    said = [grades[least], cells[least, least], grades[others.argmax()], others.max()]
    assert numbers(figure) == pytest.approx(said, abs=0.0051)
    assert "of those given often" in figure.get_suptitle()


def test_with_runs_what_is_said_of_the_list_goes_by_what_decides(found):
    four = found.ask_again.head(4).assign(
        decides=[3, 1, 1, 1], expected=[0, 0, 5, 1], summed=[1 / 2, 2 / 3, 5 / 6, 1], ask=[True, False, False, False]
    )
    listed = replace(found, ask_again=four, run_pairs=pd.DataFrame({"first": ["a"], "second": ["b"]}))
    assert "the difference of a and b in nDCG@10 it holds 50 %" in findings.asking(listed)
    assert brief.numbers(listed)["in a word"].iloc[-1] == "50 % of what decides between two runs"
    assert brief.numbers(found)["in a word"].iloc[-1].endswith(" % of the gain")
    beside_figure = "; this goes by what nDCG gains, the list by what decides between two runs."
    assert findings.regained(listed).endswith(f" at random{beside_figure}")
    assert findings.regained(found).endswith(" at random.")
