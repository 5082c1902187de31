"""The figures of study 2 that are drawn by hand: matrices, worlds, limits beside rankings, ceilings beside rankers.

Each takes its title, the finding, and says in its alternative text what is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

from helpers.judging import ceilings
from helpers.judging.confusion import majority
from helpers.judging.noise import partly
from helpers.reporting.answers import counted, listed, number
from helpers.reporting.figures.forms import heat, legend, panels, zero_line
from helpers.reporting.figures.look import BLUE, WIDTH, colour, colours, headed

if TYPE_CHECKING:
    import ipywidgets as widgets

MANY = 7  # assessors, beyond which they are not told apart
PREDICTIONS = {"pooled": "matrix of these assessors, other queries", "elsewhere": "matrix from elsewhere"}


def matrices(shown: Mapping[str, np.ndarray], title: str) -> plt.Figure:
    """Confusion matrices beside each other, in per cent of a row; a cell that nothing fell into stays empty."""
    figure, axes = panels(list(shown), height=3.4, across=len(shown))
    for matrix, ax in zip(shown.values(), axes, strict=True):
        _matrix(matrix, ax)
    alt = f"Confusion matrices: {listed(shown)}. Rows are grades by the one who tests, columns labels that train."
    return headed(figure, title, alt)


def _matrix(matrix: np.ndarray, ax: plt.Axes) -> None:
    table = 100 * pd.DataFrame(matrix)
    heat(table, "", ax, fmt=".0f", cmap="Blues", vmin=0, vmax=100, cbar=False, square=True, mask=~(table > 0))
    ax.grid(visible=False)
    ax.set(xlabel="label by the one who trains", ylabel="grade by the one who tests")


def worlds(rows: Mapping[str, np.ndarray], k: int, title: str) -> plt.Figure:
    """What each of several worlds says: a row a kind of world, a dot a world, a bar at their mean."""
    figure, ax = plt.subplots(figsize=(WIDTH, 1.2 + 0.7 * len(rows)), layout="constrained")
    for place, (values, tint) in enumerate(zip(rows.values(), colours(rows).values(), strict=True)):
        ax.scatter(values, place + np.linspace(-0.2, 0.2, len(values)), s=30, color=tint, alpha=0.8)
        ax.vlines(np.mean(values), place - 0.35, place + 0.35, color=tint, linewidth=2.5)
    zero_line(ax, upright=True)
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set(ylim=(len(rows) - 0.5, -0.5), xlabel=f"nDCG@{k} by which the query's own matrix comes closer")
    said = (f"{name} from {number(min(values))} to {number(max(values))}" for name, values in rows.items())
    return headed(figure, title, f"A dot for each synthetic world, a bar at their mean: {listed(said)}.")


def limit_scatter(table: pd.DataFrame, title: str) -> plt.Figure:
    """Real against predicted limits (Figure 1 of the paper): a small dot a query, a large one the mean of a pair of
    assessors, in the colour of the one who trains.
    """
    known = table.dropna(subset="real")
    figure, axes = panels(list(PREDICTIONS.values()), 4.6, across=2, sharey=True)
    trained = list(known["training"].unique())
    tints = colours(trained) if len(trained) <= MANY else dict.fromkeys(trained, BLUE)
    for name, ax in zip(PREDICTIONS, axes, strict=True):
        ax.plot([0, 1], [0, 1], color=colour("line"), linestyle="--", linewidth=1, zorder=3)
        for training, own in known.groupby("training", sort=False):
            means = own.groupby("testing")[[name, "real"]].mean()
            ax.scatter(own[name], own["real"], s=10, color=tints[training], alpha=0.25, linewidth=0)
            ax.scatter(means[name], means["real"], s=80, color=tints[training], edgecolor="black", zorder=4)
        ax.set(xlabel="predicted nDCG@10", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes[0].set_ylabel("real nDCG@10")
    if len(trained) <= MANY:
        legend(figure, {f"labels by {name}": tint for name, tint in tints.items()}, line="")
    alt = f"{counted(len(known), 'query of a pair', 'queries of pairs')} of judges: real against predicted nDCG@10."
    return headed(figure, title, alt)


def ceiling_strips(
    tables: Mapping[str, pd.DataFrame], learned: pd.DataFrame, kinds: Mapping[str, str], k: int, title: str
) -> plt.Figure:
    """Ceilings of collections under every matrix, a row a collection, beside the best learned nDCG."""
    bar = {"marker": "|", "color": "black", "markersize": 11, "markeredgewidth": 2.5}
    tints = colours(kinds.values())
    figure, ax = plt.subplots(figsize=(WIDTH, 1.2 + 0.5 * len(tables)), layout="constrained")
    for row, (collection, table) in enumerate(tables.items()):
        own = learned[learned["dataset"] == collection].nlargest(1, "ndcg")
        ax.hlines([row + 0.32] * len(own), own["low"], own["high"], color="black", linewidth=1.5)
        ax.plot(own["ndcg"], [row + 0.32] * len(own), linestyle="", **bar)
        for lane, (kind, tint) in enumerate(tints.items()):
            of_kind = table[table["matrix"].map(kinds) == kind]
            ax.scatter(of_kind["exact"], [row - 0.26 + 0.16 * lane] * len(of_kind), s=30, color=tint)
    ax.set(yticks=range(len(tables)), yticklabels=list(tables), xlim=(0, 1), xlabel=f"mean nDCG@{k}")
    ax.invert_yaxis()
    legend(figure, tints | {"best learned ranker": bar}, line="")
    return headed(figure, title, f"Ceilings under matrices of {listed(tints)}, beside the best learned ranker.")


def runs_beside_limit(runs: pd.DataFrame, title: str) -> plt.Figure:
    """Every run less the ranking that is perfect for one person, when another tests: a row a run, the best first."""
    figure, ax = plt.subplots(figsize=(WIDTH, 1.2 + 0.1 * len(runs)), layout="constrained")
    rows = runs.sort_values("difference", ascending=False, ignore_index=True)
    tints = colours(sorted(rows["family"].unique()))
    for family, own in rows.groupby("family"):
        faces = np.where(own["low"] > 0, to_hex(tints[family]), "white")
        ax.hlines(own.index, own["low"], own["high"], color=tints[family], linewidth=1, alpha=0.6)
        ax.scatter(own["difference"], own.index, s=26, color=faces, edgecolor=[tints[family]], zorder=3)
    zero_line(ax, upright=True)
    ax.set(yticks=[], ylim=(len(rows), -1), xlabel="nDCG@10 less that of a ranking which is perfect for one person")
    legend(figure, tints, line="", across=3)
    return headed(figure, title, f"{counted(len(rows), 'run')} in the order of their nDCG@10, by kind of ranker.")


def explorer(profile: Sequence[int], confusion: np.ndarray, k: int) -> plt.Figure:
    """A confusion matrix, and the ceiling of one query under it at every cut-off, marked at k."""
    figure, (left, right) = panels(["matrix", "ceiling at every cut-off"], 3.6, across=2)
    _matrix(confusion, left)
    cutoffs = np.arange(1, min(sum(profile), 50) + 1)
    values = [ceilings.exact(profile, confusion, int(cutoff)) for cutoff in cutoffs]
    right.plot(cutoffs, values, color=colour("exact"))
    marked = min(k, len(cutoffs))
    right.plot(marked, values[marked - 1], "o", color=colour("exact"), markersize=10)
    right.annotate(f"{values[marked - 1]:.3f}", (marked, values[marked - 1]), (8, 8), textcoords="offset points")
    right.set(ylim=(0, 1), xlabel="cut-off [rank]", ylabel="exact ceiling [nDCG]")
    return figure


def sliders(profile: Sequence[int], confusion: np.ndarray, k: int) -> widgets.interactive:
    """Sliders for share of errors, judges and cut-off above the ceiling of one query, for JupyterLab.

    They begin at the matrix and the cut-off that are given. Where a share of the errors is made, that share of the
    documents is labelled under the matrix, and the others keep their grade.

    Parameters
    ----------
    profile : (n_grades,) documents of each grade
    confusion : (n_grades, n_grades) chances of each label, a row a grade
    k : cut-off of nDCG

    Examples
    --------
    In a notebook, of a query with 50 documents of grade 0, 30 of 1 and 20 of 2:

        sliders([50, 30, 20], ordinal_confusion(3, 0.6), 10)
    """
    import ipywidgets as widgets  # of a class alone

    def show(errors: float, judges: int, cutoff: int) -> None:
        plt.show(explorer(profile, majority(partly(confusion, errors), judges), cutoff))

    longest = int(sum(profile))
    return widgets.interactive(
        show,
        errors=widgets.FloatSlider(1, min=0, max=1, step=0.05),
        judges=widgets.SelectionSlider(options=(1, 3, 5, 7, 9, 11)),
        cutoff=widgets.IntSlider(min(k, longest), min=1, max=min(longest, 50)),
    )
