"""The picture of claims: a diamond, its collections and the margin; and words over the margin."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex

from helpers.reporting import verdicts
from helpers.reporting.figures import forest, strip
from helpers.reporting.figures.forest import LOOKS

pytestmark = pytest.mark.usefixtures("closed_figures")


def effects(**columns):
    given = {"claim": "R2", "collection": ["a", "b", "c", "d"], "basis": ["real"] * 3 + ["portrait"], "se": 0.002}
    given |= {"ranker": "LambdaRank", "measure": "NDCG@10", "effect": [0.001, 0.002, 0.003, 0.02]}
    frame = pd.DataFrame(given | columns)
    return frame.assign(low=frame["effect"] - 0.004, high=frame["effect"] + 0.004, queries=10, draws=5)


def test_a_claim_has_its_collections_portraits_hollow_and_its_pooled_effect():
    rows = effects()
    judged = verdicts.verdicts(rows)
    [ax] = forest(judged, rows).axes
    points = [dots for dots in ax.collections if isinstance(dots, PathCollection)]
    real, drawn, diamond = points[:3]
    assert real.get_offsets()[:, 0].tolist() == [0.001, 0.002, 0.003]
    assert to_hex(drawn.get_facecolor()[0]) == "#ffffff" != to_hex(real.get_facecolor()[0])
    assert diamond.get_offsets()[0, 0] == pytest.approx(judged["measured"].item())
    assert "R2" in ax.get_yticklabels()[0].get_text()
    assert any("holds" in text.get_text() for text in ax.texts)
    assert "within .005 of 0" in ax.get_xlabel()


def test_what_is_measured_otherwise_has_an_axis_of_its_own():
    rows = pd.concat([effects(), effects(claim="Y12", ranker="", measure="squared error of the label")])
    figure = forest(verdicts.verdicts(rows), rows)
    assert len(figure.axes) == 2


def test_words_over_the_margin_are_told_by_their_colours():
    words = verdicts.by_margin(effects(), np.array([0.0, 0.01]))
    ax = strip(words, "t").axes[0]
    assert [to_hex(bar.get_facecolor()) for bar in ax.patches] == [to_hex(LOOKS[word]) for word in words.iloc[0]]
