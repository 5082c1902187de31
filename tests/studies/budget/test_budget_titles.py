"""What the titles of study 5 say is read back from what is drawn below them, of the stored pilots and surfaces."""

import re

import numpy as np
import pytest
from drawn import dots, lines, numbers
from matplotlib.colors import to_hex

from helpers.metrics import power
from helpers.reporting import figures
from helpers.reporting.figures import budget as drawn
from helpers.reporting.figures.look import colour
from helpers.studies import budget
from helpers.studies.budget import findings, sliders, stored, tables, training
from helpers.studies.budget.resampling import bias_size, spread

BUDGET, COSTS = 2000.0, budget.Costs(5, 1, 0.02)
PILOTS = stored.pilots()
PEOPLE = {"one person": 1, "two people": 2, "three people": 3, "five people": 5}


@pytest.fixture(autouse=True)
def _closed(closed_figures):
    figures.set_look()


@pytest.fixture(scope="module")
def fits():
    """All surfaces of the notebook, by fewer draws."""
    return training.fitted(stored.pools(), np.random.default_rng(5), 2)


def rows_of(ax):
    """Row -> x of its dots, of all colours."""
    found = np.concatenate(dots(ax))
    return [found[found[:, 1].round() == row, 0] for row in range(len(ax.get_yticks()))]


def reached(pilot, costs, title):
    """The difference that the plan which a title names sees, with its bias, by the formula; and what it costs."""
    *everywhere, people, depth = (int(each.replace(",", "")) for each in re.findall(r"(?:judge|depth) ([\d,]+)", title))
    opinions = PEOPLE[re.search(r"with (.+?) each", title)[1]]
    cell = pilot.cell(depth, opinions)
    seen = spread(cell)
    assert everywhere[1:] in ([], [depth])  # the machine judges as deep as people
    if not everywhere:
        detectable, cost = power.detectable(float(seen.sd), people), people * (costs.query + depth * opinions)
    else:
        error = (1 - seen.rho**2) / people + seen.rho**2 / everywhere[0]
        detectable = seen.sd * power.noncentrality(people - 2) * error**0.5
        cost = people * depth * opinions + everywhere[0] * (costs.query + depth * costs.machine)
    return detectable + bias_size(cell), cost


@pytest.mark.parametrize(
    ("name", "costs", "who"),
    [
        ("chorus", COSTS, "judge"),
        ("dl21", COSTS, "judge"),
        ("dl21", budget.Costs(1, 1, 0.001), "let the machine judge"),
    ],
)
def test_the_plan_that_is_named_sees_what_its_dot_says_and_no_line_lies_below_it(name, costs, who):
    pilot = PILOTS[name]
    advice = budget.plan(pilot, costs, BUDGET)
    curve = budget.curve(pilot, costs, sliders.budgets_around(BUDGET, 9))
    [ax] = drawn.budget_lines(curve, advice.best, BUDGET, pilot.cutoff, findings.what_to_do(advice.best)).axes
    title = ax.figure.get_suptitle()
    [[(money, difference)]] = dots(ax)
    reach, cost = reached(pilot, costs, title)
    assert title.startswith(who)
    assert difference == pytest.approx(reach, rel=1e-9)
    assert 0.97 * money < cost <= money
    there = [np.interp(money, *line.T) for line in lines(ax) if line[0, 0] <= money]
    assert difference == pytest.approx(min(there), rel=1e-9)


def test_what_a_query_is_worth_at_a_depth_is_where_its_line_stands():
    figure = drawn.depth_worth(table := tables.depth_worth(PILOTS), findings.depth_worth(table, 10))
    worth = [dict(points)[10] for points in dots(figure.axes[0])]
    assert numbers(figure) == pytest.approx([10, *worth], abs=5e-3)
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert re.findall(r"% on ([\w-]+)", figure.get_suptitle()) == names


def test_a_pilot_that_is_not_judged_so_deep_is_counted():
    table = tables.depth_worth(PILOTS).query("collection != 'chorus' or depth < 10")
    figure = drawn.depth_worth(table, findings.depth_worth(table, 10))
    worth = [dict(points)[10] for points in dots(figure.axes[0]) if 10 in points[:, 0]]
    assert numbers(figure) == pytest.approx([10, *worth, len(PILOTS) - len(worth)], abs=5e-3)


@pytest.mark.parametrize("ratio", [0.02, 0.2])
def test_pairs_for_which_a_machine_pays_lie_right_of_its_price(ratio):
    pairs = budget.pair_table(stored.tables("dl21")["systems"])
    [ax] = drawn.machine_prices(pairs, ratio, findings.machine_price(pairs, ratio)).axes
    [prices, shares], [now, _] = ax.lines[0].get_data(), ax.lines[1].get_xdata()
    half = np.interp(50, shares[::-1], prices[::-1])
    assert numbers(ax.figure) == pytest.approx([now, (prices > now).sum(), len(prices), half], abs=5e-3)


def test_what_a_free_machine_leaves_is_said_of_all_pairs_and_of_those_left_out():
    pairs = budget.pair_table(systems := stored.tables("dl21")["systems"])
    [ax] = drawn.machine_prices(pairs, 0, "").axes
    prices = ax.lines[0].get_xdata()  # the price is that of a correlation, of which the square is what a machine saves
    left = (prices <= (2**0.5 - 1) ** 2).mean()
    said = findings.machine_on_pairs(pairs)
    n = systems["system"].nunique()
    assert f"and half or more for {100 * left:.0f} % of the pairs" in said
    assert said.endswith(f"Left out: {n * (n - 1) // 2 - len(prices)} pairs of systems that never differ.")


def test_rules_of_thumb_see_what_the_medians_of_their_dots_are():
    lost = tables.losses(PILOTS, COSTS, BUDGET)
    [ax] = drawn.rule_losses(lost, findings.habit_losses(lost)).axes
    rows, names = rows_of(ax), [label.get_text() for label in ax.get_yticklabels()]
    middle = [np.median(row) for row in rows]
    assert middle == sorted(middle)
    assert [f"{len(row)} of {len(PILOTS)}" in name for row, name in zip(rows, names, strict=True)] == [
        len(row) < len(PILOTS) for row in rows
    ]
    whole = [(m - 1, name) for m, name, row in zip(middle, names, rows, strict=True) if len(row) == len(PILOTS)]
    (best, first), (worst, last) = whole[0], whole[-1]
    assert numbers(ax.figure) == pytest.approx([len(PILOTS), best, worst], abs=5e-3)
    assert re.search(rf"collections {first} sees .*, {last} \d", ax.figure.get_suptitle())


def test_a_rule_that_few_can_follow_is_neither_the_best_nor_the_worst():
    lost = tables.losses(PILOTS, COSTS, BUDGET)
    few = lost["collection"].eq("dl21") | ~lost["rule"].isin(["one opinion and more queries", "a hundred judgments"])
    [ax] = drawn.rule_losses(lost[few], findings.habit_losses(lost[few])).axes
    middle = [np.median(row) - 1 for row in rows_of(ax) if len(row) == len(PILOTS)]
    shares = [int(each) / 100 for each in re.findall(r"(\d+) %", ax.figure.get_suptitle())]
    assert shares == pytest.approx([min(middle), max(middle)], abs=5e-3)


@pytest.mark.parametrize(("money", "of"), [(BUDGET, []), (4000.0, [35])])
def test_the_best_to_train_are_the_dots_on_top_of_their_lines(fits, money, of):
    along = training.along_costs(fits, COSTS, money).query("opinions == 1")
    tops = along.loc[along.groupby(training.KEY)["ndcg"].idxmax()]
    figure = drawn.cost_curves(along, tops, findings.best_to_train(tops, sum(map(len, fits.values()))))
    best = np.concatenate([points for ax in figure.axes for points in dots(ax)])
    depths = best[:, 0]
    queries = np.median(money / (COSTS.query + depths * COSTS.judgment))
    said = [len(depths), *of, queries, np.median(depths), depths.min(), depths.max()]
    assert numbers(figure) == pytest.approx(said, abs=0.51)
    highest = [line.get_ydata().max() for ax in figure.axes for line in ax.lines]
    assert sorted(highest) == pytest.approx(sorted(best[:, 1]), rel=1e-12)


@pytest.mark.parametrize("money", [BUDGET, 600.0, 60.0])  # at the last some prices have one goal, and some none
def test_prices_at_which_one_trains_deeper_are_those_where_that_line_lies_above_all_others(fits, money, monkeypatch):
    monkeypatch.delenv("LABEL_STUDIES_TITLES")  # what is left out at the last takes a line of its own
    table = tables.depths(PILOTS, fits, COSTS, money)
    [ax] = drawn.both_goals(table, findings.both_goals(table)).axes
    found = {"measure": [], "train": []}
    for line in ax.lines:
        goal = next(goal for goal in found if to_hex(colour(goal)) == to_hex(line.get_color()))
        found[goal].append(dict(line.get_xydata()))
    [train] = found["train"]
    shared = [price for price in train if any(price in line for line in found["measure"])]
    pilots = {price: [line[price] for line in found["measure"] if price in line] for price in shared}
    deeper = sum(train[price] > max(pilots[price]) for price in shared)
    depths, others = [train[price] for price in shared], np.concatenate([*pilots.values()])
    said = [deeper, len(shared), min(depths), max(depths), others.min(), others.max()]
    prices = {price for line in ax.lines for price in line.get_xdata()}
    left_out = [n for n in (len(prices) - len(shared), sum(price > max(prices) for price in tables.PRICES)) if n]
    assert numbers(ax.figure) == pytest.approx(said + left_out, abs=0.51)
