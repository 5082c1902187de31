"""The answers of the guide: what its titles say is recomputed from what is drawn, and its six sentences from tables."""

import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection

from helpers.engine import results
from helpers.reporting import figures
from helpers.studies import guide, ledger
from helpers.studies.budget import stored, tables

pytestmark = pytest.mark.usefixtures("closed_figures")
NUMBER = re.compile(r"[-+]?\d*\.?\d+")
DIGITS = 0.0051  # to which a title tells a number


@pytest.fixture(scope="module")
def pictures():
    """Name of a title -> the frame of its picture, from the stored tables."""
    judged, effects = ledger.stored(), ledger.effects()
    return {
        "losses": guide.losses(judged),
        "worth": guide.worth(tables.depth_worth(stored.pilots())),
        "opinions": guide.opinions(effects),
        "asked": guide.asked(results.stored("06")),
        "limits": guide.limits(effects),
    }


def drawn(rows, hue=""):
    """What is drawn of a frame: (name of the row, value) of each dot, by colour."""
    [ax] = figures.intervals(rows, "value", hue=hue).axes
    names = [label.get_text() for label in ax.get_yticklabels()]
    dots = [found for found in ax.collections if isinstance(found, PathCollection)]
    return [[(names[round(y)], x) for x, y in each.get_offsets()] for each in dots]


def told(title):
    return [float(found.rstrip(".")) for found in NUMBER.findall(title)]


def ends(dots):
    values = [value for _, value in dots]
    return [min(values), max(values)]


def test_the_loss_that_is_told_is_that_of_the_last_depth_with_an_interval_above_zero(pictures):
    rows = pictures["losses"]
    [dots] = drawn(rows)
    depth, loss, _, kept = told(guide.of_losses(rows))
    assert dict(dots)[f"{depth:.0f} documents"] == pytest.approx(loss, abs=DIGITS / 10)
    assert (rows.loc[rows["name"] == f"{kept:.0f} documents", "low"] <= 0).all()
    assert (rows.loc[rows["name"] == f"{depth:.0f} documents", "low"] > 0).all()


def test_the_worths_that_are_told_are_the_ends_of_the_dots_at_their_depths(pictures):
    dots = [dot for of_pilot in drawn(pictures["worth"], "pilot") for dot in of_pilot]
    low, high, depth, lower, higher, deeper = told(guide.of_worth(pictures["worth"]))
    for at, said in ((depth, (low, high)), (deeper, (lower, higher))):
        of_depth = [dot for dot in dots if dot[0] == f"to depth {at:.0f}"]
        assert [share / 100 for share in said] == pytest.approx(ends(of_depth), abs=DIGITS)


def test_what_opinions_change_and_ceilings_leave_are_the_ends_of_the_dots(pictures):
    [dots] = drawn(pictures["opinions"])
    assert told(guide.of_opinions(pictures["opinions"]))[1:] == pytest.approx(ends(dots), abs=DIGITS / 10)
    [dots] = drawn(pictures["limits"])
    assert told(guide.of_limits(pictures["limits"]))[1:] == pytest.approx([*ends(dots), len(dots)], abs=DIGITS)


def test_what_asking_again_closes_are_the_ends_of_the_dots_of_either_way(pictures):
    chosen, random = drawn(pictures["asked"], "how")
    said = [share / 100 for share in told(guide.of_asked(pictures["asked"]))]
    assert said == pytest.approx(ends(chosen) + ends(random), abs=DIGITS)


def test_a_ceiling_is_what_disagreement_leaves_of_one():
    rows = {"claim": ["M1", "M3"], "collection": "x", "effect": 0.25, "low": 0.2, "high": 0.35}
    found = guide.limits(pd.DataFrame(rows))
    assert found.loc[0, ["value", "low", "high"]].tolist() == pytest.approx([0.75, 0.65, 0.8])


def test_the_six_sentences_have_a_number_a_price_and_a_notebook(pictures):
    kept = {study: results.stored(study) for study in ("02", "05", "06")}
    advice = guide.advice(ledger.stored(), kept, pictures["worth"])
    assert len(advice) == 6
    assert all(NUMBER.search(text) for text in [*advice["the number"], *advice["the price"]])
    assert advice["more"].str.fullmatch(r"\[0\d\]\(0\d\w+\.ipynb\)").all()
    assert "8 documents or more" in advice["what to do"].iloc[0]


def test_twice_as_narrow_takes_four_times_the_documents(monkeypatch):
    kept = results.stored("02")
    once = guide.judged_twice(kept)
    monkeypatch.setattr(guide, "WIDTH", guide.WIDTH / 2)
    assert np.isclose(guide.judged_twice(kept) / once, 4, rtol=0.01)


def test_every_numbered_table_and_figure_of_the_papers_stands_in_a_notebook():
    index = guide.index()
    assert len(index) == 24
    assert index["beside ours in"].str.match(r"\[0[1-4]a?\]\(0\w+\.ipynb\), In \[\d+\]").all()
