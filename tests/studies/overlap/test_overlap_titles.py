"""What titles and figures of study 1 say of tables made by hand; nbval compares those of the stored ones."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawn import marked

from helpers.judging.pool import Settings
from helpers.reporting import figures
from helpers.reporting.figures.look import colour
from helpers.studies.overlap import people, printed
from helpers.studies.overlap.tables import WAYS

pytestmark = pytest.mark.usefixtures("closed_figures")


def gains(*lows):
    """Of each use on two collections, and pooled with these lower ends."""
    places = [("a", "real"), ("b", "real"), (people.POOLED, people.POOLED)]
    rows = [(use, *place, 0.01, low, 0.02) for use, low in zip(people.USES, lows, strict=False) for place in places]
    return pd.DataFrame(rows, columns=["use", "where", "kind", "effect", "low", "high"])


OWN = pd.DataFrame({"use": "if-good-k", "where": ["yours, LambdaRank", "yours, RankSVM"], "effect": [0.012, -0.004],
                    "low": [0.004, -0.03], "high": [0.02, 0.022], "kind": people.OWN})  # fmt: skip
LABELS = np.array([[2, 0, 0], [1, 4, 4], [3, 3, 1]])
DOUBLED = pd.DataFrame({"question": [*WAYS, "another judge or another query"], "difference": [0.02, 0.01, 0, 9]})
WINS = pd.DataFrame(
    {"noise_irrelevant": [0.25, 0.25, 0.5, 0.5], "noise_relevant": [0.25, 0.5, 0.25, 0.25], "wins": [1, 1, 1, 0],
     "setting": ["baseline", "gain-3", "baseline", "mv3"], "difference": [np.nan, 0.002, np.nan, 0.1],
     "clear": [False, True, True, True]}
).astype({"wins": bool})  # fmt: skip
CURVES = pd.DataFrame(
    {"data": "Figure 4: x", "k": [1, 2, 3, 4, np.inf], "effect": [0, 0.3, 0.4, np.nan, 0.9], "printed": np.nan}
)
CURVES = pd.concat([CURVES, CURVES.assign(data="b", effect=[0, 0.2, 0.1, 0.05, 0])]).assign(low=0.0, high=1.0)
CROWD = SimpleNamespace(majority=pd.DataFrame({"held_out": [0.5, 0.7]}), honest=0.66)
FEATURED = pd.DataFrame(
    {"grade": [0, 1, 0, 1], "who": ["most 0", "most 0", "most 1", "most 1"], "share": [0.9, 0.1, 0.4, 0.6]}
)
FITTED = pd.DataFrame(
    {"quantity": ["fair_to_good_ratio"] * 3 + ["labeling_overhead"], "used": [True, True, False, True],
     "printed": 1.0, "fitted": [1.01, 0.97, 1.2, 9.0]}
)  # fmt: skip


POOLED = "Pooled over 2 real collections,"
CASES = [
    (people.answered, [gains(0, -1)], f"{POOLED} no use of several clearly beats one label"),
    (people.answered, [gains(0.1, 0)], f"{POOLED} if-good-k clearly beats one label"),
    (people.answered, [gains(1, 1)], f"{POOLED} if-good-k and one fine label clearly beat one label"),
    (people.own, [OWN[:0]], "Your run has no if-good-k beside one label"),
    (people.own, [OWN], "Your if-good-k gains, in points, +1.20 (.40 to 2.00) with LambdaRank and -.40 (-3.00 to 2.20) "
     "with RankSVM"),
    (people.own_sentence, [OWN], f"{people.own(OWN)}: holds and cannot tell."),
    (printed.bought, [LABELS, 3], "Of 3 documents if-good-3 buys 7 labels, 3 of each are 9"),
    (printed.bought, [LABELS, 3, 3], "Of 3 documents if-good-3 buys 5 labels, 3 of each are 9"),
    (printed.judge_map, [WINS], "At equal cost one label, of more queries, wins for 2 of 3 kinds of judges"),
    (printed.ways, [{"a": DOUBLED, "b": DOUBLED.assign(difference=0)}],
     "Twice the budget gains on average, in points: another query +1.0, another document +.50 and another judge .00"),
    (printed.gains_title, [{"Table 1": -0.06, "Table 3": 0.5}],
     "The printed order of schemes and ours: Kendall's tau -.06 in Table 1 and .50 in Table 3"),
    (printed.curves_title, [CURVES], "The k that gains most is, left to right, 3 and 2; the paper says 3, 3 and 2"),
    (printed.agreement_title, [{"a": (None, CROWD), "b": (None, CROWD)}],
     "Largest majority to best judge, agreement on the latter's pairs: 70 % to 66 % and 70 % to 66 %"),
    (printed.featured_title, [{"a": FEATURED, "b": FEATURED.assign(share=0.5)}],
     "Of their own grade featured judges give 60 % to 90 %, the others' majority 50 % to 50 %"),
    (printed.distribution_title, [{"": FEATURED}], "Grade 0 is 90 % of most 0 and 40 % of most 1"),
    (printed.fitted_title, [FITTED],
     "In the median judges miss the ratios that they were fitted to by 2.0 %, others by 20.0 %"),
]  # fmt: skip


@pytest.mark.parametrize(("title", "given", "said"), CASES)
def test_a_title_says_what_its_table_does(title, given, said):
    assert title(*given) == said


def test_what_several_labels_gain_is_a_row_a_collection_pooled_are_diamonds_and_a_run_of_ones_own_is_black():
    [ax] = figures.overlap.answer(pd.concat([gains(0.1, 0), OWN]), "A title").axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "pooled", *OWN["where"]]
    assert marked(ax, "D")[:, 0].tolist() == [1, 1]
    black = [line.get_xdata() for line in ax.lines if line.get_color() == colour("text")]
    assert np.ravel([x for x in black if len(x) == 1]) == pytest.approx([1.2, -0.4])


def test_no_line_crosses_a_k_that_was_not_run():
    first, second = figures.overlap.if_good_curves(CURVES, "A title").axes
    assert np.isnan(first.lines[1].get_ydata()).tolist() == [False, False, False, True]
    assert second.lines[1].get_ydata() == pytest.approx([0, 20, 10, 5])


def test_a_map_names_who_wins_and_by_how_much_with_a_star_where_that_is_clear():
    """Judges stand at their noises, even beyond the outer cells' middle."""
    [ax] = figures.overlap.judge_map(WINS, {"clean+": Settings(0, 1.05, 0.45, 0)}, "A title").axes
    assert [text.get_text() for text in ax.texts] == ["one label", "gain-3 +0.2 *", "one label *"]
    [mark] = ax.lines
    assert (mark.get_label(), *mark.get_xydata()[0]) == ("clean+", 1.05, 0.45)
    assert ax.get_xlim()[1] >= 1.05
