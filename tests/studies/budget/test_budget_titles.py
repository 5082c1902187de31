"""What the titles of study 5 say is read back from what is drawn below them, of stored pilots and trainings."""

import numpy as np
import pandas as pd
import pytest
from drawn import dots, lines, numbers

from helpers.metrics import power
from helpers.reporting import figures
from helpers.reporting.figures import budget as drawn
from helpers.studies import budget as budget_module
from helpers.studies.budget import findings, stored, tables

BUDGET, COSTS = 2000.0, budget_module.Costs(5, 1, 0.02)
PILOTS = stored.pilots()


@pytest.fixture(autouse=True)
def _closed(closed_figures):
    figures.set_look()


@pytest.mark.parametrize(("name", "budget"), [("chorus", BUDGET), ("dl21", BUDGET), ("dl21", 24.0)])
def test_what_budgets_see_is_where_their_line_runs(name, budget):
    """Of 24 the least budgets buy nothing, and have no point."""
    rows = tables.seen_by_budget(PILOTS[name], COSTS, budget)
    [ax] = drawn.seen_by_budget(rows, 10, findings.seen_by_budget(rows, budget)).axes
    [line, *_] = lines(ax)
    [[(money, this)]] = [found for found in dots(ax) if len(found) == 1]
    (least, most), (of_least, of_most) = line[[0, -1]].T
    assert (money, most) == (budget, 4 * budget)
    assert least == (budget / 4 if budget == BUDGET else pytest.approx(budget / 2))
    assert numbers(ax.figure) == pytest.approx([budget, this, least, of_least, most, of_most], abs=5e-3)
    assert this == pytest.approx(dict(line)[budget])
    plan = budget_module.plan(PILOTS[name], COSTS, budget)
    assert (plan.best["seen"], ax.texts[0].get_text()) == (
        pytest.approx(this), f"{plan.best['queries']:,} queries to depth {plan.best['depth']}",
    )  # fmt: skip


@pytest.mark.parametrize(("true", "spread", "queries"), [(0.05, 0.2, 50), (0.1, 0.3, 20)])
def test_the_worlds_that_see_are_the_coloured_part_of_the_bars(rng, true, spread, queries):
    means = rng.normal(true, spread / queries**0.5, 500)
    seen = np.abs(means) > true
    [ax] = drawn.worlds(means, seen, true, findings.worlds(means, seen, true, spread, queries)).axes
    heights = [sum(bar.get_height() for bar in bars) for bars in ax.containers]
    assert sum(heights) == pytest.approx(500)
    assert numbers(ax.figure) == pytest.approx(
        [queries, true, heights[1] / 500, 500, power.power(true, spread, queries)], abs=5e-3
    )
    assert lines(ax)[0][:, 0].tolist() == [true, true]


def bench(half=0.04):
    """Two kinds of pilots held back, one of few pairs, and one on which the promise was built."""
    kinds = [("r", "held back", 25), ("d", "held back", 25), ("m", "shown only", 25), ("r", "built on", 25)]
    values = {"power": (0.75, 0.83, 0.6, 0.1), "cover": (0.94, 0.91, 0.8, 0.1), "cost": (1.1, 1.3, 2.0, 9.0)}
    values |= {"power, once": (0.77, 0.88, 0.6, 0.1), "cover, raw": (0.81, 0.82, 0.7, 0.1)}
    rows = [
        (*kind, how, what, kept - less, kept - less - half, kept - less + half, 960)
        for how, less in (("corrected", 0), ("as chosen", 0.1))
        for what, each in values.items()
        for kind, kept in zip(kinds, each, strict=True)
    ]
    columns = ["collection", "pairs", "pilot", "how", "what", "kept", "low", "high", "plans"]
    return tables.of_bench(pd.DataFrame(rows, columns=columns))


@pytest.mark.parametrize("rows", [bench(), tables.promised()], ids=["by hand", "stored"])
def test_what_is_kept_is_read_off_the_rows_of_pairs_held_back(rows):
    figure = drawn.promised(rows, findings.promised(rows))
    power_of, _ = figure.axes
    names = [label.get_text() for label in power_of.get_yticklabels()]
    held = [number for number, name in enumerate(names) if "few pairs" not in name]
    chosen, corrected, strict = (points[np.isin(points[:, 1].round(), held), 0] for points in dots(power_of))
    own = rows[rows["held"] & (rows["what"] == "power, once") & (rows["how"] == "corrected")]
    assert strict.tolist() == own["kept"].tolist()
    said = [0.8, corrected.min(), corrected.max(), chosen.min(), chosen.max()]
    assert numbers(figure) == pytest.approx(said, abs=5e-3)


def test_kinds_of_pilots_that_miss_what_was_wanted_are_named():
    assert findings.wanted(bench()) == [
        "Wanted of power are .80 in its interval and .76 to .84. Of kinds of pilots held back it is kept: on queries "
        "drawn anew, 1 of 2, not r, 25 queries (.750); strictly, drawn without replacement, 1 of 2, not d, 25 queries "
        "(.880).",
        "Wanted of the share of intervals that hold the truth are .93 to .97. Of kinds of pilots held back it is kept: "
        "counting the error of the truth, 1 of 2, not d, 25 queries (.910); strictly, as if it had none, 0 of 2, not "
        "r, 25 queries (.810) and d, 25 queries (.820).",
        "What a difference of .05 is told to cost is 1.1 to 1.3 times the cheapest true price, in the medians.",
    ]
    assert (
        "anew, 0 of 2, not r, 25 queries (.750) and d, 25 queries (.830); strictly" in findings.wanted(bench(0.02))[0]
    )


@pytest.mark.parametrize("ratio", [0.02, 0.2])
def test_pairs_for_which_a_machine_pays_lie_right_of_its_price(ratio):
    pairs = budget_module.pair_table(stored.tables("dl21")["systems"])
    [ax] = drawn.machine_prices(pairs, ratio, findings.machine_price(pairs, ratio)).axes
    [prices, shares], [now, _] = ax.lines[0].get_data(), ax.lines[1].get_xdata()
    half = np.interp(50, shares[::-1], prices[::-1])
    assert numbers(ax.figure) == pytest.approx([now, (prices > now).sum(), len(prices), half], abs=5e-3)


def test_what_a_free_machine_leaves_is_said_of_all_pairs_and_of_those_left_out():
    pairs = budget_module.pair_table(systems := stored.tables("dl21")["systems"])
    [ax] = drawn.machine_prices(pairs, 0, "").axes
    prices = ax.lines[0].get_xdata()  # the price is that of a correlation, of which the square is what a machine saves
    left = (prices <= (2**0.5 - 1) ** 2).mean()
    said = findings.machine_on_pairs(pairs)
    n = systems["system"].nunique()
    assert f"and half or more for {100 * left:.0f} % of the pairs" in said
    assert said.endswith(f"Left out: {n * (n - 1) // 2 - len(prices)} pairs of systems that never differ.")


def test_lines_vary_as_told_and_rings_stand_on_them():
    rows = tables.trained()
    figure = drawn.trained(rows, findings.trained(rows))
    drawn_lines = [line for ax in figure.axes for line in lines(ax)]
    spans = [np.ptp(line[line[:, 0] >= tables.FLAT, 1]) for line in drawn_lines if (line[:, 0] >= tables.FLAT).any()]
    said = [tables.FLAT, len(spans), np.median(spans), min(spans), max(spans)]
    assert numbers(figure) == pytest.approx(said, abs=5e-4)
    rings = np.concatenate([found for ax in figure.axes for found in dots(ax)[-1:]])
    points = np.concatenate(drawn_lines)
    assert len(rings) == rows["twice"].sum()
    assert all(np.isclose(points, ring).all(axis=1).any() for ring in rings)
