"""The figures of study 1 that show judges before any ranker is trained (Figures 1 to 3 of the paper)."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns

from helpers.judging.crowd import BestJudge
from helpers.reporting.figures.look import COLOURS

MAJORITY, BEST = COLOURS[0], COLOURS[1]


def agreement_curves(panels: Mapping[str, tuple[pd.DataFrame, BestJudge]]) -> plt.Figure:
    """Agreement of m aggregated judges with the truth, beside that of the best judge (Figure 1 of the paper).

    Solid is on all pairs, with its interval, dashed on those that the best judge was measured on, thin what the best
    judge seems to reach.

    Parameters
    ----------
    panels : title -> frame of `crowd.agreement_by_judges`, and what `crowd.best_judge` returns
    """
    figure, axes = plt.subplots(
        1, len(panels), figsize=(4.4 * len(panels) + 2.2, 4), sharey=True, squeeze=False, layout="constrained"
    )
    for ax, (title, (agreement, best)) in zip(axes[0], panels.items(), strict=True):
        ax.plot("m", "agreement", "o-", data=agreement, color=MAJORITY, label="majority, all pairs")
        ax.fill_between(agreement["m"], agreement["low"], agreement["high"], color=MAJORITY, alpha=0.2)
        ax.plot("m", "held_out", "o--", data=best.majority, color=MAJORITY, label="majority, the best judge's pairs")
        ax.axhline(best.honest, color=BEST, linestyle="--", label="best judge, on pairs held out")
        ax.axhline(best.naive, color=BEST, linewidth=1, label="best judge, on the pairs that chose it")
        ax.set(title=title, xlabel="labels a pair", xticks=agreement["m"])
    axes[0, 0].set_ylabel("agreement with the truth [share of pairs]")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def label_distribution(shares: Mapping[str, np.ndarray]) -> plt.Figure:
    """Share of each grade among the labels (Figure 3 of the paper), side by side for several sets of labels.

    Parameters
    ----------
    shares : name -> (n_grades,) as of `crowd.distribution`
    """
    long = pd.DataFrame(shares).rename_axis("grade").reset_index().melt("grade", var_name="labels", value_name="share")
    figure, ax = plt.subplots(figsize=(7.5, 3.8), layout="constrained")
    sns.barplot(long, x="grade", y="share", hue="labels", palette=COLOURS[: len(shares)], errorbar=None, ax=ax)
    ax.set(xlabel="grade", ylabel="share of labels")
    sns.move_legend(ax, "center left", bbox_to_anchor=(1, 0.5), title=None, frameon=False)
    return figure


def grade_colours(n_grades: int) -> list[tuple]:
    """A colour for each of n_grades grades, darker the more relevant."""
    return sns.color_palette("crest", n_grades)
