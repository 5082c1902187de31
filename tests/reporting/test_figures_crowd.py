"""What the figures of judges show, and that their axes say so."""

import numpy as np
import pandas as pd
import pytest

from helpers.judging.crowd import BestJudge
from helpers.reporting.figures import crowd

pytestmark = pytest.mark.usefixtures("closed_figures")


def agreement(first):
    m = np.arange(1, 4)
    return pd.DataFrame({"m": m, "agreement": first * m, "low": first * m - 0.05, "high": first * m + 0.05})


def test_majorities_stand_beside_the_best_judge_in_a_panel_each():
    best = BestJudge(7, 20, 0.8, 0.7, agreement(0.25).assign(held_out=[0.2, 0.4, 0.6]))
    figure = crowd.agreement_curves({"experts": (agreement(0.3), best), "others": (agreement(0.1), best)})
    assert [ax.get_title() for ax in figure.axes] == ["experts", "others"]
    assert [ax.get_xlabel() for ax in figure.axes] == ["labels a pair"] * 2
    assert figure.axes[0].get_ylabel() == "agreement with the truth [share of pairs]"
    lines = {line.get_label(): list(line.get_ydata()) for line in figure.axes[1].lines}
    assert lines == {
        "majority, all pairs": pytest.approx([0.1, 0.2, 0.3]),
        "majority, the best judge's pairs": [0.2, 0.4, 0.6],
        "best judge, on pairs held out": [0.7, 0.7],
        "best judge, on the pairs that chose it": [0.8, 0.8],
    }
    assert [text.get_text() for text in figure.legends[0].texts] == list(lines)
    band = figure.axes[0].collections[0].get_paths()[0].get_extents()
    assert (band.ymin, band.ymax) == pytest.approx((0.25, 0.95))


def test_distributions_stand_side_by_side():
    figure = crowd.label_distribution({"all": np.array([0.2, 0.8]), "truth": np.array([0.5, 0.5])})
    (ax,) = figure.axes
    assert [[bar.get_height() for bar in bars] for bars in ax.containers] == [[0.2, 0.8], [0.5, 0.5]]
    assert [text.get_text() for text in ax.get_legend().texts] == ["all", "truth"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("grade", "share of labels")
